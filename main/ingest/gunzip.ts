import { crc32 } from "node:zlib";
import { limits, UnderstoryError } from "#contract";
import { BaseEntry, damaged, type EntryFacts, type TreeShared } from "./entry.ts";
import { InflateError, Inflater, type InflateState, inflateStart } from "./inflate.ts";
import { guessName } from "./names.ts";

/**
 * Gzip (RFC 1952) that can be read here and there: one pass notes a resting place every few megabytes, and what is asked
 * for later is unpacked from the resting place before it. So a packed tar of any size is a folder, without a copy on disk.
 */

/** Distance of two resting places at first, and how many there may be; above it every second one goes. */
const firstSpan = 4 * 1024 * 1024;
const maxPlaces = 1024;
/** Unpacked pieces that are kept, of all archives together: members are read in the order of their paths, not of the archive. */
const keptBytes = 128 * 1024 * 1024;
/** A file below this is never called a bomb; above it, one that grows by more than this is. */
const harmlessBytes = 64 * 1024 * 1024;
const maxRatio = 300;
const pieceBytes = 256 * 1024;

/** Where unpacking can begin: a place between two symbols of a gzip member. */
interface RestingPlace {
  /** Unpacked bytes before it. */
  readonly out: number;
  /** Byte of the file at which the member's packed stream begins. */
  readonly base: number;
  readonly state: InflateState;
}

export interface Gunzipped {
  readonly entry: GunzipEntry;
  /** Why the file was not unpacked to its end; null when it was. */
  readonly fault: string | null;
}

/** What the header of a gzip file says (RFC 1952 §2.3.1). */
export interface GzipHeader {
  readonly bytes: number;
  readonly name: string | null;
  readonly modified: number | null;
}

/** The header at the beginning of `head`; null when there is none, or when it is longer than `head`. */
export function gzipHeader(head: Uint8Array): GzipHeader | null {
  if (head.length < 18 || head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) return null;
  const flags = head[3] ?? 0;
  if ((flags & 0xe0) !== 0) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const seconds = view.getUint32(4, true);
  let at = 10;
  if (flags & 4) at += 2 + view.getUint16(at, true);
  const text = () => {
    const end = head.indexOf(0, at);
    const raw = head.subarray(at, Math.max(at, end));
    at = end < 0 ? head.length : end + 1;
    return raw;
  };
  const raw = flags & 8 ? text() : null;
  if (flags & 16) text();
  if (flags & 2) at += 2;
  if (at >= head.length) return null;
  return { bytes: at, name: raw === null ? null : guessName(raw), modified: seconds === 0 ? null : seconds * 1000 };
}

/** Unpacked pieces of all archives, the last used last. */
const pieces = new Map<string, Uint8Array>();
let piecesHeld = 0;
let entries = 0;

function keep(key: string, bytes: Uint8Array): void {
  pieces.set(key, bytes);
  piecesHeld += bytes.length;
  for (const [oldest, old] of pieces) {
    if (piecesHeld <= keptBytes || oldest === key) break;
    pieces.delete(oldest);
    piecesHeld -= old.length;
  }
}

/** The content of a gzip file. */
export class GunzipEntry extends BaseEntry {
  readonly #packed: BaseEntry;
  readonly #places: readonly RestingPlace[];
  readonly #key: string;

  constructor(
    facts: EntryFacts,
    packed: BaseEntry,
    places: readonly RestingPlace[],
    shared: TreeShared,
    key = `${entries++}:`,
  ) {
    super(facts, shared);
    this.#packed = packed;
    this.#places = places;
    this.#key = key;
  }

  /** The same content under another path. */
  at(path: string): GunzipEntry {
    const { bytes, modified } = this;
    return new GunzipEntry({ path, bytes, modified }, this.#packed, this.#places, this.shared, this.#key);
  }

  override get stamp(): string {
    return `${this.bytes}:${this.#packed.stamp}`;
  }

  protected override async *open(start: number, end: number): AsyncIterable<Uint8Array> {
    let index = this.#places.findLastIndex(({ out }) => out <= start);
    for (let position = start; position < end; index++) {
      const place = this.#places[index];
      if (!place) return;
      const piece = await this.#piece(index, place);
      yield piece.subarray(position - place.out, end - place.out);
      position = place.out + piece.length;
    }
  }

  /** What lies between a resting place and the next. */
  async #piece(index: number, place: RestingPlace): Promise<Uint8Array> {
    const key = this.#key + index;
    const known = pieces.get(key);
    if (known) {
      pieces.delete(key);
      pieces.set(key, known);
      return known;
    }
    const length = (this.#places[index + 1]?.out ?? this.bytes) - place.out;
    const piece = Buffer.allocUnsafe(length);
    let filled = 0;
    for await (const part of unpack(this.#packed, place)) {
      filled += part.bytes.copy(piece, filled, 0, length - filled);
      if (filled >= length) break;
    }
    if (filled < length) throw damaged(this.path, "it unpacks to less than it did before.");
    keep(key, piece);
    return piece;
  }
}

interface Part {
  /** Valid until the next part is asked for. */
  readonly bytes: Buffer;
  /** Where to go on after it; null at the end of a member. */
  readonly place: () => Omit<RestingPlace, "out">;
  /** Bytes of the packed file that are used up. */
  readonly packed: number;
}

/** The bytes from a resting place on, over the ends of members. Throws `InflateError`, and what reading throws. */
async function* unpack(packed: BaseEntry, from: Omit<RestingPlace, "out">): AsyncGenerator<Part> {
  let { base } = from;
  let inflater = new Inflater(from.state, pieceBytes);
  // The check sum of a member that is not read from its beginning is not known.
  let sum = from.state.bit === 0 ? 0 : null;
  let given = 0;
  const start = base + Math.floor(from.state.bit / 8);
  let fed = start;
  for await (const chunk of packed.stream({ start, end: packed.bytes })) {
    fed += chunk.length;
    const last = fed >= packed.bytes;
    inflater.feed(chunk, last);
    for (;;) {
      const lacks = inflater.run();
      const bytes = Buffer.from(inflater.take());
      if (bytes.length > 0) {
        given += bytes.length;
        if (sum !== null) sum = crc32(bytes, sum);
        const [now, at] = [inflater, base];
        yield { bytes, place: () => ({ base: at, state: now.state() }), packed: fed };
      }
      if (lacks === "input") break;
      if (lacks === "output") continue;
      // The end of a member: its check sum and size, then perhaps another member, or padding.
      const rest = Buffer.from(inflater.rest());
      if (rest.length < 1024 && !last) break;
      if (rest.length < 8) throw new InflateError("its end is missing");
      if (sum !== null && rest.readUInt32LE(0) !== sum) throw new InflateError("its check sum is wrong");
      if (sum !== null && rest.readUInt32LE(4) !== given % 2 ** 32) throw new InflateError("its size is wrong");
      const header = gzipHeader(rest.subarray(8));
      if (header === null) return;
      base = fed - rest.length + 8 + header.bytes;
      inflater = new Inflater(inflateStart, pieceBytes);
      inflater.feed(rest.subarray(8 + header.bytes), last);
      sum = 0;
      given = 0;
    }
  }
  if (!inflater.ended) throw new InflateError("it ends in the middle");
}

/**
 * Looks through a gzip file once. What was unpacked before a fault can be read. Throws `damaged_file` when nothing could
 * be unpacked, `limit_exceeded` for a bomb.
 */
export async function gunzip(packed: BaseEntry, path: string, shared: TreeShared): Promise<Gunzipped> {
  const header = gzipHeader(await packed.head());
  if (header === null) throw damaged(packed.path, "it has no gzip header that can be read.");
  let span = firstSpan;
  let places: RestingPlace[] = [{ out: 0, base: header.bytes, state: inflateStart }];
  let out = 0;
  let fault: string | null = null;
  try {
    for await (const part of unpack(packed, { base: header.bytes, state: inflateStart })) {
      out += part.bytes.length;
      if (out > limits.zipMemberBytes || (out > harmlessBytes && out > part.packed * maxRatio)) {
        throw new UnderstoryError(
          "limit_exceeded",
          `${packed.path} unpacks to far more than its size, as a bomb does.`,
          {
            hint: "It is left out. If it is yours, unpack it and import the folder.",
            details: { path: packed.path },
          },
        );
      }
      if (out - (places.at(-1)?.out ?? 0) < span) continue;
      places.push({ out, ...part.place() });
      if (places.length < maxPlaces) continue;
      places = places.filter((_, at) => at % 2 === 0);
      span *= 2;
    }
  } catch (error) {
    if (!(error instanceof InflateError)) throw error;
    if (out === 0) throw damaged(packed.path, `${error.message}.`, error);
    fault = error.message;
  }
  const facts = { path, bytes: out, modified: header.modified };
  return { entry: new GunzipEntry(facts, packed, places, shared), fault };
}
