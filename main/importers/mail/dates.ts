import type { RecordTime } from "#contract";
import { type Civil, civilMs, isCivil, timeFromCivil } from "../text/time.ts";
import { lately } from "./lately.ts";

/** A date-time of a mail header: wall clock and zone as `timeFromCivil` takes them. */
export interface MailDate {
  readonly civil: Civil;
  /** Minutes east of Greenwich; "utc": instant known, zone not (`-0000`); null: no zone was written. */
  readonly zone: number | "utc" | null;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** RFC 5322 §4.3. Other letters mean: zone unknown, taken as UTC. */
const zoneNames: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
};

/** 1 to 12 for an English month name or its first three letters, else null. */
export function monthNumber(word: string): number | null {
  const index = months.indexOf(word.slice(0, 3).toLowerCase());
  return index < 0 || !/^[a-z]{3,9}\.?$/i.test(word) ? null : index + 1;
}

/** A zone word: `+0530`, `+05:30`, `GMT`, `EST`; "utc" for `-0000`, unknown letters and impossible offsets. */
export function parseZone(word: string): number | "utc" {
  const match = /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d\d)$/i.exec(word);
  if (match === null) return zoneNames[word.toLowerCase()] ?? "utc";
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  if (minutes > 14 * 60 || Number(match[3]) > 59 || (match[1] === "-" && minutes === 0)) return "utc";
  return match[1] === "-" ? -minutes : minutes;
}

/** Comments may hold anything, also brackets; they are dropped. */
function withoutComments(text: string): string {
  if (!text.includes("(")) return text;
  let out = "";
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "\\" && depth > 0) i++;
    else if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) out += char;
    if (char === "(") out += " ";
  }
  return out;
}

function fullYear(word: string): number {
  const year = Number(word);
  if (word.length >= 4) return year;
  // RFC 5322 §4.3: two digits 00–49 are 20xx, the others and three digits count from 1900.
  return word.length === 2 && year < 50 ? 2000 + year : 1900 + year;
}

const clock = /^(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?$/;

function parseClock(word: string): { hour: number; minute: number; second: number } | null {
  const match = clock.exec(word);
  return match === null
    ? null
    : { hour: Number(match[1]), minute: Number(match[2]), second: match[3] === undefined ? 0 : Number(match[3]) };
}

/**
 * Reads a date-time of RFC 5322 §3.3 and §4.3, and the forms that programs write instead: asctime, ISO 8601, dashes
 * between the parts, AM and PM. Null when there is no full date; never the present time or this machine's zone.
 */
export const parseMailDate = lately(16, 1_000, readMailDate);

/** `Mon, 4 Mar 2024 10:00:00 +0100`, which nearly all write: read without taking it apart into words. */
const usual =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d):(\d\d) ([+-]\d{4})(?: \([A-Z]{1,5}\))?$/;

function readMailDate(raw: string): MailDate | null {
  const match = usual.exec(raw);
  if (match === null) return readDateWords(raw);
  const number = (group: number) => Number(match[group]);
  const month = months.indexOf((match[2] ?? "").toLowerCase()) + 1;
  const clock = { hour: number(4), minute: number(5), second: number(6) };
  return checked({ year: number(3), month, day: number(1), ...clock }, parseZone(match[7] ?? ""));
}

function readDateWords(raw: string): MailDate | null {
  const text = withoutComments(raw.slice(0, 500)).trim();
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?\s*(\S+)?)?/.exec(text);
  if (iso !== null) {
    const time = iso[4] === undefined ? { hour: 0, minute: 0, second: 0 } : parseClock(iso[4]);
    const zone = iso[5] === undefined ? null : parseZone(iso[5]);
    return checked({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]), ...time }, zone);
  }
  const words = text.replace(/(\d{1,2})-([A-Za-z]{3,9})-(\d{2,4})/, "$1 $2 $3").split(/[\s,]+/);
  const at = words.findIndex((word) => monthNumber(word) !== null && !/^mon(day)?$/i.test(word));
  const month = at < 0 ? null : monthNumber(words[at] ?? "");
  const timeAt = words.findIndex((word) => clock.test(word));
  const time = timeAt < 0 ? null : parseClock(words[timeAt] ?? "");
  if (month === null || time === null) return null;
  const before = words[at - 1] ?? "";
  const after = words[at + 1] ?? "";
  // `4 Mar 2024 10:00:00 +0100`, or asctime's `Mar 4 10:00:00 [zone] 2024 [zone]`.
  const dayFirst = /^\d{1,2}$/.test(before) && /^\d{2,4}$/.test(after);
  const day = dayFirst ? before : after;
  const rest = words.slice(timeAt + 1).filter((word) => word !== "");
  const yearWord = dayFirst ? after : (rest.find((word) => /^\d{4}$/.test(word)) ?? "");
  if (!/^\d{1,2}$/.test(day) || yearWord === "") return null;
  let { hour } = time;
  const half = rest.find((word) => /^[ap]\.?m\.?$/i.test(word));
  if (half !== undefined && hour <= 12) hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  const zoneWord = rest.find((word) => word !== half && !/^\d{4}$/.test(word));
  const zone = zoneWord === undefined ? null : parseZone(zoneWord);
  return checked({ year: fullYear(yearWord), month, day: Number(day), ...time, hour }, zone);
}

function checked(
  parts: Partial<Civil> & Pick<Civil, "year" | "month" | "day">,
  zone: MailDate["zone"],
): MailDate | null {
  const civil: Civil = { hour: 0, minute: 0, second: 0, ...parts };
  return isCivil(civil) ? { civil, zone } : null;
}

/** Mail is younger than 1971, and a clock that shows 1970 or a year after 2100 was never set. */
export function isSane(date: MailDate): boolean {
  return date.civil.year >= 1971 && date.civil.year <= 2100 && Number.isFinite(civilMs(date.civil));
}

/** The time that a Date field says: asked for what tells a message from others of its id, and for the message. */
const dateTime = lately(16, 1_000, (raw) => {
  const date = parseMailDate(raw);
  return date !== null && isSane(date) ? timeFromCivil(date.civil, date.zone, { source: "header:Date" }) : null;
});

/** The time of a message: Date, else the newest sane Received, else the mbox separator, else unknown. */
export function mailTime(
  dates: readonly string[],
  received: readonly string[],
  separator: MailDate | null,
): RecordTime | null {
  for (const raw of dates) {
    const time = dateTime(raw);
    if (time !== null) return time;
  }
  for (const raw of received) {
    const date = parseMailDate(raw.slice(raw.lastIndexOf(";") + 1));
    if (date === null || !isSane(date)) continue;
    return timeFromCivil(date.civil, date.zone, { source: "header:Received", confidence: "low" });
  }
  if (separator === null || !isSane(separator)) return null;
  return timeFromCivil(separator.civil, separator.zone, {
    source: "separator",
    confidence: separator.zone === null ? "low" : "normal",
  });
}
