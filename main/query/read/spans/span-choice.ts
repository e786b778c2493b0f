import { z } from "zod";
import type { QueryPlan } from "#contract";
import type { Candidate } from "../../candidates/candidates.ts";
import type { Passage, Reading } from "../sentences/sentences.ts";
import { valuesOf } from "../sentences/values.ts";
import { asksName } from "../sentences/worth.ts";
import { answerPhrase } from "./phrase.ts";
import weightsFile from "./span-weights.json" with { type: "json" };
import { askedSpans, type FoundSpan, spanFeatures, spansIn } from "./spans.ts";

/** Which span of which sentence answers: one linear score over both, fitted for the token F1 that is to be expected. */

/** Sentences that are looked through. */
export const sentencesRead = 10;
/** How far below the best a sentence may score and still be asked for its spans. */
const scoreRange = 2;

export const passageFeatures = [
  "score",
  "best",
  "odds",
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
  "replies",
  "spoken",
] as const;

const weightsSchema = z.partialRecord(z.enum(passageFeatures), z.number());
const fileSchema = z.object({
  name: z.string(),
  /** What the weights were fitted on. */
  fold: z.string(),
  date: z.string(),
  /** Mean token F1 in per cent, each conversation by weights of the others; and what the rules alone gave. */
  figures: z.record(z.string(), z.number()),
  passage: weightsSchema,
  span: z.record(z.string(), z.number()),
});
const file = fileSchema.parse(weightsFile);

/** By the place of a feature in `spanFeatures`. */
const weights = spanFeatures.map((name) => file.span[name] ?? 0);

/** Whether a record speaks of what is asked about, where that can be told. */
export type Speaks = ((candidate: Candidate) => boolean) | null;

/** Log odds below the best that still tell something, in units of two. */
const oddsRange = 3;
const logit = (p: number): number => Math.log(Math.max(1e-4, p) / Math.max(1e-4, 1 - p));

/** Sentences of talk that are looked through, each with its numbers in the order of `passageFeatures`. `passages`: best first. */
export function talkSentences(
  { plan, replies }: Pick<Reading, "plan" | "replies">,
  passages: readonly Passage[],
  speaks: Speaks,
): { passage: Passage; values: number[] }[] {
  const [best] = passages;
  const read = passages.filter(isTalk).slice(0, sentencesRead);
  const most = Math.max(...read.map(({ candidate }) => candidate.probability));
  return best === undefined
    ? []
    : read.map((passage) => {
        const { candidate } = passage;
        const spoken = speaks === null ? 0 : speaks(candidate) ? 1 : -1;
        const replied = Number((replies?.get(candidate.recordId)?.size ?? 0) > 0);
        return { passage, values: [...passageValues(plan, passage, best, most), replied, spoken] };
      });
}

function passageValues(plan: QueryPlan, passage: Passage, best: Passage, most: number): number[] {
  const { candidate, citation, own, near, whole, subject } = passage;
  const { quote, span } = citation;
  const author = candidate.record.author?.name;
  return [
    Math.max(-scoreRange, passage.score - best.score),
    Number(passage === best),
    Math.max(-oddsRange, (logit(candidate.probability) - logit(most)) / 2),
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

/** Every run of words of a sentence of talk that may answer. */
export function spansOf(plan: QueryPlan, { citation: { quote }, candidate: { day } }: Passage): FoundSpan[] {
  return spansIn(askedSpans(plan), quote, answerPhrase(plan, quote), valuesOf(quote, day, ["date"]));
}

export interface ChosenSpan {
  readonly passage: Passage;
  /** The words that answer. */
  readonly text: string;
  readonly score: number;
}

/** The best span of each sentence of talk, best first; none where the rules have to say it. `passages`: best first. */
export function chooseSpans(
  reading: Pick<Reading, "plan" | "replies">,
  passages: readonly Passage[],
  speaks: Speaks,
): ChosenSpan[] {
  const { plan } = reading;
  const [first] = passages;
  if (plan.language !== "en" || first === undefined || !isTalk(first)) return [];
  // A name is given in ways of its own, and a form beside its label.
  if (asksName.test(plan.question) || first.labelled !== null) return [];
  const found = talkSentences(reading, passages, speaks).flatMap(({ passage, values }): ChosenSpan[] => {
    const base = passageFeatures.reduce((sum, name, at) => sum + (file.passage[name] ?? 0) * (values[at] ?? 0), 0);
    let best: ChosenSpan | null = null;
    for (const { start, end, features } of spansOf(plan, passage)) {
      let score = base;
      for (const part of features) for (const feature of part) score += weights[feature] ?? 0;
      if (best === null || score > best.score)
        best = { passage, text: passage.citation.quote.slice(start, end), score };
    }
    return best === null ? [] : [best];
  });
  return found.sort((a, b) => b.score - a.score);
}
