import type { AskResult, Person, RecordSummary } from "#contract";
import { bareSubject } from "../views/index.ts";
import {
  contentStems,
  findDates,
  fold,
  isStopWord,
  type Language,
  languageOf,
  stem,
  wordsOf,
} from "../views/language/index.ts";
import { ask } from "./ask.ts";
import { peopleIndex } from "./plan/people.ts";
import { isGeneric } from "./plan/terms.ts";
import type { QueryPorts } from "./ports.ts";

/** Records looked at from the newest on, and questions tried before giving up. */
const looked = 400;
const tried = 16;
const wanted = 4;
/** Characters of an answer that can be taken in at a glance. */
const shortAnswer = 160;

/**
 * Up to four questions that this archive can surely answer: made from its events, mails, messages and pictures, and each
 * asked before it is offered. Same archive, same questions.
 */
export async function suggestions(ports: QueryPorts, today: string, signal?: AbortSignal): Promise<string[]> {
  const { records } = ports.records.list({}, 0, looked);
  const everyone = ports.records.people();
  const people = peopleIndex(everyone);
  const language = mainLanguage(records);
  const questions: string[] = [];
  let attempts = 0;
  for (const question of drafts(records, everyone, language)) {
    if (questions.length === wanted || attempts++ === tried || signal?.aborted) break;
    for await (const event of ask({ question, today, people }, { ...ports, embedder: null }, signal)) {
      if (event.type === "result" && event.final && clean(event.result)) questions.push(question);
    }
  }
  return questions;
}

/** Answered at once, in few words, by something that was said and is not disputed. */
function clean({ outcome, claims, conflicts, plan }: AskResult): boolean {
  const [first] = claims;
  if (outcome !== "answered" || !first || conflicts.some(({ kind }) => kind === "conflict")) return false;
  const quotes = first.citations.filter(({ view }) => view !== "metadata");
  // "Photo · 30 June" says nothing of what was asked, unless pictures were.
  if (quotes.length === 0 && plan.kinds.length === 0) return false;
  const tidy = quotes.every(({ quote }) => !/https?:|[<>{}|]|[\p{L}\d]{40}/u.test(quote));
  return first.text.length <= shortAnswer && tidy && !first.text.includes("?”");
}

function mainLanguage(records: readonly RecordSummary[]): Language {
  return languageOf(
    records
      .slice(0, 60)
      .map(({ subject, snippet }) => `${subject ?? ""} ${snippet}`.slice(0, 120))
      .join("\n"),
  );
}

/** One of each kind in turn, so that the four are about different things. */
function* drafts(records: readonly RecordSummary[], people: readonly Person[], language: Language): Generator<string> {
  const say = templates[language];
  const kinds: Generator<string>[] = [
    eventQuestions(records, say),
    saidQuestions(records, people, language, say),
    pictureQuestions(records, say),
    mailQuestions(records, say),
  ];
  const seen = new Set<string>();
  for (let round = 0; round < 6; round++) {
    for (const kind of kinds) {
      const next = kind.next();
      if (next.done || seen.has(next.value)) continue;
      seen.add(next.value);
      yield next.value;
    }
  }
}

const templates = {
  en: {
    event: (subject: string) => `When is “${subject}”?`,
    said: (who: string, about: string) => `What did ${who} say about ${about}?`,
    pictures: (place: string) => `Show me photos from ${place}`,
    mail: (subject: string) => `Who wrote about “${subject}”?`,
  },
  de: {
    event: (subject: string) => `Wann ist „${subject}“?`,
    said: (who: string, about: string) => `Was hat ${who} über ${about} gesagt?`,
    pictures: (place: string) => `Zeige mir Fotos aus ${place}`,
    mail: (subject: string) => `Wer hat über „${subject}“ geschrieben?`,
  },
} as const;
type Templates = (typeof templates)[Language];

const usable = (subject: string | null): subject is string =>
  subject !== null && subject.length >= 4 && subject.length <= 60;

function* eventQuestions(records: readonly RecordSummary[], say: Templates): Generator<string> {
  for (const { kind, subject, time } of records)
    if (kind === "event" && time !== null && usable(subject)) yield say.event(subject);
}

function* pictureQuestions(records: readonly RecordSummary[], say: Templates): Generator<string> {
  for (const { kind, place } of records)
    if (kind === "photo" && place?.name) yield say.pictures(place.name.split(",")[0] ?? place.name);
}

function* mailQuestions(records: readonly RecordSummary[], say: Templates): Generator<string> {
  const plainOf = (subject: string | null) => (subject === null ? null : bareSubject(subject));
  const counts = new Map<string, number>();
  for (const { subject } of records) {
    const key = fold(plainOf(subject) ?? "");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const { kind, subject } of records) {
    const plain = plainOf(subject);
    if (kind === "email" && usable(plain) && (counts.get(fold(plain)) ?? 0) >= 2) yield say.mail(plain);
  }
}

const saysWhen = (word: string): boolean => findDates(`on ${word} in ${word}`, { reference: "2000-01-01" }).length > 0;

/** Words before a thing: an article, a possessive, "of" or "about". */
const beforeThing =
  /(?<!\p{L})(?:the|a|an|my|our|your|his|her|their|this|that|new|old|of|about|der|die|das|den|dem|ein|eine|einen|mein\p{L}{0,2}|unser\p{L}{0,2})\s$/iu;

/** True where a word names a thing: a name by its capital inside a sentence (not in German), or a noun after an article. */
function namesThing(text: string, start: number, word: string, language: Language): boolean {
  const before = text.slice(Math.max(0, start - 12), start);
  if (language === "de") return /^\p{Lu}/u.test(word) && /[\p{L},]\s$/u.test(before);
  // In "a whole pineapple" the thing comes last: what follows it is a mark or a small word.
  const [next] = wordsOf(text.slice(start + word.length, start + word.length + 24));
  const ends = next?.start !== 1 || isStopWord(next.folded, language);
  // One word of a longer name names nothing alone.
  const after = text.slice(start + word.length, start + word.length + 3);
  const longer = /\p{Lu}\p{L}*\s$/u.test(before) || /^\s\p{Lu}/u.test(after);
  return (/^\p{Lu}\p{Ll}/u.test(word) && /[\p{Ll},]\s$/u.test(before) && !longer) || (beforeThing.test(before) && ends);
}

/** The rarest thing that someone has spoken of and at least one other record names as well, in the records at hand. */
function* saidQuestions(
  records: readonly RecordSummary[],
  people: readonly Person[],
  language: Language,
  say: Templates,
): Generator<string> {
  const owner = new Set(people.filter((person) => person.owner).map(({ name }) => name));
  const names = new Set(people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => stem(folded))));
  const counts = new Map<string, number>();
  // How often a word is met as a thing: "the walk" in one place does not make "walk" one.
  const things = new Map<string, { as: number; met: number; text: string }>();
  for (const { snippet } of records) {
    for (const one of new Set(contentStems(snippet, language))) counts.set(one, (counts.get(one) ?? 0) + 1);
    for (const { start, text, folded } of wordsOf(snippet)) {
      const known = things.get(folded) ?? { as: 0, met: 0, text };
      const thing = namesThing(snippet, start, text, language);
      things.set(folded, { as: known.as + (thing ? 1 : 0), met: known.met + 1, text: thing ? text : known.text });
    }
  }
  const given = new Set<string>();
  for (const { kind, author, snippet } of records) {
    if (kind !== "message" || author === null || owner.has(author) || given.has(author)) continue;
    const [word] = wordsOf(snippet)
      .filter(({ folded, text }) => {
        const known = things.get(folded);
        if (!known || known.as * 2 < known.met || folded.length < 4 || !/^\p{L}+$/u.test(text)) return false;
        return (
          !isStopWord(folded, language) &&
          !isGeneric(folded) &&
          !isGeneric(stem(folded)) &&
          !names.has(stem(folded)) &&
          !saysWhen(text)
        );
      })
      .map(({ folded, text }) => ({
        text: things.get(folded)?.text ?? text,
        count: counts.get(stem(folded)) ?? 0,
      }))
      .filter(({ count }) => count >= 2 && count <= 12)
      .sort((a, b) => a.count - b.count || (a.text < b.text ? -1 : 1));
    if (!word) continue;
    given.add(author);
    yield say.said(author.split(" ")[0] ?? author, word.text);
  }
}
