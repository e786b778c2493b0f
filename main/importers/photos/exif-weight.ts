/**
 * How much a reader would have to copy for the wanted tags of an EXIF block. One directory may name the same megabytes
 * 65,535 times; a block of one JPEG segment is too small to hurt, those of other formats are not.
 */

/** Bytes of one value by TIFF type. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const pointers = new Set([0x8769, 0x8825]);

/** Where the block begins: the file itself, or after the mark that PNG, WebP and HEIF put before it; -1 when there is none. */
function startOfBlock(bytes: Buffer): number {
  const magic = bytes.toString("latin1", 0, 4);
  if (magic === "II*\0" || magic === "MM\0*") return 0;
  for (const mark of ["Exif\0\0", "eXIf", "EXIF"]) {
    const at = bytes.indexOf(mark, 0, "latin1");
    if (at < 0) continue;
    const order = /II\*\0|MM\0\*/.exec(bytes.toString("latin1", at, at + 24));
    if (order) return at + order.index;
  }
  return -1;
}

/** Sum in bytes over IFD0, the EXIF and the GPS directory, each tag as often as it stands there. */
export function weightOfExif(bytes: Buffer): number {
  const start = startOfBlock(bytes);
  if (start < 0) return 0;
  const block = bytes.subarray(start);
  const little = block[0] === 0x49;
  const u16 = (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const u32 = (at: number) => (little ? block.readUInt32LE(at) : block.readUInt32BE(at));
  let sum = 0;
  const walk = (at: number, depth: number) => {
    if (at + 2 > block.length) return;
    const entries = Math.min(u16(at), Math.floor((block.length - at - 2) / 12));
    for (let i = 0, entry = at + 2; i < entries; i++, entry += 12) {
      const id = u16(entry);
      if (pointers.has(id) && depth < 2) walk(u32(entry + 8), depth + 1);
      // What describes pixels is long in honest files, too, and is not read.
      if (isWanted(id)) sum += Math.min(u32(entry + 4) * (sizes[u16(entry + 2)] ?? 1), block.length);
    }
  };
  if (block.length >= 8) walk(u32(4), 0);
  return sum;
}

/** GPS tags; the descriptive tags of IFD0 (Make … Copyright, Rating); dates, comments and lenses of the EXIF directory. */
function isWanted(id: number): boolean {
  return (
    id <= 0x1f ||
    [0x010e, 0x010f, 0x0110, 0x0131, 0x0132, 0x013b, 0x4746, 0x8298].includes(id) ||
    (id >= 0x9000 && id <= 0x92ff) ||
    (id >= 0xa430 && id <= 0xa43f)
  );
}
