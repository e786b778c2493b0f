import type { QueryPlan } from "#contract";
import type { Candidate } from "../../candidates/candidates.ts";
import type { FoundConflict } from "../../verify/conflicts.ts";
import { asksDone } from "../asked/deeds.ts";
import { mayTellMove } from "../asked/moves.ts";
import { onlyOtherWay } from "../asked/way.ts";
import type { Passage } from "../sentences/sentences.ts";
import { tellable } from "./versions.ts";

/** Which records hold: the newest, or what was valid at the time that is asked about. */

/** "As of May 2020": what was known by then, of whatever kind. */
const asOf = (windows: QueryPlan["windows"]): boolean =>
  windows.some(({ text }) => /^\W*(?:as of|as at|stand|zum stand)(?!\p{L})/iu.test(text));

/** Said after the time as of which is asked. */
export const isAfterwards = (plan: QueryPlan, candidate: Candidate): boolean =>
  asOf(plan.windows) && isLater(plan, candidate);

const isLater = ({ windows, answerType }: QueryPlan, candidate: Candidate | undefined): boolean =>
  (standingTypes.has(answerType) || asOf(windows)) &&
  windows.length > 0 &&
  candidate?.day != null &&
  windows.every(({ to }) => (candidate.day ?? "") > to);

/** Kinds of answer that hold until they change: a rent, an address, a number of days. */
const standingTypes: ReadonlySet<string> = new Set(["amount", "number"]);

/** What was last said before the time asked about, where nothing of that time says it: the rent of 2021 held in 2022. */
export function validThen(plan: QueryPlan, best: Passage, passages: readonly Passage[]): Passage {
  const last = plan.windows
    .map(({ to }) => to)
    .toSorted()
    .at(-1);
  if (best.inTime || last === undefined || !standingTypes.has(plan.answerType)) return best;
  const stated = passages.filter(
    ({ picked, candidate, near }) =>
      picked !== null && candidate.day !== null && candidate.day <= last && near >= stillAbout,
  );
  const latest = stated.toSorted(
    (a, b) => (b.candidate.day ?? "").localeCompare(a.candidate.day ?? "") || b.score - a.score,
  )[0];
  return latest === undefined ? best : { ...latest, inTime: true };
}
/** Share of the question that a sentence with its neighbours must say to be of its matter at another time. */
const stillAbout = 0.6;

const strays = (plan: QueryPlan, newer: Candidate | undefined): boolean =>
  newer !== undefined && (onlyOtherWay(plan, newer) || !mayTellMove(plan, newer));

/** Records that a newer one replaces give way to it. */
export function current(
  plan: QueryPlan,
  top: readonly Candidate[],
  all: readonly Candidate[],
  conflicts: readonly FoundConflict[],
): Candidate[] {
  const byId = new Map(all.map((candidate) => [candidate.recordId, candidate]));
  const replaced = new Map(
    conflicts
      .filter(({ kind, attribute }) => kind === "superseded" && tellable(plan, attribute))
      // What was done before it was called off was done all the same.
      .filter(({ attribute }) => attribute !== "status" || !asksDone.test(plan.question))
      // The way back does not change the way there, nor a moved appointment where somebody lives.
      .filter(({ newer }) => !strays(plan, byId.get(newer.recordId)))
      // What was said after the time that is asked about did not hold in it.
      .filter(({ newer }) => !isLater(plan, byId.get(newer.recordId)))
      .map(({ older, newer }) => [older.recordId, newer.recordId]),
  );
  const result = new Map<number, Candidate>();
  for (const candidate of top) {
    const newer = byId.get(replaced.get(candidate.recordId) ?? -1);
    const stands = newer ?? candidate;
    const known = result.get(stands.recordId);
    // The newer record stands where the older one stood, with what was said of the matter there.
    const inherited = newer ? new Set([...(known?.inherited ?? []), ...candidate.stems]) : known?.inherited;
    const probability = Math.max(known?.probability ?? 0, stands.probability, candidate.probability);
    const stems = inherited === undefined ? stands.stems : new Set([...stands.stems, ...inherited]);
    result.set(stands.recordId, { ...stands, stems, probability, ...(inherited === undefined ? {} : { inherited }) });
  }
  return [...result.values()];
}
