import { inflateSync } from "node:zlib";
import type { PictureFormat } from "#native/images.ts";
import { iptcOfResources } from "./iptc.ts";
import { heifItems, isoBoxes } from "./iso-boxes.ts";
import { readTiff, type Tiff } from "./tiff.ts";
import { findXmpPacket } from "./xmp.ts";

/** Where a picture file keeps its metadata, by format. */
export interface MetadataBlocks {
  readonly tiff: Tiff | null;
  /** An EXIF block is there, but it is none that can be read. */
  readonly unreadable: boolean;
  readonly xmp: readonly string[];
  readonly iptc: Buffer | null;
  /** Texts that a PNG or GIF carries, by name: "Creation Time", "Description", "Comment" … */
  readonly texts: Readonly<Record<string, string>>;
}

interface Draft {
  exif: Buffer | null;
  xmp: string[];
  iptc: Buffer | null;
  texts: Record<string, string>;
}

const exifMark = Buffer.from("Exif\0\0", "latin1");
const xmpMark = "http://ns.adobe.com/xap/1.0/\0";
const extendedMark = "http://ns.adobe.com/xmp/extension/\0";
const photoshopMark = "Photoshop 3.0\0";
const mostPacket = 8 * 1024 * 1024;

/** `bytes`: the whole file, or of a JPEG at least its header. Never throws. */
export function blocksOf(format: PictureFormat, bytes: Buffer): MetadataBlocks {
  const draft: Draft = { exif: null, xmp: [], iptc: null, texts: {} };
  let tiff: Tiff | null = null;
  try {
    if (format === "jpeg") fromJpeg(bytes, draft);
    else if (format === "png") fromPng(bytes, draft);
    else if (format === "webp") fromWebp(bytes, draft);
    else if (format === "heic" || format === "avif") fromHeif(bytes, draft);
    else if (format === "gif") fromGif(bytes, draft);
    else if (format === "tiff") draft.exif = bytes;
    else tiff = fromRaw(bytes, draft);
  } catch {
    // A structure that leads out of the file: what was found before it counts.
  }
  const block = draft.exif && withoutMark(draft.exif);
  tiff ??= block && readTiff(block);
  if (tiff && (format === "tiff" || format === "raw")) fromTiffTags(tiff, draft);
  const { xmp, iptc, texts } = draft;
  const unreadable = block !== null && (tiff === null || (tiff.ifd0.size === 0 && block.length > 8));
  return { tiff, unreadable, xmp, iptc, texts };
}

/** PNG, WebP and HEIF blocks of careless writers begin with JPEG's mark. */
function withoutMark(block: Buffer): Buffer {
  return block.subarray(0, 6).equals(exifMark) ? block.subarray(6) : block;
}

function fromJpeg(bytes: Buffer, draft: Draft): void {
  const extended: { at: number; part: Buffer }[] = [];
  const resources: Buffer[] = [];
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0xda || marker === 0xd9) break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) break;
    const part = bytes.subarray(at + 4, at + 2 + length);
    at += 2 + length;
    if (marker === 0xe1) {
      if (part.subarray(0, 6).equals(exifMark)) draft.exif ??= part.subarray(6);
      else if (part.toString("latin1", 0, xmpMark.length) === xmpMark)
        draft.xmp.push(part.toString("utf8", xmpMark.length));
      else if (part.toString("latin1", 0, extendedMark.length) === extendedMark) {
        // After the mark: 32 digits, the whole length, this part's offset (ISO 16684-3 §1.1.3.1).
        const head = extendedMark.length + 32;
        if (part.length > head + 8) extended.push({ at: part.readUInt32BE(head + 4), part: part.subarray(head + 8) });
      }
    } else if (marker === 0xed && part.toString("latin1", 0, photoshopMark.length) === photoshopMark) {
      resources.push(part.subarray(photoshopMark.length));
    } else if (marker === 0xfe) draft.texts.comment ??= part.toString("latin1").slice(0, 10_000);
  }
  if (extended.length > 0) {
    const whole = Buffer.concat(extended.sort((a, b) => a.at - b.at).map(({ part }) => part));
    draft.xmp.push(whole.subarray(0, mostPacket).toString("utf8"));
  }
  if (resources.length > 0) draft.iptc = iptcOfResources(Buffer.concat(resources));
}

const mostChunks = 10_000;

function fromPng(bytes: Buffer, draft: Draft): void {
  for (let at = 8, count = 0; at + 8 <= bytes.length && count < mostChunks; count++) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    at += 12 + length;
    if (type === "eXIf") draft.exif ??= data;
    if (type !== "tEXt" && type !== "zTXt" && type !== "iTXt") continue;
    const nul = data.indexOf(0);
    if (nul < 1) continue;
    const name = data.toString("latin1", 0, nul);
    const text = pngText(type, data.subarray(nul + 1));
    if (text === null) continue;
    if (name === "XML:com.adobe.xmp") draft.xmp.push(text.toString("utf8"));
    else if (/^raw profile type (?:exif|app1|xmp|iptc|8bim)$/i.test(name))
      rawProfile(name, text.toString("latin1"), draft);
    else draft.texts[name] ??= (type === "iTXt" ? text.toString("utf8") : text.toString("latin1")).slice(0, 10_000);
  }
}

/** The value of a text chunk after its name (PNG 3rd edition §11.3.3). */
function pngText(type: string, data: Buffer): Buffer | null {
  const inflate = (packed: Buffer) => inflateSync(packed, { maxOutputLength: mostPacket });
  try {
    if (type === "tEXt") return data;
    if (type === "zTXt") return inflate(data.subarray(1));
    const language = data.indexOf(0, 2);
    const keyword = data.indexOf(0, language + 1);
    if (language < 0 || keyword < 0) return null;
    const body = data.subarray(keyword + 1);
    return data[0] === 1 ? inflate(body) : body;
  } catch {
    return null;
  }
}

/** ImageMagick's profiles: a name, a length, then hex digits. */
function rawProfile(name: string, text: string, draft: Draft): void {
  const hex = /^\s*\S+\s+\d+\s+([0-9a-f\s]+)$/i.exec(text)?.[1];
  if (hex === undefined) return;
  const bytes = Buffer.from(hex.replace(/\s+/g, ""), "hex");
  if (/iptc|8bim/i.test(name)) draft.iptc ??= bytes[0] === 0x1c ? bytes : iptcOfResources(bytes);
  else if (/xmp/i.test(name)) draft.xmp.push(bytes.toString("utf8"));
  else if (bytes.toString("latin1", 0, xmpMark.length) === xmpMark)
    draft.xmp.push(bytes.toString("utf8", xmpMark.length));
  else draft.exif ??= bytes;
}

function fromWebp(bytes: Buffer, draft: Draft): void {
  for (let at = 12, count = 0; at + 8 <= bytes.length && count < mostChunks; count++) {
    const type = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === "EXIF") draft.exif ??= data;
    else if (type === "XMP ") draft.xmp.push(data.toString("utf8"));
    at += 8 + length + (length % 2);
  }
}

function fromHeif(bytes: Buffer, draft: Draft): void {
  for (const { type, contentType, data } of heifItems(bytes)) {
    if (type === "Exif" && data.length > 4) {
      // Four bytes tell where the TIFF header stands after them (ISO/IEC 23008-12 Annex A.2.1).
      const start = 4 + data.readUInt32BE(0);
      draft.exif ??= data.subarray(start < data.length ? start : 4);
    } else if (type === "mime" && contentType === "application/rdf+xml") draft.xmp.push(data.toString("utf8"));
  }
}

/** Comments, and XMP as an application extension that is plain text but for its trailer (ISO 16684-3 §1.1.2). */
function fromGif(bytes: Buffer, draft: Draft): void {
  const packet = findXmpPacket(bytes);
  if (packet !== null) draft.xmp.push(packet);
  const at = bytes.indexOf(Buffer.from([0x21, 0xfe]));
  const length = at < 0 ? 0 : (bytes[at + 2] ?? 0);
  const text = bytes.toString("latin1", at + 3, at + 3 + length);
  if (length > 0 && bytes[at + 3 + length] === 0 && /^[\x20-\x7e\s]+$/.test(text)) draft.texts.comment = text;
}

function fromTiffTags({ ifd0 }: Tiff, draft: Draft): void {
  const xmp = ifd0.get(0x02bc);
  if (xmp) draft.xmp.push(xmp.bytes.toString("utf8"));
  const iptc = ifd0.get(0x83bb);
  if (iptc) draft.iptc ??= iptc.bytes;
  const photoshop = ifd0.get(0x8649);
  if (photoshop) draft.iptc ??= iptcOfResources(photoshop.bytes);
}

const canonUuid = "85c0b687820f11e08111f4ce462b6a48";

/** TIFF-like files are blocks themselves; CR3 keeps three blocks in a box; RAF is described by its preview. */
function fromRaw(bytes: Buffer, draft: Draft): Tiff | null {
  if (bytes.toString("latin1", 0, 8) === "FUJIFILM" && bytes.length > 92) {
    const start = bytes.readUInt32BE(84);
    fromJpeg(bytes.subarray(start, start + bytes.readUInt32BE(88)), draft);
    return null;
  }
  if (bytes.toString("latin1", 4, 8) !== "ftyp") {
    draft.exif = bytes;
    return null;
  }
  const moov = isoBoxes(bytes, 0, bytes.length).find(({ type }) => type === "moov");
  if (!moov) return null;
  for (const box of isoBoxes(bytes, moov.start, moov.end)) {
    if (box.type !== "uuid" || bytes.toString("hex", box.start, box.start + 16) !== canonUuid) continue;
    const part = new Map(
      isoBoxes(bytes, box.start + 16, box.end).map(({ type, start, end }) => [type, bytes.subarray(start, end)]),
    );
    const read = (type: string) => readTiff(part.get(type) ?? Buffer.alloc(0));
    const first = read("CMT1");
    if (!first) return null;
    const empty = new Map();
    return {
      little: first.little,
      ifd0: first.ifd0,
      exif: read("CMT2")?.ifd0 ?? empty,
      gps: read("CMT4")?.ifd0 ?? empty,
    };
  }
  return null;
}
