import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImportedRecord, QueryPlan, RecordId } from "#contract";
import type { Embedder, IndexWriter, TextForm } from "#main/indexes/ports.ts";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import type { QueryPorts } from "#main/query/ports.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { openStore } from "#main/records/store.ts";
import { type Dialogue, type Turn, textOf } from "./dialogues.ts";
import type { BenchEmbedder } from "./vector-cache.ts";

/** A dialogue as a real archive: stored, indexed and embedded by the product's own writers. */

export interface DialogueArchive {
  readonly ports: QueryPorts;
  readonly ids: ReadonlyMap<string, RecordId>;
  plan(question: string): QueryPlan;
  close(): void;
}

function recordOf(turn: Turn, sequence: number, withImageQuery: boolean): ImportedRecord {
  const { id, speaker, at } = turn;
  const address = speaker === null ? null : `${speaker.toLowerCase().replace(/\W+/g, ".")}@example.org`;
  return {
    identity: `turn:${id}`,
    kind: "message",
    nativeId: id,
    subject: null,
    text: textOf(turn, withImageQuery),
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
    container: { key: "chat", title: "Chat", kind: "chat" },
    thread: null,
    sequence,
    replyTo: null,
    partOf: null,
    files: [{ path: "chat.txt", offset: null, bytes: null, role: null }],
    props: {},
  };
}

/** `encoders`: the first one is the main one; each with the forms that it reads. */
export async function openDialogueArchive(
  dialogue: Dialogue,
  encoders: readonly { readonly embedder: BenchEmbedder; readonly forms: readonly TextForm[] }[],
  options: { withImageQuery?: boolean } = {},
): Promise<DialogueArchive> {
  const folder = mkdtempSync(join(tmpdir(), "understory-dialogue-"));
  const files = {
    recordsPath: join(folder, "records.db"),
    indexPath: join(folder, "index.db"),
    mediaPath: join(folder, "media.db"),
    key: new Uint8Array(32).fill(7),
  };
  const store = openStore(files);
  const records = openRecordReader(files);
  const writer = openIndexWriter(files, records);
  const index = openIndexReader(files, () => records.lastSeq());
  const importId = store.writer.beginImport({ jobId: "bench", roots: ["bench"], files: [] });
  const items = dialogue.turns.map((turn, i) => ({
    type: "record" as const,
    record: recordOf(turn, i, options.withImageQuery ?? false),
    cursor: i,
  }));
  store.writer.commit({ importId, importer: "bench", claim: "chat", items, cursor: null, done: true });
  writer.setEncoders(encoders.map(({ embedder, forms }) => ({ model: embedder.modelId, forms })));
  while (writer.advance(500) > 0);
  for (const [place, { embedder }] of encoders.entries()) await embedAll(writer, embedder, place === 0);
  const counts = records.counts();
  const context = {
    today: counts.lastDay ?? "2024-01-01",
    firstDay: counts.firstDay,
    lastDay: counts.lastDay,
    people: peopleIndex(records.people()),
  };
  const byModel = new Map(encoders.map(({ embedder }) => [embedder.modelId, embedder]));
  const embedder: Embedder = {
    question: async (text, model) => (await byModel.get(model)?.embed([text], "question"))?.[0] ?? null,
    picture: async () => null,
  };
  return {
    ports: { records, index, embedder },
    ids: new Map(dialogue.turns.map(({ id }) => [id, records.idByIdentity(`turn:${id}`) ?? 0])),
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

/** Fills in all vectors that wait for a model, and for the main one those of the archive's words. */
async function embedAll(writer: IndexWriter, embedder: BenchEmbedder, main: boolean): Promise<void> {
  const { modelId } = embedder;
  for (;;) {
    const rows = writer.pendingEmbeddings(modelId, 256);
    if (rows.length === 0) break;
    const vectors = await embedder.embed(
      rows.map(({ text }) => text),
      "background",
    );
    writer.putEmbeddings(
      modelId,
      rows.map(({ chunkId }, i) => ({ chunkId, vector: vectors[i] ?? new Float32Array(0) })),
    );
  }
  while (main) {
    const words = writer.pendingWords(modelId, 512);
    if (words.length === 0) break;
    const vectors = await embedder.embed(words, "background");
    writer.putWords(
      modelId,
      words.map((word, i) => ({ word, vector: vectors[i] ?? new Float32Array(0) })),
    );
  }
}
