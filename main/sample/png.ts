import { crc32 } from "node:zlib";

/** One PNG chunk: length, type, data, checksum (PNG specification, third edition, section 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.byteLength);
  chunk.writeUInt32BE(data.byteLength, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.byteLength)), 8 + data.byteLength);
  return chunk;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A whole 8-bit PNG. `colourType` 4 is grey with alpha; `data` are the filtered rows, deflated. */
export function pngFile(image: { width: number; height: number; colourType: 4 | 6; data: Uint8Array }): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  header[8] = 8;
  header[9] = image.colourType;
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", image.data),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

/** Puts chunks right after the header chunk of a PNG file, where eXIf and tEXt belong. */
export function withPngChunks(png: Uint8Array, chunks: readonly Uint8Array[]): Uint8Array {
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), ...chunks, png.subarray(afterHeader)]);
}
