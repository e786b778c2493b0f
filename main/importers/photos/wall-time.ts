import type { RecordTime } from "#contract";

/** Wall-clock time without a zone; parts beyond `precision` are 1 (month, day) or 0. Milliseconds 0–999. */
export interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
  readonly precision: RecordTime["precision"];
}

/** A wall time that the calendar knows, or null. Leap seconds are refused, as are years before 1826, the first photograph. */
export function wallTime(
  parts: readonly (number | undefined)[],
  precision: RecordTime["precision"],
  ms = 0,
): Wall | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  const at = new Date(Date.UTC(year, month - 1, day));
  const known =
    year >= 1826 &&
    year <= 9999 &&
    at.getUTCFullYear() === year &&
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return known ? { year, month, day, hour, minute, second, ms, precision } : null;
}

/** ms since 1970 of a wall time `offset` minutes east of UTC. */
export function instantOf(wall: Wall, offset: number): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second, wall.ms) - offset * 60_000;
}

/** `2024-07-14T21:30:15.250`, or its leading parts for a coarser precision. */
export function localIso(wall: Wall): string {
  const iso = new Date(instantOf(wall, 0)).toISOString();
  const length = { year: 4, month: 7, day: 10, minute: 16, second: 19, ms: 23 }[wall.precision];
  return iso.slice(0, length);
}

/** `+02:00` from minutes. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Minutes east of UTC of `+02:00`, `-0800`, `Z`; null for blanks and nonsense. Bounds: ±14 h. */
export function parseOffset(raw: string | null | undefined): number | null {
  const text = raw?.trim() ?? "";
  if (text === "Z") return 0;
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(text);
  if (!parts) return null;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  if (minutes > 14 * 60 || Number(parts[3]) > 59) return null;
  return parts[1] === "-" ? -minutes : minutes;
}

const exifDate =
  /^\s*(\d{4})[:\-/.](\d\d)[:\-/.](\d\d)(?:[ T]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(Z|[+-]\d\d:?\d\d)?)?/;

/** Milliseconds of decimal digits after the point: "25" is .250. */
function milliseconds(digits: string): number {
  return Number(digits.slice(0, 3).padEnd(3, "0"));
}

/**
 * An EXIF date (CIPA DC-008 §4.6.5: "YYYY:MM:DD HH:MM:SS", unknown parts blank). Other separators, a "T" and an offset
 * in the value are read too. `subSec` holds the decimal digits of the second. Null for zeros, blanks and impossible dates.
 */
export function parseExifDate(
  raw: string,
  subSec: string | null,
): { readonly wall: Wall; readonly offset: number | null } | null {
  const parts = exifDate.exec(raw);
  if (!parts) return null;
  const numbers = parts.slice(1, 7).map((part) => (part === undefined ? undefined : Number(part)));
  const fraction = subSec?.trim() || parts[7];
  const hasMs = parts[6] !== undefined && fraction !== undefined && /^\d+$/.test(fraction);
  const precision = parts[4] === undefined ? "day" : parts[6] === undefined ? "minute" : hasMs ? "ms" : "second";
  const wall = wallTime(numbers, precision, hasMs ? milliseconds(fraction) : 0);
  return wall === null ? null : { wall, offset: parseOffset(parts[8]) };
}

const isoDate =
  /^\s*(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?\s*(Z|[+-]\d\d:?\d\d)?)?)?)?\s*$/;

/** An XMP date (ISO 16684-1 §8.2.1.2): an ISO 8601 date, or its leading parts. `zulu`: it ends in Z. */
export function parseIsoDate(
  raw: string,
): { readonly wall: Wall; readonly offset: number | null; readonly zulu: boolean } | null {
  const parts = isoDate.exec(raw);
  if (!parts) {
    const lenient = parseExifDate(raw, null);
    return lenient && { ...lenient, zulu: false };
  }
  const numbers = parts.slice(1, 7).map((part) => (part === undefined ? undefined : Number(part)));
  const given = numbers.filter((one) => one !== undefined).length;
  const steps = ["year", "month", "day", "day", "minute", "second"] as const;
  const ms = parts[7];
  const wall = wallTime(numbers, ms === undefined ? (steps[given - 1] ?? "second") : "ms", ms ? milliseconds(ms) : 0);
  return wall && { wall, offset: parts[8] === "Z" ? null : parseOffset(parts[8]), zulu: parts[8] === "Z" };
}
