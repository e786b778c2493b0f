import type { RecordTime } from "#contract";

/** A date and clock as digits say it, in no zone. Month 1–12, hour 0–23; second 60 is a leap second. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const two = (value: number) => String(value).padStart(2, "0");

/** True when the day is in the calendar and the clock on the dial. */
export function isCivil(civil: Civil): boolean {
  const { year, month, day, hour, minute, second } = civil;
  const whole = Number.isInteger(year) && Number.isInteger(month) && Number.isInteger(day);
  if (!whole || !Number.isInteger(hour) || !Number.isInteger(minute) || !Number.isInteger(second)) return false;
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  if (day > 28 && day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()) return false;
  return hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60;
}

/** Year to second out of the first groups of a match, in that order; those that are missing are 0. May be no civil time. */
export function civilOfMatch(match: readonly (string | undefined)[]): Civil {
  const number = (at: number) => Number(match[at] ?? 0);
  return {
    year: number(1),
    month: number(2),
    day: number(3),
    hour: number(4),
    minute: number(5),
    second: number(6),
  };
}

/** Milliseconds since 1970 of a civil time taken as UTC. */
export function civilMs(civil: Civil): number {
  // Years below 100 are no abbreviations.
  if (civil.year >= 100)
    return Date.UTC(civil.year, civil.month - 1, civil.day, civil.hour, civil.minute, civil.second);
  const date = new Date(0);
  date.setUTCFullYear(civil.year, civil.month - 1, civil.day);
  date.setUTCHours(civil.hour, civil.minute, civil.second, 0);
  return date.getTime();
}

/** `2024-03-04T09:15:00` of milliseconds since 1970, read as UTC. */
export function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** `+05:30` of minutes east of Greenwich. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

interface TimeOptions {
  readonly source: string;
  readonly precision?: RecordTime["precision"];
  readonly confidence?: RecordTime["confidence"];
  readonly inferred?: boolean;
}

function build(utc: string | null, local: string | null, offset: string | null, options: TimeOptions): RecordTime {
  const { source, precision = "second", confidence = "normal", inferred = false } = options;
  return { utc, local, offset, zone: null, source, precision, inferred, confidence };
}

/**
 * A time from a wall clock and what is said about its zone: minutes east of Greenwich (instant and offset known),
 * "utc" (instant known, zone not), or null (wall clock only).
 */
export function timeFromCivil(civil: Civil, zone: number | "utc" | null, options: TimeOptions): RecordTime {
  const ms = civilMs(civil);
  if (zone === "utc") return build(`${isoSeconds(ms)}Z`, null, null, options);
  const wall = isoSeconds(ms);
  const local =
    options.precision === "minute" ? wall.slice(0, 16) : options.precision === "day" ? wall.slice(0, 10) : wall;
  if (zone === null) return build(null, local, null, options);
  return build(`${zone === 0 ? wall : isoSeconds(ms - zone * 60_000)}Z`, local, offsetText(zone), options);
}

/**
 * A time from an instant that a source gives without a zone: milliseconds since 1970. Null for what is no moment between
 * the years 1900 and 9999, as zeros and sentinels are (0 itself means "none" in every source).
 */
export function timeFromInstant(ms: number, options: TimeOptions): RecordTime | null {
  if (!Number.isFinite(ms) || ms === 0 || ms < -2_208_988_800_000 || ms > 253_402_300_799_999) return null;
  const whole = Math.trunc(ms);
  const text = new Date(whole).toISOString();
  const utc = options.precision === "ms" ? text : `${text.slice(0, 19)}Z`;
  return build(utc, null, null, options);
}
