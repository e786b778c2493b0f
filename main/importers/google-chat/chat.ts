import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordProps } from "#contract";
import { boundedIdentity, chatRecord, member, Repeats } from "../chats/message.ts";
import { FileEnds, messageItems, missingFile } from "../chats/sent.ts";
import { baseName, folderOf } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { jsonItems, readJson } from "../text/json.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { ChatDates } from "./dates.ts";
import { FolderFiles } from "./folder-files.ts";
import { type GoogleMessage, groupSchema, ownerSchema, type Person, readMessage } from "./schema.ts";

const infoBytes = 16 * 1024 * 1024;
const smallGroup = 8;
const isOwnerFile = (entry: Entry) => /^user_info\.json$/i.test(entry.name);
const at = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

async function looksLikeMessages(entry: Entry): Promise<boolean> {
  const head = await entry.head().catch(() => new Uint8Array());
  const text = new TextDecoder().decode(head);
  if (!/^\s*\{\s*"messages"\s*:\s*\[/.test(text)) return false;
  return (
    /"(?:created_date|topic_id|message_id)"\s*:/.test(text) || /^\s*\{\s*"messages"\s*:\s*\[\s*\]\s*\}\s*$/.test(text)
  );
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const told = new Set<string>();
  for (const entry of free.entries) {
    if (!/\.json$/i.test(entry.name) || entry.name.startsWith("._")) continue;
    const folder = folderOf(entry.joined);
    const info = free.joined.get(at(folder, "group_info.json"));
    if (entry === info || (info === undefined && !/^messages/i.test(entry.name))) continue;
    const known = await looksLikeMessages(entry);
    if (!known && !(info !== undefined && /^messages/i.test(entry.name))) continue;
    const beside =
      info === undefined ? [] : free.joined.below(folder).filter((other) => other !== entry && !isOwnerFile(other));
    // The owner's file lies beside the folder of groups, for all of them.
    const top = folderOf(folderOf(folder));
    const owners = told.has(top) ? [] : free.joined.below(top).filter(isOwnerFile);
    told.add(top);
    const companions = [...beside, ...owners].map(({ path }) => path);
    yield { primary: entry.path, companions, label: baseName(folder) || "Google Chat", confidence: info ? 3 : 2 };
  }
}

interface Chat {
  readonly container: Container;
  readonly members: readonly Person[];
  readonly isOwner: (email: string | undefined) => boolean;
  readonly nameOf: (email: string) => string | null;
  readonly files: FolderFiles;
  readonly dates: ChatDates;
  readonly repeats: Repeats;
  readonly use: (path: string) => void;
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const primary = context.tree.get(claim.primary);
  if (primary === undefined) return;
  const ends = new FileEnds(claim);
  const companions = claim.companions.flatMap((path) => context.tree.get(path) ?? []);
  const owners = new Set<string>();
  const top = folderOf(folderOf(folderOf(primary.joined)));
  for (const entry of context.tree.joined.below(top).filter(isOwnerFile)) {
    try {
      const email = ownerSchema.safeParse(await readJson(entry, infoBytes)).data?.user.email;
      if (email) owners.add(email.toLowerCase());
      ends.use(entry.path);
    } catch (error) {
      ends.fail(entry.path, reasonOf(error, context.signal));
    }
  }
  const info = companions.find(({ name }) => /^group_info\.json$/i.test(name));
  let group: { name?: string | undefined; members?: Person[] | undefined } = {};
  if (info !== undefined) {
    try {
      group = groupSchema.safeParse(await readJson(info, infoBytes)).data ?? {};
      ends.use(info.path);
    } catch (error) {
      ends.fail(info.path, reasonOf(error, context.signal));
    }
  }
  const members = (group.members ?? []).slice(0, 10_000);
  const names = new Map(members.map(({ email, name }) => [email?.toLowerCase() ?? "", cleanLine(name ?? "")]));
  const isOwner = (email: string | undefined) => email !== undefined && owners.has(email.toLowerCase());
  const others = members.filter(({ email }) => !isOwner(email)).map(({ name, email }) => name ?? email ?? "");
  const folder = baseName(folderOf(primary.joined));
  const title = cleanLine(group.name ?? "") ?? cleanLine(others.slice(0, smallGroup).join(", ")) ?? cleanLine(folder);
  const key = `google-chat:${(await spaceOf(primary, context.signal)) ?? fieldHash([folder, title])}`;
  const chat: Chat = {
    container: { key, title, kind: "chat" },
    members,
    isOwner,
    nameOf: (email) => names.get(email.toLowerCase()) ?? null,
    files: new FolderFiles(companions.filter(({ name }) => !/^(?:group|user)_info\.json$/i.test(name))),
    dates: new ChatDates(),
    repeats: new Repeats(),
    use: (path) => ends.use(path),
  };
  yield* readMessages(primary, chat, ends, context);
  yield* ends.items("No message names this file.");
}

/** The space's id is the first part of each message's id. */
async function spaceOf(entry: Entry, signal: AbortSignal): Promise<string | null> {
  try {
    for await (const { value } of jsonItems(entry, ["$.messages.*.message_id"])) {
      const space = typeof value === "string" ? /^([^/]{1,200})\//.exec(value)?.[1] : undefined;
      if (space !== undefined) return space;
    }
  } catch (error) {
    reasonOf(error, signal);
  }
  return null;
}

async function* readMessages(
  entry: Entry,
  chat: Chat,
  ends: FileEnds,
  context: ReadContext,
): AsyncGenerator<ImportedItem> {
  const resume = typeof context.resume === "number" ? context.resume : -1;
  let index = 0;
  let sequence = 0;
  try {
    for await (const { value } of jsonItems(entry, ["$.messages.*"])) {
      throwIfCancelled(context.signal);
      const message = readMessage(value);
      if (message === null) {
        ends.leaveOut(entry.path, "Something among the messages is no message.");
        continue;
      }
      const { record, files } = messageRecord(message, chat, entry.path, sequence);
      sequence = record.sequence ?? sequence;
      const cursor = { before: index - 1, after: index };
      if (index++ > resume) yield* messageItems(record, files, cursor, ends, context);
    }
    ends.use(entry.path);
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), index > 0);
  }
}

function partyOf(person: Person, chat: Chat, role: Party["role"]): Party | null {
  const email = cleanLine(person.email ?? "");
  const name = cleanLine(person.name ?? "") ?? (email === null ? null : chat.nameOf(email));
  if (name === null && email === null) return null;
  return member(name?.slice(0, 200) ?? null, email, { role, owner: chat.isOwner(person.email) });
}

function messageRecord(
  message: GoogleMessage,
  chat: Chat,
  path: string,
  last: number,
): { record: ImportedRecord; files: Entry[] } {
  const time = message.created_date === undefined ? null : chat.dates.read(message.created_date);
  const author = partyOf(message.creator ?? {}, chat, "author");
  const files: Entry[] = [];
  const attachments: Attachment[] = (message.attached_files ?? []).slice(0, 200).map((file) => {
    const name = file.export_name ?? file.original_name;
    const entry = name === undefined ? undefined : chat.files.take(name);
    if (entry === undefined) return missingFile(file.original_name ?? name ?? null);
    files.push(entry);
    chat.use(entry.path);
    return { ...attachmentOf(entry), name: cleanLine(file.original_name ?? "") ?? entry.name };
  });
  const noted = annotationsOf(message);
  attachments.push(...noted.documents.map((name) => missingFile(name)));
  const space = chat.container.key;
  const id = message.message_id;
  const topic = message.topic_id;
  const [, inTopic, own] = id?.split("/") ?? [];
  const quoted = message.quoted_message_metadata?.message_id;
  const root =
    id !== undefined && inTopic !== undefined && own !== undefined && own !== inTopic
      ? id.replace(/[^/]+$/, inTopic)
      : null;
  const answered = quoted ?? root;
  const second = time?.utc ? Date.parse(time.utc) : null;
  const participants = chat.members.length > smallGroup ? [] : chat.members;
  const record = chatRecord({
    identity: id === undefined ? withoutId(message, chat) : `google-chat:${id}`,
    nativeId: id ?? null,
    kind: noted.notice ? "system" : "message",
    text: textOf(message),
    author,
    participants: participants.flatMap((one) => {
      const party = partyOf(one, chat, "member");
      return party === null || (party.address ?? party.name) === (author?.address ?? author?.name) ? [] : [party];
    }),
    time,
    container: chat.container,
    // Messages of one second keep the order of the file.
    sequence: second === null ? last : Math.floor(last / 1000) * 1000 === second ? last + 1 : second,
    replyTo: answered === null ? null : `google-chat:${answered}`,
    thread: topic === undefined ? null : boundedIdentity(`${space}/${topic}`),
    file: { path, offset: null, bytes: null, role: null },
    props: propsOf(message, chat, { attachments, links: noted.links, time: time !== null, author }),
  });
  return { record, files };
}

function withoutId(message: GoogleMessage, chat: Chat): string {
  const key = fieldHash([message.creator?.email ?? null, message.created_date ?? null, message.text ?? null]);
  return `${chat.container.key}/none:${key}:${chat.repeats.next(key)}`;
}

/** The message, under what it quotes. */
function textOf(message: GoogleMessage): string | null {
  const quote = message.quoted_message_metadata?.text;
  const lines = [quote === undefined || quote === "" ? null : quote.replace(/^/gm, "> "), message.text ?? null];
  const text = lines.filter((line) => line !== null && line !== "").join("\n");
  return text === "" ? null : text;
}

/** What annotations add: addresses that are no part of the text, documents of Drive, notices about members. */
function annotationsOf({ annotations = [], text = "" }: GoogleMessage) {
  const links = new Set<string>();
  const documents: string[] = [];
  let notice = false;
  const collect = (value: unknown, key: string, depth: number): void => {
    if (depth > 6 || links.size > 100) return;
    if (typeof value === "string") {
      const address = /^https?:\/\//.test(value) && /url|uri|wrapped_value/.test(key) && !/image|thumb|icon/.test(key);
      if (address && !text.includes(value)) links.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inside] of Object.entries(value)) {
        if (!/image|thumb|icon/.test(name)) collect(inside, name, depth + 1);
      }
    }
  };
  for (const annotation of annotations.slice(0, 200)) {
    for (const [kind, value] of Object.entries(annotation)) {
      if (/membership_change/.test(kind)) notice = true;
      if (!/^(?:url|youtube|drive|video_call|gsuite_integration)_metadata$|meet/.test(kind)) continue;
      collect(value, kind, 0);
      const title = typeof value === "object" && value !== null && "title" in value ? value.title : null;
      if (kind === "drive_metadata" && typeof title === "string" && title !== "") documents.push(title);
    }
  }
  return { links: [...links], documents, notice };
}

function propsOf(
  message: GoogleMessage,
  chat: Chat,
  more: { attachments: Attachment[]; links: string[]; time: boolean; author: Party | null },
): RecordProps {
  const flags = new Set<RecordFlag>();
  if (message.deletion_metadata !== undefined || /^deleted$/i.test(message.message_state ?? "")) flags.add("deleted");
  const older = message.previous_message_versions ?? [];
  if (older.length > 0 || message.updated_date !== undefined) flags.add("edited");
  if (more.attachments.some(({ missing }) => missing)) flags.add("missing-media");
  const modified = message.updated_date === undefined ? null : chat.dates.read(message.updated_date);
  const edits = older.slice(0, 200).map((one) => {
    const when = one.updated_date ?? one.created_date;
    return { time: when === undefined ? null : chat.dates.read(when), text: one.text ?? "" };
  });
  const reactions = (message.reactions ?? []).flatMap(({ emoji, reactor_emails: by = [] }) => {
    const sign = emoji?.unicode;
    return sign === undefined ? [] : by.map((email) => ({ emoji: sign, by: chat.nameOf(email) ?? email, count: null }));
  });
  const unread =
    message.created_date !== undefined && !more.time ? { created_date: message.created_date.slice(0, 300) } : {};
  const bot = /^bot$/i.test(message.creator?.user_type ?? "") ? { bot: true } : {};
  const extra = { ...unread, ...bot };
  return {
    ...(more.author?.owner ? { direction: "out" as const } : {}),
    ...(more.attachments.length > 0 ? { attachments: more.attachments } : {}),
    ...(more.links.length > 0 ? { links: more.links } : {}),
    ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
    ...(edits.length > 0 ? { edits } : {}),
    ...(modified === null ? {} : { modified }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/** Google Chat from Takeout: one claim a conversation. The cursor counts its messages. */
export const googleChatImporter: Importer = { id: "google-chat", title: "Google Chat", order: 82, recognise, read };
