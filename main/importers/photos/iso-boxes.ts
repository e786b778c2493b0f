/** Boxes of ISO/IEC 14496-12 and items of HEIF (ISO/IEC 23008-12) in bytes that are in memory. */

export interface IsoBox {
  readonly type: string;
  /** First byte after the header. */
  readonly start: number;
  readonly end: number;
}

const mostBoxes = 5_000;

/** Direct boxes in [start, end); one that is cut is given as far as it goes. */
export function isoBoxes(bytes: Buffer, start: number, end: number): IsoBox[] {
  const found: IsoBox[] = [];
  for (let at = start; at + 8 <= end && found.length < mostBoxes; ) {
    let size = bytes.readUInt32BE(at);
    let header = 8;
    if (size === 1) {
      if (at + 16 > end) break;
      size = Number(bytes.readBigUInt64BE(at + 8));
      header = 16;
    } else if (size === 0) size = end - at;
    if (size < header) break;
    found.push({ type: bytes.toString("latin1", at + 4, at + 8), start: at + header, end: Math.min(end, at + size) });
    at += size;
  }
  return found;
}

export interface HeifItem {
  readonly type: string;
  readonly contentType: string | null;
  readonly data: Buffer;
}

const wanted = new Set(["Exif", "mime"]);
const mostItems = 10_000;
const mostItemBytes = 16 * 1024 * 1024;

/** Metadata items of a HEIF file, in the order of its list. Throws a RangeError where a box leads out of the file. */
export function heifItems(bytes: Buffer): HeifItem[] {
  const meta = isoBoxes(bytes, 0, bytes.length).find(({ type }) => type === "meta");
  if (!meta) return [];
  const inMeta = isoBoxes(bytes, meta.start + 4, meta.end);
  const of = (type: string) => inMeta.find((box) => box.type === type);
  const [iinf, iloc, idat] = [of("iinf"), of("iloc"), of("idat")];
  if (!iinf || !iloc) return [];
  const infos = new Map<number, { type: string; contentType: string | null }>();
  const listAt = iinf.start + (bytes[iinf.start] === 0 ? 6 : 8);
  for (const infe of isoBoxes(bytes, listAt, iinf.end)) {
    // §8.11.6: versions 2 and 3 name the type; the id has 16 or 32 bits.
    const version = bytes[infe.start] ?? 0;
    if (infe.type !== "infe" || version < 2) continue;
    const wide = version === 3;
    const id = wide ? bytes.readUInt32BE(infe.start + 4) : bytes.readUInt16BE(infe.start + 4);
    const typeAt = infe.start + (wide ? 10 : 8);
    const type = bytes.toString("latin1", typeAt, typeAt + 4);
    if (!wanted.has(type)) continue;
    const [, contentType = null] = bytes.toString("latin1", typeAt + 4, infe.end).split("\0");
    infos.set(id, { type, contentType });
  }
  const places = locations(bytes, iloc);
  return [...infos].slice(0, 20).flatMap(([id, info]) => {
    const extents = places.get(id);
    if (!extents) return [];
    const base = extents.inIdat ? (idat?.start ?? bytes.length) : 0;
    const parts = extents.parts.map(({ offset, length }) => bytes.subarray(base + offset, base + offset + length));
    return [{ ...info, data: Buffer.concat(parts, Math.min(mostItemBytes, sum(parts))) }];
  });
}

const sum = (parts: readonly Buffer[]) => parts.reduce((total, part) => total + part.length, 0);

interface Location {
  readonly inIdat: boolean;
  readonly parts: readonly { readonly offset: number; readonly length: number }[];
}

/** ISO/IEC 14496-12 §8.11.3. */
function locations(bytes: Buffer, iloc: IsoBox): Map<number, Location> {
  const found = new Map<number, Location>();
  const version = bytes[iloc.start] ?? 0;
  const [first = 0, second = 0] = bytes.subarray(iloc.start + 4, iloc.start + 6);
  const [offsetSize, lengthSize, baseSize] = [first >> 4, first & 15, second >> 4];
  const indexSize = version > 0 ? second & 15 : 0;
  let at = iloc.start + 6;
  const take = (size: number): number => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + (bytes[at + i] ?? 0);
    at += size;
    return value;
  };
  const count = Math.min(take(version < 2 ? 2 : 4), mostItems);
  for (let i = 0; i < count && at < iloc.end; i++) {
    const id = take(version < 2 ? 2 : 4);
    const method = version > 0 ? take(2) & 15 : 0;
    take(2);
    const base = take(baseSize);
    const extents = take(2);
    const parts: { offset: number; length: number }[] = [];
    for (let n = 0; n < extents && at < iloc.end; n++) {
      take(indexSize);
      const offset = base + take(offsetSize);
      const length = take(lengthSize);
      if (parts.length < 64) parts.push({ offset, length });
    }
    if (method < 2) found.set(id, { inIdat: method === 1, parts });
  }
  return found;
}
