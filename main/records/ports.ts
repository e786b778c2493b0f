import type {
  AuditRow,
  DayCount,
  FailedView,
  Feedback,
  ImportRun,
  Job,
  LedgerRow,
  LibraryFilter,
  ModelPurpose,
  NewFeedback,
  Perceived,
  Person,
  PersonDetail,
  PersonSuggestions,
  PictureTags,
  PictureText,
  RecordDetail,
  RecordId,
  RecordSummary,
  SourceLocation,
  StoredRecord,
  ViewProgress,
} from "#contract";
import type { Cursor, ImportedItem } from "#main/importers/types.ts";
import type { Cipher } from "#native/sqlite.ts";

/** What the store lets others see of itself. Query stages get a reader and can reach no writer. */

/** A step of the change log. Every commit appends one in the same transaction as the record. */
export interface Change {
  readonly seq: number;
  readonly recordId: RecordId;
  /** put: new or changed content; trash, restore: visibility; erase: gone for good, with all that came from it. */
  readonly op: "put" | "trash" | "restore" | "erase";
}

export interface StoreCounts {
  readonly records: number;
  readonly trashed: number;
  readonly people: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** Where the files of one archive lie, and the key that opens them. */
export interface ArchiveFiles {
  readonly recordsPath: string;
  readonly indexPath: string;
  /** Thumbnails, encrypted like the rest. */
  readonly mediaPath: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** What all three are encrypted with, as the key file says. */
  readonly cipher: Cipher;
}

/** Marks the real thing: a reader can never be passed where a writer is asked for, nor the other way round. */
export const readerBrand: unique symbol = Symbol("RecordReader");
export const writerBrand: unique symbol = Symbol("RecordWriter");

/** Where a record was read from: the roots of the import as they were given, and the place in their tree. */
export interface Original {
  readonly importId: number;
  /** SHA-256 (hex) of the file's bytes when it was read, where the record is known by them; null otherwise. */
  readonly sha256: string | null;
  readonly roots: readonly string[];
  readonly location: SourceLocation;
}

/** Read-only view of records.db. Never sees trashed records unless asked (`filter.trashed`, `get`). Synchronous: it lives in a worker. */
/** An import whose roots are watched. */
export interface WatchedImport {
  readonly importId: number;
  readonly roots: readonly string[];
  readonly zone: string | null;
}

/** An import that was begun and that no job goes on with. */
export interface LostImport {
  readonly importId: number;
  readonly jobId: string;
  readonly roots: readonly string[];
  readonly zone: string | null;
}

/** What the archive's times say about where its owner was. */
export interface ZoneVotes {
  /** IANA zones that records name, and how often. */
  readonly zones: ReadonlyMap<string, number>;
  /** Offsets (`+02:00`) of the owner's own records by month (`2024-07`), and how often. */
  readonly offsets: readonly { readonly month: string; readonly offset: string; readonly records: number }[];
}

export interface RecordReader {
  readonly [readerBrand]: true;
  /** Any record that is not erased, trashed ones too. */
  get(id: RecordId): StoredRecord | null;
  /** In the order of `ids`; unknown ids are left out. */
  getMany(ids: readonly RecordId[]): StoredRecord[];
  /**
   * The same without the ids of what they answer and are part of, and with files only where a record has no time and its
   * folders may tell the day: each costs as much as the rest of a record.
   */
  contents(ids: readonly RecordId[]): StoredRecord[];
  summaries(ids: readonly RecordId[]): RecordSummary[];
  /** Throws `not_found`. */
  detail(id: RecordId): RecordDetail;
  /** Timeline order: newest local day first, inside a day oldest first, then container and sequence; no time: last. Parts (partOf) are left out. */
  list(filter: LibraryFilter, offset: number, limit: number): { records: RecordSummary[]; total: number };
  /** Photos of these days in the same order, the first `limit`. */
  photos(from: string, to: string, limit: number): RecordId[];
  /** Those of these pictures in which a model has read any text. */
  legible(ids: readonly RecordId[]): Set<RecordId>;
  /** Whether a model has looked for text in any picture. */
  picturesRead(): boolean;
  days(filter: LibraryFilter): DayCount[];
  people(): Person[];
  /** What the latest records say about where their owner was. */
  zoneVotes(): ZoneVotes;
  /** A person with the parts they were joined from. Throws `not_found`. */
  person(id: number): PersonDetail;
  /** Pairs that may be one person, and who may be the archive's owner where nobody is. */
  personSuggestions(): PersonSuggestions;
  /** The people (joined addresses) that take part in a record: author first. */
  personIdsOf(ids: readonly RecordId[]): ReadonlyMap<RecordId, readonly number[]>;
  idByIdentity(identity: string): RecordId | null;
  /** Where the record's originals lie, latest import first; sidecars last. */
  originals(id: RecordId): Original[];
  /** Ids of all live (not trashed) records, ascending, after `after`. */
  liveIds(after: RecordId, limit: number): RecordId[];
  /** Which of these are live. */
  live(ids: readonly RecordId[]): Set<RecordId>;
  /**
   * Neighbours inside the record's session (same container, or same thread for mail), ordered by sequence then time:
   * up to `radius` before and after, with their signed distance.
   */
  neighbours(id: RecordId, radius: number): { id: RecordId; distance: number }[];
  /** Members of the record's thread (reply chain or thread key), itself included, by time; at most `limit`. */
  thread(id: RecordId, limit: number): RecordId[];
  /** Live records whose local day lies in [from, to], at most `limit`. */
  inWindow(from: string, to: string, limit: number): RecordId[];
  /** Live records in which a person takes part. */
  byPerson(personId: number, limit: number): RecordId[];
  /** What the owner said of answers and evidence, newest first; also of records in the trash. */
  feedback(): readonly Feedback[];
  changesSince(seq: number, limit: number): Change[];
  lastSeq(): number;
  /** Runs reading `work` over one state of the store, however long it takes: what is committed meanwhile is not seen. */
  still<T>(work: () => T): T;
  counts(): StoreCounts;
  importRuns(): ImportRun[];
  watchedImports(): WatchedImport[];
  lostImports(): LostImport[];
  /** Records that undoing this import would put into the trash, and those that it would leave. */
  undoPreview(importId: number): { trash: number; stay: number };
  ledger(importId: number, offset: number, limit: number, status?: string): { rows: LedgerRow[]; total: number };
  auditRows(offset: number, limit: number, action?: string): { rows: AuditRow[]; total: number };
  close(): void;
}

export interface CommitBatch {
  readonly importId: number;
  readonly importer: string;
  /** `primary` of the claim the items come from. */
  readonly claim: string;
  readonly items: readonly ImportedItem[];
  /** Further items as V8 serialises them; unpacked by the thread that calls the writer. */
  readonly packed?: Uint8Array;
  /** Every record was parsed with `importedRecordSchema` on its way here: it is not parsed once more. */
  readonly checked?: boolean;
  /** Cursor after the last item, kept as the claim's checkpoint in the same transaction. */
  readonly cursor: Cursor | null;
  /** The claim is read to its end. */
  readonly done: boolean;
}

export interface CommitResult {
  readonly imported: number;
  readonly updated: number;
  readonly duplicate: number;
  /** Ids of records that are new or changed. */
  readonly recordIds: readonly RecordId[];
}

/** The single writer of records.db. Every method is one transaction: record, change log and audit row together, or none of them. */
export interface RecordWriter {
  readonly [writerBrand]: true;
  beginImport(input: {
    jobId: string;
    roots: readonly string[];
    files: readonly { path: string; bytes: number }[];
    zone?: string;
  }): number;
  /** Files of an import that goes on and that were not there when it was begun. */
  planFiles(importId: number, files: readonly { path: string; bytes: number }[]): void;
  /** Of the import's places those that are not among `present` are marked as missing since `at` (ms); gives how many. */
  markMissing(importId: number, present: readonly string[], at: number): number;
  watchImport(input: { importId: number; on: boolean }): void;
  /** Ledger rows for entries that no importer claimed. */
  ledgerSkip(importId: number, rows: readonly { path: string; bytes: number; reason: string }[]): void;
  commit(batch: CommitBatch): CommitResult;
  /** Checkpoint of a claim: its cursor, or null when nothing was read; `done` when it needs no more reading. */
  checkpoint(importId: number, claim: string): { cursor: Cursor | null; done: boolean };
  /** Key of the container that holds most of the messages with these `Claim.fingerprints`; null below a tenth of them. */
  containerHolding(fingerprints: readonly string[]): string | null;
  setImportStatus(importId: number, status: ImportRun["status"]): void;
  /**
   * One step of taking an import back, over at most `limit` of its records with ids above `after`: a record that no
   * other import brought goes to the trash; one that stays forgets the places that only this import gave, and what only
   * they said. `next` is where to go on; null: the import is undone. Doing a step again changes nothing.
   */
  undoImport(input: { importId: number; after: RecordId; limit: number }): { done: number; next: RecordId | null };
  trash(ids: readonly RecordId[]): void;
  restore(ids: readonly RecordId[]): void;
  /** Joins people by the rules (contact cards, phone numbers, address books, owners); gives how many joins are new. */
  joinPeople(): number;
  /** Throws `not_found`. */
  joinPerson(pair: { a: number; b: number }): void;
  /** Says that two are not one: they are not suggested again. Throws `not_found`. */
  keepPersonApart(pair: { a: number; b: number }): void;
  /** Takes a join back; the rules do not make it again. Throws `not_found`. */
  separatePerson(joinId: number): void;
  /** Says that this person, with all who are joined with them, is the archive's owner, or is not. Throws `not_found`. */
  setOwner(input: { personId: number; owner: boolean }): void;
  /** Refused with `conflict` for a record that is not in the trash. */
  erase(ids: readonly RecordId[]): void;
  /** Refused with `conflict` when `version` is no longer the newest. Keeps the old version. */
  edit(input: { id: RecordId; version: number; subject: string | null; text: string | null }): void;
  /** Keeps what the owner says of an answer or its evidence; gives the id that takes it back. Throws `not_found`. */
  giveFeedback(feedback: NewFeedback): number;
  /** Throws `not_found` when it is not there (any more). */
  takeBackFeedback(id: number): void;
  audit(action: string, details: AuditRow["details"]): void;
  /** Walks the hash chain. */
  verifyAudit(): { ok: boolean; rows: number; firstBad: number | null };
  reader(): RecordReader;
  close(): void;
}

export interface Thumbnail {
  readonly recordId: RecordId;
  /** image/webp or image/jpeg. */
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** Read-only view of media.db. */
export interface MediaReader {
  /** Null when there is none (yet). */
  thumbnail(id: RecordId): Thumbnail | null;
  /** Which of these have one. */
  having(ids: readonly RecordId[]): Set<RecordId>;
  /** What models found in these pictures; those of which nothing is known are left out. */
  perceived(ids: readonly RecordId[]): Map<RecordId, Perceived>;
  /** Those of these pictures in which a model has read any text. */
  legible(ids: readonly RecordId[]): Set<RecordId>;
  /** Whether a model has looked for text in any picture. */
  picturesRead(): boolean;
  /** Pictures that look like this one, the most alike first: copies in other sizes and encodings. Trashed ones, too. */
  lookalikes(id: RecordId, limit: number): RecordId[];
  /** A picture's vectors in the image–text spaces, one a model. */
  pictureVectors(id: RecordId): { model: string; vector: Float32Array }[];
  failedViews(input: { purpose?: ModelPurpose; offset: number; limit: number }): {
    rows: FailedView[];
    total: number;
  };
  close(): void;
}

/** Purposes whose models look at pictures, and those of them that give a vector. */
export const picturePurposes = ["ocr", "image-tags", "image-text-embedding"] as const;
export type PicturePurpose = (typeof picturePurposes)[number];
export type VectorPurpose = "image-text-embedding";

/** What one model found in one picture. Tags carry the picture's features for finding pictures that look alike. */
export type Perception =
  | { readonly purpose: "ocr"; readonly model: string; readonly reading: Omit<PictureText, "model"> }
  | {
      readonly purpose: "image-tags";
      readonly model: string;
      readonly tags: Readonly<PictureTags["tags"]>;
      readonly features: Float32Array;
    }
  | { readonly purpose: VectorPurpose; readonly model: string; readonly vector: Float32Array };

/** A picture that some models have not looked at. */
export interface PendingPerception {
  readonly recordId: RecordId;
  readonly kind: "photo" | "video";
  /** What is to be looked at; given back with the result. */
  readonly original: string;
  readonly missing: readonly PicturePurpose[];
  readonly originals: readonly Original[];
}

/** A photo or video that waits for its thumbnail, and where its original lies. */
export interface PendingThumbnail {
  readonly recordId: RecordId;
  readonly kind: "photo" | "video";
  readonly mime: string | null;
  readonly originals: readonly Original[];
  /** A thumbnail there is already, of which only the hash is not known. */
  readonly kept: Thumbnail | null;
}

export interface PictureModel {
  readonly purpose: PicturePurpose;
  readonly model: string;
}

/** Writes media.db; its rows can all be made again from the originals. */
export interface MediaWriter {
  /** `hash`: what the picture looks like (`pictureHash`); 0n, as for a film: nothing. Nothing happens when the record is not there any more. */
  putThumbnail(thumbnail: Thumbnail & { readonly hash?: bigint }): void;
  /** Counts an attempt; the record is not pending again until `retryFailed`. A thumbnail that was kept stays. */
  failThumbnail(id: RecordId, reason: string): void;
  /** Live photos and videos without a thumbnail, or photos without its hash, latest imported first. They are given again until put or failed. */
  pendingThumbnails(limit: number): PendingThumbnail[];
  /** Makes failed ones pending again when they were tried fewer than `attempts` times. */
  retryFailed(attempts: number): number;
  /**
   * Keeps what a model found and tells the change log, so that the indexes follow. Text and tags of another model are
   * replaced; vectors of another model stay until `retire`. Nothing happens when the record is gone or its picture is
   * another one by now.
   */
  putPerception(input: { recordId: RecordId; original: string; perception: Perception }): void;
  /** Counts an attempt; after `perceptionAttempts` (or at once, when `final`) it is given up until `retryPerceptions`. */
  failPerception(input: {
    recordId: RecordId;
    original: string;
    purpose: PicturePurpose;
    model: string;
    reason: string;
    final: boolean;
  }): void;
  /** Live pictures that one of these models has not looked at, latest imported first. Given again until put or failed. */
  pendingPerceptions(models: readonly PictureModel[], limit: number): PendingPerception[];
  perceptionProgress(models: readonly PictureModel[]): ViewProgress[];
  /** All pictures have a vector of this model: those of others go. */
  retireVectors(purpose: VectorPurpose, keep: string): void;
  /** Makes given-up ones pending again; gives how many. */
  retryPerceptions(purpose: ModelPurpose | null): number;
}

/** A job with what its handler needs to go on after a restart. */
export interface SavedJob {
  readonly job: Job;
  /** JSON; parsed by the handler. */
  readonly payload: unknown;
}
