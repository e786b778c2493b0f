import { type GpsTags, rational } from "./place.ts";
import { asciiOf, type Directory, decodeText, numbers, rationals, readDirectory, type Tag, type Tiff } from "./tiff.ts";
import { instantOf, parseExifDate } from "./wall-time.ts";

/** What the EXIF block says, as raw as the file holds it; null: not there. */
export interface ExifFacts {
  readonly strings: Readonly<Record<ExifString, string | null>>;
  readonly gps: GpsTags;
  /** GPS date and time (always UTC), ms since 1970. */
  readonly gpsUtc: number | null;
  readonly userComment: string | null;
  /** What Windows' programs write (XPTitle, XPComment, XPKeywords). */
  readonly windows: {
    readonly title: string | null;
    readonly comment: string | null;
    readonly keywords: readonly string[];
  };
  readonly rating: number | null;
  /** EXIF orientation, 1–8. */
  readonly orientation: number;
  /** Apple's key that the film of a Live Photo carries, too (maker note 0x0011). */
  readonly contentId: string | null;
  /** Apple's key of a burst (maker note 0x000b). */
  readonly burstId: string | null;
  /** Raw strings as the file holds them, by `exif:Tag`, for keeping beside the derived values. */
  readonly raw: Readonly<Record<string, string>>;
}

const exifStrings = {
  DateTimeOriginal: 0x9003,
  SubSecTimeOriginal: 0x9291,
  OffsetTimeOriginal: 0x9011,
  DateTimeDigitized: 0x9004,
  SubSecTimeDigitized: 0x9292,
  OffsetTimeDigitized: 0x9012,
  DateTime: 0x0132,
  SubSecTime: 0x9290,
  OffsetTime: 0x9010,
  Make: 0x010f,
  Model: 0x0110,
  ImageDescription: 0x010e,
  Artist: 0x013b,
  Copyright: 0x8298,
  Software: 0x0131,
  LensModel: 0xa434,
} as const;
type ExifString = keyof typeof exifStrings;

const gpsNames = { GPSLatitude: 2, GPSLongitude: 4, GPSAltitude: 6, GPSTimeStamp: 7 } as const;
const none: Directory = new Map();

/** UserComment (CIPA DC-008 §4.6.5): eight bytes name the charset, then text without a terminator. */
function commentText(tag: Tag | undefined, little: boolean): string | null {
  if (!tag || tag.bytes.length <= 8) return null;
  const charset = tag.bytes.toString("latin1", 0, 8);
  const body = tag.bytes.subarray(8);
  if (charset.startsWith("UNICODE")) {
    // The block's byte order by the standard; programs write the other one, too: blanks and Latin letters show it.
    const high = body.filter((byte, i) => i % 2 === 0 && byte === 0).length;
    const low = body.filter((byte, i) => i % 2 === 1 && byte === 0).length;
    const utf16 = high === low ? (little ? "utf-16le" : "utf-16be") : low > high ? "utf-16le" : "utf-16be";
    return new TextDecoder(utf16).decode(body).replace(/\0.*$/s, "");
  }
  if (charset.startsWith("JIS")) return null;
  return decodeText(body);
}

/** Windows' texts are UTF-16, little-endian in either kind of block. */
function windowsText(tag: Tag | undefined): string | null {
  if (!tag || tag.bytes.length < 2) return null;
  return new TextDecoder("utf-16le").decode(tag.bytes).replace(/\0.*$/s, "").trim() || null;
}

function gpsInstant(gps: Directory, little: boolean): number | null {
  const date = asciiOf(gps.get(0x1d));
  const [hours, minutes, seconds] = rationals(gps.get(7), little).map(rational);
  const wall = date === null ? undefined : parseExifDate(date, null)?.wall;
  if (!wall || hours == null || minutes == null || seconds == null) return null;
  if (hours >= 24 || minutes >= 60 || seconds >= 61) return null;
  return instantOf(wall, 0) + Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000);
}

/** Apple's maker note: `Apple iOS\0`, a version, a byte order, then a directory that counts from the note's beginning. */
function appleNote(note: Tag | undefined): Directory {
  if (!note || note.bytes.length < 16 || note.bytes.toString("latin1", 0, 10) !== "Apple iOS\0") return none;
  return readDirectory(note.bytes, 14, note.bytes.toString("latin1", 12, 14) === "II");
}

/** Facts of a block; without one all are null. Never throws. */
export function readExif(tiff: Tiff | null): ExifFacts {
  const little = tiff?.little ?? false;
  const [ifd0, exif, gps] = [tiff?.ifd0 ?? none, tiff?.exif ?? none, tiff?.gps ?? none];
  // Careless writers put the EXIF tags into the first directory, and its tags into the EXIF directory.
  const tag = (id: number) => exif.get(id) ?? ifd0.get(id);
  const strings = Object.fromEntries(
    Object.entries(exifStrings).map(([name, id]) => [
      name,
      asciiOf(id < 0x9000 ? (ifd0.get(id) ?? exif.get(id)) : tag(id)),
    ]),
  ) as Record<ExifString, string | null>;
  const note = appleNote(exif.get(0x927c));
  const altitude = rationals(gps.get(6), little)[0];
  return {
    strings,
    gps: {
      latitude: rationals(gps.get(2), little),
      latitudeRef: asciiOf(gps.get(1)),
      longitude: rationals(gps.get(4), little),
      longitudeRef: asciiOf(gps.get(3)),
      altitude,
      altitudeRef: numbers(gps.get(5), little)[0],
    },
    gpsUtc: gpsInstant(gps, little),
    userComment: commentText(tag(0x9286), little),
    windows: {
      title: windowsText(ifd0.get(0x9c9b)),
      comment: windowsText(ifd0.get(0x9c9c)),
      keywords: (windowsText(ifd0.get(0x9c9e)) ?? "").split(";").filter((one) => one.trim() !== ""),
    },
    rating: numbers(ifd0.get(0x4746), little)[0] ?? null,
    orientation: numbers(ifd0.get(0x0112), little)[0] ?? 1,
    contentId: idOf(note.get(0x11)),
    burstId: idOf(note.get(0x0b)),
    raw: rawStrings(strings, gps, little),
  };
}

function idOf(tag: Tag | undefined): string | null {
  const text = asciiOf(tag)?.trim() ?? "";
  return /^[\w-]{8,64}$/.test(text) ? text : null;
}

function rawStrings(
  strings: Readonly<Record<string, string | null>>,
  gps: Directory,
  little: boolean,
): Record<string, string> {
  const raw: Record<string, string> = {};
  for (const [name, value] of Object.entries(strings)) {
    if (value !== null && value.trim() !== "") raw[`exif:${name}`] = value.slice(0, 2000);
  }
  for (const [name, id] of Object.entries(gpsNames)) {
    const parts = rationals(gps.get(id), little);
    if (parts.length > 0) raw[`exif:${name}`] = parts.map((part) => part.join("/")).join(" ");
  }
  for (const [name, id] of [
    ["GPSLatitudeRef", 1],
    ["GPSLongitudeRef", 3],
    ["GPSDateStamp", 0x1d],
  ] as const) {
    const text = asciiOf(gps.get(id));
    if (text !== null && text.trim() !== "") raw[`exif:${name}`] = text.slice(0, 100);
  }
  const below = numbers(gps.get(5), little)[0];
  if (below !== undefined) raw["exif:GPSAltitudeRef"] = String(below);
  return raw;
}
