import { createHash } from "node:crypto";
import { type ImportedRecord, type Place, UnderstoryError } from "#contract";
import { sniffPicture } from "#native/images.ts";
import { blankRecord } from "../blank.ts";
import { captureTime } from "../photos/capture-time.ts";
import { isScreenshotPath } from "../photos/file-name-time.ts";
import {
  peopleOf,
  ratingOf,
  rawValues,
  sidecarFlags,
  sidecarPlace,
  sidecarTime,
  sourcesOf,
  surePlace,
  xmpTimes,
} from "../photos/picture.ts";
import { noSidecars, type Sidecars } from "../photos/sidecars.ts";
import { parseXmp } from "../photos/xmp.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import type { Entry } from "../types.ts";
import { readAvi } from "./avi.ts";
import { emptyFilm, type FilmFacts, type SoundFormat } from "./facts.ts";
import { readMatroska } from "./matroska.ts";
import { readMp4 } from "./mp4.ts";
import { Ranges } from "./ranges.ts";
import { readSound, sniffSound } from "./sound.ts";

export type { FilmFacts } from "./facts.ts";

export type FilmResult = FilmRead | { readonly failed: string };

export interface FilmRead {
  readonly record: ImportedRecord;
  readonly warning: string | null;
  readonly facts: FilmFacts;
}

type Container = "mp4" | "matroska" | "avi" | "mpeg" | "mpegts" | "asf" | "flv" | SoundFormat;

const quickTimeStarts = new Set(["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]);

/** What the first bytes (4,096) say; null for what is no film and no sound. Pictures in ISO boxes are none. */
export function sniffFilm(head: Uint8Array): Container | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length < 12 || sniffPicture(head) !== null) return null;
  const at4 = bytes.toString("latin1", 4, 8);
  if (quickTimeStarts.has(at4) && (at4 === "ftyp" || bytes.readUInt32BE(0) < 2 ** 31)) return "mp4";
  const magic = bytes.readUInt32BE(0);
  if (magic === 0x1a45dfa3) return "matroska";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "AVI ") return "avi";
  if (magic === 0x000001ba || magic === 0x000001b3) return "mpeg";
  if (magic === 0x3026b275) return "asf";
  if (bytes.toString("latin1", 0, 3) === "FLV") return "flv";
  for (const [start, step] of [
    [0, 188],
    [4, 192],
  ] as const) {
    if ([0, 1, 2, 3].every((i) => bytes[start + i * step] === 0x47)) return "mpegts";
  }
  return sniffSound(head);
}

const unreadMimes = { mpeg: "video/mpeg", mpegts: "video/mp2t", asf: "video/x-ms-wmv", flv: "video/x-flv" } as const;

/**
 * What the container says, read by ranges: the film itself is not read. Null when the content is no film and no sound.
 * Throws what the entry throws, or `cancelled`.
 */
export async function readFilmFacts(entry: Entry, signal: AbortSignal): Promise<FilmFacts | null> {
  const kind = sniffFilm(await entry.head());
  if (kind === null) return null;
  const ranges = new Ranges(entry, signal);
  if (kind === "mp4") return readMp4(ranges);
  if (kind === "matroska") return readMatroska(ranges);
  if (kind === "avi") return readAvi(ranges);
  if (kind === "mpeg" || kind === "mpegts" || kind === "asf" || kind === "flv") {
    return { ...emptyFilm("other", unreadMimes[kind]), hasPicture: true };
  }
  return readSound(ranges, kind);
}

/** SHA-256 (hex) of all bytes as they stream by, and how many there were. */
export async function hashOf(entry: Entry, signal: AbortSignal): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of entry.stream()) {
    throwIfCancelled(signal);
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

function placeOf({ places }: FilmFacts): Place | null {
  const [first] = places;
  return first ? { ...first, confidence: "normal" } : null;
}

/** Programs' own words that stand in every file. */
const defaultWords = /^(?:gopro|dji|vid|video|untitled|core media (?:video|audio)|[\w-]*handler|lavf[\d.]+)$/i;

function wordsOf(text: string | null | undefined, entry: Entry): string | null {
  const words = text?.trim() ?? "";
  const stem = entry.name.replace(/\.[^.]+$/, "");
  return words === "" || words === stem || words === entry.name || defaultWords.test(words)
    ? null
    : words.slice(0, 10_000);
}

/**
 * Reads one film or sound: identity, time, place, size as shown, length, words. Never throws but `cancelled`.
 * Chats call it for their media; the record has no container then.
 */
export async function readFilm(
  entry: Entry,
  { signal }: { readonly signal: AbortSignal },
  sidecars: Sidecars = noSidecars,
): Promise<FilmResult> {
  try {
    const facts = await readFilmFacts(entry, signal);
    if (facts === null) return { failed: `${entry.name} is no film and no sound, whatever its name says.` };
    return { ...describe(entry, facts, await hashOf(entry, signal), sidecars), facts };
  } catch (error) {
    if (signal.aborted) throw new UnderstoryError("cancelled", "Reading films was cancelled.");
    return { failed: `${entry.name}: ${reasonOf(error, signal)}` };
  }
}

function describe(
  entry: Entry,
  facts: FilmFacts,
  { sha256, bytes }: { sha256: string; bytes: number },
  sidecars: Sidecars,
): { record: ImportedRecord; warning: string | null } {
  const xmp = [...facts.xmp.map(parseXmp), sidecars.xmp].filter((one) => one !== null);
  const first = (property: string) => xmp.flatMap((one) => one.get(property) ?? [])[0];
  const place = placeOf(facts) ?? sidecarPlace(xmp, sidecars);
  const time = captureTime(
    {
      exif: noExif,
      xmp: xmpTimes(xmp),
      xmpCreated: xmp.flatMap((one) => one.get("xmp:CreateDate") ?? [])[0] ?? null,
      iptc: { date: null, time: null },
      container: facts.times,
      duration: facts.duration,
      place: surePlace(place),
      ...sidecarTime(sidecars),
      fileName: entry.name,
      fileTime: entry.modified,
    },
    Date.now(),
  );
  const { takeout } = sidecars;
  const flags = sidecarFlags(time, sidecars);
  if (facts.hasPicture && isScreenshotPath(entry.path)) flags.unshift("screenshot");
  const problems = facts.damaged === null ? [] : [facts.damaged];
  if (bytes < entry.bytes) problems.push("the file ends early");
  if (problems.length > 0) flags.push("damaged");
  const kind = facts.mime.startsWith("audio/") ? "audio" : "video";
  const labels = [...new Set(xmp.flatMap((one) => one.get("dc:subject") ?? []))];
  const rating = ratingOf(null, xmp);
  const raw = rawValues(facts.raw, xmp, sidecars);
  const description = [takeout?.description, facts.comment, first("dc:description")];
  const record: ImportedRecord = {
    ...blankRecord(),
    identity: `${kind}:${sha256}`,
    kind,
    subject: wordsOf(first("dc:title") ?? facts.title, entry),
    text: description.map((one) => wordsOf(one, entry)).find((one) => one !== null) ?? null,
    participants: peopleOf([], sidecars),
    time,
    place,
    files: sourcesOf(entry, bytes, sidecars),
    props: {
      ...(takeout?.title && takeout.title !== entry.name ? { name: takeout.title } : {}),
      ...(labels.length > 0 ? { labels } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      ...(facts.size === null ? {} : { size: facts.size }),
      ...(facts.make || facts.model ? { camera: { make: facts.make, model: facts.model } } : {}),
      ...(rating === null ? {} : { rating }),
      ...(facts.duration === null ? {} : { duration: Math.round(facts.duration * 1000) / 1000 }),
      mime: facts.mime,
      extra: { sha256, ...(Object.keys(raw).length > 0 ? { raw } : {}) },
    },
  };
  return { record, warning: problems.length > 0 ? `Damaged: ${problems.join("; ")}.` : null };
}

const noExif = {
  original: null,
  originalSubSec: null,
  originalOffset: null,
  digitized: null,
  digitizedSubSec: null,
  digitizedOffset: null,
  modified: null,
  modifiedSubSec: null,
  modifiedOffset: null,
  gpsUtc: null,
} as const;
