import { column, type Database } from "#native/sqlite.ts";
import { grown, larger } from "./arrays.ts";

/**
 * How many words full text has of each record, in memory: BM25 weighs a match by it, and FTS5 looks it up in the file for every
 * match, which is most of what a search takes (1.4 microseconds a match instead of .3).
 */

/** Records read at a time. */
const readRows = 8_000;

export class TextLengths {
  readonly #db: Database;
  /** By record id, plus 1; 0: not read. */
  #lengths = new Int32Array(0);
  #warmed = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Words of a record that has been loaded. */
  of(id: number): number {
    return (this.#lengths[id] ?? 1) - 1;
  }

  load(ids: readonly number[]): void {
    const missing = ids.filter((id) => (this.#lengths[id] ?? 0) === 0);
    if (missing.length === 0) return;
    this.#read("SELECT id, sz FROM text_docsize WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(missing));
  }

  forget(ids: readonly number[]): void {
    for (const id of ids) if (id < this.#lengths.length) this.#lengths[id] = 0;
  }

  clear(): void {
    this.#lengths.fill(0);
    this.#warmed = 0;
  }

  /** Takes in some more records up to `reached`. True when all are there. */
  warm(reached: number): boolean {
    if (this.#warmed >= reached) return true;
    const read = this.#read("SELECT id, sz FROM text_docsize WHERE id > ? ORDER BY id LIMIT ?", this.#warmed, readRows);
    this.#warmed = read.length < readRows ? reached : (read.at(-1) ?? reached);
    return this.#warmed >= reached;
  }

  #read(sql: string, ...params: (string | number)[]): number[] {
    return this.#db
      .query(sql, (row) => {
        const id = column.number(row, "id");
        if (id >= this.#lengths.length) this.#lengths = grown(new Int32Array(larger(id)), this.#lengths);
        this.#lengths[id] = 1 + varintsOf(column.blob(row, "sz")).reduce((sum, words) => sum + words, 0);
        return id;
      })
      .all(...params);
  }
}

/** SQLite's integers of variable length, seven bits a byte, the highest first; none here is longer than eight bytes. */
export function varintsOf(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    values.push(value);
    value = 0;
  }
  return values;
}
