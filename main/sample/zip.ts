import { crc32 } from "node:zlib";

/**
 * A zip without compression (APPNOTE 6.3.10, method 0): what it holds are JPEGs and a short text. Every member carries the
 * same date, 20 February 2025 10:00, so that the file is equal on every run.
 */
const dosTime = 10 << 11;
const dosDate = ((2025 - 1980) << 9) | (2 << 5) | 20;
const utf8Names = 1 << 11;

export function zipFile(members: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of members) {
    const label = Buffer.from(name, "utf8");
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8Names, 2);
    common.writeUInt16LE(0, 4);
    common.writeUInt16LE(dosTime, 6);
    common.writeUInt16LE(dosDate, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.byteLength, 14);
    common.writeUInt32LE(bytes.byteLength, 18);
    common.writeUInt16LE(label.byteLength, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, label]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, tail, label]));
    parts.push(local, bytes);
    offset += local.byteLength + bytes.byteLength;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
