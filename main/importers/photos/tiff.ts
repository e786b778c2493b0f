/**
 * TIFF directories (TIFF 6.0; CIPA DC-008 §4.5) as EXIF blocks and RAW files hold them. Values are parts of the given
 * bytes, never copies, and each tag counts once: a directory that names the same megabytes 65,535 times costs nothing.
 */

export interface Tag {
  /** TIFF type 1–12. */
  readonly type: number;
  readonly count: number;
  readonly bytes: Buffer;
}

export type Directory = ReadonlyMap<number, Tag>;

export interface Tiff {
  readonly little: boolean;
  readonly ifd0: Directory;
  readonly exif: Directory;
  readonly gps: Directory;
}

/** Bytes of one value by TIFF type. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const mostEntries = 2_000;
/** Longest value that is looked at; maker notes may have 100 kB and more. */
const mostValue = 1024 * 1024;
const exifPointer = 0x8769;
const gpsPointer = 0x8825;
const empty: Directory = new Map();
/** The number after the byte order: TIFF's 42, Olympus' "OR" and "SR", Panasonic's 0x55. */
const magics = new Set([42, 0x4f52, 0x5352, 0x0055]);

/** One directory at `at`; what points outside is left out, what is cut is kept as far as it goes. */
export function readDirectory(block: Buffer, at: number, little: boolean): Directory {
  const u16 = (offset: number) => (little ? block.readUInt16LE(offset) : block.readUInt16BE(offset));
  const u32 = (offset: number) => (little ? block.readUInt32LE(offset) : block.readUInt32BE(offset));
  const found = new Map<number, Tag>();
  if (at < 0 || at + 2 > block.length) return found;
  const entries = Math.min(u16(at), mostEntries, Math.floor((block.length - at - 2) / 12));
  for (let i = 0, entry = at + 2; i < entries; i++, entry += 12) {
    const id = u16(entry);
    const type = u16(entry + 2);
    const size = sizes[type] ?? 0;
    if (size === 0 || found.has(id)) continue;
    const length = u32(entry + 4) * size;
    const start = length <= 4 ? entry + 8 : u32(entry + 8);
    if (start >= block.length) continue;
    const bytes = block.subarray(start, Math.min(start + length, start + mostValue, block.length));
    found.set(id, { type, count: Math.floor(bytes.length / size), bytes });
  }
  return found;
}

/** A whole block: its first directory, and those of EXIF and GPS. Null when it is none. */
export function readTiff(block: Buffer): Tiff | null {
  if (block.length < 8) return null;
  const order = block.toString("latin1", 0, 2);
  const little = order === "II";
  if (!little && order !== "MM") return null;
  if (!magics.has(little ? block.readUInt16LE(2) : block.readUInt16BE(2))) return null;
  const ifd0 = readDirectory(block, little ? block.readUInt32LE(4) : block.readUInt32BE(4), little);
  const below = (pointer: number): Directory => {
    const at = numbers(ifd0.get(pointer), little)[0];
    return at === undefined ? empty : readDirectory(block, at, little);
  };
  return { little, ifd0, exif: below(exifPointer), gps: below(gpsPointer) };
}

/** Whole numbers of a tag (BYTE, SHORT, LONG and their signed forms). */
export function numbers(tag: Tag | undefined, little: boolean, most = 16): number[] {
  if (!tag) return [];
  const { type, bytes } = tag;
  const size = sizes[type] ?? 1;
  const list: number[] = [];
  for (let i = 0; i < Math.min(tag.count, most); i++) {
    const at = i * size;
    if (size === 1) list.push(bytes.readUInt8(at));
    else if (type === 3) list.push(little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
    else if (type === 8) list.push(little ? bytes.readInt16LE(at) : bytes.readInt16BE(at));
    else if (type === 4) list.push(little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
    else if (type === 9) list.push(little ? bytes.readInt32LE(at) : bytes.readInt32BE(at));
    else return list;
  }
  return list;
}

/** RATIONAL and SRATIONAL as [numerator, denominator]. */
export function rationals(tag: Tag | undefined, little: boolean): [number, number][] {
  if (!tag || (tag.type !== 5 && tag.type !== 10)) return [];
  const list: [number, number][] = [];
  for (let i = 0; i < Math.min(tag.count, 8); i++) {
    const read = (at: number) => {
      if (tag.type === 10) return little ? tag.bytes.readInt32LE(at) : tag.bytes.readInt32BE(at);
      return little ? tag.bytes.readUInt32LE(at) : tag.bytes.readUInt32BE(at);
    };
    list.push([read(i * 8), read(i * 8 + 4)]);
  }
  return list;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const western = new TextDecoder("windows-1252");

/** UTF-8 when it is, else the code page that cameras without Unicode mostly have. Ends at the first NUL. */
export function decodeText(bytes: Uint8Array): string {
  const nul = bytes.indexOf(0);
  const text = nul < 0 ? bytes : bytes.subarray(0, nul);
  try {
    return utf8.decode(text);
  } catch {
    return western.decode(text);
  }
}

/** An ASCII tag, or bytes that stand for one; null when it is not there. */
export function asciiOf(tag: Tag | undefined): string | null {
  return tag && (tag.type === 2 || tag.type === 7 || tag.type === 1) ? decodeText(tag.bytes) : null;
}
