import type { AskResult, RecordId } from "#contract";
import type { Candidate } from "../candidates/candidates.ts";
import type { ChainRow } from "./protocol.ts";

/** What a model says of the candidates of a round, behind an answer that stands already. */
export interface Opinion {
  readonly tier: Exclude<AskResult["tier"], "instant">;
  /** p of the records that it looked at; the others keep the retrieval's. */
  readonly judged: ReadonlyMap<RecordId, number>;
  /** Its chain rows; null: it gave none, the rules' hold. */
  readonly rows: readonly ChainRow[] | null;
  /** For the trace: model, milliseconds, tries, what was refused. Never content of a record. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The judged ones by their new probability, in front of the others; ranks and anchors stay those of the frozen retrieval. */
export function reordered(candidates: readonly Candidate[], judged: ReadonlyMap<RecordId, number>): Candidate[] {
  const first = candidates
    .filter(({ recordId }) => judged.has(recordId))
    .map((candidate) => ({ ...candidate, probability: judged.get(candidate.recordId) ?? candidate.probability }))
    .sort((a, b) => b.probability - a.probability || a.rank - b.rank);
  return [...first, ...candidates.filter(({ recordId }) => !judged.has(recordId))];
}

export const logit = (probability: number): number => {
  const p = Math.min(0.999, Math.max(0.001, probability));
  return Math.log(p / (1 - p));
};
export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
