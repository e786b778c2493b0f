import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { grown, larger } from "./arrays.ts";
import type { Stems, StemVisitor } from "./ports.ts";

/**
 * The stems of records in memory, as numbers: a question compares its words with those of thousands of records. Numbers are
 * given in the order in which stems are met, so that frequent ones are small, and are kept seven bits a byte (LEB128): some
 * two bytes a stem. They stand for the same stem while the reader is open.
 */

const blockBytes = 2 ** 20;
/** Held at most; of what has no room then, stems are read each time. */
const mostBytes = 160 * 2 ** 20;
/** Numbers of one record; the index keeps no more stems of one (`surface.ts`). */
const mostStems = 1_024;
/** Records read at a time. */
const readRows = 4_000;

/** Stems by number, for as long as a reader is open. */
export class StemNames implements Stems {
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** The last stem of each first letter and length, plus 1, and for each stem the one before it in that row; 0 for none. */
  readonly #last = new Map<number, number>();
  #before = new Int32Array(0);
  /** A bit for each letter that a stem has. */
  #letters = new Int32Array(0);

  get count(): number {
    return this.#texts.length;
  }

  text(number: number): string {
    return this.#texts[number] ?? "";
  }

  find(stem: string): number | undefined {
    return this.#numbers.get(stem);
  }

  *beginningLike(stem: string, least: number, most: number): Iterable<number> {
    for (let length = Math.min(longest, Math.max(1, least)); length <= Math.min(longest, most); length++)
      for (let next = this.#last.get(rowOf(stem, length)) ?? 0; next > 0; next = this.#before[next - 1] ?? 0)
        yield next - 1;
  }

  nearly(stem: string): number[] {
    const found: number[] = [];
    const letters = lettersOf(stem);
    for (let length = Math.min(longest, stem.length - 1); length <= Math.min(longest, stem.length + 1); length++)
      for (let next = this.#last.get(rowOf(stem, length)) ?? 0; next > 0; next = this.#before[next - 1] ?? 0) {
        const different = (this.#letters[next - 1] ?? 0) ^ letters;
        // All but the lowest two bits that are set.
        const third = different & (different - 1);
        if ((third & (third - 1)) === 0) found.push(next - 1);
      }
    return found;
  }

  numberOf(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    // A piece of a longer string keeps all of it in memory; made from bytes it stands alone.
    const own = stem.length < 13 ? stem : Buffer.from(stem, "utf16le").toString("utf16le");
    const number = this.#texts.push(own) - 1;
    this.#numbers.set(own, number);
    if (number >= this.#before.length) {
      this.#before = grown(new Int32Array(larger(number)), this.#before);
      this.#letters = grown(new Int32Array(larger(number)), this.#letters);
    }
    this.#letters[number] = lettersOf(own);
    const row = rowOf(own, own.length);
    this.#before[number] = this.#last.get(row) ?? 0;
    this.#last.set(row, number + 1);
    return number;
  }
}

/** A bit for each letter; what is no Latin one shares the bits of those that are. */
function lettersOf(stem: string): number {
  let letters = 0;
  for (let at = 0; at < stem.length; at++) letters |= 1 << (stem.charCodeAt(at) & 31);
  return letters;
}

/** Longer stems stand with those of this length. */
const longest = 255;
const rowOf = (stem: string, length: number): number => stem.charCodeAt(0) * (longest + 1) + Math.min(longest, length);

export class StemTable {
  readonly #db: Database;
  readonly #names: StemNames;
  #blocks: Uint8Array[] = [];
  #used = blockBytes;
  #garbage = 0;
  #warmed = 0;
  /** By record id: 0 not read, 1 without stems in the file, else 2 + where they begin. */
  #starts = new Uint32Array(0);
  readonly #numbers = new Int32Array(mostStems);
  readonly #mostBlocks: number;

  /** @param heldBytes held at most, to the next MiB */
  constructor(db: Database, names: StemNames, heldBytes: number = mostBytes) {
    this.#db = db;
    this.#names = names;
    this.#mostBlocks = Math.ceil(heldBytes / blockBytes);
  }

  forget(ids: readonly number[]): void {
    for (const id of ids) {
      const start = this.#starts[id] ?? 0;
      if (start >= 2) this.#garbage += this.#end(start - 2) - (start - 2);
      if (start > 0) this.#starts[id] = 0;
    }
    if (this.#garbage > blockBytes && this.#garbage > this.#blocks.length * blockBytes * 0.2) this.clear();
  }

  clear(): void {
    this.#blocks = [];
    [this.#used, this.#garbage, this.#warmed] = [blockBytes, 0, 0];
    this.#starts.fill(0);
  }

  /** Takes in some more records up to `reached`. True when all are there that have room. */
  warm(reached: number): boolean {
    if (this.#warmed >= reached || this.#full) return true;
    this.#grow(reached);
    const rows = this.#db
      .query("SELECT record_id, stems FROM terms WHERE record_id > ? ORDER BY record_id LIMIT ?", readTerms)
      .all(this.#warmed, readRows);
    for (const { id, stems } of rows) if (this.#starts[id] === 0) this.#put(id, stems);
    this.#warmed = rows.length < readRows ? reached : (rows.at(-1)?.id ?? reached);
    return this.#warmed >= reached;
  }

  /** Visits those of the records that have an entry, none that are beyond `reached`. */
  visit(ids: readonly number[], reached: number, visitor: StemVisitor): void {
    const missing: number[] = [];
    for (const id of ids) {
      const start = this.#starts[id] ?? 0;
      if (start >= 2) visitor(id, this.#numbers, this.#decode(start - 2));
      else if (start === 0 && id <= reached) missing.push(id);
    }
    if (missing.length === 0) return;
    this.#grow(missing.reduce((most, id) => Math.max(most, id), 0));
    if (!this.#full) for (const id of missing) this.#starts[id] = 1;
    this.#db
      .query("SELECT record_id, stems FROM terms WHERE record_id IN (SELECT value FROM json_each(?))", (row) => {
        const { id, stems } = readTerms(row);
        visitor(id, this.#numbers, this.#put(id, stems));
      })
      .all(JSON.stringify(missing));
  }

  get #full(): boolean {
    return this.#blocks.length >= this.#mostBlocks;
  }

  /** Gives how many numbers there are. */
  #put(id: number, stems: string): number {
    const numbers = this.#numbers;
    let count = 0;
    if (stems !== "")
      for (const stem of stems.split(" ")) if (count < mostStems) numbers[count++] = this.#names.numberOf(stem);
    if (this.#full && this.#used + count * 5 + 2 > blockBytes) {
      // It is read again when it is asked for again.
      this.#starts[id] = 0;
      return count;
    }
    // Five bytes hold every number.
    if (this.#used + count * 5 + 2 > blockBytes) {
      this.#blocks.push(new Uint8Array(blockBytes));
      this.#used = 0;
    }
    const block = this.#blocks[this.#blocks.length - 1] ?? new Uint8Array(0);
    this.#starts[id] = 2 + (this.#blocks.length - 1) * blockBytes + this.#used;
    let at = writeNumber(block, this.#used, count);
    for (let nth = 0; nth < count; nth++) at = writeNumber(block, at, numbers[nth] ?? 0);
    this.#used = at;
    return count;
  }

  #decode(start: number): number {
    const block = this.#blocks[Math.floor(start / blockBytes)] ?? new Uint8Array(0);
    const numbers = this.#numbers;
    let at = start % blockBytes;
    let count = block[at++] ?? 0;
    if (count >= 128) count = (count & 127) | ((block[at++] ?? 0) << 7);
    for (let nth = 0; nth < count; nth++) {
      let byte = block[at++] ?? 0;
      let value = byte & 127;
      for (let shift = 7; byte >= 128; shift += 7) {
        byte = block[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      numbers[nth] = value;
    }
    return count;
  }

  /** Where the record that begins at `start` ends. */
  #end(start: number): number {
    const block = this.#blocks[Math.floor(start / blockBytes)] ?? new Uint8Array(0);
    const first = start % blockBytes;
    const low = block[first] ?? 0;
    let left = 1 + (low < 128 ? low : (low & 127) | ((block[first + 1] ?? 0) << 7));
    let at = first;
    for (; left > 0 && at < blockBytes; at++) if ((block[at] ?? 0) < 128) left--;
    return start + at - first;
  }

  #grow(id: number): void {
    if (id >= this.#starts.length) this.#starts = grown(new Uint32Array(larger(id)), this.#starts);
  }
}

function readTerms(row: SqlRow): { id: number; stems: string } {
  return { id: column.number(row, "record_id"), stems: column.text(row, "stems") };
}

/** LEB128; gives the place after it. */
function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let place = at;
  for (; rest >= 128; rest >>>= 7) bytes[place++] = (rest & 127) | 128;
  bytes[place++] = rest;
  return place;
}
