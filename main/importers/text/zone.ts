import { type Civil, civilMs, isCivil } from "./time.ts";

/** IANA zones by the data that the runtime carries. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws `RangeError` for a zone that does not exist. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-u-ca-iso8601-hc-h23", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, format);
  }
  return format;
}

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Minutes east of Greenwich in a zone at an instant (ms since 1970). Throws `RangeError` for no zone. */
export function offsetAtInstant(zone: string, ms: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
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

/**
 * Minutes east of Greenwich of a wall clock in a zone. Where clocks were put back, the first of both; where they were put
 * forward over it, the one before. Null for what is in no calendar. Throws `RangeError` for no zone.
 */
export function offsetAtWall(zone: string, wall: Civil): number | null {
  if (!isCivil(wall)) return null;
  const ms = civilMs(wall);
  const before = offsetAtInstant(zone, ms - 24 * 3_600_000);
  const after = offsetAtInstant(zone, ms + 24 * 3_600_000);
  const fits = [before, after].find((offset) => offsetAtInstant(zone, ms - offset * 60_000) === offset);
  return fits ?? before;
}
