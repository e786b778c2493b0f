import { crc32, deflateRawSync } from "node:zlib";

/** Makes zips byte by byte (APPNOTE 6.3.10), also such as no honest program would write. */

export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly content: Uint8Array | string;
  readonly deflate?: boolean;
  /** General purpose flags; bit 11 says that the name is UTF-8. */
  readonly flags?: number;
  readonly method?: number;
  /** A lie about the unpacked size. */
  readonly claims?: number;
  /** Its check sum, where the content given is packed already. */
  readonly sum?: number;
  /** A lie about where it begins: the index of another part. */
  readonly sharesWith?: number;
  /** Upper half of the external attributes: the Unix mode. */
  readonly mode?: number;
}

export function makeZip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const content = Buffer.from(part.content);
    const body = part.deflate ? deflateRawSync(content) : content;
    const method = part.method ?? (part.deflate ? 8 : 0);
    const flags = part.flags ?? 0;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(part.sum ?? crc32(content), 14);
    local.writeUInt32LE(body.length, 18);
    local.writeUInt32LE(part.claims ?? content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    row.writeUInt16LE(0x0314, 4);
    local.copy(row, 6, 4, 30);
    row.writeUInt16LE(0, 32);
    row.writeUInt32LE(((part.mode ?? 0) << 16) >>> 0, 38);
    row.writeUInt32LE(part.sharesWith === undefined ? offset : (offsets[part.sharesWith] ?? 0), 42);
    directory.push(row, name);
    if (part.sharesWith !== undefined) {
      offsets.push(offsets[part.sharesWith] ?? 0);
      continue;
    }
    offsets.push(offset);
    locals.push(local, name, body);
    offset += 30 + name.length + body.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}
