import type { Container, ImportedRecord, Party, Place, RecordProps, RecordTime, SourceLocation } from "#contract";
import { blankRecord } from "./blank.ts";
import { boundedIdentity } from "./chats/message.ts";
import { mediaRecord } from "./media.ts";
import { cleanLine, cleanText, sha256 } from "./text/clean.ts";
import { reasonOf } from "./text/guard.ts";
import { type Entry, limits, type ReadContext } from "./types.ts";

/** What all sources of notes have in common: one note as a record, and the files in it as its parts. */

export interface Note {
  readonly identity: string;
  readonly kind?: "note" | "document";
  readonly nativeId: string | null;
  readonly subject: string | null;
  readonly text: string | null;
  readonly time: RecordTime | null;
  readonly container: Container | null;
  readonly participants?: readonly Party[];
  readonly author?: Party | null;
  readonly place?: Place | null;
  readonly file: SourceLocation;
  readonly props?: RecordProps;
}

/** The record of a note. Texts are cleaned and cut to their cap; empty ones are null. */
export function noteRecord(note: Note): ImportedRecord {
  const text = note.text === null ? "" : cleanText(note.text).slice(0, limits.textChars).toWellFormed();
  return {
    ...blankRecord(),
    identity: boundedIdentity(note.identity),
    kind: note.kind ?? "note",
    nativeId: note.nativeId,
    subject: note.subject === null ? null : cleanLine(note.subject.slice(0, 2_000)),
    text: text.trim() === "" ? null : text,
    author: note.author ?? null,
    participants: [...(note.participants ?? [])],
    time: note.time,
    place: note.place ?? null,
    container: note.container,
    files: [note.file],
    props: note.props ?? {},
  };
}

/** Largest document inside a note that is read for its text. */
const documentBytes = 64 * 1024 * 1024;

/** A file of a note as a part of it: a picture, film or sound, else a document with its text. */
export async function partRecord(
  entry: Entry,
  note: ImportedRecord,
  mime: string | null,
  context: Pick<ReadContext, "documents" | "signal">,
): Promise<{ record: ImportedRecord | null; warning: string | null }> {
  const media = await mediaRecord(entry, note, context.signal);
  if (media.record !== null || entry.bytes === 0) return media;
  try {
    const bytes = await entry.readAll(documentBytes);
    const { text, title, reason } = await context.documents.read(bytes, { name: entry.name, mime }, context.signal);
    const record = noteRecord({
      identity: `document:${sha256(bytes)}`,
      kind: "document",
      nativeId: null,
      subject: title ?? entry.name,
      text,
      time: note.time,
      container: note.container,
      file: { path: entry.path, offset: null, bytes: entry.bytes, role: null },
      props: { name: entry.name, ...(mime === null ? {} : { mime }) },
    });
    return { record: { ...record, partOf: { identity: note.identity, role: "attachment" } }, warning: reason };
  } catch (error) {
    return { record: null, warning: reasonOf(error, context.signal) };
  }
}
