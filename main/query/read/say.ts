import type { Citation, Claim, QueryPlan } from "#contract";
import { saysItself } from "../../views/index.ts";
import { contentStems } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { phrases, sayDay } from "./phrases.ts";
import { clauseAround } from "./sentences/quotes.ts";
import type { Passage } from "./sentences/sentences.ts";
import { answerPhrase } from "./spans/phrase.ts";

/** How the reader says what it found: the value first, then the words it stands on, then who said them and when. */

/** Words that a quote must add to the value and the question to be worth repeating. */
const addedWords = 2;
/** Characters over which a quote is cut to the clause that answers. */
const longQuote = 150;
/** Characters under which a clause is no sentence a person can read alone. */
const shortQuote = 24;

export function quoted(text: string): string {
  return `“${text
    .replace(/\s+/g, " ")
    .replace(/[“”]/g, "'")
    .replace(/[,;:]$/, "")}”`;
}

export function authorOf({ record }: Candidate): string | null {
  return record.author?.name ?? record.author?.address ?? null;
}

export function dayOf(candidate: Candidate, plan: QueryPlan): string | null {
  return candidate.day === null ? null : sayDay(candidate.day, plan.language);
}

/** The line of metadata that shows who and when, cited beside a quote. */
export function metadataOf(candidate: Candidate): Citation[] {
  const view = candidate.views.find((one) => one.view === "metadata");
  if (!view) return [];
  const quote = view.text.slice(0, 300);
  return [{ recordId: candidate.recordId, view: "metadata", span: [0, quote.length], quote }];
}

/** "Photo on 9 May 2024, 15:00, Lake Hollow". */
export function sayPicture(plan: QueryPlan, candidate: Candidate): string {
  const { time, place } = candidate.record;
  const day = dayOf(candidate, plan);
  const clock = /T(\d\d:\d\d)/.exec(time?.local ?? "")?.[1];
  const exact = time !== null && !["day", "month", "year"].includes(time.precision);
  const when = day === null || clock === undefined || !exact ? day : `${day}, ${clock}`;
  return phrases[plan.language].taken(when, place?.name ?? null);
}

/** The label by which a picture was found, cited at its place among the others. */
export function labelOf(candidate: Candidate, label: string): Citation[] {
  const start = candidate.views.find(({ view }) => view === "tags")?.text.indexOf(label) ?? -1;
  if (start < 0) return [];
  return [{ recordId: candidate.recordId, view: "tags", span: [start, start + label.length], quote: label }];
}

/** "Tuesday 7 May 2023: “I went there yesterday.” (Caroline, 8 May 2023)." */
export function claimOf(
  id: string,
  plan: QueryPlan,
  passage: Passage,
  front: string | null,
  standing: Claim["standing"],
  value: string | null = front,
): Claim {
  const { candidate, picked } = passage;
  const words = phrases[plan.language];
  const day = dayOf(candidate, plan);
  const who =
    passage.citation.view === "ocr" && candidate.record.kind !== "document"
      ? words.read(day)
      : words.said(authorOf(candidate) ?? words.unknownAuthor, day);
  // What is quoted is the sentence with the value; the one that says what it is about is cited beside it.
  const beside = picked && !picked.here ? picked.citation : null;
  const citation = passage.labelled?.citation ?? beside ?? trimmed(plan, passage);
  const extra = beside && passage.labelled === null ? [passage.citation] : [];
  const bare =
    front !== null &&
    front !== authorOf(candidate) &&
    plan.answerType !== "yesno" &&
    !adds(plan, citation.quote, front);
  const body = bare ? `${front} (${who})` : `${front === null ? "" : `${front}: `}${quoted(citation.quote)} (${who})`;
  return {
    id,
    text: `${body}.`,
    citations: [citation, ...extra, ...(citation.view === "metadata" ? [] : metadataOf(candidate))],
    value: value ?? placeSaid(plan, passage) ?? answerPhrase(plan, passage.citation.quote),
    standing,
  };
}

/** The place of a sentence, where one is asked for. */
function placeSaid(plan: QueryPlan, { place, candidate, citation }: Passage): string | null {
  if (plan.answerType !== "place") return null;
  return (
    candidate.record.place?.name ??
    place ??
    /(?<!\p{L})(?:in|at|to|near|from|by|behind|under|im|am|beim|nach|zum|zur|hinter|unter|auf)\s((?:an?|the|my|our|his|her|their|eine[rmn]?|de[rmn]|mein\p{L}*|unser\p{L}*)\s(?:\p{L}+\s?){1,3}?)(?=[.,!?;]|$|\s(?:and|to|with|for|last|this|next|und|mit)(?!\p{L}))/u
      .exec(citation.quote)?.[1]
      ?.trim() ??
    null
  );
}

/** A quote is told when it says more than the value and the question do. */
function adds(plan: QueryPlan, quote: string, front: string): boolean {
  const known = new Set(contentStems(`${front} ${plan.question}`, plan.language));
  return contentStems(quote, plan.language).filter((one) => !known.has(one) && !/^\d+$/.test(one)).length >= addedWords;
}

/** A long sentence cut to the clause with the value, or with the words asked about; a very short one with its neighbours. */
function trimmed(plan: QueryPlan, passage: Passage): Citation {
  const { citation, candidate, picked } = passage;
  const { span, quote, view } = citation;
  if (span === null) return citation;
  if (quote.length > longQuote && picked?.here) {
    const { start, end } = clauseAround(quote, picked.value.start, picked.value.end, shortQuote * 2);
    return { ...citation, span: [span[0] + start, span[0] + end], quote: quote.slice(start, end) };
  }
  const whole = candidate.views.find((one) => one.view === view)?.text ?? "";
  if (view === "ocr") return withLinesAround(citation, span, whole);
  // A chat message is one breath: where a piece of it says little alone, all of it is told.
  const message = candidate.record.kind === "message" && view === "text" && whole.length <= longQuote;
  if (message && quote.length < whole.trim().length && contentStems(quote, plan.language).length < 5) {
    const start = whole.length - whole.trimStart().length;
    const end = whole.trimEnd().length;
    return { ...citation, span: [start, end], quote: whole.slice(start, end) };
  }
  return citation;
}

/** What is read in a picture comes in short lines: a sign or a ticket is told whole, of a page the lines beside. */
function withLinesAround(citation: Citation, [from, to]: readonly [number, number], whole: string): Citation {
  const small = whole.trim().length <= longQuote;
  const before = small ? 0 : whole.lastIndexOf("\n", whole.lastIndexOf("\n", from - 1) - 1) + 1;
  const next = whole.indexOf("\n", to);
  const after = next < 0 ? -1 : whole.indexOf("\n", next + 1);
  const end = small || after < 0 ? whole.length : after;
  if (end - before > longQuote) return citation;
  return { ...citation, span: [before, end], quote: whole.slice(before, end) };
}

/** Where a record states a value; its beginning when the value is not its own words. */
export function citeValue(candidate: Candidate, value: string): Citation[] {
  for (const { view, text } of candidate.views) {
    const at = text.indexOf(value);
    if (at < 0 || !saysItself(view)) continue;
    const start = Math.max(0, text.lastIndexOf("\n", at) + 1, at - 120);
    const end = Math.min(text.length, at + value.length + 120);
    return [{ recordId: candidate.recordId, view, span: [start, end], quote: text.slice(start, end) }];
  }
  const [first] = candidate.views;
  if (!first) return [];
  const end = Math.min(first.text.length, 240);
  return [{ recordId: candidate.recordId, view: first.view, span: [0, end], quote: first.text.slice(0, end) }];
}
