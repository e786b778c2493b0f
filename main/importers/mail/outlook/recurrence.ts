/** Minutes between 1601 and 1970. */
const epochMinutes = 194_074_560;

const days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;

function dayText(minutes: number): string {
  return new Date((minutes - epochMinutes) * 60_000).toISOString().slice(0, 10).replaceAll("-", "");
}

/**
 * The rule of a series (RecurrencePattern, MS-OXOCAL §2.2.1.44.1) as an RRULE line; null for calendars other than the
 * Gregorian one and for what cannot be read. Meetings that were moved are not in it.
 */
export function ruleOf(blob: Buffer, allDay: boolean): string | null {
  try {
    return readRule(blob, allDay);
  } catch {
    return null;
  }
}

function readRule(blob: Buffer, allDay: boolean): string | null {
  if (blob.readUInt16LE(0) !== 0x3004 || blob.readUInt16LE(8) > 1) return null;
  const frequency = blob.readUInt16LE(4);
  const pattern = blob.readUInt16LE(6);
  const period = blob.readUInt32LE(14);
  let at = 22;
  const parts: string[] = [];
  if (pattern === 1) parts.push(`BYDAY=${byDay(blob.readUInt32LE(at))}`);
  else if (pattern === 2) parts.push(`BYMONTHDAY=${Math.min(31, blob.readUInt32LE(at))}`);
  else if (pattern === 3) {
    const nth = blob.readUInt32LE(at + 4);
    parts.push(`BYDAY=${byDay(blob.readUInt32LE(at))}`, `BYSETPOS=${nth === 5 ? -1 : nth}`);
  } else if (pattern !== 0) return null;
  at += pattern === 0 ? 0 : pattern === 3 ? 8 : 4;
  const yearly = frequency === 0x200d;
  // Days are counted in minutes, years in months.
  const [name, interval] =
    frequency === 0x200a && pattern === 0
      ? ["DAILY", period / 1440]
      : pattern === 1
        ? ["WEEKLY", frequency === 0x200a ? 1 : period]
        : yearly
          ? ["YEARLY", period / 12]
          : ["MONTHLY", period];
  if (!Number.isInteger(interval) || interval < 1) return null;
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  const endType = blob.readUInt32LE(at);
  const count = blob.readUInt32LE(at + 4);
  const deleted = blob.readUInt32LE(at + 12);
  const modified = blob.readUInt32LE(at + 16 + 4 * deleted);
  const endAt = at + 20 + 4 * deleted + 4 * modified + 4;
  if (endType === 0x2022) parts.push(`COUNT=${count}`);
  else if (endType === 0x2021) parts.push(`UNTIL=${dayText(blob.readUInt32LE(endAt))}${allDay ? "" : "T235959Z"}`);
  return `RRULE:FREQ=${name};${parts.join(";")}`.replace(/;$/, "");
}

function byDay(mask: number): string {
  return days.filter((_, day) => (mask & (1 << day)) !== 0).join(",");
}
