import type { ImportRun } from "#contract";
import type { Claim, Cursor, ImportedItem } from "#main/importers/types.ts";
import type { CommitBatch, CommitResult } from "#main/records/ports.ts";
import type { InternalPlan } from "./plan.ts";

/** What ingest needs of the store; the store worker fits. */
export interface ImportStore {
  beginImport(input: {
    jobId: string;
    roots: readonly string[];
    files: readonly { path: string; bytes: number }[];
    zone?: string;
  }): Promise<number>;
  planFiles(input: { importId: number; files: readonly { path: string; bytes: number }[] }): Promise<void>;
  ledgerSkip(input: {
    importId: number;
    rows: readonly { path: string; bytes: number; reason: string }[];
  }): Promise<void>;
  commit(batch: CommitBatch): Promise<CommitResult>;
  checkpoint(input: { importId: number; claim: string }): Promise<{ cursor: Cursor | null; done: boolean }>;
  containerHolding(input: { fingerprints: readonly string[] }): Promise<string | null>;
  setImportStatus(input: { importId: number; status: ImportRun["status"] }): Promise<void>;
}

/** What was dropped, and the key of uploads among it (`deriveUploadKey`). */
export interface PlanInput {
  readonly roots: readonly string[];
  readonly uploadKey?: Uint8Array;
}

export interface ReadInput extends PlanInput {
  readonly importer: string;
  readonly claim: Claim;
  readonly resume: Cursor | null;
  /** IANA zone of wall clocks without one, as the person says; absent: they stay as they are. */
  readonly zone?: string;
  /** See `ReadContext`. */
  readonly knownContainer: string | null;
}

/** Some items of a claim. One without items is a sign of life. */
export interface ReadBatch {
  /** Checked: every record meets `importedRecordSchema`, every file belongs to the claim. */
  readonly items: readonly ImportedItem[];
  /** Further items, which stand before these: records as V8 serialises them (`packed.ts`). */
  readonly packed?: Uint8Array;
  /** Cursor of the last record so far. */
  readonly cursor: Cursor | null;
  /** Bytes of files read since the claim was begun, here. */
  readonly bytesRead: number;
  /** The claim is read to its end; the last batch. */
  readonly done: boolean;
}

/** Parsing of untrusted files, in a thread that may die. */
export interface ParsePort {
  plan(input: PlanInput, signal?: AbortSignal): Promise<InternalPlan>;
  read(input: ReadInput, signal?: AbortSignal): AsyncIterable<ReadBatch>;
  /** Kills the thread and waits until a new one is up: its start is no silence of a file's parser. */
  restart(): Promise<void>;
}
