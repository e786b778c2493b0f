import type { Citation, QueryPlan, RecordId } from "#contract";
import { bareSubject, saysItself } from "../../../views/index.ts";
import { alike, contentStems, findDates, sentencesOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { keptBy } from "../../kept-by.ts";
import { hit, isGeneric } from "../../plan/terms.ts";
import type { Reading } from "../sentences/sentences.ts";
import { measureOf, type Value, valuesOf } from "../sentences/values.ts";

/** Whether a record says what an answer says, and in which sentence: its value, its day, or its words. */

/** Words of an answer from which repeating them says as much. */
export const manyWords = 4;
/** A report of the very day, and a month or week that holds the day, say less than the day itself. */
const onItsDay = 0.8;
const aroundIt = 0.45;
/** Share of an answer's words that a record must repeat. */
const repeatedWords = 0.6;
const repeatedOfMany = 0.45;
const togetherOfMany = 0.35;

/** What an answer says, as far as another record can say it too. */
export interface Answer {
  /** Null where the answer is words. */
  readonly value: Value | null;
  /** Days that the answer names, or on which the record lies that gives it. */
  readonly days: { readonly from: string; readonly to: string } | null;
  readonly words: string | null;
  /** Records that are cited already, the one that answers first. */
  readonly cited: ReadonlySet<RecordId>;
  /** Idf share of the question that the answering record says. */
  readonly whole: number;
  /** Only records that speak of the matter themselves: what held before is easily said of other things. */
  readonly strict?: boolean;
}

/** What a record agrees in with an answer, how far (0–1), and where it says so. */
export interface Agreement {
  readonly by: "value" | "its day" | "around it" | "words" | "event";
  readonly share: number;
  readonly citation: Citation | null;
}

/** Of the thread that a record belongs to: whether it is a long one, and whether it is that of a cited record. */
export interface Thread {
  readonly long: boolean;
  readonly same: boolean;
}

/** Null where a record says nothing of what the answer says. */
export function agreement(
  reading: Reading,
  { value, days }: Answer,
  wanted: readonly string[],
  candidate: Candidate,
  thread: Thread,
): Agreement | null {
  const views = candidate.views.filter(({ view }) => saysItself(view));
  if (days !== null) {
    let around: Agreement | null = null;
    for (const { view, read, from, to, unit, start, end, relative } of datesIn(candidate)) {
      const cite = () => sentenceAt(candidate, view, read, start, end);
      // "Today" in a letter is the day on which it was written, and no more.
      if (relative && from === to && from === candidate.day && candidate.record.kind === "email") continue;
      if (unit === "day" && days.from <= from && to <= days.to) return { by: "value", share: 1, citation: cite() };
      if (unit !== "year" && from <= days.from && days.to <= to)
        around ??= { by: "around it", share: aroundIt, citation: cite() };
    }
    const { day } = candidate;
    if (day !== null && days.from <= day && day <= days.to) return { by: "its day", share: onItsDay, citation: null };
    if (around !== null) return around;
  }
  if (value !== null && value.from === undefined) {
    for (const { view, text } of views) {
      const read = text.slice(0, 4_000);
      const same = valuesOf(read, candidate.day, [value.type, "amount", "number"]).find((one) => equal(one, value));
      if (same) return { by: "value", share: 1, citation: sentenceAt(candidate, view, read, same.start, same.end) };
    }
  }
  if (wanted.length === 0) return null;
  const code = wanted.find((one) => isCode(one) && candidate.stems.has(one));
  if (code !== undefined) return { by: "value", share: 1, citation: repeating(reading, candidate, [code]) };
  const { language, answerType } = reading.plan;
  if (answerType === "person") return naming(reading, candidate, wanted);
  const share = wanted.reduce((sum, one) => sum + hit(language, one, candidate.stems), 0) / wanted.length;
  if (share < leastRepeated(wanted.length, thread.same)) return null;
  const citation = repeating(reading, candidate, wanted);
  // A name among those who got a letter says nothing of what they did, and a thread has all words somewhere.
  if (thread.long && (citation === null || saidIn(language, wanted, citation) < leastTogether(wanted.length)))
    return null;
  // The subject of an answer is that of the letter it answers.
  if (citation?.view === "subject" && bareSubject(citation.quote) !== citation.quote) return null;
  return { by: "words", share, citation };
}

/** A sentence that says the name, or in talk the first name: that somebody wrote or got a letter is no word of theirs. */
function naming(reading: Reading, candidate: Candidate, wanted: readonly string[]): Agreement | null {
  const named = candidate.record.kind === "message" ? wanted.slice(0, 1) : wanted;
  const citation = repeating(reading, candidate, named);
  if (citation === null || saidIn(reading.plan.language, named, citation) < 1) return null;
  return { by: "words", share: 1, citation };
}

/** Share of an answer's words that one sentence says. */
function saidIn(language: QueryPlan["language"], wanted: readonly string[], { quote }: Citation): number {
  const stems = new Set(contentStems(quote, language));
  return wanted.reduce((sum, one) => sum + hit(language, one, stems), 0) / wanted.length;
}
/** In letters of one case fewer words tell that they speak of one thing, if they are not a single one. */
function leastRepeated(words: number, same: boolean): number {
  if (same) return Math.max(togetherOfMany, 2 / words);
  return words > manyWords ? repeatedOfMany : repeatedWords;
}
/** Of few words all that a record must repeat stand together, of many at least some. */
const leastTogether = (words: number): number => (words > manyWords ? togetherOfMany : repeatedWords);

type DateSaid = ReturnType<typeof findDates>[number] & { readonly view: Citation["view"]; readonly read: string };
/** Dates that a record says; asked for by each value that is looked for. */
const datesIn = keptBy(
  ({ record }: Candidate) => record,
  ({ views, day }): readonly DateSaid[] =>
    views.flatMap(({ view, text }) => {
      if (!saysItself(view)) return [];
      const read = text.slice(0, 3_000);
      return findDates(read, { reference: day }).map((date) => ({ ...date, view, read }));
    }),
);

/** The same figure, whatever it is counted in where one side does not say; "415" may be short for 415,000. */
function equal(a: Value, b: Value): boolean {
  if (a.key === b.key) return true;
  const [x, y] = [measureOf(a), measureOf(b)];
  if (!x || !y || (x.unit !== "" && y.unit !== "" && x.unit !== y.unit)) return false;
  if (x.figure === y.figure) return x.figure >= 10;
  const [small, large] = x.figure < y.figure ? [x, y] : [y, x];
  return small.unit === "" && small.figure >= 100 && small.figure * 1_000 === large.figure;
}

/** Stems of the answer's words that the question does not say itself. */
export function wordsOfAnswer({ plan, asked }: Reading, { words }: Answer): string[] {
  if (words === null) return [];
  const known = new Set(contentStems(plan.question, plan.language));
  const said = new Set(asked.terms.map((term) => term.stem));
  const own = [...new Set(contentStems(words.replace(/\([^)]*\)/gu, " "), plan.language))].filter(
    (one) => !said.has(one) && !known.has(one) && ![...alike(one)].some((other) => known.has(other)),
  );
  // The figures of a list number it, or are spelled elsewhere.
  const named = own.filter((one) => !/^\d+$/.test(one));
  const telling = (named.length >= manyWords ? named : own).slice(0, 8);
  // "At work": a word that all say bears no witness alone.
  return telling.every(isGeneric) ? [] : telling;
}

/** "F12", "18c": letters and digits together name one thing. */
const isCode = (word: string): boolean =>
  word.length >= 3 && /\d/.test(word) && /\p{L}/u.test(word) && !/^\d+(?:st|nd|rd|th)$/.test(word);

function sentenceAt(candidate: Candidate, view: Citation["view"], text: string, from: number, to: number): Citation {
  const span = sentencesOf(text).find(({ start, end }) => start <= from && to <= end) ?? { start: from, end: to };
  const end = Math.min(span.end, Math.max(to, span.start + 280));
  return { recordId: candidate.recordId, view, span: [span.start, end], quote: text.slice(span.start, end) };
}

/** All that a message says. */
export function wholeText({ recordId, views }: Candidate): Citation | null {
  const text = views.find(({ view }) => view === "text")?.text ?? "";
  const [start, end] = [text.length - text.trimStart().length, text.trimEnd().length];
  return start >= end ? null : { recordId, view: "text", span: [start, end], quote: text.slice(start, end) };
}

function repeating({ plan }: Reading, candidate: Candidate, wanted: readonly string[]): Citation | null {
  let best: { citation: Citation; said: number } | null = null;
  for (const { view, text } of candidate.views) {
    if (!saysItself(view)) continue;
    const read = text.slice(0, 4_000);
    for (const { start, end } of sentencesOf(read).slice(0, 60)) {
      const stems = new Set(contentStems(read.slice(start, end), plan.language));
      const said = wanted.reduce((sum, one) => sum + hit(plan.language, one, stems), 0);
      if (said > (best?.said ?? 0)) best = { citation: sentenceAt(candidate, view, read, start, start), said };
    }
  }
  return best?.citation ?? null;
}
