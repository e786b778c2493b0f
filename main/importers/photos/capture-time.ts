import type { RecordTime } from "#contract";
import { offsetAtInstant, offsetAtWallMs } from "../text/zone.ts";
import type { FilmTime } from "../video/facts.ts";
import { type NamedTime, timeInFileName } from "./file-name-time.ts";
import {
  instantOf,
  localIso,
  offsetText,
  parseExifDate,
  parseIsoDate,
  parseOffset,
  type Wall,
  wallTime,
} from "./wall-time.ts";
import { zoneOfPlace } from "./zone.ts";

/**
 * Which time of a picture is the capture time. Every source is looked at in a fixed order; the first sound one wins,
 * and what was passed over stays beside it as raw strings. The machine's zone is never used.
 */

/** Raw strings as the file holds them; null: not there. */
export interface TimeSources {
  readonly exif: {
    readonly original: string | null;
    readonly originalSubSec: string | null;
    readonly originalOffset: string | null;
    readonly digitized: string | null;
    readonly digitizedSubSec: string | null;
    readonly digitizedOffset: string | null;
    readonly modified: string | null;
    readonly modifiedSubSec: string | null;
    readonly modifiedOffset: string | null;
    /** GPS date and time, always UTC: ms since 1970. */
    readonly gpsUtc: number | null;
  };
  /** ISO 8601 strings with the name of their property, in order of trust. */
  readonly xmp: readonly { readonly field: string; readonly value: string }[];
  /** `xmp:CreateDate`: when the file was made, which is the shot for a camera's own file. Weak. */
  readonly xmpCreated: string | null;
  /** `20240714` and `213015+0200`. */
  readonly iptc: { readonly date: string | null; readonly time: string | null };
  /** What the container of a film says, in order of trust; of a PNG, its own text. */
  readonly container: readonly FilmTime[];
  /** Seconds that a film lasts: some count its end. */
  readonly duration: number | null;
  /** Where it was taken, in degrees, when that is sure: gives the zone. */
  readonly place: { readonly lat: number; readonly lon: number } | null;
  /** Instant a service wrote into a sidecar, ms since 1970. */
  readonly sidecarUtc: number | null;
  /** Which sidecar, and how exactly it tells: Takeout's to the second when absent. */
  readonly sidecar?: { readonly source: string; readonly precision: RecordTime["precision"] };
  readonly fileName: string;
  /** ms since 1970. */
  readonly fileTime: number | null;
}

interface Candidate {
  readonly source: string;
  readonly wall: Wall | null;
  readonly utc: number | null;
  /** Minutes east of UTC, from the same tag. */
  readonly offset: number | null;
  readonly inferred?: boolean;
  readonly confidence?: "low";
  readonly precision?: RecordTime["precision"];
  readonly zone?: string;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Offset that a wall time has against an instant of the same moment: nearest quarter hour within ±14 h, skew under 5 minutes; else null. */
function offsetBetween(wall: Wall, utc: number): number | null {
  const difference = (instantOf(wall, 0) - utc) / minute;
  const rounded = Math.round(difference / 15) * 15;
  return Math.abs(difference - rounded) < 5 && Math.abs(rounded) <= 14 * 60 ? rounded : null;
}

function exifCandidate(
  source: string,
  raw: string | null,
  subSec: string | null,
  offset: string | null,
): Candidate | null {
  const read = raw === null ? null : parseExifDate(raw, subSec);
  if (read === null) return null;
  return { source, wall: read.wall, utc: null, offset: parseOffset(offset) ?? read.offset };
}

function isoCandidate(source: string, value: string): Candidate | null {
  const read = parseIsoDate(value);
  if (read === null) return null;
  // "Z" tells the instant, not that the picture was taken in Greenwich.
  if (read.zulu)
    return { source, wall: null, utc: instantOf(read.wall, 0), offset: null, precision: read.wall.precision };
  return { source, wall: read.wall, utc: null, offset: read.offset };
}

function containerCandidate({ source, value, wallClock }: FilmTime): Candidate | null {
  if (typeof value === "string") return isoCandidate(source, value);
  if (!wallClock) return { source, wall: null, utc: value, offset: null, precision: "second" };
  const wall = wallOf(value, 0);
  return wall && { source, wall, utc: null, offset: null, confidence: "low" };
}

/** The clock of an instant `offset` minutes east of UTC. */
function wallOf(utc: number, offset: number): Wall | null {
  const at = new Date(utc + offset * minute);
  const parts = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours()];
  const ms = at.getUTCMilliseconds();
  return wallTime([...parts, at.getUTCMinutes(), at.getUTCSeconds()], ms === 0 ? "second" : "ms", ms);
}

function nameCandidate(named: NamedTime): Candidate {
  return named.utc
    ? { source: "file-name", wall: null, utc: instantOf(named.wall, 0), offset: null, precision: named.wall.precision }
    : { source: "file-name", wall: named.wall, utc: null, offset: null };
}

function earliest(candidate: Candidate): number {
  return candidate.utc ?? (candidate.wall === null ? 0 : instantOf(candidate.wall, candidate.offset ?? 14 * 60));
}

/** First moments that cameras without a set clock write. */
function isResetClock({ wall }: Candidate): boolean {
  return (
    wall !== null &&
    [1970, 1980, 2000].includes(wall.year) &&
    wall.month === 1 &&
    wall.day === 1 &&
    wall.hour === 0 &&
    wall.minute === 0 &&
    wall.second === 0 &&
    (wall.precision === "second" || wall.precision === "ms")
  );
}

function toRecordTime(candidate: Candidate, low: boolean): RecordTime {
  const { wall, source } = candidate;
  const offset = candidate.offset;
  const utc = candidate.utc ?? (wall !== null && offset !== null ? instantOf(wall, offset) : null);
  const precision = wall?.precision ?? candidate.precision ?? "second";
  return {
    utc: utc === null ? null : new Date(utc).toISOString(),
    local: wall === null ? null : localIso(wall),
    offset: offset === null ? null : offsetText(offset),
    zone: candidate.zone ?? null,
    source,
    precision,
    inferred: candidate.inferred ?? false,
    confidence: low || candidate.confidence === "low" ? "low" : "normal",
  };
}

const hasClock = ({ precision }: Wall) => precision === "ms" || precision === "second" || precision === "minute";

/** A wall time without an offset, settled by a sidecar's instant, by GPS time or by the zone of its place. */
function settle(candidate: Candidate, sources: TimeSources): Candidate {
  if (candidate.wall === null || candidate.offset !== null || !hasClock(candidate.wall)) return candidate;
  if (sources.sidecarUtc !== null && sources.sidecarUtc !== 0 && sources.sidecar === undefined) {
    const offset = offsetBetween(candidate.wall, sources.sidecarUtc);
    if (offset !== null) return { ...candidate, offset, inferred: true };
    // They tell different moments. The service's instant counts: people correct a wrong camera clock there.
    return { source: sidecarSource, wall: null, utc: sources.sidecarUtc, offset: null, confidence: "low" };
  }
  if (sources.exif.gpsUtc !== null) {
    const offset = offsetBetween(candidate.wall, sources.exif.gpsUtc);
    if (offset !== null) return { ...candidate, offset, inferred: true };
  }
  // The same clock reading in XMP with an offset. Editors write their machine's zone there, so it is not taken as read.
  for (const { field, value } of sources.xmp) {
    const twin = field === "exif:DateTimeOriginal" ? parseIsoDate(value) : null;
    if (twin?.offset == null || localIso(twin.wall).slice(0, 19) !== localIso(candidate.wall).slice(0, 19)) continue;
    return { ...candidate, offset: twin.offset, inferred: true };
  }
  const zone = sources.place && zoneOfPlace(sources.place.lat, sources.place.lon);
  if (zone == null) return candidate;
  return { ...candidate, offset: offsetAtWallMs(zone, instantOf(candidate.wall, 0)), zone, inferred: true };
}

/** An instant without a zone: the wall clock by the zone of its place, or by the clock that the file name shows. */
function localised(candidate: Candidate, sources: TimeSources, named: NamedTime | null): Candidate {
  const { utc } = candidate;
  if (utc === null || candidate.wall !== null) return candidate;
  const zone = sources.place && zoneOfPlace(sources.place.lat, sources.place.lon);
  const fromName = named !== null && !named.utc && hasClock(named.wall) ? offsetOfName(named.wall, utc, sources) : null;
  const fromZone = zone == null ? null : offsetAtInstant(zone, utc);
  if (candidate.source.startsWith("mvhd") && fromName === 0) {
    // The name's clock and what should be UTC are the same: at a place east or west, the camera wrote its wall clock.
    const wall = wallOf(utc, 0);
    if (wall && zone != null && fromZone !== 0) {
      return { source: candidate.source, wall, utc: null, offset: offsetAtWallMs(zone, utc), zone, inferred: true };
    }
    // Without a place it may have been taken in Greenwich as well.
    if (fromZone === null) return { ...candidate, wall, offset: 0, inferred: true, confidence: "low" };
  }
  const offset = fromZone ?? fromName;
  const wall = offset === null ? null : wallOf(utc, offset);
  if (offset === null || wall === null) return candidate;
  return { ...candidate, wall, offset, inferred: true, ...(zone != null ? { zone } : {}) };
}

/** Cameras note a film's beginning in its name and its end in its header, or the beginning in both. */
function offsetOfName(wall: Wall, utc: number, { duration }: TimeSources): number | null {
  return offsetBetween(wall, utc) ?? (duration === null ? null : offsetBetween(wall, utc - duration * 1000));
}

/** They may tell of a copy or an edit. */
const weak = new Set(["exif:ModifyDate", "xmp:CreateDate"]);
const sidecarSource = "sidecar:photoTakenTime";

/**
 * The capture time, or null. `now` (ms) bounds what can be true: a time more than a day ahead of it is never taken.
 */
export function captureTime(sources: TimeSources, now: number): RecordTime | null {
  const { exif, iptc } = sources;
  const named = timeInFileName(sources.fileName, now);
  const iptcIso = iptc.date === null ? null : isoFromIptc(iptc.date, iptc.time);
  const found: (Candidate | null)[] = [
    exifCandidate("exif:DateTimeOriginal", exif.original, exif.originalSubSec, exif.originalOffset),
    exifCandidate("exif:DateTimeDigitized", exif.digitized, exif.digitizedSubSec, exif.digitizedOffset),
    ...sources.xmp.map(({ field, value }) => isoCandidate(`xmp:${field}`, value)),
    iptcIso === null ? null : isoCandidate("iptc:DateCreated", iptcIso),
    exif.gpsUtc === null
      ? null
      : { source: "exif:GPSDateTime", wall: null, utc: exif.gpsUtc, offset: null, precision: "second" },
    ...sources.container.map(containerCandidate),
    // 0 stands for "none" in Takeout; see formats of Google Photos.
    sources.sidecarUtc === null || sources.sidecarUtc === 0
      ? null
      : {
          source: sources.sidecar?.source ?? sidecarSource,
          wall: null,
          utc: sources.sidecarUtc,
          offset: null,
          precision: sources.sidecar?.precision ?? "second",
        },
    named === null ? null : nameCandidate(named),
    sources.xmpCreated === null ? null : isoCandidate("xmp:CreateDate", sources.xmpCreated),
    exifCandidate("exif:ModifyDate", exif.modified, exif.modifiedSubSec, exif.modifiedOffset),
  ];
  const sound = found.filter((one) => one !== null).filter((one) => earliest(one) <= now + day);
  const best = sound.find((one) => !isResetClock(one));
  if (best) {
    return toRecordTime(localised(settle(best, sources), sources, named), weak.has(best.source));
  }
  const reset = sound[0];
  if (reset) return toRecordTime(reset, true);
  if (sources.fileTime === null || sources.fileTime > now + day) return null;
  const fileTime = Math.trunc(sources.fileTime / 1000) * 1000;
  return toRecordTime({ source: "file-time", wall: null, utc: fileTime, offset: null, precision: "second" }, true);
}

function isoFromIptc(date: string, time: string | null): string | null {
  const parts = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(date.trim());
  if (!parts) return null;
  const clock = /^(\d\d):?(\d\d):?(\d\d)([+-]\d\d:?\d\d)?$/.exec(time?.trim() ?? "");
  const dayText = `${parts[1]}-${parts[2]}-${parts[3]}`;
  return clock ? `${dayText}T${clock[1]}:${clock[2]}:${clock[3]}${clock[4] ?? ""}` : dayText;
}
