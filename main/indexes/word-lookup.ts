import { column, type Database } from "#native/sqlite.ts";
import { fold, stem } from "../views/language/index.ts";
import { wordKey } from "./lexicon.ts";
import type { WordNeighbour } from "./ports.ts";
import { hamming, signsOf } from "./vectors.ts";
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
  #codes = new Int8Array(0);
  #norms = new Float32Array(0);
  #signs = new Uint32Array(0);
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
    const width = this.#width;
    const norm = this.#norms[place] ?? 1;
    return Float32Array.from(this.#codes.subarray(place * width, (place + 1) * width), (code) => code / norm);
  }

  #near(vector: Float32Array, own: string, least: number): WordNeighbour[] {
    if (vector.length !== this.#width) return [];
    const records = this.#db.query("SELECT records FROM word WHERE word = ?", (row) => column.number(row, "records"));
    const best = new Map<string, WordNeighbour>();
    for (const place of hamming(this.#signs, this.#words.length, signsOf(vector), scored)) {
      const similarity = this.#cosine(vector, place);
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

  #cosine(vector: Float32Array, place: number): number {
    const width = this.#width;
    const codes = this.#codes;
    let sum = 0;
    for (let at = 0, from = place * width; at < width; at++) sum += (codes[from + at] ?? 0) * (vector[at] ?? 0);
    return sum / (this.#norms[place] ?? 1);
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
        this.#add(word, new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength));
      }
      if (block.length < blockRows) {
        this.#version = version;
        return true;
      }
    }
    return false;
  }

  #add(word: string, codes: Int8Array): void {
    if (this.#width === 0) this.#width = codes.length;
    if (codes.length !== this.#width) return;
    const width = this.#width;
    const place = this.#places.get(word) ?? this.#words.length;
    const signWidth = Math.ceil(width / 32);
    if (place * width >= this.#codes.length) {
      const size = Math.max(1_024, Math.ceil(this.#words.length * 1.5));
      this.#codes = grown(new Int8Array(size * width), this.#codes);
      this.#norms = grown(new Float32Array(size), this.#norms);
      this.#signs = grown(new Uint32Array(size * signWidth), this.#signs);
    }
    let squares = 0;
    for (let at = 0; at < width; at++) squares += (codes[at] ?? 0) ** 2;
    this.#words[place] = word;
    this.#places.set(word, place);
    this.#codes.set(codes, place * width);
    this.#norms[place] = Math.sqrt(squares) || 1;
    this.#signs.set(signsOf(codes), place * signWidth);
  }
}

function grown<T extends Int8Array | Float32Array | Uint32Array>(larger: T, old: T): T {
  larger.set(old.subarray(0, larger.length));
  return larger;
}
