import { type StoredRecord, sureTag } from "#contract";
import { labelsOf, localDayOf, momentOf, namedDay, peopleOf, tagSeparator, timeOf, viewsOf } from "../views/index.ts";
import { asks, contentStems, dayOf, findDates, gramsOf, languageOf, temporalCount } from "../views/language/index.ts";
import { type Piece, piecesOf } from "./forms.ts";
import { fragmentsOf } from "./fragments.ts";
import type { ViewName } from "./ports.ts";
import { type Surface, surfaceOf } from "./surface.ts";

/** What finds a record by its words, day, place and conversation; a pure function of that record. */
export interface Facts {
  readonly text: { subject: string; body: string; people: string; extra: string; grams: string };
  readonly item: {
    kind: string;
    identity: string;
    replyIdentity: string | null;
    partOf: string | null;
    session: string | null;
    thread: string | null;
    sequence: number | null;
    moment: number | null;
    day: string | null;
    author: string | null;
    lat: number | null;
    lon: number | null;
    place: string | null;
    subject: string | null;
    hasQuestion: boolean;
  };
  /** Labels with their place in the view `tags`; null for those that are too unsure to stand there. */
  readonly tags: readonly { label: string; begin: number | null; score: number }[];
}

/** What a record is compared with others by, and what a model reads of it: dear to work out, and full text waits for none of it. */
export interface DeepFacts {
  readonly ground: string;
  readonly temporal: number;
  readonly surface: Surface;
  /** For the trigram index. */
  readonly fragments: string;
  readonly references: readonly string[];
  readonly mentions: readonly string[];
  readonly pieces: readonly Piece[];
}

const mentionsPerRecord = 24;
const referencesPerRecord = 16;

/** A conversation's day ends at four in the morning: a chat over midnight is one session. */
const sessionShift = 4 * 3_600_000;

export function factsOf(record: StoredRecord): Facts {
  const views = viewsOf(record);
  const view = (name: ViewName) => views.find((one) => one.view === name)?.text ?? "";
  const [body, subject, attachment, metadata] = [view("text"), view("subject"), view("attachment"), view("metadata")];
  const [read, seen] = [view("ocr"), view("tags")];
  const people = peopleOf(record);
  const time = timeOf(record);
  const moment = momentOf(time);
  const names = people.slice(0, 200).join(" · ");
  const extra = [attachment, read, seen, metadata].filter((one) => one !== "").join("\n\n");
  return {
    text: { subject, body, people: names, extra, grams: gramsOf([subject, body, names, extra].join("\n")) },
    item: {
      kind: record.kind,
      identity: record.identity,
      replyIdentity: record.replyTo?.identity ?? null,
      partOf: record.partOf?.identity ?? null,
      session: sessionOf(record, moment),
      thread: threadOf(record),
      sequence: record.sequence,
      moment,
      day: localDayOf(time) ?? namedDay(record)?.day ?? null,
      author: record.author?.address ?? record.author?.name ?? null,
      lat: record.place?.lat ?? null,
      lon: record.place?.lon ?? null,
      place: record.place?.name?.toLowerCase().trim() || null,
      subject: record.kind === "email" ? normalSubject(subject) : null,
      hasQuestion: asks(body.slice(0, 20_000)),
    },
    tags: tagsOf(record),
  };
}

/** `forms`: bits of `formBit` that pieces are made in. */
export function deepFactsOf(record: StoredRecord, forms: number): DeepFacts {
  const views = viewsOf(record);
  const view = (name: ViewName) => views.find((one) => one.view === name)?.text ?? "";
  const [body, subject] = [view("text"), view("subject")];
  const spoken = `${subject}\n${body}`;
  return {
    ground: groundOf(record, spoken),
    temporal: temporalCount(body),
    surface: surfaceOf(record, views),
    fragments: fragmentsOf([subject, body, view("attachment"), view("metadata"), ...fileNamesOf(record)], view("ocr")),
    references: referencesIn(`${spoken}\n${view("attachment")}\n${view("ocr")}`),
    mentions: mentionsIn(record, spoken, localDayOf(record.time)),
    pieces: piecesOf(record, views, forms),
  };
}

/** Files as they are named, with their endings. */
function fileNamesOf(record: StoredRecord): string[] {
  return [record.props.name, ...(record.props.attachments ?? []).map(({ name }) => name)].filter(
    (name) => name != null,
  );
}

function tagsOf(record: StoredRecord): Facts["tags"] {
  let begin = 0;
  return (record.perceived?.tags?.tags ?? []).map(({ label, score }) => {
    if (score < sureTag) return { label, begin: null, score };
    const tag = { label, begin, score };
    begin += label.length + tagSeparator.length;
    return tag;
  });
}

function threadOf(record: StoredRecord): string | null {
  return record.thread === null ? null : JSON.stringify([record.source, record.container?.kind ?? "", record.thread]);
}

function sessionOf(record: StoredRecord, moment: number | null): string | null {
  if (record.container?.kind === "chat") {
    const day = moment === null ? "" : dayOf(Math.floor((moment - sessionShift) / 86_400_000));
    return JSON.stringify([record.container.key, day]);
  }
  return record.kind === "email" ? threadOf(record) : null;
}

/** A subject without Re:, Fwd:, AW:, [list]; null when nothing or only a word is left. */
export function normalSubject(subject: string): string | null {
  const normal = subject
    .toLowerCase()
    .replace(/^(?:\s*(?:re|fwd?|aw|wg|antw|tr|rv)\s*(?:\[\d+\])?\s*:\s*|\s*\[[^\]]{1,40}\]\s*)+/i, "")
    .replace(/\s+/g, " ")
    .trim();
  return normal.split(" ").length < 2 || normal.length < 6 ? null : normal;
}

const label =
  "order|booking|reservation|ticket|invoice|confirmation|tracking|shipment|case|policy|bestell|bestellung|buchung|rechnung|auftrag|vorgang|sendung|kunden|reservierung";
const referencePattern = new RegExp(
  `\\b(?:${label})s?[-\\s]?(?:number|nummer|code|id|no|nr|ref(?:erence)?)?\\.?\\s*[:#]?\\s*#?\\s*([A-Z0-9](?:[A-Z0-9]|[-/](?=[A-Z0-9])){3,23})\\b`,
  "gi",
);

/** Strong references (order, booking, ticket numbers): after a word that names one, at least four signs with a digit, no year or date. */
export function referencesIn(text: string): string[] {
  const codes = new Set<string>();
  for (const match of text.slice(0, 200_000).matchAll(referencePattern)) {
    const code = (match[1] ?? "").toUpperCase();
    if (!/\d/.test(code) || /^(?:19|20)\d\d$/.test(code) || /^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}$/.test(code)) continue;
    codes.add(code);
    if (codes.size === referencesPerRecord) break;
  }
  return [...codes].sort();
}

function mentionsIn(record: StoredRecord, spoken: string, day: string | null): string[] {
  const days = new Set<string>();
  if (record.kind === "event" && day !== null) days.add(day);
  if (["email", "message", "note", "event", "document"].includes(record.kind)) {
    for (const mention of findDates(spoken.slice(0, 20_000), { reference: day })) {
      if (mention.unit === "day") days.add(mention.from);
      if (days.size === mentionsPerRecord) break;
    }
  }
  return [...days].sort();
}

/** Stems by which a mail and a picture can agree: place, labels and the first words of a text. Blank-separated. */
function groundOf(record: StoredRecord, spoken: string): string {
  const words = `${labelsOf(record).slice(0, 40).join(" ")} ${spoken.slice(0, 1_000)}`;
  const stems = contentStems(words, languageOf(spoken)).filter((word) => word.length >= 4 && !/\d/.test(word));
  return stems.slice(0, 80).join(" ");
}
