import { createHash } from "node:crypto";
import type { ImportedRecord, RecordTime } from "#contract";
import { blankRecord } from "../blank.ts";
import { baseName, fileEnd, folderOf } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { timeFromCivil, timeFromInstant } from "../text/time.ts";
import type { Claim, DocumentText, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { recogniseDocument } from "./recognise.ts";

/** Largest document whose text is read, bytes; the record of a larger one has its name and time. */
const documentBytes = 128 * 1024 * 1024;

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    const found = await recogniseDocument(entry);
    if (found === null) continue;
    const label = baseName(folderOf(entry.path)) || entry.name;
    yield { primary: entry.path, companions: [], label, confidence: found.confidence };
  }
}

async function* read(claim: Claim, { tree, signal, resume, documents }: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = tree.get(claim.primary);
  if (!entry) return;
  try {
    const mime = (await recogniseDocument(entry))?.mime ?? null;
    const { sha256, bytes } = await hashed(entry, signal);
    const text =
      bytes === null
        ? { ...none, reason: `Its text is not read: it is larger than ${documentBytes / 1024 / 1024} MB.` }
        : await documents.read(bytes, { name: entry.name, mime }, signal);
    throwIfCancelled(signal);
    if (text.unusable) {
      yield fileEnd(entry.path, "failed", text.reason ?? "It cannot be opened.");
      return;
    }
    if (resume === null) yield { type: "record", record: recordOf(entry, sha256, mime, text), cursor: 1 };
    yield fileEnd(entry.path, "imported", text.reason);
  } catch (error) {
    yield fileEnd(entry.path, "failed", reasonOf(error, signal));
  }
}

const none: DocumentText = { text: null, title: null, created: null, reason: null };

/** SHA-256 of the whole file; its bytes too when they are few enough to be read. */
async function hashed(entry: Entry, signal: AbortSignal): Promise<{ sha256: string; bytes: Uint8Array | null }> {
  const hash = createHash("sha256");
  const parts: Uint8Array[] = [];
  const fits = entry.bytes <= documentBytes;
  for await (const chunk of entry.stream()) {
    throwIfCancelled(signal);
    hash.update(chunk);
    if (fits) parts.push(chunk);
  }
  return { sha256: hash.digest("hex"), bytes: fits ? Buffer.concat(parts) : null };
}

function recordOf(entry: Entry, sha256: string, mime: string | null, document: DocumentText): ImportedRecord {
  return {
    ...blankRecord(),
    identity: `document:${sha256}`,
    kind: "document",
    subject: document.title,
    text: document.text,
    time: timeOf(document.created) ?? fileTime(entry),
    files: [{ path: entry.path, offset: null, bytes: entry.bytes, role: null }],
    props: { name: entry.name, ...(mime === null ? {} : { mime }) },
  };
}

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:(Z)|([+-])(\d\d):(\d\d))?)?$/;

/** When the document says that it was made: with its offset, as an instant, or as a wall clock, whichever it gives. */
export function timeOf(created: string | null): RecordTime | null {
  const parts = iso.exec(created ?? "");
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [, , , , clock, , , zulu, sign, zoneHour, zoneMinute] = parts;
  const east = (sign === "-" ? -1 : 1) * (60 * Number(zoneHour ?? 0) + Number(zoneMinute ?? 0));
  const zone = zulu ? "utc" : sign === undefined ? null : east;
  const precision = clock === undefined ? "day" : "second";
  return timeFromCivil({ year, month, day, hour, minute, second }, zone, { source: "document:created", precision });
}

const fileTime = (entry: Entry): RecordTime | null =>
  entry.modified === null ? null : timeFromInstant(entry.modified, { source: "file-time", confidence: "low" });

/** Loose PDFs, office files, books and web pages. Comes after containers, which have taken what is theirs. */
export const documentsImporter: Importer = { id: "documents", title: "Documents", order: 20, recognise, read };
