import { emptyFilm, type FilmDraft, type FilmFacts, keepRaw, placeOfIso6709 } from "./facts.ts";
import type { Ranges } from "./ranges.ts";

/** Matroska and WebM (RFC 8794 EBML, RFC 9559) as far as they say when, where and how long. Clusters are not read. */

interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

const id = {
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  dateUtc: 0x4461,
  title: 0x7ba9,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackType: 0x83,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  displayWidth: 0x54b0,
  displayHeight: 0x54ba,
  displayUnit: 0x54b2,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
  cluster: 0x1f43b675,
} as const;

/** 2001-01-01 UTC, from which DateUTC counts nanoseconds (RFC 9559 §5.1.2.10). */
const epoch = Date.UTC(2001, 0, 1);
const mostElements = 2_000;
const mostValue = 64 * 1024;

/** A variable-length number at `at`: its value, its length, and whether all its bits are set ("unknown"). */
function vint(
  bytes: Buffer,
  at: number,
  keepMarker: boolean,
): { value: number; length: number; unknown: boolean } | null {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return null;
  let value = keepMarker ? first : first & (0xff >> length);
  let unknown = (first | ((0xff << (8 - length)) & 0xff)) === 0xff;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    value = value * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { value, length, unknown };
}

async function* elementsIn(ranges: Ranges, start: number, end: number): AsyncGenerator<Element> {
  let at = start;
  for (let count = 0; at + 2 <= end && count < mostElements; count++) {
    const head = await ranges.bytes(at, 12).then((bytes) => (bytes.length > 0 ? bytes : ranges.bytes(at, end - at)));
    const name = vint(head, 0, true);
    const size = name && vint(head, name.length, false);
    if (!name || !size || name.length > 4) return;
    const from = at + name.length + size.length;
    const to = size.unknown ? end : Math.min(end, from + size.value);
    yield { id: name.value, start: from, end: to };
    at = size.unknown ? end : from + size.value;
  }
}

const value = (ranges: Ranges, { start, end }: Element) => ranges.bytes(start, Math.min(end - start, mostValue));

function unsigned(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes.subarray(0, 8)) sum = sum * 256 + byte;
  return sum;
}

const float = (bytes: Buffer) =>
  bytes.length === 4 ? bytes.readFloatBE(0) : bytes.length === 8 ? bytes.readDoubleBE(0) : 0;
const text = (bytes: Buffer) => bytes.toString("utf8").replace(/\0.*$/s, "").trim();

/** Reads the segment's information, tracks and tags. Never throws but what the entry throws. */
export async function readMatroska(ranges: Ranges): Promise<FilmFacts> {
  const head = await ranges.bytes(0, 64);
  const webm = head.includes("webm");
  const film = emptyFilm(webm ? "webm" : "matroska", webm ? "video/webm" : "video/x-matroska");
  let segment: Element | null = null;
  for await (const element of elementsIn(ranges, 0, ranges.size)) {
    if (element.id === id.segment) segment = element;
    if (segment) break;
  }
  if (!segment) {
    film.damaged = "it holds no segment";
    return film;
  }
  const later = new Set<number>();
  const seen = new Set<number>();
  for await (const element of elementsIn(ranges, segment.start, segment.end)) {
    if (element.id === id.cluster) break;
    seen.add(element.start);
    if (element.id === id.seekHead)
      for (const at of await seekPositions(ranges, element)) later.add(segment.start + at);
    await readTop(ranges, element, film);
  }
  // Tags often stand after the clusters; the list at the beginning says where.
  for (const at of later) {
    for await (const element of elementsIn(ranges, at, segment.end)) {
      if (!seen.has(element.start)) await readTop(ranges, element, film);
      break;
    }
  }
  if (!film.hasPicture && film.size === null && film.duration !== null)
    film.mime = webm ? "audio/webm" : "audio/x-matroska";
  return film;
}

async function seekPositions(ranges: Ranges, seekHead: Element): Promise<number[]> {
  const found: number[] = [];
  for await (const seek of elementsIn(ranges, seekHead.start, seekHead.end)) {
    if (seek.id !== id.seek || found.length >= 20) continue;
    let wanted = false;
    let position = 0;
    for await (const part of elementsIn(ranges, seek.start, seek.end)) {
      const number = unsigned(await value(ranges, part));
      if (part.id === id.seekId) wanted = number === id.tags || number === id.info || number === id.tracks;
      else if (part.id === id.seekPosition) position = number;
    }
    if (wanted && position > 0) found.push(position);
  }
  return found;
}

async function readTop(ranges: Ranges, element: Element, film: FilmDraft): Promise<void> {
  if (element.id === id.info) await readInfo(ranges, element, film);
  else if (element.id === id.tracks) await readTracks(ranges, element, film);
  else if (element.id === id.tags) await readTags(ranges, element, film);
}

async function readInfo(ranges: Ranges, info: Element, film: FilmDraft): Promise<void> {
  let scale = 1_000_000;
  let ticks = 0;
  for await (const part of elementsIn(ranges, info.start, info.end)) {
    const bytes = await value(ranges, part);
    if (part.id === id.timestampScale) scale = unsigned(bytes) || scale;
    else if (part.id === id.duration) ticks = float(bytes);
    else if (part.id === id.title) film.title ??= text(bytes) || null;
    else if (part.id === id.dateUtc && bytes.length === 8) {
      const ns = bytes.readBigInt64BE(0);
      keepRaw(film, "matroska:DateUTC", String(ns));
      if (ns !== 0n) film.times.push({ source: "matroska:DateUTC", value: epoch + Number(ns / 1_000_000n) });
    }
  }
  const seconds = (ticks * scale) / 1e9;
  if (seconds > 0 && Number.isFinite(seconds)) film.duration = seconds;
}

async function readTracks(ranges: Ranges, tracks: Element, film: FilmDraft): Promise<void> {
  for await (const track of elementsIn(ranges, tracks.start, tracks.end)) {
    if (track.id !== id.trackEntry) continue;
    for await (const part of elementsIn(ranges, track.start, track.end)) {
      if (part.id === id.trackType && (await value(ranges, part))[0] === 1) film.hasPicture = true;
      if (part.id !== id.video) continue;
      const numbers = new Map<number, number>();
      for await (const field of elementsIn(ranges, part.start, part.end)) {
        numbers.set(field.id, unsigned(await value(ranges, field)));
      }
      // Display sizes in other units than pixels (RFC 9559 §5.1.4.1.28.14) are ratios.
      const pixels = (numbers.get(id.displayUnit) ?? 0) === 0;
      const width = (pixels && numbers.get(id.displayWidth)) || numbers.get(id.pixelWidth) || 0;
      const height = (pixels && numbers.get(id.displayHeight)) || numbers.get(id.pixelHeight) || 0;
      if (width > 0 && height > 0 && width < 1e6 && height < 1e6) film.size ??= { width, height };
    }
  }
}

async function readTags(ranges: Ranges, tags: Element, film: FilmDraft): Promise<void> {
  for await (const tag of elementsIn(ranges, tags.start, tags.end)) {
    if (tag.id !== id.tag) continue;
    for await (const simple of elementsIn(ranges, tag.start, tag.end)) {
      if (simple.id !== id.simpleTag) continue;
      let name = "";
      let said = "";
      for await (const part of elementsIn(ranges, simple.start, simple.end)) {
        if (part.id === id.tagName) name = text(await value(ranges, part)).toUpperCase();
        else if (part.id === id.tagString) said = text(await value(ranges, part));
      }
      takeTag(film, name, said);
    }
  }
}

function takeTag(film: FilmDraft, name: string, said: string): void {
  if (said === "") return;
  if (/^(?:DATE_RECORDED|DATE_DIGITIZED|CREATION_TIME|COM\.APPLE\.QUICKTIME\.CREATIONDATE)$/.test(name)) {
    keepRaw(film, `matroska:${name}`, said);
    film.times.unshift({ source: `matroska:${name}`, value: said.replace(" ", "T") });
  } else if (/LOCATION(?:\.ISO6709)?$/.test(name)) {
    keepRaw(film, `matroska:${name}`, said);
    const place = placeOfIso6709(said);
    if (place) film.places.push(place);
  } else if (/(?:^|\.)MAKE$/.test(name)) film.make ??= said;
  else if (/(?:^|\.)MODEL$/.test(name)) film.model ??= said;
  else if (name === "TITLE") film.title ??= said;
  else if (name === "COMMENT" || name === "DESCRIPTION") film.comment ??= said;
}
