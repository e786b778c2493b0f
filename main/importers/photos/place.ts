import type { Place } from "#contract";

/** GPS of the EXIF block as raw values: rationals as [numerator, denominator], letters as strings. */
export interface GpsTags {
  readonly latitude: unknown;
  readonly latitudeRef: string | null;
  readonly longitude: unknown;
  readonly longitudeRef: string | null;
  readonly altitude: unknown;
  readonly altitudeRef: unknown;
}

/** A rational, or null when the denominator is 0 or the numbers are none. */
export function rational(value: unknown): number | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [numerator, denominator]: unknown[] = value;
  if (typeof numerator !== "number" || typeof denominator !== "number" || denominator === 0) return null;
  const result = numerator / denominator;
  return Number.isFinite(result) ? result : null;
}

/** Degrees, minutes, seconds as three rationals (the last two may be missing, not broken). */
function degrees(value: unknown): number | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const parts = value.slice(0, 3).map(rational);
  let sum = 0;
  for (const [i, part] of parts.entries()) {
    if (part === null) return null;
    sum += part / 60 ** i;
  }
  return sum;
}

/**
 * A place from unsigned or signed degrees and hemisphere letters. Missing letters: the numbers as they stand, low
 * confidence. Null beyond ±90/±180, and for exactly 0/0, which receivers without a fix write.
 */
function placeFrom(
  latitude: number | null,
  latitudeRef: string | null,
  longitude: number | null,
  longitudeRef: string | null,
  altitude: number | null,
): Place | null {
  if (latitude === null || longitude === null) return null;
  const south = latitudeRef?.trim().toUpperCase().charAt(0);
  const west = longitudeRef?.trim().toUpperCase().charAt(0);
  const known = (south === "N" || south === "S") && (west === "E" || west === "W");
  const lat = south === "S" ? -Math.abs(latitude) : latitude;
  const lon = west === "W" ? -Math.abs(longitude) : longitude;
  if (lat === 0 && lon === 0) return null;
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return null;
  return { lat, lon, alt: altitude, name: null, confidence: known ? "normal" : "low" };
}

function signedAltitude(altitude: number | null, ref: unknown): number | null {
  if (altitude === null) return null;
  const below = Number(Array.isArray(ref) ? ref[0] : (ref ?? 0)) === 1;
  return below ? -Math.abs(altitude) : altitude;
}

/** Place of the EXIF GPS block (CIPA DC-008 §4.6.6), or null. */
export function placeOfExif(gps: GpsTags): Place | null {
  return placeFrom(
    degrees(gps.latitude),
    gps.latitudeRef,
    degrees(gps.longitude),
    gps.longitudeRef,
    signedAltitude(rational(gps.altitude), gps.altitudeRef),
  );
}

/** `60,30N`, `60,30.5N`, `60,30,15N` (XMP GPSCoordinate), or decimals with the letter elsewhere. */
function xmpCoordinate(value: string, ref: string | null): { degrees: number; letter: string | null } | null {
  const parts = /^([+-]?\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?(?:,(\d+(?:\.\d+)?))?\s*([NSEW])?$/i.exec(value.trim());
  if (!parts) return null;
  const sum = Number(parts[1]) + Number(parts[2] ?? 0) / 60 + Number(parts[3] ?? 0) / 3600;
  return { degrees: sum, letter: parts[4] ?? ref };
}

/** Place of the exif: properties of an XMP packet, or null. `first` gives the first value of a property. */
export function placeOfXmp(first: (property: string) => string | null): Place | null {
  const latitude = xmpCoordinate(first("exif:GPSLatitude") ?? "", first("exif:GPSLatitudeRef"));
  const longitude = xmpCoordinate(first("exif:GPSLongitude") ?? "", first("exif:GPSLongitudeRef"));
  if (!latitude || !longitude) return null;
  const altitude = (first("exif:GPSAltitude") ?? "").split("/").map(Number);
  const alt = altitude.length === 2 ? rational(altitude) : Number.isFinite(altitude[0]) ? (altitude[0] ?? null) : null;
  return placeFrom(
    latitude.degrees,
    latitude.letter,
    longitude.degrees,
    longitude.letter,
    signedAltitude(first("exif:GPSAltitude") ? alt : null, first("exif:GPSAltitudeRef")),
  );
}

/** Place of a service's sidecar in signed decimals, or null for the pair 0/0 and for nonsense. */
export function placeOfDecimals(latitude: number, longitude: number, altitude: number | null): Place | null {
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return null;
  return placeFrom(latitude, latitude < 0 ? "S" : "N", longitude, longitude < 0 ? "W" : "E", altitude);
}
