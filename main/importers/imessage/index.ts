import { type Attachment, UnderstoryError } from "#contract";
import { type ForeignDatabase, isSqlite, openForeign } from "#native/foreign-sqlite.ts";
import { FileEnds, messageItems, missingFile } from "../chats/sent.ts";
import { baseName } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { type AttachmentRow, isMessages, MessagesDatabase, numberIn, textIn } from "./database.ts";
import {
  backupFolder,
  backupName,
  backupNames,
  filesBeside,
  MessageFiles,
  renamed,
  strayAttachments,
} from "./files.ts";
import { appleMs, messageRecord } from "./record.ts";
import { isTapback, Tapbacks } from "./tapbacks.ts";

/** Largest database that is copied for reading, bytes. */
const databaseCap = 32 * 1024 * 1024 * 1024;
/** How far the tables of a database are looked for in its bytes before it is opened. */
const sniffBytes = 1024 * 1024;
/** Messages in a row that cannot be read, after which the rest is given up. */
const maxFaults = 5000;

const ownNames = new Set(["chat.db", "sms.db", backupName]);
const mayBe = (name: string) => ownNames.has(name) || /(?:\.(?:db|sqlite3?|sqlitedb|bak|dat|tmp)|^[^.]+)$/.test(name);

/** Whether the bytes of a database name the tables of Messages, which its schema does in its first pages. */
async function namesTables(entry: Entry): Promise<boolean> {
  let seen = "";
  for await (const chunk of entry.stream({ start: 0, end: sniffBytes })) {
    seen = seen.slice(-64) + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    if (seen.includes("chat_message_join") || seen.includes("message_attachment_join")) return true;
  }
  return false;
}

async function open(entry: Entry, tree: SourceTree, signal: AbortSignal): Promise<ForeignDatabase> {
  const wal = tree.joined.get(`${entry.joined}-wal`) ?? null;
  return openForeign({ database: entry, wal }, { cap: databaseCap, signal });
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const found: Entry[] = [];
  for (const entry of free.entries) {
    const name = entry.name.toLowerCase();
    if (!mayBe(name) || entry.name.startsWith("._") || entry.bytes < 100) continue;
    try {
      if (isSqlite(await entry.head())) {
        const log = free.joined.get(`${entry.joined}-wal`);
        if ((await namesTables(entry)) || (log !== undefined && (await namesTables(log)))) found.push(entry);
      } else if (name === backupName) found.push(entry);
    } catch {
      // A file that cannot be read is told of by whoever takes it in.
    }
  }
  const stray = found.length === 1 ? strayAttachments(free) : [];
  for (const entry of found) {
    const companions =
      backupFolder(entry) === null ? [...filesBeside(entry, free), ...stray] : await inBackup(entry, free);
    const paths = new Set(companions.map(({ path }) => path));
    paths.delete(entry.path);
    const known = ownNames.has(entry.name.toLowerCase());
    yield { primary: entry.path, companions: [...paths], label: entry.name, confidence: known ? 3 : 2 };
  }
}

/** Of a phone's backup only the files that messages name: the others are photos and whatever else the phone held. */
async function inBackup(entry: Entry, free: SourceTree): Promise<Entry[]> {
  const folder = backupFolder(entry) ?? "";
  const within = (path: string) => free.joined.get(folder === "" ? path : `${folder}/${path}`);
  const found: (Entry | undefined)[] = ["-wal", "-shm"].map((end) => free.joined.get(`${entry.joined}${end}`));
  let db: ForeignDatabase | null = null;
  try {
    db = await open(entry, free, new AbortController().signal);
    new MessagesDatabase(db).attachmentNames((filename) => {
      for (const name of backupNames(filename)) found.push(within(`${name.slice(0, 2)}/${name}`) ?? within(name));
    });
  } catch {
    // The reading says why.
  } finally {
    db?.close();
  }
  return found.filter((one) => one !== undefined);
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const companions = claim.companions.map((path) => context.tree.get(path)).filter((one) => one !== undefined);
  const ends = new FileEnds(claim);
  for (const { path } of companions) if (/-(?:wal|shm|journal)$/.test(path)) ends.use(path);
  let some = context.resume !== null;
  let db: ForeignDatabase | null = null;
  try {
    db = await openMessages(entry, context);
    const reading = new Reading(entry, new MessageFiles(companions), context, ends);
    for await (const item of reading.items(new MessagesDatabase(db))) {
      some = true;
      yield item;
    }
    ends.use(entry.path);
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), some);
  } finally {
    db?.close();
  }
  yield* ends.items("No message names it.");
}

async function openMessages(entry: Entry, { tree, signal }: ReadContext): Promise<ForeignDatabase> {
  const refused = (why: string) =>
    new UnderstoryError("unsupported_format", `${entry.path} ${why}`, { details: { path: entry.path } });
  if (!isSqlite(await entry.head())) throw refused("is no readable database: the phone's backup may be encrypted.");
  const db = await open(entry, tree, signal);
  if (isMessages(db)) return db;
  db.close();
  throw refused("is a database, but not one of Messages: its tables are missing.");
}

/** One pass over one database. */
class Reading {
  readonly #entry: Entry;
  readonly #context: ReadContext;
  readonly #files: MessageFiles;
  readonly #ends: FileEnds;

  constructor(entry: Entry, files: MessageFiles, context: ReadContext, ends: FileEnds) {
    this.#entry = entry;
    this.#context = context;
    this.#files = files;
    this.#ends = ends;
  }

  /** The cursor is the number of messages done, in order of time: the same each time the same file is read. */
  async *items(db: MessagesDatabase): AsyncGenerator<ImportedItem> {
    const order = inOrder(db);
    const tapbacks = tapbacksOf(db, order);
    const resume = typeof this.#context.resume === "number" ? this.#context.resume : 0;
    let inARow = 0;
    for (const [at, place] of order.entries()) {
      throwIfCancelled(this.#context.signal);
      try {
        if (isTapback(place.associated)) this.#noteStickers(db, place.id);
        else yield* this.#message(db, place, tapbacks, at < resume ? null : at);
        inARow = 0;
      } catch (error) {
        this.#ends.leaveOut(this.#entry.path, `Some messages: ${reasonOf(error, this.#context.signal)}`);
        if (++inARow > maxFaults) throw error;
      }
    }
  }

  /** A message and its files; `at` null: it was read before, and only its files are noted. */
  async *#message(
    db: MessagesDatabase,
    place: Place,
    tapbacks: Tapbacks,
    at: number | null,
  ): AsyncGenerator<ImportedItem> {
    const files = this.#filesOf(db, place.id);
    const row = at === null ? undefined : db.message(place.id);
    if (at === null || row === undefined) return;
    const message = messageRecord(place.id, row, {
      path: this.#entry.path,
      chat: db.conversationOf(place.id),
      handles: db.handles,
      tapbacks,
      attachments: files.map(({ attachment }) => attachment),
      binned: db.binned.has(place.id),
      sequence: place.ms,
    });
    const there = files.flatMap(({ entry }) => (entry === null ? [] : [entry]));
    for await (const item of messageItems(message, there, { before: at, after: at + 1 }, this.#ends, this.#context)) {
      yield named(item, there);
    }
  }

  #filesOf(db: MessagesDatabase, id: number): MessageFile[] {
    return db.attachmentsOf(id).flatMap((row) => {
      // The picture in the preview of a link is no file that somebody sent.
      if (/\.pluginPayloadAttachment$/i.test(row.filename ?? row.name ?? "")) return [];
      const entry = row.filename === null ? undefined : this.#files.find(row.filename);
      if (entry !== undefined) this.#ends.use(entry.path);
      return [messageFile(row, entry)];
    });
  }

  #noteStickers(db: MessagesDatabase, id: number): void {
    for (const { filename } of db.attachmentsOf(id)) {
      const entry = filename === null ? undefined : this.#files.find(filename);
      if (entry !== undefined) this.#ends.warn(entry.path, "A sticker that was laid on a message.");
    }
  }
}

interface MessageFile {
  readonly entry: Entry | null;
  readonly attachment: Attachment;
}

function messageFile(row: AttachmentRow, entry: Entry | undefined): MessageFile {
  const name = row.name ?? (row.filename === null ? null : baseName(row.filename).slice(0, 255));
  if (entry === undefined) {
    const mime = row.mime === null ? {} : { mime: row.mime };
    return { entry: null, attachment: missingFile(name, { bytes: row.bytes, ...mime }) };
  }
  const shown = renamed(entry, name ?? entry.name);
  const attachment = attachmentOf(shown);
  return { entry: shown, attachment: { ...attachment, mime: attachment.mime ?? row.mime } };
}

/** The record of a file under the name that its message gives it, where the file is called otherwise. */
function named(item: ImportedItem, files: readonly Entry[]): ImportedItem {
  if (item.type !== "record" || item.record.partOf === null) return item;
  const { record } = item;
  const [place] = record.files;
  const name = files.find(({ path }) => path === place?.path)?.name;
  if (place === undefined || name === undefined || baseName(place.path) === name) return item;
  return { ...item, record: { ...record, props: { ...record.props, name } } };
}

interface Place {
  readonly id: number;
  /** When, ms since 1970; a message without a date stands with the one that was written before it. */
  readonly ms: number;
  readonly associated: number;
}

function inOrder(db: MessagesDatabase): Place[] {
  const places: Place[] = [];
  let before = 0;
  db.index(({ id, date, associated }) => {
    const ms = appleMs(date) ?? before;
    before = Number.isSafeInteger(ms) ? ms : before;
    places.push({ id, ms: before, associated });
  });
  return places.sort((a, b) => a.ms - b.ms || a.id - b.id);
}

function tapbacksOf(db: MessagesDatabase, order: readonly Place[]): Tapbacks {
  const tapbacks = new Tapbacks();
  for (const { id, associated } of order) {
    if (!isTapback(associated)) continue;
    const row = db.message(id);
    const target = textIn(row, "associated_message_guid");
    if (target === null) continue;
    const chat = db.conversationOf(id);
    const alone = chat?.handles.length === 1 ? chat.handles[0] : undefined;
    const by = numberIn(row, "is_from_me") === 1 ? null : (db.handles.get(numberIn(row, "handle_id")) ?? alone ?? "?");
    tapbacks.apply(associated, target, textIn(row, "associated_message_emoji"), by);
  }
  return tapbacks;
}

/** Messages of a Mac (`chat.db`) or of a phone's backup, with their files. */
export const imessageImporter: Importer = { id: "imessage", title: "Messages", order: 85, recognise, read };
