import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { QueryPlan } from "#contract";
import { type CandidateSet, gatherCandidates } from "#main/query/candidates/candidates.ts";
import { sessionOf, similarityOf } from "#main/query/candidates/similarity.ts";
import { embedQuestion } from "#main/query/embed.ts";
import type { CandidateEdge } from "#main/query/forest/forest.ts";
import { forestSettings } from "#main/query/forest/forest.ts";
import { gathers, type SelectionName, selections } from "#main/query/forest/selection.ts";
import { recall } from "#main/query/recall/recall.ts";
import { type Opinion, reordered } from "#main/query/verify/opinion.ts";
import { verify } from "#main/query/verify/verify.ts";
import { type Conversations, openConversations } from "./conversation.ts";
import { type Dialogue, readLocomo } from "./dialogues.ts";
import { developmentQuestions } from "./first-stage.ts";
import { openRerankedTier, openVerifiedTier } from "./forest-models.ts";
import { benchSolver } from "./forest-solver.ts";
import { table } from "./table.ts";

/**
 * `npm run bench -- forest FOLDER [--reranker ID] [--llm ID] [--questions 150] [--models FOLDER]`
 *
 * Which records are chosen from the same frozen candidates (GraphMemix, A.6): the eight comparators and the forest's proposal,
 * K = 10 of M = 48, over the utilities, edges and roles of the instant tier. FOLDER holds `locomo10.json`, or a folder `locomo` with it. With an
 * installed reranker or language model the same for its tier, over so many random development questions. Then the solver itself: its gap to brute force and its time.
 */

const categories = ["multi-hop", "temporal", "open", "single"] as const;
const folds = ["dev", "held-out"] as const;

/** One question with all that the selections see, and its gold among the candidates. */
export interface FrozenQuestion {
  readonly conversation: number;
  readonly category: string;
  /** Gold turns, in the pool or not. */
  readonly gold: number;
  readonly isGold: readonly boolean[];
  readonly utilities: readonly number[];
  readonly edges: readonly CandidateEdge[];
  readonly similarity: (a: number, b: number) => number;
  readonly session: (at: number) => string | null;
  readonly gathers: boolean;
}

/** What a model says of a question's candidates. */
export type Opine = (plan: QueryPlan, set: CandidateSet) => Promise<Opinion>;

/** A dialogue's questions through the product's first stages. */
export async function freezeDialogue(
  sample: unknown,
  { questions }: Dialogue,
  conversation: number,
  conversations: Conversations,
  tier: { readonly opine: Opine; readonly wanted: ReadonlySet<string> } | null = null,
): Promise<FrozenQuestion[]> {
  const opened = await conversations.open(sample);
  const { ports, turns } = opened;
  try {
    const found: FrozenQuestion[] = [];
    for (const { question, gold, category } of questions) {
      if (tier !== null && !tier.wanted.has(question)) continue;
      const plan = opened.plan(question);
      const { vectors } = await embedQuestion(plan, ports, undefined);
      const recalled = recall(plan, ports, vectors);
      // A count looks at more records in the product; here every question has the same M.
      const set = gatherCandidates({ ...plan, operation: "single" }, recalled, ports, vectors.text);
      const opinion = tier === null ? null : await tier.opine(plan, set);
      const candidates = opinion === null ? set.candidates : reordered(set.candidates, opinion.judged);
      const verified = verify(plan, candidates, set.edges, recalled, opinion);
      const position = new Map(candidates.map(({ recordId }, at) => [recordId, at]));
      const similarity = similarityOf(candidates, ports.index);
      // Read while the archive is open.
      similarity(0, 0);
      const session = sessionOf(candidates, ports.index);
      session(0);
      found.push({
        conversation,
        category,
        gold: gold.length,
        isGold: candidates.map(({ recordId }) => gold.includes(turns.get(recordId) ?? "")),
        utilities: verified.utilities,
        edges: verified.edges.flatMap(({ from, to, cost }) =>
          cost === null ? [] : [{ a: position.get(from) ?? 0, b: position.get(to) ?? 0, cost }],
        ),
        similarity,
        session,
        gathers: gathers(plan),
      });
    }
    return found;
  } finally {
    opened.close();
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** 95 % interval of a mean by 1,000 seeded resamples of the questions. */
export function interval(values: readonly number[]): [number, number] {
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) / 0x7fffff;
  };
  const means = Array.from({ length: 1_000 }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++)
      sum += values[Math.min(values.length - 1, Math.floor(random() * values.length))] ?? 0;
    return sum / Math.max(1, values.length);
  }).sort((a, b) => a - b);
  return [means[25] ?? 0, means[974] ?? 0];
}

const percent = (value: number) => (100 * value).toFixed(2);

export async function benchForest(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      reranker: { type: "string" },
      llm: { type: "string" },
      questions: { type: "string", default: "150" },
      models: { type: "string", default: fileURLToPath(new URL("../../.cache/models", import.meta.url)) },
    },
  });
  const [data] = positionals;
  if (data === undefined) throw new Error("FOLDER is missing: it holds locomo/locomo10.json.");
  const path = [join(data, "locomo", "locomo10.json"), join(data, "locomo10.json")].find(existsSync);
  if (path === undefined) throw new Error(`No locomo10.json in ${data}`);
  const samples = z.array(z.unknown()).parse(JSON.parse(await readFile(path, "utf8")));
  const conversations = openConversations(values.models);
  const questions: FrozenQuestion[] = [];
  const dialogues = await readLocomo(data);
  for (const [conversation, dialogue] of dialogues.entries())
    questions.push(...(await freezeDialogue(samples[conversation], dialogue, conversation, conversations)));
  compareSelections(questions, "the instant tier");
  for (const tier of [
    values.reranker === undefined ? null : await openRerankedTier(values.reranker, values.models),
    values.llm === undefined ? null : await openVerifiedTier(values.llm, values.models),
  ]) {
    if (tier === null) continue;
    const chosen = await developmentQuestions(data, Number(values.questions));
    const wanted = new Set(chosen.questions.map(({ question }) => question));
    const judged: FrozenQuestion[] = [];
    for (const [conversation, dialogue] of dialogues.slice(0, 5).entries())
      judged.push(
        ...(await freezeDialogue(samples[conversation], dialogue, conversation, conversations, {
          opine: tier.opine,
          wanted,
        })),
      );
    compareSelections(judged, tier.name);
    await tier.dispose();
  }
  await conversations.dispose();
  benchSolver(questions);
}

/** The table of all selections by fold, and of recall by category on the development fold. */
export function compareSelections(questions: readonly FrozenQuestion[], tier: string): void {
  const size = forestSettings.size;
  const pool = mean(questions.map(({ isGold, gold }) => isGold.filter(Boolean).length / gold));
  console.log(
    `LoCoMo, ${questions.length} answerable questions with gold in their conversation; dev: conversations 1–5, held-out: 6–10.\n` +
      `Candidates frozen after retrieval, expansion, utilities and edge roles of ${tier}; gold in the pool ${percent(pool)} %.\n` +
      "R@10: mean share of a question's gold turns among the ten. Hit@10: any of them. Net gold: gold turns gained less gold turns lost\n" +
      "against the first ten by utility, over recoverable questions (the pool holds more gold than those ten). 95 % by bootstrap over questions.\n",
  );
  const names = Object.keys(selections) as SelectionName[];
  const chosen = new Map(
    names.map((name) => [name, questions.map((one) => selections[name]({ ...one, settings: forestSettings }))]),
  );
  const hitsOf = (name: SelectionName) =>
    questions.map(({ isGold }, i) => (chosen.get(name)?.[i] ?? []).filter((at) => isGold[at]).length);
  const base = hitsOf("utility");
  for (const [fold, title] of folds.entries()) {
    const inFold = questions.flatMap(({ conversation }, i) => (conversation < 5 === (fold === 0) ? [i] : []));
    if (inFold.length === 0) continue;
    const recoverable = inFold.filter((i) => (questions[i]?.isGold.filter(Boolean).length ?? 0) > (base[i] ?? 0));
    const rows = names.map((name) => {
      const hits = hitsOf(name);
      const share = (i: number) => (hits[i] ?? 0) / (questions[i]?.gold ?? 1);
      const gains = inFold.map((i) => share(i) - (base[i] ?? 0) / (questions[i]?.gold ?? 1));
      const [from, to] = interval(gains);
      const byCategory = categories.map((category) =>
        percent(mean(inFold.filter((i) => questions[i]?.category === category).map(share))),
      );
      return [
        name,
        percent(mean(inFold.map(share))),
        `${percent(mean(gains))} [${percent(from)}, ${percent(to)}]`,
        percent(mean(inFold.map((i) => ((hits[i] ?? 0) > 0 ? 1 : 0)))),
        String(recoverable.reduce((sum, i) => sum + (hits[i] ?? 0) - (base[i] ?? 0), 0)),
        ...byCategory,
      ];
    });
    console.log(`${title}: n = ${inFold.length}, recoverable ${recoverable.length}`);
    console.log(table(["selection", `R@${size}`, "gain over utility", "Hit@10", "net gold", ...categories], rows));
    console.log();
  }
}
