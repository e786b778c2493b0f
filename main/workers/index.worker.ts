import { parentPort } from "node:worker_threads";
import { UnderstoryError } from "#contract";
import type { IndexWriter } from "../indexes/ports.ts";
import { openIndexWriter } from "../indexes/writer.ts";
import type { ArchiveFiles, RecordReader } from "../records/ports.ts";
import { openRecordReader } from "../records/reader.ts";
import { exposeService } from "./service.ts";

type None = Record<string, never>;

/** The thread that is the single writer of index.db; it follows the change log of records.db. */
export interface IndexService {
  open(files: ArchiveFiles): Promise<void>;
  /** Applies up to `limit` changes; gives how many are left. */
  advance(input: { limit: number }): Promise<number>;
  pendingEmbeddings(input: { modelId: string; limit: number }): Promise<ReturnType<IndexWriter["pendingEmbeddings"]>>;
  putEmbeddings(input: { modelId: string; rows: Parameters<IndexWriter["putEmbeddings"]>[1] }): Promise<void>;
  failEmbedding(input: { modelId: string; chunkId: number; reason: string }): Promise<void>;
  rebuild(input: None): Promise<void>;
  status(input: { modelId: string | null }): Promise<ReturnType<IndexWriter["status"]>>;
  close(input: None): Promise<void>;
}

let opened: { writer: IndexWriter; records: RecordReader } | null = null;

function writer(): IndexWriter {
  if (opened) return opened.writer;
  throw new UnderstoryError("archive_locked", "The index is not open.", { hint: "Unlock the archive first." });
}

const service: IndexService = {
  async open(files) {
    const records = openRecordReader(files);
    opened = { records, writer: openIndexWriter(files, records) };
  },
  advance: async ({ limit }) => writer().advance(limit),
  pendingEmbeddings: async ({ modelId, limit }) => writer().pendingEmbeddings(modelId, limit),
  putEmbeddings: async ({ modelId, rows }) => writer().putEmbeddings(modelId, rows),
  failEmbedding: async ({ modelId, chunkId, reason }) => writer().failEmbedding(modelId, chunkId, reason),
  rebuild: async () => writer().rebuild(),
  status: async ({ modelId }) => writer().status(modelId),
  async close() {
    opened?.writer.close();
    opened?.records.close();
    opened = null;
  },
};

if (parentPort) exposeService(parentPort, service);
