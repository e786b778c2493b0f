import { fileEnd } from "../files.ts";
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
import { parseHeaders } from "./headers.ts";
import { type MailStatus, mailStatus } from "./labels.ts";
import { MailMemory } from "./memory.ts";
import { ending, looksLikeMail, mailboxOf, mayBeMail } from "./recognise.ts";
import { messageStamp, noteMessage, readMail } from "./record.ts";
import { detectDialect, parseSeparator } from "./separator.ts";
import { splitMbox } from "./splitter.ts";

/** Files that mail programs keep beside a mailbox. */
const indexNames = (entry: Entry) => [`${entry.path}.msf`, entry.path.replace(/[^/]+$/, "table_of_contents")];

function isNamedMbox(entry: Entry): boolean {
  return /^(?:mbox|mbx)$/.test(ending(entry.name)) && !entry.name.startsWith("._");
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    const named = isNamedMbox(entry);
    if (!named && !mayBeMail(entry)) continue;
    let proven = false;
    let other = false;
    try {
      const head = await entry.head();
      proven = detectDialect(head) !== null;
      other = !proven && looksLikeMail(head);
    } catch {
      // Said when it is read, if its name says that it is a mailbox.
    }
    if (!proven && (!named || other)) continue;
    const companions = indexNames(entry).filter((path) => path !== entry.path && free.get(path) !== undefined);
    const label = mailboxOf(entry.path, false).title ?? entry.name;
    yield { primary: entry.path, companions, label, confidence: proven ? 3 : 1 };
  }
}

/** Why messages of a mailbox gave no record, counted. */
class LeftOut {
  private readonly counts = new Map<string, number>();
  total = 0;

  add(reason: string): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    this.total++;
  }

  sentence(): string | null {
    if (this.total === 0) return null;
    return `Left out: ${[...this.counts].map(([reason, count]) => `${count} ${reason}`).join(", ")}.`;
  }
}

const reasons = { spam: "marked as spam", deleted: "deleted in the mailbox" } as const;

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const file = (status: "imported" | "skipped" | "failed", reason: string | null, skipped = 0) =>
    fileEnd(entry.path, status, reason, skipped);
  if (entry.bytes === 0) yield file("skipped", "The file is empty.");
  else yield* readMessages(entry, context, file);
  for (const path of claim.companions) {
    const reason = "A mail program's index of the mailbox; the mailbox itself is read.";
    yield fileEnd(path, "skipped", reason);
  }
}

async function* readMessages(
  entry: Entry,
  context: ReadContext,
  file: (status: "imported" | "skipped" | "failed", reason: string | null, skipped?: number) => ImportedItem,
): AsyncGenerator<ImportedItem> {
  const { signal } = context;
  const container = mailboxOf(entry.path, false);
  const memory = new MailMemory();
  const leftOut = new LeftOut();
  const resume = typeof context.resume === "number" ? context.resume : 0;
  const warnings: string[] = [];
  let seen = 0;
  let fault: string | null = null;
  try {
    const dialect = detectDialect(await entry.head());
    if (dialect === null) {
      yield file("failed", "The file is named like a mailbox, but no message begins in it.");
      return;
    }
    for await (const message of splitMbox(entry.stream(), dialect, limits.messageBytes)) {
      throwIfCancelled(signal);
      seen++;
      if (message.bytes === null) {
        leftOut.add(`above ${limits.messageBytes / 1024 / 1024} MB`);
        continue;
      }
      const source = {
        path: entry.path,
        offset: message.offset,
        bytes: message.end - message.offset,
        container,
        separator: parseSeparator(message.separator),
        nameFlags: "",
      };
      if (message.offset < resume) {
        const reason = replay(message.bytes, container.title ?? "", memory);
        if (reason !== null) leftOut.add(reasons[reason]);
        continue;
      }
      const result = readMail(message.bytes, source, memory);
      if (result.leftOut !== null) {
        leftOut.add(reasons[result.leftOut]);
        continue;
      }
      if (result.warning !== null && warnings.length < 3) warnings.push(result.warning);
      yield* mailItems(result.mails, { before: message.offset, after: message.end }, context);
    }
  } catch (error) {
    fault = reasonOf(error, signal);
  }
  const notes = [fault, leftOut.sentence(), ...warnings].filter((note) => note !== null).join(" ");
  const status = fault === null ? "imported" : seen > leftOut.total ? "imported" : "failed";
  yield file(status, notes === "" ? null : notes, leftOut.total);
}

/** A message that was read before an interruption: only what later ones depend on, and why it was left out. */
function replay(bytes: Buffer, mailbox: string, memory: MailMemory): MailStatus["leftOut"] {
  const { headers } = parseHeaders(bytes, 0, bytes.length);
  const { id } = noteMessage(headers, memory);
  if (id !== null) memory.reused(id, messageStamp(headers));
  return mailStatus(headers, mailbox, "").leftOut;
}

/** Mailboxes in one file (RFC 4155 and its dialects), of any size; the cursor is the byte offset of the next message. */
export const mboxImporter: Importer = { id: "mbox", title: "Mailbox", order: 60, recognise, read };
