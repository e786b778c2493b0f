import { createHash } from "node:crypto";
import { UnderstoryError } from "#contract";
import { type PictureFormat, sniffPicture } from "#native/images.ts";
import { type Entry, limits } from "../types.ts";

/** A picture file after its one streaming pass. */
export interface PictureBytes {
  readonly format: PictureFormat | null;
  /** SHA-256 of all bytes, hex. */
  readonly sha256: string;
  /** Bytes that were there to read. */
  readonly total: number;
  /** All bytes, or the first part of a large JPEG, whose metadata stands before the pixels. */
  readonly kept: Buffer;
  /** The last bytes, where makers append what no reader of the format asks for. */
  readonly tail: Buffer;
  /** A sentence when the file ends before its own structure says, else null. */
  readonly cut: string | null;
}

const tailBytes = 64 * 1024;

/** Metadata of a JPEG stands before its first scan; extended XMP (depth maps) makes it long. */
const jpegHeaderBytes = 8 * 1024 * 1024;

/** Offset just after the first start-of-scan marker of a JPEG, or -1 when the header is not complete. */
export function endOfJpegHeader(bytes: Uint8Array): number {
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return -1;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) return at + 2;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (length < 2) return -1;
    at += 2 + length;
  }
  return -1;
}

/** Bytes that the top-level boxes of an ISO file ask for. */
function isoLength(bytes: Buffer): number {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(at);
    if (short === 0) return bytes.length;
    const size = short === 1 && at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (size < 8) return bytes.length;
    at += size;
  }
  return at;
}

function whereCut(format: PictureFormat | null, kept: Buffer, total: number, lastEnd: number): string | null {
  if (format === "jpeg") {
    const header = endOfJpegHeader(kept);
    if (header < 0) return kept.length < total ? null : "the picture ends inside its header";
    return lastEnd < header ? "the picture data is cut off" : null;
  }
  if (format === "png") return kept.lastIndexOf("IEND") < 0 ? "the picture data is cut off" : null;
  if (format === "webp" && kept.length >= 8) {
    return kept.readUInt32LE(4) + 8 > total ? "the picture data is cut off" : null;
  }
  if (format === "heic" || format === "avif") {
    return isoLength(kept) > total ? "the file is shorter than its parts say" : null;
  }
  return null;
}

/** Reads a file once: hash, format by content, what its metadata needs. Throws what the entry throws, or `cancelled`. */
export async function takeIn(entry: Entry, signal: AbortSignal): Promise<PictureBytes> {
  if (entry.bytes > limits.pictureBytes) {
    throw new UnderstoryError(
      "limit_exceeded",
      `${entry.name} has ${entry.bytes} bytes, more than a picture may have.`,
    );
  }
  const hash = createHash("sha256");
  const chunks: Uint8Array[] = [];
  let total = 0;
  let keptBytes = 0;
  let format: PictureFormat | null = null;
  /** Offset of the last end-of-image marker seen. */
  let lastEnd = -1;
  let lastByte = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of entry.stream()) {
    if (signal.aborted) throw new UnderstoryError("cancelled", "Reading pictures was cancelled.");
    if (chunk.length === 0) continue;
    hash.update(chunk);
    if (total === 0) format = sniffPicture(chunk);
    const end = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).lastIndexOf(
      "\xff\xd9",
      undefined,
      "latin1",
    );
    if (end >= 0) lastEnd = total + end;
    else if (lastByte === 0xff && chunk[0] === 0xd9) lastEnd = total - 1;
    lastByte = chunk[chunk.length - 1] ?? 0;
    if (total + chunk.length > entry.bytes - tailBytes) tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
    if (format !== "jpeg" || keptBytes < jpegHeaderBytes) {
      chunks.push(chunk);
      keptBytes += chunk.length;
    }
    total += chunk.length;
    if (total > limits.pictureBytes)
      throw new UnderstoryError("limit_exceeded", `${entry.name} is larger than it said.`);
  }
  const kept = Buffer.concat(chunks);
  // A short first piece may have ended before what tells RAW from TIFF.
  if (format === null || format === "tiff") format = sniffPicture(kept);
  return { format, sha256: hash.digest("hex"), total, kept, tail, cut: whereCut(format, kept, total, lastEnd) };
}
