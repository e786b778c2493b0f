import type { ImportedRecord, Place, RecordProps, RecordTime, SourceLocation } from "#contract";
import { blankRecord } from "../blank.ts";
import { cleanLine, cleanText, fieldHash } from "../text/clean.ts";
import { offsetText } from "../text/time.ts";
import { limits } from "../types.ts";
import type { Coordinates } from "./shapes.ts";

/** A moment: ms since 1970, and minutes east of Greenwich where the source tells them. */
export interface At {
  readonly ms: number;
  readonly offset: number | null;
}

export interface Point extends Coordinates {
  readonly ms: number;
}

/** A visit or a move of a history. */
export interface Stay {
  readonly what: "visit" | "move";
  readonly start: At;
  readonly end: At | null;
  readonly at: Coordinates | null;
  readonly to?: Coordinates | null;
  readonly name?: string | null;
  readonly level?: number;
  readonly track?: readonly Point[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

const isoOf = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

/** An instant with its offset. Null outside of the years 1900 to 9999. */
export function timeOf({ ms, offset }: At, source: string): RecordTime | null {
  if (ms < -2_208_988_800_000 || ms > 253_402_300_799_999) return null;
  const utc = isoOf(ms);
  const precision = utc.includes(".") ? "ms" : "second";
  const known = offset !== null && Math.abs(offset) <= 14 * 60;
  const local = known ? isoOf(ms + offset * 60_000).replace("Z", "") : null;
  return {
    utc,
    local,
    offset: known ? offsetText(offset) : null,
    zone: null,
    source,
    precision,
    inferred: false,
    confidence: "normal",
  };
}

const base = (file: SourceLocation) => ({ ...blankRecord(), kind: "location" as const, files: [file] });

const trackOf = (points: readonly Point[]): RecordProps["track"] =>
  points.map(({ ms, lat, lon }) => ({ utc: isoOf(ms), lat, lon }));

const placeAt = (at: Coordinates | null | undefined, name: string | null): Place | null =>
  at == null && name === null
    ? null
    : { lat: at?.lat ?? null, lon: at?.lon ?? null, alt: null, name, confidence: "normal" };

/** The record of a visit or a move; null when its time is none. The key is kind, start, end and level. */
export function stayRecord(stay: Stay, file: SourceLocation, source: string): ImportedRecord | null {
  const time = timeOf(stay.start, `${source}:start`);
  if (time === null) return null;
  const end = stay.end === null ? null : timeOf(stay.end, `${source}:end`);
  const name = stay.name == null ? null : cleanLine(stay.name.slice(0, 500));
  const key = [stay.what, String(stay.start.ms), String(stay.end?.ms ?? ""), String(stay.level ?? 0)];
  const extra = { ...stay.extra, ...(stay.to ? { to: stay.to } : {}) };
  return {
    ...base(file),
    identity: `location:${fieldHash(key)}`,
    subject: name,
    time,
    end,
    place: placeAt(stay.at, name),
    props: {
      what: stay.what,
      ...(stay.level === undefined ? {} : { level: stay.level }),
      ...(stay.track && stay.track.length > 0 ? { track: trackOf(stay.track) } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  };
}

/** Points of one track record; a day of a phone that notes its place each second holds more. */
export const maxTrack = 5_000;

/**
 * The record of points of one day (UTC), in order of time. The key is the part of the day and its first point: a longer
 * export adds points to the same record instead of a second one, and two people's days stay two.
 */
export function pathRecord(
  points: readonly Point[],
  file: SourceLocation,
  { source, key, name = null }: { source: string; key: string; name?: string | null },
): ImportedRecord | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const time = timeOf({ ms: first.ms, offset: null }, `${source}:point`);
  if (time === null) return null;
  const single = points.length === 1;
  return {
    ...base(file),
    identity: `location:${fieldHash(["path", key, String(first.ms), String(first.lat), String(first.lon)])}`,
    subject: name,
    time,
    end: single ? null : timeOf({ ms: last.ms, offset: null }, `${source}:point`),
    place: placeAt(first, null),
    props: { what: "path", track: trackOf(points) },
  };
}

/** The record of one named place of a map, with or without a time. */
export function pointRecord(
  at: Coordinates & { readonly alt: number | null },
  { ms, name, text }: { ms: number | null; name: string | null; text: string | null },
  file: SourceLocation,
  source: string,
): ImportedRecord {
  const shown = name === null ? null : cleanLine(name.slice(0, 500));
  return {
    ...base(file),
    identity: `location:${fieldHash(["point", String(ms ?? ""), String(at.lat), String(at.lon), shown])}`,
    subject: shown,
    text: text === null ? null : cleanText(text).slice(0, limits.textChars) || null,
    time: ms === null ? null : timeOf({ ms, offset: null }, `${source}:point`),
    end: null,
    place: { lat: at.lat, lon: at.lon, alt: at.alt, name: shown, confidence: "normal" },
    props: { what: "point" },
  };
}
