import { z } from "zod";
import type { QueryPlan } from "#contract";
import { answerPhrase } from "./phrase.ts";
import type { Passage } from "./sentences.ts";
import weightsFile from "./span-weights.json" with { type: "json" };
import { askedKinds, askedSpans, spanFeatures, spansIn } from "./spans.ts";
import { asksName } from "./worth.ts";

/** Which span of which sentence answers: one linear score over both, fitted for the token F1 that is to be expected. */

/** Sentences that are looked through. */
export const sentencesRead = 10;
/** How far below the best a sentence may score and still be asked for its spans. */
const scoreRange = 2;

export const passageFeatures = [
  "score",
  "best",
  "probability",
  "own",
  "near",
  "whole",
  "ownSubject",
  "otherSubject",
  "asks",
  "caption",
  "opening",
  "byAsked",
  "length",
] as const;

const weightsSchema = z.partialRecord(z.enum(passageFeatures), z.number());
const spanWeights = z.record(z.string(), z.number());
const fileSchema = z.object({
  name: z.string(),
  /** What the weights were fitted on. */
  fold: z.string(),
  date: z.string(),
  /** Mean token F1 in per cent, each conversation by weights of the others; and what the rules alone gave. */
  figures: z.record(z.string(), z.number()),
  passage: weightsSchema,
  /** For all questions, and what a kind of question adds. */
  shared: spanWeights,
  kinds: z.partialRecord(z.enum(askedKinds), spanWeights),
});
const file = fileSchema.parse(weightsFile);

/** Weights of one kind of question, by the place of a feature in `spanFeatures`. */
const weights = new Map(
  askedKinds.map((kind) => [
    kind,
    spanFeatures.map((name) => (file.shared[name] ?? 0) + (file.kinds[kind]?.[name] ?? 0)),
  ]),
);

/** Numbers of a sentence, in the order of `passageFeatures`. `best`: the highest score there is. */
export function passageValues(plan: QueryPlan, passage: Passage, best: Passage): number[] {
  const { candidate, citation, own, near, whole, subject } = passage;
  const { quote, span } = citation;
  const author = candidate.record.author?.name;
  return [
    Math.max(-scoreRange, passage.score - best.score),
    Number(passage === best),
    candidate.probability,
    own,
    near,
    whole,
    Number(subject === "own"),
    Number(subject === "other"),
    Number(quote.trimEnd().endsWith("?")),
    Number(quote.startsWith("[photo")),
    Number((span?.[0] ?? 0) === 0),
    Number(plan.people.some(({ name }) => name === author)),
    Math.min(1, quote.length / 200),
  ];
}

/** Sentences of talk: what is fitted on chats is asked of chats alone. */
export const isTalk = ({ candidate, citation }: Passage): boolean =>
  candidate.record.kind === "message" && citation.view === "text";

/** The words of a sentence of talk that answer, with their score beside those of other sentences; null where there are none. */
function spanOf(plan: QueryPlan, passage: Passage, first: Passage): { text: string; score: number } | null {
  if (plan.language !== "en" || !isTalk(passage)) return null;
  const ask = askedSpans(plan);
  const own = weights.get(ask.kind) ?? [];
  const values = passageValues(plan, passage, first);
  const base = passageFeatures.reduce((sum, name, at) => sum + (file.passage[name] ?? 0) * (values[at] ?? 0), 0);
  const { quote } = passage.citation;
  let best: { text: string; score: number } | null = null;
  for (const { start, end, features } of spansIn(ask, quote, answerPhrase(plan, quote))) {
    let score = base;
    for (const part of features) for (const feature of part) score += own[feature] ?? 0;
    if (best === null || score > best.score) best = { text: quote.slice(start, end), score };
  }
  return best;
}

/** The sentence that answers, with the words of it that do; null where the rules have to say it. `passages`: best first. */
export function chooseSpan(plan: QueryPlan, passages: readonly Passage[]): { passage: Passage; text: string } | null {
  const [first] = passages;
  if (plan.answerType !== "text" || first === undefined || !isTalk(first)) return null;
  // A name is given in ways of its own, and a form beside its label.
  if (asksName.test(plan.question) || first.labelled !== null) return null;
  let best: { passage: Passage; text: string; score: number } | null = null;
  for (const passage of passages.filter(isTalk).slice(0, sentencesRead)) {
    const span = spanOf(plan, passage, first);
    if (span !== null && (best === null || span.score > best.score)) best = { passage, ...span };
  }
  return best;
}
