import type { Container, RecordTime } from "#contract";
import { baseName, fileEnd, folderOf } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { timeFromInstant } from "../text/time.ts";
import {
  type Claim,
  type Entry,
  type ImportedItem,
  type Importer,
  limits,
  type ReadContext,
  type SourceTree,
} from "../types.ts";
import { mailItems } from "./attachments.ts";
import type { OutsideParts } from "./body.ts";
import { MailMemory } from "./memory.ts";
import { headFields, mailboxOf } from "./recognise.ts";
import { messageStamp, noteMessage, readMail } from "./record.ts";

/** An .emlx file: the message's place in it, and what Apple Mail says of it behind. */
export interface Emlx {
  readonly start: number;
  readonly end: number;
  /** Flags as letters of a Maildir name. */
  readonly flags: string;
  /** When the program received it. */
  readonly received: RecordTime | null;
  /** The file is shorter than its first line says. */
  readonly cut: boolean;
}

/** First line: the number of bytes of the message, padded with blanks. */
const countLine = /^\s{0,20}(\d{1,10})[ \t]{0,20}\r?\n/;

/** Bits of the property list's `flags`. */
const bits = { deleted: 1 << 1, flagged: 1 << 4, draft: 1 << 6 } as const;

/** Reads the frame of an .emlx file; null when it has none. The count is of bytes. */
export function parseEmlx(file: Buffer): Emlx | null {
  const line = countLine.exec(file.toString("latin1", 0, 64));
  if (line === null) return null;
  const start = line[0].length;
  const promised = start + Number(line[1]);
  const cut = promised > file.length;
  const list = cut ? file.lastIndexOf("<?xml") : -1;
  const end = cut ? (list > start ? list : file.length) : promised;
  const about = file.toString("utf8", end, Math.min(file.length, end + 256 * 1024));
  const flags = numberOf(about, "flags") ?? 0;
  const letters = `${flags & bits.deleted ? "T" : ""}${flags & bits.flagged ? "F" : ""}${flags & bits.draft ? "D" : ""}`;
  const seconds = numberOf(about, "date-received");
  const options = { source: "emlx:date-received", confidence: "low" } as const;
  const received = seconds === null ? null : timeFromInstant(seconds * 1000, options);
  return { start, end, flags: letters, received, cut };
}

function numberOf(list: string, key: string): number | null {
  const at = list.indexOf(`<key>${key}</key>`);
  if (at < 0) return null;
  const match = /^<key>[^<]*<\/key>\s*<(?:integer|real)>([\d.]{1,20})</.exec(list.slice(at, at + 200));
  return match === null ? null : Number(match[1]);
}

const uuid = /^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i;

/** The folder of Apple Mail's store that is the mailbox of a message: `…/INBOX.mbox`, without what the store puts between. */
function mailboxFolder(path: string): string {
  const above = folderOf(path).replace(/(?:^|\/)(?:Data\/)?(?:\d\/)*Messages$/, "");
  return uuid.test(baseName(above)) && /\.mbox(?:\/|$)/i.test(above) ? folderOf(above) : above;
}

/** The mailbox by its place between the account and its data: `Archive/2019`, and the account in its key. */
function containerOf(folder: string): Container {
  const parts = folder.split("/");
  let from = parts.length;
  while (from > 0 && /\.mbox$/i.test(parts[from - 1] ?? "")) from--;
  if (from === parts.length) return mailboxOf(folder, true);
  const title = parts
    .slice(from)
    .map((part) => part.replace(/\.mbox$/i, ""))
    .join("/");
  const account = parts[from - 1] ?? "";
  const known = account !== "" && !/^(?:V\d+|Mail|Mailboxes)$/i.test(account);
  return { key: `mailbox:${known ? `${account}/` : ""}${title}`, title, kind: "mailbox" };
}

/** Folder in which Apple Mail keeps the files of a message apart. */
function filesFolder(joined: string): string | null {
  const number = /^(\d{1,12})(?:\.partial)?\.emlx$/i.exec(baseName(joined))?.[1];
  const messages = folderOf(joined);
  if (number === undefined || baseName(messages) !== "Messages") return null;
  const data = folderOf(messages);
  return `${data === "" ? "" : `${data}/`}Attachments/${number}`;
}

const isEmlx = (path: string) => /\.emlx$/i.test(path);

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const mails = free.entries.filter(({ name }) => isEmlx(name) && !name.startsWith("._"));
  for (const [folder, members] of Map.groupBy(mails, ({ joined }) => mailboxFolder(joined))) {
    const [primary, ...rest] = members.map(({ path }) => path);
    if (primary === undefined) continue;
    const data = new Set(members.map(({ joined }) => folderOf(folderOf(joined))));
    const beside = [...data].flatMap((one) => free.joined.below(one === "" ? "Attachments" : `${one}/Attachments`));
    const companions = [...rest, ...beside.map((entry) => entry.path)];
    yield { primary, companions, label: containerOf(folder).title ?? "Apple Mail", confidence: 3 };
  }
}

/** Files that lie apart from their message, by the number of the part that they are, and by name. */
async function outsideParts(
  files: readonly Entry[],
  folder: string,
  signal: AbortSignal,
): Promise<{ outside: OutsideParts; reason: string | null }> {
  const outside = new Map<string, { path: string; bytes: Buffer }>();
  let reason: string | null = null;
  for (const entry of files) {
    throwIfCancelled(signal);
    try {
      const bytes = Buffer.from(await entry.readAll(limits.messageBytes));
      const file = { path: entry.path, bytes };
      outside.set(folderOf(entry.joined).slice(folder.length + 1), file);
      outside.set(`name:${entry.name}`, file);
    } catch (error) {
      reason = reasonOf(error, signal);
    }
  }
  return { outside, reason };
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const { tree, signal } = context;
  const entries = [claim.primary, ...claim.companions].map((path) => tree.get(path)).filter((one) => one !== undefined);
  const messages = entries.filter((entry) => isEmlx(entry.path));
  const apart = new Set(entries.filter((entry) => !isEmlx(entry.path)));
  const container = containerOf(mailboxFolder(messages[0]?.joined ?? claim.primary));
  const memory = new MailMemory();
  for (const entry of messages) {
    throwIfCancelled(signal);
    await note(entry, memory, signal, false);
  }
  const done = messages.findIndex((entry) => entry.path === context.resume);
  for (const [i, entry] of messages.entries()) {
    throwIfCancelled(signal);
    const folder = filesFolder(entry.joined);
    const files = folder === null ? [] : tree.joined.below(folder).filter((one) => apart.has(one));
    if (i < done) {
      await note(entry, memory, signal, true);
      for (const file of files) yield fileEnd(file.path, "imported");
    } else {
      const before = messages[i - 1]?.path ?? "";
      for await (const item of readFile(entry, files, folder ?? "", before, container, memory, context)) {
        if (i !== done || item.type === "file") yield item;
      }
    }
    for (const file of files) apart.delete(file);
  }
  for (const { path } of apart) yield fileEnd(path, "skipped", "A file of a mail that is not here.");
}

/** Takes note of a message by its first bytes, so that threads are whole in whatever order they come. */
async function note(entry: Entry, memory: MailMemory, signal: AbortSignal, replayed: boolean): Promise<void> {
  try {
    const head = Buffer.from(await entry.head());
    const start = countLine.exec(head.toString("latin1", 0, 64))?.[0].length ?? 0;
    const headers = headFields(head.subarray(start), head.length >= entry.bytes);
    const { id } = noteMessage(headers, memory);
    if (replayed && id !== null) memory.reused(id, messageStamp(headers));
  } catch (error) {
    reasonOf(error, signal);
  }
}

async function* readFile(
  entry: Entry,
  files: readonly Entry[],
  folder: string,
  before: string,
  container: Container,
  memory: MailMemory,
  context: ReadContext,
): AsyncGenerator<ImportedItem> {
  const ends = (status: "imported" | "skipped" | "failed", reason: string | null) =>
    [fileEnd(entry.path, status, reason)].concat(
      files.map(({ path }) =>
        fileEnd(
          path,
          status === "imported" ? status : "skipped",
          status === "imported" ? null : "Its mail was not read.",
        ),
      ),
    );
  if (entry.bytes === 0) {
    yield* ends("skipped", "The file is empty.");
    return;
  }
  try {
    const bytes = Buffer.from(await entry.readAll(limits.messageBytes));
    const emlx = parseEmlx(bytes);
    if (emlx === null || emlx.end <= emlx.start) {
      yield* ends("failed", "The file is named like a mail of Apple Mail, but does not begin with its length.");
      return;
    }
    const { outside, reason } = await outsideParts(files, folder, context.signal);
    const source = {
      path: entry.path,
      offset: emlx.start,
      bytes: emlx.end - emlx.start,
      container,
      separator: null,
      nameFlags: emlx.flags,
      received: emlx.received,
    };
    const result = readMail(bytes.subarray(emlx.start, emlx.end), source, memory, outside);
    if (result.leftOut !== null) {
      yield* ends("skipped", result.leftOut === "spam" ? "Marked as spam." : "Marked as deleted in the mailbox.");
      return;
    }
    yield* mailItems(result.mails, { before, after: entry.path }, context);
    const cut = emlx.cut ? "The file is shorter than its first line says." : null;
    const notes = [result.warning, cut, reason].filter((one) => one !== null);
    yield* ends("imported", notes.length === 0 ? null : notes.join(" "));
  } catch (error) {
    yield* ends("failed", reasonOf(error, context.signal));
  }
}

/** Apple Mail's store: one file a message, whole or partial, with files kept apart. The cursor is the path of the last. */
export const emlxImporter: Importer = { id: "emlx", title: "Apple Mail", order: 85, recognise, read };
