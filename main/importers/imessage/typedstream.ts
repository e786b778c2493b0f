/**
 * NeXT's typedstream, as far as the text of an attributed string needs it. There is no specification: the form is the
 * one that python-typedstream describes. A stream is a header and groups of values, each with a string of type codes;
 * strings of the stream and its objects are numbered and may be referred to later.
 */

const newValue = 0x84;
const nil = 0x85;
const endOfObject = 0x86;
/** References count from here. */
const firstReference = 0x92;
const maxDepth = 64;
const maxValues = 100_000;

/** The text of an archived NSString or NSAttributedString; null when the bytes hold none. Never throws. */
export function typedstreamText(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return new Reader(buffer).text();
  } catch (error) {
    // Whatever stands before the string in a form that is not known here: the string itself is marked well enough.
    if (error instanceof RangeError) return searched(buffer);
    throw error;
  }
}

/** The string behind the name of its class, without reading what is around it. */
function searched(buffer: Buffer): string | null {
  const name = /NS(?:Mutable)?String/.exec(buffer.toString("latin1"));
  if (name === null) return null;
  const start = name.index + name[0].length;
  const code = buffer.subarray(start, start + 24).indexOf(0x2b);
  if (code < 0) return null;
  try {
    const reader = new Reader(buffer);
    reader.at = start + code + 1;
    return reader.string();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

class Reader {
  at = 0;
  readonly #buffer: Buffer;
  #little = true;
  #values = 0;
  readonly #strings: string[] = [];

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  text(): string | null {
    const version = this.#byte();
    const name = this.#bytes(this.#integer()).toString("latin1");
    if (version !== 4 || (name !== "streamtyped" && name !== "typedstream")) throw new RangeError("no typedstream");
    this.#little = name === "streamtyped";
    this.#integer();
    while (this.at < this.#buffer.length) {
      const found = this.#group(0);
      if (found !== null) return found;
    }
    return null;
  }

  string(): string {
    return this.#bytes(this.#integer()).toString("utf8");
  }

  /** Reads a group of values up to the first text, which ends the reading. */
  #group(depth: number): string | null {
    for (const code of this.#sharedString() ?? "") {
      const found = this.#value(code, depth);
      if (found !== null) return found;
    }
    return null;
  }

  #value(code: string, depth: number): string | null {
    if (++this.#values > maxValues) throw new RangeError("too many values");
    if (code === "+") return this.string();
    if (code === "@") return this.#object(depth + 1);
    if (code === "#") this.#class();
    else if (code === "*" || code === ":" || code === "%") this.#sharedString();
    else if ("cCsSiIlLqQB".includes(code)) this.#integer();
    else if (code === "f" || code === "d") this.#float(code === "f" ? 4 : 8);
    else throw new RangeError("unknown type");
    return null;
  }

  #object(depth: number): string | null {
    if (depth > maxDepth) throw new RangeError("too deep");
    const head = this.#byte();
    if (head !== newValue) {
      this.#reference(head);
      return null;
    }
    this.#class();
    while (this.#peek() !== endOfObject) {
      const found = this.#group(depth);
      if (found !== null) return found;
    }
    this.at++;
    return null;
  }

  /** A class, its name, version, and those it comes from. */
  #class(): void {
    for (let depth = 0; depth < maxDepth; depth++) {
      const head = this.#byte();
      if (head !== newValue) {
        this.#reference(head);
        return;
      }
      this.#sharedString();
      this.#integer();
    }
    throw new RangeError("too deep");
  }

  #sharedString(): string | null {
    const head = this.#byte();
    if (head === newValue) {
      const text = this.#bytes(this.#integer()).toString("latin1");
      this.#strings.push(text);
      return text;
    }
    const number = this.#reference(head);
    if (number === null) return null;
    const text = this.#strings[number];
    if (text === undefined) throw new RangeError("unknown reference");
    return text;
  }

  /** The number that a reference names; null for nil. */
  #reference(head: number): number | null {
    if (head === nil) return null;
    this.at--;
    const value = this.#integer();
    return value - (firstReference - 256);
  }

  /** One signed byte, or 0x81 and two bytes, or 0x82 and four. */
  #integer(): number {
    const head = this.#byte();
    if (head === 0x81) {
      const bytes = this.#bytes(2);
      return this.#little ? bytes.readUInt16LE() : bytes.readUInt16BE();
    }
    if (head === 0x82) {
      const bytes = this.#bytes(4);
      return this.#little ? bytes.readUInt32LE() : bytes.readUInt32BE();
    }
    if (head === newValue || head === nil || head === endOfObject) throw new RangeError("no integer");
    return head < 0x80 ? head : head - 256;
  }

  #float(size: number): void {
    const head = this.#byte();
    if (head === 0x83) this.#bytes(size);
    else {
      this.at--;
      this.#integer();
    }
  }

  #peek(): number {
    const byte = this.#buffer[this.at];
    if (byte === undefined) throw new RangeError("ends early");
    return byte;
  }

  #byte(): number {
    const byte = this.#peek();
    this.at++;
    return byte;
  }

  #bytes(count: number): Buffer {
    if (count < 0 || this.at + count > this.#buffer.length) throw new RangeError("ends early");
    this.at += count;
    return this.#buffer.subarray(this.at - count, this.at);
  }
}
