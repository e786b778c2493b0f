import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { LanguageModel } from "#main/llm/ports.ts";
import { questionLikelihood, zValues } from "#main/llm/relevance.ts";
import { countWith, scoreWith } from "#main/workers/llm-engine.ts";
import { findModelFor } from "#models/catalogue.ts";
import { checkedModelPaths } from "#models/installed.ts";
import { openLlama } from "#native/llama.ts";
import { developmentQuestions, type Frozen, freeze, frozenSchema } from "./first-stage.ts";
import { table } from "./table.ts";

/**
 * `npm run bench -- relevance --data FOLDER [--questions 150] [--model ID] [--models FOLDER] [--table]`
 *
 * What query likelihood adds to the first ten records of the first stage, on development questions of LoCoMo (FOLDER holds
 * `locomo/locomo10.json`). Every question's result is written down as it comes, so a run may be killed and goes on;
 * `--table` only prints what is there.
 */

const depth = 10;
const scoredSchema = z.object({ question: z.string(), likelihood: z.array(z.number()), cpuSeconds: z.number() });
type Scored = z.infer<typeof scoredSchema>;

const scratch = fileURLToPath(new URL("../../.cache/relevance/", import.meta.url));

async function jsonLines<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  // A line that a kill cut off is no result.
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => schema.parse(JSON.parse(line)));
}

export async function benchRelevance(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      questions: { type: "string", default: "150" },
      model: { type: "string", default: "qwen2.5-coder-0.5b" },
      models: { type: "string", default: fileURLToPath(new URL("../../.cache/models", import.meta.url)) },
      table: { type: "boolean", default: false },
    },
  });
  await mkdir(scratch, { recursive: true });
  const results = join(scratch, `${values.model}.jsonl`);
  const frozenPath = join(scratch, "first-stage.json");
  if (!values.table) {
    if (values.data === undefined) throw new Error("--data FOLDER is missing: it holds locomo/locomo10.json.");
    const frozen = await firstStage(frozenPath, values.data, Number(values.questions), values.models);
    await scoreAll(frozen, results, values.model, values.models);
  }
  const frozen = z.array(frozenSchema).parse(JSON.parse(await readFile(frozenPath, "utf8")));
  report(frozen, await jsonLines(results, scoredSchema), values.model);
}

async function firstStage(path: string, data: string, count: number, models: string): Promise<Frozen[]> {
  const before = z.array(frozenSchema).parse(JSON.parse(await readFile(path, "utf8").catch(() => "[]")));
  if (before.length >= count) return before.slice(0, count);
  const { samples, questions } = await developmentQuestions(data, count);
  const found: Frozen[] = [];
  for (const [conversation, sample] of samples.slice(0, 5).entries()) {
    const own = questions.filter((one) => one.conversation === conversation);
    found.push(...(await freeze({ sample, conversation, questions: own, models, depth: 24 })));
    console.log(`first stage of conversation ${conversation + 1}: ${own.length} questions`);
  }
  const inOrder = questions.flatMap(({ question, conversation }) =>
    found.filter((one) => one.question === question && one.conversation === conversation).slice(0, 1),
  );
  await writeFile(path, JSON.stringify(inOrder));
  return inOrder;
}

async function scoreAll(frozen: readonly Frozen[], results: string, modelId: string, folder: string): Promise<void> {
  const done = new Set((await jsonLines(results, scoredSchema)).map(({ question }) => question));
  const { llm } = findModelFor("llm", modelId);
  const { paths } = await checkedModelPaths({ modelId, folder });
  const llama = await openLlama(paths.get("model.gguf") ?? "", { contextTokens: 1024, threads: 1, gpu: "off" });
  const model: Pick<LanguageModel, "score" | "count"> & LanguageModel = {
    modelId,
    contextTokens: llama.contextTokens,
    parameters: llm.parameters,
    score: (input, signal) => scoreWith(llama, input, signal),
    count: async ({ texts }) => countWith(llama, texts),
    generate: () => {
      throw new Error("Nothing is generated here.");
    },
    choose: () => {
      throw new Error("Nothing is chosen here.");
    },
  };
  for (const [at, { question, ranked }] of frozen.entries()) {
    if (done.has(question)) continue;
    const before = process.cpuUsage();
    const likelihood: number[] = [];
    for (const { turn: _, day, author, text } of ranked.slice(0, depth)) {
      const record = { id: 0, day, author, text: text.replaceAll("\n", " "), captions: [] };
      likelihood.push(await questionLikelihood(model, { question, record, priority: "background" }));
    }
    const { user, system } = process.cpuUsage(before);
    const line: Scored = { question, likelihood, cpuSeconds: (user + system) / 1e6 };
    await appendFile(results, `${JSON.stringify(line)}\n`);
    console.log(`${at + 1}/${frozen.length} ${line.cpuSeconds.toFixed(1)} CPU-s`);
  }
  await llama.dispose();
}

interface Row {
  readonly conversation: number;
  readonly gold: number;
  readonly hits: readonly number[];
  readonly first: readonly number[];
  readonly likelihood: readonly number[];
  readonly logit: readonly number[];
}

/** Ways to order the ten. */
const orders: Readonly<Record<string, (row: Row) => readonly number[]>> = {
  "first stage": ({ first }) => first,
  "likelihood alone": ({ likelihood }) => likelihood,
  "half and half": ({ first, likelihood }) => {
    const b = zValues(likelihood);
    return zValues(first).map((a, i) => a + (b[i] ?? 0));
  },
};

function report(frozen: readonly Frozen[], scored: readonly Scored[], modelId: string): void {
  const rows = scored.flatMap(({ question, likelihood }): Row[] => {
    const one = frozen.find((other) => other.question === question);
    if (!one || one.gold.length === 0) return [];
    const ten = one.ranked.slice(0, depth);
    return [
      {
        conversation: one.conversation,
        gold: new Set(one.gold).size,
        hits: ten.map(({ turn }) => (one.gold.includes(turn) ? 1 : 0)),
        first: ten.map(({ score }) => score),
        likelihood,
        logit: ten.map(({ probability: p }) => Math.log(p / (1 - p))),
      },
    ];
  });
  const cpu = scored.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / Math.max(1, scored.length);
  console.log(`\n${modelId}: ${rows.length} development questions, ${cpu.toFixed(1)} CPU-s a question\n`);
  const fitted = fittedOrder(rows);
  const all = { ...orders, "fitted, each conversation by the others": fitted };
  const figures = Object.entries(all).map(([name, order]) => {
    const ranked = rows.map((row) => ordered(row, order(row)));
    const mrr = mean(ranked.map((hits) => (hits.includes(1) ? 1 / (hits.indexOf(1) + 1) : 0)));
    const recall = (k: number) =>
      mean(ranked.map((hits, i) => hits.slice(0, k).reduce((a, b) => a + b, 0) / (rows[i]?.gold ?? 1)));
    return [name, ...[mrr, recall(1), recall(2), recall(5), recall(10)].map((value) => (value * 100).toFixed(1))];
  });
  console.log(table(["order of the first ten", "MRR", "R@1", "R@2", "R@5", "R@10"], figures));
  for (const [name, order] of Object.entries(all).slice(1)) {
    const reciprocal = (row: Row, by: (row: Row) => readonly number[]) => {
      const hits = ordered(row, by(row));
      return hits.includes(1) ? 1 / (hits.indexOf(1) + 1) : 0;
    };
    const gains = rows.map((row) => reciprocal(row, order) - reciprocal(row, orders["first stage"] ?? order));
    const spread = Math.sqrt(mean(gains.map((gain) => (gain - mean(gains)) ** 2)) / Math.max(1, gains.length));
    console.log(`MRR gain of ${name}: ${(mean(gains) * 100).toFixed(1)} ± ${(196 * spread).toFixed(1)} (95 %, paired)`);
  }
  console.log("");
  const losses = [
    ["first stage", (row: Row, i: number) => [row.logit[i] ?? 0]],
    ["and likelihood", withLikelihood],
  ] as const;
  const lines = losses.map(([name, features]) => {
    const { loss, weights } = crossValidated(rows, features);
    return [name, loss.toFixed(4), weights.map((weight) => weight.toFixed(3)).join(" ")];
  });
  const inOrder = mean(
    rows.flatMap((row) => {
      const probabilities = [...fitted(row)].sort((a, b) => b - a);
      return ordered(row, orders["half and half"]?.(row) ?? []).map((hit, i) => {
        const p = Math.min(1 - 1e-6, Math.max(1e-6, probabilities[i] ?? 0));
        return -Math.log(hit ? p : 1 - p);
      });
    }),
  );
  lines.push(["the same, given out in the order of half and half", inOrder.toFixed(4), ""]);
  console.log(table(["calibrated by", "log loss", "weights (bias first; of all questions)"], lines));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function ordered(row: Row, scores: readonly number[]): number[] {
  return row.hits
    .map((hit, i) => ({ hit, score: scores[i] ?? 0, i }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ hit }) => hit);
}

/** What the product mixes (`main/query/verify/judge.ts`). */
const withLikelihood = (row: Row, i: number): number[] => [
  row.logit[i] ?? 0,
  row.likelihood[i] ?? 0,
  zValues(row.likelihood)[i] ?? 0,
];

/** Order by the fitted mixture; each conversation is judged by a fit of the others. */
function fittedOrder(rows: readonly Row[]): (row: Row) => readonly number[] {
  const fits = new Map(
    [...new Set(rows.map(({ conversation }) => conversation))].map((left) => [
      left,
      logistic(
        rows.filter(({ conversation }) => conversation !== left),
        withLikelihood,
      ),
    ]),
  );
  return (row) => row.hits.map((_, i) => probability(fits.get(row.conversation) ?? [], withLikelihood(row, i)));
}

type FeaturesOf = (row: Row, i: number) => readonly number[];

/** Log loss of a logistic regression, each conversation judged by a fit of the others. */
function crossValidated(rows: readonly Row[], features: FeaturesOf): { loss: number; weights: number[] } {
  const losses: number[] = [];
  for (const left of new Set(rows.map(({ conversation }) => conversation))) {
    const fit = logistic(
      rows.filter(({ conversation }) => conversation !== left),
      features,
    );
    for (const row of rows.filter(({ conversation }) => conversation === left)) {
      row.hits.forEach((hit, i) => {
        const p = Math.min(1 - 1e-6, Math.max(1e-6, probability(fit, features(row, i))));
        losses.push(-Math.log(hit ? p : 1 - p));
      });
    }
  }
  return { loss: mean(losses), weights: logistic(rows, features) };
}

const probability = (weights: readonly number[], x: readonly number[]) =>
  1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * (weights[i + 1] ?? 0), weights[0] ?? 0)));

/** Gradient descent with momentum on a few features; ridge 1e-3. */
function logistic(rows: readonly Row[], features: FeaturesOf): number[] {
  const points = rows.flatMap((row) => row.hits.map((hit, i) => ({ hit, x: features(row, i) })));
  const size = (points[0]?.x.length ?? 0) + 1;
  const weights = new Array<number>(size).fill(0);
  const velocity = new Array<number>(size).fill(0);
  for (let round = 0; round < 4000; round++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : 1e-3 * weight));
    for (const { hit, x } of points) {
      const error = (probability(weights, x) - hit) / points.length;
      gradient[0] = (gradient[0] ?? 0) + error;
      x.forEach((value, i) => {
        gradient[i + 1] = (gradient[i + 1] ?? 0) + error * value;
      });
    }
    for (let i = 0; i < size; i++) {
      velocity[i] = 0.9 * (velocity[i] ?? 0) - 0.1 * (gradient[i] ?? 0);
      weights[i] = (weights[i] ?? 0) + (velocity[i] ?? 0);
    }
  }
  return weights;
}
