import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { ImportedRecord, RecordId } from "#contract";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import { recall } from "#main/query/recall/recall.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { openStore } from "#main/records/store.ts";
import { openTextEmbedder } from "#models/text/embed.ts";
import { type ChatLine, chatLines } from "./locomo-chat.ts";

/** What the first stage finds for the questions of a conversation, as benches of later stages freeze it. */

const questionSchema = z.object({
  question: z.string(),
  evidence: z.array(z.string()),
  category: z.number().int(),
});
/** Category 5 holds questions without an answer. */
const answerable = 5;

export const frozenSchema = z.object({
  conversation: z.number().int(),
  question: z.string(),
  category: z.number().int(),
  gold: z.array(z.string()),
  ranked: z.array(
    z.object({
      turn: z.string(),
      day: z.string(),
      author: z.string(),
      text: z.string(),
      score: z.number(),
      probability: z.number(),
    }),
  ),
});
export type Frozen = z.infer<typeof frozenSchema>;

/** Random but the same each time: questions in the order of a hash of their text. */
const orderOf = (question: string) => createHash("sha256").update(`development ${question}`).digest("hex");

/** The first `count` questions of conversations 1–5 in a seeded random order. */
export async function developmentQuestions(data: string, count: number) {
  const samples = z
    .array(z.looseObject({ qa: z.array(z.unknown()) }))
    .parse(JSON.parse(await readFile(join(data, "locomo", "locomo10.json"), "utf8")));
  const questions = samples.slice(0, 5).flatMap(({ qa }, conversation) =>
    qa
      .map((one) => questionSchema.parse(one))
      .filter(({ category, evidence }) => category !== answerable && evidence.length > 0)
      .map((one) => ({ ...one, conversation })),
  );
  return {
    samples,
    questions: questions.sort((a, b) => (orderOf(a.question) < orderOf(b.question) ? -1 : 1)).slice(0, count),
  };
}

export function recordOf({ id, speaker, text, at }: ChatLine, sequence: number): ImportedRecord {
  return {
    identity: `turn:${id}`,
    kind: "message",
    nativeId: id,
    subject: null,
    text,
    author: { name: speaker, address: `${speaker.toLowerCase()}@example.org`, role: "author", owner: false },
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
    // A session of the data set is a conversation of its own.
    container: { key: `chat:${id.split(":")[0]}`, title: "Chat", kind: "chat" },
    thread: null,
    sequence,
    replyTo: null,
    partOf: null,
    files: [{ path: "chat.txt", offset: null, bytes: null, role: null }],
    props: {},
  };
}

/** The best `depth` records of the first stage, with vectors, for each question of one conversation. */
export async function freeze(input: {
  readonly sample: unknown;
  readonly conversation: number;
  readonly questions: readonly z.infer<typeof questionSchema>[];
  readonly models: string;
  readonly depth: number;
}): Promise<Frozen[]> {
  const folder = mkdtempSync(join(tmpdir(), "understory-first-stage-"));
  const files = {
    recordsPath: join(folder, "records.db"),
    indexPath: join(folder, "index.db"),
    mediaPath: join(folder, "media.db"),
    key: new Uint8Array(32).fill(7),
  };
  const lines = chatLines(input.sample);
  const store = openStore(files);
  const records = openRecordReader(files);
  const writer = openIndexWriter(files, records);
  const index = openIndexReader(files, () => records.lastSeq());
  const embedder = await openTextEmbedder({ modelId: "minilm-l6-v2-int8", folder: input.models });
  const embed = async (texts: readonly string[], use: "question" | "background") => {
    const vectors: Float32Array[] = [];
    for (const batch of embedder.batches(texts, use)) {
      const found = await embedder.run(batch);
      batch.positions.forEach((position, i) => {
        vectors[position] = found[i] ?? new Float32Array(0);
      });
    }
    return vectors;
  };
  try {
    const importId = store.writer.beginImport({ jobId: "bench", roots: ["bench"], files: [] });
    const items = lines.map((line, i) => ({ type: "record" as const, record: recordOf(line, i), cursor: i }));
    store.writer.commit({ importId, importer: "bench", claim: "chat", items, cursor: null, done: true });
    while (writer.advance(500) > 0);
    for (;;) {
      const rows = writer.pendingEmbeddings(embedder.modelId, 64);
      if (rows.length === 0) break;
      const vectors = await embed(
        rows.map(({ text }) => text),
        "background",
      );
      writer.putEmbeddings(
        embedder.modelId,
        rows.map(({ chunkId }, i) => ({ chunkId, vector: vectors[i] ?? new Float32Array(0) })),
      );
    }
    const lineOf = new Map<RecordId, ChatLine>();
    for (const line of lines) lineOf.set(records.idByIdentity(`turn:${line.id}`) ?? 0, line);
    const counts = records.counts();
    const people = peopleIndex(records.people());
    const context = {
      today: counts.lastDay ?? "2024-01-01",
      firstDay: counts.firstDay,
      lastDay: counts.lastDay,
      people,
    };
    const found: Frozen[] = [];
    for (const { question, evidence, category } of input.questions) {
      const [text = null] = await embed([question], "question");
      const vectors = { text, seen: null, picture: null };
      const { ranked } = recall(planQuestion(question, context), { records, index, embedder: null }, vectors);
      found.push({
        conversation: input.conversation,
        question,
        category,
        gold: evidence.flatMap((one) => one.split(/[;,\s]+/)).filter((one) => lines.some(({ id }) => id === one)),
        ranked: ranked.slice(0, input.depth).flatMap(({ recordId, score, probability }) => {
          const line = lineOf.get(recordId);
          if (!line) return [];
          const { id: turn, at, speaker: author, text: said } = line;
          return [{ turn, day: at.toISOString().slice(0, 10), author, text: said, score, probability }];
        }),
      });
    }
    return found;
  } finally {
    index.close();
    writer.close();
    records.close();
    store.close();
    await embedder.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
