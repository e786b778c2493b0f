import type { Attachment, Container, ImportedRecord, Party, RecordFlag } from "#contract";
import { FilesBeside } from "../chats/beside.ts";
import { chatRecord, member, Repeats } from "../chats/message.ts";
import { type FileEnds, messageItems, missingFile } from "../chats/sent.ts";
import { baseName, folderOf } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, ReadContext } from "../types.ts";
import { type ExportMessage, exportMessages, timeOf } from "./export.ts";

/** A chat folder of signal-export as records. */

const folded = (body: string) => body.replace(/[`>\s]+/g, " ").trim();

/**
 * What a message is known by: second, sender, words, and the n-th of its like. The same in data.json and in chat.md, and in
 * a later, longer export.
 */
function hashOf(message: ExportMessage, repeats: Repeats): string {
  const media = message.files.length > 0 || message.sticker !== null ? "media" : "";
  const fields = [message.date?.slice(0, 19) ?? null, message.sender, folded(message.body), media];
  return fieldHash([...fields, String(repeats.next(fieldHash(fields)))]);
}

export function titleOf(entry: Entry): string {
  return cleanLine(baseName(folderOf(entry.path))) ?? entry.name;
}

/** Ends of the identities of the first messages, by which the archive knows the chat under another name. */
export async function fingerprintsOf(entry: Entry): Promise<string[]> {
  const ends: string[] = [];
  const repeats = new Repeats();
  for await (const message of exportMessages(entry, () => undefined)) {
    ends.push(`:${hashOf(message, repeats)}`);
    if (ends.length >= 200) break;
  }
  return ends;
}

interface Survey {
  readonly senders: ReadonlySet<string>;
}

async function surveyOf(entry: Entry): Promise<Survey> {
  const senders = new Set<string>();
  for await (const { sender } of exportMessages(entry, () => undefined)) if (senders.size < 1_000) senders.add(sender);
  return { senders };
}

/** Messages that a quote may mean are remembered up to this many. */
const maxRemembered = 300_000;

/** What was said, to find the message that a quote repeats: the tool gives no other link. */
class Said {
  readonly #byText = new Map<string, string>();

  remember(body: string, identity: string): void {
    const key = folded(body).slice(0, 120);
    if (key === "" || this.#byText.size >= maxRemembered) return;
    this.#byText.delete(key);
    this.#byText.set(key, identity);
  }

  find(quote: string): string | null {
    const key = folded(quote).slice(0, 120);
    return key === "" ? null : (this.#byText.get(key) ?? null);
  }
}

export async function* readFolder(
  claim: Claim,
  entry: Entry,
  context: ReadContext,
  ends: FileEnds,
): AsyncGenerator<ImportedItem> {
  ends.use(entry.path);
  const title = titleOf(entry);
  const key = context.knownContainer ?? `signal:export/${title.toLowerCase()}`;
  const container: Container = { key, title, kind: "chat" };
  const files = new FilesBeside(claim, context.tree, folderOf(entry.joined));
  const { senders } = await surveyOf(entry);
  const people = [...senders].filter((name) => name !== "No-Sender" && name !== "Me");
  const other = people.length <= 1 && (people[0] ?? title) === title ? title : null;
  const repeats = new Repeats();
  const said = new Said();
  const resume = typeof context.resume === "number" ? context.resume : 0;
  let before = 0;
  const fault = () => ends.leaveOut(entry.path, "Some lines are no messages.");
  for await (const message of exportMessages(entry, fault)) {
    throwIfCancelled(context.signal);
    const identity = `signal:${fieldHash([key]).slice(0, 16)}:${hashOf(message, repeats)}`;
    const place = { identity, path: entry.path, container, other, replyTo: said.find(message.quote) };
    const { record, entries } = recordOf(message, place, files);
    said.remember(message.body, identity);
    for (const one of entries) ends.use(one.path);
    if (message.line > resume) yield* messageItems(record, entries, { before, after: message.line }, ends, context);
    before = message.line;
  }
}

function partyOf(name: string, role: Party["role"] = null): Party {
  const shown = cleanLine(name)?.slice(0, 200) ?? null;
  const phone = /^\+\d{5,17}$/.test(name) ? name : null;
  return member(phone === null ? shown : null, phone, { role, owner: name === "Me" });
}

function recordOf(
  message: ExportMessage,
  place: {
    readonly identity: string;
    readonly path: string;
    readonly container: Container;
    readonly other: string | null;
    readonly replyTo: string | null;
  },
  files: FilesBeside,
): { record: ImportedRecord; entries: Entry[] } {
  const attachments: Attachment[] = [];
  const entries: Entry[] = [];
  for (const { name, path } of message.files.slice(0, 200)) {
    const entry = path === null ? null : files.find(path);
    attachments.push(entry === null ? missingFile(name) : attachmentOf(entry));
    if (entry !== null) entries.push(entry);
  }
  const flags: RecordFlag[] = [];
  if (message.deleted) flags.push("deleted");
  if (message.call) flags.push("call");
  if (message.missed) flags.push("missed");
  if (attachments.some(({ missing }) => missing)) flags.push("missing-media");
  const author = message.sender === "No-Sender" ? null : partyOf(message.sender);
  const extra = {
    ...(message.sticker === null ? {} : { sticker: message.sticker }),
    ...(message.quote === "" ? {} : { quote: message.quote.slice(0, 10_000) }),
  };
  const reactions = message.reactions.slice(0, 1_000).map(({ name, emoji }) => ({ emoji, by: name, count: 1 }));
  const record = chatRecord({
    identity: place.identity,
    nativeId: null,
    kind: message.call ? "system" : "message",
    text: message.body,
    author,
    participants: author?.owner && place.other !== null ? [partyOf(place.other, "member")] : [],
    time: timeOf(message.date),
    container: place.container,
    sequence: message.line,
    replyTo: place.replyTo,
    file: { path: place.path, offset: null, bytes: null, role: null },
    props: {
      ...(author === null ? {} : { direction: author.owner ? "out" : "in" }),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(flags.length > 0 ? { flags: flags.sort() } : {}),
      ...(reactions.length > 0 ? { reactions } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  });
  return { record, entries };
}
