/** Builds the containers of films box by box, right or wrong as a test wants them. */

export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

export const ftyp = (brand = "isom") => box("ftyp", Buffer.from(brand, "latin1"), Buffer.alloc(4));

/** Seconds since 1904 of an instant (ISO 8601). */
export const since1904 = (iso: string) => Date.parse(iso) / 1000 + 2_082_844_800;

/** `created` in seconds since 1904. */
export function mvhd(created: number, seconds = 2): Buffer {
  const body = Buffer.alloc(100);
  body.writeUInt32BE(created, 4);
  body.writeUInt32BE(1000, 12);
  body.writeUInt32BE(seconds * 1000, 16);
  return box("mvhd", body);
}

/** A picture track of a size, turned by a quarter when `turned`. */
export function trak(width: number, height: number, turned = false): Buffer {
  const tkhd = Buffer.alloc(84);
  const matrix = turned ? [0, 65_536, 0, -65_536, 0, 0] : [65_536, 0, 0, 0, 65_536, 0];
  for (const [i, value] of matrix.entries()) tkhd.writeInt32BE(value, 40 + i * 4);
  tkhd.writeUInt32BE(width * 65_536, 76);
  tkhd.writeUInt32BE(height * 65_536, 80);
  const hdlr = Buffer.alloc(24);
  hdlr.write("vide", 8, "latin1");
  return box("trak", box("tkhd", tkhd), box("mdia", box("hdlr", hdlr)));
}

/** QuickTime text of user data: length, language, text. */
export function userText(type: string, text: string): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(Buffer.byteLength(text));
  return box(type, head, Buffer.from(text));
}

/** QuickTime's `meta` with these keys. */
export function appleMeta(values: Readonly<Record<string, string>>): Buffer {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const entries = Object.entries(values);
  const hdlr = Buffer.alloc(24);
  hdlr.write("mdta", 8, "latin1");
  const keys = entries.map(([key]) => box("mdta", Buffer.from(key)));
  const items = entries.map(([, value], i) =>
    box(u32(i + 1).toString("latin1"), box("data", u32(1), u32(0), Buffer.from(value))),
  );
  return box("meta", box("hdlr", hdlr), box("keys", u32(0), u32(entries.length), ...keys), box("ilst", ...items));
}

/** A film with its table of contents at the end, as phones write it. */
export const film = (...moov: readonly Uint8Array[]) =>
  Buffer.concat([ftyp("qt  "), box("mdat", Buffer.alloc(64)), box("moov", ...moov)]);

/** An EBML element; `id` in hex. */
export function element(id: string, body: Uint8Array): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, "hex"), size, body]);
}

export function chunk(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
