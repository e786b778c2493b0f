import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { AskResult } from "#contract";
import type { LanguageModel } from "#main/llm/ports.ts";
import { ask } from "#main/query/ask.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { chooseWith, countWith, generateWith, scoreWith } from "#main/workers/llm-engine.ts";
import { findModelFor } from "#models/catalogue.ts";
import { checkedModelPaths } from "#models/installed.ts";
import { openLlama } from "#native/llama.ts";
import { testModelId, testModelsFolder } from "#test/models/model-cache.ts";
import { datesAgree, scoreOf, wantedDays } from "./answer-score.ts";
import { type Conversations, openConversations } from "./conversation.ts";
import { median, table } from "./table.ts";

/** Answers to LoCoMo's questions through the product's own `ask`, beside what systems with server models are published with. */

const questionSchema = z.object({
  question: z.string(),
  answer: z.union([z.string(), z.number()]).optional(),
  evidence: z.array(z.string()).default([]),
  category: z.number().int(),
});
const sampleSchema = z.looseObject({ sample_id: z.string(), qa: z.array(questionSchema) });

/** Their numbers in the file. The last holds questions that ask of one speaker what the other said: nothing answers them. */
const categories: Readonly<Record<number, string>> = {
  1: "multi-hop",
  2: "temporal",
  3: "open",
  4: "single",
  5: "adversarial",
};

/** Mean token F1 over the answerable categories as published, in points; all with server models but the last two. */
const published = [
  ["GAM, GPT-4o-mini", 43.14],
  ["Mem0, GPT-4o-mini (by GAM)", 40.37],
  ["GAM, Qwen2.5-14B", 40.38],
  ["GAM, Qwen2.5-7B", 40.0],
  ["GAM, Llama 3.2-3B", 36.27],
  ["Mem0, Llama 3.2-3B (by GAM)", 30.11],
] as const;

export interface Scored {
  readonly conversation: number;
  readonly category: string;
  readonly question: string;
  readonly wanted: string | null;
  readonly result: AskResult;
  /** What is compared: the values of the claims that stand, or their quotes where they have none. */
  readonly given: string;
  readonly f1: number;
  /** Null where the wanted answer is no date. */
  readonly date: boolean | null;
  readonly gold: readonly string[];
  readonly cited: readonly string[];
  readonly readMs: number;
}

/** The short answer of a result: the values of a list, or of the claim that leads. */
export function shortAnswer({ claims, outcome, plan, tier }: AskResult): string {
  if (outcome !== "answered") return "";
  const standing = claims.filter(({ standing }) => standing !== "superseded");
  const told = standing.length > 0 ? standing : claims;
  const several = plan.answerType === "list" || plan.operation === "union" || plan.operation === "intersection";
  const values = (several ? told : told.slice(0, 1)).flatMap(({ value }) => value ?? []);
  if (tier === "verified") return told.map(({ text }) => text).join(" ");
  if (values.length > 0) return [...new Set(values)].join(", ");
  return told[0]?.citations[0]?.quote ?? "";
}

async function scoreConversation(
  conversation: number,
  sample: z.infer<typeof sampleSchema>,
  conversations: Conversations,
  only: (question: string) => boolean,
  reader: LanguageModel | null,
): Promise<Scored[]> {
  const opened = await conversations.open(sample);
  const { ports, turns } = opened;
  const people = peopleIndex(ports.records.people());
  const today = ports.records.counts().lastDay ?? "2024-01-01";
  const known = new Set(turns.values());
  const asked = { ...ports, reader: reader && (async () => reader) };
  const scored: Scored[] = [];
  try {
    for (const { question, answer, evidence, category: number } of sample.qa) {
      const category = categories[number] ?? "single";
      if (!only(question)) continue;
      let result: AskResult | null = null;
      for await (const event of ask({ question, today, people }, asked)) {
        if (event.type === "result") result = event.result;
      }
      if (result === null) throw new Error(`No result for: ${question}`);
      const wanted = category === "adversarial" ? null : String(answer ?? "");
      const given = shortAnswer(result);
      const days = category === "temporal" && wanted !== null ? wantedDays(wanted) : null;
      const gold = evidence
        .flatMap((one) => [...one.matchAll(/D:?(\d+):(\d+)/g)].map((m) => `D${Number(m[1])}:${Number(m[2])}`))
        .filter((id) => known.has(id));
      const cited = new Set(
        result.claims.flatMap(({ citations }) => citations.map(({ recordId }) => turns.get(recordId) ?? "")),
      );
      scored.push({
        conversation,
        category,
        question,
        wanted,
        result,
        given,
        f1: wanted === null ? Number(result.outcome === "not_found") : scoreOf(category, given, wanted),
        date: days === null ? null : datesAgree(given, days),
        gold,
        cited: [...cited],
        readMs: result.trace.filter(({ stage }) => stage === "read").reduce((sum, { ms }) => sum + ms, 0),
      });
    }
  } finally {
    opened.close();
  }
  return scored;
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
const points = (value: number) => (100 * value).toFixed(1);

/** 95 % interval of the mean by a bootstrap over conversations' questions, 1,000 draws of a fixed seed. */
function interval(values: readonly number[]): string {
  let state = 12345;
  const draw = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: 1_000 }, () =>
    mean(values.map(() => values[Math.floor(draw() * values.length)] ?? 0)),
  ).sort((a, b) => a - b);
  return `${points(means[25] ?? 0)}–${points(means[974] ?? 0)}`;
}

function rowOf(name: string, some: readonly Scored[]): (string | number)[] {
  const answerable = some.filter(({ wanted }) => wanted !== null);
  const dated = answerable.filter(({ date }) => date !== null);
  const cites = answerable.filter(({ cited, gold }) => cited.length > 0 && gold.length > 0);
  const withGold = answerable.filter(({ gold }) => gold.length > 0);
  const hits = (one: Scored) => one.gold.filter((id) => one.cited.includes(id)).length;
  return [
    name,
    some.length,
    points(mean(answerable.map(({ f1 }) => f1))),
    dated.length === 0 ? "" : points(mean(dated.map(({ date }) => Number(date)))),
    points(mean(cites.map((one) => hits(one) / one.cited.length))),
    points(mean(withGold.map((one) => hits(one) / one.gold.length))),
    points(mean(some.map(({ result }) => Number(result.outcome === "not_found")))),
    median(some.map(({ readMs }) => readMs)).toFixed(1),
  ];
}

function report(name: string, scored: readonly Scored[]): void {
  const answerable = scored.filter(({ wanted }) => wanted !== null);
  const refused = scored.filter(({ result }) => result.outcome === "not_found");
  const adversarial = scored.filter(({ wanted }) => wanted === null);
  const rightly = refused.filter(({ wanted }) => wanted === null).length;
  console.log(`\n${name}\n`);
  console.log(
    table(
      ["questions", "n", "F1", "date exact", "citation precision", "citation recall", "not found", "read ms"],
      [
        rowOf("all answerable", answerable),
        ...["single", "multi-hop", "temporal", "open", "adversarial"].map((category) =>
          rowOf(
            `  ${category}`,
            scored.filter((one) => one.category === category),
          ),
        ),
      ],
    ),
  );
  console.log(
    `\nnot found: precision ${points(rightly / Math.max(1, refused.length))}, recall ${points(rightly / Math.max(1, adversarial.length))}; F1 of all answerable ${points(mean(answerable.map(({ f1 }) => f1)))} (95 % ${interval(answerable.map(({ f1 }) => f1))})`,
  );
}

const orderOf = (question: string) => createHash("sha256").update(`answers ${question}`).digest("hex");

/** Questions that a language model is asked at most. */
const modelQuestions = 20;

/** A language model of the catalogue, out of the folder of test models. */
async function openReader(modelId: string): Promise<{ model: LanguageModel; dispose(): Promise<void> }> {
  const { llm } = findModelFor("llm", modelId);
  const { paths } = await checkedModelPaths({ modelId, folder: testModelsFolder });
  const llama = await openLlama(paths.get("model.gguf") ?? "", { contextTokens: 4096, threads: 2, gpu: "off" });
  return {
    model: {
      modelId,
      contextTokens: llama.contextTokens,
      parameters: llm.parameters,
      generate: (input, signal) => generateWith(llama, input, signal),
      score: (input, signal) => scoreWith(llama, input, signal),
      choose: (input, signal) => chooseWith(llama, input, signal),
      count: async ({ texts }) => countWith(llama, texts),
    },
    dispose: () => llama.dispose(),
  };
}

/**
 * `--data FOLDER` (or the first argument): holds locomo10.json, itself or in `locomo`. `--dev`, `--held-out`: conversations
 * 1–5 or 6–10 alone; `--sample N`: so many questions, random but the same each time; `--reader MODEL`: at most twenty of
 * them said by a language model; `--verbose`.
 */
export async function benchAnswers(args: readonly string[]): Promise<void> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const folder = option("--data") ?? args.find((one) => !one.startsWith("--")) ?? ".";
  const path = [join(folder, "locomo10.json"), join(folder, "locomo", "locomo10.json")].find(existsSync);
  if (path === undefined) throw new Error(`No locomo10.json in ${folder}.`);
  const samples = z.array(sampleSchema).parse(JSON.parse(await readFile(path, "utf8")));
  const range = args.includes("--dev") ? [0, 5] : args.includes("--held-out") ? [5, 10] : [0, samples.length];
  const chosen = samples.slice(range[0], range[1]);
  const modelId = option("--reader");
  const asksFor = Number(option("--sample") ?? 0);
  // A small model takes most of a minute for an answer on a laptop's processor.
  const count = modelId === undefined ? asksFor : Math.min(asksFor || modelQuestions, modelQuestions);
  const all = chosen
    .flatMap(({ qa }) => qa.map(({ question }) => question))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const kept = new Set(count > 0 ? all.slice(0, count) : all);
  const conversations = openConversations(testModelsFolder);
  const reader = modelId === undefined ? null : await openReader(modelId);
  const scored: Scored[] = [];
  try {
    for (const [at, sample] of chosen.entries()) {
      scored.push(
        ...(await scoreConversation(
          (range[0] ?? 0) + at + 1,
          sample,
          conversations,
          (one) => kept.has(one),
          reader?.model ?? null,
        )),
      );
    }
  } finally {
    await conversations.dispose();
    await reader?.dispose();
  }
  if (args.includes("--verbose")) {
    for (const { category, question, wanted, given, f1, gold, cited, result } of scored) {
      console.log(
        `\n${points(f1)} ${category}: ${question}\n    wanted: ${wanted ?? "(nothing)"} ${gold}\n    given:  ${given || "(not found)"} ${cited}\n    said:   ${result.answer.slice(0, 300)}`,
      );
    }
  }
  report(
    `${modelId === undefined ? "Instant reader" : `Reader ${modelId}`}, ${testModelId}; LoCoMo, conversations ${(range[0] ?? 0) + 1}–${(range[0] ?? 0) + chosen.length}`,
    scored,
  );
  const own = 100 * mean(scored.filter(({ wanted }) => wanted !== null).map(({ f1 }) => f1));
  console.log(
    "\nPublished F1 over the answerable categories, and the distance of the instant reader (no language model)\n",
  );
  console.log(
    table(
      ["system", "F1", "distance"],
      published.map(([name, f1]) => [name, f1.toFixed(2), (own - f1).toFixed(1)]),
    ),
  );
  console.log(`\nanswers F1 ${own.toFixed(2)}`);
}
