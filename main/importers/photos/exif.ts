import ExifReader from "exifreader";
import { weightOfExif } from "./exif-weight.ts";
import { type GpsTags, rational } from "./place.ts";
import { instantOf, parseExifDate } from "./wall-time.ts";

/** What the EXIF block and the IPTC record say, as raw as the reader gives it; null: not there. */
export interface ExifFacts {
  readonly strings: Readonly<Record<ExifString, string | null>>;
  readonly gps: GpsTags;
  /** GPS date and time (always UTC), ms since 1970. */
  readonly gpsUtc: number | null;
  readonly userComment: string | null;
  readonly rating: number | null;
  readonly iptc: {
    readonly title: string | null;
    readonly caption: string | null;
    readonly keywords: readonly string[];
    readonly date: string | null;
    readonly time: string | null;
  };
  /** Raw strings as the file holds them, by `exif:Tag`, for keeping beside the derived values. */
  readonly raw: Readonly<Record<string, string>>;
  /** The block was there, but could not be read. */
  readonly unreadable: boolean;
}

const exifStrings = [
  "DateTimeOriginal",
  "SubSecTimeOriginal",
  "OffsetTimeOriginal",
  "DateTimeDigitized",
  "SubSecTimeDigitized",
  "OffsetTimeDigitized",
  "DateTime",
  "SubSecTime",
  "OffsetTime",
  "Make",
  "Model",
  "ImageDescription",
  "Artist",
  "Copyright",
  "Software",
  "LensModel",
] as const;
type ExifString = (typeof exifStrings)[number];

const exifTags = [
  ...exifStrings,
  "UserComment",
  "GPSLatitude",
  "GPSLatitudeRef",
  "GPSLongitude",
  "GPSLongitudeRef",
  "GPSAltitude",
  "GPSAltitudeRef",
  "GPSDateStamp",
  "GPSTimeStamp",
  // Windows' star rating, a short.
  0x4746,
];
const iptcTags = ["Object Name", "Caption/Abstract", "Keywords", "Date Created", "Time Created", "Coded Character Set"];

/** Bytes that the wanted tags of one picture may have together; maker notes (up to some 100 kB) count once. */
const maxWeight = 16 * 1024 * 1024;

/** A tag's own value, out of whatever the reader wraps it in. */
function tagValue(group: object | undefined, name: string): unknown {
  const tag: unknown = group === undefined ? undefined : Reflect.get(group, name);
  return typeof tag === "object" && tag !== null && "value" in tag ? tag.value : undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const latin = new TextDecoder("windows-1252");

/** UTF-8 when it is, else the code page that cameras without Unicode mostly have. Ends at the first NUL. */
function decode(bytes: Uint8Array): string {
  const nul = bytes.indexOf(0);
  const text = nul < 0 ? bytes : bytes.subarray(0, nul);
  try {
    return utf8.decode(text);
  } catch {
    return latin.decode(text);
  }
}

/** ASCII fields come as strings with one character a byte; text that was UTF-8 is put together again. */
function asciiText(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== "string") return null;
  const bytes = Uint8Array.from(first, (char) => char.charCodeAt(0));
  const text = [...first].every((char) => char.charCodeAt(0) < 256) ? decode(bytes) : first;
  return text.replace(/\0.*$/s, "");
}

function byteList(value: unknown): Uint8Array | null {
  if (!Array.isArray(value) || !value.every((one) => typeof one === "number")) return null;
  return Uint8Array.from(value);
}

/** UserComment (CIPA DC-008 §4.6.5): eight bytes name the charset, then text without a terminator. */
function commentText(value: unknown, littleEndian: boolean): string | null {
  const bytes = byteList(value);
  if (bytes === null || bytes.length <= 8) return null;
  const charset = String.fromCharCode(...bytes.subarray(0, 8));
  const body = bytes.subarray(8);
  if (charset.startsWith("UNICODE")) {
    const text = new TextDecoder(littleEndian ? "utf-16le" : "utf-16be").decode(body);
    return text.replace(/\0.*$/s, "");
  }
  if (charset.startsWith("JIS")) return null;
  return decode(body);
}

function iptcText(value: unknown, unicode: boolean): string | null {
  if (typeof value === "string") return value;
  const bytes = byteList(value);
  if (bytes === null) return null;
  return unicode ? new TextDecoder().decode(bytes) : decode(bytes);
}

function gpsInstant(gps: object | undefined): number | null {
  const date = asciiText(tagValue(gps, "GPSDateStamp"));
  const time = tagValue(gps, "GPSTimeStamp");
  if (date === null || !Array.isArray(time)) return null;
  const [hours, minutes, seconds] = time.map(rational);
  const wall = parseExifDate(date, null)?.wall;
  if (!wall || hours == null || minutes == null || seconds == null) return null;
  if (hours >= 24 || minutes >= 60 || seconds >= 61) return null;
  return instantOf(wall, 0) + Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000);
}

/**
 * Reads the EXIF block and the IPTC record of a picture, or of the first part of one. Never throws: a block that is
 * cut or points outside gives the tags before the fault.
 */
export function readExif(bytes: Buffer): ExifFacts {
  let exif: object | undefined;
  let iptc: object | undefined;
  let unreadable = false;
  try {
    if (weightOfExif(bytes) > maxWeight) throw new Error("The block names more bytes than it can mean.");
    const tags = ExifReader.load(bytes, { expanded: true, includeTags: { exif: exifTags, iptc: iptcTags } });
    exif = tags.exif;
    iptc = tags.iptc;
  } catch (error) {
    unreadable = !(error instanceof Error && /No Exif data|Invalid image format/.test(error.message));
  }
  const strings = Object.fromEntries(exifStrings.map((name) => [name, asciiText(tagValue(exif, name))])) as Record<
    ExifString,
    string | null
  >;
  const unicode = (iptcText(tagValue(iptc, "Coded Character Set"), false) ?? "").includes("\u001b%G");
  // One keyword is a tag, several are a list of tags.
  const keywords: unknown = iptc === undefined ? [] : Reflect.get(iptc, "Keywords");
  const keywordTags: readonly unknown[] = Array.isArray(keywords) ? keywords : [keywords];
  const exifAt = bytes.indexOf("Exif\0\0");
  return {
    strings,
    gps: {
      latitude: tagValue(exif, "GPSLatitude"),
      latitudeRef: asciiText(tagValue(exif, "GPSLatitudeRef")),
      longitude: tagValue(exif, "GPSLongitude"),
      longitudeRef: asciiText(tagValue(exif, "GPSLongitudeRef")),
      altitude: tagValue(exif, "GPSAltitude"),
      altitudeRef: tagValue(exif, "GPSAltitudeRef"),
    },
    gpsUtc: gpsInstant(exif),
    userComment: commentText(tagValue(exif, "UserComment"), exifAt >= 0 && bytes[exifAt + 6] === 0x49),
    rating: numberOrNull(tagValue(exif, "Rating")),
    iptc: {
      title: iptcText(tagValue(iptc, "Object Name"), unicode),
      caption: iptcText(tagValue(iptc, "Caption/Abstract"), unicode),
      keywords: keywordTags
        .map((one) => iptcText(tagValue({ one }, "one"), unicode))
        .filter((one): one is string => one !== null && one !== ""),
      date: iptcText(tagValue(iptc, "Date Created"), unicode),
      time: iptcText(tagValue(iptc, "Time Created"), unicode),
    },
    raw: rawStrings(strings, exif),
    unreadable,
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function rawStrings(
  strings: Readonly<Record<string, string | null>>,
  exif: object | undefined,
): Record<string, string> {
  const raw: Record<string, string> = {};
  for (const [name, value] of Object.entries(strings)) {
    if (value !== null && value.trim() !== "") raw[`exif:${name}`] = value.slice(0, 2000);
  }
  for (const name of ["GPSLatitude", "GPSLongitude", "GPSAltitude", "GPSTimeStamp"]) {
    const value = tagValue(exif, name);
    if (!Array.isArray(value)) continue;
    const parts = typeof value[0] === "number" ? [value] : value;
    raw[`exif:${name}`] = parts.map((part) => (Array.isArray(part) ? part.join("/") : String(part))).join(" ");
  }
  for (const name of ["GPSLatitudeRef", "GPSLongitudeRef", "GPSDateStamp", "GPSAltitudeRef"]) {
    const value = tagValue(exif, name);
    const text = asciiText(value) ?? (value === undefined ? null : String(value));
    if (text !== null && text.trim() !== "") raw[`exif:${name}`] = text;
  }
  return raw;
}
