import type { Citation, Claim, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { verdict } from "../answers/yesno.ts";
import type { Passage, Reading } from "../sentences/sentences.ts";
import type { Value } from "../sentences/values.ts";
import type { Answer } from "./agreement.ts";
import { supports } from "./support.ts";

/** Further records behind a claim: who else says it, who said first what it tells as changed, who decides the same way. */

const verdictLimit = 3;
/** Share of the question that a sentence must say to decide it. */
export const sameMatter = 0.5;

/** Citations of further records that say what the answer says, and the answer by which they were found. */
export function supported(
  reading: Reading,
  best: Passage,
  words: string | null,
  claims: readonly Claim[],
  passages: readonly Passage[],
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): { citations: Citation[]; answer: Answer } {
  const { picked, candidate, whole } = best;
  const { plan } = reading;
  const value = picked?.value ?? null;
  const { from, to } = value ?? {};
  const { day } = candidate;
  const days =
    plan.answerType !== "date"
      ? null
      : from !== undefined && to !== undefined
        ? { from, to }
        : day === null
          ? null
          : { from: day, to: day };
  const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const told = plan.answerType === "yesno" ? best.citation.quote : words;
  const also = plan.answerType === "yesno" ? sameVerdict(plan, best, passages, cited) : [];
  const known = new Set([...cited, ...also.map(({ recordId }) => recordId)]);
  const answer = { value, days, words: value === null && days === null ? told : null, cited: known, whole };
  return { citations: [...also, ...supports(reading, answer, candidates, edges)], answer };
}

/** Who else said, before the record that answers, what held until then. */
export function saidBefore(
  reading: Reading,
  old: Value,
  { candidate, whole }: Passage,
  newest: Candidate,
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): Citation[] {
  const { from, to } = old;
  const days = from !== undefined && to !== undefined ? { from, to } : null;
  const older = candidates.filter(
    ({ moment, recordId }) => (moment ?? 0) < (newest.moment ?? 0) || recordId === candidate.recordId,
  );
  const answer = {
    value: old,
    days,
    words: null,
    cited: new Set([candidate.recordId, newest.recordId]),
    whole,
    strict: true,
  };
  return supports(reading, answer, older, edges, beforeLimit).filter(
    // What happened on a day that was given up says nothing of it.
    ({ span, view }) => span !== null && view !== "metadata",
  );
}
const beforeLimit = 2;

/** Other records that decide a question the same way. */
function sameVerdict(
  plan: QueryPlan,
  best: Passage,
  passages: readonly Passage[],
  cited: ReadonlySet<RecordId>,
): Citation[] {
  const says = verdict(plan, best)?.says;
  const records = new Set(cited);
  const found: Citation[] = [];
  for (const one of passages) {
    if (found.length === verdictLimit || says === undefined) break;
    if (records.has(one.candidate.recordId) || one.own < sameMatter || verdict(plan, one)?.says !== says) continue;
    records.add(one.candidate.recordId);
    found.push(one.citation);
  }
  return found;
}
