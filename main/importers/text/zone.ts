import { type Civil, civilMs, isCivil } from "./time.ts";

/** IANA zones by the data that the runtime carries. */

const formats = new Map<string, Intl.DateTimeFormat | null>();
/** Names come from strangers: the map stays small. */
const mostFormats = 1_000;

/** Tells the wall clock of a zone; null when the machine knows no such zone. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat("en-u-ca-iso8601-hc-h23", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch {
    // No zone of that name.
  }
  if (formats.size < mostFormats) formats.set(zone, format);
  return format;
}

export function isZone(zone: string): boolean {
  return formatOf(zone) !== null;
}

/** Minutes east of Greenwich in a zone at an instant (ms since 1970). Throws `RangeError` for no zone. */
export function offsetAtInstant(zone: string, ms: number): number {
  const format = formatOf(zone);
  if (format === null) throw new RangeError(`There is no time zone ${zone}.`);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = civilMs({
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  });
  return Math.round((wall - Math.floor(ms / 1000) * 1000) / 60_000);
}

const dayMs = 86_400_000;

/**
 * Minutes east of Greenwich of a wall clock (ms since 1970, read as UTC) in a zone. Where clocks were put back, the first
 * of both; where they were put forward over it, the one before (RFC 5545 §3.3.5). Throws `RangeError` for no zone.
 */
export function offsetAtWallMs(zone: string, wall: number): number {
  const holds = (offset: number) => offsetAtInstant(zone, wall - offset * 60_000) === offset;
  const before = offsetAtInstant(zone, wall - dayMs);
  if (holds(before)) return before;
  const after = offsetAtInstant(zone, wall + dayMs);
  return holds(after) ? after : before;
}

/** The same of a date and clock; null for what is in no calendar. */
export function offsetAtWall(zone: string, wall: Civil): number | null {
  return isCivil(wall) ? offsetAtWallMs(zone, civilMs(wall)) : null;
}
