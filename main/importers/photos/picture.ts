import { type ImportedRecord, type Place, type RecordFlag, type RecordTime, UnderstoryError } from "#contract";
import { type PictureFacts, type PictureFormat, pictureMimes, probePicture } from "#native/images.ts";
import { blankRecord } from "../blank.ts";
import type { Entry } from "../types.ts";
import type { FilmTime } from "../video/facts.ts";
import { blocksOf, type MetadataBlocks } from "./blocks.ts";
import { endOfJpegHeader, type PictureBytes, takeIn } from "./bytes.ts";
import { captureTime, type TimeSources } from "./capture-time.ts";
import { type ExifFacts, readExif } from "./exif.ts";
import { isScreenshotPath } from "./file-name-time.ts";
import { readIptc } from "./iptc.ts";
import { isoBoxes } from "./iso-boxes.ts";
import { motionClip } from "./motion.ts";
import { formatOfName } from "./names.ts";
import { placeOfDecimals, placeOfExif, placeOfXmp } from "./place.ts";
import { noSidecars, type Sidecars } from "./sidecars.ts";
import { wordsOf } from "./words.ts";
import { findXmpPacket, parseXmp, type XmpProperties } from "./xmp.ts";

/** What one picture file gave: a record (`warning` set when something of it is damaged or odd), or a sentence why there is none. */
export type PictureResult = PictureRead | { readonly failed: string };

export interface PictureRead {
  readonly record: ImportedRecord;
  readonly warning: string | null;
  /** Apple's key that the film of a Live Photo carries, too. */
  readonly contentId: string | null;
}

export interface PictureContext {
  readonly signal: AbortSignal;
}

/** Part of a JPEG that holds metadata: a packet inside the pixels or in a second picture (gain map) is not ours. */
function metadataPart({ format, kept }: PictureBytes): Buffer {
  const header = format === "jpeg" ? endOfJpegHeader(kept) : -1;
  return header < 0 ? kept : kept.subarray(0, header);
}

function why(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

/** Sources of time that a picture and a film have alike. */
export function sidecarTime({ takeout, apple }: Sidecars): Pick<TimeSources, "sidecarUtc" | "sidecar"> {
  if (takeout?.photoTakenTime != null) return { sidecarUtc: takeout.photoTakenTime * 1000 };
  if (apple?.created == null) return { sidecarUtc: null };
  return { sidecarUtc: apple.created, sidecar: { source: "sidecar:originalCreationDate", precision: "minute" } };
}

export function xmpTimes(xmp: readonly XmpProperties[]): TimeSources["xmp"] {
  return ["exif:DateTimeOriginal", "photoshop:DateCreated"].flatMap((field) =>
    xmp.flatMap((one) => one.get(field) ?? []).map((value) => ({ field, value })),
  );
}

const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** PNG's "Creation Time": RFC 1123 as the standard suggests, ISO or EXIF as programs write. */
function pngTime(text: string | undefined): FilmTime[] {
  if (text === undefined) return [];
  const rfc = /(\d{1,2}) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d)(?: ([+-]\d{4}|GMT|UTC|Z))?/.exec(text);
  const month = rfc ? monthNames.indexOf(rfc[2] ?? "?") : -1;
  const two = (value: string | number) => String(value).padStart(2, "0");
  const iso = rfc && month >= 0 && month % 3 === 0;
  const zone = rfc?.[5]?.replace(/GMT|UTC/, "Z") ?? "";
  const value = iso ? `${rfc[3]}-${two(month / 3 + 1)}-${two(rfc[1] ?? "")}T${rfc[4]}${zone}` : text.trim();
  return [{ source: "png:Creation Time", value }];
}

function timeSources(
  entry: Entry,
  exif: ExifFacts,
  xmp: readonly XmpProperties[],
  { iptc: iim, texts }: MetadataBlocks,
  place: Place | null,
  sidecars: Sidecars,
): TimeSources {
  const { strings } = exif;
  const iptc = readIptc(iim);
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
    xmp: xmpTimes(xmp),
    xmpCreated: xmp.flatMap((one) => one.get("xmp:CreateDate") ?? [])[0] ?? null,
    iptc: { date: iptc.date, time: iptc.time },
    container: pngTime(texts["Creation Time"] ?? texts["create-date"]),
    duration: null,
    place: surePlace(place),
    ...sidecarTime(sidecars),
    fileName: entry.name,
    fileTime: entry.modified,
  };
}

/** A place that can tell a zone. */
export function surePlace(place: Place | null): TimeSources["place"] {
  if (place?.lat == null || place.lon === null || place.confidence === "low") return null;
  return { lat: place.lat, lon: place.lon };
}

/** Place of a sidecar: XMP, then a service's. */
export function sidecarPlace(xmp: readonly XmpProperties[], { takeout }: Sidecars): Place | null {
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

/** −1 (rejected) to 5; 0 means "not rated" in XMP and EXIF. */
export function ratingOf(exifRating: number | null, xmp: readonly XmpProperties[]): number | null {
  const given = xmp.flatMap((one) => one.get("xmp:Rating") ?? []).map(Number);
  return [...given, exifRating].find((one) => one !== null && one >= -1 && one <= 5 && one !== 0) ?? null;
}

/** Flags that sidecars and an unsure date give. */
export function sidecarFlags(time: RecordTime | null, { takeout, apple }: Sidecars): RecordFlag[] {
  const flags: RecordFlag[] = [];
  if (time?.confidence === "low") flags.push("date-uncertain");
  if (takeout?.favorited || apple?.favourite) flags.push("starred");
  if (takeout?.archived) flags.push("archived");
  if (apple?.hidden) flags.push("hidden");
  if (takeout?.trashed || apple?.deleted) flags.push("trashed");
  return flags;
}

/** Raw strings beside what was derived from them, so that a later version can derive again. */
export function rawValues(
  own: Readonly<Record<string, string>>,
  xmp: readonly XmpProperties[],
  { takeout, apple }: Sidecars,
): Record<string, string> {
  const raw: Record<string, string> = { ...own };
  for (const [name, values] of xmp.flatMap((one) => [...one])) {
    if (/^(?:exif:(?:GPS|DateTime)|photoshop:DateCreated|xmp:(?:CreateDate|Rating)|xmpMM:DerivedFrom)/.test(name)) {
      raw[`xmp:${name}`] ??= values[0]?.slice(0, 2000) ?? "";
    }
  }
  if (takeout?.photoTakenTime != null) raw["sidecar:photoTakenTime"] = String(takeout.photoTakenTime);
  if (takeout?.googlePhotosOrigin) {
    raw["sidecar:googlePhotosOrigin"] = JSON.stringify(takeout.googlePhotosOrigin).slice(0, 500);
  }
  if (apple?.created != null) raw["sidecar:originalCreationDate"] = new Date(apple.created).toISOString();
  return raw;
}

/** The file itself and the sidecars that were used. */
export function sourcesOf(entry: Entry, bytes: number, sidecars: Sidecars): ImportedRecord["files"] {
  return [
    { path: entry.path, offset: null, bytes, role: null },
    ...sidecars.files.map(({ path, bytes: size }) => ({ path, offset: null, bytes: size, role: "sidecar" as const })),
  ];
}

/** Parties of the people shown, each once. */
export function peopleOf(names: readonly string[], { takeout }: Sidecars): ImportedRecord["participants"] {
  const all = [...names, ...(takeout?.people ?? []).map((one) => one.name)].map((name) => name.trim().normalize("NFC"));
  return [...new Set(all)]
    .filter((name) => name !== "")
    .map((name) => ({ name, address: null, role: null, owner: false }));
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
    if (context.signal.aborted || (error instanceof UnderstoryError && error.code === "cancelled")) {
      throw new UnderstoryError("cancelled", "Reading pictures was cancelled.");
    }
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
  const blocks = blocksOf(format, metadata);
  const exif = readExif(blocks.tiff);
  const packets = blocks.xmp.length > 0 ? blocks.xmp : [findXmpPacket(metadata)].filter((one) => one !== null);
  const own = packets.map(parseXmp);
  // What a person wrote beside the picture is newer than what is in it; its own place and time are the camera's.
  const xmp = [...own, sidecars.xmp].filter((one) => one !== null);
  const problems: string[] = [];
  let facts: PictureFacts | null = null;
  try {
    facts = await probePicture(bytes.kept);
  } catch (error) {
    problems.push(why(error));
  }
  if (bytes.cut !== null) problems.push(bytes.cut);
  if (blocks.unreadable) problems.push("its metadata cannot be read");
  if (facts === null && Object.keys(exif.raw).length === 0) return { failed: `${entry.name}: ${problems.join("; ")}.` };

  const { takeout } = sidecars;
  const place = placeOfExif(exif.gps) ?? sidecarPlace(xmp, sidecars);
  const time = captureTime(timeSources(entry, exif, xmp, blocks, place, sidecars), Date.now());
  const stem = entry.name.replace(/\.[^.]+$/, "");
  const description = takeout?.description ?? null;
  const words = wordsOf(exif, readIptc(blocks.iptc), xmp, description, stem);
  const flags = sidecarFlags(time, sidecars);
  if (isScreenshotPath(entry.path) || exif.userComment?.trim() === "Screenshot") flags.unshift("screenshot");
  if (problems.length > 0) flags.push("damaged");
  const clip = await clipOf(entry, bytes, format, own);
  if (clip) flags.push("motion");
  const rating = ratingOf(exif.rating, xmp);
  const raw = rawValues(exif.raw, xmp, sidecars);
  const make = exif.strings.Make?.trim() || null;
  const model = exif.strings.Model?.trim() || null;

  const warnings = problems.length > 0 ? [`Damaged: ${problems.join("; ")}.`] : [];
  const promised = formatOfName(entry.name);
  if (promised !== null && promised !== format && !(promised === "raw" && format === "tiff")) {
    warnings.push(`The name says ${promised.toUpperCase()}, the content is ${format.toUpperCase()}.`);
  }
  const record: ImportedRecord = {
    ...blankRecord(),
    identity: `photo:${bytes.sha256}`,
    kind: "photo",
    subject: words.title,
    text: words.text,
    participants: peopleOf(words.people, sidecars),
    time,
    place,
    files: sourcesOf(entry, bytes.total, sidecars),
    props: {
      ...(takeout?.title && takeout.title !== entry.name ? { name: takeout.title } : {}),
      ...(words.labels.length > 0 ? { labels: [...words.labels] } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      ...(clip
        ? {
            alternates: [
              { role: "motion", path: entry.path, ...clip, subject: null, rating: null, time: null } as const,
            ],
          }
        : {}),
      ...(exif.burstId === null ? {} : { group: `burst:${exif.burstId}` }),
      ...(facts ? { size: { width: facts.width, height: facts.height } } : {}),
      ...(make || model ? { camera: { make, model } } : {}),
      ...(rating === null ? {} : { rating }),
      mime: pictureMimes[format],
      extra: { sha256: bytes.sha256, ...(Object.keys(raw).length > 0 ? { raw } : {}) },
    },
  };
  return { record, warning: warnings.length > 0 ? warnings.join(" ") : null, contentId: exif.contentId };
}

/** The film inside a motion photo. */
function clipOf(
  entry: Entry,
  { total, tail, kept }: PictureBytes,
  format: PictureFormat,
  xmp: readonly XmpProperties[],
) {
  if (format !== "jpeg" && format !== "heic") return null;
  const box = format === "heic" ? isoBoxes(kept, 0, kept.length).find(({ type }) => type === "mpvd") : undefined;
  const mpvd = box ? { offset: box.start, bytes: box.end - box.start } : null;
  return motionClip(entry, total, tail, xmp, mpvd);
}
