import { sentencesOf } from "../../../views/language/index.ts";
import type { Passage } from "../sentences/sentences.ts";
import { isSignature } from "../sentences/worth.ts";

/** In a letter the reason often stands in the sentence before or behind: "The pump has not come. Your visit has moved." */
export function withReason(best: Passage): Passage {
  const { citation, candidate } = best;
  const text = candidate.views.find(({ view }) => view === citation.view)?.text;
  if (text === undefined || citation.span === null || candidate.record.kind !== "email" || citation.view !== "text")
    return best;
  const [from, to] = citation.span;
  if (givesReason(citation.quote)) return best;
  const sentences = sentencesOf(text);
  const before = sentences.findLast(({ end }) => end <= from);
  const behind = sentences.find(({ start }) => start >= to);
  const inside = (gap: string) => !gap.includes("\n\n");
  const start =
    before && inside(text.slice(before.end, from)) && !isGreeting(text.slice(before.start, before.end))
      ? before.start
      : from;
  const end =
    behind && inside(text.slice(to, behind.start)) && !isSignature(text.slice(behind.start, behind.end))
      ? behind.end
      : to;
  const quote = text.slice(start, end);
  return quote.length > longestReason ? best : { ...best, citation: { ...citation, span: [start, end], quote } };
}
const longestReason = 260;
const givesReason = (quote: string): boolean =>
  /(?<!\p{L})(?:because|since|due to|owing to|as a result|thanks to|weil|denn|wegen|aufgrund)(?!\p{L})/iu.test(quote);
const isGreeting = (text: string): boolean =>
  /^(?:dear|hi|hello|hey|morning|liebe[rs]?|hallo|sehr geehrte)(?!\p{L})/iu.test(text) && text.length < 60;
