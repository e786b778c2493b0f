import type { Claim, QueryPlan } from "#contract";
import { dayNumber } from "../../../views/language/index.ts";
import type { Sides } from "../../plan/sides.ts";
import { phrases, sayDay } from "../phrases.ts";
import type { Passage } from "../sentences/sentences.ts";
import { measureOf, sayFigure } from "../sentences/values.ts";

/** What follows from the values of two records: the days between them, which is the larger one, their sum or difference. */

/** One of the two things, with the record that answers for it. */
export interface Side {
  readonly words: string;
  readonly best: Passage;
  readonly claim: Claim;
}

/** Days in a month and a year, for saying a stretch of days in them. */
const inUnit = { day: 1, week: 7, month: 30.44, year: 365.25 } as const;

/** The claim that stands on both; null where they have no values that can be set beside each other. */
export function betweenClaim(plan: QueryPlan, { asks, type, unit }: Sides, one: Side, other: Side): Claim | null {
  if (one.best.candidate.recordId === other.best.candidate.recordId && one.claim.text === other.claim.text) return null;
  const words = phrases[plan.language];
  const citations = [...one.claim.citations, ...other.claim.citations];
  const claim = (text: string, value: string): Claim => ({ id: "c", text, citations, value, standing: "current" });
  if (asks === "apart") {
    const days = [dayOfSide(one), dayOfSide(other)].flatMap((day) => day ?? []).toSorted();
    const [from, to] = days;
    if (from === undefined || to === undefined) return null;
    const count = dayNumber(to) - dayNumber(from);
    const said = words.stretch(Math.round(count / inUnit[unit ?? "day"]), unit ?? "day");
    return claim(`${said}: ${sayDay(from, plan.language)} – ${sayDay(to, plan.language)}.`, said);
  }
  const [a, b] = [sizeOf(type, one), sizeOf(type, other)];
  if (a === null || b === null || a.unit !== b.unit) return null;
  if (asks === "sum" || asks === "gap") {
    const like = one.best.picked?.value.text ?? "";
    const sum = amountLike(like, asks === "sum" ? a.figure + b.figure : Math.abs(a.figure - b.figure), plan.language);
    const told = asks === "sum" ? words.together(sum) : words.more(sum);
    const [first, second] = asks === "sum" || a.figure >= b.figure ? [one, other] : [other, one];
    return claim(
      `${told}: ${first.words} (${first.claim.value ?? ""}), ${second.words} (${second.claim.value ?? ""}).`,
      sum,
    );
  }
  const same = a.figure === b.figure;
  const firstLeads = asks === "larger" ? a.figure > b.figure : a.figure < b.figure;
  const [lead, rest] = firstLeads || same ? [one, other] : [other, one];
  const told = (side: Side) => `${side.words} (${side.claim.value ?? ""})`;
  if (same) return claim(`${words.alike}: ${told(one)}, ${told(other)}.`, words.alike);
  return claim(`${told(lead)}; ${told(rest)}.`, lead.words);
}

/** A figure with the currency of another amount, in its place. */
function amountLike(amount: string, figure: number, language: QueryPlan["language"]): string {
  const style = /\d,\d{3}(?!\d)|\.\d\d(?!\d)/.test(amount)
    ? "en"
    : /\d\.\d{3}(?!\d)|,\d\d(?!\d)/.test(amount)
      ? "de"
      : language;
  return amount.replace(/\d[\d.,' ]*\d|\d/, sayFigure(figure, style));
}

function dayOfSide({ best: { picked, candidate } }: Side): string | null {
  return picked?.value.from ?? candidate.day;
}

const daysIn: Readonly<Record<string, number>> = {
  second: 1 / 86_400,
  minute: 1 / 1_440,
  hour: 1 / 24,
  day: 1,
  night: 1,
  week: 7,
  month: 30.44,
  year: 365.25,
};

function sizeOf(type: Sides["type"], side: Side): { figure: number; unit: string } | null {
  if (type === "date") {
    const day = dayOfSide(side);
    return day === null ? null : { figure: dayNumber(day), unit: "date" };
  }
  const value = side.best.picked?.value;
  const measure = value === undefined ? null : measureOf(value);
  if (measure === null || type === "amount") return measure;
  const days = daysIn[measure.unit];
  return days === undefined ? null : { figure: measure.figure * days, unit: "day" };
}
