import type { RecordTime } from "#contract";
import type { ContentLine } from "../text/content-lines.ts";
import { type Civil, civilMs, civilOfMatch, isCivil, timeFromCivil } from "../text/time.ts";
import { civilOf } from "./recurrence.ts";
import type { Zone } from "./zones.ts";

/** A moment of an event: a day, or a wall time in a zone (`utc`: Greenwich; null: floating, RFC 5545 §3.3.5 form 1). */
export interface Moment {
  readonly wall: Civil;
  readonly date: boolean;
  readonly zone: Zone | "utc" | null;
  /** The zone's name as written where nobody knows it. */
  readonly unknownZone: string | null;
}

/** Reads `20240715` or `20240715T090000Z`, also with dashes and colons; null for what is no date. */
export function parseStamp(text: string): { civil: Civil; date: boolean; utc: boolean } | null {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}))?(?:\.\d+)?\s*(Z)?)?$/i.exec(
    text.trim(),
  );
  if (!match) return null;
  const civil = civilOfMatch(match);
  return isCivil(civil) ? { civil, date: match[4] === undefined, utc: match[7] !== undefined } : null;
}

/** The moments of a date property; `zoneOf` looks its TZID up. What is no date is left out. */
export function momentsOf(line: ContentLine, zoneOf: (tzid: string) => Zone | null): Moment[] {
  // A colon in an unquoted TZID is outside the grammar; the date is what stands at the end.
  const torn = /^(.*):(\d{8}(?:T\d{6}Z?)?)$/s.exec(line.value);
  const tzid = [line.params.get("TZID")?.join(","), torn?.[1]].filter((part) => part !== undefined).join(":");
  const moments: Moment[] = [];
  for (const text of (torn?.[2] ?? line.value).split(",").slice(0, 5_000)) {
    const stamp = parseStamp(text.split("/")[0] ?? "");
    if (stamp === null) continue;
    const { civil, date, utc } = stamp;
    const known = utc || date || tzid === "" ? null : zoneOf(tzid);
    const unknownZone = known === null && tzid !== "" && !utc && !date ? tzid.slice(0, 200) : null;
    moments.push({ wall: civil, date, zone: utc ? "utc" : known, unknownZone });
  }
  return moments;
}

/** Ms since 1970; of a floating time or a day, of its wall clock read as UTC. */
export function instantOf({ wall, zone }: Moment): number {
  const ms = civilMs(wall);
  return zone === null || zone === "utc" ? ms : ms - zone.offsetAt(wall) * 60_000;
}

/** The same moment `ms` of wall clock later or earlier. */
export function atWall(moment: Moment, ms: number): Moment {
  return { ...moment, wall: civilOf(ms) };
}

/** As a record's time. */
export function timeOf({ wall, date, zone, unknownZone }: Moment, source: string): RecordTime {
  if (date) return timeFromCivil(wall, null, { source, precision: "day" });
  if (zone === "utc") return timeFromCivil(wall, "utc", { source });
  if (zone === null) return timeFromCivil(wall, null, { source, confidence: unknownZone === null ? "normal" : "low" });
  const time = timeFromCivil(wall, zone.offsetAt(wall), { source, inferred: zone.mapped });
  return { ...time, zone: zone.iana };
}

/** `P1DT2H` as whole days and ms beyond them, or null. */
export function parseDuration(text: string): { days: number; ms: number } | null {
  const match = /^([+-])?P(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/i.exec(
    text.trim(),
  );
  if (!match) return null;
  const number = (at: number) => Number(match[at] ?? 0);
  const sign = match[1] === "-" ? -1 : 1;
  return {
    days: sign * (number(2) * 7 + number(3)),
    ms: sign * ((number(4) * 60 + number(5)) * 60 + number(6)) * 1000,
  };
}

/** A stamp that is always in UTC (CREATED, LAST-MODIFIED, DTSTAMP), written with Z or not; null when there is none. */
export function stampTime(line: ContentLine | undefined, source: string): RecordTime | null {
  const stamp = line === undefined ? null : parseStamp(line.value);
  if (stamp === null || stamp.civil.year < 1971) return null;
  return timeFromCivil(stamp.civil, stamp.utc ? "utc" : null, { source, precision: stamp.date ? "day" : "second" });
}
