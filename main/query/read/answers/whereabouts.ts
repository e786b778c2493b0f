import type { Citation, Claim } from "#contract";
import { saysItself } from "../../../views/index.ts";
import { addDays, dayNumber, fold, sentencesOf, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { hit } from "../../plan/terms.ts";
import { feastsOf } from "../asked/feasts.ts";
import { answered, type Draft } from "../draft.ts";
import { claimOf, metadataOf } from "../say.ts";
import { inTime, type Passage, passagesOf, type Reading } from "../sentences/sentences.ts";
import { placesIn } from "../sentences/values.ts";
import { confirms } from "../sentences/worth.ts";

/** Where somebody was at a time: the place that most records of that time name, whatever else they speak of. */

const textRead = 3_000;
const citedRecords = 3;
/** What a letter counts that was only sent out, beside what was written to one another or booked. */
const sentOut = 0.4;
/** What a place counts to which somebody only writes or goes. */
const towards = 0.5;
/** How much more the place must weigh than any other, and all in all. */
const leastWeight = 0.5;
const lead = 1.4;

interface Naming {
  readonly candidate: Candidate;
  readonly citation: Citation;
  readonly weight: number;
}

/** Null where the records of that time agree on no place. */
export function whereaboutsDraft(reading: Reading, candidates: readonly Candidate[]): Draft | null {
  const { plan } = reading;
  const people = new Set(
    candidates.flatMap(({ record }) =>
      [record.author, ...record.participants].flatMap((party) =>
        wordsOf(party?.name ?? "").map(({ folded }) => folded),
      ),
    ),
  );
  const places = new Map<string, { name: string; by: Naming[] }>();
  for (const candidate of candidates) {
    if (candidate.record.kind === "system" || !inTime(plan, candidate)) continue;
    const { record, recordId } = candidate;
    const text = `${record.subject ?? ""}\n${(record.text ?? "").slice(0, textRead)}`;
    const worth = record.kind !== "email" || reading.engaged?.has(recordId) || confirms(text) ? 1 : sentOut;
    for (const { name, citation } of namedIn(candidate, people)) {
      const known = places.get(fold(name)) ?? { name, by: [] };
      const weight = worth * (isThere(citation.quote, name) ? 1 : towards);
      if (!known.by.some((one) => one.candidate.recordId === recordId)) known.by.push({ candidate, citation, weight });
      places.set(fold(name), known);
    }
  }
  const weigh = ({ by }: { readonly by: readonly Naming[] }) => by.reduce((sum, { weight }) => sum + weight, 0);
  const [first, second] = [...places.values()].toSorted((a, b) => weigh(b) - weigh(a));
  if (!first || weigh(first) < leastWeight || (second && weigh(second) * lead > weigh(first))) return null;
  const by = first.by.toSorted((a, b) => b.weight - a.weight || a.candidate.rank - b.candidate.rank);
  const [best, ...more] = by.slice(0, citedRecords);
  const passage = best && passageOf(reading, best);
  if (!best || !passage) return null;
  const said = claimOf(
    "c1",
    plan,
    { ...passage, citation: best.citation, picked: null, labelled: null },
    first.name,
    "current",
  );
  const greeted = greetings(reading, candidates, [best, ...more]);
  const citations = [...said.citations, ...more.map(({ citation }) => citation), ...greeted];
  const claim: Claim = { ...said, citations };
  const cited = new Set(citations.map(({ recordId }) => recordId));
  const answer = { value: null, days: null, words: first.name, cited, whole: 1, strict: true };
  // Who else names the place then, or on the days beside: the time alone says what is asked.
  const windows = plan.windows.map((one) => ({
    ...one,
    from: addDays(one.from, -daysBeside),
    to: addDays(one.to, daysBeside),
  }));
  const around: Reading = { ...reading, plan: { ...plan, windows }, asked: { ...reading.asked, terms: [], names: [] } };
  const backings = [{ text: claim.text, answer, reading: around }];
  return { ...answered([claim]), backings };
}

/** A stay is a few days longer than the days of it that are asked about. */
const daysBeside = 3;
/** Days of a feast at most, and greetings of it that are cited. */
const feastDays = 7;
const greetingsCited = 2;

/** "Happy Christmas from the kitchen": who was there, as the other records tell, wishes a happy feast on its day. */
function greetings({ plan }: Reading, candidates: readonly Candidate[], told: readonly Naming[]): Citation[] {
  const feast = feastsOf(plan);
  const [window] = plan.windows;
  if (feast.length === 0 || !window || dayNumber(window.to) - dayNumber(window.from) >= feastDays) return [];
  const there = told.flatMap(({ candidate: { record } }) => record.author?.name ?? []);
  const cited = new Set(told.map(({ candidate }) => candidate.recordId));
  const wishing = candidates.filter(
    ({ record, recordId, day, stems }) =>
      record.kind === "message" &&
      !cited.has(recordId) &&
      there.some((name) => sameCalled(name, record.author?.name ?? "")) &&
      day !== null &&
      window.from <= day &&
      day <= window.to &&
      feast.some((one) => hit(plan.language, one, stems) > 0),
  );
  return wishing.slice(0, greetingsCited).flatMap(metadataOf);
}

/** "Pat Ashworth" is "Granny Pat" in a chat: the first name of one is a word of the other. */
function sameCalled(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => wordsOf(name).map(({ folded }) => folded));
  const within = (first: string | undefined, words: readonly string[] = []) =>
    first !== undefined && words.includes(first);
  return within(a?.[0], b) || within(b?.[0], a);
}

/** "In Bled", "Lakeside Camping, Bala": somebody is there; "to Bled", "greetings from Bled" need not be. */
function isThere(quote: string, name: string): boolean {
  const before = quote.slice(0, Math.max(0, quote.indexOf(name)));
  return !/(?<!\p{L})(?:to|from|towards?|nach|aus|von)\s(?:the\s|der\s|dem\s)?$/iu.test(before);
}

function passageOf(reading: Reading, { candidate, citation }: Naming): Passage | undefined {
  const passages = passagesOf(reading, [candidate]);
  return passages.find((one) => one.citation.quote === citation.quote) ?? passages[0];
}

function namedIn(candidate: Candidate, people: ReadonlySet<string>): { name: string; citation: Citation }[] {
  return candidate.views.flatMap(({ view, text }) => {
    if (!saysItself(view)) return [];
    const read = text.slice(0, textRead);
    return sentencesOf(read).flatMap(({ start, end }) => {
      const quote = read.slice(start, end);
      return placesIn(quote)
        .filter((name) => !wordsOf(name).some(({ folded }) => people.has(folded)))
        .map((name) => ({
          name,
          citation: { recordId: candidate.recordId, view, span: [start, end], quote },
        }));
    });
  });
}
