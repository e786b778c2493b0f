import { emptyFilm, type FilmDraft, type FilmFacts, keepRaw, placeOfIso6709 } from "./facts.ts";
import type { Ranges } from "./ranges.ts";

/**
 * MP4, QuickTime and 3GP (ISO/IEC 14496-12; QuickTime File Format) as far as they say when, where and how long. Boxes
 * are walked by ranges: media data and sample tables are passed over unread.
 */

interface Box {
  readonly type: string;
  /** First byte after the header. */
  readonly start: number;
  readonly end: number;
  /** The file or the parent ends before the box. */
  readonly cut: boolean;
}

/** Seconds from 1904-01-01 UTC to 1970-01-01 UTC. */
const from1904 = 2_082_844_800;
const mostBoxes = 2_000;
/** Largest value (a text, a packet) that is read. */
const mostValue = 1024 * 1024;
const xmpUuid = "be7acfcb97a942e89c71999491e3afac";

/** Boxes of user data that cameras (no phones) write; exiftool and reports say that these makers write the wall clock. */
const cameraBoxes = new Set(["NCDT", "NCHD", "CNTH", "CNCV", "FIRM", "GPMF", "PANA", "MVTG", "TAGS", "QVMI", "PXMN"]);

async function* boxesIn(ranges: Ranges, start: number, end: number): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; at + 8 <= end && count < mostBoxes; count++) {
    const head = await ranges.bytes(at, 16);
    if (head.length < 8) return;
    let size = head.readUInt32BE(0);
    let header = 8;
    if (size === 1) {
      if (head.length < 16) return;
      size = Number(head.readBigUInt64BE(8));
      header = 16;
    } else if (size === 0) size = end - at;
    if (size < header) return;
    yield {
      type: head.toString("latin1", 4, 8),
      start: at + header,
      end: Math.min(end, at + size),
      cut: at + size > end,
    };
    at += size;
  }
}

async function childrenOf(ranges: Ranges, { start, end }: { start: number; end: number }): Promise<Box[]> {
  return Array.fromAsync(boxesIn(ranges, start, end));
}

const value = (ranges: Ranges, { start, end }: Box) => ranges.bytes(start, Math.min(end - start, mostValue));

/** Reads the boxes of the file. Never throws but what the entry throws. */
export async function readMp4(ranges: Ranges): Promise<FilmFacts> {
  const head = await ranges.bytes(0, 16);
  const brand = head.toString("latin1", 8, 12);
  const format = brand.startsWith("3g")
    ? "3gpp"
    : brand === "qt  " || head.toString("latin1", 4, 8) !== "ftyp"
      ? "quicktime"
      : "mp4";
  const mime = { "3gpp": "video/3gpp", quicktime: "video/quicktime", mp4: "video/mp4" }[format];
  const film = emptyFilm(format, mime);
  let moov = false;
  let cut = false;
  for await (const box of boxesIn(ranges, 0, ranges.size)) {
    cut ||= box.cut;
    if (box.type === "moov") {
      moov = true;
      await readMoov(ranges, box, film);
    } else if (box.type === "uuid") await readUuid(ranges, box, film);
    else if (box.type === "meta") await readSonyXml(ranges, box, film);
    else if (box.type === "moof") moov = true;
  }
  if (!moov) film.damaged = "its table of contents (moov) is missing, as when a recording or a copy was cut off";
  else if (cut) film.damaged = "the file is shorter than its parts say";
  if (!film.hasPicture && moov && film.size === null && film.duration !== null) {
    film.format = "m4a";
    film.mime = "audio/mp4";
  }
  sortTimes(film);
  return film;
}

const trust = [
  "quicktime:creationdate",
  "xml:CreationDate",
  "udta:day",
  "mvhd:creation_time",
  "mdhd:creation_time",
  "tkhd:creation_time",
];

/** `©day` of an editor may hold a year alone: then the instant is better. */
function sortTimes(film: FilmDraft): void {
  const rank = ({ source, value: said }: FilmFacts["times"][number]) => {
    const vague = typeof said === "string" && !/\d\d:\d\d/.test(said);
    return trust.indexOf(source) + (vague ? trust.length : 0);
  };
  film.times.sort((a, b) => rank(a) - rank(b));
}

async function readMoov(ranges: Ranges, moov: Box, film: FilmDraft): Promise<void> {
  const children = await childrenOf(ranges, moov);
  for (const box of children) {
    if (box.type === "mvhd") await readHeader(ranges, box, film, "mvhd:creation_time");
    else if (box.type === "trak") await readTrack(ranges, box, film);
    else if (box.type === "udta") await readUserData(ranges, box, film);
    else if (box.type === "meta") await readMeta(ranges, box, film);
    else if (box.type === "uuid") await readUuid(ranges, box, film);
  }
  const udta = children.find(({ type }) => type === "udta");
  const inUdta = udta ? await childrenOf(ranges, udta) : [];
  if (inUdta.some(({ type }) => cameraBoxes.has(type)) || /^(?:gopro|dji)/i.test(film.make ?? "")) {
    film.times = film.times.map((time) => (typeof time.value === "number" ? { ...time, wallClock: true } : time));
  }
}

/** `mvhd` (§8.2.2) and `mdhd` (§8.4.2): creation and modification time, time scale, duration. */
async function readHeader(ranges: Ranges, box: Box, film: FilmDraft, source: string): Promise<void> {
  const bytes = await value(ranges, box);
  const wide = bytes[0] === 1;
  if (bytes.length < (wide ? 32 : 20)) return;
  addTime(film, source, wide ? Number(bytes.readBigUInt64BE(4)) : bytes.readUInt32BE(4));
  const scale = bytes.readUInt32BE(wide ? 20 : 12);
  const length = wide ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16);
  const unknown = wide ? length >= 2 ** 63 : length === 0xffffffff;
  if (scale > 0 && length > 0 && !unknown) film.duration = Math.max(film.duration ?? 0, length / scale);
}

/** 0 stands for "not set"; seconds that fall before 1970 were counted from 1970 by a careless writer. */
function addTime(film: FilmDraft, source: string, seconds: number): void {
  if (seconds === 0) return;
  keepRaw(film, source, String(seconds));
  const unix = seconds >= from1904 ? seconds - from1904 : seconds;
  // 1970-01-01 itself is 0 in the other count.
  if (unix > 86_400 && unix < 253_402_300_799) film.times.push({ source, value: unix * 1000 });
}

async function readTrack(ranges: Ranges, trak: Box, film: FilmDraft): Promise<void> {
  const children = await childrenOf(ranges, trak);
  const media = children.find(({ type }) => type === "mdia");
  const inMedia = media ? await childrenOf(ranges, media) : [];
  const handler = inMedia.find(({ type }) => type === "hdlr");
  const kind = handler ? (await ranges.bytes(handler.start, 12)).toString("latin1", 8, 12) : "";
  const tkhd = children.find(({ type }) => type === "tkhd");
  const mdhd = inMedia.find(({ type }) => type === "mdhd");
  if (mdhd) await readHeader(ranges, mdhd, film, "mdhd:creation_time");
  if (kind === "vide") {
    film.hasPicture = true;
    if (tkhd && film.size === null) film.size = await sizeOf(ranges, tkhd);
  }
  for (const box of children) {
    if (box.type === "udta") await readUserData(ranges, box, film);
    else if (box.type === "meta") await readMeta(ranges, box, film);
  }
}

/** `tkhd` (§8.3.2): width and height in 16.16, turned by the matrix when its first row is vertical. */
async function sizeOf(ranges: Ranges, box: Box): Promise<FilmFacts["size"]> {
  const bytes = await value(ranges, box);
  const matrix = bytes[0] === 1 ? 52 : 40;
  if (bytes.length < matrix + 44) return null;
  const width = Math.round(bytes.readUInt32BE(matrix + 36) / 65_536);
  const height = Math.round(bytes.readUInt32BE(matrix + 40) / 65_536);
  if (width === 0 || height === 0) return null;
  const turned = Math.abs(bytes.readInt32BE(matrix + 4)) > Math.abs(bytes.readInt32BE(matrix));
  return turned ? { width: height, height: width } : { width, height };
}

/** QuickTime texts: length, language, bytes; ISO texts of 3GPP: version, language, bytes. */
function quickTimeText(bytes: Buffer): string {
  const length = bytes.length >= 4 ? bytes.readUInt16BE(0) : 0;
  const body = length > 0 && length + 4 <= bytes.length ? bytes.subarray(4, 4 + length) : bytes;
  return plainText(body);
}

function plainText(bytes: Uint8Array): string {
  const wide = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe);
  const text = wide
    ? new TextDecoder(bytes[0] === 0xfe ? "utf-16be" : "utf-16le").decode(bytes)
    : new TextDecoder().decode(bytes);
  return text.replace(/\0.*$/s, "").trim();
}

/** Field of a user data text, by the last letters of its type (`©day`, and `day ` of 3GPP's fashion). */
const userTexts: Readonly<Record<string, string>> = {
  "\u00a9day": "day",
  "\u00a9xyz": "xyz",
  "\u00a9mak": "make",
  "\u00a9mod": "model",
  "\u00a9nam": "title",
  "\u00a9cmt": "comment",
  "\u00a9des": "comment",
  titl: "title",
  dscp: "comment",
  auth: "author",
};

async function readUserData(ranges: Ranges, udta: Box, film: FilmDraft): Promise<void> {
  for await (const box of boxesIn(ranges, udta.start, udta.end)) {
    if (box.type === "meta") await readMeta(ranges, box, film);
    else if (box.type === "loci") readLoci(await value(ranges, box), film);
    else if (box.type === "XMP_") film.xmp.push((await value(ranges, box)).toString("utf8"));
    else {
      const field = userTexts[box.type];
      if (field === undefined) continue;
      const bytes = await value(ranges, box);
      const iso = box.type.startsWith("\u00a9") ? bytes : bytes.subarray(6);
      take(film, field, box.type.startsWith("\u00a9") ? quickTimeText(iso) : plainText(iso), `udta:${field}`);
    }
  }
}

function take(film: FilmDraft, field: string, text: string, source: string): void {
  if (text === "") return;
  keepRaw(film, source, text);
  if (field === "make" || field === "model" || field === "title" || field === "comment" || field === "contentId") {
    film[field] ??= text;
  } else if (field === "day") film.times.push({ source: "udta:day", value: text });
  else if (field === "creationdate") film.times.push({ source: "quicktime:creationdate", value: text });
  else if (field === "xyz") {
    const place = placeOfIso6709(text);
    // Apple's key comes first, whichever box stands first.
    if (place && source.startsWith("quicktime:")) film.places.unshift(place);
    else if (place) film.places.push(place);
  }
}

/** 3GPP TS 26.244 §8.10: a name, its role, then longitude, latitude and altitude in 16.16. */
function readLoci(bytes: Buffer, film: FilmDraft): void {
  const nameEnd = bytes.indexOf(0, 6);
  if (nameEnd < 0 || nameEnd + 14 > bytes.length) return;
  const fixed = (at: number) => bytes.readInt32BE(nameEnd + 2 + at) / 65_536;
  const [lon, lat, alt] = [fixed(0), fixed(4), fixed(8)];
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0)) return;
  const name = plainText(bytes.subarray(6, nameEnd)) || null;
  keepRaw(film, "udta:loci", `${lat} ${lon} ${alt} ${name ?? ""}`.trim());
  film.places.push({ lat, lon, alt, name });
}

const keyFields: Readonly<Record<string, string>> = {
  "com.apple.quicktime.creationdate": "creationdate",
  "com.apple.quicktime.location.ISO6709": "xyz",
  "com.apple.quicktime.make": "make",
  "com.apple.quicktime.model": "model",
  "com.apple.quicktime.title": "title",
  "com.apple.quicktime.displayname": "title",
  "com.apple.quicktime.description": "comment",
  "com.apple.quicktime.comment": "comment",
  "com.apple.quicktime.content.identifier": "contentId",
  "com.android.manufacturer": "make",
  "com.android.model": "model",
};

/** `meta` with `keys` and `ilst` (QuickTime File Format, "Metadata"), or with iTunes' four-letter names. */
async function readMeta(ranges: Ranges, meta: Box, film: FilmDraft): Promise<void> {
  // QuickTime's meta has no version and flags: its first child's type shows it.
  const probe = (await ranges.bytes(meta.start, 8)).toString("latin1", 4, 8);
  const plain = probe === "hdlr" || probe === "keys";
  const children = await childrenOf(ranges, { start: meta.start + (plain ? 0 : 4), end: meta.end });
  const keysBox = children.find(({ type }) => type === "keys");
  const keys = keysBox ? readKeys(await value(ranges, keysBox)) : [];
  const ilst = children.find(({ type }) => type === "ilst");
  if (!ilst) return;
  for await (const item of boxesIn(ranges, ilst.start, ilst.end)) {
    const data = (await childrenOf(ranges, item)).find(({ type }) => type === "data");
    if (!data || data.end - data.start > mostValue) continue;
    const index = Buffer.from(item.type, "latin1").readUInt32BE(0);
    const key = keys[index - 1];
    const field = key === undefined ? userTexts[item.type] : keyFields[key];
    if (field === undefined) continue;
    const bytes = await value(ranges, data);
    take(film, field, plainText(bytes.subarray(8)), key === undefined ? `udta:${field}` : `quicktime:${field}`);
  }
}

function readKeys(bytes: Buffer): string[] {
  const keys: string[] = [];
  for (let at = 8; at + 8 <= bytes.length && keys.length < 1_000; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) break;
    keys.push(bytes.toString("utf8", at + 8, Math.min(at + size, bytes.length)));
    at += size;
  }
  return keys;
}

async function readUuid(ranges: Ranges, box: Box, film: FilmDraft): Promise<void> {
  const bytes = await value(ranges, box);
  if (bytes.toString("hex", 0, 16) === xmpUuid) film.xmp.push(bytes.toString("utf8", 16));
}

/** Sony's `meta` at the top of a file holds NonRealTimeMeta XML with a date that has its offset. */
async function readSonyXml(ranges: Ranges, meta: Box, film: FilmDraft): Promise<void> {
  for (const box of await childrenOf(ranges, { start: meta.start + 4, end: meta.end })) {
    if (box.type !== "xml ") continue;
    const xml = (await value(ranges, box)).toString("utf8");
    const created = /<CreationDate\s+value="([^"]{10,40})"/.exec(xml)?.[1];
    if (created) {
      keepRaw(film, "xml:CreationDate", created);
      film.times.push({ source: "xml:CreationDate", value: created });
    }
    const device = /<Device\s+manufacturer="([^"]{1,80})"\s+modelName="([^"]{1,80})"/.exec(xml);
    film.make ??= device?.[1] ?? null;
    film.model ??= device?.[2] ?? null;
  }
}
