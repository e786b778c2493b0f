import type { ImportedRecord, SourceLocation } from "#contract";
import { jsonItems } from "../text/json.ts";
import type { Entry } from "../types.ts";
import type { Days } from "./days.ts";
import { type Stay, stayRecord } from "./record.ts";
import {
  coordinatesOf,
  fromE7,
  instantOf,
  recordSchema,
  type Segment,
  type Spot,
  segmentSchema,
  signalSchema,
  type TimelineObject,
  timelineSchema,
} from "./shapes.ts";

/** Which of Google's location histories a file is. */
export type Shape = "records" | "semantic" | "android" | "ios";

/** By its keys, whatever the file is called; null for any other JSON. */
export function shapeOf(head: string): Shape | null {
  if (/^\s*\{\s*"locations"\s*:\s*\[\s*(?:\]|\{[\s\S]*"(?:latitudeE7|timestamp(?:Ms)?)")/.test(head)) return "records";
  if (/^\s*\{\s*"timelineObjects"\s*:\s*\[/.test(head)) return "semantic";
  if (/^\s*\{[\s\S]*"(?:semanticSegments|rawSignals|userLocationProfile)"\s*:/.test(head)) return "android";
  const bare = /^\s*\[\s*\{/.test(head) && /"startTime"\s*:/.test(head) && /"endTime"\s*:/.test(head);
  return bare && /"(?:visit|activity|timelinePath|timelineMemory)"\s*:/.test(head) ? "ios" : null;
}

const pathsOf: Readonly<Record<Shape, readonly string[]>> = {
  records: ["$.locations.*"],
  semantic: ["$.timelineObjects.*"],
  android: ["$.semanticSegments.*", "$.rawSignals.*"],
  ios: ["$.*"],
};

/** What reading counts besides. */
export interface Tally {
  skipped: number;
}

/**
 * Visits and moves of a history, as they come; its points go into `days`. Entries that name no place or no time are counted.
 * Throws `damaged_file` where the JSON breaks, after all that stood before.
 */
export async function* readHistory(
  entry: Entry,
  shape: Shape,
  file: SourceLocation,
  days: Days,
  tally: Tally,
): AsyncGenerator<ImportedRecord> {
  for await (const { path, value } of jsonItems(entry, pathsOf[shape])) {
    let stays: readonly (Stay | null)[] | null;
    if (shape === "records") stays = takeRecord(value, days);
    else if (shape === "semantic") stays = takeTimeline(value, days);
    else if (path[0] === "rawSignals") {
      takeSignal(value, days);
      continue;
    } else stays = takeSegment(value, days);
    if (stays === null) tally.skipped++;
    for (const stay of stays ?? []) {
      const record = stay === null ? null : stayRecord(stay, file, shape);
      if (record === null) tally.skipped++;
      else yield record;
    }
  }
}

/** Null: the entry says no place or no time. */
function takeRecord(value: unknown, days: Days): readonly Stay[] | null {
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) return null;
  const at = fromE7(parsed.data.latitudeE7, parsed.data.longitudeE7);
  const when = instantOf(parsed.data.timestamp ?? parsed.data.timestampMs);
  if (at === null || when === null) return null;
  days.add({ ...at, ms: when.ms });
  return [];
}

/** Of raw signals only positions are places; scans and guesses at what a person does are not. */
function takeSignal(value: unknown, days: Days): void {
  const parsed = signalSchema.safeParse(value);
  if (!parsed.success) return;
  const { LatLng, latLng, point, timestamp } = parsed.data.position;
  const at = coordinatesOf(LatLng ?? latLng ?? point);
  const when = instantOf(timestamp);
  if (at !== null && when !== null) days.add({ ...at, ms: when.ms });
}

/** The moment of a segment's edge, in the offset that stands beside it, else in the one that is written. */
function edge(stamp: string | null | undefined, minutes: number | null | undefined) {
  const at = instantOf(stamp);
  return at === null ? null : { ms: at.ms, offset: minutes ?? at.offset };
}

function takeSegment(value: unknown, days: Days): readonly (Stay | null)[] | null {
  const parsed = segmentSchema.safeParse(value);
  if (!parsed.success) return null;
  const segment: Segment = parsed.data;
  const start = edge(segment.startTime, segment.startTimeTimezoneUtcOffsetMinutes);
  const end = edge(segment.endTime, segment.endTimeTimezoneUtcOffsetMinutes);
  if (start === null) return null;
  const { visit, activity, timelinePath } = segment;
  if (timelinePath) {
    for (const point of timelinePath) {
      const at = coordinatesOf(point?.point);
      const minutes = point?.durationMinutesOffsetFromStartTime;
      const ms = instantOf(point?.time)?.ms ?? (minutes == null ? null : start.ms + minutes * 60_000);
      if (at !== null && ms !== null) days.add({ ...at, ms });
    }
  }
  const stays: (Stay | null)[] = [];
  if (visit) {
    const { topCandidate, hierarchyLevel } = visit;
    const at = coordinatesOf(topCandidate?.placeLocation);
    const extra = detail({
      semanticType: topCandidate?.semanticType,
      placeId: topCandidate?.placeId ?? topCandidate?.placeID,
    });
    const level = Math.max(0, Math.trunc(hierarchyLevel ?? 0));
    stays.push(at === null ? null : { what: "visit", start, end, at, level, extra });
  }
  if (activity) {
    const at = coordinatesOf(activity.start);
    const to = coordinatesOf(activity.end);
    const extra = detail({ activity: activity.topCandidate?.type, distanceMeters: activity.distanceMeters });
    stays.push(at === null && to === null ? null : { what: "move", start, end, at: at ?? to, to, extra });
  }
  return stays.length === 0 && !timelinePath ? null : stays;
}

function detail(fields: Readonly<Record<string, string | number | null | undefined>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

type Visit = NonNullable<TimelineObject["placeVisit"]>;

function takeTimeline(value: unknown, days: Days): readonly (Stay | null)[] | null {
  const parsed = timelineSchema.safeParse(value);
  if (!parsed.success) return null;
  const { placeVisit, activitySegment } = parsed.data;
  const stays: (Stay | null)[] = [];
  if (placeVisit) {
    stays.push(visitOf(placeVisit, 0));
    for (const child of placeVisit.childVisits ?? []) if (child) stays.push(visitOf(child, 1));
  }
  if (activitySegment) {
    const { duration, startLocation, endLocation, distance, activityType, simplifiedRawPath } = activitySegment;
    const start = instantOf(duration?.startTimestamp ?? duration?.startTimestampMs);
    const end = instantOf(duration?.endTimestamp ?? duration?.endTimestampMs);
    const at = coordinatesOf(startLocation);
    const to = coordinatesOf(endLocation);
    for (const point of simplifiedRawPath?.points ?? []) {
      const where = fromE7(point?.latE7, point?.lngE7);
      const when = instantOf(point?.timestamp ?? point?.timestampMs);
      if (where !== null && when !== null) days.add({ ...where, ms: when.ms });
    }
    const extra = detail({ activity: activityType, distanceMeters: distance });
    stays.push(start === null || (at ?? to) === null ? null : { what: "move", start, end, at: at ?? to, to, extra });
  }
  return stays.length === 0 ? null : stays;
}

function visitOf(visit: Omit<Visit, "childVisits">, level: number): Stay | null {
  const { duration, location } = visit;
  const start = instantOf(duration?.startTimestamp ?? duration?.startTimestampMs);
  const end = instantOf(duration?.endTimestamp ?? duration?.endTimestampMs);
  const at = coordinatesOf(location) ?? fromE7(visit.centerLatE7, visit.centerLngE7);
  if (start === null || at === null) return null;
  const named = namesOf(location);
  return {
    what: "visit",
    start,
    end,
    at,
    level,
    name: named.name,
    extra: detail({ address: named.address, placeId: named.placeId }),
  };
}

function namesOf(at: Spot | null | undefined) {
  return at == null || typeof at === "string"
    ? { name: null, address: null, placeId: null }
    : { name: at.name ?? at.address ?? null, address: at.address, placeId: at.placeId ?? at.placeID };
}
