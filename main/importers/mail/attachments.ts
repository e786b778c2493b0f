import type { ImportedRecord, SourceLocation } from "#contract";
import { sniffPicture } from "#native/images.ts";
import { eventsOf } from "../calendar/index.ts";
import { innerEntry } from "../files.ts";
import { mimeOf } from "../media.ts";
import { readPicture } from "../photos/index.ts";
import { decodeText } from "../text/charset.ts";
import { cleanLine, cleanText, sha256 } from "../text/clean.ts";
import { throwIfCancelled } from "../text/guard.ts";
import { htmlToPlain } from "../text/html.ts";
import { type Cursor, type ImportedItem, limits, type ReadContext } from "../types.ts";
import type { AttachedFile } from "./parts.ts";
import type { MailRecord } from "./record.ts";

type RecordItem = Extract<ImportedItem, { type: "record" }>;
type PartContext = Pick<ReadContext, "documents" | "signal">;

/** Files of one message above this are listed, and give no record of their own. */
const maxFiles = 500;

/** Files above this are not given to the reader of documents. */
const maxDocument = 32 * 1024 * 1024;

/** What belongs to the message's transport: listed, but nobody sent it as a file. */
const transport =
  /^(?:application\/(?:pgp-signature|pgp-encrypted|(?:x-)?pkcs7-(?:signature|mime)|(?:vnd\.)?ms-tnef)|message\/(?:delivery-status|disposition-notification|feedback-report|global-.*|external-body|partial)|text\/rfc822-headers)$/;

/** Formats that hold no text of a person: not worth the reader's time. */
const closed =
  /^application\/(?:zip|x-zip.*|gzip|x-gzip|x-tar|x-7z.*|x-rar.*|vnd\.rar|java-archive|x-msdownload|x-executable|vnd\.android.*|pgp-.*)$|^font\//;
const closedNames = /\.(?:zip|gz|tgz|tar|7z|rar|exe|dll|bin|iso|dmg|apk|jar|p7[smc]|asc|pgp|gpg|sig|key|ttf|otf)$/i;

/** Types that say nothing of the content. */
const anyType = /^application\/(?:octet-stream|x-download|force-download|download|binary|unknown|x-unknown.*)$|^$/;

/**
 * The records of a message: itself, a record for each file in it, then the messages inside it and theirs. Until the last
 * of them is kept, the message is to be read again: only that one carries `after`.
 */
export async function* mailItems(
  mails: readonly MailRecord[],
  cursor: { readonly before: Cursor; readonly after: Cursor },
  context: PartContext,
): AsyncGenerator<RecordItem> {
  let held: ImportedRecord | null = null;
  for (const { record, files } of mails) {
    if (held !== null) yield { type: "record", record: held, cursor: cursor.before };
    held = record;
    if (files.length === 0) continue;
    for await (const part of fileRecords(record, files, context)) {
      yield { type: "record", record: held, cursor: cursor.before };
      held = part;
    }
  }
  if (held !== null) yield { type: "record", record: held, cursor: cursor.after };
}

/** A record for each file that a person would call an attachment. What the HTML shows stays listed. */
export async function* fileRecords(
  mail: ImportedRecord,
  files: readonly AttachedFile[],
  context: PartContext,
): AsyncGenerator<ImportedRecord> {
  const told = new Set<string>();
  for (const file of files.slice(0, maxFiles)) {
    throwIfCancelled(context.signal);
    const { attachment, bytes } = file;
    if (bytes === null || bytes.length === 0 || attachment.inline || transport.test(attachment.mime ?? "")) continue;
    const records = isCalendar(file) ? meetings(mail, file, bytes) : [await fileRecord(mail, file, bytes, context)];
    for (const record of records) {
      // The same file twice in one message is one record; so is an event as a form of the text and as a file.
      if (told.has(record.identity)) continue;
      told.add(record.identity);
      yield record;
    }
  }
}

function isCalendar(file: AttachedFile): boolean {
  return typeOf(file) === "text/calendar" || /\.ics$/i.test(file.attachment.name ?? "");
}

/** The events of a calendar entry: items of their own beside the mail, not parts of it; its thread leads to the mail. */
function meetings(mail: ImportedRecord, file: AttachedFile, bytes: Buffer): ImportedRecord[] {
  const text = file.charset === null ? bytes : Buffer.from(decodeText(bytes, file.charset).text);
  const events = eventsOf(text, { files: [placeOf(mail, file)], container: mail.container });
  return events.map((event) => ({ ...event, thread: event.thread ?? mail.thread }));
}

function typeOf({ attachment }: AttachedFile): string {
  const mime = attachment.mime ?? "";
  return anyType.test(mime) ? (mimeOf(attachment.name ?? "") ?? "application/octet-stream") : mime;
}

async function fileRecord(
  mail: ImportedRecord,
  file: AttachedFile,
  bytes: Buffer,
  context: PartContext,
): Promise<ImportedRecord> {
  const mime = typeOf(file);
  const place = placeOf(mail, file);
  if (mime.startsWith("image/") || sniffPicture(bytes) !== null) {
    const picture = await pictureRecord(mail, file, bytes, place, context.signal);
    if (picture !== null) return picture;
  }
  const kind = mime.startsWith("video/") ? "video" : mime.startsWith("audio/") ? "audio" : "document";
  const read = kind === "document" ? await documentText(file, bytes, mime, context) : { text: null, title: null };
  return {
    ...mail,
    identity: `${kind}:${file.attachment.sha256 ?? sha256(bytes)}`,
    kind,
    nativeId: null,
    subject: read.title,
    text: read.text,
    participants: [],
    time: sentTime(mail),
    place: null,
    thread: null,
    replyTo: null,
    partOf: { identity: mail.identity, role: "attachment" },
    files: [place],
    props: { ...nameProp(file), mime },
  };
}

function nameProp({ attachment }: AttachedFile): { name?: string } {
  return attachment.name === null ? {} : { name: attachment.name };
}

function sentTime(mail: ImportedRecord): ImportedRecord["time"] {
  return mail.time === null ? null : { ...mail.time, source: "message" };
}

/** Where a file of a message stands: in a file of its own, or as a part of the message. */
function placeOf(mail: ImportedRecord, file: AttachedFile): SourceLocation {
  const [message] = mail.files;
  return (
    file.place ?? {
      path: message?.path ?? "",
      offset: message?.offset ?? null,
      bytes: message?.bytes ?? null,
      role: null,
      part: file.part,
    }
  );
}

async function pictureRecord(
  mail: ImportedRecord,
  file: AttachedFile,
  bytes: Buffer,
  place: SourceLocation,
  signal: AbortSignal,
): Promise<ImportedRecord | null> {
  const result = await readPicture(innerEntry(place.path, file.attachment.name ?? "picture", bytes), { signal });
  if (!("record" in result)) return null;
  const { record } = result;
  const { time } = record;
  const own = time !== null && time.confidence === "normal" && !time.source.startsWith("file-");
  return {
    ...record,
    author: mail.author,
    time: own || mail.time === null ? time : sentTime(mail),
    container: mail.container,
    partOf: { identity: mail.identity, role: "attachment" },
    files: [place],
    props: { ...record.props, ...nameProp(file) },
  };
}

async function documentText(
  file: AttachedFile,
  bytes: Buffer,
  mime: string,
  context: PartContext,
): Promise<{ text: string | null; title: string | null }> {
  const none = { text: null, title: null };
  const { name } = file.attachment;
  if (closed.test(mime) || closedNames.test(name ?? "") || bytes.length > maxDocument) return none;
  // Its charset stands in the message, and nowhere in the file.
  if (mime.startsWith("text/") && file.charset !== null) {
    const { text } = decodeText(bytes, file.charset);
    return { text: kept(mime === "text/html" ? htmlToPlain(text) : text), title: null };
  }
  const read = await context.documents.read(bytes, { name, mime }, context.signal);
  const title = read.title === null ? null : (cleanLine(read.title)?.slice(0, 2_000) ?? null);
  return { text: read.text === null ? null : kept(read.text), title };
}

function kept(text: string): string | null {
  const clean = cleanText(text).slice(0, limits.textChars).toWellFormed();
  return clean.trim() === "" ? null : clean;
}
