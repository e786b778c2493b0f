import type { RecordTime, StoredRecord } from "#contract";

/** A wall clock on a day that every month has: its day needs no calendar. */
const plainDay = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/;

/**
 * A record's time. Of a picture that knows none but its file's, and whose file was written when it was brought in, it is not
 * known: copying gave it that day, and "last week" would be the week of the import.
 */
export function timeOf({ kind, time, importedAt }: StoredRecord): RecordTime | null {
  if (time === null || time.source !== "file-time" || (kind !== "photo" && kind !== "video")) return time;
  const [written, imported] = [momentOf(time), Date.parse(importedAt)];
  return written !== null && Math.abs(imported - written) <= copiedWithin ? null : time;
}
const copiedWithin = 48 * 3_600_000;

/** Local day `YYYY-MM-DD` of a record's time; a coarser time gives its first day, an instant without a zone its day in UTC. */
export function localDayOf(time: RecordTime | null): string | null {
  if (time !== null && time.local !== null && plainDay.test(time.local)) return time.local.slice(0, 10);
  const moment = momentOf(time);
  return moment === null ? null : new Date(moment).toISOString().slice(0, 10);
}

/** Wall clock of a record as ms since 1970 as if it were UTC; for order, sessions and days, never for instants. */
export function momentOf(time: RecordTime | null): number | null {
  if (time === null) return null;
  if (time.local !== null) {
    const full =
      time.local.length === 4 ? `${time.local}-01-01` : time.local.length === 7 ? `${time.local}-01` : time.local;
    const moment = Date.parse(full.length === 10 ? `${full}T00:00:00Z` : `${full}Z`);
    return Number.isNaN(moment) ? null : moment;
  }
  if (time.utc === null) return null;
  const instant = Date.parse(time.utc);
  if (Number.isNaN(instant)) return null;
  const offset = /^([+-])(\d\d):(\d\d)$/.exec(time.offset ?? "");
  if (!offset) return instant;
  return instant + (offset[1] === "-" ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) * 60_000;
}
