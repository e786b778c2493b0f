import lookup from "@photostructure/tz-lookup";

/** Time zones of places: the zone from a table inside a package, its offsets from the runtime's own tz database. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  return format;
}

/** IANA zone of a place on land or at sea (`Etc/GMT…`), or null. */
export function zoneOfPlace(lat: number, lon: number): string | null {
  try {
    return lookup(lat, lon);
  } catch {
    return null;
  }
}

/** Minutes east of UTC of a zone at an instant (ms), whole minutes. */
export function offsetAt(zone: string, utc: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(utc)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(utc / 1000) * 1000) / 60_000);
}

/**
 * Minutes east of UTC of a zone when its clocks show a wall time (as ms, read as UTC). Of an hour that clocks show twice
 * the first one; a time that they never show counts with the offset before the change.
 */
export function offsetOfWall(zone: string, wall: number): number {
  const before = offsetAt(zone, wall - 86_400_000);
  if (offsetAt(zone, wall - before * 60_000) === before) return before;
  const after = offsetAt(zone, wall + 86_400_000);
  return offsetAt(zone, wall - after * 60_000) === after ? after : before;
}
