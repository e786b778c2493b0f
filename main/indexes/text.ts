import type { RecordId } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { gramPhrases, isUnspaced, lettersOf, stem, wordsOf } from "../views/language/index.ts";
import { placeOfFragment } from "./fragments.ts";
import type { TextHit } from "./ports.ts";
import { dataVersion } from "./version.ts";

/** Of subject, body, people, extra and grams: a subject counts double, what the source said beside the text less than the text. */
export const columnWeights = [2, 1, 1, 0.7, 1] as const;
export const bm25 = `bm25(text, ${columnWeights.join(", ")})`;
/** More words than this say no more about what is asked. */
const termLimit = 48;

/**
 * FTS5 expression of terms. Every term is reduced to its letters and digits and quoted, so nothing of it is read as syntax;
 * a term of several words ("check-up") becomes a phrase.
 */
export function expression(
  terms: readonly string[],
  options: { all?: boolean; prefixLast?: boolean; prefixes?: readonly string[] } = {},
): string | null {
  const parts = terms.slice(0, termLimit).flatMap((term, at) => {
    if (isUnspaced(term)) return denseParts(term, options.all !== true);
    const words = wordsOf(term).map(({ folded }) => folded);
    if (words.length === 0) return [];
    const open = options.prefixLast === true && at === terms.length - 1;
    return [`"${words.join(" ")}"${open ? "*" : ""}`];
  });
  const prefixes = (options.prefixes ?? []).slice(0, termLimit).flatMap((prefix) => {
    const word = wordsOf(prefix)[0]?.folded;
    return word === undefined || word.length < 3 ? [] : [`"${word}"*`];
  });
  if (options.all) return parts.length === 0 ? null : parts.join(" AND ");
  const any = [...new Set([...parts, ...prefixes])];
  return any.length === 0 ? null : any.join(" OR ");
}

/** A term with letters of a script without blanks: its runs as phrases of pairs, its other words as they are. */
function denseParts(term: string, split: boolean): string[] {
  return wordsOf(term).flatMap(({ text, folded }) => (isUnspaced(text) ? gramPhrases(text, split) : [`"${folded}"`]));
}

export function searchText(db: Database, match: string, limit: number, latest?: number): TextHit[] {
  const hit = (row: SqlRow): TextHit => ({
    recordId: column.number(row, "rowid"),
    score: -column.number(row, "score"),
  });
  // Ordered by the column itself: said twice, BM25 would be worked out twice for every match.
  if (latest === undefined)
    return db
      .query(`SELECT rowid, ${bm25} AS score FROM text WHERE text MATCH ? ORDER BY score, rowid LIMIT ?`, hit)
      .all(match, limit);
  return db
    .query(
      `SELECT rowid, score FROM (
         SELECT rowid, ${bm25} AS score FROM text WHERE text MATCH ? ORDER BY rowid DESC LIMIT ?)
       ORDER BY score, rowid LIMIT ?`,
      hit,
    )
    .all(match, latest, limit);
}

export function matching(db: Database, match: string, limit: number): RecordId[] {
  return db
    .query("SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid LIMIT ?", (row) => column.number(row, "rowid"))
    .all(match, limit);
}

/** Counts that are held in memory. */
const mostCounts = 2_000;

/** In how many records terms occur: counted by going through all of them, so once while nothing changes. */
export class TextCounts {
  readonly #db: Database;
  readonly #known = new Map<string, number>();
  #version = -1;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Counted up to `limit`. */
  count(match: string, limit: number): number {
    const version = dataVersion(this.#db);
    if (version !== this.#version || this.#known.size > mostCounts) this.#known.clear();
    this.#version = version;
    const key = `${limit} ${match}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const count = this.#db.query("SELECT count(*) AS n FROM (SELECT 1 FROM text WHERE text MATCH ? LIMIT ?)", (row) =>
      column.number(row, "n"),
    );
    const found = count.get(match, limit) ?? 0;
    this.#known.set(key, found);
    return found;
  }
}

const passageLength = 220;

/** The stretch of a record with most different terms of the expression, and where they stand in it. */
export function passage(db: Database, match: string, id: RecordId): { passage: string; marks: [number, number][] } {
  const wanted = termsOf(match);
  return bestOf(db, id, (text) => hitsIn(text, wanted));
}

/** The stretch of a record around a fragment of a number or name (`searchFragments`). */
export function fragmentPassage(
  db: Database,
  fragment: string,
  id: RecordId,
): { passage: string; marks: [number, number][] } {
  return bestOf(db, id, (text) => {
    const place = placeOfFragment(text, fragment);
    return place ? [{ start: place[0], end: place[1], key: fragment }] : [];
  });
}

function bestOf(
  db: Database,
  id: RecordId,
  hits: (text: string) => Hit[],
): { passage: string; marks: [number, number][] } {
  const row = db
    .query("SELECT subject, body, extra FROM text WHERE rowid = ?", (one) => ({
      subject: column.text(one, "subject"),
      body: column.text(one, "body"),
      extra: column.text(one, "extra"),
    }))
    .get(id);
  if (!row) return { passage: "", marks: [] };
  // Of several views only one is shown, never the end of one with the beginning of the next.
  const found = [row.body, row.subject, ...row.extra.split(/\n{2,}/)]
    .filter((text) => text !== "")
    .map((text) => bestStretch(text, hits(text)))
    .sort((a, b) => b.terms - a.terms)[0];
  return found ? { passage: found.passage, marks: found.marks } : { passage: "", marks: [] };
}

/** A place in a text, and which of the things looked for stands there. */
interface Hit {
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

interface Wanted {
  readonly stems: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  /** In scripts without blanks. */
  readonly runs: readonly string[];
}

function termsOf(match: string): Wanted {
  const stems = new Set<string>();
  const prefixes: string[] = [];
  const runs: string[] = [];
  for (const [, phrase = "", star] of match.matchAll(/"([^"]*)"(\*?)/g)) {
    const run = lettersOf(phrase);
    if (run !== null) {
      runs.push(run);
      continue;
    }
    const words = phrase.split(" ");
    if (star) prefixes.push(words.pop() ?? "");
    for (const word of words) stems.add(stem(word));
  }
  return { stems, prefixes, runs };
}

function hitsIn(text: string, wanted: Wanted): Hit[] {
  const read = text.slice(0, 200_000);
  const hits: Hit[] = wordsOf(read).flatMap((word) => {
    const root = stem(word.folded);
    const prefix = wanted.prefixes.find((one) => one !== "" && word.folded.startsWith(one));
    return wanted.stems.has(root) || prefix !== undefined ? [{ ...word, key: prefix ?? root }] : [];
  });
  if (wanted.runs.length === 0) return hits;
  const dense = wanted.runs.flatMap((run) =>
    Array.from(read.matchAll(new RegExp(run, "giu")), ({ index }) => ({
      start: index,
      end: index + run.length,
      key: run,
    })),
  );
  return [...hits, ...dense].sort((a, b) => a.start - b.start);
}

function bestStretch(
  text: string,
  hits: readonly Hit[],
): { passage: string; marks: [number, number][]; terms: number } {
  let best = { first: 0, terms: 0 };
  for (let first = 0; first < hits.length; first++) {
    const from = hits[first]?.start ?? 0;
    const terms = new Set<string>();
    for (let at = first; at < hits.length && (hits[at]?.end ?? 0) - from <= passageLength; at++) {
      const key = hits[at]?.key;
      if (key !== undefined) terms.add(key);
    }
    if (terms.size > best.terms) best = { first, terms: terms.size };
  }
  const center = hits[best.first]?.start ?? 0;
  let start = Math.max(0, center - 60);
  if (start > 0) {
    const blank = text.slice(start, center).search(/\s/);
    start = blank < 0 ? center : start + blank + 1;
  }
  let end = Math.min(text.length, start + passageLength);
  if (end < text.length) {
    const blank = text.slice(start, end).search(/\s\S*$/);
    if (blank > passageLength / 2) end = start + blank;
  }
  const [head, tail] = [start > 0 ? "… " : "", end < text.length ? " …" : ""];
  return {
    passage: `${head}${text.slice(start, end).replace(/\s/g, " ")}${tail}`,
    marks: hits
      .filter((hit) => hit.start >= start && hit.end <= end)
      .map((hit) => [hit.start - start + head.length, hit.end - start + head.length]),
    terms: best.terms,
  };
}
