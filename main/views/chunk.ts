import { type Span, sentencesOf } from "./language/index.ts";

/**
 * Estimated word pieces of one chunk. The small sentence encoders read 256, marks and the author's name included, and
 * were trained on fewer; the estimate is at most a seventh too low in the languages that were tried.
 */
export const chunkPieces = 200;
/** Word pieces repeated from the chunk before, so that a thought cut in two is whole in one of them. */
export const overlapPieces = 40;

/** Words of one script, numbers, and everything else sign by sign. Marks belong to the letter before them. */
const run = /[\p{L}\p{M}]+|\p{N}+|[^\s\p{L}\p{M}\p{N}]/gu;

/** Written like a name in a program. */
const mixedCase = /\p{Ll}\p{Lu}\p{Ll}?\p{Lu}|\p{Lu}\p{Ll}\p{Lu}/u;

/** Frequent words that no other language in Latin letters writes like this. */
const englishWords = /\b(?:the|and|you|your|that|this|with|from|are|were|have|it|not|they|would|could|been|which)\b/giu;

/**
 * About how many word pieces an English WordPiece vocabulary (BERT, uncased) makes of a text; multilingual vocabularies
 * make fewer. English words are mostly whole, other words in Latin letters two letters a piece, other scripts one letter
 * a piece, Korean syllables their parts. Rather too many than too few.
 */
export function estimatePieces(text: string): number {
  return Math.ceil(costOf(text, isEnglish(text)));
}

/** One word in twelve is a frequent English one. */
function isEnglish(text: string): boolean {
  const found = text.match(englishWords)?.length ?? 0;
  return found > 0 && found * 12 >= (text.match(/\S+/g)?.length ?? 0);
}

function costOf(text: string, english: boolean): number {
  let pieces = 0;
  let end = -1;
  let number = false;
  for (const { index, 0: found } of text.matchAll(run)) {
    const touches = index === end;
    end = index + found.length;
    if (/^\p{N}/u.test(found)) {
      pieces += found.length / 2;
      number = true;
    } else if (/^[\p{L}\p{M}]/u.test(found)) {
      pieces += touches && number ? found.length * 0.65 : knownCost(found, english);
      number = false;
    } else {
      pieces += 1;
      number = touches && number;
    }
  }
  return pieces;
}

/** Costs of words seen before: a language has few, and every text is made of them. */
const seen = { english: new Map<string, number>(), other: new Map<string, number>() };
const mostSeen = 50_000;

function knownCost(found: string, english: boolean): number {
  const costs = english ? seen.english : seen.other;
  let cost = costs.get(found);
  if (cost === undefined) {
    cost = mixedCase.test(found) ? found.length * 0.65 : wordCost(found.replace(/\p{Mn}/gu, ""), english);
    if (costs.size >= mostSeen) costs.clear();
    costs.set(found, cost);
  }
  return cost;
}

function wordCost(letters: string, english: boolean): number {
  if (english && /^[a-z]+$/i.test(letters)) return Math.max(1, (letters.length - 3) / 3);
  if (/^\p{Script=Latin}+$/u.test(letters)) return Math.max(1, letters.length / 2);
  const syllables = letters.match(/[\uac00-\ud7a3]/g)?.length ?? 0;
  return letters.length + 1.2 * syllables;
}

interface Part extends Span {
  readonly pieces: number;
}

/**
 * Pieces of a text by sentences, each about `chunkPieces` long at most, with overlap. Covers every character that is no
 * blank; cuts no character in two (grapheme clusters, Unicode Annex 29), and words only where they are longer than the
 * overlap.
 */
export function chunk(text: string): Span[] {
  const parts = sentencesOf(text)
    .flatMap((span) => closedByMark(text, span))
    .flatMap((span) => partsOf(text, span));
  const chunks: Span[] = [];
  let first = 0;
  while (first < parts.length) {
    let last = first;
    let pieces = parts[first]?.pieces ?? 0;
    for (let next = parts[last + 1]; next && pieces + next.pieces <= chunkPieces; next = parts[last + 1]) {
      pieces += next.pieces;
      last++;
    }
    const [from, to] = [parts[first], parts[last]];
    if (from && to) chunks.push({ start: from.start, end: to.end });
    if (last + 1 >= parts.length) break;
    let back = last + 1;
    let repeated = 0;
    // Only as much as leaves room for the sentence that comes next.
    const room = Math.min(overlapPieces, chunkPieces - (parts[last + 1]?.pieces ?? 0));
    while (back - 1 > first && repeated + (parts[back - 1]?.pieces ?? 0) <= room) {
      back--;
      repeated += parts[back]?.pieces ?? 0;
    }
    first = back;
  }
  return chunks;
}

/** Sentences that end without a blank after them, as in Chinese, Japanese, Hindi and Arabic. */
function closedByMark(text: string, span: Span): Span[] {
  const spans: Span[] = [];
  let start = span.start;
  const inside = text.slice(span.start, span.end);
  for (const { index, 0: mark } of inside.matchAll(/[。！？｡।॥؟۔]+[”’»)\]」』】）]*(?![\p{M}\u200d])/gu)) {
    const end = span.start + index + mark.length;
    spans.push(trimmed(text, start, end));
    start = end;
  }
  if (start < span.end) spans.push(trimmed(text, start, span.end));
  return spans.filter(({ start, end }) => end > start);
}

/** A sentence as it is, or one longer than a chunk in parts of the overlap's length, cut after a comma where there is one. */
function partsOf(text: string, span: Span): Part[] {
  const sentence = text.slice(span.start, span.end);
  const english = isEnglish(sentence);
  const whole = costOf(sentence, english);
  if (whole <= chunkPieces) return [{ ...span, pieces: whole }];
  const parts: Part[] = [];
  let start = span.start;
  let end = span.start;
  let pieces = 0;
  const close = () => {
    const part = trimmed(text, start, end);
    if (part.end > part.start) parts.push({ ...part, pieces });
    start = end;
    pieces = 0;
  };
  for (const unit of unitsOf(sentence, english)) {
    const cost = costOf(unit, english);
    if (pieces > 0 && pieces + cost > overlapPieces) close();
    end += unit.length;
    pieces += cost;
    if (pieces > overlapPieces / 2 && /[,;:，、；：،]\s*$/u.test(unit)) close();
  }
  close();
  return parts;
}

const words = new Intl.Segmenter("und", { granularity: "word" });
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** A text without gaps as words with the blanks after them; what is longer than the overlap by words of its script, then by characters. */
function* unitsOf(text: string, english: boolean): Generator<string> {
  for (const [word] of text.matchAll(/\s*\S+\s*/g)) {
    if (costOf(word, english) <= overlapPieces) yield word;
    else if (/^[\x20-\x7e]+$/.test(word)) yield* word.match(/.{1,32}/g) ?? [];
    else {
      for (const { segment } of words.segment(word)) {
        if (costOf(segment, english) <= overlapPieces) yield segment;
        else for (const inner of graphemes.segment(segment)) yield inner.segment;
      }
    }
  }
}

function trimmed(text: string, from: number, to: number): Span {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  return { start, end };
}
