import { type Span, sentencesOf } from "./language/index.ts";

/** Word pieces of one chunk: the small sentence encoders read 256 and were trained on fewer. */
export const chunkPieces = 200;
/** Word pieces repeated from the chunk before, so that a thought cut in two is whole in one of them. */
export const overlapPieces = 40;

/** About how many word pieces a tokenizer makes of a text: one for six letters of a word begun, one for a sign of CJK. */
export function estimatePieces(text: string): number {
  let pieces = 0;
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) {
    pieces += /[\u3040-\u9fff\uac00-\ud7af]/.test(word) ? word.length : Math.ceil(word.length / 6);
  }
  return pieces;
}

/** Pieces of a text by sentences, each about `chunkPieces` long at most, with overlap. Covers every non-blank character. */
export function chunk(text: string): Span[] {
  const parts = sentencesOf(text)
    .flatMap((span) => split(text, span))
    .map((span) => ({ ...span, pieces: estimatePieces(text.slice(span.start, span.end)) }));
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

/** A sentence longer than a chunk, cut between words (or inside one that has no end). */
function split(text: string, span: Span): Span[] {
  if (span.end - span.start <= chunkPieces) return [span];
  const pieces: Span[] = [];
  let start = span.start;
  let size = 0;
  for (const match of text.slice(span.start, span.end).matchAll(/\S{1,600}/g)) {
    const at = span.start + match.index;
    const more = estimatePieces(match[0]);
    if (size > 0 && size + more > chunkPieces) {
      pieces.push({ start, end: at });
      start = at;
      size = 0;
    }
    size += more;
  }
  pieces.push({ start, end: span.end });
  return pieces.map((piece) => {
    let end = piece.end;
    while (end > piece.start && /\s/.test(text.charAt(end - 1))) end--;
    return { start: piece.start, end };
  });
}
