import type { Citation, Claim } from "#contract";
import { fold, sentencesOf, wordsOf } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import type { Draft } from "./draft.ts";
import { claimOf } from "./say.ts";
import { inTime, type Passage, passagesOf, type Reading } from "./sentences.ts";
import { placesIn } from "./values.ts";
import { confirms } from "./worth.ts";

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
  const claim: Claim = { ...said, citations: [...said.citations, ...more.map(({ citation }) => citation)] };
  return { claims: [claim], fits: true, said: 1, cosine: 1, inTime: true };
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
    if (view === "metadata" || view === "tags") return [];
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
