import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { embedQuestion } from "#main/query/embed.ts";
import { recall } from "#main/query/recall/recall.ts";
import { openConversations } from "./conversation.ts";
import { chatLines } from "./locomo-chat.ts";

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

/** The best `depth` records of the first stage, with vectors, for each question of one conversation. */
export async function freeze(input: {
  readonly sample: unknown;
  readonly conversation: number;
  readonly questions: readonly z.infer<typeof questionSchema>[];
  readonly models: string;
  readonly depth: number;
}): Promise<Frozen[]> {
  const conversations = openConversations(input.models);
  const lineOf = new Map(chatLines(input.sample).map((line) => [line.id, line]));
  const { ports, turns, plan, close } = await conversations.open(input.sample);
  try {
    const found: Frozen[] = [];
    for (const { question, evidence, category } of input.questions) {
      const asked = plan(question);
      const { vectors } = await embedQuestion(asked, ports, undefined);
      const { ranked } = recall(asked, ports, vectors);
      found.push({
        conversation: input.conversation,
        question,
        category,
        gold: evidence.flatMap((one) => one.split(/[;,\s]+/)).filter((one) => lineOf.has(one)),
        ranked: ranked.slice(0, input.depth).flatMap(({ recordId, score, probability }) => {
          const line = lineOf.get(turns.get(recordId) ?? "");
          if (!line) return [];
          const { id: turn, at, speaker: author, text: said } = line;
          return [{ turn, day: at.toISOString().slice(0, 10), author, text: said, score, probability }];
        }),
      });
    }
    return found;
  } finally {
    close();
    await conversations.dispose();
  }
}
