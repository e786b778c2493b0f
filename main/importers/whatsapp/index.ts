import type { Container } from "#contract";
import { attachmentOf, mediaRecord } from "../media.ts";
import { fieldHash } from "../text/clean.ts";
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
import { parseHeader, splitSender } from "./header.ts";
import { readLines } from "./lines.ts";
import type { DateOrder, OrderVerdict } from "./order.ts";
import { readEntries } from "./parse.ts";
import { type Chat, chatRecord, Repeats } from "./record.ts";
import { type Survey, surveyOf } from "./survey.ts";
import { isChatName, titleFromPath } from "./title.ts";

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/**
 * Whether first bytes begin a chat: a third of the first lines are message headers of one kind. A name that says
 * WhatsApp needs one header on top; any other file needs senders, and the comma that other logs do not write.
 */
function looksLikeChat(head: Uint8Array, named: boolean): boolean {
  const utf16 = head[0] === 0xff && head[1] === 0xfe;
  const text = new TextDecoder(utf16 ? "utf-16le" : "utf-8").decode(head);
  const lines = text.split(/\r?\n/).slice(0, 50);
  const headers = lines.map(parseHeader).filter((header) => header !== null);
  const [first] = headers;
  if (first === undefined) return false;
  const same = headers.filter((header) => header.kind === first.kind);
  if (named) return lines.slice(0, 5).some((line) => parseHeader(line) !== null);
  const senders = same.filter((header) => splitSender(header.rest) !== null);
  return first.comma && same.length >= lines.filter((line) => line.trim() !== "").length / 3 && senders.length > 0;
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    if (!/\.txt$/i.test(entry.name) || entry.name.startsWith("._") || entry.bytes === 0) continue;
    const named = isChatName(entry.path);
    let survey: Survey | null = null;
    try {
      if (looksLikeChat(await entry.head(), named)) survey = await surveyOf(entry);
    } catch {
      // A file that cannot be read is told of by whoever takes it in.
    }
    if (survey === null) {
      // Named like a chat but without a single dated line: claimed, so that the ledger can say just that.
      if (named) yield { primary: entry.path, companions: [], label: entry.name, confidence: 1 };
      continue;
    }
    const { mentions } = survey;
    const beside = free.inFolder(folderOf(entry.path)).filter((other) => other !== entry && mentions.has(other.name));
    const label = titleOf(entry, survey) ?? entry.name;
    yield { primary: entry.path, companions: beside.map((other) => other.path), label, confidence: named ? 3 : 2 };
  }
}

/** The chat's title: by its file or folder, by its notices, or of a chat of two by their names. */
function titleOf(entry: Entry, survey: Survey): string | null {
  const names = [...survey.names.keys()].sort();
  return titleFromPath(entry.path) ?? survey.title ?? (names.length > 0 && names.length <= 3 ? names.join(", ") : null);
}

/** Key of the chat: its title, else its first message, which a longer export of the same chat begins with too. */
function keyOf(entry: Entry, survey: Survey): string {
  const title = titleFromPath(entry.path) ?? survey.title;
  return title === null ? `whatsapp:#${fieldHash([survey.opening])}` : `whatsapp:${title.toLowerCase()}`;
}

/** The date order: as the file tells it, else as the other chats of the same import do, if they agree. */
async function orderOf(survey: Survey, context: ReadContext): Promise<OrderVerdict> {
  if (survey.order.certain) return survey.order;
  const votes = new Set<DateOrder>();
  for (const sibling of context.siblings) {
    throwIfCancelled(context.signal);
    const entry = context.tree.get(sibling.primary);
    if (entry === undefined) continue;
    try {
      const other = await surveyOf(entry);
      if (other?.order.certain && other.order.order !== "ymd" && other.mark === survey.mark)
        votes.add(other.order.order);
    } catch (error) {
      reasonOf(error, context.signal);
    }
  }
  const [order] = votes;
  return order !== undefined && votes.size === 1 ? { order, certain: false } : survey.order;
}

/** Who the owner is in a chat of two: the one after whom the chat is not called. */
function pairOf(survey: Survey, title: string | null): Chat["pair"] {
  const names = [...survey.names.keys()];
  if (names.length !== 2 || title === null) return null;
  const other = names.find((name) => name.localeCompare(title, undefined, { sensitivity: "base" }) === 0);
  const owner = names.find((name) => name !== other);
  return other === undefined || owner === undefined ? null : { owner, other };
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const file = (path: string, status: "imported" | "skipped" | "failed", reason: string | null): ImportedItem => ({
    type: "file",
    path,
    status,
    reason,
    skipped: 0,
  });
  const beside = new Map<string, Entry>();
  for (const path of claim.companions) {
    const companion = context.tree.get(path);
    if (companion !== undefined) beside.set(companion.name, companion);
  }
  const warnings = new Map<string, string>();
  let fault: string | null = null;
  let records = 0;
  try {
    if (entry.bytes > limits.chatBytes) fault = `The chat is larger than ${limits.chatBytes / 1024 / 1024} MB.`;
    else {
      for await (const item of readChat(entry, beside, context, warnings)) {
        records++;
        yield item;
      }
    }
  } catch (error) {
    fault = reasonOf(error, context.signal);
  }
  if (records === 0 && fault === null && context.resume === null)
    fault = "No line begins with a date and a name, as the messages of a WhatsApp export do.";
  yield file(
    entry.path,
    fault === null || records > 0 ? "imported" : "failed",
    fault ?? warnings.get(entry.path) ?? null,
  );
  for (const companion of beside.values()) {
    const warning = warnings.get(companion.path) ?? null;
    yield file(companion.path, companion.bytes === 0 ? "skipped" : "imported", warning);
  }
}

async function* readChat(
  entry: Entry,
  beside: ReadonlyMap<string, Entry>,
  context: ReadContext,
  warnings: Map<string, string>,
): AsyncGenerator<ImportedItem> {
  const survey = await surveyOf(entry);
  if (survey === null) return;
  const verdict = await orderOf(survey, context);
  if (!verdict.certain) {
    warnings.set(entry.path, "The file does not tell whether the day or the month comes first in its dates.");
  }
  const title = titleOf(entry, survey);
  const container: Container = { key: keyOf(entry, survey), title, kind: "chat" };
  const chat: Chat = {
    path: entry.path,
    container,
    order: verdict.order,
    uncertain: !verdict.certain,
    kind: survey.kind,
    title: survey.title !== null && !survey.names.has(survey.title) ? survey.title : null,
    pair: pairOf(survey, title),
    fileOf: (name) => {
      const found = beside.get(name);
      return found === undefined ? null : attachmentOf(found);
    },
  };
  const repeats = new Repeats();
  const resume = typeof context.resume === "number" ? context.resume : -1;
  let before = -1;
  for await (const one of readEntries(readLines(entry), survey)) {
    throwIfCancelled(context.signal);
    const record = chatRecord(one, chat, repeats);
    if (one.line > resume) {
      const media = (record.props.attachments ?? []).map(({ path }) =>
        path === null ? undefined : context.tree.get(path),
      );
      const parts = media.filter((found) => found !== undefined);
      // Until its media is kept too, a message is to be read again.
      yield { type: "record", record, cursor: parts.length === 0 ? one.line : before };
      for (const [i, part] of parts.entries()) {
        const { record: partRecord, warning } = await mediaRecord(part, record, context.signal);
        if (warning !== null) warnings.set(part.path, warning);
        if (partRecord !== null)
          yield { type: "record", record: partRecord, cursor: i === parts.length - 1 ? one.line : before };
      }
    }
    before = one.line;
  }
}

/** Chats exported from WhatsApp, as a folder, a zip or a loose text file. The cursor is the line of the last message. */
export const whatsappImporter: Importer = { id: "whatsapp", title: "WhatsApp chat", order: 80, zoneless: true, recognise, read };
