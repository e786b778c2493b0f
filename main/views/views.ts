import { type Citation, type PictureTags, type RecordTime, type StoredRecord, sureTag } from "#contract";
import { monthOf, weekdayOf, yearOf } from "./language/index.ts";
import { namedDay } from "./named-day.ts";
import { maskQuoted } from "./quoted.ts";
import { localDayOf, timeOf } from "./time.ts";
import { unwrap } from "./wrapped.ts";

/** Views with a text. */
export type ViewName = Citation["view"];

/** Whether a view is what a record says or shows itself, and not what is told about it (its time and place, what a model saw). */
export const saysItself = (view: ViewName): boolean => view !== "metadata" && view !== "tags";

/** One view of a record. Offsets of citations and chunks count in `text`. */
export interface View {
  readonly view: ViewName;
  readonly text: string;
}

/**
 * The views of a record; they stay separate and are never merged into one text (GraphMemix, multi-view retrieval).
 * - text: the record's own text, letter for letter in its place; quoted history and signature are blanks, and so are
 *   the line ends that a program broke lines with;
 * - subject: as it is; attachment: the readable texts of all attachments, in order, an empty line between;
 * - ocr: what a model read in a picture, line by line; tags: what it saw there, `tagSeparator` between;
 * - metadata: one line of what the source said beside the text: kind, day, people, place, labels, file names.
 */
export function viewsOf(record: StoredRecord): View[] {
  const views: View[] = [];
  const add = (view: ViewName, text: string | null) => {
    if (text !== null && text.trim() !== "") views.push({ view, text });
  };
  add("text", record.text === null ? null : unwrap(record.kind === "email" ? maskQuoted(record.text) : record.text));
  add("subject", record.subject);
  const attached = (record.props.attachments ?? []).flatMap(({ text }) => (text === null ? [] : [text]));
  add("attachment", attached.length === 0 ? null : attached.map(unwrap).join("\n\n"));
  add("ocr", record.perceived?.ocr?.text ?? null);
  add(
    "tags",
    sureTagsOf(record)
      .map(({ label }) => label)
      .join(tagSeparator),
  );
  add("metadata", metadataLine(record));
  return views;
}

/** What a model is sure to see, best first. */
export function sureTagsOf(record: StoredRecord): PictureTags["tags"] {
  return (record.perceived?.tags?.tags ?? []).filter(({ score }) => score >= sureTag);
}

/** Between the labels of the view `tags`. */
export const tagSeparator = " · ";

const months = "January February March April May June July August September October November December".split(" ");
const weekdays = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

/** "14 July 2024", or as much of it as the precision allows; null when no day is known. */
export function dayWords(time: RecordTime | null): string | null {
  const day = localDayOf(time);
  if (day === null || time === null) return null;
  return time.precision === "year" ? String(yearOf(day)) : wordsOfDay(day, time.precision === "month");
}

function wordsOfDay(day: string, monthOnly: boolean): string {
  const month = `${months[monthOf(day) - 1]} ${yearOf(day)}`;
  return monthOnly ? month : `${Number(day.slice(8))} ${month}`;
}

/** Its time in words, or the day that its name tells. */
export function recordDayWords(record: StoredRecord): string | null {
  const named = namedDay(record);
  return named ? wordsOfDay(named.day, named.precision === "month") : dayWords(timeOf(record));
}

/** Names of those who take part, author first, each once. */
export function peopleOf(record: StoredRecord): string[] {
  const names = [record.author, ...record.participants].flatMap((party) => {
    const name = party?.name ?? party?.address ?? null;
    return name === null ? [] : [name];
  });
  return [...new Set(names)];
}

/** Words that the source gives to a picture, a place or a document besides its text. */
export function labelsOf(record: StoredRecord): string[] {
  const { props } = record;
  const names = [props.name, ...(props.attachments ?? []).map(({ name }) => name)];
  return [
    ...(record.place?.name ? [record.place.name] : []),
    ...(props.albums ?? []).map(({ name }) => name),
    ...(props.labels ?? []),
    ...cameraWords(props.camera),
    ...names.flatMap((name) => (name ? [name.replace(/\.[a-z0-9]{1,5}$/i, "").replace(/[_\-.]+/g, " ")] : [])),
    ...(props.contact?.organisation ? [props.contact.organisation] : []),
    ...(props.contact?.birthday ? [`birthday ${props.contact.birthday}`] : []),
    ...(props.contact?.phones ?? []).map(({ value }) => value),
    ...(props.contact?.emails ?? []).map(({ value }) => value),
    ...(props.items ?? []).map(({ text }) => text),
  ];
}

/** Makers whose names are words of other matters; their devices are called by the model. */
const unsaidMakers = /^(?:apple|google)\b/i;

/** The camera of a picture as people call it, "SONY DSC-P10": the maker once, and not where the model alone is its name. */
export function cameraWords(camera: StoredRecord["props"]["camera"]): string[] {
  const model = camera?.model ?? "";
  const make = camera?.make ?? "";
  const named = unsaidMakers.test(make) || model.toLowerCase().startsWith(make.split(" ")[0]?.toLowerCase() ?? "");
  const words = (named && model !== "" ? model : `${make} ${model}`).trim();
  return words === "" ? [] : [words];
}

function metadataLine(record: StoredRecord): string {
  const named = namedDay(record);
  const time = timeOf(record);
  const day = named?.day ?? localDayOf(time);
  const precision = named?.precision ?? time?.precision;
  const exact = precision !== undefined && precision !== "month" && precision !== "year";
  const parts = [
    record.kind,
    recordDayWords(record),
    day !== null && exact ? (weekdays[weekdayOf(day)] ?? null) : null,
    ...peopleOf(record).slice(0, 20),
    ...labelsOf(record).slice(0, 40),
  ];
  return parts
    .filter((part): part is string => part !== null && part.trim() !== "")
    .map((part) => part.replace(/\s+/g, " "))
    .join(" · ")
    .slice(0, 4_000);
}
