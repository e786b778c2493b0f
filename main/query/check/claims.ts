import { type Citation, type Claim, type QueryPlan, type RecordId, recordKinds } from "#contract";
import {
  contentStems,
  dayNumber,
  dayOf,
  findDates,
  fold,
  isStopWord,
  numberWords,
  ordinalWords,
  stem,
  weekdayOf,
  wordsOf,
  yearOf,
} from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { phrases, sayDay, saySpan, sayWeekday } from "../read/phrases.ts";
import {
  aheadReference,
  beginningOf,
  measureOf,
  pastDays,
  sayFigure,
  type Value,
  valuesOf,
} from "../read/sentences/values.ts";

/** One claim against what it cites (MIRIX §4.7). */

/** Share of a claim's words that its records must have; below it likeness of meaning has to be there. */
const leastOverlap = 0.5;
/** Cosine of a claim and a record that it cites from which the claim may be said in other words. */
const leastLikeness = 0.6;
/** Of a view cited as a whole so much is read. */
const wholeLength = 8_000;
/** Years of an age at most. */
const oldest = 120;
/** Dates and numbers of a claim's records that are computed with: more of them would make every number follow. */
const computedWith = 8;

/** Likeness of meaning between claims and the records that they cite, −1 to 1; absent without an embedding model. */
export type Likeness = ReadonlyMap<Claim["id"], number>;

export interface ClaimVerdict {
  readonly holds: boolean;
  /** Why it does not, for a person; empty when it does. */
  readonly why: string;
  /** Numbers, dates and names that neither the citations nor the question have, as the claim writes them. */
  readonly strange: readonly string[];
}

const refused = (why: string, strange: readonly string[] = []): ClaimVerdict => ({ holds: false, why, strange });

/**
 * Numbers, dates and names must stand in the citations or follow from them (a relative date, a duration between two dates,
 * a count, a sum); of the other words half, or the meaning must be near.
 */
export function verdictOn(
  plan: QueryPlan,
  claim: Claim,
  byId: ReadonlyMap<RecordId, Candidate>,
  likeness?: number,
): ClaimVerdict {
  if (claim.citations.length === 0) return refused("it cites nothing");
  const allowed = new Set<string>();
  const cited: Cited[] = [];
  for (const citation of claim.citations) {
    const candidate = byId.get(citation.recordId);
    const text = candidate?.views.find((one) => one.view === citation.view)?.text;
    if (!candidate || text === undefined) return refused("it cites a record that was not read");
    if (citation.span !== null && text.slice(...citation.span) !== citation.quote)
      return refused("its quote does not stand where it says");
    const quote = citation.span === null ? text.slice(0, wholeLength) : citation.quote;
    cited.push({ citation, candidate, quote });
    allowQuote(plan, candidate, quote, allowed);
  }
  // The time that is asked about may be said again.
  for (const { from, to } of plan.windows.slice(0, 2))
    for (const { folded } of wordsOf(saySpan(from, to, plan.language))) allowed.add(folded);
  const own = ownWords(plan);
  const known = (folded: string) => allowed.has(folded) || own.has(folded) || isStopWord(folded, plan.language);
  const exact = wordsOf(claim.text).filter(({ text }) => /\d/.test(text) || /^\p{Lu}/u.test(text));
  let strange = exact.filter(({ folded }) => !known(folded));
  if (strange.length > 0) {
    const computed = computedFrom(plan, cited);
    strange = strange.filter(({ folded }) => !computed.has(folded));
  }
  const names = strange.map(({ text }) => text);
  if (names.length > 0) return refused(`no cited record says ${names.slice(0, 4).join(", ")}`, names);
  if (
    overlapOf(plan, claim, cited, own, new Set(exact.map(({ folded }) => stem(folded)))) >= leastOverlap ||
    (likeness ?? -1) >= leastLikeness
  )
    return { holds: true, why: "", strange: [] };
  return refused("its words are not those of the records that it cites");
}

interface Cited {
  readonly citation: Citation;
  readonly candidate: Candidate;
  readonly quote: string;
}

/** What a quote lets a claim say: its words, its record's time, author and place, and the days that it names. */
function allowQuote(plan: QueryPlan, candidate: Candidate, quote: string, allowed: Set<string>): void {
  const allow = (text: string) => {
    for (const { folded } of wordsOf(text)) {
      allowed.add(folded);
      // "2450ish" says 2450.
      const [figure] = /^\d{3,}(?=\p{L})/u.exec(folded) ?? [];
      if (figure !== undefined) allowed.add(figure);
    }
  };
  const { day, record } = candidate;
  allow(quote);
  if (day !== null) allow(`${sayDay(day, plan.language)} ${sayWeekday(weekdayOf(day), plan.language)}`);
  allow(record.time?.local?.slice(11, 16) ?? `${record.time?.utc?.slice(11, 16) ?? ""} UTC`);
  for (const reference of [day, aheadReference(plan.windows, day)]) {
    for (const { from, to } of reference === null && day !== null ? [] : findDates(quote, { reference })) {
      allow(saySpan(from, to, plan.language));
      allow(sayWeekday(weekdayOf(from), plan.language));
    }
  }
  for (const { from } of day === null ? [] : pastDays(quote, day, valuesOf(quote, day, ["date"])))
    if (from !== undefined)
      allow(`${saySpan(from, from, plan.language)} ${sayWeekday(weekdayOf(from), plan.language)}`);
  allow([record.author?.name, record.author?.address, record.place?.name].filter((one) => one != null).join(" "));
}

/** Share of the claim's own words (its numbers, dates and names, `apart`, are checked already) that the cited records have, 0–1. */
function overlapOf(
  plan: QueryPlan,
  claim: Claim,
  cited: readonly Cited[],
  own: ReadonlySet<string>,
  apart: ReadonlySet<string>,
): number {
  const there = new Set(contentStems(plan.question.slice(0, 2_000), plan.language));
  for (const { candidate, quote } of cited) {
    for (const one of contentStems(quote, plan.language)) there.add(one);
    for (const one of candidate.stems) there.add(one);
  }
  const ownStems = new Set([...own].map(stem));
  const words = contentStems(claim.text, plan.language).filter((one) => !ownStems.has(one) && !apart.has(one));
  return words.length === 0 ? 1 : words.filter((one) => there.has(one)).length / words.length;
}

/** Numbers and days that follow from the citations. */
function computedFrom(plan: QueryPlan, cited: readonly Cited[]): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (text: string) => {
    for (const { folded } of wordsOf(text)) found.add(folded);
  };
  // A count: of records, of citations, of what a list has.
  add(String(new Set(cited.map(({ citation }) => citation.recordId)).size));
  add(String(cited.length));
  const byDay = Map.groupBy(cited, ({ candidate }) => candidate.day);
  for (const some of byDay.values()) add(String(new Set(some.map(({ citation }) => citation.recordId)).size));
  for (const { quote } of cited) {
    const items = quote.split(/\n|,|;| and | und /).filter((one) => one.trim() !== "").length;
    if (items > 1) add(String(items));
  }
  const days = new Set<number>();
  const figures = new Set<number>();
  const lengths = new Set<number>();
  for (const { from, to } of plan.windows.slice(0, 1)) days.add(dayNumber(from)).add(dayNumber(to));
  for (const { candidate, quote } of cited) {
    if (candidate.day !== null) days.add(dayNumber(candidate.day));
    for (const { from, to } of findDates(quote, { reference: candidate.day })) {
      days.add(dayNumber(from));
      days.add(dayNumber(to));
    }
    for (const { text } of wordsOf(quote)) {
      const place = ordinalWords.get(text.toLowerCase()) ?? numberWords.get(text.toLowerCase());
      if (place !== undefined) figures.add(place);
    }
    for (const value of valuesOf(quote, candidate.day, ["amount", "number", "duration"])) {
      if (value.type === "duration") {
        const length = daysOf(value);
        if (length !== null) lengths.add(length);
        const began = beginningOf(value, candidate.day);
        if (began !== null) add(saySpan(began.from, began.to, plan.language));
      } else if (/^\d+(?:\.\d+)?(?: |$)/.test(value.key)) figures.add(Number.parseFloat(value.key));
    }
  }
  const [someDays, someFigures] = [[...days].slice(0, computedWith), [...figures].slice(0, computedWith)];
  for (const a of someDays) {
    for (const b of someDays) {
      if (b <= a) continue;
      for (const one of spansOf(b - a)) add(String(one));
      // An age that was told on one day, on the other.
      const years = [Math.floor((b - a) / 365.25), Math.round((b - a) / 365.25)];
      for (const figure of someFigures.filter((one) => one <= oldest))
        for (const year of years) for (const one of [figure + year, figure - year]) add(String(one));
    }
    // The year of birth by an age that was told.
    for (const figure of someFigures.filter((one) => one <= oldest))
      for (const year of [yearOf(dayOf(a)) - figure, yearOf(dayOf(a)) - figure - 1]) add(String(year));
    for (const length of lengths)
      for (const day of [a - length, a + length])
        add(`${sayDay(dayOf(day), plan.language)} ${sayWeekday(weekdayOf(dayOf(day)), plan.language)}`);
  }
  for (const [at, a] of someFigures.entries()) {
    for (const b of someFigures.slice(at + 1)) for (const one of [a + b, Math.abs(a - b)]) addFigure(one, add);
  }
  if (someFigures.length > 2)
    addFigure(
      someFigures.reduce((sum, one) => sum + one, 0),
      add,
    );
  return found;
}

function addFigure(value: number, add: (text: string) => void): void {
  const text = String(Math.round(value * 100) / 100);
  add(text);
  add(text.replace(".", ","));
  add(value.toFixed(2));
  for (const style of ["en", "de"] as const) add(sayFigure(value, style));
}

/** A stretch of days as it may be told: days, weeks, months, years, whole ones and rounded. */
function spansOf(days: number): number[] {
  const parts = [days, days + 1, days / 7, days / 30.44, days / 365.25];
  return [...new Set(parts.flatMap((one) => [Math.floor(one), Math.round(one)]))];
}

const daysIn: Readonly<Record<string, number>> = { day: 1, night: 1, week: 7 };

/** "two days" → 2, "a week" → 7; null for what is not counted in whole days. */
function daysOf(duration: Value): number | null {
  const { figure, unit } = measureOf(duration) ?? { figure: Number.NaN, unit: "" };
  const days = daysIn[unit];
  return days === undefined || !Number.isInteger(figure) ? null : figure * days;
}

/** Words with a capital that the reader says of its own; the same for each claim of a language. */
function ownWords({ language }: QueryPlan): ReadonlySet<string> {
  const known = ownKnown[language] ?? wordsOfPhrases(language);
  ownKnown[language] = known;
  return known;
}
const ownKnown: { [Language in QueryPlan["language"]]?: ReadonlySet<string> } = {};

function wordsOfPhrases(language: QueryPlan["language"]): ReadonlySet<string> {
  const words = phrases[language];
  const said = [
    words.unknownAuthor,
    words.read(null),
    words.photo,
    words.seen(""),
    words.maybeSeen,
    words.yes,
    words.no,
    words.likely.yes,
    words.likely.no,
    words.earlier("", null),
    words.cancelled(null),
    words.disagree("", null),
    words.counted(2).replace("2", ""),
    words.taken(null, null),
    ...recordKinds.flatMap((kind) => [1, 2].map((count) => words.countedOf(count, kind)?.replace(/\d/, "") ?? "")),
    words.between("", ""),
    ...[2, 3].map((count) => words.allOn(count, "")),
    words.accepted,
    words.alike,
    words.aged("", ""),
    words.born(""),
    words.more(""),
    words.together(""),
    ...(["day", "week", "month", "year"] as const).flatMap((unit) =>
      [1, 2].map((count) => words.stretch(count, unit).replace(/\d/, "")),
    ),
    words.counted(1, true).replace("1", ""),
  ];
  return new Set(said.flatMap((text) => wordsOf(text).map(({ folded }) => fold(folded))));
}
