import { column, type Database } from "#native/sqlite.ts";
import { fold, stem } from "../views/language/index.ts";
import { grown, larger } from "./arrays.ts";
import { wordKey } from "./lexicon.ts";
import type { WordNeighbour } from "./ports.ts";
import { Rows } from "./simd.ts";
import { decodeVector, lengthOf, signsOf } from "./vectors.ts";
import { dataVersion } from "./version.ts";

/** Scored exactly for each word that is asked for; those nearest by signs. */
const scored = 192;
const mostNeighbours = 12;
/** Words read at a time. */
const blockRows = 4_000;

/** The words of one space in memory, int8, for neighbours of a question's words. */
export class WordLookup {
  readonly #db: Database;
  #version = -1;
  #space = -1;
  #last = 0;
  #width = 0;
  #words: string[] = [];
  #places = new Map<string, number>();
  #codes: Rows | null = null;
  #norms = new Float32Array(0);
  #signs: Rows | null = null;
  #known = new Map<string, WordNeighbour[]>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** `vectors`: of words that are not in the archive, by the same model. */
  like(
    words: readonly string[],
    least: number,
    vectors: ReadonlyMap<string, Float32Array>,
  ): Map<string, WordNeighbour[]> {
    this.#refresh();
    const found = new Map<string, WordNeighbour[]>();
    for (const word of words) {
      const key = `${least} ${wordKey(word)}`;
      const vector = this.#known.has(key) ? undefined : (this.#own(wordKey(word)) ?? vectors.get(word));
      const neighbours = this.#known.get(key) ?? (vector && this.#near(vector, stem(fold(word)), least));
      if (neighbours === undefined) continue;
      this.#known.set(key, neighbours);
      found.set(word, neighbours);
    }
    return found;
  }

  /** Takes in some more words. True when all are there. */
  warm(): boolean {
    return this.#refresh(1);
  }

  /** Whether a word has a vector here. */
  has(word: string): boolean {
    this.#refresh();
    return this.#places.has(wordKey(word));
  }

  #own(key: string): Float32Array | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    return this.#codes === null ? undefined : decodeVector(this.#codes.get(place, this.#width));
  }

  #near(vector: Float32Array, own: string, least: number): WordNeighbour[] {
    if (vector.length !== this.#width) return [];
    const records = this.#db.query("SELECT records FROM word WHERE word = ?", (row) => column.number(row, "records"));
    const best = new Map<string, WordNeighbour>();
    const places = this.#signs?.nearest(new Uint8Array(signsOf(vector).buffer), this.#words.length, scored) ?? [];
    const products = this.#codes?.products(vector, places) ?? [];
    for (const [at, place] of places.entries()) {
      const similarity = (products[at] ?? 0) / (this.#norms[place] ?? 1);
      if (similarity < least) continue;
      const word = this.#words[place] ?? "";
      const root = stem(fold(word));
      // A word that is gone from the archive is still in memory until all is read again.
      const count = root === own ? undefined : records.get(word);
      if (count === undefined) continue;
      const known = best.get(root);
      best.set(root, {
        stem: root,
        similarity: Math.max(similarity, known?.similarity ?? -1),
        records: count + (known?.records ?? 0),
      });
    }
    return [...best.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.stem < b.stem ? -1 : 1))
      .slice(0, mostNeighbours);
  }

  /** Takes in words that came since the last call, so many blocks at most; begins again when another model serves. False: there are more. */
  #refresh(blocks = Number.POSITIVE_INFINITY): boolean {
    const version = dataVersion(this.#db);
    if (version === this.#version) return true;
    this.#known.clear();
    const id = this.#db.query("SELECT id FROM space WHERE kind = 'text' AND serving", (row) =>
      column.number(row, "id"),
    );
    const space = id.get() ?? -1;
    if (space !== this.#space) {
      this.#last = 0;
      this.#width = 0;
      this.#words = [];
      this.#places.clear();
      this.#codes = null;
      this.#signs = null;
      this.#space = space;
    }
    const rows = this.#db.query(
      "SELECT id, word, codes FROM word_vector WHERE space_id = ? AND id > ? ORDER BY id LIMIT ?",
      (row) => ({ id: column.number(row, "id"), word: column.text(row, "word"), codes: column.blob(row, "codes") }),
    );
    for (let read = 0; read < blocks; read++) {
      const block = rows.all(space, this.#last, blockRows);
      for (const { id: row, word, codes } of block) {
        this.#last = row;
        this.#add(word, codes);
      }
      if (block.length < blockRows) {
        this.#version = version;
        return true;
      }
    }
    return false;
  }

  #add(word: string, codes: Uint8Array): void {
    if (this.#width === 0) this.#width = codes.length;
    if (codes.length !== this.#width) return;
    const place = this.#places.get(word) ?? this.#words.length;
    this.#codes ??= new Rows(codes.length);
    this.#codes.set(place, codes);
    const signs = new Uint8Array(signsOf(int8Of(codes)).buffer);
    this.#signs ??= new Rows(signs.length);
    this.#signs.set(place, signs);
    if (place >= this.#norms.length) this.#norms = grown(new Float32Array(larger(place)), this.#norms);
    this.#norms[place] = lengthOf(int8Of(codes));
    this.#words[place] = word;
    this.#places.set(word, place);
  }
}

const int8Of = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
