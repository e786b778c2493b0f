import type { Claim, QueryPlan, RecordId } from "#contract";
import type { Candidate } from "../candidates/candidates.ts";
import { perPlan } from "../read/per-plan.ts";
import { valuesOf } from "../read/sentences/values.ts";

/**
 * Versions and numbers of things, as a question names them: what tells of another order, or of no version at all, is no
 * answer however much else it says.
 */

/** The first of them that the answer's records, and the letters of their threads, do not say; null where all are said. */
export function unsaidExact(
  plan: QueryPlan,
  [first]: readonly Claim[],
  byId: ReadonlyMap<RecordId, Candidate>,
): string | null {
  const asked = exactIn(plan);
  if (asked.length === 0 || first === undefined) return null;
  const cited = first.citations.flatMap(({ recordId }) => byId.get(recordId) ?? []);
  const threads = new Set(cited.flatMap(({ record }) => record.thread ?? []));
  const near = [...byId.values()].filter(({ record }) => record.thread !== null && threads.has(record.thread));
  const said = [...cited, ...near].flatMap(({ views }) => views.map(({ text }) => bare(text)));
  return asked.find((one) => !said.some((text) => stands(bare(one), text))) ?? null;
}

/** "R-5127" and "R5127" are one number, "1.0" and "10" are not. */
const bare = (text: string): string => text.toLowerCase().replace(/(?<=[\p{L}\d])[-/_ ](?=[\p{L}\d])/gu, "");

/** Not as the end or the beginning of a longer number. */
function stands(one: string, text: string): boolean {
  for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.slice(at + one.length, at + one.length + 2)];
    if (!(/\d/.test(before) && /^\d/.test(one)) && !/^(?:\d|\.\d)/.test(after)) return true;
  }
  return false;
}

const version = /(?<=\p{L}\s?)(?<![\d.])v?\d+(?:\.\d+)+(?:-?(?:rc|beta|alpha)\d*)?(?![\p{L}\d%]|\.\d|\s?[%€$£°])/giu;
const lettered =
  /(?<![\p{L}\d.@/-])(?=[\p{L}\d/-]*\p{L})(?=(?:[\p{L}/-]*\d){3})[\p{L}\d]+(?:[-/][\p{L}\d]+)*(?![\p{L}\d@]|\.\p{L})/gu;
const numbered =
  /(?<=(?:order|booking|invoice|ticket|case|bug|issue|claim|reference|policy|number|bestellung|buchung|rechnung|auftrag|vorgang|fall|nummer|nr\.?|no\.|#)\s?#?)\d{3,}(?![\p{L}\d])/giu;
/** "500g", "1990s", "3rd"; "45.50" is more often a sum. */
const measure = /^\d+\p{L}{1,4}$|^\d+\.\d\d$/u;

/** Versions and numbers of things that a question names. */
export const exactIn = perPlan(({ question }: QueryPlan): readonly string[] => {
  const text = question.slice(0, 2_000);
  const other = valuesOf(text, null, ["date", "time", "amount", "duration"]).filter(({ type }) => type !== "duration");
  const free = (start: number, end: number) => !other.some((one) => start < one.end && one.start < end);
  return [...text.matchAll(version), ...text.matchAll(lettered), ...text.matchAll(numbered)].flatMap(
    ({ index, 0: said }) => (measure.test(said) || !free(index, index + said.length) ? [] : [said]),
  );
});
