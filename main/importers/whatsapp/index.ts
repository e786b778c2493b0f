import type { Container } from "#contract";
import { FileEnds, messageItems } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { attachmentOf } from "../media.ts";
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
import { type Chat, chatRecord, Fingerprints, Repeats, Sequence } from "./record.ts";
import { type Survey, surveyOf } from "./survey.ts";
import { isChatName, titleFromPath } from "./title.ts";

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
    const fingerprints = await fingerprintsOf(entry, survey, beside);
    yield {
      primary: entry.path,
      companions: beside.map((other) => other.path),
      label,
      confidence: named ? 3 : 2,
      ...(fingerprints.length > 0 ? { fingerprints } : {}),
    };
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

/** What the archive may know the chat by: a second pass, which reads every message as the import does. */
async function fingerprintsOf(entry: Entry, survey: Survey, beside: readonly Entry[]): Promise<readonly string[]> {
  if (entry.bytes > limits.chatBytes) return [];
  const files = new Map(beside.map((other) => [other.name, other]));
  const chat = chatOf(entry, survey, files, survey.order, null);
  const repeats = new Repeats();
  const fingerprints = new Fingerprints();
  try {
    for await (const one of readEntries(readLines(entry), survey)) fingerprints.add(chatRecord(one, chat, repeats));
  } catch {
    // A file that breaks off is known by what stands before; the reading says why.
  }
  return fingerprints.list();
}

/** What all messages of a chat share; `known` is the archive's key of the same chat under another name. */
function chatOf(
  entry: Entry,
  survey: Survey,
  beside: ReadonlyMap<string, Entry>,
  order: OrderVerdict,
  known: string | null,
): Chat {
  const title = titleOf(entry, survey);
  const container: Container = { key: known ?? keyOf(entry, survey), title, kind: "chat" };
  return {
    path: entry.path,
    container,
    order: order.order,
    uncertain: !order.certain,
    kind: survey.kind,
    title: survey.title !== null && !survey.names.has(survey.title) ? survey.title : null,
    pair: pairOf(survey, title),
    fileOf: (name) => {
      const found = beside.get(name);
      return found === undefined ? null : attachmentOf(found);
    },
    sequence: new Sequence(),
  };
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

/** Who the owner is in a chat of two: the one after whom the chat is not called. A group does not tell. */
function pairOf(survey: Survey, title: string | null): Chat["pair"] {
  const names = [...survey.names.keys()];
  if (names.length !== 2 || title === null || survey.group) return null;
  const other = names.find((name) => name.localeCompare(title, undefined, { sensitivity: "base" }) === 0);
  const owner = names.find((name) => name !== other);
  return other === undefined || owner === undefined ? null : { owner, other };
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const companions = claim.companions.map((path) => context.tree.get(path)).filter((found) => found !== undefined);
  const beside = new Map(companions.map((companion) => [companion.name, companion]));
  const ends = new FileEnds(claim);
  for (const { path, bytes } of companions) {
    if (bytes > 0) ends.use(path);
    else ends.warn(path, "The file is empty.");
  }
  let some = context.resume !== null;
  let fault: string | null = null;
  try {
    if (entry.bytes > limits.chatBytes) fault = `The chat is larger than ${limits.chatBytes / 1024 / 1024} MB.`;
    else {
      for await (const item of readChat(entry, beside, context, ends)) {
        some = true;
        yield item;
      }
    }
  } catch (error) {
    fault = reasonOf(error, context.signal);
  }
  if (some) ends.use(entry.path);
  else fault ??= "No line begins with a date and a name, as the messages of a WhatsApp export do.";
  if (some && fault !== null) ends.warn(entry.path, fault);
  else if (fault !== null) ends.fail(entry.path, fault);
  yield* ends.items("The chat does not name it.");
}

async function* readChat(
  entry: Entry,
  beside: ReadonlyMap<string, Entry>,
  context: ReadContext,
  ends: FileEnds,
): AsyncGenerator<ImportedItem> {
  const survey = await surveyOf(entry);
  if (survey === null) return;
  const verdict = await orderOf(survey, context);
  if (!verdict.certain) {
    ends.warn(entry.path, "The file does not tell whether the day or the month comes first in its dates.");
  }
  const chat = chatOf(entry, survey, beside, verdict, context.knownContainer);
  const repeats = new Repeats();
  const resume = typeof context.resume === "number" ? context.resume : -1;
  let before = -1;
  for await (const one of readEntries(readLines(entry), survey)) {
    throwIfCancelled(context.signal);
    const record = chatRecord(one, chat, repeats);
    if (one.line > resume) {
      const sent = (record.props.attachments ?? []).flatMap(({ path }) => {
        const file = path === null ? undefined : context.tree.get(path);
        return file === undefined ? [] : [file];
      });
      yield* messageItems(record, sent, { before, after: one.line }, ends, context);
    }
    before = one.line;
  }
}

/** Chats exported from WhatsApp, as a folder, a zip or a loose text file. The cursor is the line of the last message. */
export const whatsappImporter: Importer = {
  id: "whatsapp",
  title: "WhatsApp chat",
  order: 80,
  zoneless: true,
  recognise,
  read,
};
