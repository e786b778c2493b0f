import { findDates } from "./dates.ts";
import { addDays, makeDay, weekdayOf } from "./days.ts";

/** A stretch of days that a question names in words: a holiday, or a part of a month. */
export interface NamedSpan {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly from: string;
  readonly to: string;
  /** Its name is said in texts too ("Christmas") and stays a word to look for. */
  readonly name: { readonly start: number; readonly end: number } | null;
}

/** Sunday of Easter in the Gregorian calendar (the anonymous algorithm of Meeus, Astronomical Algorithms, chapter 8). */
export function easterSunday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return makeDay(year, month, day) ?? `${year}-04-01`;
}

const fixed = (from: string, to: string) => (year: number) => ({ from: `${year}-${from}`, to: `${year}-${to}` });
const aroundEaster = (from: number, to: number) => (year: number) => {
  const sunday = easterSunday(year);
  return { from: addDays(sunday, from), to: addDays(sunday, to) };
};

const holidays: readonly (readonly [RegExp, (year: number) => { from: string; to: string }])[] = [
  [/christmas eve|heiligabend/iu, fixed("12-24", "12-24")],
  [/boxing day/iu, fixed("12-26", "12-26")],
  [/christmas|xmas|weihnachten/iu, fixed("12-24", "12-26")],
  [/new year['’]s eve|silvester/iu, fixed("12-31", "12-31")],
  [/new year['’]s day|neujahr/iu, fixed("01-01", "01-01")],
  [/halloween/iu, fixed("10-31", "10-31")],
  [/valentine['’]s day|valentinstag/iu, fixed("02-14", "02-14")],
  [/good friday|karfreitag/iu, aroundEaster(-2, -2)],
  [/easter|ostern/iu, aroundEaster(-2, 1)],
  [/pentecost|whitsun|pfingsten/iu, aroundEaster(49, 50)],
];

const yearBehind = "(?:(?:,| of| in| im Jahr)?\\s(?<year>(?:19|20)\\d\\d))?";
const holidayPatterns = holidays.map(
  ([{ source }, days]) => [new RegExp(`(?<!\\p{L})(?<name>${source})${yearBehind}(?!\\p{L})`, "giu"), days] as const,
);
/** Most texts name none of them. */
const anyHoliday = new RegExp(holidays.map(([{ source }]) => source).join("|"), "iu");

const ordinals = [
  "first|1st|erste[nrsm]?|1\\.",
  "second|2nd|zweite[nrs]?|2\\.",
  "third|3rd|dritte[nrs]?|3\\.",
  "fourth|4th|vierte[nrs]?|4\\.",
];

const monthPart = new RegExp(
  `(?<!\\p{L})(?:(?<which>${ordinals.join("|")}|last|letzte[nrsm]?)\\s(?<unit>week(?:end)?|woche(?:nende)?)|(?<edge>beginning|start|end|middle|anfang|ende|mitte))\\s(?:of\\s|in\\s|im\\s|des\\s)?(?<month>\\p{L}+(?:\\s(?:19|20)\\d\\d)?)`,
  "giu",
);

/**
 * Holidays with a year (or with each of `years`), and weeks, weekends and ends of a month. The second week of a month is its days
 * 8–14.
 */
export function findSpans(text: string, years: readonly number[]): NamedSpan[] {
  const spans: NamedSpan[] = [];
  for (const [regex, days] of anyHoliday.test(text) ? holidayPatterns : []) {
    for (const match of text.matchAll(regex)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (spans.some((one) => start < one.end && one.start < end)) continue;
      const name = { start, end: start + (match.groups?.name ?? "").length };
      for (const year of match.groups?.year === undefined ? years : [Number(match.groups.year)]) {
        spans.push({ start, end, text: match[0], ...days(year), name });
      }
    }
  }
  for (const match of text.matchAll(monthPart)) {
    const [start, end] = [match.index, match.index + match[0].length];
    for (const { from, to, unit } of findDates(`in ${match.groups?.month ?? ""}`, { reference: null, years })) {
      if (unit !== "month") continue;
      spans.push({
        start,
        end,
        text: match[0],
        ...(/end/iu.test(match.groups?.unit ?? "")
          ? weekendOf(from, to, match.groups?.which)
          : partOf(from, to, match.groups?.which, match.groups?.edge)),
        name: null,
      });
    }
  }
  return spans;
}

function partOf(from: string, to: string, which: string | undefined, edge: string | undefined) {
  if (edge !== undefined) {
    if (/^(?:end|ende)$/iu.test(edge)) return { from: addDays(to, -9), to };
    if (/^mi/iu.test(edge)) return { from: addDays(from, 9), to: addDays(from, 20) };
    return { from, to: addDays(from, 9) };
  }
  const at = ordinals.findIndex((pattern) => new RegExp(`^(?:${pattern})$`, "iu").test(which ?? ""));
  if (at < 0) return { from: addDays(to, -6), to };
  return { from: addDays(from, 7 * at), to: addDays(from, 7 * at + 6) };
}

/** The first weekend of a month is that of its first Saturday, the last one that of its last. */
function weekendOf(from: string, to: string, which: string | undefined) {
  const at = ordinals.findIndex((pattern) => new RegExp(`^(?:${pattern})$`, "iu").test(which ?? ""));
  const first = addDays(from, (5 - weekdayOf(from) + 7) % 7);
  const saturday = at < 0 ? addDays(to, -((weekdayOf(to) - 5 + 7) % 7)) : addDays(first, 7 * at);
  return { from: saturday, to: addDays(saturday, 1) };
}
