import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QueryPlan, RecordId } from "#contract";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import type { QueryPorts } from "#main/query/ports.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { openStore } from "#main/records/store.ts";
import { recordOf } from "./first-stage.ts";
import { chatLines } from "./locomo-chat.ts";
import type { BenchEmbedder } from "./vector-cache.ts";

/** A conversation of LoCoMo as a real archive, for benches of the stages after retrieval. */

export interface Conversation {
  readonly ports: QueryPorts;
  /** Turn of the data set by record, in the order of the conversation. */
  readonly turns: ReadonlyMap<RecordId, string>;
  plan(question: string): QueryPlan;
  close(): void;
}

/** Imports one conversation into a store of its own and indexes it, vectors included. */
export async function openConversation(sample: unknown, embedder: BenchEmbedder): Promise<Conversation> {
  const folder = mkdtempSync(join(tmpdir(), "understory-conversation-"));
  const files = {
    recordsPath: join(folder, "records.db"),
    indexPath: join(folder, "index.db"),
    mediaPath: join(folder, "media.db"),
    key: new Uint8Array(32).fill(7),
  };
  const lines = chatLines(sample);
  const store = openStore(files);
  const records = openRecordReader(files);
  const writer = openIndexWriter(files, records);
  const index = openIndexReader(files, () => records.lastSeq());
  const importId = store.writer.beginImport({ jobId: "bench", roots: ["bench"], files: [] });
  const items = lines.map((line, i) => ({ type: "record" as const, record: recordOf(line, i), cursor: i }));
  store.writer.commit({ importId, importer: "bench", claim: "chat", items, cursor: null, done: true });
  while (writer.advance(500) > 0);
  for (;;) {
    const rows = writer.pendingEmbeddings(embedder.modelId, 64);
    if (rows.length === 0) break;
    const vectors = await embedder.embed(
      rows.map(({ text }) => text),
      "background",
    );
    writer.putEmbeddings(
      embedder.modelId,
      rows.map(({ chunkId }, i) => ({ chunkId, vector: vectors[i] ?? new Float32Array(0) })),
    );
  }
  const counts = records.counts();
  const context = {
    today: counts.lastDay ?? "2024-01-01",
    firstDay: counts.firstDay,
    lastDay: counts.lastDay,
    people: peopleIndex(records.people()),
  };
  return {
    ports: { records, index, embedder: null },
    turns: new Map(lines.map(({ id }) => [records.idByIdentity(`turn:${id}`) ?? 0, id])),
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
