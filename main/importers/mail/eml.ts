import { fileEnd, folderOf } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
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
import { MailMemory } from "./memory.ts";
import { ending, headFields, looksLikeMail, mailboxOf, maildirFlags, mayBeMail } from "./recognise.ts";
import { messageStamp, noteMessage, readMail } from "./record.ts";

/** The folder that is the mailbox: of a Maildir the one above cur and new. */
function mailboxFolder(path: string): string {
  const folder = folderOf(path);
  return /(?:^|\/)(?:cur|new)$/.test(folder) ? folderOf(folder) : folder;
}

/** Claims single messages, one claim a folder: names as hints, a mail's header fields as proof. */
async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const found: Entry[] = [];
  const doubtful: Entry[] = [];
  for (const entry of free.entries) {
    const named = ending(entry.name) === "eml" && !entry.name.startsWith("._");
    if (!named && !mayBeMail(entry)) continue;
    if (/(?:^|\/)tmp\/[^/]+$/.test(entry.path) && free.inFolder(`${folderOf(folderOf(entry.path))}/cur`).length > 0)
      continue;
    let proven = false;
    try {
      proven = looksLikeMail(await entry.head());
    } catch {
      // Said when it is read, if its name says that it is a mail.
    }
    if (proven) found.push(entry);
    else if (named) doubtful.push(entry);
  }
  for (const [folder, [first, ...others]] of Map.groupBy(found, ({ path }) => mailboxFolder(path))) {
    if (first === undefined) continue;
    const label = others.length === 0 ? first.name : (mailboxOf(folder, true).title ?? "Mail");
    yield { primary: first.path, companions: others.map(({ path }) => path), label, confidence: 3 };
  }
  for (const entry of doubtful) yield { primary: entry.path, companions: [], label: entry.name, confidence: 1 };
}

/** Takes note of all messages of a claim by their first bytes, so that a thread is whole in whatever order they come. */
async function noteAll(entries: readonly Entry[], memory: MailMemory, signal: AbortSignal): Promise<void> {
  for (const entry of entries) {
    throwIfCancelled(signal);
    try {
      const head = await entry.head();
      noteMessage(headFields(head, head.length >= entry.bytes), memory);
    } catch (error) {
      reasonOf(error, signal);
    }
  }
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const paths = [claim.primary, ...claim.companions];
  const entries = paths.map((path) => context.tree.get(path)).filter((entry) => entry !== undefined);
  const memory = new MailMemory();
  if (entries.length > 1) await noteAll(entries, memory, context.signal);
  // The message at the cursor is read again, but only for its end in the ledger, which may not have been kept.
  const done = typeof context.resume === "string" ? entries.findIndex((entry) => entry.path === context.resume) : -1;
  for (const [i, entry] of entries.entries()) {
    throwIfCancelled(context.signal);
    if (i < done) await replay(entry, memory, context.signal);
    else {
      for await (const item of readFile(entry, entries[i - 1]?.path ?? "", memory, context)) {
        if (i !== done || item.type === "file") yield item;
      }
    }
  }
}

/** A message that was read before an interruption: only what later ones depend on, and its end in the ledger. */
async function replay(entry: Entry, memory: MailMemory, signal: AbortSignal): Promise<void> {
  try {
    const head = await entry.head();
    const headers = headFields(head, head.length >= entry.bytes);
    const { id } = noteMessage(headers, memory);
    if (id !== null) memory.reused(id, messageStamp(headers));
  } catch (error) {
    reasonOf(error, signal);
  }
}

async function* readFile(
  entry: Entry,
  before: string,
  memory: MailMemory,
  context: ReadContext,
): AsyncGenerator<ImportedItem> {
  const file = (status: "imported" | "skipped" | "failed", reason: string | null) =>
    fileEnd(entry.path, status, reason);
  if (entry.bytes === 0) {
    yield file("skipped", "The file is empty.");
    return;
  }
  try {
    const bytes = await entry.readAll(limits.messageBytes);
    if (!looksLikeMail(bytes.subarray(0, 64 * 1024), 1)) {
      yield file("failed", "The file is named like a mail, but holds no mail header.");
      return;
    }
    const result = readMail(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      {
        path: entry.path,
        offset: null,
        bytes: entry.bytes,
        container: mailboxOf(mailboxFolder(entry.path), true),
        separator: null,
        nameFlags: maildirFlags(entry.name) ?? "",
      },
      memory,
    );
    if (result.leftOut !== null) {
      yield file("skipped", result.leftOut === "spam" ? "Marked as spam." : "Marked as deleted in the mailbox.");
      return;
    }
    yield* mailItems(result.mails, { before, after: entry.path }, context);
    yield file("imported", result.warning);
  } catch (error) {
    yield file("failed", reasonOf(error, context.signal));
  }
}

/** Single messages: .eml, Maildir, and files without an ending. The cursor is the path of the message read last. */
export const emlImporter: Importer = { id: "eml", title: "Mail messages", order: 50, recognise, read };
