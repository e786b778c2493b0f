import type { Container, ImportedRecord, Party, RecordFlag, RecordProps, RecordTime } from "#contract";
import { blankRecord } from "../blank.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { limits } from "../types.ts";
import { type Mailbox, parseAddresses } from "./addresses.ts";
import { mimeMessage, type OutsideParts } from "./body.ts";
import { type MailDate, mailTime } from "./dates.ts";
import { decodeRaw, decodeWords, first, type Headers, messageIds, ownMessageId } from "./headers.ts";
import { type MailStatus, mailStatus } from "./labels.ts";
import type { MailMemory } from "./memory.ts";
import type { AttachedFile, Body, Message, NestedMessage } from "./parts.ts";

/** Where a message came from, as far as the message itself does not say. */
export interface MailSource {
  readonly path: string;
  readonly offset: number | null;
  readonly bytes: number | null;
  readonly container: Container;
  /** The mbox separator's sender and date. */
  readonly separator: { readonly sender: string; readonly date: MailDate | null } | null;
  /** Flags of a Maildir file name, or of another store in its letters. */
  readonly nameFlags: string;
  /** Which part of the file the message is, where a file holds many that no offset tells apart. */
  readonly part?: string;
  /** When the store received it: the time where the message says none. */
  readonly received?: RecordTime | null;
  /** What the store knows of it beside its own fields. */
  readonly labels?: readonly string[];
}

/** A message as a record, and the files that it carries. */
export interface MailRecord {
  readonly record: ImportedRecord;
  readonly files: readonly AttachedFile[];
}

/** A message as records: itself first, then the messages attached to it; or why it is left out. */
export type MailResult =
  | { readonly mails: readonly MailRecord[]; readonly leftOut: null; readonly warning: string | null }
  | { readonly mails: readonly []; readonly leftOut: "spam" | "deleted" };

/** Messages inside messages inside messages: deeper ones are left out. */
const maxNesting = 8;

/** References of one message that are looked at: the oldest and the newest ones. */
const maxReferences = 200;

/** `In-Reply-To: <yes>` is what people answered to a prompt of git: it would join strangers into one thread. */
function isReference(id: string): boolean {
  return id.includes("@") || id.length >= 8;
}

/** The references of a message, oldest first: References, else the parent that In-Reply-To names. */
export function readReferences(
  headers: Headers,
  ownId: string | null,
): { references: string[]; parent: string | null } {
  const references = messageIds(first(headers, "references")).filter((id) => id !== ownId && isReference(id));
  const answered = messageIds(first(headers, "in-reply-to")).filter((id) => id !== ownId && isReference(id));
  const parent = answered[0] ?? references.at(-1) ?? null;
  const chain =
    references.length > maxReferences
      ? [...references.slice(0, 1), ...references.slice(1 - maxReferences)]
      : references;
  return { references: chain.length === 0 && parent !== null ? [parent] : chain, parent };
}

/** Takes note of a message without reading it: for thread roots of a whole folder, and for replay. */
export function noteMessage(headers: Headers, memory: MailMemory): { id: string | null; parent: string | null } {
  const id = ownMessageId(first(headers, "message-id"));
  const { references, parent } = readReferences(headers, id);
  memory.note(id, references);
  return { id, parent };
}

/** What tells two uses of one Message-ID apart: the instant of its date, else the date as written, else the sender. */
export function messageStamp(headers: Headers): string {
  const dates = headers.get("date") ?? [];
  const time = mailTime(dates, [], null);
  return time?.utc ?? time?.local ?? dates[0] ?? first(headers, "from") ?? "";
}

/** Reads one message. Never throws: what cannot be read is left out or marked. */
export function readMail(bytes: Buffer, source: MailSource, memory: MailMemory, outside?: OutsideParts): MailResult {
  return mailOf(mimeMessage(bytes, "", outside), source, memory);
}

/** Makes records of a message that is read. */
export function mailOf(message: Message, source: MailSource, memory: MailMemory): MailResult {
  const { headers, body } = message;
  const status = mailStatus(headers, source.container.title ?? "", source.nameFlags);
  const { id, parent } = noteMessage(headers, memory);
  const reused = id !== null && memory.reused(id, messageStamp(headers));
  if (status.leftOut !== null) return { mails: [], leftOut: status.leftOut };
  const { record, warning } = buildRecord(message, source, status);
  const identity = reused ? `${record.identity}#${fieldHash([messageStamp(headers)])}` : record.identity;
  const gmail = gmailThread(headers);
  const thread = gmail ?? (id !== null || parent !== null ? `mail:${memory.root(id ?? parent ?? "")}` : identity);
  const replyTo = parent === null ? null : mailIdentity(parent);
  const mails: MailRecord[] = [{ record: { ...record, identity, thread, replyTo }, files: body.files }];
  addNested(mails, body.messages, identity, source, 1);
  return { mails, leftOut: null, warning };
}

function gmailThread(headers: Headers): string | null {
  const id = first(headers, "x-gm-thrid");
  return id !== null && /^\d{1,20}$/.test(id) ? `gmail:${id}` : null;
}

/** A Message-ID above this gives way to its hash: identities are bounded. */
function mailIdentity(id: string): string {
  return id.length <= 900 ? `mail:${id}` : `mail:#${fieldHash([id])}`;
}

function addNested(
  mails: MailRecord[],
  messages: readonly NestedMessage[],
  parent: string,
  source: MailSource,
  depth: number,
): void {
  for (const [index, { part, open }] of messages.entries()) {
    if (depth > maxNesting || mails.length > 1_000) return;
    const message = open();
    if (message === null) continue;
    const status: MailStatus = { labels: [], flags: [], sent: false, leftOut: null };
    const own = { ...source, separator: null, received: null, part, labels: [] };
    const { record } = buildRecord(message, own, status);
    const base = parent.length > 900 ? `mail:#${fieldHash([parent])}` : parent;
    const identity = `${base}/attached-${index + 1}`;
    const partOf = { identity: parent, role: "attached" } as const;
    mails.push({ record: { ...record, identity, thread: null, replyTo: null, partOf }, files: message.body.files });
    addNested(mails, message.body.messages, identity, source, depth + 1);
  }
}

function party(mailbox: Mailbox, role: Party["role"], owner = false): Party {
  return { name: mailbox.name?.slice(0, 500) ?? null, address: mailbox.address, role, owner };
}

function buildRecord(
  { headers, body }: Message,
  source: MailSource,
  status: MailStatus,
): { record: ImportedRecord; warning: string | null } {
  const flags = new Set<RecordFlag>([...status.flags, ...body.flags]);
  const people = readPeople(headers, status.sent);
  const subject = decodeWords(first(headers, "subject") ?? "");
  if (subject.guessed || people.guessed) flags.add("charset-guessed");
  const id = ownMessageId(first(headers, "message-id"));
  const time =
    mailTime(headers.get("date") ?? [], headers.get("received") ?? [], source.separator?.date ?? null) ??
    source.received ??
    null;
  const tooLong = body.text.length > limits.textChars;
  const text = tooLong ? body.text.slice(0, limits.textChars).toWellFormed() : body.text;
  const chat = time?.source === "separator" && status.labels.some((label) => /^chats?$/i.test(label));
  const record: ImportedRecord = {
    ...blankRecord(),
    identity: id === null ? withoutId(headers, source, text, body) : mailIdentity(id),
    kind: chat ? "message" : "email",
    nativeId: id,
    subject: cleanLine(subject.text)?.slice(0, 2_000) ?? null,
    text: text === "" ? null : text,
    author: people.author,
    participants: people.recipients,
    time,
    container: source.container,
    files: [
      {
        path: source.path,
        offset: source.offset,
        bytes: source.bytes,
        role: null,
        ...(source.part === undefined ? {} : { part: source.part }),
      },
    ],
    props: readProps(headers, [...status.labels, ...(source.labels ?? [])], status.sent, body, flags, people.author),
  };
  const notes: string[] = [];
  if (tooLong) notes.push(`A text of ${body.text.length} characters was cut after ${limits.textChars}.`);
  if (flags.has("damaged")) {
    const where = source.offset === null ? "The message" : `The message at byte ${source.offset}`;
    notes.push(`${where} is cut or damaged in one of its parts; what can be read of it is kept.`);
  }
  return { record, warning: notes.length === 0 ? null : notes.join(" ") };
}

/** Identity of a message without Message-ID: what it says; where it says no date either, what the mbox separator says. */
function withoutId(headers: Headers, source: MailSource, text: string, body: Body): string {
  const fields = ["date", "from", "to", "subject"].map((name) => first(headers, name));
  const files = body.files.filter((file) => file.listed).map((file) => file.attachment.sha256);
  const separator = source.separator;
  const dated = fields[0] !== null || separator === null;
  const extra = dated ? [] : [separator.sender, JSON.stringify(separator.date)];
  return `mail:#${fieldHash([...fields, text, ...files, ...extra])}`;
}

function readPeople(headers: Headers, sent: boolean) {
  const from = parseAddresses(first(headers, "from"));
  const sender = from.mailboxes.length > 0 ? from : parseAddresses(first(headers, "sender"));
  let guessed = sender.guessed;
  const recipients: Party[] = [];
  for (const role of ["to", "cc", "bcc"] as const) {
    for (const field of headers.get(role) ?? []) {
      const list = parseAddresses(field);
      guessed ||= list.guessed;
      recipients.push(...list.mailboxes.map((mailbox) => party(mailbox, role)));
    }
  }
  const [main] = sender.mailboxes;
  return { author: main === undefined ? null : party(main, "author", sent), recipients, guessed };
}

function readProps(
  headers: Headers,
  labels: readonly string[],
  sent: boolean,
  body: Body,
  flags: ReadonlySet<RecordFlag>,
  author: Party | null,
): RecordProps {
  const date = first(headers, "date");
  const list = first(headers, "list-id");
  const extra: Record<string, unknown> = {
    ...(date === null ? {} : { date: cleanLine(decodeRaw(date).text)?.slice(0, 200) }),
    ...(list === null ? {} : { listId: cleanLine(decodeWords(list).text)?.slice(0, 300) }),
  };
  const attachments = body.files.filter((file) => file.listed).map((file) => file.attachment);
  return {
    ...(sent && author !== null ? { direction: "out" as const } : {}),
    ...(labels.length > 0 ? { labels: [...labels] } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}
