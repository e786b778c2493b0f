import type { Attachment, ImportedRecord, SourceLocation } from "#contract";
import { FileEnds, messageItems, missingFile } from "../chats/sent.ts";
import { folderOf, innerEntry } from "../files.ts";
import { attachmentOf, mimeOf } from "../media.ts";
import { cleanLine, sha256 } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import type { RawEntry, RawMessage, RawPart } from "./messages.ts";
import { ndjsonEntries, readLine } from "./ndjson.ts";
import { Phonebook } from "./people.ts";
import { callRecord, messageRecord } from "./record.ts";
import { xmlEntries } from "./xml.ts";

type Form = "xml" | "ndjson";

/** By the first bytes: the root of an XML backup, or a line of JSON that is a message or a call. */
function formOf(head: Uint8Array): Form | null {
  const utf16 = head[0] === 0xff && head[1] === 0xfe;
  const text = new TextDecoder(utf16 ? "utf-16le" : "utf-8")
    .decode(head)
    .replace(/^\ufeff/, "")
    .trimStart();
  if (text.startsWith("<")) {
    return /<(?:smses|allsms)[\s>]|<calls\s[^>]*count=|<calls>\s*<call\s/i.test(text) ? "xml" : null;
  }
  if (!text.startsWith("{")) return null;
  const [first = ""] = text.split("\n");
  // The first line may be longer than what was read of it.
  if (!text.includes("\n") && head.length >= 4096)
    return /"(?:__parts|__display_name|msg_box)"\s*:/.test(text) ? "ndjson" : null;
  return /"(?:thread_id|msg_box|duration|__parts)"\s*:/.test(first) && readLine(first, 1) !== null ? "ndjson" : null;
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    if (!/\.(?:xml|ndjson|jsonl?|txt|bak)$/i.test(entry.name) || entry.name.startsWith("._") || entry.bytes === 0)
      continue;
    try {
      const form = formOf(await entry.head());
      if (form === null) continue;
      const folder = folderOf(entry.joined);
      const beside =
        form === "xml" ? free.joined.inFolder(folder).filter(({ name }) => /^(?:sms|calls)\.xsl$/i.test(name)) : [];
      const data = form === "ndjson" ? free.joined.inFolder(folder === "" ? "data" : `${folder}/data`) : [];
      const companions = [...beside, ...data].map(({ path }) => path);
      yield { primary: entry.path, companions, label: entry.name, confidence: 3 };
    } catch {
      // A file that cannot be read is told of by whoever takes it in.
    }
  }
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const ends = new FileEnds(claim);
  let some = context.resume !== null;
  try {
    for await (const item of readBackup(entry, claim, context, ends)) {
      some = true;
      yield item;
    }
    ends.use(entry.path);
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), some);
  }
  yield* ends.items("No message names it.");
}

async function* readBackup(
  entry: Entry,
  claim: Claim,
  context: ReadContext,
  ends: FileEnds,
): AsyncGenerator<ImportedItem> {
  const form = formOf(await entry.head());
  const entries = (onFault: () => void): AsyncGenerator<RawEntry> =>
    form === "ndjson" ? ndjsonEntries(entry, onFault) : xmlEntries(entry);
  const people = await survey(
    entries(() => undefined),
    context.signal,
  );
  const files = new Map<string, Entry>();
  for (const path of claim.companions) {
    const found = context.tree.get(path);
    if (found !== undefined) files.set(found.name, found);
  }
  const resume = typeof context.resume === "number" ? context.resume : 0;
  for await (const raw of entries(() => ends.leaveOut(entry.path, "Some lines are neither messages nor calls."))) {
    throwIfCancelled(context.signal);
    const sent = raw.type === "mms" ? await filesOf(raw, entry, files) : [];
    for (const { file } of sent) if (file !== null) ends.use(file.path);
    if (raw.number <= resume) continue;
    if (raw.type === "call") {
      yield { type: "record", record: callRecord(raw, people, entry.path), cursor: raw.number };
      continue;
    }
    const message = messageRecord(
      raw,
      people,
      sent.map(({ attachment }) => attachment),
      entry.path,
    );
    const opened = sent.flatMap(({ file }) => (file === null ? [] : [file]));
    const cursor = { before: raw.number - 1, after: raw.number };
    for await (const item of messageItems(message, opened, cursor, ends, context)) yield placed(item, sent);
  }
}

/** A first pass: what a number means and whose it is shows only in the whole file. A break ends it; the reading says so. */
async function survey(entries: AsyncIterable<RawEntry>, signal: AbortSignal): Promise<Phonebook> {
  const people = new Phonebook();
  try {
    for await (const raw of entries) {
      throwIfCancelled(signal);
      people.survey(raw);
    }
  } catch (error) {
    reasonOf(error, signal);
  }
  people.settle();
  return people;
}

interface SentFile {
  readonly attachment: Attachment;
  /** Null when the bytes are not there. */
  readonly file: Entry | null;
  readonly place: SourceLocation | null;
}

const endings: Readonly<Record<string, string>> = {
  "image/jpeg": ".jpg",
  "text/x-vcard": ".vcf",
  "audio/amr": ".amr",
  "video/3gpp": ".3gp",
};

/** The files of an MMS: every part that is neither its words nor their layout (SMIL). */
async function filesOf(raw: RawMessage, backup: Entry, beside: ReadonlyMap<string, Entry>): Promise<SentFile[]> {
  const found: SentFile[] = [];
  for (const [i, part] of raw.parts.entries()) {
    if (part.type === "application/smil" || (part.type === "text/plain" && part.text !== null)) continue;
    const name = nameOf(part, i);
    const file = part.file === null ? undefined : beside.get(part.file);
    if (file !== undefined) {
      found.push({
        attachment: { ...attachmentOf(file), name, mime: mimeOf(name) ?? part.type },
        file: named(file, name),
        place: null,
      });
    } else if (part.data !== null) found.push(insideFile(part.data, name, part.type, `${raw.number}.${i + 1}`, backup));
    else found.push({ attachment: missingFile(name, { mime: part.type || null }), file: null, place: null });
  }
  return found;
}

function nameOf(part: RawPart, index: number): string {
  const name = cleanLine(part.name?.split(/[/\\]/).at(-1)?.slice(0, 255) ?? "") ?? `part ${index + 1}`;
  if (mimeOf(name) !== null) return name;
  const ending = endings[part.type] ?? (/^[a-z]+\/[a-z0-9]{2,5}$/.test(part.type) ? `.${part.type.split("/")[1]}` : "");
  return `${name}${ending}`;
}

/** A file whose bytes stand in the backup as base64; its path is made up, so that its record can be given its place. */
function insideFile(data: string, name: string, type: string, part: string, backup: Entry): SentFile {
  const bytes = Buffer.from(data, "base64");
  const mime = mimeOf(name) ?? type;
  const attachment: Attachment = {
    ...missingFile(name),
    mime: mime === "" ? null : mime,
    bytes: bytes.length,
    sha256: sha256(bytes),
    missing: false,
  };
  const path = `${backup.path}/${part}`;
  const place = { path: backup.path, offset: null, bytes: bytes.length, role: null, part };
  const file = innerEntry(path, name, bytes);
  return { attachment, file, place };
}

function named(file: Entry, name: string): Entry {
  const { path, joined, bytes, modified } = file;
  return {
    path,
    joined,
    name,
    bytes,
    modified,
    head: () => file.head(),
    stream: (range) => file.stream(range),
    readAll: (cap) => file.readAll(cap),
  };
}

/** The record of a file, under the name that its message gives it; one inside the backup stands there as a part. */
function placed(item: ImportedItem, sent: readonly SentFile[]): ImportedItem {
  if (item.type !== "record" || item.record.partOf === null) return item;
  const [first] = item.record.files;
  const found = sent.find(({ file }) => file !== null && file.path === first?.path);
  if (found === undefined) return item;
  const { files, props } = item.record;
  const { name } = found.attachment;
  const record: ImportedRecord = {
    ...item.record,
    files: found.place === null ? files : [found.place],
    props: name === null ? props : { ...props, name },
  };
  return { ...item, record };
}

/** Texts and calls of an Android phone, as "SMS Backup & Restore" and "SMS Import / Export" write them. */
export const smsImporter: Importer = { id: "sms", title: "Text messages and calls", order: 80, recognise, read };
