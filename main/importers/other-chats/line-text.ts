import { type Civil, civilMs, isCivil } from "../text/time.ts";

/** Lines of LINE's text export: a date, then `HH:MM<tab>NAME<tab>TEXT`. */

export interface LineDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const english = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const east = ["日一二三四五六", "日月火水木金土", "일월화수목금토"];

/** Day of the week (0 is Sunday) that a word names; null for other languages. */
function weekdayOf(word: string): number | null {
  const at = english.indexOf(word.slice(0, 3).toLowerCase());
  if (at >= 0) return at;
  const sign = word.replace(/^(?:星期|週|周)/, "").slice(0, 1);
  for (const days of east) if (sign !== "" && days.includes(sign)) return days.indexOf(sign);
  return null;
}

/**
 * The date of a line that holds nothing else: `2023/04/05(水)`, `2023.04.05 Wednesday`, `Wed, 04/05/2023`. Where the year
 * stands last the weekday decides between day and month; without one only a number above 12 does. Null for other lines.
 */
export function readLineDate(line: string): LineDate | null {
  const text = line.replace(/[\u200e\u200f\ufeff]/g, "").trim();
  const first = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})\.?\s*(?:[(（]?([^\d\s()（）]{1,12})[)）]?)?$/.exec(text);
  if (first !== null) return sound(Number(first[1]), Number(first[2]), Number(first[3]), null);
  const last =
    /^(?:([^\d\s,]{1,12}),?\s+)?(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:\s*[(（]?([^\d\s()（）]{1,12})[)）]?)?$/.exec(
      text,
    );
  if (last === null) return null;
  const weekday = weekdayOf(last[1] ?? last[5] ?? "");
  const [a, b, year] = [Number(last[2]), Number(last[3]), Number(last[4])];
  const readings = [sound(year, a, b, weekday), sound(year, b, a, weekday)].filter((one) => one !== null);
  return readings.length === 1 || a === b ? (readings[0] ?? null) : null;
}

function sound(year: number, month: number, day: number, weekday: number | null): LineDate | null {
  const civil: Civil = { year, month, day, hour: 0, minute: 0, second: 0 };
  if (!isCivil(civil) || year < 2011 || year > 2100) return null;
  if (weekday !== null && new Date(civilMs(civil)).getUTCDay() !== weekday) return null;
  return { year, month, day };
}

export interface LineHeader {
  readonly hour: number;
  readonly minute: number;
  /** Null for notices. */
  readonly name: string | null;
  readonly text: string;
}

const morning = /^(?:am|a\.m\.|午前|上午|오전)$/i;
const evening = /^(?:pm|p\.m\.|午後|下午|오후)$/i;

/** A line that begins a message; null for one that goes on with it. */
export function readLineHeader(line: string): LineHeader | null {
  const match = /^(?:([^\d\s]{2,4})\s?)?(\d{1,2}):(\d{2})(?:\s?([AaPp]\.?[Mm]\.?))?\t([\s\S]*)$/.exec(
    line.replace(/^\ufeff/, ""),
  );
  if (match === null) return null;
  const half = match[1] ?? match[4] ?? "";
  const [said, minute] = [Number(match[2]), Number(match[3])];
  if (half !== "" && !morning.test(half) && !evening.test(half)) return null;
  const hour = half === "" || said > 12 ? said : (said % 12) + (evening.test(half) ? 12 : 0);
  if (hour > 23 || minute > 59) return null;
  const rest = match[5] ?? "";
  const tab = rest.indexOf("\t");
  if (tab < 0) return { hour, minute, name: null, text: rest };
  const name = rest.slice(0, tab);
  return { hour, minute, name: name.trim() === "" ? null : name, text: rest.slice(tab + 1) };
}
