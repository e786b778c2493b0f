import { isStopWord, languageOf } from "./words.ts";

/**
 * Places of tokens that say what a text is about: pieces of words that are no stop words, no single letters and none of
 * `without` (folded), the first `most`. `words`: the whole word of each token, folded.
 */
export function contentTokens(
  words: readonly string[],
  { most = Number.POSITIVE_INFINITY, without }: { most?: number; without?: ReadonlySet<string> } = {},
): number[] {
  const language = languageOf(words.join(" "));
  const places: number[] = [];
  for (const [at, word] of words.entries()) {
    if (places.length >= most) break;
    if (word.length < 2 || !/[\p{L}\p{N}]/u.test(word) || isStopWord(word, language) || without?.has(word)) continue;
    places.push(at);
  }
  return places;
}
