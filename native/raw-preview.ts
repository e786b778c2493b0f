/**
 * The JPEG that a RAW file carries for showing. Makers keep it in a dozen places; all of them are found by looking for
 * JPEG headers and taking the one with most pixels. Lossless JPEGs, which hold the sensor's own data in DNG and CR2, are
 * told by their frame header (ITU-T T.81 §B.2.2).
 */

/** First bytes of RAW formats that are no plain TIFF: CR2, ORF, RW2, RAF, CR3. */
export function isRawMagic(head: Uint8Array): boolean {
  const text = (start: number, end: number) => String.fromCharCode(...head.subarray(start, end));
  const four = text(0, 4);
  if (four === "IIRO" || four === "IIRS" || four === "MMOR" || four === "IIU\0") return true;
  if (four === "II*\0" && text(8, 10) === "CR") return true;
  return text(0, 15) === "FUJIFILMCCD-RAW" || (text(4, 8) === "ftyp" && text(8, 12) === "crx ");
}

const tag = { subfile: 0x00fe, compression: 0x0103, photometric: 0x0106, subIfds: 0x014a, dngVersion: 0xc612 } as const;
/** Nikon, Sony, Pentax, Samsung, Kodak: ways to pack a sensor's data. */
const sensorCompressions = new Set([32_767, 32_769, 32_770, 34_713, 65_000, 65_535, 262]);
/** Colour filter array, and linear raw. */
const sensorPhotometrics = new Set([32_803, 34_892]);

/** Whether the first directory of a TIFF file is that of a RAW file (DNG, NEF, ARW, PEF, SRW …). */
export function isRawTiff(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 16) return false;
  const little = head[0] === 0x49;
  if (view.getUint16(2, little) !== 42) return false;
  const at = view.getUint32(4, little);
  if (at + 2 > head.length) return false;
  const found = new Map<number, number>();
  const entries = Math.min(view.getUint16(at, little), Math.floor((head.length - at - 2) / 12));
  for (let i = 0, entry = at + 2; i < entries; i++, entry += 12) {
    const short = view.getUint16(entry + 2, little) === 3;
    found.set(
      view.getUint16(entry, little),
      short ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little),
    );
  }
  if (found.has(tag.dngVersion)) return true;
  if (sensorCompressions.has(found.get(tag.compression) ?? 0)) return true;
  if (sensorPhotometrics.has(found.get(tag.photometric) ?? 0)) return true;
  // A reduced picture first, the sensor's data in a directory below: NEF, ARW.
  return ((found.get(tag.subfile) ?? 0) & 1) === 1 && found.has(tag.subIfds);
}

/** Headers that are looked at; chance makes one "FF D8 FF" in 16 MB of sensor data. */
const mostHeaders = 300;
const mostSegments = 200;

interface Found {
  readonly start: number;
  readonly pixels: number;
  /** It says itself how it has to be turned. */
  readonly turned: boolean;
}

function jpegAt(bytes: Buffer, start: number): Found | null {
  let turned = false;
  for (let at = start + 2, count = 0; at + 9 < bytes.length && count < mostSegments; count++) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    // Baseline, extended, progressive, of 8 bits a sample; any other frame is none that is shown.
    if (marker >= 0xc0 && marker <= 0xc2) {
      const pixels = bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
      return bytes[at + 4] === 8 && pixels > 0 ? { start, pixels, turned } : null;
    }
    const tables = marker === 0xc4 || marker === 0xdb || marker === 0xdd || marker === 0xcc;
    if (!tables && !(marker >= 0xe0 && marker <= 0xef) && marker !== 0xfe) return null;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    if (marker === 0xe1 && bytes.toString("latin1", at + 4, at + 8) === "Exif") turned = true;
    at += 2 + length;
  }
  return null;
}

/** Orientation of the first directory, 1–8; 1 when it says nothing. */
function orientationOf(bytes: Buffer): number {
  const order = bytes.toString("latin1", 0, 2);
  let block = bytes;
  if (bytes.toString("latin1", 4, 8) === "ftyp") {
    // CR3: the block of the first directory stands in the box CMT1.
    const box = bytes.subarray(0, 1024 * 1024).indexOf("CMT1");
    if (box < 0) return 1;
    block = bytes.subarray(box + 4);
  } else if (order !== "II" && order !== "MM") return 1;
  if (block.length < 8) return 1;
  const little = block[0] === 0x49;
  const u16 = (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const at = little ? block.readUInt32LE(4) : block.readUInt32BE(4);
  if (at + 2 > block.length) return 1;
  const entries = Math.min(u16(at), Math.floor((block.length - at - 2) / 12));
  for (let i = 0, entry = at + 2; i < entries; i++, entry += 12) {
    if (u16(entry) !== 0x0112) continue;
    const value = u16(entry + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An EXIF segment with nothing in it but the orientation. */
function orientationSegment(orientation: number): Buffer {
  const segment = Buffer.from("ffe1002245786966000049492a0008000000010012010300010000000000000000000000", "hex");
  segment.writeUInt16LE(orientation, 28);
  return segment;
}

/**
 * The largest JPEG inside a RAW file, with the file's orientation where it has none of its own; null when there is none.
 * Everything behind its header is given too: decoders stop at its end mark.
 */
export function rawPreview(given: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  let best: Found | null = null;
  const mark = Buffer.from([0xff, 0xd8, 0xff]);
  for (
    let at = bytes.indexOf(mark), count = 0;
    at >= 0 && count < mostHeaders;
    at = bytes.indexOf(mark, at + 3), count++
  ) {
    const found = jpegAt(bytes, at);
    if (found && found.pixels > (best?.pixels ?? 0)) best = found;
  }
  if (!best) return null;
  const { start, turned } = best;
  const orientation = turned ? 1 : orientationOf(bytes);
  if (orientation === 1) return bytes.subarray(start);
  return Buffer.concat([bytes.subarray(start, start + 2), orientationSegment(orientation), bytes.subarray(start + 2)]);
}
