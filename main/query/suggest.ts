import type { Person, RecordSummary } from "#contract";
import { contentStems, fold, isStopWord, type Language, languageOf, stem, wordsOf } from "../views/language/index.ts";
import { ask } from "./ask.ts";
import { peopleIndex } from "./people.ts";
import type { QueryPorts } from "./ports.ts";

/** Records looked at from the newest on, and questions tried before giving up. */
const looked = 400;
const tried = 16;
const wanted = 4;

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
      if (event.type === "result" && event.result.outcome === "answered") questions.push(question);
    }
  }
  return questions;
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
  for (const { kind, subject } of records) {
    const plain = subject?.replace(/^(?:\s*(?:re|fwd?|aw|wg)\s*:)+\s*/i, "") ?? null;
    if (kind === "email" && usable(plain)) yield say.mail(plain);
  }
}

/** The rarest longer word that someone has used, in the records at hand. */
function* saidQuestions(
  records: readonly RecordSummary[],
  people: readonly Person[],
  language: Language,
  say: Templates,
): Generator<string> {
  const owner = new Set(people.filter((person) => person.owner).map(({ name }) => name));
  const names = new Set(people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded)));
  const counts = new Map<string, number>();
  for (const { snippet } of records)
    for (const one of contentStems(snippet, language)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const given = new Set<string>();
  for (const { kind, author, snippet } of records) {
    if (kind !== "message" || author === null || owner.has(author) || given.has(author)) continue;
    const [word] = wordsOf(snippet)
      .filter(
        ({ folded, text }) =>
          folded.length >= 5 && /^\p{L}+$/u.test(text) && !isStopWord(folded, language) && !names.has(folded),
      )
      .map(({ text, folded }) => ({
        text: language === "de" ? text : fold(text),
        count: counts.get(stem(folded)) ?? 0,
      }))
      .filter(({ count }) => count >= 2 && count <= 12)
      .sort((a, b) => a.count - b.count || (a.text < b.text ? -1 : 1));
    if (!word) continue;
    given.add(author);
    yield say.said(author.split(" ")[0] ?? author, word.text);
  }
}
