import type { QueryPlan, RecordId } from "#contract";
import type { IndexReader, WordNeighbour } from "#main/indexes/ports.ts";
import { germanPrefix, stem, translationWorth, wordsOf } from "../../views/language/index.ts";
import { countTerm, wordsAsked } from "./asked.ts";
import { isMadeOf, otherWordsOf } from "./otherwise.ts";

/**
 * The question's words in records: by their stems, by words that mean nearly the same (recall study, soft match), and by
 * words that are spelt nearly the same, as people type in chats.
 */

/** Cosine of two words above which one stands for the other a little; at 1 wholly (recall study: .5). */
const leastAlike = 0.5;
/** Words that a person has misspelt by one letter count this much; shorter words than this have too many such neighbours. */
const typo = { share: 0.8, least: 6 } as const;

/** Rows that there is room for at first. */
const firstRows = 256;

export interface QuestionWord {
  readonly text: string;
  readonly stem: string;
  /** What may have been said instead, nearest first. */
  readonly alike: readonly WordNeighbour[];
  /** ln(1 + (N − df + .5)/(df + .5)) over records that say it, in either language. */
  readonly idf: number;
  /** The same over records that say it or something alike, each by its likeness. */
  readonly softIdf: number;
  /** Said anywhere in the archive. */
  readonly known: boolean;
  /** One of the plan's terms; the others only ask, and nothing is missing when nobody says them. */
  readonly term: boolean;
}

/** How strongly each of the question's words is said, 0–1, in the order of the words: one row a record that says any. */
export interface WordHits {
  /** By its stem, or less by what the other language calls it. */
  readonly exact: Float32Array;
  /** By likeness too. */
  readonly soft: Float32Array;
}

/** The row of the many records that say none of the words. */
export const noHits = 0;

/** One of the question's words that a stem stands for, and how surely. */
interface Meaning {
  readonly word: number;
  readonly strength: number;
  /** It is the word itself, or what the other language calls it. */
  readonly exact: boolean;
}

export class WordMatcher {
  readonly words: readonly QuestionWord[];
  readonly #index: IndexReader;
  /** Stem in a record → the words it stands for, with its strength. */
  readonly #said = new Map<string, Meaning[]>();
  readonly #prefixes: readonly { word: number; prefix: string }[];
  readonly #roots: readonly { word: number; root: string }[];
  /** Meanings that a compound may have as a part. */
  readonly #parts: readonly { word: number; meanings: ReadonlySet<number> }[];
  /** By a stem's number what it stands for: 1 where that is in `#meanings`. */
  #meant = new Uint8Array(0);
  readonly #meanings = new Map<number, readonly Meaning[]>();
  /** Of records that have been loaded. */
  readonly #rows = new Map<RecordId, number>();
  #count = 1;
  #hits: WordHits;

  /** `vectors`: of words that the archive does not have, by the word as it is written. */
  constructor(plan: QueryPlan, index: IndexReader, vectors: ReadonlyMap<string, Float32Array> = new Map()) {
    this.#index = index;
    const total = Math.max(1, index.status().text.done);
    const asked = wordsAsked(plan);
    const terms = new Set(plan.terms.flatMap((term) => wordsOf(term).map(({ folded }) => folded)));
    const alike = index.wordsLike(
      asked.map(({ text }) => text),
      leastAlike,
      vectors,
    );
    const idf = (df: number) => Math.log(1 + Math.max(0, total - df + 0.5) / (df + 0.5));
    const others = otherWordsOf(plan, index);
    this.words = asked.map(({ text, folded }, word) => {
      const root = stem(folded);
      const other = others.get(root);
      const own = countTerm(index, text, plan);
      // What is said as it is asked is as rare as it was.
      const df = own > 0 ? own : Math.min(total, other?.records ?? 0);
      this.#add(root, word, 1, true);
      for (const [said, strength] of other?.stems ?? []) this.#add(said, word, strength, true);
      let soft = df;
      const near = alike.get(text) ?? [];
      for (const { stem: like, similarity, records } of near) {
        const strength = (similarity - leastAlike) / (1 - leastAlike);
        if (like === root || strength <= 0) continue;
        this.#add(like, word, strength, false);
        soft += strength * records;
      }
      return {
        text,
        stem: root,
        alike: near,
        idf: idf(df),
        softIdf: idf(Math.min(total, soft)),
        known: df > 0,
        term: terms.has(folded),
      };
    });
    const size = asked.length * firstRows;
    this.#hits = { exact: new Float32Array(size), soft: new Float32Array(size) };
    this.#prefixes =
      plan.language === "de"
        ? asked.flatMap(({ folded }, word) => {
            const prefix = germanPrefix(folded);
            return prefix.length >= 4 ? [{ word, prefix }] : [];
          })
        : [];
    this.#parts = this.words.flatMap(({ stem: root }, word) => {
      const meanings = others.get(root)?.meanings;
      return meanings === undefined || meanings.size === 0 ? [] : [{ word, meanings }];
    });
    this.#roots = this.words.flatMap(({ stem: root }, word) =>
      root.length >= typo.least && !/\d/.test(root) ? [{ word, root }] : [],
    );
    this.#lookUp();
  }

  #add(root: string, word: number, strength: number, exact: boolean): void {
    const known = this.#said.get(root);
    if (known === undefined) this.#said.set(root, [{ word, strength, exact }]);
    else known.push({ word, strength, exact });
  }

  /** Reads the stems of records; what follows about them needs no more reading. */
  load(ids: Iterable<RecordId>): void {
    const missing: RecordId[] = [];
    for (const id of ids) {
      if (this.#rows.has(id)) continue;
      this.#rows.set(id, noHits);
      missing.push(id);
    }
    if (missing.length === 0) return;
    this.#index.visitStems(missing, (id, numbers, count) => {
      const row = this.#match(numbers, count);
      if (row !== noHits) this.#rows.set(id, row);
    });
  }

  /** The record's row in `hits`. Nothing is said in a record that was not loaded. */
  row(id: RecordId): number {
    return this.#rows.get(id) ?? noHits;
  }

  /** All rows, as long as there are words, one after another. They hold until more records are loaded. */
  get hits(): WordHits {
    return this.#hits;
  }

  #match(numbers: Int32Array, count: number): number {
    let start = noHits;
    for (let at = 0; at < count; at++) {
      const number = numbers[at] ?? 0;
      if (number >= this.#meant.length) this.#meetUpTo(this.#index.stems.count);
      if (this.#meant[number] === 0) continue;
      if (start === noHits) start = this.#addRow();
      const { exact: said, soft } = this.#hits;
      for (const { word, strength, exact } of this.#meanings.get(number) ?? []) {
        const place = start + word;
        if (exact && strength > (said[place] ?? 0)) said[place] = strength;
        if (strength > (soft[place] ?? 0)) soft[place] = strength;
      }
    }
    return start === noHits ? noHits : start / this.words.length;
  }

  /** Where it begins. */
  #addRow(): number {
    const start = this.#count++ * this.words.length;
    if (start + this.words.length > this.#hits.exact.length) {
      const [exact, soft] = [new Float32Array(start * 2), new Float32Array(start * 2)];
      exact.set(this.#hits.exact);
      soft.set(this.#hits.soft);
      this.#hits = { exact, soft };
    }
    return start;
  }

  /** Finds the stems met so far that stand for something: few of all that there are. */
  #lookUp(): void {
    const { stems } = this.#index;
    this.#meant = new Uint8Array(stems.count);
    const look = (number: number | undefined) => {
      if (number !== undefined && this.#meant[number] === 0) this.#meet(number);
    };
    for (const root of this.#said.keys()) look(stems.find(root));
    for (const { prefix } of this.#prefixes)
      for (const number of stems.beginningLike(prefix, prefix.length, Number.POSITIVE_INFINITY))
        if (stems.text(number).startsWith(prefix)) look(number);
    for (const { root } of this.#roots)
      for (const number of stems.nearly(root)) if (oneLetterOff(root, stems.text(number))) look(number);
  }

  /** Takes in stems that came up since. */
  #meetUpTo(count: number): void {
    const from = this.#meant.length;
    const larger = new Uint8Array(count);
    larger.set(this.#meant);
    this.#meant = larger;
    for (let number = from; number < count; number++) this.#meet(number);
  }

  #meet(number: number): void {
    const root = this.#index.stems.text(number);
    const said = this.#said.get(root) ?? this.#nearly(root);
    if (said.length === 0) return;
    this.#meanings.set(number, said);
    this.#meant[number] = 1;
  }

  /** What a stem that nobody asked for stands for. */
  #nearly(root: string): readonly Meaning[] {
    const found: Meaning[] = [];
    for (const { word, prefix } of this.#prefixes) {
      if (root.startsWith(prefix)) found.push({ word, strength: 1, exact: true });
    }
    for (const { word, root: asked } of this.#roots) {
      if (oneLetterOff(asked, root)) found.push({ word, strength: typo.share, exact: false });
    }
    for (const { word, meanings } of this.#parts)
      if (isMadeOf(root, meanings)) found.push({ word, strength: translationWorth.part, exact: true });
    return found;
  }
}

/** One letter more, less, other, or two beside each other exchanged; the first letter is typed right. */
export function oneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a[0] !== b[0] || a === b || b.length < typo.least - 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const [left, right] = [endA - start, endB - start];
  if (left <= 1 && right <= 1) return true;
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}
