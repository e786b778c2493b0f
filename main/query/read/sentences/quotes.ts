import type { Citation, QueryPlan } from "#contract";
import { type Span, sentencesOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { unsaidIn } from "./unsaid.ts";

/** Where a quote begins and ends. */

export const quoteLength = 280;
/** Characters of one view that are read for answers, and sentences of them. */
export const readLength = 40_000;
const sentenceLimit = 80;

/** What of one view may be quoted: its sentences, the whole of a short message, the lines of what is read in a picture. */
export function quotableIn(plan: QueryPlan, candidate: Candidate, view: Citation["view"], text: string): Span[] {
  const read = text.slice(0, readLength);
  const unsaid = unsaidIn(plan, read);
  const whole = isBreath(candidate, view, text);
  return (whole ? [trimmedSpan(text)] : view === "ocr" ? linesOf(read) : sentencesOf(read))
    .filter(({ start, end }) => !unsaid(start, end) && !calendarLine.test(text.slice(start, end)))
    .slice(0, sentenceLimit);
}

/** What is read in a picture is told line by line: dots lead from a dish to its price. */
function linesOf(text: string): Span[] {
  return [...text.matchAll(/\S(?:[^\n]*\S)?/gu)].map(({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }));
}

/** Lines of iCalendar files that are for programs. */
const calendarLine =
  /^(?:BEGIN|END|VERSION|PRODID|METHOD|UID|DTSTAMP|DTSTART|DTEND|CALSCALE|SEQUENCE|STATUS|TRANSP|RRULE|TZ\w+|CREATED|LAST-MODIFIED|X-[\w-]+)[:;]/;

/** A chat message is one breath: "FOUND!!! in Olu's shed" is no two things. */
export const isBreath = ({ record }: Candidate, view: Citation["view"], text: string): boolean =>
  record.kind === "message" && view === "text" && text.length <= breathLength && !text.trim().includes("\n");

const breathLength = 140;

function trimmedSpan(text: string): Span {
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
