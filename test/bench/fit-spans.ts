import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { understand } from "#main/query/converse/understand.ts";
import { embedQuestion } from "#main/query/embed.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { engagedIn, repliesOf } from "#main/query/read/asked/replies.ts";
import { speaking } from "#main/query/read/asked/spoken.ts";
import { readRecords } from "#main/query/read/read.ts";
import { passagesOf } from "#main/query/read/sentences/sentences.ts";
import { passageFeatures, spansOf, talkSentences } from "#main/query/read/spans/span-choice.ts";
import { spanFeatures } from "#main/query/read/spans/spans.ts";
import { conclude, retrieve, type Timed } from "#main/query/round.ts";
import { testModelsFolder } from "#test/models/model-cache.ts";
import { scoreOf } from "./answer-score.ts";
import { type Conversations, openConversations } from "./conversation.ts";

/**
 * Fits `main/query/read/spans/span-weights.json` on LoCoMo's conversations 1–5: weights by which the span that is said has the
 * highest token F1 to be expected (p ∝ exp score; gradient ascent, minimum risk: Och 2003, ACL, section 3). Measured with each
 * conversation left out once; shipped is the fit on all five.
 */

const sampleSchema = z.looseObject({
  sample_id: z.string(),
  qa: z.array(
    z.object({
      question: z.string(),
      answer: z.union([z.string(), z.number()]).optional(),
      category: z.number().int(),
    }),
  ),
});
const fitted: Readonly<Record<number, string>> = { 1: "multi-hop", 2: "temporal", 4: "single" };

/** The spans of one question's sentences: features of spans [offsets[i], offsets[i + 1]), the sentence of each, and its F1. */
interface Example {
  readonly conversation: number;
  readonly features: Int16Array;
  readonly offsets: Int32Array;
  readonly passages: readonly (readonly number[])[];
  readonly passageOf: Int16Array;
  readonly f1: Float64Array;
}

const untimed: Timed = (_stage, _size, work) => work();

async function examplesOf(
  conversation: number,
  sample: z.infer<typeof sampleSchema>,
  conversations: Conversations,
): Promise<Example[]> {
  const opened = await conversations.open(sample);
  const { ports } = opened;
  const people = peopleIndex(ports.records.people());
  const today = ports.records.counts().lastDay ?? "2024-01-01";
  const examples: Example[] = [];
  for (const { question, answer, category } of sample.qa) {
    const name = fitted[category];
    const plan = understand({ question, today, people }, ports.records);
    if (name === undefined || (plan.answerType !== "text" && plan.answerType !== "list")) continue;
    const { vectors } = await embedQuestion(plan, ports, undefined);
    const { recalled, set } = conclude(plan, retrieve(plan, ports, vectors, 0, untimed), ports, untimed);
    const replies = repliesOf(plan, set.candidates, set.edges);
    const reading = { ...recalled, plan, replies, engaged: engagedIn(set.edges) };
    const all = passagesOf(reading, set.candidates.slice(0, readRecords));
    const passages = talkSentences(reading, all, speaking(reading));
    const [features, offsets, passageOf, f1] = [[] as number[], [0], [] as number[], [] as number[]];
    for (const [at, { passage }] of passages.entries()) {
      const { quote } = passage.citation;
      for (const span of spansOf(plan, passage)) {
        features.push(...span.features.flat());
        offsets.push(features.length);
        passageOf.push(at);
        f1.push(scoreOf(name, quote.slice(span.start, span.end), String(answer ?? "")));
      }
    }
    examples.push({
      conversation,
      features: Int16Array.from(features),
      offsets: Int32Array.from(offsets),
      passages: passages.map(({ values }) => values),
      passageOf: Int16Array.from(passageOf),
      f1: Float64Array.from(f1),
    });
  }
  opened.close();
  return examples;
}

/** Weights in one row: those of spans, then those of sentences. */
const passagesAt = spanFeatures.length;
const size = passagesAt + passageFeatures.length;

function scoresOf({ features, offsets, passages, passageOf, f1 }: Example, w: Float64Array): Float64Array {
  const bases = passages.map((values) => values.reduce((sum, value, at) => sum + value * (w[passagesAt + at] ?? 0), 0));
  return f1.map((_, at) => {
    let score = bases[passageOf[at] ?? 0] ?? 0;
    for (let i = offsets[at] ?? 0; i < (offsets[at + 1] ?? 0); i++) score += w[features[i] ?? 0] ?? 0;
    return score;
  });
}

const settings = { rounds: 60, rate: 0.1, decay: 0.95, ridge: 0.002, rare: 0.3, least: 0.08 } as const;

function fitWeights(examples: readonly Example[]): Float64Array {
  const w = new Float64Array(size);
  w[passagesAt] = 1;
  const squares = new Float64Array(size);
  for (let round = 0; round < settings.rounds; round++) {
    const gradient = new Float64Array(size);
    const add = (at: number, by: number) => {
      gradient[at] = (gradient[at] ?? 0) + by;
    };
    for (const example of examples) {
      const { features, offsets, passages, passageOf, f1 } = example;
      const scores = scoresOf(example, w);
      const top = scores.reduce((most, one) => Math.max(most, one), -Infinity);
      const p = scores.map((one) => Math.exp(one - top));
      const total = p.reduce((sum, one) => sum + one, 0);
      const expected = p.reduce((sum, one, at) => sum + (one * (f1[at] ?? 0)) / total, 0);
      // What is hardly ever met yet counts more: a part of the logarithm's gradient.
      const scale = 1 - settings.rare + settings.rare / Math.max(settings.least, expected);
      for (const [at, one] of p.entries()) {
        const by = (one / total) * ((f1[at] ?? 0) - expected) * scale;
        if (Math.abs(by) < 1e-7) continue;
        for (let i = offsets[at] ?? 0; i < (offsets[at + 1] ?? 0); i++) add(features[i] ?? 0, by);
        for (const [place, value] of (passages[passageOf[at] ?? 0] ?? []).entries())
          add(passagesAt + place, by * value);
      }
    }
    for (let at = 0; at < size; at++) {
      const step = (gradient[at] ?? 0) / examples.length - settings.ridge * (w[at] ?? 0);
      const square = settings.decay * (squares[at] ?? 0) + (1 - settings.decay) * step * step;
      squares[at] = square;
      const rate = settings.rate * (1 - (0.8 * round) / settings.rounds);
      w[at] = (w[at] ?? 0) + (rate * step) / (Math.sqrt(square) + 1e-4);
    }
  }
  return w;
}

/** Mean F1 of the spans with the highest score, in points. */
function meanF1(examples: readonly Example[], weights: (example: Example) => Float64Array): number {
  const of = (example: Example) => {
    const scores = scoresOf(example, weights(example));
    return example.f1[scores.indexOf(scores.reduce((most, one) => Math.max(most, one), -Infinity))] ?? 0;
  };
  return (100 * examples.reduce((sum, one) => sum + of(one), 0)) / examples.length;
}

const leastWeight = 0.02;
const named = (names: readonly string[], w: Float64Array, from: number): Record<string, number> =>
  Object.fromEntries(
    names
      .map((name, at) => [name, Math.round(100 * (w[from + at] ?? 0)) / 100] as const)
      .filter(([, value]) => Math.abs(value) >= leastWeight),
  );

/** `--data FOLDER`: holds locomo10.json, itself or in `locomo`; `--out FILE`: where the weights go. */
export async function benchFitSpans(args: readonly string[]): Promise<void> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const folder = option("--data") ?? ".";
  const path = [join(folder, "locomo10.json"), join(folder, "locomo", "locomo10.json")].find(existsSync);
  if (path === undefined) throw new Error(`No locomo10.json in ${folder}.`);
  const samples = z
    .array(sampleSchema)
    .parse(JSON.parse(await readFile(path, "utf8")))
    .slice(0, 5);
  const conversations = openConversations(testModelsFolder);
  const examples: Example[] = [];
  for (const [at, sample] of samples.entries()) examples.push(...(await examplesOf(at + 1, sample, conversations)));
  await conversations.dispose();
  const apart = samples.map((_, at) => fitWeights(examples.filter(({ conversation }) => conversation !== at + 1)));
  const w = fitWeights(examples);
  const figures = {
    questions: examples.length,
    leftOut: Number(meanF1(examples, ({ conversation }) => apart[conversation - 1] ?? w).toFixed(1)),
    fitted: Number(meanF1(examples, () => w).toFixed(1)),
    best: Number(((100 * examples.reduce((sum, { f1 }) => sum + Math.max(0, ...f1), 0)) / examples.length).toFixed(1)),
  };
  console.log("token F1 of the span said, points:", figures);
  const out = option("--out");
  if (out === undefined) return;
  const file = {
    name: "spans",
    fold: "LoCoMo conversations 1–5, questions for words and lists",
    date: new Date().toISOString().slice(0, 10),
    figures,
    passage: named(passageFeatures, w, passagesAt),
    span: named(spanFeatures, w, 0),
  };
  await writeFile(out, `${JSON.stringify(file, null, 2)}\n`);
}
