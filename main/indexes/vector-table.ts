import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { grown, larger, placeOf } from "./arrays.ts";
import { formsOf } from "./forms.ts";
import type { Chunk, VectorHit } from "./ports.ts";
import { Rows, ScratchRows } from "./simd.ts";
import { decodeVector, lengthOf, rescoredFor, signsOf } from "./vectors.ts";
import { dataVersion } from "./version.ts";
import { viewNames, viewOf } from "./view-names.ts";

/**
 * The vectors of one space in memory: signs, int8 codes as far as there is room for them (the rest is read from the file), and
 * of each one's chunk what a search tells of it. A random row of an encrypted file costs a page to read and to decrypt; here it
 * costs nothing. What is taken out of the file, or changed, is written down there (`touched`), so that nothing deleted is found
 * once the next question begins.
 */

/** Rows read at a time. */
const readRows = 2_000;
/** A table of which this share is gone is read again. */
const mostGone = 0.1;

const rows = `v.id AS vector_id, c.id, c.record_id, c.view, c.start, c."end", c.forms, s.bits, v.codes
  FROM vector v CROSS JOIN chunk c ON c.id = v.chunk_id LEFT JOIN sign s ON s.vector_id = v.id`;

export class VectorTable {
  readonly space: number;
  /** SQLite's counter of other connections' commits: while it stands nothing has changed. */
  #version = -1;
  /** Last vector and last step of `touched` that were taken in. */
  #last = 0;
  #step = 0;
  #width = 0;
  #count = 0;
  #gone = 0;
  #codes: Rows | null = null;
  /** Rows whose codes are in memory: the first ones. */
  #held = 0;
  #vectors = new Float64Array(0);
  #chunks = new Float64Array(0);
  /** Lengths of the codes. */
  #norms = new Float32Array(0);
  /** 0: gone. */
  #records = new Float64Array(0);
  /** Start, end, view and forms, four a row. */
  #details = new Int32Array(0);
  /** The row of the same record before this one, −1 for none. */
  #before = new Int32Array(0);
  /** The last row of each record, by its id, plus 1; 0 for none. */
  #newest = new Int32Array(0);
  /** Codes that are read from the file for one comparison. */
  readonly #beyond = new ScratchRows();
  /** Signs of the rows that are searched, and which rows those are. */
  #signs: Rows | null = null;
  #signed = new Int32Array(0);
  #signedCount = 0;

  readonly #db: Database;
  readonly #hasRoom: () => boolean;

  /** @param hasRoom whether one more vector's codes may be held */
  constructor(db: Database, space: number, hasRoom: () => boolean) {
    this.#db = db;
    this.space = space;
    this.#hasRoom = hasRoom;
  }

  /** Bytes of codes in memory. */
  get bytes(): number {
    return this.#held * this.#width;
  }

  /** Takes in what has changed since the last call; at most `most` rows at a time. False: there are more. */
  refresh(most = Number.POSITIVE_INFINITY): boolean {
    const db = this.#db;
    const version = dataVersion(db);
    if (version === this.#version) return true;
    const reached = lastStep(db);
    if (this.#last === 0) this.#step = reached;
    else if (reached !== this.#step && !this.#follow(db, reached)) this.#clear(reached);
    const next = db.query(`SELECT ${rows} WHERE v.space_id = ? AND v.id > ? ORDER BY v.id LIMIT ?`, (row) =>
      this.#add(row),
    );
    for (let read = 0; read < most; read += readRows) {
      if (next.all(this.space, this.#last, readRows).length < readRows) {
        this.#version = version;
        return true;
      }
    }
    return false;
  }

  /** Nearest chunks, at most one a record, nearest first. */
  search(vector: Float32Array, limit: number): VectorHit[] {
    if (this.#width !== vector.length) return [];
    const wanted = rescoredFor(limit);
    const bits = new Uint8Array(signsOf(vector).buffer);
    const near: number[] = [];
    for (const at of this.#signs?.nearest(bits, this.#signedCount, wanted + this.#gone) ?? []) {
      const row = this.#signed[at] ?? 0;
      if (this.#records[row] !== 0 && near.length < wanted) near.push(row);
    }
    const cosines = this.#cosines(vector, near);
    /** By record the place in `near` of its best row. */
    const best = new Map<number, number>();
    for (let at = 0; at < near.length; at++) {
      const record = this.#records[near[at] ?? 0] ?? 0;
      const known = best.get(record);
      if ((cosines[at] ?? Number.NaN) > (known === undefined ? -2 : (cosines[known] ?? 0))) best.set(record, at);
    }
    return [...best]
      .sort(([a, x], [b, y]) => (cosines[y] ?? 0) - (cosines[x] ?? 0) || a - b)
      .slice(0, limit)
      .map(([, at]) => ({ ...this.#chunk(near[at] ?? 0), similarity: cosines[at] ?? 0 }));
  }

  /** Vectors of the records in any of these forms (bits of `formBit`), by record and chunk. */
  of(records: Iterable<number>, forms: number): { chunk: Chunk; vector: Float32Array }[] {
    const rows: number[] = [];
    for (const record of records)
      rows.push(...this.#rowsOf(record, forms).sort((a, b) => (this.#chunks[a] ?? 0) - (this.#chunks[b] ?? 0)));
    const read = this.#read(rows.filter((row) => row >= this.#held));
    return rows.flatMap((row) => {
      const codes = row < this.#held ? this.#codes?.get(row, this.#width) : read.get(row);
      return codes === undefined ? [] : [{ chunk: this.#chunk(row), vector: decodeVector(codes) }];
    });
  }

  /** Codes of the first chunk that each record has in any of these forms; those in memory stand there, and hold until rows are added. */
  firstCodes(records: readonly number[], forms: number): (Uint8Array | undefined)[] {
    const rows = records.map((record) => {
      let first = -1;
      for (const row of this.#rowsOf(record, forms))
        if (first === -1 || (this.#chunks[row] ?? 0) < (this.#chunks[first] ?? 0)) first = row;
      return first;
    });
    const read = this.#read(rows.filter((row) => row >= this.#held));
    return rows.map((row) =>
      row === -1 ? undefined : row < this.#held ? this.#codes?.get(row, this.#width) : read.get(row),
    );
  }

  /** The best cosine of each record's pieces in each form (bits of `formBit`), by form in the order of `records`; NaN for none. */
  cosines(vector: Float32Array, records: readonly number[], forms: readonly number[]): Float32Array[] {
    const found = forms.map(() => new Float32Array(records.length).fill(Number.NaN));
    const mask = forms.reduce((bits, form) => bits | form, 0);
    const rows: number[] = [];
    const places: number[] = [];
    for (let place = 0; place < records.length; place++) {
      const record = records[place] ?? 0;
      for (let row = (this.#newest[record] ?? 0) - 1; row >= 0; row = this.#before[row] ?? -1) {
        if (this.#records[row] !== record || ((this.#details[row * 4 + 3] ?? 0) & mask) === 0) continue;
        rows.push(row);
        places.push(place);
      }
    }
    const cosines = this.#cosines(vector, rows);
    for (const [nth, best] of found.entries()) {
      const form = forms[nth] ?? 0;
      for (let at = 0; at < rows.length; at++) {
        if (((this.#details[(rows[at] ?? 0) * 4 + 3] ?? 0) & form) === 0) continue;
        const [place, cosine] = [places[at] ?? 0, cosines[at] ?? Number.NaN];
        if (cosine > (best[place] ?? Number.NaN) || Number.isNaN(best[place] ?? Number.NaN)) best[place] = cosine;
      }
    }
    return found;
  }

  /** Mean of the unit vectors of the records' pieces in any of these forms (bits of `formBit`); zeros where they have none. */
  centre(records: readonly number[], forms: number): Float32Array {
    const rows = records.flatMap((record) => this.#rowsOf(record, forms));
    const read = this.#read(rows.filter((row) => row >= this.#held));
    const centre = new Float32Array(this.#width);
    for (const row of rows) {
      const codes = row < this.#held ? this.#codes?.get(row, this.#width) : read.get(row);
      if (codes === undefined) continue;
      const signed = new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength);
      const share = 1 / ((this.#norms[row] ?? 1) * rows.length);
      for (let d = 0; d < signed.length; d++) centre[d] = (centre[d] ?? 0) + share * (signed[d] ?? 0);
    }
    return centre;
  }

  #rowsOf(record: number, forms: number): number[] {
    const rows: number[] = [];
    for (let row = (this.#newest[record] ?? 0) - 1; row >= 0; row = this.#before[row] ?? -1)
      if (this.#records[row] === record && ((this.#details[row * 4 + 3] ?? 0) & forms) !== 0) rows.push(row);
    return rows;
  }

  /** NaN for what is gone from the file. */
  #cosines(vector: Float32Array, rows: readonly number[]): Float32Array {
    const cosines = new Float32Array(rows.length).fill(Number.NaN);
    if (this.#codes === null || vector.length !== this.#width) return cosines;
    const multiply = (codes: Rows, places: readonly number[], from: readonly number[]) => {
      const products = codes.products(vector, from);
      for (let nth = 0; nth < places.length; nth++) {
        const at = places[nth] ?? 0;
        cosines[at] = (products[nth] ?? 0) / (this.#norms[rows[at] ?? 0] ?? 1);
      }
    };
    const held: number[] = [];
    for (let at = 0; at < rows.length; at++) if ((rows[at] ?? 0) < this.#held) held.push(at);
    multiply(this.#codes, held, held.length === rows.length ? rows : held.map((at) => rows[at] ?? 0));
    if (held.length === rows.length) return cosines;
    const read = this.#read(rows.filter((row) => row >= this.#held));
    const there = [...rows.keys()].filter((at) => read.has(rows[at] ?? 0));
    const some = this.#beyond.of(this.#width);
    for (const [nth, at] of there.entries()) some.set(nth, read.get(rows[at] ?? 0) ?? new Uint8Array(this.#width));
    multiply(some, there, [...there.keys()]);
    return cosines;
  }

  /** Codes from the file, by row. */
  #read(rows: readonly number[]): Map<number, Uint8Array> {
    if (rows.length === 0) return new Map();
    const found = this.#db.query(
      "SELECT id, codes FROM vector WHERE id IN (SELECT value FROM json_each(?))",
      (row): [number, Uint8Array] => [this.#rowOf(column.number(row, "id")), column.blob(row, "codes")],
    );
    return new Map(found.all(JSON.stringify(rows.map((row) => this.#vectors[row] ?? 0))));
  }

  /** Takes in what went, or whose chunk is another, since the last time. False: all has to be read again. */
  #follow(db: Database, reached: number): boolean {
    const first = db.query("SELECT coalesce(min(seq), 0) AS seq FROM touched", readStep).get() ?? 0;
    // Old steps are thrown away at some time.
    if (first > this.#step + 1) return false;
    const touched = db.query("SELECT DISTINCT vector_id FROM touched WHERE seq > ? AND seq <= ?", (row) =>
      column.number(row, "vector_id"),
    );
    const now = db.query(`SELECT ${rows} WHERE v.id = ?`, (row) => ({
      forms: column.number(row, "forms"),
      searched: row.bits !== null,
    }));
    for (const id of touched.all(this.#step, reached)) {
      const row = this.#rowOf(id);
      if (row === -1 || this.#records[row] === 0) continue;
      const known = now.get(id);
      if (known === undefined) {
        this.#records[row] = 0;
        this.#gone++;
      } else {
        // Signs stand apart, in the order of the vectors.
        if (known.searched !== this.#isSigned(row)) return false;
        this.#details[row * 4 + 3] = known.forms;
      }
    }
    this.#step = reached;
    return this.#gone <= this.#count * mostGone;
  }

  #clear(step: number): void {
    this.#step = step;
    [this.#last, this.#width, this.#count, this.#held, this.#gone, this.#signedCount] = [0, 0, 0, 0, 0, 0];
    this.#codes = null;
    this.#signs = null;
    this.#newest.fill(0);
  }

  #rowOf(vectorId: number): number {
    const row = placeOf(this.#vectors, this.#count, vectorId);
    return this.#vectors[row] === vectorId ? row : -1;
  }

  #isSigned(row: number): boolean {
    return this.#signed[placeOf(this.#signed, this.#signedCount, row)] === row;
  }

  #add(row: SqlRow): void {
    this.#last = column.number(row, "vector_id");
    const bytes = column.blob(row, "codes");
    if (this.#width === 0) this.#width = bytes.length;
    const [width, at] = [this.#width, this.#count];
    if (bytes.length !== width) return;
    if (at >= this.#vectors.length) this.#grow();
    const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#codes ??= new Rows(width);
    if (at === this.#held && this.#hasRoom()) {
      this.#codes.set(at, bytes);
      this.#held++;
    }
    this.#norms[at] = lengthOf(codes);
    const record = column.number(row, "record_id");
    this.#vectors[at] = this.#last;
    this.#chunks[at] = column.number(row, "id");
    this.#records[at] = record;
    const view = viewNames.indexOf(viewOf(row));
    this.#details.set(
      [column.number(row, "start"), column.number(row, "end"), view, column.number(row, "forms")],
      at * 4,
    );
    if (record >= this.#newest.length) this.#newest = grown(new Int32Array(larger(record)), this.#newest);
    this.#before[at] = (this.#newest[record] ?? 0) - 1;
    this.#newest[record] = at + 1;
    this.#count++;
    if (row.bits === null) return;
    const signs = column.blob(row, "bits");
    this.#signs ??= new Rows(signs.length);
    this.#signs.set(this.#signedCount, signs);
    if (this.#signedCount >= this.#signed.length)
      this.#signed = grown(new Int32Array(larger(this.#signedCount)), this.#signed);
    this.#signed[this.#signedCount++] = at;
  }

  #grow(): void {
    const size = larger(this.#count);
    this.#vectors = grown(new Float64Array(size), this.#vectors);
    this.#chunks = grown(new Float64Array(size), this.#chunks);
    this.#norms = grown(new Float32Array(size), this.#norms);
    this.#records = grown(new Float64Array(size), this.#records);
    this.#details = grown(new Int32Array(size * 4), this.#details);
    this.#before = grown(new Int32Array(size), this.#before);
  }

  #chunk(row: number): Chunk {
    const at = row * 4;
    return {
      id: this.#chunks[row] ?? 0,
      recordId: this.#records[row] ?? 0,
      view: viewNames[this.#details[at + 2] ?? 0] ?? "text",
      start: this.#details[at] ?? 0,
      end: this.#details[at + 1] ?? 0,
      forms: formsOf(this.#details[at + 3] ?? 0),
    };
  }
}

const readStep = (row: SqlRow): number => column.number(row, "seq");
const lastStep = (db: Database): number =>
  db.query("SELECT coalesce(max(seq), 0) AS seq FROM touched", readStep).get() ?? 0;
