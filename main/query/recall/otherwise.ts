import type { QueryPlan } from "#contract";
import type { IndexReader, Stems } from "#main/indexes/ports.ts";
import {
  compoundParts,
  fold,
  isShared,
  type Language,
  meaningsAsked,
  namesIn,
  stem,
  translationWorth,
} from "../../views/language/index.ts";
import { isGeneric } from "../plan/terms.ts";
import { countLimit, wordsAsked } from "./asked.ts";

/**
 * What the question's words are called in the archive's other language: words of the dictionary that the archive holds, and
 * German compounds of it that end or begin with one of them.
 */

/** One of the question's words as the other language says it. */
export interface Otherwise {
  /** Stems in records that say it, each with how much it counts, below 1. */
  readonly stems: ReadonlyMap<string, number>;
  /** Full-text expression that finds them; null where the archive has none. */
  readonly match: string | null;
  /** About how many records have one. */
  readonly records: number;
  /** What it means, where a German compound may have it as a part; else nothing. */
  readonly meanings: ReadonlySet<number>;
  /** The commonest of its words that the archive has, else the first that the dictionary lists. */
  readonly word: string;
}

/** By the stem of the question's word; words without a translation are left out. */
export type OtherWords = ReadonlyMap<string, Otherwise>;

/** What a word counts that means something else in the question's language, since nothing tells which it is. */
const sharedWorth = 0.4;
/** What one part of a compound in the question counts. */
const partAskedWorth = 0.4;
/** Above this share of the records a word of both languages finds mostly the wrong ones. */
const sharedMost = 0.02;
/** Records up to which all stems are taken into memory at once, and steps that this may take: a larger archive has them soon. */
const fewRecords = 2_000;
const mostSteps = 16;
const mostWords = 8;
const mostCompounds = 12;

const memo = new WeakMap<QueryPlan, { index: IndexReader; seq: number; words: OtherWords }>();

/** Worked out once for a plan, as long as the archive stays as it is. */
export function otherWordsOf(plan: QueryPlan, index: IndexReader): OtherWords {
  const seq = index.status().textSeq;
  const known = memo.get(plan);
  if (known !== undefined && known.index === index && known.seq === seq) return known.words;
  const words = find(plan, index);
  memo.set(plan, { index, seq, words });
  return words;
}

function find(plan: QueryPlan, index: IndexReader): OtherWords {
  const found = new Map<string, Otherwise>();
  const total = Math.max(1, index.status().text.done);
  for (const { folded } of wordsAsked(plan)) {
    const root = stem(folded);
    const one = otherwise(root, plan.language, index, total);
    if (one !== null) found.set(root, one);
  }
  return found;
}

function otherwise(root: string, language: Language, index: IndexReader, total: number): Otherwise | null {
  const asked = meaningsAsked(root, language);
  // In an archive of one language an English word that only looks German would find the wrong records.
  if (!holds(index, asked.language === "en" ? "de" : "en")) return null;
  const stems = new Map<string, number>();
  const expressions = new Map<string, number>();
  let [best, most, records] = ["", -1, 0];
  for (const { word, part } of namesIn(asked).slice(0, mostWords)) {
    const own = stem(fold(word));
    const shared = isShared(own);
    if (own === root || (part && isGeneric(fold(word)))) continue;
    const phrase = word.includes(" ");
    const forms = asked.language === "en" && !phrase ? formsOf(word) : [word];
    const match = index.expression(forms);
    const count = match === null ? 0 : index.countText(match, countLimit);
    if (count > most) [best, most] = [word, count];
    if (match === null || count === 0 || (shared && count > Math.max(2, total * sharedMost))) continue;
    expressions.set(match, count);
    records += count;
    if (phrase) {
      // Each word of "removal lorry" says some of it.
      for (const one of word.split(" ")) put(stems, stem(fold(one)), partAskedWorth);
      continue;
    }
    const worth = part ? partAskedWorth : shared ? sharedWorth : translationWorth.whole;
    for (const form of forms) put(stems, stem(fold(form)), worth);
  }
  if (asked.language === "en" && asked.parts.length === 0) {
    for (let step = 0; total <= fewRecords && step < mostSteps && !index.warm(); step++);
    const compounds = compoundsWith(
      index.stems,
      asked.meanings,
      namesIn(asked).map(({ word }) => word),
    );
    for (const one of compounds) {
      const match = index.expression([one]);
      const count = match === null ? 0 : index.countText(match, countLimit);
      put(stems, one, translationWorth.part);
      if (match === null || count === 0) continue;
      expressions.set(match, count);
      records += count;
      if (most <= 0) best = one;
    }
  }
  if (best === "") return null;
  const match = expressions.size === 0 ? null : [...expressions.keys()].join(" OR ");
  const meanings = new Set(asked.language === "en" && asked.parts.length === 0 ? asked.meanings : []);
  return { stems, match, records, meanings, word: best };
}

/** Whether a stem is a German compound that is made of a word with one of these meanings. */
export const isMadeOf = (root: string, meanings: ReadonlySet<number>): boolean =>
  meanings.size > 0 &&
  root.length >= leastCompound &&
  compoundParts(root).some((part) => part.meanings.some((one) => meanings.has(one)));

function put(stems: Map<string, number>, root: string, worth: number): void {
  if (worth > (stems.get(root) ?? 0)) stems.set(root, worth);
}

/** A German word with its endings of number and case, as full text tells them apart. */
function formsOf(word: string): string[] {
  const bare = word.endsWith("e") ? word.slice(0, -1) : word;
  return [...new Set([word, ...["e", "en", "er", "n", "s", "es", "ern"].map((end) => bare + end), `${word}n`])];
}

/** Letters of a compound's end by which it is found. */
const endLetters = 3;
const leastCompound = 7;

interface Ends {
  upTo: number;
  readonly numbers: Map<string, number[]>;
}
const endsOf = new WeakMap<Stems, Ends>();

/** Long stems by their last letters; those that came since are added. */
function ends(stems: Stems): Ends {
  const known = endsOf.get(stems) ?? { upTo: 0, numbers: new Map<string, number[]>() };
  endsOf.set(stems, known);
  for (; known.upTo < stems.count; known.upTo++) {
    const text = stems.text(known.upTo);
    if (text.length < leastCompound) continue;
    const end = text.slice(-endLetters);
    const same = known.numbers.get(end);
    if (same === undefined) known.numbers.set(end, [known.upTo]);
    else same.push(known.upTo);
  }
  return known;
}

/** Compounds of the archive, by their stems, that are made of a word with one of these meanings. */
function compoundsWith(stems: Stems, meanings: readonly number[], words: readonly string[]): string[] {
  const wanted = new Set(meanings);
  const found = new Set<string>();
  const look = (number: number, fits: (text: string) => boolean) => {
    if (found.size === mostCompounds) return;
    const text = stems.text(number);
    if (text.length < leastCompound || !fits(text)) return;
    if (isMadeOf(text, wanted)) found.add(text);
  };
  const byEnd = ends(stems).numbers;
  for (const word of words) {
    for (const form of new Set([fold(word), stem(fold(word)), ...formsOf(fold(word))])) {
      if (form.length < endLetters) continue;
      for (const number of byEnd.get(form.slice(-endLetters)) ?? []) look(number, (text) => text.endsWith(form));
    }
    const start = fold(word).replace(/e$/, "");
    if (start.length < endLetters) continue;
    for (const number of stems.beginningLike(start, start.length + endLetters, Number.POSITIVE_INFINITY))
      look(number, (text) => text.startsWith(start));
  }
  return [...found];
}

/** Little words that are no words of the other language. */
const little: Readonly<Record<Language, readonly string[]>> = {
  de: "und oder ist sind nicht eine einen der auch wir ich für wird haben zum aus über schon noch wenn".split(" "),
  en: "the and with for from have this that you are".split(" "),
};
/** How many of them an archive must say, and in how large a one a single one is enough. */
const leastLittle = 3;
const smallArchive = 100;

const held = new WeakMap<IndexReader, Map<string, boolean>>();

/** Whether the archive has texts in this language. */
function holds(index: IndexReader, language: Language): boolean {
  const status = index.status();
  const key = `${language} ${status.textSeq}`;
  const known = held.get(index)?.get(key);
  if (known !== undefined) return known;
  const wanted = status.text.done < smallArchive ? 1 : leastLittle;
  let said = 0;
  for (const word of little[language]) {
    const match = index.expression([word]);
    if (match !== null && index.countText(match, 1) > 0) said++;
    if (said === wanted) break;
  }
  const other = language === "en" ? "de" : "en";
  const kept = held.get(index)?.get(`${other} ${status.textSeq}`);
  const entries: [string, boolean][] = [[key, said === wanted]];
  if (kept !== undefined) entries.push([`${other} ${status.textSeq}`, kept]);
  held.set(index, new Map(entries));
  return said === wanted;
}
