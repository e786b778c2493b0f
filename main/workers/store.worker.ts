import { parentPort } from "node:worker_threads";
import {
  type AuditRow,
  type ImportRun,
  type ModelPurpose,
  type NewFeedback,
  type RecordId,
  UnderstoryError,
  type ViewProgress,
} from "#contract";
import { unpacked } from "../ingest/packed.ts";
import type {
  ArchiveFiles,
  CommitBatch,
  CommitResult,
  LostImport,
  MediaWriter,
  PendingPerception,
  PendingThumbnail,
  PictureModel,
  RecordWriter,
  SavedJob,
  VectorPurpose,
} from "../records/ports.ts";
import { openStore, type Store } from "../records/store.ts";
import { exposeService } from "./service.ts";

/** A call without input passes {}. */
type None = Record<string, never>;

/** The thread that is the single writer of records.db and media.db. Calls run one after the other, in the order they come. */
export interface StoreService {
  open(files: ArchiveFiles): Promise<void>;
  beginImport(input: Parameters<RecordWriter["beginImport"]>[0]): Promise<number>;
  planFiles(input: { importId: number; files: readonly { path: string; bytes: number }[] }): Promise<void>;
  markMissing(input: { importId: number; present: readonly string[]; at: number }): Promise<number>;
  watchImport(input: { importId: number; on: boolean }): Promise<void>;
  ledgerSkip(input: {
    importId: number;
    rows: readonly { path: string; bytes: number; reason: string }[];
  }): Promise<void>;
  commit(batch: CommitBatch): Promise<CommitResult>;
  checkpoint(input: { importId: number; claim: string }): Promise<ReturnType<RecordWriter["checkpoint"]>>;
  containerHolding(input: { fingerprints: readonly string[] }): Promise<string | null>;
  setImportStatus(input: { importId: number; status: ImportRun["status"] }): Promise<void>;
  joinPeople(input: None): Promise<number>;
  joinPerson(pair: { a: number; b: number }): Promise<void>;
  keepPersonApart(pair: { a: number; b: number }): Promise<void>;
  separatePerson(input: { joinId: number }): Promise<void>;
  setOwner(input: { personId: number; owner: boolean }): Promise<void>;
  undoImport(input: Parameters<RecordWriter["undoImport"]>[0]): Promise<ReturnType<RecordWriter["undoImport"]>>;
  trash(ids: readonly RecordId[]): Promise<void>;
  restore(ids: readonly RecordId[]): Promise<void>;
  erase(ids: readonly RecordId[]): Promise<void>;
  edit(input: Parameters<RecordWriter["edit"]>[0]): Promise<void>;
  giveFeedback(feedback: NewFeedback): Promise<number>;
  takeBackFeedback(input: { id: number }): Promise<void>;
  audit(input: { action: string; details: AuditRow["details"] }): Promise<void>;
  verifyAudit(input: None): Promise<ReturnType<RecordWriter["verifyAudit"]>>;
  putThumbnail(thumbnail: Parameters<MediaWriter["putThumbnail"]>[0]): Promise<void>;
  failThumbnail(input: { recordId: RecordId; reason: string }): Promise<void>;
  pendingThumbnails(input: { limit: number }): Promise<PendingThumbnail[]>;
  retryFailedThumbnails(input: { attempts: number }): Promise<number>;
  putPerception(input: Parameters<MediaWriter["putPerception"]>[0]): Promise<void>;
  failPerception(input: Parameters<MediaWriter["failPerception"]>[0]): Promise<void>;
  pendingPerceptions(input: { models: readonly PictureModel[]; limit: number }): Promise<PendingPerception[]>;
  perceptionProgress(input: { models: readonly PictureModel[] }): Promise<ViewProgress[]>;
  retireVectors(input: { purpose: VectorPurpose; keep: string }): Promise<void>;
  retryPerceptions(input: { purpose: ModelPurpose | null }): Promise<number>;
  saveJob(saved: SavedJob): Promise<void>;
  loadJobs(input: None): Promise<SavedJob[]>;
  lostImports(input: None): Promise<LostImport[]>;
  contentDigest(input: None): Promise<string>;
  close(input: None): Promise<void>;
}

let store: Store | null = null;

function opened(): Store {
  if (store) return store;
  throw new UnderstoryError("archive_locked", "The archive is not open.", { hint: "Unlock it first." });
}

const service: StoreService = {
  async open(files) {
    if (store) throw new UnderstoryError("archive_in_use", "The store is open already.");
    store = openStore(files);
  },
  beginImport: async (input) => opened().writer.beginImport(input),
  planFiles: async ({ importId, files }) => opened().writer.planFiles(importId, files),
  markMissing: async ({ importId, present, at }) => opened().writer.markMissing(importId, present, at),
  watchImport: async (input) => opened().writer.watchImport(input),
  ledgerSkip: async ({ importId, rows }) => opened().writer.ledgerSkip(importId, rows),
  async commit({ packed, ...batch }) {
    const items = unpacked(packed ? { ...batch, packed } : batch);
    return opened().writer.commit({ ...batch, items });
  },
  checkpoint: async ({ importId, claim }) => opened().writer.checkpoint(importId, claim),
  containerHolding: async ({ fingerprints }) => opened().writer.containerHolding(fingerprints),
  setImportStatus: async ({ importId, status }) => opened().writer.setImportStatus(importId, status),
  joinPeople: async () => opened().writer.joinPeople(),
  joinPerson: async (pair) => opened().writer.joinPerson(pair),
  keepPersonApart: async (pair) => opened().writer.keepPersonApart(pair),
  separatePerson: async ({ joinId }) => opened().writer.separatePerson(joinId),
  setOwner: async (input) => opened().writer.setOwner(input),
  undoImport: async (input) => opened().writer.undoImport(input),
  trash: async (ids) => opened().writer.trash(ids),
  restore: async (ids) => opened().writer.restore(ids),
  erase: async (ids) => opened().writer.erase(ids),
  edit: async (input) => opened().writer.edit(input),
  giveFeedback: async (feedback) => opened().writer.giveFeedback(feedback),
  takeBackFeedback: async ({ id }) => opened().writer.takeBackFeedback(id),
  audit: async ({ action, details }) => opened().writer.audit(action, details),
  verifyAudit: async () => opened().writer.verifyAudit(),
  putThumbnail: async (thumbnail) => opened().media.putThumbnail(thumbnail),
  failThumbnail: async ({ recordId, reason }) => opened().media.failThumbnail(recordId, reason),
  pendingThumbnails: async ({ limit }) => opened().media.pendingThumbnails(limit),
  retryFailedThumbnails: async ({ attempts }) => opened().media.retryFailed(attempts),
  putPerception: async (input) => opened().media.putPerception(input),
  failPerception: async (input) => opened().media.failPerception(input),
  pendingPerceptions: async ({ models, limit }) => opened().media.pendingPerceptions(models, limit),
  perceptionProgress: async ({ models }) => opened().media.perceptionProgress(models),
  retireVectors: async ({ purpose, keep }) => opened().media.retireVectors(purpose, keep),
  retryPerceptions: async ({ purpose }) => opened().media.retryPerceptions(purpose),
  saveJob: async (saved) => opened().saveJob(saved),
  loadJobs: async () => opened().loadJobs(),
  lostImports: async () => opened().writer.reader().lostImports(),
  contentDigest: async () => opened().contentDigest(),
  async close() {
    store?.close();
    store = null;
  },
};

if (parentPort) exposeService(parentPort, service);
