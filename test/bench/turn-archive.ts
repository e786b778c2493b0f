import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImportedRecord, QueryPlan, RecordId } from "#contract";
import { keptOf } from "#main/app/tokens.ts";
import type { IndexWriter, TextForm } from "#main/indexes/ports.ts";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import type { QueryPorts } from "#main/query/ports.ts";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { openStore } from "#main/records/store.ts";
import type { BenchEmbedder } from "./vector-cache.ts";

/** Turns of a dialogue as a real archive: stored, indexed and embedded by the product's own writers. */

export interface ChatTurn {
  readonly id: string;
  readonly speaker: string | null;
  readonly text: string;
  /** Wall time. */
  readonly at: Date;
  /** Key of the chat that it is said in. */
  readonly chat: string;
}

/** An encoder with the forms that it reads; `words`: it embeds the archive's words too. */
export interface BenchEncoder {
  readonly embedder: BenchEmbedder;
  readonly forms: readonly TextForm[];
  readonly words: boolean;
  /** Its tokens are kept for late interaction. */
  readonly tokens?: boolean;
}

export interface TurnArchive {
  /** Questions are not embedded: that is the bench's business. */
  readonly ports: QueryPorts & { readonly embedder: null };
  /** Records by the turn's id, in the order of the turns. */
  readonly ids: ReadonlyMap<string, RecordId>;
  plan(question: string): QueryPlan;
  close(): void;
}

function recordOf({ id, speaker, text, at, chat }: ChatTurn, sequence: number): ImportedRecord {
  const address = speaker === null ? null : `${speaker.toLowerCase().replace(/\W+/g, ".")}@example.org`;
  return {
    identity: `turn:${id}`,
    kind: "message",
    nativeId: id,
    subject: null,
    text,
    author: speaker === null ? null : { name: speaker, address, role: "author", owner: false },
    participants: [],
    time: {
      utc: null,
      local: at.toISOString().slice(0, 19),
      offset: null,
      zone: null,
      source: "chat",
      precision: "minute",
      inferred: false,
      confidence: "normal",
    },
    end: null,
    place: null,
    container: { key: chat, title: "Chat", kind: "chat" },
    thread: null,
    sequence,
    replyTo: null,
    partOf: null,
    files: [{ path: "chat.txt", offset: null, bytes: null, role: null }],
    props: {},
  };
}

/** `encoders`: the first one is the main one. */
export async function openTurnArchive(
  turns: readonly ChatTurn[],
  encoders: readonly BenchEncoder[],
): Promise<TurnArchive> {
  const folder = mkdtempSync(join(tmpdir(), "understory-turns-"));
  const files: ArchiveFiles = {
    recordsPath: join(folder, "records.db"),
    indexPath: join(folder, "index.db"),
    mediaPath: join(folder, "media.db"),
    cipher: "aegis",
    key: new Uint8Array(32).fill(7),
  };
  const store = openStore(files);
  const records = openRecordReader(files);
  const writer = openIndexWriter(files, records);
  const index = openIndexReader(files, () => records.lastSeq());
  const importId = store.writer.beginImport({ jobId: "bench", roots: ["bench"], files: [] });
  const items = turns.map((turn, at) => ({ type: "record" as const, record: recordOf(turn, at), cursor: at }));
  store.writer.commit({ importId, importer: "bench", claim: "chat", items, cursor: null, done: true });
  writer.setEncoders(
    encoders.map(({ embedder, forms, tokens = false }) => ({ model: embedder.modelId, forms, tokens })),
  );
  while (writer.advance(500) > 0);
  for (const encoder of encoders) await embedAll(writer, encoder);
  const { firstDay, lastDay } = records.counts();
  const context = { today: lastDay ?? "2024-01-01", firstDay, lastDay, people: peopleIndex(records.people()) };
  return {
    ports: { records, index, embedder: null },
    ids: new Map(turns.map(({ id }) => [id, records.idByIdentity(`turn:${id}`) ?? 0])),
    plan: (question) => planQuestion(question, context),
    close() {
      index.close();
      writer.close();
      records.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fills in all vectors that wait for an encoder. */
async function embedAll(writer: IndexWriter, { embedder, words: wordsToo, tokens }: BenchEncoder): Promise<void> {
  const { modelId } = embedder;
  for (;;) {
    const rows = writer.pendingEmbeddings(modelId, 256);
    if (rows.length === 0) break;
    const texts = rows.map(({ text }) => text);
    const made = tokens
      ? (await embedder.read(texts, "background")).map((one) => ({ vector: one.vector, tokens: keptOf(one).states }))
      : (await embedder.embed(texts, "background")).map((vector) => ({ vector }));
    writer.putEmbeddings(
      modelId,
      rows.map(({ chunkId }, i) => ({ chunkId, vector: new Float32Array(0), ...made[i] })),
    );
  }
  while (wordsToo) {
    const words = writer.pendingWords(modelId, 512);
    if (words.length === 0) break;
    const vectors = await embedder.embed(words, "background");
    writer.putWords(
      modelId,
      words.map((word, i) => ({ word, vector: vectors[i] ?? new Float32Array(0) })),
    );
  }
}
