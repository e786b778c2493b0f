import { partsOfCompound } from "./compounds.ts";
import { isListed, isShared, meaningsOf, otherLanguage, phrasesFrom, plainMeaningsOf, wordsFor } from "./lookup.ts";
import { stem } from "./stem.ts";
import { fold, isStopWord, type Language, stopWordsOf } from "./words.ts";

/**
 * Whether a text says a word in the other language. A text is given by the stems of its words without the stop words of the
 * question's language (`contentStems`): the other language's own are left in it, and tell what it is written in.
 */

/** How much a word in the other language counts beside the word itself: whole, and as part of a compound. */
export const translationWorth = { whole: 0.8, part: 0.7 } as const;
/** What all parts of a compound count together, and some of them. */
const compoundWorth = { all: 0.75, some: 0.4 } as const;

/** Share of a text's stems that are little words of a language, from which it is written in it. */
const leastLittle = 0.06;

const littleWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    stopWordsOf("en")
      .filter((word) => word.length > 1 && !stopWordsOf("de").includes(word))
      .map(stem),
  ),
  // "He will", "my man": words that an English text has as well.
  de: new Set(
    stopWordsOf("de")
      .filter((word) => !stopWordsOf("en").includes(word) && !["man", "mal", "den", "bin", "mit"].includes(word))
      .map(stem),
  ),
};

const written: Record<Language, WeakMap<ReadonlySet<string>, boolean>> = { en: new WeakMap(), de: new WeakMap() };

/** Whether a text is clearly written in this language, which is not the question's own. */
function isWrittenIn(stems: ReadonlySet<string>, language: Language): boolean {
  const known = written[language].get(stems);
  if (known !== undefined) return known;
  let little = 0;
  for (const one of stems) if (littleWords[language].has(one)) little++;
  const is = little > 0 && little >= stems.size * leastLittle;
  written[language].set(stems, is);
  return is;
}

/** Meanings that a text says, each with how much it counts. */
type Said = ReadonlyMap<number, number>;
const saidIn: Record<Language, WeakMap<ReadonlySet<string>, Said>> = { en: new WeakMap(), de: new WeakMap() };

/** Of a text read in a language that the question is not put in. */
function meaningsSaid(stems: ReadonlySet<string>, language: Language): Said {
  const known = saidIn[language].get(stems);
  if (known !== undefined) return known;
  const said = new Map<number, number>();
  const add = (meanings: readonly number[], worth: number) => {
    for (const one of meanings) if (worth > (said.get(one) ?? 0)) said.set(one, worth);
  };
  const sure = isWrittenIn(stems, language);
  for (const root of stems) {
    const heard = heardIn(root, language, sure);
    if (heard === silent) continue;
    add(heard.whole, translationWorth.whole);
    for (const { meaning, stems: all } of heard.phrases)
      if (all.every((one) => stems.has(one))) add([meaning], translationWorth.whole);
    add(heard.parts, translationWorth.part);
  }
  saidIn[language].set(stems, said);
  return said;
}

/** What one stem of a text may mean: alone, with others beside it, and by its parts. */
interface Heard {
  readonly whole: readonly number[];
  readonly phrases: ReturnType<typeof phrasesFrom>;
  readonly parts: readonly number[];
}
const silent: Heard = { whole: [], phrases: [], parts: [] };
const heardKnown = new Map<string, Map<string, Heard>>();
const mostHeard = 50_000;

/** Most words of a text in the question's own language mean nothing in the other one. `sure`: the text is written in that. */
function heardIn(root: string, language: Language, sure: boolean): Heard {
  const kind = sure ? language : `maybe ${language}`;
  const cache = heardKnown.get(kind) ?? new Map<string, Heard>();
  const known = cache.get(root);
  if (known !== undefined) return known;
  const heard = hear(root, language, sure);
  if (cache.size >= mostHeard) cache.clear();
  heardKnown.set(kind, cache.set(root, heard));
  return heard;
}

function hear(root: string, language: Language, sure: boolean): Heard {
  if (isStopWord(root, language)) return silent;
  const parts = language === "de" ? [...partsSaid(root, sure)].flatMap((part) => meaningsOf(part, "de")) : [];
  const open = sure || !isShared(root);
  const plain = sure || language === "en" ? meaningsOf(root, language) : plainMeaningsOf(root);
  const heard: Heard = { whole: open ? plain : [], phrases: open ? phrasesFrom(root, language) : [], parts };
  return heard.whole.length + heard.phrases.length + parts.length === 0 ? silent : heard;
}

/** Letters from which a compound is one whatever stands around it. */
const surelyLong = 10;

function* partsSaid(root: string, sure: boolean): Generator<string> {
  if (!sure && root.length < surelyLong) return;
  const parts = partsOfCompound(root);
  if (!sure && !parts.every((part) => meaningsOf(part, "de").length > 0)) return;
  yield* parts;
}

/** What a word of the question means: by the language that it is put in, else as a word of the other one. */
interface Meant {
  readonly meanings: readonly number[];
  readonly language: Language;
}

function meant(root: string, language: Language): Meant {
  const own = meaningsOf(root, language);
  if (own.length > 0) return { meanings: own, language };
  const other = otherLanguage(language);
  // "Still" is a word of an English question, listed or not.
  const foreign = isListed(root, other) && !isShared(root);
  return { meanings: foreign ? meaningsOf(root, other) : [], language: other };
}

/** How surely a text says a word of the question in other words of the dictionary, 0 to `translationWorth.whole`. */
export function saidOtherwise(language: Language, root: string, stems: ReadonlySet<string>): number {
  const { meanings, language: own } = meant(root, language);
  if (meanings.length > 0) return Math.max(bestOf(meanings, own, stems), inCompound(root, own, stems));
  const parts = partsAsked(root, language);
  if (parts.length === 0) return 0;
  const hits = parts.map((part) => (stems.has(part.root) ? 1 : bestOf(part.meanings, "de", stems)));
  const said = hits.filter((one) => one > 0).length;
  return said === parts.length ? compoundWorth.all : (hits.at(-1) ?? 0) > 0 ? compoundWorth.some : 0;
}

function bestOf(meanings: readonly number[], own: Language, stems: ReadonlySet<string>): number {
  const said = meaningsSaid(stems, otherLanguage(own));
  return meanings.reduce((best, one) => Math.max(best, said.get(one) ?? 0), 0);
}

/** "Tomaten" is said by "Ochsenherztomaten". */
function inCompound(root: string, own: Language, stems: ReadonlySet<string>): number {
  if (own !== "de") return 0;
  for (const one of stems)
    if (one.length > root.length && partsOfCompound(one).includes(root)) return translationWorth.part;
  return 0;
}

const otherStems = new Map<string, ReadonlySet<string>>();

/**
 * Stems of what a word is called in the other language, those left out that mean something else in the word's own: for
 * where no sentence tells the language.
 */
export function translatedStems(root: string, language?: Language): ReadonlySet<string> {
  const key = `${language ?? ""} ${root}`;
  const known = otherStems.get(key);
  if (known !== undefined) return known;
  if (language === undefined && isShared(root)) return none;
  const own = meant(root, language ?? "en");
  const found = new Set(
    own.meanings
      .flatMap((one) => wordsFor(one, otherLanguage(own.language)))
      .filter((word) => !word.includes(" "))
      .map((word) => stem(fold(word)))
      .filter((one) => !isShared(one)),
  );
  if (otherStems.size > 20_000) otherStems.clear();
  otherStems.set(key, found);
  return found;
}
const none: ReadonlySet<string> = new Set();

/** Stems of the other German words and forms of a German word's meanings. */
export function alikeInGerman(root: string, language?: Language): readonly string[] {
  if (language === "en" || (language === undefined && isShared(root))) return [];
  const words = meaningsOf(root, "de").flatMap((one) => wordsFor(one, "de"));
  return [...new Set(words.filter((word) => !word.includes(" ")).map((word) => stem(fold(word))))];
}

/** What a word of the question means, and the parts of one that is a compound nobody lists. */
export interface MeaningsAsked {
  readonly meanings: readonly number[];
  /** The language that the word is read in. */
  readonly language: Language;
  /** Meanings of each part; empty where the word itself has some. */
  readonly parts: readonly (readonly number[])[];
}

export function meaningsAsked(root: string, language: Language): MeaningsAsked {
  const own = meant(root, language);
  if (own.meanings.length > 0) return { ...own, parts: [] };
  const parts = partsAsked(root, language).map(({ meanings }) => meanings);
  return { meanings: [], language: parts.length > 0 ? "de" : language, parts };
}

/** Parts of a compound in the question; in an English one only where all of it is German. */
function partsAsked(root: string, language: Language): ReturnType<typeof compoundParts> {
  const parts = compoundParts(root);
  return language === "de" || parts.every(({ meanings }) => meanings.length > 0) ? parts : [];
}

/** What the other language calls it, as it is written; `part`: only a part of it. */
export function namesIn({ meanings, language, parts }: MeaningsAsked): { word: string; part: boolean }[] {
  const other = otherLanguage(language);
  const names = (some: readonly number[], part: boolean) =>
    some.flatMap((one) => wordsFor(one, other)).map((word) => ({ word, part }));
  const all = [...names(meanings, false), ...parts.flatMap((some) => names(some, true))];
  return [...new Map(all.map((one) => [one.word, one])).values()];
}

/** Parts of a German compound with what they mean. */
export function compoundParts(root: string): { root: string; meanings: readonly number[] }[] {
  return partsOfCompound(root).map((part) => ({ root: part, meanings: meaningsOf(part, "de") }));
}
