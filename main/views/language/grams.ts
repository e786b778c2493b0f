/**
 * Scripts that are written without blanks between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer. Full text keeps a
 * whole run of them as one word, so they are found by overlapping pairs of letters (n-grams; FTS5 documentation, §4.3.4, does
 * the same by threes).
 */
const letters =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}";
const unspaced = new RegExp(`[${letters}]`, "u");
const runs = new RegExp(`([${letters}\\p{M}]+)|((?:(?![${letters}])[\\p{L}\\p{N}])+)`, "gu");
/** Words with such a letter in them. */
const words = new RegExp(`[\\p{L}\\p{N}\\p{M}]*[${letters}][\\p{L}\\p{N}\\p{M}]*`, "gu");

/** Letters of one text that are taken apart. */
const mostLetters = 100_000;

export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** One stretch of letters of one kind, width and marks evened out. */
interface Run {
  readonly letters: readonly string[];
  readonly unspaced: boolean;
}

function* runsOf(text: string): Generator<Run> {
  for (const [word] of text.normalize("NFKC").matchAll(words)) {
    for (const [, dense, other] of word.matchAll(runs)) {
      // FTS5's unicode61 takes marks for gaps between words: without them both sides read the same.
      if (dense !== undefined) yield { letters: [...dense.replace(/\p{M}+/gu, "")], unspaced: true };
      else if (other !== undefined) yield { letters: [...other.toLowerCase()], unspaced: false };
    }
  }
}

/**
 * Blank-separated: pairs of letters of every run, then its last letter; words in other letters that touch one, whole. Empty
 * for texts in scripts with blanks.
 */
export function gramsOf(text: string): string {
  if (!isUnspaced(text)) return "";
  const grams: string[] = [];
  for (const run of runsOf(text.slice(0, mostLetters))) {
    if (!run.unspaced) grams.push(run.letters.join(""));
    else for (let at = 0; at < run.letters.length; at++) grams.push(run.letters.slice(at, at + 2).join(""));
  }
  return grams.join(" ");
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });
/** Longer runs are sentences rather than words. */
const longestWord = 4;

/** Runs of a question as FTS5 phrases over `gramsOf`. `split`: long runs by the words of their language instead of whole. */
export function gramPhrases(text: string, split: boolean): string[] {
  return [...runsOf(text)].flatMap((run) => {
    const whole = run.letters.join("");
    if (!run.unspaced) return [`"${whole}"`];
    if (!split || run.letters.length <= longestWord) return [phraseOf(run.letters)];
    return Array.from(segmenter.segment(whole), ({ segment }) => [...segment])
      .filter(({ length }) => length > 1)
      .map(phraseOf);
  });
}

function phraseOf(run: readonly string[]): string {
  if (run.length === 1) return `"${run[0]}"*`;
  return `"${run
    .slice(0, -1)
    .map((letter, at) => `${letter}${run[at + 1]}`)
    .join(" ")}"`;
}

/** The letters that a phrase of `gramPhrases` stands for; null when it is none. */
export function lettersOf(phrase: string): string | null {
  if (!isUnspaced(phrase)) return null;
  const [first = "", ...others] = phrase.split(" ");
  return first + others.map((pair) => [...pair].at(-1) ?? "").join("");
}
