import { type ImportedRecord, type Place, type RecordFlag, type RecordTime, UnderstoryError } from "#contract";
import { type PictureFacts, type PictureFormat, pictureMimes, probePicture } from "#native/images.ts";
import type { Entry } from "../types.ts";
import { endOfJpegHeader, type PictureBytes, takeIn } from "./bytes.ts";
import { captureTime, type TimeSources } from "./capture-time.ts";
import { type ExifFacts, readExif } from "./exif.ts";
import { isScreenshotPath } from "./file-name-time.ts";
import { placeOfDecimals, placeOfExif, placeOfXmp } from "./place.ts";
import type { TakeoutPhoto } from "./takeout.ts";
import { wordsOf } from "./words.ts";
import { findXmpPacket, parseXmp, type XmpProperties } from "./xmp.ts";

/** What one picture file gave: a record (`warning` set when something of it is damaged or odd), or a sentence why there is none. */
export type PictureResult =
  | { readonly record: ImportedRecord; readonly warning: string | null }
  | { readonly failed: string };

export interface PictureContext {
  readonly signal: AbortSignal;
}

/** What stands beside a picture and describes it. */
export interface Sidecars {
  readonly takeout: TakeoutPhoto | null;
  /** Properties of its .xmp file. */
  readonly xmp: XmpProperties | null;
  /** Files that were used, for the record's sources. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

const noSidecars: Sidecars = { takeout: null, xmp: null, files: [] };

const extensions: Readonly<Record<string, PictureFormat>> = {
  jpg: "jpeg",
  jpeg: "jpeg",
  jpe: "jpeg",
  jfif: "jpeg",
  mpo: "jpeg",
  png: "png",
  apng: "png",
  heic: "heic",
  heif: "heic",
  hif: "heic",
  avif: "avif",
  webp: "webp",
  gif: "gif",
  tif: "tiff",
  tiff: "tiff",
};

/** The format that a file name promises, or null. */
export function formatOfName(name: string): PictureFormat | null {
  return extensions[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""] ?? null;
}

/** Part of the bytes that holds metadata: a packet inside the pixels or in a second picture (gain map) is not ours. */
function metadataPart({ format, kept }: PictureBytes): Buffer {
  const header = format === "jpeg" ? endOfJpegHeader(kept) : -1;
  return header < 0 ? kept : kept.subarray(0, header);
}

function why(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

function timeSources(entry: Entry, exif: ExifFacts, xmp: readonly XmpProperties[], sidecars: Sidecars): TimeSources {
  const { strings } = exif;
  const taken = sidecars.takeout?.photoTakenTime ?? null;
  return {
    exif: {
      original: strings.DateTimeOriginal,
      originalSubSec: strings.SubSecTimeOriginal,
      originalOffset: strings.OffsetTimeOriginal,
      digitized: strings.DateTimeDigitized,
      digitizedSubSec: strings.SubSecTimeDigitized,
      digitizedOffset: strings.OffsetTimeDigitized,
      modified: strings.DateTime,
      modifiedSubSec: strings.SubSecTime,
      modifiedOffset: strings.OffsetTime,
      gpsUtc: exif.gpsUtc,
    },
    xmp: ["exif:DateTimeOriginal", "photoshop:DateCreated"].flatMap((field) =>
      xmp.flatMap((one) => one.get(field) ?? []).map((value) => ({ field, value })),
    ),
    iptc: { date: exif.iptc.date, time: exif.iptc.time },
    sidecarUtc: taken === null ? null : taken * 1000,
    fileName: entry.name,
    fileTime: entry.modified,
  };
}

function placeOf(exif: ExifFacts, xmp: readonly XmpProperties[], { takeout }: Sidecars): Place | null {
  const inFile = placeOfExif(exif.gps);
  if (inFile) return inFile;
  for (const properties of xmp) {
    const place = placeOfXmp((name) => properties.get(name)?.[0] ?? null);
    if (place) return place;
  }
  for (const geo of [takeout?.geoData, takeout?.geoDataExif]) {
    const place = geo ? placeOfDecimals(geo.latitude, geo.longitude, geo.altitude || null) : null;
    if (place) return place;
  }
  return null;
}

function ratingOf(exif: ExifFacts, xmp: readonly XmpProperties[]): number | null {
  const given = xmp.flatMap((one) => one.get("xmp:Rating") ?? []).map(Number);
  // 0 means "not rated" in both.
  return [...given, exif.rating].find((one) => one !== null && one >= -1 && one <= 5 && one !== 0) ?? null;
}

function flagsOf(entry: Entry, exif: ExifFacts, time: RecordTime | null, takeout: TakeoutPhoto | null): RecordFlag[] {
  const flags: RecordFlag[] = [];
  if (isScreenshotPath(entry.path) || exif.userComment?.trim() === "Screenshot") flags.push("screenshot");
  if (time?.confidence === "low") flags.push("date-uncertain");
  if (takeout?.favorited) flags.push("starred");
  if (takeout?.archived) flags.push("archived");
  if (takeout?.trashed) flags.push("trashed");
  return flags;
}

/** Raw strings beside what was derived from them, so that a later version can derive again. */
function rawValues(exif: ExifFacts, xmp: readonly XmpProperties[], takeout: TakeoutPhoto | null) {
  const raw: Record<string, string> = { ...exif.raw };
  for (const [name, values] of xmp.flatMap((one) => [...one])) {
    if (/^(?:exif:(?:GPS|DateTime)|photoshop:DateCreated|xmp:(?:CreateDate|Rating)|xmpMM:DerivedFrom)/.test(name)) {
      raw[`xmp:${name}`] ??= values[0]?.slice(0, 2000) ?? "";
    }
  }
  if (takeout?.photoTakenTime != null) raw["sidecar:photoTakenTime"] = String(takeout.photoTakenTime);
  return raw;
}

/**
 * Reads one picture file: identity, capture time, place, size as shown, words. Never throws but `cancelled`.
 * Chats call it for their media; the record has no container then.
 */
export async function readPicture(
  entry: Entry,
  context: PictureContext,
  sidecars: Sidecars = noSidecars,
): Promise<PictureResult> {
  try {
    const bytes = await takeIn(entry, context.signal);
    if (bytes.format === null) return { failed: `${entry.name} is not a picture, whatever its name says.` };
    return await describe(entry, bytes, bytes.format, sidecars);
  } catch (error) {
    if (error instanceof UnderstoryError && error.code === "cancelled") throw error;
    return { failed: `${entry.name} could not be read: ${why(error)}.` };
  }
}

async function describe(
  entry: Entry,
  bytes: PictureBytes,
  format: PictureFormat,
  sidecars: Sidecars,
): Promise<PictureResult> {
  const metadata = metadataPart(bytes);
  const exif = readExif(metadata);
  const packet = findXmpPacket(metadata);
  const xmp = [packet === null ? null : parseXmp(packet), sidecars.xmp].filter((one) => one !== null);
  const problems: string[] = [];
  let facts: PictureFacts | null = null;
  try {
    facts = await probePicture(bytes.kept);
  } catch (error) {
    problems.push(why(error));
  }
  if (bytes.cut !== null) problems.push(bytes.cut);
  if (exif.unreadable) problems.push("its metadata cannot be read");
  if (facts === null && Object.keys(exif.raw).length === 0) return { failed: `${entry.name}: ${problems.join("; ")}.` };

  const { takeout } = sidecars;
  const time = captureTime(timeSources(entry, exif, xmp, sidecars), Date.now());
  const words = wordsOf(exif, xmp, takeout?.description ?? null, entry.name.replace(/\.[^.]+$/, ""));
  const flags = flagsOf(entry, exif, time, takeout);
  if (problems.length > 0) flags.push("damaged");
  const rating = ratingOf(exif, xmp);
  const raw = rawValues(exif, xmp, takeout);
  const make = exif.strings.Make?.trim() || null;
  const model = exif.strings.Model?.trim() || null;
  const people = [...new Set([...words.people, ...(takeout?.people ?? []).map((one) => one.name.trim())])];

  const warnings = problems.length > 0 ? [`Damaged: ${problems.join("; ")}.`] : [];
  const promised = formatOfName(entry.name);
  if (promised !== null && promised !== format) {
    warnings.push(`The name says ${promised.toUpperCase()}, the content is ${format.toUpperCase()}.`);
  }
  const record: ImportedRecord = {
    identity: `photo:${bytes.sha256}`,
    kind: "photo",
    nativeId: null,
    subject: words.title,
    text: words.text,
    author: null,
    participants: people
      .filter((name) => name !== "")
      .map((name) => ({ name, address: null, role: null, owner: false })),
    time,
    end: null,
    place: placeOf(exif, xmp, sidecars),
    container: null,
    thread: null,
    sequence: null,
    replyTo: null,
    partOf: null,
    files: [
      { path: entry.path, offset: null, bytes: bytes.total, role: null },
      ...sidecars.files.map(({ path, bytes: size }) => ({ path, offset: null, bytes: size, role: "sidecar" as const })),
    ],
    props: {
      ...(takeout?.title && takeout.title !== entry.name ? { name: takeout.title } : {}),
      ...(words.labels.length > 0 ? { labels: [...words.labels] } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      ...(facts ? { size: { width: facts.width, height: facts.height } } : {}),
      ...(make || model ? { camera: { make, model } } : {}),
      ...(rating === null ? {} : { rating }),
      mime: pictureMimes[format],
      extra: { sha256: bytes.sha256, ...(Object.keys(raw).length > 0 ? { raw } : {}) },
    },
  };
  return { record, warning: warnings.length > 0 ? warnings.join(" ") : null };
}
