import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import {
  type AskEvent,
  type AuditRow,
  type DayCount,
  type ImportRun,
  type LedgerRow,
  type LibraryFilter,
  type Media,
  type Person,
  type QueryPlan,
  type RecordDetail,
  type RecordId,
  type RecordSummary,
  type SearchResult,
  type StoredRecord,
  UnderstoryError,
} from "#contract";
import type { IndexReader, IndexStatus } from "../indexes/ports.ts";
import { openIndexReader } from "../indexes/reader.ts";
import { openMediaReader } from "../records/media.ts";
import type { ArchiveFiles, MediaReader, Original, RecordReader, StoreCounts } from "../records/ports.ts";
import { openRecordReader } from "../records/reader.ts";
import type { InferenceService } from "./inference.worker.ts";
import { connectService, exposeService, type Remote, type ServiceContext } from "./service.ts";

type None = Record<string, never>;

/** The thread that answers: lists, search, questions. It can write nothing. */
export interface ReadService {
  open(files: ArchiveFiles): Promise<void>;
  status(input: None): Promise<{ counts: StoreCounts; indexes: IndexStatus }>;
  list(input: {
    filter: LibraryFilter;
    offset: number;
    limit: number;
  }): Promise<{ records: RecordSummary[]; total: number }>;
  days(input: { filter: LibraryFilter }): Promise<DayCount[]>;
  people(input: None): Promise<Person[]>;
  get(input: { id: RecordId }): Promise<RecordDetail>;
  originals(input: { id: RecordId }): Promise<Original[]>;
  /** Every live record whole, by ascending id. */
  page(input: { after: RecordId; limit: number }): Promise<{ records: StoredRecord[]; next: number | null }>;
  thumbnail(input: { id: RecordId }): Promise<Media | null>;
  importRuns(input: None): Promise<ImportRun[]>;
  ledger(input: {
    importId: number;
    offset: number;
    limit: number;
    status?: string;
  }): Promise<{ rows: LedgerRow[]; total: number }>;
  auditRows(input: { offset: number; limit: number; action?: string }): Promise<{ rows: AuditRow[]; total: number }>;
  search(input: { query: string; filter: LibraryFilter; limit: number }): Promise<SearchResult>;
  ask(input: { question: string; plan?: QueryPlan }, context: ServiceContext): AsyncIterable<AskEvent>;
  suggestions(input: None): Promise<string[]>;
  close(input: None): Promise<void>;
}

interface Opened {
  readonly records: RecordReader;
  readonly media: MediaReader;
  readonly index: IndexReader;
}

let opened: Opened | null = null;

function archive(): Opened {
  if (opened) return opened;
  throw new UnderstoryError("archive_locked", "The archive is not open.", { hint: "Unlock it first." });
}

/** The inference worker, reached directly; null where no model can be. */
function embedderPort(): Remote<InferenceService> | null {
  const data: { embedderPort?: MessagePort } | null = workerData;
  return data?.embedderPort ? connectService<InferenceService>(data.embedderPort, "inference") : null;
}
const inference = embedderPort();

const service: ReadService = {
  async open(files) {
    const records = openRecordReader(files);
    opened = { records, media: openMediaReader(files), index: openIndexReader(files, () => records.lastSeq()) };
  },
  status: async () => ({ counts: archive().records.counts(), indexes: archive().index.status() }),
  list: async ({ filter, offset, limit }) => archive().records.list(filter, offset, limit),
  days: async ({ filter }) => archive().records.days(filter),
  people: async () => archive().records.people(),
  get: async ({ id }) => archive().records.detail(id),
  originals: async ({ id }) => archive().records.originals(id),
  async page({ after, limit }) {
    const ids = archive().records.liveIds(after, limit);
    return { records: archive().records.getMany(ids), next: ids.length < limit ? null : (ids.at(-1) ?? null) };
  },
  async thumbnail({ id }) {
    const kept = archive().media.thumbnail(id);
    return kept && { ...kept, bytes: Uint8Array.from(kept.bytes) };
  },
  importRuns: async () => archive().records.importRuns(),
  ledger: async ({ importId, offset, limit, status }) => archive().records.ledger(importId, offset, limit, status),
  auditRows: async ({ offset, limit, action }) => archive().records.auditRows(offset, limit, action),
  search: async () => {
    throw new UnderstoryError("internal", "Search is being built.");
  },
  // biome-ignore lint/correctness/useYield: replaced by the pipeline.
  async *ask() {
    throw new UnderstoryError("internal", `Ask is being built. ${inference === null}`);
  },
  suggestions: async () => [],
  async close() {
    opened?.index.close();
    opened?.media.close();
    opened?.records.close();
    opened = null;
  },
};

if (parentPort) exposeService(parentPort, service);
