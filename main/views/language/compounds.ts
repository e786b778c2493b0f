import { isListed, meaningsOf, plainMeaningsOf } from "./lookup.ts";

/** German words that have grown together, taken apart: "Ochsenherztomaten" is said of an ox, a heart and tomatoes. */

const leastPart = 3;
const leastWhole = 7;
/** A part beside one that nobody lists must be long enough not to be met by chance. */
const leastBeside = 5;
const mostParts = 4;
/** What German puts between two parts; "e" falls out too ("Kirschkuchen", "Schulweg"). */
const links = ["", "s", "n", "en", "es", "er", "e", "ens"] as const;

const cacheLimit = 50_000;
const cache = new Map<string, readonly string[]>();
const nothing: readonly string[] = [];

/**
 * Parts of a stem by their stems, the last of which says what it is; empty for a word that is listed, short, or not made of
 * listed words. The fewest parts win, of equal ones the longer first part.
 */
export function partsOfCompound(root: string): readonly string[] {
  if (root.length < leastWhole || root.length > 40 || !/^\p{L}+$/u.test(root)) return nothing;
  const known = cache.get(root);
  if (known !== undefined) return known;
  const parts = split(root);
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(root, parts);
  return parts;
}

function split(root: string): readonly string[] {
  if (isListed(root, "en") || meaningsOf(root, "de").length > 0) return nothing;
  return cut(root, mostParts) ?? beside(root) ?? nothing;
}

/** The fewest parts that make the word up whole. */
function cut(word: string, most: number): string[] | null {
  let best: string[] | null = null;
  for (let at = word.length - leastPart; at >= leastPart; at--) {
    const first = modifier(word.slice(0, at));
    if (first === null) continue;
    const rest = word.slice(at);
    const head = headOf(rest);
    const tail = head !== null ? [head] : most > 2 ? cut(rest, most - 1) : null;
    if (tail !== null && (best === null || tail.length + 1 < best.length)) best = [first, ...tail];
  }
  return best;
}

/** The listed word at the end; a stemmer made for English cuts "-er" and others off long words. */
function headOf(part: string): string | null {
  if (part.length < leastPart) return null;
  return stemCuts.map((end) => part + end).find((one) => plainMeaningsOf(one).length > 0) ?? null;
}
const stemCuts = ["", "er", "e", "s", "ent", "ion"] as const;

/** The listed word that stands before another, without what links the two. */
function modifier(part: string): string | null {
  for (const link of links) {
    const bare = part.slice(0, part.length - link.length);
    if (bare.length < leastPart || !part.endsWith(link)) continue;
    for (const one of [bare, `${bare}e`]) {
      if (isListed(one, "de") || (link === "" && plainMeaningsOf(one).length > 0)) return one;
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
