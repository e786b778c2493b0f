import type { Citation, RecordId } from "#contract";
import { saysItself } from "../../../views/index.ts";
import { contentStems, dayNumber } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { stemsOfViews } from "../../candidates/view-stems.ts";
import { keptBy, keptByLanguage } from "../../kept-by.ts";
import { saidBy, weightOf } from "../../plan/terms.ts";
import { inTime, type Reading } from "../sentences/sentences.ts";
import { measureOf, type Value } from "../sentences/values.ts";

/**
 * Whether a record speaks of the matter of an answer, though it says nothing that was asked: "completion has moved to the
 * 10th" beside a lawyer's letter about completion, when the keys were asked about.
 */

/** Characters of a message that are taken whole as one thing said. */
const breath = 240;
/** Share of the candidates that may say a word which still tells of one matter. */
const tellingShare = 0.25;
/** Days within which one figure is one event. */
const soonDays = 3;
/** Figures from which hardly two things have the same. */
const leastFigure = 1_000;
const leastAmount = 100;
/** What a time asked for weighs beside the words, in nats. */
const timeWeight = 2.3;

/** Idf share of the question that a record says with what stands around it; its time counts like a rare word. */
export function topicalOf(reading: Reading, candidate: Candidate, around: ReadonlyMap<string, number>): number {
  const said = saidBy(reading.asked, candidate.stems, around);
  const words = weightOf(reading.asked);
  // Of a month many things are told.
  if (reading.plan.windows.length === 0 || (said === 0 && words > 0)) return said;
  const { day } = candidate;
  const then = day !== null && reading.plan.windows.some(({ from, to }) => from <= day && day <= to);
  return (said * words + (then || inTime(reading.plan, candidate) ? timeWeight : 0)) / (words + timeWeight);
}

/**
 * How much of what a record says beside the value stands in the records that are cited already, 0–1: each word by its
 * rarity among the candidates, and none where no telling word is shared. With the number of telling words that are.
 * `value`: stems of the answer itself.
 */
export function sharedMatter(
  { plan }: Reading,
  candidates: readonly Candidate[],
  cited: ReadonlySet<RecordId>,
  value: ReadonlySet<string>,
): (candidate: Candidate, citation: Citation | null) => { share: number; words: number } {
  const counts = new Map<string, number>();
  const told = new Set<string>();
  for (const candidate of candidates) {
    const stems = saidStems(candidate, plan.language);
    if (cited.has(candidate.recordId)) for (const one of stems) told.add(one);
    else for (const one of stems) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const rarity = (one: string) => Math.log((candidates.length + 1) / (counts.get(one) ?? 1));
  const telling = (one: string) => (counts.get(one) ?? 1) <= Math.max(2, candidates.length * tellingShare);
  return (candidate, citation) => {
    const { kind, subject, text } = candidate.record;
    const whole = kind === "message" && (text ?? "").length <= breath;
    const said = whole ? (text ?? "") : citation === null ? "" : `${subject ?? ""}\n${citation.quote}`;
    const own = [...new Set(contentStems(said, plan.language))].filter((one) => !/\d/.test(one) && !value.has(one));
    const shared = own.filter((one) => told.has(one));
    const words = shared.filter(telling).length;
    if (words === 0) return { share: 0, words };
    const sum = (some: readonly string[]) => some.reduce((all, one) => all + rarity(one), 0);
    return { share: sum(shared) / Math.max(1e-9, sum(own)), words };
  };
}

/** Stems of what a record itself says, its subject first. */
const saidStems = keptByLanguage(
  ({ record }: Candidate) => record,
  ({ views }, language): ReadonlySet<string> => {
    const said = views.filter(({ view }) => saysItself(view));
    return stemsOfViews([...said.filter(({ view }) => view === "subject"), ...said], language);
  },
);

/** A figure or code that by itself tells of one thing: "£415,000", not "3" or "20 minutes". */
export function isExact(value: Value | null): boolean {
  if (value === null) return false;
  if (value.type === "code") return true;
  const figure = measureOf(value)?.figure ?? 0;
  return value.type === "amount" ? figure >= leastAmount : value.type === "number" && figure >= leastFigure;
}

/**
 * Names the case, order or booking of a record that is cited: "Repair report R-5127" beside "Case R-5127". A number that many
 * records name is a customer's.
 */
export function sameCase(
  candidates: readonly Candidate[],
  cited: ReadonlySet<RecordId>,
): (candidate: Candidate) => boolean {
  const named = new Set(candidates.flatMap((one) => (cited.has(one.recordId) ? casesOf(one) : [])));
  if (named.size === 0) return () => false;
  const counts = new Map<string, number>();
  for (const candidate of candidates)
    for (const one of casesOf(candidate)) if (named.has(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const most = Math.max(fewInCase, candidates.length * tellingShare);
  return (candidate) => casesOf(candidate).some((one) => (counts.get(one) ?? most + 1) <= most);
}
const fewInCase = 4;

/** Numbers with letters before them that a record names. */
const casesOf = keptBy(
  ({ record }: Candidate) => record,
  ({ views }): readonly string[] => {
    const read = views.filter(({ view }) => saysItself(view));
    return [...new Set(read.flatMap(({ text }) => text.slice(0, 4_000).match(casePattern) ?? []))];
  },
);
const casePattern = /(?<![\p{L}\d-])[A-Z]{1,5}[-/ ]?\d{4,}(?![\p{L}\d-])/gu;

/** Said within days of a record that is cited. */
export function soonAfter(
  candidates: readonly Candidate[],
  cited: ReadonlySet<RecordId>,
): (candidate: Candidate) => boolean {
  const days = candidates.flatMap(({ recordId, day }) => (cited.has(recordId) && day !== null ? [dayNumber(day)] : []));
  return ({ day }) => day !== null && days.some((one) => Math.abs(one - dayNumber(day)) <= soonDays);
}
