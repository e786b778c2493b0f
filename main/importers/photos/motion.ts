import type { Entry } from "../types.ts";
import type { XmpProperties } from "./xmp.ts";

/** A film inside a still: bytes [offset, offset + bytes) of the same file. */
export interface MotionClip {
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Finds the film of a motion photo and makes sure that one begins there: by Google's XMP (`Container:Directory`, whose
 * items lie at the file's end in order, or `MicroVideoOffset`, counted from the end), by the `mpvd` box of a HEIC, or by
 * Samsung's trailer. Null when none is there, as after a program cut it away and left its description.
 */
export async function motionClip(
  entry: Entry,
  total: number,
  tail: Buffer,
  xmp: readonly XmpProperties[],
  mpvd: MotionClip | null,
): Promise<MotionClip | null> {
  const candidates = [...xmp.flatMap((one) => ofXmp(one, total)), mpvd, ofSamsung(tail, total)];
  for (const clip of candidates) {
    if (
      clip &&
      clip.offset > 0 &&
      clip.bytes > 16 &&
      clip.offset + clip.bytes <= total &&
      (await isFilm(entry, clip))
    ) {
      return clip;
    }
  }
  return null;
}

async function isFilm(entry: Entry, { offset }: MotionClip): Promise<boolean> {
  const parts: Uint8Array[] = [];
  for await (const part of entry.stream({ start: offset, end: offset + 12 })) parts.push(part);
  return Buffer.concat(parts).toString("latin1", 4, 8) === "ftyp";
}

function ofXmp(xmp: XmpProperties, total: number): MotionClip[] {
  const found: MotionClip[] = [];
  const kinds = xmp.get("Item:Semantic") ?? [];
  const lengths = (xmp.get("Item:Length") ?? []).map(Number);
  const paddings = (xmp.get("Item:Padding") ?? []).map(Number);
  // The still itself has no length, or 0.
  const later = kinds.slice(kinds.length - lengths.length);
  for (const [i, kind] of later.entries()) {
    if (kind !== "MotionPhoto") continue;
    const behind = lengths.slice(i).reduce((sum, one) => sum + one, 0);
    const bytes = lengths[i] ?? 0;
    found.push({ offset: total - behind, bytes });
    const padding = paddings[0] ?? 0;
    if (padding > 0) found.push({ offset: total - behind - padding, bytes });
  }
  for (const name of ["GCamera:MicroVideoOffset", "GCamera:MotionPhotoOffset"]) {
    const fromEnd = Number(xmp.get(name)?.[0] ?? Number.NaN);
    if (Number.isInteger(fromEnd) && fromEnd > 0) found.push({ offset: total - fromEnd, bytes: fromEnd });
  }
  return found.filter(({ offset, bytes }) => Number.isSafeInteger(offset) && Number.isSafeInteger(bytes));
}

/** Type of Samsung's block "MotionPhoto_Data". */
const samsungMotion = 0x0a30;

/**
 * Samsung's trailer: blocks, then their directory (`SEFH`, version, count, entries of type, distance and size), its
 * length, and `SEFT` as the last bytes. Observed, not documented.
 */
function ofSamsung(tail: Buffer, total: number): MotionClip | null {
  const end = tail.length;
  if (end < 24 || tail.toString("latin1", end - 4) !== "SEFT") return null;
  const head = end - 8 - tail.readUInt32LE(end - 8);
  if (head < 0 || tail.toString("latin1", head, head + 4) !== "SEFH") return null;
  const count = tail.readUInt32LE(head + 8);
  for (let i = 0, at = head + 12; i < Math.min(count, 100) && at + 12 <= end - 8; i++, at += 12) {
    if (tail.readUInt16LE(at + 2) !== samsungMotion) continue;
    const start = total - end + head - tail.readUInt32LE(at + 4);
    // Before the film: two shorts, the length of the name, the name.
    const name = 8 + "MotionPhoto_Data".length;
    return { offset: start + name, bytes: tail.readUInt32LE(at + 8) - name };
  }
  return null;
}
