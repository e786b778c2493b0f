import { column, type Database } from "#native/sqlite.ts";
import type { TextHit } from "./ports.ts";
import { bm25, searchText, type TextCounts } from "./text.ts";
import { dataVersion } from "./version.ts";

/**
 * Full text by the sum of its words. BM25 of several words is the sum of each word's own, so what one retrieval worked out of a
 * word serves the next one that asks for it too: the rounds of a question ask for the same words in other company.
 */

/** Matches of all words of one search beyond which FTS5 is left to find the best of them itself. */
const mostSummed = 16_000;
/** Matches that are held in memory, 16 bytes each. */
const mostHeld = 96_000;
/** As far as words are counted; counts up to the same number are shared with those who ask for them. */
const countLimit = 20_000;

/** Only words and phrases with OR between them. */
const anyOf = /^"[^"]*"\*?(?: OR "[^"]*"\*?)*$/;

/** Records that say one word, ascending, and what each scores for it. */
interface Postings {
  readonly records: Float64Array;
  readonly scores: Float64Array;
}

export class TextScores {
  readonly #db: Database;
  readonly #counts: TextCounts;
  /** Least recently asked for first. */
  readonly #known = new Map<string, Postings>();
  #held = 0;
  #version = -1;

  constructor(db: Database, counts: TextCounts) {
    this.#db = db;
    this.#counts = counts;
  }

  /** The best `limit` records, to the last digit as FTS5 scores them. */
  search(match: string, limit: number): TextHit[] {
    this.#refresh();
    const parts = anyOf.test(match) ? (match.match(/"[^"]*"\*?/g) ?? []) : [];
    const records = parts.reduce((sum, part) => sum + this.#counts.count(part, countLimit), 0);
    if (parts.length === 0 || records > mostSummed) return searchText(this.#db, match, limit);
    const sums = new Map<number, number>();
    for (const part of parts) {
      const { records, scores } = this.#postings(part);
      for (let at = 0; at < records.length; at++) {
        const record = records[at] ?? 0;
        sums.set(record, (sums.get(record) ?? 0) + (scores[at] ?? 0));
      }
    }
    const least = sums.size <= limit ? 0 : (Float64Array.from(sums.values()).sort().at(-limit) ?? 0);
    const best: TextHit[] = [];
    for (const [recordId, score] of sums) if (score >= least) best.push({ recordId, score });
    return best.sort((a, b) => b.score - a.score || a.recordId - b.recordId).slice(0, limit);
  }

  #refresh(): void {
    const version = dataVersion(this.#db);
    if (version === this.#version) return;
    this.#version = version;
    this.#known.clear();
    this.#held = 0;
  }

  #postings(part: string): Postings {
    const known = this.#known.get(part) ?? this.#read(part);
    this.#known.delete(part);
    this.#known.set(part, known);
    for (const [oldest, { records }] of this.#known) {
      if (this.#held <= mostHeld || oldest === part) break;
      this.#known.delete(oldest);
      this.#held -= records.length;
    }
    return known;
  }

  #read(part: string): Postings {
    const records: number[] = [];
    const scores: number[] = [];
    this.#db
      .query(`SELECT rowid, ${bm25} AS score FROM text WHERE text MATCH ? ORDER BY rowid`, (row) => {
        records.push(column.number(row, "rowid"));
        scores.push(-column.number(row, "score"));
      })
      .all(part);
    this.#held += records.length;
    return { records: Float64Array.from(records), scores: Float64Array.from(scores) };
  }
}
