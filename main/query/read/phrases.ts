import type { RecordKind } from "#contract";
import { type Language, monthOf, yearOf } from "../../views/language/index.ts";

/** Everything the reader says of its own, in the question's language. Quotes stay as the record has them. */

const monthNames: Record<Language, readonly string[]> = {
  en: "January February March April May June July August September October November December".split(" "),
  de: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(" "),
};

export function sayDay(day: string, language: Language): string {
  const month = monthNames[language][monthOf(day) - 1] ?? "";
  const number = Number(day.slice(8));
  return language === "de" ? `${number}. ${month} ${yearOf(day)}` : `${number} ${month} ${yearOf(day)}`;
}

const weekdayNames: Record<Language, readonly string[]> = {
  en: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" "),
  de: "Montag, Dienstag, Mittwoch, Donnerstag, Freitag, Samstag, Sonntag,".split(" "),
};

/** `weekday`: Monday 0 … Sunday 6. German puts a comma before the day: "Montag, 23. September 2024". */
export function sayWeekday(weekday: number, language: Language): string {
  return weekdayNames[language][weekday] ?? "";
}

/** Seasons by the month that they begin in, where they lie in one year. */
const seasonNames: Record<Language, Readonly<Record<string, string>>> = {
  en: { "03": "spring", "06": "summer", "09": "autumn" },
  de: { "03": "Frühling", "06": "Sommer", "09": "Herbst" },
};

/** `day`: the Saturday, as `sayDay` says it. */
export const weekendOf = (day: string, language: Language): string =>
  language === "de" ? `das Wochenende vom ${day}` : `the weekend of ${day}`;

/** `day`: as `sayDay` says it. */
export function weekBefore(day: string, weekend: boolean, language: Language): string {
  if (language === "de") return `${weekend ? "das Wochenende" : "die Woche"} vor dem ${day}`;
  return `the ${weekend ? "weekend" : "week"} before ${day}`;
}

/** A span of days in as few words as it needs. */
export function saySpan(from: string, to: string, language: Language): string {
  if (from === to) return sayDay(from, language);
  const year = yearOf(from);
  if (from === `${year}-01-01` && to === `${year}-12-31`) return String(year);
  const sameMonth = from.slice(0, 7) === to.slice(0, 7);
  if (sameMonth && from.endsWith("-01") && Number(to.slice(8)) >= 28)
    return `${monthNames[language][monthOf(from) - 1] ?? ""} ${year}`;
  const season = seasonNames[language][from.slice(5, 7)];
  if (season !== undefined && from.endsWith("-01") && to.slice(0, 4) === from.slice(0, 4)) {
    if (monthOf(to) === monthOf(from) + 2 && Number(to.slice(8)) >= 30) return `${season} ${year}`;
  }
  return `${sayDay(from, language)} – ${sayDay(to, language)}`;
}

export interface Phrases {
  said(who: string, day: string | null): string;
  unknownAuthor: string;
  /** Where a text was read that nobody typed. */
  read(day: string | null): string;
  /** What a model saw. */
  seen(label: string): string;
  /** The same, where the model had several guesses of one kind. */
  maybeSeen: string;
  /** What is written on it. */
  reads(title: string): string;
  /** How many pictures there are, where not all are told one by one: their number and days as `countedOf` and `between` say them. */
  inAll(count: string, days: string): string;
  photo: string;
  yes: string;
  no: string;
  /** What follows from what is said, where it is asked what would be. */
  likely: { readonly yes: string; readonly no: string };
  earlier(value: string, day: string | null): string;
  cancelled(day: string | null): string;
  disagree(value: string, day: string | null): string;
  accepted: string;
  counted(count: number, cut?: boolean): string;
  /** "9 photos"; null for kinds that have no word of their own. */
  countedOf(count: number, kind: RecordKind, cut?: boolean): string | null;
  allOn(count: number, day: string): string;
  someOn(count: number, day: string): string;
  between(first: string, last: string): string;
  /** "92 days". */
  stretch(count: number, unit: "day" | "week" | "month" | "year"): string;
  /** Two values are the same. */
  alike: string;
  /** `age` in years, at some time. */
  aged(age: string, day: string): string;
  born(day: string): string;
  more(sum: string): string;
  together(sum: string): string;
  taken(day: string | null, place: string | null): string;
  notFound(terms: string): string;
  emptyArchive: string;
  noWords: string;
  noModel: string;
  indexing(count: number): string;
  /** Texts whose meanings are still being read. */
  embedding(count: number): string;
  notJudged(why: string): string;
  notRead(why: string): string;
  /** The model's sentences did not stand on their records. */
  nothingStood: string;
  notReranked(why: string): string;
  lowTime: string;
}

const on = (day: string | null) => (day === null ? "" : ` on ${day}`);
const am = (day: string | null) => (day === null ? "" : ` am ${day}`);

const germanUnits = {
  day: ["Tag", "Tage"],
  week: ["Woche", "Wochen"],
  month: ["Monat", "Monate"],
  year: ["Jahr", "Jahre"],
} as const;

type KindWords = Partial<Record<RecordKind, readonly [one: string, many: string]>>;
const englishKinds: KindWords = {
  photo: ["photo", "photos"],
  video: ["video", "videos"],
  audio: ["recording", "recordings"],
  email: ["mail", "mails"],
  message: ["message", "messages"],
  event: ["event", "events"],
  note: ["note", "notes"],
  document: ["document", "documents"],
};
const germanKinds: KindWords = {
  photo: ["Foto", "Fotos"],
  video: ["Video", "Videos"],
  audio: ["Aufnahme", "Aufnahmen"],
  email: ["Mail", "Mails"],
  message: ["Nachricht", "Nachrichten"],
  event: ["Termin", "Termine"],
  note: ["Notiz", "Notizen"],
  document: ["Dokument", "Dokumente"],
};

function kindCounted(words: KindWords, count: number, kind: RecordKind, front: string): string | null {
  const word = words[kind]?.[count === 1 ? 0 : 1];
  return word === undefined ? null : `${front}${count} ${word}`;
}

export const phrases: Record<Language, Phrases> = {
  en: {
    said: (who, day) => `${who}${day === null ? "" : `, ${day}`}`,
    unknownAuthor: "Without a named author",
    read: (day) => `text in a picture${day === null ? "" : `, ${day}`}`,
    seen: (label) => `it seems to show “${label}”`,
    maybeSeen: "it may show what you ask for",
    reads: (title) => `it says “${title}”`,
    inAll: (count, days) => `${count} in all, ${days}`,
    photo: "Photo",
    yes: "Yes",
    no: "No",
    likely: { yes: "Likely yes", no: "Likely no" },
    earlier: (value, day) => `Before that it was ${value}${day === null ? "" : ` (as written${on(day)})`}`,
    cancelled: (day) => `Cancelled${on(day)}`,
    disagree: (value, day) => `Another record says ${value} (written${on(day)})`,
    accepted: "Accepted",
    countedOf: (count, kind, cut) => kindCounted(englishKinds, count, kind, cut ? "At least " : ""),
    allOn: (count, day) => `${count === 1 ? "" : count === 2 ? "both " : "all "}on ${day}`,
    someOn: (count, day) => `${count} on ${day}`,
    between: (first, last) => `from ${first} to ${last}`,
    counted: (count, cut) => `${cut ? "At least " : ""}${count === 1 ? "1 record fits" : `${count} records fit`}`,
    stretch: (count, unit) => `${count} ${unit}${count === 1 ? "" : "s"}`,
    alike: "The same",
    aged: (age, day) => `${age} years old (${day})`,
    born: (day) => `born ${day}`,
    more: (sum) => `${sum} more`,
    together: (sum) => `${sum} together`,
    taken: (day, place) => `Photo${on(day)}${place === null ? "" : `, ${place}`}`,
    notFound: (terms) => `Not in your archive: nothing in it answers ${terms}.`,
    emptyArchive: "Not in your archive: it holds no records yet.",
    noWords: "Not in your archive: the question names nothing that could be looked for. Say what, who or when.",
    noModel: "No embedding model is installed: only words were compared, not meanings.",
    indexing: (count) =>
      count === 1
        ? "One change is not indexed yet: the newest record may be missing."
        : `${count} changes are not indexed yet: the newest records may be missing.`,
    embedding: (count) =>
      count === 1
        ? "The meaning of one text is still being read: if the question says it in other words, ask again in a moment."
        : `The meanings of ${count} texts are still being read: what the question says in other words may be found later.`,
    notRead: (why) => `The language model did not say this answer in its own words: ${why}`,
    nothingStood: "None of its sentences stood on the records that it cited.",
    notJudged: (why) => `The language model did not look over this answer: ${why}`,
    notReranked: (why) => `The reranker did not look over this answer: ${why}`,
    lowTime: "The time of a cited record is uncertain.",
  },
  de: {
    said: (who, day) => `${who}${day === null ? "" : `, ${day}`}`,
    unknownAuthor: "Ohne genannten Verfasser",
    read: (day) => `Text in einem Bild${day === null ? "" : `, ${day}`}`,
    seen: (label) => `darauf ist wohl „${label}“ zu sehen`,
    maybeSeen: "es könnte zeigen, wonach du fragst",
    reads: (title) => `darauf steht „${title}“`,
    inAll: (count, days) => `${count} zusammen, ${days}`,
    photo: "Foto",
    yes: "Ja",
    no: "Nein",
    likely: { yes: "Wahrscheinlich ja", no: "Wahrscheinlich nein" },
    earlier: (value, day) => `Davor galt ${value}${day === null ? "" : ` (geschrieben${am(day)})`}`,
    cancelled: (day) => `Abgesagt${am(day)}`,
    disagree: (value, day) => `Ein anderer Eintrag sagt ${value} (geschrieben${am(day)})`,
    accepted: "Angenommen",
    countedOf: (count, kind, cut) => kindCounted(germanKinds, count, kind, cut ? "Mindestens " : ""),
    allOn: (count, day) => `${count === 1 ? "" : count === 2 ? "beide " : "alle "}vom ${day}`,
    someOn: (count, day) => `${count} vom ${day}`,
    between: (first, last) => `vom ${first} bis zum ${last}`,
    counted: (count, cut) =>
      `${cut ? "Mindestens " : ""}${count === 1 ? "1 Eintrag passt" : `${count} Einträge passen`}`,
    stretch: (count, unit) => `${count} ${germanUnits[unit][count === 1 ? 0 : 1]}`,
    alike: "Gleich",
    aged: (age, day) => `${age} Jahre alt (${day})`,
    born: (day) => `geboren ${day}`,
    more: (sum) => `${sum} mehr`,
    together: (sum) => `${sum} zusammen`,
    taken: (day, place) => `Foto${day === null ? "" : ` vom ${day}`}${place === null ? "" : `, ${place}`}`,
    notFound: (terms) => `Nicht in deinem Archiv: nichts darin beantwortet ${terms}.`,
    emptyArchive: "Nicht in deinem Archiv: es enthält noch keine Einträge.",
    noWords: "Nicht in deinem Archiv: die Frage nennt nichts, wonach sich suchen ließe. Sag, was, wer oder wann.",
    noModel: "Kein Modell zum Einbetten installiert: verglichen wurden nur Wörter, keine Bedeutungen.",
    indexing: (count) =>
      count === 1
        ? "Eine Änderung ist noch nicht erfasst: der neueste Eintrag kann fehlen."
        : `${count} Änderungen sind noch nicht erfasst: die neuesten Einträge können fehlen.`,
    embedding: (count) =>
      count === 1
        ? "Die Bedeutung eines Textes wird noch gelesen: sagt die Frage es mit anderen Worten, frag gleich noch einmal."
        : `Die Bedeutungen von ${count} Texten werden noch gelesen: was die Frage mit anderen Worten sagt, findet sich vielleicht später.`,
    notRead: (why) => `Das Sprachmodell hat diese Antwort nicht mit eigenen Worten gesagt: ${why}`,
    nothingStood: "Keiner seiner Sätze stand so in den Einträgen, auf die er sich berief.",
    notJudged: (why) => `Das Sprachmodell hat diese Antwort nicht durchgesehen: ${why}`,
    notReranked: (why) => `Der Reranker hat diese Antwort nicht durchgesehen: ${why}`,
    lowTime: "Die Zeit eines zitierten Eintrags ist unsicher.",
  },
};
