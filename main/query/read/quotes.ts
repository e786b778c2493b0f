import type { Citation } from "#contract";
import type { Span } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";

/** Where a quote begins and ends. */

export const quoteLength = 280;

/** A chat message is one breath: "FOUND!!! in Olu's shed" is no two things. */
export const isBreath = ({ record }: Candidate, view: Citation["view"], text: string): boolean =>
  record.kind === "message" && view === "text" && text.length <= breathLength && !text.trim().includes("\n");

const breathLength = 140;

export function trimmedSpan(text: string): Span {
  return { start: text.length - text.trimStart().length, end: text.trimEnd().length };
}

/** End of a quote: at most `quoteLength` on, between words. */
export function cutAt(text: string, start: number): number {
  const end = start + quoteLength;
  if (end >= text.length || /\s/.test(text.charAt(end))) return end;
  const blank = text.slice(start, end).search(/\s\S*$/);
  return blank > quoteLength / 2 ? start + blank : end;
}

/** The part of a sentence between marks that holds all of [from, to), at least `least` characters long. */
export function clauseAround(quote: string, from: number, to: number, least: number): Span {
  let start = 0;
  let end = quote.length;
  for (const { index } of quote.matchAll(/[,;:–—()](?=\s)|(?<=\s)[–—(]/gu)) {
    if (index < from && to - index - 1 >= least) start = index + 1;
    if (index >= to && index - start >= least) {
      end = index;
      break;
    }
  }
  while (start < end && /[\s([]/.test(quote.charAt(start))) start++;
  return { start, end };
}
