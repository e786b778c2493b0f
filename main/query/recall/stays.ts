import type { StoredRecord } from "#contract";
import { localDayOf } from "../../views/index.ts";
import { dayNumber, findDates, findSpans, makeDay, monthOf, yearOf } from "../../views/language/index.ts";
import { keptBy } from "../kept-by.ts";

/** Days and stays that a record tells of: "5 to 12 August by the lake", "see you on Saturday at 12:30". */

/** Longest stay between two dates, in days. */
const longestStay = 22;
/** Characters of a record that are read for days. */
const readLength = 4_000;

/** Days that a record tells of; `at`: the hour that it names on them, wall clock in ms. */
export interface Stay {
  readonly from: string;
  readonly to: string;
  readonly named: boolean;
  readonly at: number | null;
  /** What it counts beside the record's other days, 0–1. */
  readonly share: number;
}

/** Days that a record tells of: its own for what is said in passing, the named ones for what is planned or reported. */
export const staysOf: (record: StoredRecord) => readonly Stay[] = keptBy((record) => record, readStays);

function readStays(record: StoredRecord): Stay[] {
  const day = localDayOf(record.time);
  const stays: Stay[] = day === null ? [] : [{ from: day, to: day, named: false, at: null, share: 1 }];
  const text = `${record.subject ?? ""}\n${record.text ?? ""}`.slice(0, readLength);
  const found = findDates(text, { reference: day }).flatMap((one) =>
    one.unit === "day" ? [day === null ? one : pastDay(one, day, text)] : [],
  );
  // "On Saturday 8 June 2024": the weekday is part of the date behind it.
  const dates = found.filter(
    (one, at) => !one.relative || (found[at + 1]?.start ?? Number.POSITIVE_INFINITY) - one.end > 2,
  );
  for (const [at, { from: last, start, end }] of dates.entries()) {
    // "From 3 to 10 August": the first day shares the month of the second.
    const first = /(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th)?\s*(?:to|until|till|–|-|bis)(?: the| zum)?\s*$/iu.exec(
      text.slice(Math.max(0, start - 16), start),
    );
    const opened = first === null ? null : makeDay(yearOf(last), monthOf(last), Number(first[1]));
    const from = opened !== null && opened < last ? opened : last;
    const next = dates[at + 1];
    const joined = next && /^\s*(?:,|to|until|till|through|–|-|bis)(?: zum| the)?\s*(?:\p{L}+day|\p{L}+tag)?,?\s*$/iu;
    const stay = next && joined?.test(text.slice(end, next.start)) ? dayNumber(next.from) - dayNumber(from) : 0;
    const to = next && stay > 0 && stay <= longestStay ? next.from : last;
    const clock = from === to ? clockAfter(from, text.slice(end, end + 24)) : null;
    const ahead = day !== null && to < day && plans.test(text) ? nextYear(from, to, text.slice(start, end)) : null;
    stays.push({ from, to, named: true, at: clock, share: ahead === null ? 1 : lessLikely });
    if (ahead !== null) stays.push({ ...ahead, named: true, at: null, share: 1 });
  }
  // "Christmas here this year": the days of the feast.
  const feasts = day === null ? [] : findSpans(text, [yearOf(day)]);
  return [...stays, ...feasts.map(({ from, to }) => ({ from, to, named: true, at: null, share: 1 }))];
}

/** "I had closed it on the 3rd": a bare day of what is past is of the month before, if it does not come earlier in its own. */
function pastDay<T extends { from: string; to: string; start: number; end: number }>(
  one: T,
  day: string,
  text: string,
): T {
  if (one.from <= day || !bareDay.test(text.slice(one.start, one.end))) return one;
  if (!pastBefore.test(text.slice(Math.max(0, one.start - 60), one.start))) return one;
  const [year, month] = [yearOf(one.from), monthOf(one.from)];
  const before = makeDay(month === 1 ? year - 1 : year, month === 1 ? 12 : month - 1, Number(one.from.slice(8)));
  return before === null || before > day ? one : { ...one, from: before, to: before };
}
const bareDay = /^(?:on the|the|am|den|dem)\s\d{1,2}(?:st|nd|rd|th|\.)$/iu;
const pastBefore =
  /(?<!\p{L})(?:had|was|were|hatten?|war|waren)(?!\p{L})[^.!?\n]{0,40}(?<!(?<!\p{L})(?:to|for|until|till|auf|für|bis)\s)$/iu;

/** What agrees on a coming time: a day without its year is the next one, however near the last was. */
const plans =
  /(?<!\p{L})(?:confirm\p{L}*|book(?:ed|ing)?|reserv\p{L}*|arriv\p{L}*|invit\p{L}*|look\p{L}* forward|see you|bestätig\p{L}*|buch\p{L}*|gebucht|reservier\p{L}*|anreise|ankunft|eingeladen|einladung|freuen uns)(?!\p{L})/iu;
const lessLikely = 0.5;

function nextYear(from: string, to: string, said: string): { from: string; to: string } | null {
  if (/\d{4}/.test(said)) return null;
  const [a, b] = [from, to].map((day) => makeDay(yearOf(day) + 1, monthOf(day), Number(day.slice(8))));
  return a && b ? { from: a, to: b } : null;
}

function clockAfter(day: string, text: string): number | null {
  const clock = /^[^\d.]{0,12}(?<!\d)([01]?\d|2[0-3])[:.]([0-5]\d)(?!\d)/u.exec(text);
  return clock === null ? null : Date.parse(`${day}T${clock[1]?.padStart(2, "0")}:${clock[2]}:00Z`);
}
