import { parentPort } from "node:worker_threads";
import { UnderstoryError } from "#contract";
import type { IndexWriter } from "../indexes/ports.ts";
import { openIndexWriter } from "../indexes/writer.ts";
import { openMediaReader } from "../records/media.ts";
import type { ArchiveFiles, MediaReader, RecordReader } from "../records/ports.ts";
import { openRecordReader } from "../records/reader.ts";
import { exposeService } from "./service.ts";

type None = Record<string, never>;

/** Records are read once, when they are new; what ties them together is kept by identity. */
const recordCacheMiB = 4;

/** The thread that is the single writer of index.db; it follows the change log of records.db. */
export interface IndexService {
  open(files: ArchiveFiles): Promise<void>;
  /** Applies up to `limit` changes, then deeper facts unless `textOnly`; gives how many are left. */
  advance(input: { limit: number; textOnly?: boolean }): Promise<number>;
  /** The main one first. */
  setEncoders(input: { encoders: Parameters<IndexWriter["setEncoders"]>[0] }): Promise<void>;
  pendingEmbeddings(input: { modelId: string; limit: number }): Promise<ReturnType<IndexWriter["pendingEmbeddings"]>>;
  putEmbeddings(input: { modelId: string; rows: Parameters<IndexWriter["putEmbeddings"]>[1] }): Promise<void>;
  failEmbedding(input: { modelId: string; chunkId: number; reason: string }): Promise<void>;
  pendingLabels(input: { modelId: string; limit: number }): Promise<string[]>;
  putLabels(input: { modelId: string; rows: Parameters<IndexWriter["putLabels"]>[1] }): Promise<void>;
  pendingWords(input: { modelId: string; limit: number }): Promise<string[]>;
  putWords(input: { modelId: string; rows: Parameters<IndexWriter["putWords"]>[1] }): Promise<void>;
  servePictures(input: { modelId: string }): Promise<void>;
  failedEmbeddings(input: { offset: number; limit: number }): Promise<ReturnType<IndexWriter["failedEmbeddings"]>>;
  retryEmbeddings(input: None): Promise<number>;
  rebuild(input: None): Promise<void>;
  status(input: { modelId: string | null }): Promise<ReturnType<IndexWriter["status"]>>;
  close(input: None): Promise<void>;
}

let opened: { writer: IndexWriter; records: RecordReader; media: MediaReader } | null = null;

function writer(): IndexWriter {
  if (opened) return opened.writer;
  throw new UnderstoryError("archive_locked", "The index is not open.", { hint: "Unlock the archive first." });
}

const service: IndexService = {
  async open(files) {
    const records = openRecordReader(files, { cacheMiB: recordCacheMiB, linked: false });
    const media = openMediaReader(files);
    opened = { records, media, writer: openIndexWriter(files, records, (id) => media.pictureVectors(id)) };
  },
  advance: async ({ limit, textOnly = false }) => writer().advance(limit, { textOnly }),
  setEncoders: async ({ encoders }) => writer().setEncoders(encoders),
  pendingEmbeddings: async ({ modelId, limit }) => writer().pendingEmbeddings(modelId, limit),
  putEmbeddings: async ({ modelId, rows }) => writer().putEmbeddings(modelId, rows),
  failEmbedding: async ({ modelId, chunkId, reason }) => writer().failEmbedding(modelId, chunkId, reason),
  pendingLabels: async ({ modelId, limit }) => writer().pendingLabels(modelId, limit),
  putLabels: async ({ modelId, rows }) => writer().putLabels(modelId, rows),
  pendingWords: async ({ modelId, limit }) => writer().pendingWords(modelId, limit),
  putWords: async ({ modelId, rows }) => writer().putWords(modelId, rows),
  servePictures: async ({ modelId }) => writer().servePictures(modelId),
  failedEmbeddings: async ({ offset, limit }) => writer().failedEmbeddings(offset, limit),
  retryEmbeddings: async () => writer().retryEmbeddings(),
  rebuild: async () => writer().rebuild(),
  status: async ({ modelId }) => writer().status(modelId),
  async close() {
    opened?.writer.close();
    opened?.media.close();
    opened?.records.close();
    opened = null;
  },
};

if (parentPort) exposeService(parentPort, service);
