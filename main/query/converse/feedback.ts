import type { AskResult, Feedback, FeedbackMark, QueryPlan, RecordId, Verdict } from "#contract";
import { fold, stem, wordsOf } from "../../views/language/index.ts";
import type { Recall, Scored } from "../recall/recall.ts";

/**
 * What the owner said of answers, as it counts for a like question: a prior after the ranker, in this archive alone. Its
 * effect is bounded by what parts the first record from the tenth, so that no verdict outweighs a better record for ever.
 */
export const feedbackSettings = {
  /** Questions less alike than this have nothing to do with one another. */
  leastLikeness: 0.5,
  /** Shares of the distance from the first to the tenth score by which a record moves. */
  moves: { helpful: 0.5, wrong: -1, outdated: -0.5 } satisfies Record<Verdict, number>,
  /** The same for its probability, in logits. */
  logits: { helpful: 0.8, wrong: -1.6, outdated: -0.8 } satisfies Record<Verdict, number>,
  /** What is said of a whole answer may be about any of its records. */
  wholeShare: 0.5,
  /** Helpful records that are brought in where retrieval did not find them. */
  brought: 10,
  /** Verdicts that are looked at, the newest ones. */
  looked: 1_000,
} as const;

/** How much two questions ask the same, 0–1: the words, people and places they have in common, where their times meet. */
export function likeness(a: QueryPlan, b: QueryPlan): number {
  if (plain(a.question) === plain(b.question) && sameTimes(a, b)) return 1;
  const [first, second] = [contentOf(a), contentOf(b)];
  const common = [...first].filter((one) => second.has(one)).length;
  const all = new Set([...first, ...second]).size;
  if (all === 0 || !sameTimes(a, b)) return 0;
  const times = spans(a) === spans(b) ? 1 : 0.8;
  return (common / all) * times * (a.answerType === b.answerType ? 1 : 0.8);
}

const plain = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

function contentOf({ terms, places, people }: QueryPlan): Set<string> {
  const words = [...terms, ...places].flatMap((text) => wordsOf(text).map(({ folded }) => stem(folded)));
  return new Set([...words, ...people.map(({ personId, name }) => `person ${personId ?? fold(name)}`)]);
}

const spans = ({ windows }: QueryPlan): string => windows.map(({ from, to }) => `${from} ${to}`).join(" ");

/** Days in common, or a question without a time. */
function sameTimes(a: QueryPlan, b: QueryPlan): boolean {
  if (a.windows.length === 0 || b.windows.length === 0) return true;
  return a.windows.some((one) => b.windows.some((other) => one.from <= other.to && other.from <= one.to));
}

/** The verdict that holds for each record at this question: of what was said of it at like ones, the last. */
export function marksFor(plan: QueryPlan, feedback: readonly Feedback[]): ReadonlyMap<RecordId, FeedbackMark> {
  const marks = new Map<RecordId, FeedbackMark>();
  const newest = feedback.slice(0, feedbackSettings.looked);
  // Newest first, and a word about one record before one about its answer.
  for (const whole of [false, true]) {
    for (const { id, records, verdict, at, plan: said, whole: wholly } of newest) {
      if (wholly !== whole || records.every((record) => marks.has(record))) continue;
      const like = likeness(plan, said);
      if (like < feedbackSettings.leastLikeness) continue;
      for (const recordId of records)
        if (!marks.has(recordId)) marks.set(recordId, { feedbackId: id, recordId, verdict, at, likeness: like, whole });
    }
  }
  return marks;
}

/** The retrieval with what the owner said: the part `feedback` of a score says by how much. Nothing said, nothing changed. */
export function weighFeedback(recalled: Recall, marks: ReadonlyMap<RecordId, FeedbackMark>): Recall {
  if (marks.size === 0) return recalled;
  const { ranked } = recalled;
  const [first, tenth] = [ranked[0]?.score ?? 0, (ranked[9] ?? ranked.at(-1))?.score ?? 0];
  // A pool of one, or of equals, still has room to move in.
  const room = Math.max(first - tenth, Math.abs(first) * 0.1, 0.01);
  const move = (scored: Scored): Scored => {
    const mark = marks.get(scored.recordId);
    if (!mark) return scored;
    const share = mark.likeness * (mark.whole ? feedbackSettings.wholeShare : 1);
    const part = feedbackSettings.moves[mark.verdict] * share * room;
    return {
      ...scored,
      score: scored.score + part,
      probability: shifted(scored.probability, feedbackSettings.logits[mark.verdict] * share),
      parts: { ...scored.parts, feedback: part },
    };
  };
  const found = new Set(ranked.map(({ recordId }) => recordId));
  const missed = [...marks.values()].filter(({ recordId, verdict }) => verdict === "helpful" && !found.has(recordId));
  const brought = recalled.score(missed.slice(0, feedbackSettings.brought).map(({ recordId }) => recordId));
  return {
    ...recalled,
    ranked: [...ranked, ...brought].map(move).sort((a, b) => b.score - a.score || a.recordId - b.recordId),
    score: (ids) => recalled.score(ids).map(move),
  };
}

function shifted(probability: number, logits: number): number {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, probability));
  return 1 / (1 + Math.exp(-(Math.log(bounded / (1 - bounded)) + logits)));
}

/** Tells of the verdicts that hold for what an answer shows; what stands on outdated records alone stands no more. */
export function tellFeedback(result: AskResult, marks: ReadonlyMap<RecordId, FeedbackMark>): AskResult {
  const told = result.records.flatMap(({ id }) => marks.get(id) ?? []);
  if (told.length === 0) return result;
  const outdated = new Set(told.flatMap(({ recordId, verdict }) => (verdict === "outdated" ? recordId : [])));
  const claims = result.claims.map((claim) =>
    claim.standing === "current" &&
    claim.citations.length > 0 &&
    claim.citations.every(({ recordId }) => outdated.has(recordId))
      ? { ...claim, standing: "superseded" as const }
      : claim,
  );
  const stale = claims.some(({ citations }) => citations.some(({ recordId }) => outdated.has(recordId)));
  const note = words[result.plan.language].outdated;
  return { ...result, claims, feedback: told, notes: stale ? [...result.notes, note] : result.notes };
}

const words = {
  en: { outdated: "You have said that some of this is outdated." },
  de: { outdated: "Du hast gesagt, dass etwas davon überholt ist." },
} as const;
