import { z } from "zod";

/**
 * Shapes of Google's location histories. None is documented: old Takeout (Records.json, Semantic Location History), and what
 * phones export since 2024 (Android: `semanticSegments`, iOS: a bare array). Numbers come as numbers or as strings.
 */

const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/i)
      .transform(Number),
  ])
  .nullish()
  .catch(null);
const text = z.string().nullish().catch(null);
const some = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);

/** A place in each spelling: `geo:48.2,16.3`, `48.2°, 16.3°`, `{latLng}`, `{latitudeE7, longitudeE7}`. */
const spot = z.union([
  z.string(),
  z.object({
    latLng: text,
    LatLng: text,
    latitudeE7: number,
    longitudeE7: number,
    latE7: number,
    lngE7: number,
    name: text,
    address: text,
    placeId: text,
    placeID: text,
  }),
]);
export type Spot = z.infer<typeof spot>;

const candidate = some(
  z.object({
    type: text,
    semanticType: text,
    placeId: text,
    placeID: text,
    placeLocation: some(spot),
    probability: number,
  }),
);

/** One entry of an on-device export. */
export const segmentSchema = z.object({
  startTime: z.string(),
  endTime: text,
  startTimeTimezoneUtcOffsetMinutes: number,
  endTimeTimezoneUtcOffsetMinutes: number,
  visit: some(z.object({ hierarchyLevel: number, probability: number, topCandidate: candidate })),
  activity: some(
    z.object({
      start: some(spot),
      end: some(spot),
      distanceMeters: number,
      probability: number,
      topCandidate: candidate,
    }),
  ),
  timelinePath: some(
    z.array(some(z.object({ point: some(spot), time: text, durationMinutesOffsetFromStartTime: number }))),
  ),
});
export type Segment = z.infer<typeof segmentSchema>;

/** One entry of `rawSignals`; only positions give a place. */
export const signalSchema = z.object({
  position: z.object({
    LatLng: some(spot),
    latLng: some(spot),
    point: some(spot),
    timestamp: z.string(),
    altitudeMeters: number,
    accuracyMeters: number,
  }),
});

/** One entry of Records.json. */
export const recordSchema = z.object({
  latitudeE7: number,
  longitudeE7: number,
  timestamp: text,
  timestampMs: z.union([z.string(), z.number()]).nullish().catch(null),
  altitude: number,
  accuracy: number,
});

const duration = some(
  z.object({
    startTimestamp: text,
    endTimestamp: text,
    startTimestampMs: z.union([z.string(), z.number()]).nullish().catch(null),
    endTimestampMs: z.union([z.string(), z.number()]).nullish().catch(null),
  }),
);
const rawPath = some(
  z.object({
    points: some(
      z.array(
        some(
          z.object({
            latE7: number,
            lngE7: number,
            timestamp: text,
            timestampMs: z.union([z.string(), z.number()]).nullish().catch(null),
          }),
        ),
      ),
    ),
  }),
);

const placeVisit = z.object({ location: some(spot), centerLatE7: number, centerLngE7: number, duration });

/** One entry of `timelineObjects` of the old Semantic Location History. */
export const timelineSchema = z.object({
  placeVisit: some(placeVisit.extend({ childVisits: some(z.array(some(placeVisit))) })),
  activitySegment: some(
    z.object({
      startLocation: some(spot),
      endLocation: some(spot),
      duration,
      distance: number,
      activityType: text,
      simplifiedRawPath: rawPath,
    }),
  ),
});
export type TimelineObject = z.infer<typeof timelineSchema>;

export interface Coordinates {
  readonly lat: number;
  readonly lon: number;
}

const sound = (lat: number, lon: number): Coordinates | null =>
  Number.isFinite(lat) && Number.isFinite(lon) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;

/** Degrees of tenths of millionths; what is beyond the globe has overflowed 32 bits (an unsigned number was written). */
export function fromE7(latE7: number | null | undefined, lonE7: number | null | undefined): Coordinates | null {
  if (latE7 == null || lonE7 == null) return null;
  const mend = (value: number, most: number) => (value > most * 1e7 ? value - 2 ** 32 : value);
  const [lat, lon] = [mend(latE7, 90) / 1e7, mend(lonE7, 180) / 1e7];
  return sound(lat, lon);
}

/** Coordinates of a spot in any of its spellings, or null. */
export function coordinatesOf(at: Spot | null | undefined): Coordinates | null {
  if (at == null) return null;
  if (typeof at !== "string") {
    const written = at.latLng ?? at.LatLng;
    return written == null ? fromE7(at.latitudeE7 ?? at.latE7, at.longitudeE7 ?? at.lngE7) : coordinatesOf(written);
  }
  const match = /^\s*(?:geo:)?\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*°?/i.exec(at);
  return match ? sound(Number(match[1]), Number(match[2])) : null;
}

/** Ms since 1970 of an RFC 3339 stamp or a number of ms as text, with the offset that is written; null for neither. */
export function instantOf(stamp: string | number | null | undefined): { ms: number; offset: number | null } | null {
  if (stamp == null || stamp === "") return null;
  const plain = typeof stamp === "number" ? stamp : /^-?\d{9,16}$/.test(stamp) ? Number(stamp) : null;
  if (plain !== null) return Number.isFinite(plain) && Math.abs(plain) < 8.64e15 ? { ms: plain, offset: null } : null;
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(
    String(stamp).trim(),
  );
  if (!match?.[4]) return null;
  const zone = /^z$/i.test(match[4]) ? "Z" : match[4].replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
  const ms = Date.parse(`${match[1]}T${match[2]}${(match[3] ?? "").slice(0, 4)}${zone}`);
  if (!Number.isFinite(ms)) return null;
  if (zone === "Z") return { ms, offset: null };
  const sign = zone.startsWith("-") ? -1 : 1;
  return { ms, offset: sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) };
}
