import type { Attachment, ImportedRecord } from "#contract";
import { fileEnd } from "../files.ts";
import { mediaRecord, mimeOf } from "../media.ts";
import { cleanLine, cleanText, sha256 } from "../text/clean.ts";
import { reasonOf } from "../text/guard.ts";
import { type Claim, type Cursor, type Entry, type ImportedItem, limits, type ReadContext } from "../types.ts";

/** What chat exports with files beside them have in common: how files end, and messages with what was sent in them. */

/** Files above this are not given to the reader of documents. */
const documentBytes = 32 * 1024 * 1024;

/** A file that a message names and that is not there. */
export function missingFile(name: string | null, more: Partial<Attachment> = {}): Attachment {
  const base = name === null ? null : (cleanLine(name)?.slice(0, 500) ?? null);
  const mime = base === null ? null : mimeOf(base);
  return { name: base, path: null, mime, bytes: null, sha256: null, text: null, inline: false, missing: true, ...more };
}

/** How the files of a claim end: each once, in the order of the claim. */
export class FileEnds {
  readonly #claim: Claim;
  readonly #faults = new Map<string, { failed: boolean; reason: string | null; skipped: number }>();
  readonly #used = new Set<string>();

  constructor(claim: Claim) {
    this.#claim = claim;
  }

  /** The file was read, or a message names it. */
  use(path: string): void {
    this.#used.add(path);
  }

  warn(path: string, reason: string): void {
    this.#fault(path).reason ??= reason;
  }

  fail(path: string, reason: string): void {
    Object.assign(this.#fault(path), { failed: true, reason });
  }

  /** Reading it broke off: a fault of the whole file, unless some records came before. */
  broke(path: string, reason: string, some: boolean): void {
    if (some) {
      this.use(path);
      this.warn(path, reason);
    } else this.fail(path, reason);
  }

  /** An entry of the file that gave no record. */
  leaveOut(path: string, reason: string): void {
    this.#fault(path).skipped++;
    this.warn(path, reason);
  }

  #fault(path: string) {
    const fault = this.#faults.get(path) ?? { failed: false, reason: null, skipped: 0 };
    this.#faults.set(path, fault);
    return fault;
  }

  /** The ends. A file that was neither read nor named by a message is skipped with `unnamed` as its reason. */
  *items(unnamed: string): Generator<ImportedItem> {
    for (const path of new Set([this.#claim.primary, ...this.#claim.companions])) {
      const fault = this.#faults.get(path);
      if (fault?.failed) yield fileEnd(path, "failed", fault.reason, fault.skipped);
      else if (this.#used.has(path)) yield fileEnd(path, "imported", fault?.reason ?? null, fault?.skipped ?? 0);
      else yield fileEnd(path, "skipped", fault?.reason ?? unnamed);
    }
  }
}

/**
 * A message, then the files that were sent in it, as parts of it. Until the last of them is kept the message is to be
 * read again: only that one carries the cursor `after`.
 */
export async function* messageItems(
  message: ImportedRecord,
  files: readonly Entry[],
  cursor: { readonly before: Cursor; readonly after: Cursor },
  ends: FileEnds,
  context: Pick<ReadContext, "documents" | "signal">,
): AsyncGenerator<ImportedItem> {
  let held = message;
  const told = new Set<string>();
  for (const file of files) {
    const { record, warning } = await fileRecord(file, message, context);
    if (warning !== null) ends.warn(file.path, warning);
    // The same file twice in one message is one record.
    if (record === null || told.has(record.identity)) continue;
    told.add(record.identity);
    yield { type: "record", record: held, cursor: cursor.before };
    held = record;
  }
  yield { type: "record", record: held, cursor: cursor.after };
}

async function fileRecord(
  file: Entry,
  message: ImportedRecord,
  context: Pick<ReadContext, "documents" | "signal">,
): Promise<{ record: ImportedRecord | null; warning: string | null }> {
  const media = await mediaRecord(file, message, context.signal);
  if (media.record !== null || file.bytes === 0) return media;
  try {
    return await documentRecord(file, message, context);
  } catch (error) {
    return { record: null, warning: reasonOf(error, context.signal) };
  }
}

async function documentRecord(
  file: Entry,
  message: ImportedRecord,
  context: Pick<ReadContext, "documents" | "signal">,
): Promise<{ record: ImportedRecord | null; warning: string | null }> {
  if (file.bytes > documentBytes) return { record: null, warning: "The file is too large for its text to be read." };
  const bytes = await file.readAll(documentBytes);
  const mime = mimeOf(file.name);
  const read = await context.documents.read(bytes, { name: file.name, mime }, context.signal);
  const text = read.text === null ? "" : cleanText(read.text).slice(0, limits.textChars).toWellFormed();
  const record: ImportedRecord = {
    ...message,
    identity: `document:${sha256(bytes)}`,
    kind: "document",
    nativeId: null,
    subject: read.title === null ? null : (cleanLine(read.title)?.slice(0, 2_000) ?? null),
    text: text.trim() === "" ? null : text,
    participants: [],
    time: message.time === null ? null : { ...message.time, source: "message" },
    place: null,
    thread: null,
    replyTo: null,
    partOf: { identity: message.identity, role: "attachment" },
    files: [{ path: file.path, offset: null, bytes: file.bytes, role: null }],
    props: { name: file.name, ...(mime === null ? {} : { mime }) },
  };
  return { record, warning: read.reason };
}
