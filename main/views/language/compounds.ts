import { isListed, meaningsOf, plainMeaningsOf } from "./lookup.ts";

/** German words that have grown together, taken apart: "Ochsenherztomaten" is said of an ox, a heart and tomatoes. */

/** A part of a compound by its stem; the last one says what it is, those before it which. */
export interface CompoundPart {
  readonly root: string;
  readonly head: boolean;
}

const leastPart = 3;
const leastWhole = 7;
/** A part beside one that nobody lists must be long enough not to be met by chance. */
const leastBeside = 5;
const mostParts = 4;
/** What German puts between two parts; "e" falls out too ("Kirschkuchen", "Schulweg"). */
const links = ["", "s", "n", "en", "es", "er", "e", "ens"] as const;

const cacheLimit = 50_000;
const cache = new Map<string, readonly CompoundPart[]>();
const nothing: readonly CompoundPart[] = [];

/**
 * Parts of a stem; empty for a word that is listed, short, or not made of listed words. `isWord`: further words that it may
 * be made of. The fewest parts win, of equal ones the longer first part.
 */
export function partsOfCompound(root: string, isWord: (part: string) => boolean = no): readonly CompoundPart[] {
  if (root.length < leastWhole || root.length > 40 || !/^\p{L}+$/u.test(root)) return nothing;
  if (isWord !== no) return split(root, isWord);
  const known = cache.get(root);
  if (known !== undefined) return known;
  const parts = split(root, no);
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(root, parts);
  return parts;
}
const no = (): boolean => false;

function split(root: string, isWord: (part: string) => boolean): readonly CompoundPart[] {
  if (isListed(root, "en") || meaningsOf(root, "de").length > 0) return nothing;
  const found = cut(root, isWord, mostParts) ?? beside(root);
  return found === null ? nothing : found.map((part, at) => ({ root: part, head: at === found.length - 1 }));
}

/** The fewest parts that make the word up whole. */
function cut(word: string, isWord: (part: string) => boolean, most: number): string[] | null {
  let best: string[] | null = null;
  for (let at = word.length - leastPart; at >= leastPart; at--) {
    const first = modifier(word.slice(0, at), isWord);
    if (first === null) continue;
    const rest = word.slice(at);
    const head = headOf(rest, isWord);
    const tail = head !== null ? [head] : most > 2 ? cut(rest, isWord, most - 1) : null;
    if (tail !== null && (best === null || tail.length + 1 < best.length)) best = [first, ...tail];
  }
  return best;
}

/** The listed word at the end; a stemmer made for English cuts "-er" and others off long words. */
function headOf(part: string, isWord: (part: string) => boolean): string | null {
  if (part.length < leastPart) return null;
  return stemCuts.map((end) => part + end).find((one) => plainMeaningsOf(one).length > 0 || isWord(one)) ?? null;
}
const stemCuts = ["", "er", "e", "s", "ent", "ion"] as const;

/** The listed word that stands before another, without what links the two. */
function modifier(part: string, isWord: (part: string) => boolean): string | null {
  for (const link of links) {
    const bare = part.slice(0, part.length - link.length);
    if (bare.length < leastPart || !part.endsWith(link)) continue;
    for (const one of [bare, `${bare}e`]) {
      if (isListed(one, "de") || (link === "" && plainMeaningsOf(one).length > 0) || isWord(one)) return one;
    }
  }
  return null;
}

/** One long listed word with something unknown before or behind it. */
function beside(word: string): string[] | null {
  for (let at = leastPart; at <= word.length - leastBeside; at++) {
    const rest = word.slice(at);
    if (isListed(rest, "de")) return [word.slice(0, at), rest];
  }
  for (let at = word.length - leastPart; at >= leastBeside; at--) {
    const first = word.slice(0, at);
    if (isListed(first, "de")) return [first, word.slice(at)];
  }
  return null;
}
