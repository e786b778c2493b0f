import { crc32, deflateRawSync, gzipSync } from "node:zlib";

/** A zip of these members (APPNOTE 4.3), deflated. */
export function zipOf(members: Readonly<Record<string, Uint8Array>>): Buffer {
  return zip(members, true);
}

/** A zip of these members, not packed. */
export function zipStored(members: Readonly<Record<string, Uint8Array>>): Buffer {
  return zip(members, false);
}

function zip(members: Readonly<Record<string, Uint8Array>>, deflate: boolean): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(members)) {
    const packed = deflate ? deflateRawSync(bytes) : bytes;
    const label = Buffer.from(name, "utf8");
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(deflate ? 8 : 0, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, label, packed]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), common, entry, label]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}

/** A tar.gz of these members (POSIX ustar), as npm packs them. */
export function tgzOf(members: Readonly<Record<string, Uint8Array>>): Buffer {
  const blocks = Object.entries(members).flatMap(([name, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 100, "utf8");
    header.write("0000644\0", 100, "latin1");
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
    header.write("        0", 148, "latin1");
    header.write("ustar\u000000", 257, "latin1");
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
