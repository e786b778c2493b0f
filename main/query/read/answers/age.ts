import type { Citation, Claim, QueryPlan } from "#contract";
import { saysItself } from "../../../views/index.ts";
import {
  addDays,
  dayNumber,
  findDates,
  numberWords,
  ordinalWords,
  sentencesOf,
  stem,
  wishes,
  wordsOf,
  yearOf,
} from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import type { Sides } from "../../plan/sides.ts";
import { answered, type Draft } from "../draft.ts";
import { phrases, sayDay, saySpan } from "../phrases.ts";
import { metadataOf } from "../say.ts";
import { ownSelf } from "../sentences/subject.ts";

/** How old somebody was at some time: from a day of birth, or from an age that was told on some day. */

/** Days between which somebody was born. */
interface BirthDays {
  readonly from: string;
  readonly to: string;
  /** The age that an invitation or a feast tells, and its day: no day of birth is said. */
  readonly feast?: { readonly day: string; readonly age: number };
}

interface Birth extends BirthDays {
  /** Where that is said. */
  readonly citations: readonly Citation[];
}

/** A time that is asked about, with what says when it was. */
export interface Then {
  readonly from: string;
  readonly to: string;
  readonly claim: Claim | null;
}

const sentencesRead = 80;
const oldest = 120;

const born = /(?<!\p{L})(?:born|birth(?!day)|geboren|geburt(?!stag)\p{L}*|auf (?:der|die) welt)(?!\p{L})/iu;
const spelled = [...numberWords.keys()].filter((word) => (numberWords.get(word) ?? 0) > 2).join("|");
const age = `(?<age>\\d{1,3}|${spelled})`;
/** On the day itself: "turns six", "wird heute 75". */
const reached = new RegExp(
  `(?<!\\p{L})(?:turns?|turned|turning|became|wird|wurde|werde)\\s(?:(?:today|heute|morgen|tomorrow|then|schon)\\s)?${age}(?![\\p{L}\\d:.,]*\\d|\\s?(?:%|uhr|am|pm))`,
  "iu",
);
/** Some time in that year of life: "is seven years old", "ist 7 Jahre alt", "7-year-old". */
const told = new RegExp(
  `(?<![\\p{L}\\d])${age}(?:\\s(?:years? old|jahre alt)|[- ]years?[- ]old|[- ]?jährig\\p{L}*)(?!\\p{L})`,
  "iu",
);
/** "Acht Jahre, unglaublich", behind a birthday's wish. */
const wishedAge = new RegExp(`^${age}\\s(?:jahre|years)(?!\\p{L})(?!\\s(?:ago|later|with|mit))`, "iu");
const wishedYears = new RegExp(`[!.]\\s+${age}\\s(?:jahre|years)(?!\\p{L})`, "iu");
const anniversary = new RegExp(
  `(?<![\\p{L}\\d])(?:(?<age>\\d{1,3})(?:st|nd|rd|th|\\.)|(?<word>${[...ordinalWords.keys()].join("|")}))\\s(?:birthday|geburtstag)`,
  "iu",
);

/** Null where nothing says how old, or when. `then`: the time asked about; without one the day of birth is told. */
export function ageDraft(
  plan: QueryPlan,
  { sides: [who] }: Sides,
  candidates: readonly Candidate[],
  then: Then | null,
): Draft | null {
  const birth = birthOf(who, candidates);
  if (birth === null) return null;
  const words = phrases[plan.language];
  const day =
    birth.from === birth.to ? sayDay(birth.from, plan.language) : saySpan(birth.from, birth.to, plan.language);
  if (then === null) {
    const text = `${words.born(day)}.`;
    return answered([{ id: "c1", text, citations: [...birth.citations], value: day, standing: "current" }]);
  }
  const [most, least] = [yearsBetween(birth.from, then.to), yearsBetween(birth.to, then.from)];
  if (least < 0 || most > oldest) return null;
  const { feast } = birth;
  const said =
    feast && Math.abs(dayNumber(then.from) - dayNumber(feast.day)) <= feastDays
      ? String(feast.age)
      : most - least > 1
        ? `${least}–${most}`
        : least === most
          ? String(most)
          : `${least}/${most}`;
  const at = saySpan(then.from, then.to, plan.language);
  const claim: Claim = {
    id: "c1",
    text: birth.feast ? `${words.aged(said, at)}.` : `${words.aged(said, at)}: ${words.born(day)}.`,
    citations: [...birth.citations, ...(then.claim?.citations ?? [])],
    value: said,
    standing: "current",
  };
  return answered([claim, ...(then.claim ? [{ ...then.claim, id: "c2" }] : [])]);
}

/** Whole years from one day to another. */
function yearsBetween(from: string, to: string): number {
  return yearOf(to) - yearOf(from) - (to.slice(5) < from.slice(5) ? 1 : 0);
}

/** The narrowest time of birth that a record tells; of equal ones that of the earlier rank. */
function birthOf(who: string, candidates: readonly Candidate[]): Birth | null {
  const names = wordsOf(who)
    .filter(({ text }) => /^\p{Lu}/u.test(text))
    .map(({ folded }) => stem(folded));
  const called = names.length > 0 ? names : wordsOf(who).map(({ folded }) => stem(folded));
  let best: Birth | null = null;
  for (const candidate of candidates) {
    const own = ownSelf(candidate, called);
    for (const { view, text } of candidate.views) {
      if (!saysItself(view)) continue;
      const read = text.slice(0, 4_000);
      const titled = namesIn(candidate.record.subject ?? "", called);
      const sentences = sentencesOf(read).slice(0, sentencesRead);
      for (const [at, { start, end: stop }] of sentences.entries()) {
        // "Happy birthday, dear Ida! Eight years, unbelievable": the wish and the age in two sentences.
        const next = sentences[at + 1];
        const aged = next && wishes(read.slice(start, stop)) && wishedAge.test(read.slice(next.start, next.end));
        const end = aged ? next.end : stop;
        const quote = read.slice(start, end);
        const self = own && /(?<!\p{L})(?:I|I['’]m|my|ich|mein\p{L}*)(?!\p{L})/u.test(quote);
        if (!self && !namesIn(quote, called) && !titled) continue;
        const days = bornIn(quote, candidate.day);
        if (days === null || (best !== null && width(days) >= width(best))) continue;
        const citation: Citation = { recordId: candidate.recordId, view, span: [start, end], quote };
        best = { ...days, citations: [citation, ...metadataOf(candidate)] };
      }
    }
  }
  return best;
}

const width = ({ from, to }: BirthDays): number => dayNumber(to) - dayNumber(from);

function namesIn(text: string, called: readonly string[]): boolean {
  const said = new Set(wordsOf(text).map(({ folded }) => stem(folded)));
  return called.some((one) => said.has(one));
}

function bornIn(quote: string, day: string | null): BirthDays | null {
  const dates = findDates(quote, { reference: day });
  const on = dates.find(({ unit }) => unit === "day");
  if (born.test(quote)) {
    const birthDate = on ?? dates[0];
    if (birthDate) return { from: birthDate.from, to: birthDate.to };
    return day === null ? null : { from: day, to: day };
  }
  const at = on?.from ?? day;
  if (at === null) return null;
  const turned = ageIn(reached.exec(quote));
  // "Jonas turns six" may be an invitation, weeks before the day.
  if (turned !== null) {
    const then = yearsBefore(at, turned);
    return on || onTheDay.test(quote) ? { from: then, to: then } : aroundFeast(at, turned);
  }
  if (wishes(quote)) {
    const years = ageIn(wishedYears.exec(quote));
    if (years !== null) return { from: yearsBefore(at, years), to: yearsBefore(at, years) };
  }
  const birthday = ageIn(anniversary.exec(quote));
  // The feast may be held some days beside the birthday.
  if (birthday !== null) return aroundFeast(at, birthday);
  const years = ageIn(told.exec(quote));
  return years === null ? null : { from: addDays(yearsBefore(at, years + 1), 1), to: yearsBefore(at, years) };
}
const onTheDay = /(?<!\p{L})(?:today|tonight|heute|this morning)(?!\p{L})/iu;
const feastDays = 14;

function ageIn(match: RegExpExecArray | null): number | null {
  const { age: figure, word } = match?.groups ?? {};
  if (word !== undefined) return ordinalWords.get(word.toLowerCase()) ?? null;
  const years = figure === undefined ? null : (numberWords.get(figure.toLowerCase()) ?? Number(figure));
  return years === null || years > oldest ? null : years;
}

const yearsBefore = (day: string, years: number): string =>
  `${yearOf(day) - years}${day.slice(4) === "-02-29" ? "-02-28" : day.slice(4)}`;

function aroundFeast(day: string, age: number): BirthDays {
  const then = yearsBefore(day, age);
  return { from: addDays(then, -feastDays), to: addDays(then, feastDays), feast: { day, age } };
}
