import type { Citation, QueryPlan } from "#contract";
import { contentStems, sentencesOf } from "../views/language/index.ts";
import type { Candidate } from "./candidates.ts";
import { namesIn, saysNo, type Value, type ValueType, valuesOf } from "./values.ts";

/** A sentence of a record as possible answer. */
export interface Passage {
  readonly candidate: Candidate;
  readonly citation: Citation;
  /** Share of the question's terms in the sentence, 0–1. */
  readonly coverage: number;
  /** Values of the kind asked for. */
  readonly values: readonly Value[];
  readonly names: readonly string[];
  readonly negated: boolean;
  readonly score: number;
}

/** Sentences of one view that are read, and characters that a quote may have. */
const sentenceLimit = 80;
export const quoteLength = 280;

export const wantedValues: Partial<Record<QueryPlan["answerType"], readonly ValueType[]>> = {
  date: ["date"],
  duration: ["duration"],
  amount: ["amount"],
  number: ["number", "amount", "duration"],
};

/** All passages of these candidates, best first. Weights of the parts are hand-set: relevance first, then words, then fit. */
export function passagesOf(plan: QueryPlan, candidates: readonly Candidate[]): Passage[] {
  const question = contentStems(plan.terms.join(" "), plan.language);
  const passages = candidates.flatMap((candidate) => {
    const readable = candidate.views.filter(({ view }) => view !== "metadata");
    const views = readable.length > 0 ? readable : candidate.views;
    return views.flatMap(({ view, text }) =>
      sentencesOf(text.slice(0, 40_000))
        .slice(0, sentenceLimit)
        .map((span) => passage(plan, question, candidate, view, text, span)),
    );
  });
  return passages.sort(
    (a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank || spanStart(a) - spanStart(b),
  );
}

const spanStart = (one: Passage) => one.citation.span?.[0] ?? 0;

function passage(
  plan: QueryPlan,
  question: readonly string[],
  candidate: Candidate,
  view: Citation["view"],
  text: string,
  span: { start: number; end: number },
): Passage {
  const end = Math.min(span.end, cutAt(text, span.start));
  const quote = text.slice(span.start, end);
  const stems = new Set(contentStems(quote, plan.language));
  const coverage = question.length === 0 ? 0 : question.filter((stem) => stems.has(stem)).length / question.length;
  const values = valuesOf(quote, candidate.day, wantedValues[plan.answerType] ?? []);
  const names = plan.answerType === "person" || plan.answerType === "place" ? namesIn(quote) : [];
  const fits = values.length > 0 || names.length > 0;
  const asks = quote.endsWith("?") && plan.answerType !== "list";
  // A mail's subject names its matter; what is said of it stands in the text.
  const titles = view === "subject" && candidate.record.text !== null && candidate.record.kind !== "event";
  return {
    candidate,
    citation: { recordId: candidate.recordId, view, span: [span.start, end], quote },
    coverage,
    values,
    names,
    negated: saysNo(quote),
    score:
      candidate.probability +
      0.6 * coverage +
      (fits ? 0.3 : 0) -
      (asks ? 0.35 : 0) -
      (titles ? 0.25 : 0) +
      Math.min(0.1, stems.size / 80),
  };
}

/** End of a quote: at most `quoteLength` on, between words. */
function cutAt(text: string, start: number): number {
  const end = start + quoteLength;
  if (end >= text.length || /\s/.test(text.charAt(end))) return end;
  const blank = text.slice(start, end).search(/\s\S*$/);
  return blank > quoteLength / 2 ? start + blank : end;
}
