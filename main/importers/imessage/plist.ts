/**
 * Binary property lists ("bplist00", after Apple's CFBinaryPList.c) and the keyed archives inside them, from strangers:
 * bounded in depth and count, since one object may be named a million times.
 */

export interface Uid {
  readonly uid: number;
}
export type Plist =
  | null
  | boolean
  | number
  | string
  | Date
  | Uint8Array
  | Uid
  | readonly Plist[]
  | ReadonlyMap<string, Plist>;

const maxDepth = 64;
const maxObjects = 200_000;
/** Seconds from 1970 to 2001, where Apple's clocks begin. */
export const appleEpoch = 978_307_200;

/** The value of a binary property list; undefined when the bytes are none or are damaged. Never throws. */
export function readPlist(bytes: Uint8Array): Plist | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 40 || buffer.toString("latin1", 0, 6) !== "bplist") return undefined;
  try {
    return new Reader(buffer).root();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class Reader {
  readonly #buffer: Buffer;
  readonly #offsetSize: number;
  readonly #referenceSize: number;
  readonly #count: number;
  readonly #top: number;
  readonly #table: number;
  #read = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
    const trailer = buffer.subarray(buffer.length - 32);
    this.#offsetSize = trailer[6] ?? 0;
    this.#referenceSize = trailer[7] ?? 0;
    this.#count = Number(trailer.readBigUInt64BE(8));
    this.#top = Number(trailer.readBigUInt64BE(16));
    this.#table = Number(trailer.readBigUInt64BE(24));
  }

  root(): Plist {
    return this.#object(this.#top, 0);
  }

  #unsigned(at: number, size: number): number {
    if (size < 1 || size > 16 || at < 0 || at + size > this.#buffer.length) throw new RangeError("ends early");
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + (this.#buffer[at + i] ?? 0);
    return value;
  }

  #object(number: number, depth: number): Plist {
    if (number >= this.#count || depth > maxDepth || ++this.#read > maxObjects) throw new RangeError("no such object");
    const at = this.#unsigned(this.#table + number * this.#offsetSize, this.#offsetSize);
    const head = this.#unsigned(at, 1);
    const [kind, low] = [head >> 4, head & 15];
    if (kind === 0) return low === 9 ? true : low === 8 ? false : null;
    if (kind === 1) return this.#integer(at + 1, 2 ** low);
    if (kind === 2 || kind === 3) return this.#real(kind, at + 1, 2 ** low);
    if (kind === 8) return { uid: this.#unsigned(at + 1, low + 1) };
    const [count, start] = low === 15 ? this.#longCount(at + 1) : [low, at + 1];
    if (kind === 4) return this.#bytes(start, count);
    if (kind === 5 || kind === 7) return this.#bytes(start, count).toString("utf8");
    if (kind === 6)
      return Buffer.from(this.#bytes(start, count * 2))
        .swap16()
        .toString("utf16le");
    if (kind === 0xa || kind === 0xb || kind === 0xc) {
      return this.#references(start, count).map((one) => this.#object(one, depth + 1));
    }
    if (kind !== 0xd) throw new RangeError("unknown object");
    const numbers = this.#references(start, count * 2);
    const map = new Map<string, Plist>();
    for (const [i, key] of numbers.slice(0, count).entries()) {
      map.set(String(this.#object(key, depth + 1)), this.#object(numbers[count + i] ?? -1, depth + 1));
    }
    return map;
  }

  #integer(at: number, size: number): number {
    if (size === 8) return Number(this.#bytes(at, 8).readBigInt64BE());
    return this.#unsigned(at, size);
  }

  #real(kind: number, at: number, size: number): number | Date {
    const bytes = this.#bytes(at, size);
    const value = size === 4 ? bytes.readFloatBE() : size === 8 ? bytes.readDoubleBE() : Number.NaN;
    return kind === 3 ? new Date((value + appleEpoch) * 1000) : value;
  }

  #longCount(at: number): [count: number, start: number] {
    const size = 2 ** (this.#unsigned(at, 1) & 15);
    return [this.#unsigned(at + 1, size), at + 1 + size];
  }

  #references(at: number, count: number): number[] {
    if (count > maxObjects || at + count * this.#referenceSize > this.#buffer.length)
      throw new RangeError("ends early");
    return Array.from({ length: count }, (_, i) => this.#unsigned(at + i * this.#referenceSize, this.#referenceSize));
  }

  #bytes(at: number, count: number): Buffer {
    if (at + count > this.#buffer.length) throw new RangeError("ends early");
    return this.#buffer.subarray(at, at + count);
  }
}

/** A dictionary's value; undefined when there is none, or when it is no dictionary. */
export function entryOf(value: Plist | undefined, key: string): Plist | undefined {
  return value instanceof Map ? value.get(key) : undefined;
}

/**
 * What an archive of NSKeyedArchiver holds, references resolved: the objects of its root as dictionaries. Undefined when
 * it is none. Objects that hold themselves end at `maxDepth`.
 */
export function unarchived(value: Plist | undefined): Plist | undefined {
  const objects = entryOf(value, "$objects");
  const top = entryOf(value, "$top");
  if (!Array.isArray(objects) || !(top instanceof Map)) return undefined;
  let steps = 0;
  const resolve = (one: Plist, depth: number): Plist => {
    if (depth > 24 || ++steps > maxObjects) return null;
    if (one === "$null") return null;
    if (one instanceof Map) return resolveMap(one, depth);
    if (Array.isArray(one)) return one.map((each: Plist) => resolve(each, depth + 1));
    if (isUid(one)) return resolve(objects[one.uid] ?? null, depth + 1);
    return one;
  };
  const resolveMap = (map: ReadonlyMap<string, Plist>, depth: number): Plist => {
    const [keys, values] = [map.get("NS.keys"), map.get("NS.objects")];
    if (Array.isArray(values) && Array.isArray(keys)) {
      return new Map(
        keys.map((key: Plist, i) => [String(resolve(key, depth + 1)), resolve(values[i] ?? null, depth + 1)]),
      );
    }
    if (Array.isArray(values)) return values.map((each: Plist) => resolve(each, depth + 1));
    const text = map.get("NS.string");
    if (typeof text === "string") return text;
    const fields = [...map].filter(([key]) => key !== "$class");
    return new Map(fields.map(([key, each]) => [key, resolve(each, depth + 1)]));
  };
  return resolve(top.get("root") ?? [...top.values()][0] ?? null, 0);
}

function isUid(value: Plist): value is Uid {
  return typeof value === "object" && value !== null && "uid" in value && typeof value.uid === "number";
}
