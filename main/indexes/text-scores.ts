import { column, type Database } from "#native/sqlite.ts";
import { stem } from "../views/language/index.ts";
import { numbersIn } from "./arrays.ts";
import type { TextHit } from "./ports.ts";
import { bm25, columnWeights, searchText, TextCounts } from "./text.ts";
import { type TextLengths, varintsOf } from "./text-lengths.ts";
import { dataVersion } from "./version.ts";

/**
 * Full text by the sum of its words. BM25 of several words is the sum of each word's own, so what one retrieval worked out of a
 * word serves the next one that asks for it too: the rounds of a question ask for the same words in other company. Where the
 * word stands is read from FTS5's own index, and its score is worked out here (Robertson and Zaragoza 2009, §3.3, as FTS5 has
 * it); phrases and beginnings of words are left to FTS5.
 */

/** Matches that are held in memory, 12 bytes each. */
const mostHeld = 96_000;
/** A word that stands in so many places is counted by FTS5 before it is read. */
const mostCounted = 4_000;

/** Only words and phrases with OR between them. */
const anyOf = /^"[^"]*"\*?(?: OR "[^"]*"\*?)*$/;
/** A word, or a beginning of words, that `stem` and FTS5 reduce in the same way. */
const plainWord = /^"([a-z]{3,64})"(\*?)$/;

const [saturation, lengthShare] = [1.2, 0.75];
const placesOf = `SELECT group_concat(place) AS places FROM (
  SELECT doc * 8 + CASE col WHEN 'body' THEN 1 WHEN 'extra' THEN 3 WHEN 'people' THEN 2 WHEN 'subject' THEN 0 ELSE 4 END AS place
  FROM temp.place WHERE term BETWEEN ? AND ? LIMIT ?)`;
/** Sorts behind all that may follow. */
const last = "\u{10ffff}";

/** Records that say one word, ascending, and what each scores for it. */
interface Postings {
  readonly records: Int32Array;
  readonly scores: Float64Array;
}
const nowhere: Postings = { records: new Int32Array(0), scores: new Float64Array(0) };

export class TextScores {
  readonly #db: Database;
  readonly #counts: TextCounts;
  readonly #lengths: () => TextLengths;
  /** Least recently asked for first. */
  readonly #known = new Map<string, Postings>();
  #held = 0;
  /** Expressions that are counted and not read. */
  readonly #common = new Set<string>();
  #version = -1;
  /** Records that full text has, and how many words one of them has on average. */
  #total = 0;
  #average = 1;

  /** @param lengths of records as they are in the file now */
  constructor(db: Database, lengths: () => TextLengths) {
    this.#db = db;
    this.#counts = new TextCounts(db);
    this.#lengths = lengths;
    db.exec("CREATE VIRTUAL TABLE temp.place USING fts5vocab('main', 'text', 'instance')");
  }

  /** The best `limit` records, as FTS5 scores them. */
  search(match: string, limit: number): TextHit[] {
    this.#refresh();
    const parts = anyOf.test(match) ? (match.match(/"[^"]*"\*?/g) ?? []) : [];
    if (parts.length === 0) return searchText(this.#db, match, limit);
    const { records, scores } = parts.map((part) => this.#postings(part)).reduce(added, nowhere);
    const least = records.length <= limit ? Number.NEGATIVE_INFINITY : (scores.toSorted().at(-limit) ?? 0);
    const best: TextHit[] = [];
    for (let at = 0; at < records.length; at++) {
      const score = scores[at] ?? 0;
      if (score >= least) best.push({ recordId: records[at] ?? 0, score });
    }
    return best.sort((a, b) => b.score - a.score || a.recordId - b.recordId).slice(0, limit);
  }

  /** In how many records an expression occurs, counted up to `limit`. A word that is rare is read at once: it will be searched for. */
  count(match: string, limit: number): number {
    this.#refresh();
    let known = this.#known.get(match) ?? null;
    if (known === null && limit >= mostCounted && !match.endsWith("*") && !this.#common.has(match)) {
      known = this.#read(match, mostCounted);
      if (known === null) this.#common.add(match);
    }
    return known === null ? this.#counts.count(match, limit) : Math.min(limit, known.records.length);
  }

  #refresh(): void {
    const version = dataVersion(this.#db);
    if (version === this.#version) return;
    this.#version = version;
    this.#known.clear();
    this.#common.clear();
    this.#held = 0;
    // FTS5's own averages: the number of records, then of words by column.
    const averages = this.#db.query("SELECT block FROM text_data WHERE id = 1", (row) => column.blob(row, "block"));
    const [total = 0, ...words] = varintsOf(averages.get() ?? new Uint8Array(0));
    this.#total = total;
    this.#average = words.reduce((sum, count) => sum + count, 0) / Math.max(1, total);
  }

  #postings(part: string): Postings {
    const known = this.#known.get(part) ?? this.#read(part, Number.MAX_SAFE_INTEGER) ?? this.#readScores(part);
    this.#known.delete(part);
    this.#known.set(part, known);
    for (const [oldest, { records }] of this.#known) {
      if (this.#held <= mostHeld || oldest === part) break;
      this.#known.delete(oldest);
      this.#held -= records.length;
    }
    return known;
  }

  /** Null where it is no plain word, or stands in more places than `most`. */
  #read(part: string, most: number): Postings | null {
    const [, word, open] = plainWord.exec(part) ?? [];
    if (word === undefined) return null;
    const found = this.#db.query(placesOf, (row) => numbersIn(column.textOrNull(row, "places") ?? ""));
    const term = stem(word);
    const places = found.get(term, open ? term + last : term, most) ?? new Float64Array(0);
    if (places.length >= most) return null;
    // Of several words one stands behind the other.
    if (open) places.sort();
    const records: number[] = [];
    const weights: number[] = [];
    for (const place of places) {
      const record = Math.floor(place / 8);
      if (records.at(-1) !== record) weights[records.push(record) - 1] = 0;
      weights[records.length - 1] = (weights[records.length - 1] ?? 0) + (columnWeights[place % 8] ?? 1);
    }
    const lengths = this.#lengths();
    lengths.load(records);
    const rarity = Math.log((this.#total - records.length + 0.5) / (records.length + 0.5));
    const idf = rarity <= 0 ? 1e-6 : rarity;
    const scores = Float64Array.from(weights, (weight, at) => {
      const length = 1 - lengthShare + (lengthShare * lengths.of(records[at] ?? 0)) / this.#average;
      return idf * ((weight * (saturation + 1)) / (weight + saturation * length));
    });
    return this.#keep(part, { records: Int32Array.from(records), scores });
  }

  #readScores(part: string): Postings {
    const records: number[] = [];
    const scores: number[] = [];
    this.#db
      .query(`SELECT rowid, ${bm25} AS score FROM text WHERE text MATCH ? ORDER BY rowid`, (row) => {
        records.push(column.number(row, "rowid"));
        scores.push(-column.number(row, "score"));
      })
      .all(part);
    return this.#keep(part, { records: Int32Array.from(records), scores: Float64Array.from(scores) });
  }

  #keep(part: string, postings: Postings): Postings {
    this.#known.set(part, postings);
    this.#held += postings.records.length;
    return postings;
  }
}

/** Both, the scores of records that are in both added. */
function added(a: Postings, b: Postings): Postings {
  if (a.records.length === 0) return b;
  const records = new Int32Array(a.records.length + b.records.length);
  const scores = new Float64Array(records.length);
  let [first, second, count] = [0, 0, 0];
  while (first < a.records.length || second < b.records.length) {
    const one = a.records[first] ?? Number.POSITIVE_INFINITY;
    const other = b.records[second] ?? Number.POSITIVE_INFINITY;
    records[count] = Math.min(one, other);
    scores[count++] = (one <= other ? (a.scores[first++] ?? 0) : 0) + (other <= one ? (b.scores[second++] ?? 0) : 0);
  }
  return { records: records.subarray(0, count), scores: scores.subarray(0, count) };
}
