/** Makes tars byte by byte (POSIX.1-2001), also such as no honest program would write. */

export interface TarPart {
  readonly name: string;
  readonly content?: Uint8Array | string;
  readonly kind?: string;
  readonly prefix?: string;
  /** A lie about the size, or a size in the GNU form. */
  readonly size?: Buffer;
  /** Seconds. */
  readonly modified?: number;
}

function header({ name, content = "", kind = "0", prefix = "", size, modified = 0 }: TarPart): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100, "utf8");
  block.write("0000644\0", 100);
  const octal = `${Buffer.byteLength(content).toString(8).padStart(11, "0")}\0`;
  (size ?? Buffer.from(octal)).copy(block, 124);
  block.write(`${modified.toString(8).padStart(11, "0")}\0`, 136);
  block.write(kind, 156);
  block.write("ustar\x0000", 257, "latin1");
  block.write(prefix, 345, 155, "utf8");
  block.fill(" ", 148, 156);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

export function makeTar(parts: readonly TarPart[]): Buffer {
  const blocks = parts.flatMap((part) => {
    const content = Buffer.from(part.content ?? "");
    return [header(part), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A pax header with attributes for the member behind it. */
export function pax(attributes: Readonly<Record<string, string>>, kind: "x" | "g" = "x"): TarPart {
  const lines = Object.entries(attributes).map(([key, value]) => {
    const body = ` ${key}=${value}\n`;
    let length = Buffer.byteLength(body) + 1;
    while (String(length).length + Buffer.byteLength(body) !== length) length++;
    return `${length}${body}`;
  });
  return { name: "pax", kind, content: lines.join("") };
}
