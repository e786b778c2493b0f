import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { AskEvent, AskResult, ImportedRecord, NewFeedback, PreviousTurn, QueryPlan, RecordId } from "#contract";
import type { Embedder } from "#main/indexes/ports.ts";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { ask } from "#main/query/ask.ts";
import type { QueryPorts } from "#main/query/ports.ts";
import type { ArchiveFiles, Perception } from "#main/records/ports.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { openStore } from "#main/records/store.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0).reverse()) close();
});

export type Draft = Partial<ImportedRecord> & { at?: string; by?: string; to?: string[]; chat?: string };

let serial = 0;

/** A record as an importer gives it. `at`: wall clock; `by`: author; `chat`: the chat it stands in. */
export function imported({ at, by, to, chat, ...rest }: Draft): ImportedRecord {
  serial++;
  const party = (name: string, role: "author" | "to") => ({
    name,
    address: `${name.toLowerCase().replace(/\W+/g, ".")}@example.org`,
    role,
    owner: false,
  });
  return {
    identity: `test:${serial}`,
    kind: chat === undefined ? "email" : "message",
    nativeId: null,
    subject: null,
    text: null,
    author: by === undefined ? null : party(by, "author"),
    participants: (to ?? []).map((name) => party(name, "to")),
    time:
      at === undefined
        ? null
        : {
            utc: null,
            local: at,
            offset: null,
            zone: null,
            source: "test",
            precision: "second",
            inferred: false,
            confidence: "normal",
          },
    end: null,
    place: null,
    container: chat === undefined ? null : { key: `chat:${chat}`, title: chat, kind: "chat" },
    thread: null,
    sequence: null,
    replyTo: null,
    partOf: null,
    files: [{ path: `source-${serial}`, offset: null, bytes: null, role: null }],
    props: {},
    ...rest,
  };
}

interface Options {
  plan?: QueryPlan;
  after?: PreviousTurn;
  embedder?: Embedder;
}

export interface TestArchive {
  readonly ports: QueryPorts;
  readonly files: ArchiveFiles;
  /** Ids in the order in which the records were given. */
  readonly ids: readonly RecordId[];
  add(drafts: readonly Draft[]): RecordId[];
  trash(id: RecordId): void;
  erase(id: RecordId): void;
  /** The owner says something of an answer; gives what takes it back. */
  say(feedback: NewFeedback): () => void;
  ask(question: string, options?: Options): Promise<AskResult>;
  events(question: string, options?: Options): Promise<AskEvent[]>;
  /** A model has looked at a picture. */
  perceive(id: RecordId, perception: Perception): void;
  /** Embeds all that waits with a scripted model. */
  embed(model: ScriptedModel): Promise<void>;
}

/** A real store with its real index, in a folder of its own. Questions are asked on 1 August 2024. */
export function archiveOf(drafts: readonly Draft[]): TestArchive {
  const folder = mkdtempSync(join(tmpdir(), "understory-query-"));
  const files: ArchiveFiles = {
    recordsPath: join(folder, "records.db"),
    indexPath: join(folder, "index.db"),
    mediaPath: join(folder, "media.db"),
    cipher: "aegis",
    key: new Uint8Array(32).fill(9),
  };
  const store = openStore(files);
  const records = openRecordReader(files);
  const writer = openIndexWriter(files, records);
  const index = openIndexReader(files, () => records.lastSeq());
  open.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => store.close(),
    () => records.close(),
    () => writer.close(),
    () => index.close(),
  );
  const ports: QueryPorts = { records, index, embedder: null };
  const follow = () => {
    while (writer.advance(500) > 0);
  };
  const importId = store.writer.beginImport({ jobId: "test", roots: ["test"], files: [] });
  const add = (more: readonly Draft[]) => {
    const items = more.map((draft, cursor) => ({ type: "record" as const, record: imported(draft), cursor }));
    store.writer.commit({ importId, importer: "test", claim: `claim-${serial}`, items, cursor: null, done: true });
    follow();
    return items.map(({ record }) => records.idByIdentity(record.identity) ?? 0);
  };
  const events = async (question: string, options: Options = {}) => {
    const all: AskEvent[] = [];
    const asked = { ...ports, embedder: options.embedder ?? null };
    for await (const event of ask({ question, plan: options.plan, after: options.after, today: "2024-08-01" }, asked))
      all.push(event);
    return all;
  };
  return {
    ports,
    files,
    ids: add(drafts),
    add,
    trash(id) {
      store.writer.trash([id]);
      follow();
    },
    erase(id) {
      store.writer.erase([id]);
      follow();
    },
    say(feedback) {
      const id = store.writer.giveFeedback(feedback);
      return () => store.writer.takeBackFeedback(id);
    },
    events,
    async ask(question, options) {
      const last = (await events(question, options)).at(-1);
      if (last?.type !== "result") throw new Error("no result came");
      return last.result;
    },
    perceive(recordId, perception) {
      const { purpose, model } = perception;
      const waiting = store.media.pendingPerceptions([{ purpose, model }], 999);
      const original = waiting.find((one) => one.recordId === recordId)?.original ?? "";
      store.media.putPerception({ recordId, original, perception });
      follow();
    },
    async embed(model) {
      const labels = writer.pendingLabels(model.modelId, 999);
      writer.putLabels(
        model.modelId,
        labels.map((label) => ({ label, vector: model.embed(label) })),
      );
      for (;;) {
        const rows = writer.pendingEmbeddings(model.modelId, 64);
        if (rows.length === 0) return;
        const vectors = rows.map(({ text }) => model.embed(text));
        writer.putEmbeddings(
          model.modelId,
          rows.map(({ chunkId }, at) => ({ chunkId, vector: vectors[at] ?? new Float32Array(0) })),
        );
      }
    },
  };
}

/** A model whose vectors are a function of the letters alone. */
export interface ScriptedModel {
  readonly modelId: string;
  embed(text: string): Float32Array;
}

/** Vectors of letters: alike words are near, and nothing else is known. */
export const letters: ScriptedModel = {
  modelId: "letters",
  embed(text) {
    const vector = new Float32Array(32);
    for (const letter of text.toLowerCase())
      vector[letter.charCodeAt(0) % 32] = (vector[letter.charCodeAt(0) % 32] ?? 0) + 1;
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  },
};

/** What answers a question with these models; one that is not among them is not installed. */
export function embedderOf(...models: readonly ScriptedModel[]): Embedder {
  return {
    question: async (text, model) => models.find(({ modelId }) => modelId === model)?.embed(text) ?? null,
    picture: async () => null,
  };
}

/** Adds a result to those that came before; the instant answer as it stood before others were looked for who say so too goes. */
export function addResult<T extends { readonly result: AskResult }>(found: T[], next: T): void {
  const last = found.at(-1)?.result;
  const refined = last?.tier === "instant" && next.result.tier === "instant";
  if (refined && next.result.trace.length > last.trace.length) found.pop();
  found.push(next);
}

const smallWords = [
  "the soup needs salt",
  "rain again, take the bus",
  "who has the stapler",
  "Ravi sleeps late on Sundays",
  "lentils are out",
];

/** Messages of a household that answer nothing, so that words have a rarity. */
export const smallTalk: readonly Draft[] = Array.from({ length: 30 }, (_, at) => ({
  by: at % 2 === 0 ? "Ada Berg" : "Bo Lind",
  chat: "Home",
  at: `2022-0${1 + (at % 9)}-11T09:00:00`,
  text: smallWords[at % smallWords.length] ?? "",
}));
