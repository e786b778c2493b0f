/**
 * Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980), the algorithm of FTS5's `porter` tokenizer:
 * what the ranker and the reader compare is what full text has matched. Words with other letters than a–z come back as they are.
 */

const cache = new Map<string, string>();
const cacheLimit = 50_000;

/** Stem of one folded (lower-case, no diacritics) word. */
export function stem(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const result = word.length < 3 || word.length > 64 || !/^[a-z]+$/.test(word) ? word : porter(word);
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(word, result);
  return result;
}

/**
 * Common beginning of a German word's forms (after Caumanns' light stemming): plural, case and verb endings cut off.
 * Used as a prefix of a full-text term, so it only has to be short enough, never exact.
 */
export function germanPrefix(word: string): string {
  const cut = word.replace(/(?:innen|ungen|keiten|heiten|ern|em|er|en|es|st|te|e|n|s|t)$/, "");
  return cut.length >= 4 ? cut : word;
}

function isConsonant(word: string, at: number): boolean {
  const letter = word[at];
  if (letter === undefined) return false;
  if ("aeiou".includes(letter)) return false;
  return letter !== "y" || at === 0 || !isConsonant(word, at - 1);
}

/** m: number of vowel–consonant sequences. */
function measure(word: string): number {
  let count = 0;
  let previousVowel = false;
  for (let at = 0; at < word.length; at++) {
    const vowel = !isConsonant(word, at);
    if (!vowel && previousVowel) count++;
    previousVowel = vowel;
  }
  return count;
}

const hasVowel = (word: string) => Array.from(word, (_, at) => at).some((at) => !isConsonant(word, at));

const endsDouble = (word: string) => {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
};

/** *o: ends consonant–vowel–consonant, the last not w, x or y. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !"wxy".includes(word.charAt(last))
  );
}

type Rule = readonly [suffix: string, replacement: string];

const step2: readonly Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];
const step3: readonly Rule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const step4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou".split(" ");

function replaceWhere(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const root = word.slice(0, -rule[0].length);
  return measure(root) > 0 ? root + rule[1] : word;
}

function porter(input: string): string {
  let word = input;
  if (word.endsWith("sses") || word.endsWith("ies")) word = word.slice(0, -2);
  else if (word.endsWith("s") && !word.endsWith("ss")) word = word.slice(0, -1);

  if (word.endsWith("eed")) {
    if (measure(word.slice(0, -3)) > 0) word = word.slice(0, -1);
  } else {
    const suffix = word.endsWith("ed") ? "ed" : word.endsWith("ing") ? "ing" : null;
    const root = suffix === null ? word : word.slice(0, -suffix.length);
    if (suffix !== null && hasVowel(root)) {
      word = root;
      if (/(?:at|bl|iz)$/.test(word)) word += "e";
      else if (endsDouble(word) && !/[lsz]$/.test(word)) word = word.slice(0, -1);
      else if (measure(word) === 1 && endsShort(word)) word += "e";
    }
  }
  if (word.endsWith("y") && hasVowel(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  word = replaceWhere(word, step2);
  word = replaceWhere(word, step3);
  const suffix = step4.find((candidate) => word.endsWith(candidate));
  if (suffix !== undefined) {
    const root = word.slice(0, -suffix.length);
    if (measure(root) > 1 && (suffix !== "ion" || /[st]$/.test(root))) word = root;
  }
  if (word.endsWith("e")) {
    const root = word.slice(0, -1);
    if (measure(root) > 1 || (measure(root) === 1 && !endsShort(root))) word = root;
  }
  if (word.endsWith("ll") && measure(word) > 1) word = word.slice(0, -1);
  return word;
}
