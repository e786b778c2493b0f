import type { QueryPlan } from "#contract";
import { stem, wordsOf } from "../../../views/language/index.ts";
import { askedRole, brings, saysRole } from "../asked/doers.ts";
import { authorOf } from "../say.ts";
import { wantedTypes } from "../sentences/pick.ts";
import type { Passage, Reading } from "../sentences/sentences.ts";
import { isSignature } from "../sentences/worth.ts";
import { asksStill, verdict } from "./yesno.ts";

/** Which of the passages answers: what raises or lowers them beside each other, and the kind that was asked for. */

/** Idf share of the question in a record that makes its value count, and what each further record is worth. */
const repeatedAbout = 0.5;

const repeatedWorth = 0.12;

const verdictWorth = 0.6;

const valueWithin = 0.7;

const namingWithin = 1;

const placedWithin = 0.4;

/** What a follow-up part gains in the record that answered the part before it ("… and how heavy was she?"). */
const sameRecord = 0.6;

const sameName = 0.6;

/** A sentence that says yes or no goes before one that is only about the matter. */
export function decided(plan: QueryPlan, passages: readonly Passage[]): readonly Passage[] {
  if (plan.answerType !== "yesno") return passages;
  const found = passages.map((one) => ({ one, said: verdict(plan, one) }));
  // What ended after it was last said to be so is no more, in however few words that is told.
  const lasts = asksStill.test(plan.question)
    ? Math.max(0, ...found.flatMap(({ one, said }) => (said?.says === "yes" ? (one.candidate.moment ?? 0) : [])))
    : Infinity;
  return found.map(({ one, said }) => {
    if (said === null) return one;
    const ended = said.says === "no" && said.outright && (one.candidate.moment ?? 0) >= lasts;
    const worth = said.outright ? verdictWorth : verdictWorth / 3;
    return { ...one, score: one.score + worth + (ended ? verdictWorth : 0) };
  });
}

/** A value that several records about the matter state is more likely the one that held. */
export function repeated(passages: readonly Passage[]): Passage[] {
  const records = new Map<string, Set<number>>();
  for (const { picked, whole, candidate } of passages) {
    if (!picked?.here || whole < repeatedAbout) continue;
    const { key } = picked.value;
    records.set(key, (records.get(key) ?? new Set()).add(candidate.recordId));
  }
  const bonus = ({ picked }: Passage) =>
    picked?.here ? repeatedWorth * Math.min(3, Math.max(0, (records.get(picked.value.key)?.size ?? 0) - 1)) : 0;
  return passages
    .map((one) => ({ ...one, score: one.score + bonus(one) }))
    .sort((a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank);
}

/** A further part is answered beside the one before it, or where the name that answered that one is said. */
export function favour(passages: Passage[], beside: (one: Passage) => number): void {
  for (const [at, one] of passages.entries()) {
    const worth = beside(one);
    if (worth > 0) passages[at] = { ...one, score: one.score + worth };
  }
  passages.sort((a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank);
}

/** What a passage gains by standing beside the answer to the part before it; 0 where it does not. */
export function besideOf(before: Passage, plan: QueryPlan): (one: Passage) => number {
  const names = newNames(plan, before);
  return (one) => {
    if (one.candidate.recordId === before.candidate.recordId) return sameRecord;
    if (names.some((name) => one.candidate.stems.has(name))) return sameName;
    return inOneTalk(one, before) ? sameTalk : 0;
  };
}

/** Messages of one chat within the hour. */
function inOneTalk({ candidate: a }: Passage, { candidate: b }: Passage): boolean {
  if (a.record.kind !== "message" || a.record.container === null || a.moment === null || b.moment === null)
    return false;
  return a.record.container.key === b.record.container?.key && Math.abs(a.moment - b.moment) <= talkMs;
}
const talkMs = 3_600_000;
const sameTalk = 0.4;

/** Stems of names and codes in an answer that the question does not know. */
function newNames({ question }: QueryPlan, { citation, candidate }: Passage): string[] {
  const known = new Set(wordsOf(question).map(({ folded }) => stem(folded)));
  return wordsOf(citation.quote).flatMap(({ text, folded, start }) => {
    const code = /^(?=.*\d)\p{Lu}[\p{Lu}\d]{1,7}$/u.test(text);
    const inside = code || (start > 0 && /^\p{Lu}\p{Ll}+$/u.test(text) && text !== authorOf(candidate));
    return inside && !known.has(stem(folded)) ? [stem(folded)] : [];
  });
}

/** `favoured`: the record that answered the part before was raised (`favour`). The kind asked for first; a record's own time answers "when" where no sentence names one. */
export function choose(plan: QueryPlan, passages: readonly Passage[], favoured = false): Passage | undefined {
  const [first] = passages;
  if (first && plan.answerType === "person") {
    // Who answers a proposal did not make it.
    const brought = passages
      .filter((one) => one.score >= first.score - namingWithin && brings(plan, one.citation.quote))
      .toSorted((a, b) => (a.candidate.moment ?? 0) - (b.candidate.moment ?? 0))[0];
    if (brought) return brought;
    if (speaksOfSelf(plan, first)) return first;
    // The name often stands beside the words that were asked about: in the chat's answer to them.
    const naming = passages.find(
      (one) =>
        !isSignature(one.citation.quote) &&
        otherNames(plan, one).length > 0 &&
        (one.own * 2 >= first.own || (one.candidate.record.kind === "message" && one.whole >= first.whole / 2)),
    );
    return naming && naming.score >= first.score - namingWithin ? naming : first;
  }
  if (first && plan.answerType === "place") {
    const placed = passages.find(
      ({ place, candidate, citation }) =>
        citation.view !== "subject" &&
        !citation.quote.endsWith("?") &&
        (place !== null || candidate.record.place?.name != null),
    );
    // Where only a time is asked about, any place of that time answers.
    const open = plan.terms.length === 0 && plan.windows.length > 0 && placed?.inTime === true;
    return placed && (open || placed.score >= first.score - placedWithin) ? placed : first;
  }
  if (!first || wantedTypes(plan) === undefined || plan.answerType === "date") return first;
  const valued = passages.find(({ picked }) => picked !== null);
  const within = valueWithin + (favoured ? sameRecord : 0);
  return valued && valued.score >= first.score - within ? valued : first;
}

/** Who says "I" or "my" speaks of the author; no answer where the question names the author. */
export function speaksOfSelf(plan: QueryPlan, { citation, candidate }: Passage): boolean {
  const named = plan.people.some(({ name }) => name === authorOf(candidate));
  const role = askedRole(plan);
  // "I am the treasurer" holds the office, "I asked for it" does not.
  if (role !== null && !saysRole(citation.quote, role)) return false;
  return !named && /(?<!\p{L})(?:I|I['’]m|my|ich|mein\p{L}*)(?!\p{L})/u.test(citation.quote);
}

/** Names in a passage of people other than those whom the question names. */
export function otherNames(plan: QueryPlan, { names }: Passage): string[] {
  const asked = new Set(plan.people.flatMap(({ name }) => name.split(/\s+/)));
  return names.filter((name) => !name.split(/\s+/).some((word) => asked.has(word) || plan.terms.includes(word)));
}

/** Far more of the question is said by a sentence of somebody's own self than by the best one of the person asked about. */
export function ofOther(best: Passage, passages: readonly Passage[]): boolean {
  if (best.subject === "other") return true;
  const other = passages.find(({ subject }) => subject === "other");
  return other !== undefined && other.score + otherWorth > best.score && other.own > best.own + otherMore;
}

const otherWorth = 1;

const otherMore = 0.1;

/** "The keys to Alder Row" are found by the keys: a place tells which, not what. */
export function placesLess(asked: Reading["asked"], plan: QueryPlan): Reading["asked"] {
  const places = new Set(plan.places.flatMap((place) => wordsOf(place).map(({ folded }) => stem(folded))));
  if (places.size === 0 || !asked.terms.some((term) => !term.generic && !places.has(term.stem))) return asked;
  const terms = asked.terms.map((term) =>
    places.has(term.stem) ? { ...term, weight: term.weight * placeShare } : term,
  );
  return { ...asked, terms };
}

const placeShare = 0.6;
