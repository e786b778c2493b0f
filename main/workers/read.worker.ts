import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import {
  type AskEvent,
  type AuditRow,
  type DayCount,
  type FailedView,
  type Feedback,
  type ImportRun,
  type LedgerRow,
  type LibraryFilter,
  type Media,
  type ModelPurpose,
  type Person,
  type PersonDetail,
  type PersonSuggestions,
  type PreviousTurn,
  type QueryPlan,
  type RecordDetail,
  type RecordId,
  type RecordSummary,
  type SearchResult,
  type StoredRecord,
  UnderstoryError,
  type ZoneGuess,
} from "#contract";
import type { Embedder, IndexReader, IndexStatus } from "../indexes/ports.ts";
import { openIndexReader } from "../indexes/reader.ts";
import { connectLanguage } from "../inference/language.ts";
import type { InferenceService } from "../inference/serve.ts";
import { guessZone } from "../ingest/guess-zone.ts";
import { ask } from "../query/ask.ts";
import { type PeopleIndex, peopleIndex } from "../query/plan/people.ts";
import { type QuestionVectors, type Rerank, verifyTasks } from "../query/ports.ts";
import { search } from "../query/search.ts";
import { suggestions } from "../query/suggest.ts";
import { openMediaReader } from "../records/media.ts";
import type {
  ArchiveFiles,
  MediaReader,
  Original,
  RecordReader,
  StoreCounts,
  WatchedImport,
} from "../records/ports.ts";
import { openRecordReader } from "../records/reader.ts";

import { connectService, exposeService, type ServiceContext } from "./service.ts";

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
  zoneGuess(input: None): Promise<ZoneGuess>;
  person(input: { personId: number }): Promise<PersonDetail>;
  personSuggestions(input: None): Promise<PersonSuggestions>;
  get(input: { id: RecordId }): Promise<RecordDetail>;
  originals(input: { id: RecordId }): Promise<{ kind: "photo" | "video"; originals: Original[] }>;
  /** Every live record whole, by ascending id. */
  page(input: { after: RecordId; limit: number }): Promise<{ records: StoredRecord[]; next: number | null }>;
  thumbnail(input: { id: RecordId }): Promise<Media | null>;
  failedViews(input: {
    purpose?: ModelPurpose;
    offset: number;
    limit: number;
  }): Promise<{ rows: FailedView[]; total: number }>;
  importRuns(input: None): Promise<ImportRun[]>;
  watchedImports(input: None): Promise<WatchedImport[]>;
  undoPreview(input: { importId: number }): Promise<ReturnType<RecordReader["undoPreview"]>>;
  feedback(input: None): Promise<Feedback[]>;
  ledger(input: {
    importId: number;
    offset: number;
    limit: number;
    status?: string;
  }): Promise<{ rows: LedgerRow[]; total: number }>;
  auditRows(input: { offset: number; limit: number; action?: string }): Promise<{ rows: AuditRow[]; total: number }>;
  search(
    input: { query: string; filter: LibraryFilter; limit: number; meaning: boolean },
    context: ServiceContext,
  ): Promise<SearchResult>;
  /** `meaning` says whether any embedding model is in use, `rerank` whether a reranker is; without one no model is asked. */
  ask(
    input: { question: string; plan?: QueryPlan; after?: PreviousTurn; meaning: boolean; rerank?: boolean },
    context: ServiceContext,
  ): AsyncIterable<AskEvent>;
  suggestions(input: None, context: ServiceContext): Promise<string[]>;
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

/** Ports to the models, which the main thread owns; without them questions are answered by words and structure alone. */
export interface ReadWorkerData {
  readonly inferencePort?: MessagePort;
  readonly languagePort?: MessagePort;
}

const ports: ReadWorkerData = workerData ?? {};
const inference = ports.inferencePort ? connectService<InferenceService>(ports.inferencePort, "inference") : null;
const language = ports.languagePort ? connectLanguage(ports.languagePort) : null;

/** Puts a person's words to the models that made the vectors; one that is gone, or fails, gives none. */
const embedder: Embedder | null = inference && {
  question: (text, modelId, signal) =>
    firstOf(inference.embed({ texts: [text], priority: "question", modelId }, signal), signal),
  phrase: (text, modelId, signal) =>
    firstOf(inference.embed({ texts: [text], priority: "question", modelId, use: "background" }, signal), signal),
  reading: (text, modelId, signal) =>
    firstOf(inference.readTexts({ texts: [text], priority: "question", modelId }, signal), signal),
  picture: (text, modelId, signal) =>
    firstOf(inference.embedCaptions({ texts: [text], priority: "question", modelId }, signal), signal),
};

/** Throws what the model throws: the answer that stands already then says why it was not refined. */
const reranker: Rerank | null =
  inference &&
  (async (input, signal) => {
    const logits = await inference.rerank({ ...input, priority: "question" }, signal);
    const model = await inference.model({ purpose: "reranker" });
    return { modelId: model?.modelId ?? "unknown", logits };
  });

async function firstOf<One>(found: Promise<One[]>, signal: AbortSignal | undefined): Promise<One | null> {
  try {
    return (await found)[0] ?? null;
  } catch (error) {
    if (signal?.aborted) throw error;
    return null;
  }
}

/** A query as what it may show; without a model, or when it fails, pictures are found by words alone. */
async function sightOf(query: string, meaning: boolean, signal: AbortSignal): Promise<QuestionVectors> {
  if (!meaning || embedder === null || query.trim().length < 3) return { text: null, seen: null, picture: null };
  const { serving } = archive().index.status();
  const [seen, picture] = await Promise.all([
    serving.text === null ? null : embedder.question(query, serving.text, signal),
    serving.picture === null ? null : embedder.picture(query, serving.picture, signal),
  ]);
  return { text: null, seen, picture };
}

/** Local day of this machine. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

let names: { people: readonly Person[]; index: PeopleIndex } | null = null;

/** The names of the archive; the reader gives the same list until something has changed. */
function knownPeople(records: RecordReader): PeopleIndex {
  const people = records.people();
  if (names?.people !== people) names = { people, index: peopleIndex(people) };
  return names.index;
}

/** What the first question would wait for is read once the archive is open, a little at a time: who asks meanwhile comes between. */
async function warm(archive: Opened): Promise<void> {
  await turn();
  if (opened !== archive) return;
  archive.index.status();
  await turn();
  if (opened === archive) knownPeople(archive.records);
  do await turn();
  while (opened === archive && !archive.index.warm());
  await delay(practiceAfter, undefined, { ref: false });
  if (opened !== archive) return;
  const asked = { question: practice, today: today(), people: knownPeople(archive.records) };
  for await (const _ of ask(asked, { ...archive, embedder: null })) if (opened !== archive) return;
}

/** Asked once the archive has been open for so many ms, and answered to nobody: the first question would wait for what it compiles. */
const practice = "When did we pay for the trip in July 2021, and how much?";
const practiceAfter = 3_000;

/** Pages of records.db that are kept, MiB: 12 and 64 made no question quicker (100,000 records). */
const cacheMiB = 6;

const service: ReadService = {
  async open(files) {
    const records = openRecordReader(files, { cacheMiB });
    opened = { records, media: openMediaReader(files), index: openIndexReader(files, () => records.lastSeq()) };
    // It only saves time later: what fails here is told to the one who asks.
    void warm(opened).catch(() => {});
  },
  status: async () => ({ counts: archive().records.counts(), indexes: archive().index.status() }),
  list: async ({ filter, offset, limit }) => archive().records.list(filter, offset, limit),
  days: async ({ filter }) => archive().records.days(filter),
  people: async () => archive().records.people(),
  zoneGuess: async () => guessZone(archive().records.zoneVotes(), Intl.DateTimeFormat().resolvedOptions().timeZone),
  person: async ({ personId }) => archive().records.person(personId),
  personSuggestions: async () => archive().records.personSuggestions(),
  get: async ({ id }) => archive().records.detail(id),
  async originals({ id }) {
    const { records } = archive();
    return { kind: records.get(id)?.kind === "video" ? "video" : "photo", originals: records.originals(id) };
  },
  async page({ after, limit }) {
    const ids = archive().records.liveIds(after, limit);
    return { records: archive().records.getMany(ids), next: ids.length < limit ? null : (ids.at(-1) ?? null) };
  },
  async thumbnail({ id }) {
    const kept = archive().media.thumbnail(id);
    return kept && { ...kept, bytes: Uint8Array.from(kept.bytes) };
  },
  failedViews: async (input) => archive().media.failedViews(input),
  watchedImports: async () => archive().records.watchedImports(),
  importRuns: async () => archive().records.importRuns(),
  undoPreview: async ({ importId }) => archive().records.undoPreview(importId),
  feedback: async () => [...archive().records.feedback()],
  ledger: async ({ importId, offset, limit, status }) => archive().records.ledger(importId, offset, limit, status),
  auditRows: async ({ offset, limit, action }) => archive().records.auditRows(offset, limit, action),
  async search({ meaning, ...input }, { signal }) {
    return search(input, archive(), await sightOf(input.query, meaning, signal));
  },
  async *ask({ question, plan, after, meaning, rerank }, { signal }) {
    const tasks = (await language?.tasks()) ?? [];
    const judgeTasks = new Set(verifyTasks.filter((task) => tasks.includes(task)));
    const judge = judgeTasks.size > 0 ? (language?.model ?? null) : null;
    const reader = tasks.includes("reader") ? (language?.model ?? null) : null;
    const ports = {
      ...archive(),
      embedder: meaning ? embedder : null,
      judge,
      reader,
      judgeTasks,
      rerank: rerank ? reranker : null,
    };
    yield* ask({ question, plan, after, today: today(), people: knownPeople(ports.records) }, ports, signal);
  },
  suggestions: async (_input, { signal }) => suggestions({ ...archive(), embedder: null }, today(), signal),
  async close() {
    opened?.index.close();
    opened?.media.close();
    opened?.records.close();
    opened = null;
    names = null;
  },
};

if (parentPort) exposeService(parentPort, service);
