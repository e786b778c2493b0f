import { homographs } from "./dictionary/homographs.ts";
import { readMeanings } from "./dictionary/index.ts";
import { stem } from "./stem.ts";
import { fold, isStopWord, type Language } from "./words.ts";

/** What words of one language mean, by their stems; meanings are numbered by their lines in the dictionary. */

/** A meaning that several words make together ("washing machine"): the stems of all of them. */
interface Phrase {
  readonly meaning: number;
  readonly stems: readonly string[];
}

interface Side {
  /** By the stem of a listed form. */
  readonly exact: ReadonlyMap<string, readonly number[]>;
  /** German alone: by what is left without endings. */
  readonly roots: ReadonlyMap<string, readonly number[]>;
  /** By the stem of the first of its words. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
}

interface Dictionary {
  readonly sides: Readonly<Record<Language, Side>>;
  /** The words of each meaning as they are listed, "_" read as a blank. */
  readonly words: Readonly<Record<Language, readonly (readonly string[])[]>>;
}

let dictionary: Dictionary | null = null;

/** Read when the first question wants it. */
function opened(): Dictionary {
  dictionary ??= read();
  return dictionary;
}

function read(): Dictionary {
  const meanings = readMeanings();
  const side = (language: Language): Side => {
    const exact = new Map<string, number[]>();
    const roots = new Map<string, number[]>();
    const phrases = new Map<string, Phrase[]>();
    const written = new Map<string, number[]>();
    for (const [meaning, words] of meanings.entries()) {
      for (const word of words[language]) {
        const stems = word.split("_").map((one) => stem(fold(one)));
        const [first = ""] = stems;
        if (stems.length > 1) push(phrases, first, { meaning, stems });
        else {
          push(exact, first, meaning);
          if (language === "de") for (const one of [first, fold(word)]) push(roots, germanRoot(one), meaning);
        }
        // Parts of compounds are met as they are written, without a stem's cuts.
        if (stems.length === 1 && language === "de") push(written, fold(word), meaning);
      }
    }
    for (const [word, meant] of written) if (!exact.has(word)) exact.set(word, meant);
    return { exact, roots, phrases };
  };
  const listed = (language: Language) => meanings.map((one) => one[language].map((word) => word.replaceAll("_", " ")));
  return { sides: { en: side("en"), de: side("de") }, words: { en: listed("en"), de: listed("de") } };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else if (!known.includes(value)) known.push(value);
}

const leastRoot = 3;

/** A German stem without the endings of case, number and person (after Savoy's light stemmer, CLEF 2006). */
export function germanRoot(word: string): string {
  if (word.length < 4) return word;
  const cut = word
    .replace(/(?:(?<=.{3})(?:ern|em|en|er|es)|(?<=.{3})e)$/, "")
    .replace(/(?<=.{3}(?:el|er))n$/, "")
    .replace(/(?<=.{3}[bdfgklmnrt])s$/, "");
  return cut;
}

/** "kocht", "kochte", "gekocht": the root of a verb that bends regularly. */
function verbRoots(word: string): readonly string[] {
  const bare = word.replace(/(?<=.{3})(?:e?test|e?tet|e?ten|e?te|e?st|et|t)$/, "");
  const roots = bare === word ? [] : [bare];
  const past = /^ge(.{3,}?)e?t$/.exec(word)?.[1];
  return past === undefined ? roots : [past, ...roots];
}

const none: readonly number[] = [];
const cacheLimit = 50_000;
const known: Record<Language, Map<string, readonly number[]>> = { en: new Map(), de: new Map() };

/** Numbers of the meanings that a stem has when it is read as a word of this language; none when it is no listed word. */
export function meaningsOf(root: string, language: Language): readonly number[] {
  const cache = known[language];
  const found = cache.get(root);
  if (found !== undefined) return found;
  const meanings = look(root, language);
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(root, meanings);
  return meanings;
}

function look(root: string, language: Language): readonly number[] {
  const side = opened().sides[language];
  const exact = side.exact.get(root);
  if (exact !== undefined || language === "en" || root.length < leastRoot) return exact ?? none;
  for (const one of [germanRoot(root), ...verbRoots(root), germanRoot(root.replace(/(?<=.{4})in(?:n?en)?$/, ""))]) {
    const found = one.length < leastRoot ? undefined : side.roots.get(one);
    if (found !== undefined) return found;
  }
  return none;
}

/** The same for a German stem as it is listed, or with the endings of case and number alone. */
export function plainMeaningsOf(root: string): readonly number[] {
  const { exact, roots } = opened().sides.de;
  return exact.get(root) ?? (root.length < leastPlain ? none : (roots.get(germanRoot(root)) ?? none));
}
const leastPlain = 5;

/** A listed form itself, no ending taken off. */
export const isListed = (root: string, language: Language): boolean => opened().sides[language].exact.has(root);

/** Meanings that begin with this stem and are made of several words. */
export const phrasesFrom = (root: string, language: Language): readonly Phrase[] =>
  opened().sides[language].phrases.get(root) ?? noPhrase;
const noPhrase: readonly Phrase[] = [];

/** What a meaning is called in a language, as it is written; words of one phrase with a blank between. */
export const wordsFor = (meaning: number, language: Language): readonly string[] =>
  opened().words[language][meaning] ?? noWord;
const noWord: readonly string[] = [];

const shared = new Set([...homographs].flatMap((word) => [word, stem(word)]));

/** Whether a stem is a word of both languages with another meaning in each, or may well be. */
export function isShared(root: string): boolean {
  if (shared.has(root)) return true;
  const german = meaningsOf(root, "de");
  if (german.length === 0) return isStopWord(root, "en") && isListed(root, "de");
  const english = meaningsOf(root, "en");
  if (english.length > 0) return !english.some((one) => german.includes(one));
  return isStopWord(root, "en");
}

export const otherLanguage = (language: Language): Language => (language === "en" ? "de" : "en");
