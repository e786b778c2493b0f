import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordProps } from "#contract";
import { chatRecord, member, type Repeats } from "../chats/message.ts";
import { missingFile } from "../chats/sent.ts";
import { attachmentOf } from "../media.ts";
import { fieldHash } from "../text/clean.ts";
import { timeFromInstant } from "../text/time.ts";
import type { Entry } from "../types.ts";
import { blocksText } from "./blocks.ts";
import { plainText } from "./markup.ts";
import { micros, type SlackAttachment, type SlackFile, type SlackMessage } from "./schema.ts";
import { emojiOf } from "./short-codes.ts";
import { type Channel, shownName, type Workspace } from "./workspace.ts";

/** A channel as far as all of its messages share it. */
export interface Chat {
  readonly workspace: Workspace;
  readonly channel: Channel;
  readonly container: Container;
  readonly fileOf: (file: SlackFile) => Entry | undefined;
  readonly repeats: Repeats;
}

/** Subtypes that hold what a person or a program said; every other one is a notice. */
const spoken = new Set(
  "bot_message me_message file_share file_comment file_mention document_mention thread_broadcast slackbot_response assistant_app_thread tombstone".split(
    " ",
  ),
);
const calls = new Set(["sh_room_created", "sh_room_shared", "huddle_thread", "bot_call"]);

interface Said {
  readonly text: string | null;
  readonly links: readonly string[];
  readonly forwardedFrom: string | null;
}

/** One message as a record, and those of its files that lie beside the export. */
export function messageRecord(
  message: SlackMessage,
  chat: Chat,
  at: { readonly path: string; readonly sequence: number; readonly deleted: boolean },
): { readonly record: ImportedRecord; readonly files: readonly Entry[] } {
  const { container, workspace } = chat;
  const time = micros(message.ts);
  const author = authorOf(message, workspace);
  const said: Said =
    at.deleted && message.subtype === "tombstone"
      ? { text: null, links: [], forwardedFrom: null }
      : saidIn(message, chat);
  const files: Entry[] = [];
  const attachments = filesOf(message).flatMap((file) => {
    const entry = chat.fileOf(file);
    if (entry === undefined) return isLink(file) ? [] : [notThere(file)];
    files.push(entry);
    return [attachmentOf(entry)];
  });
  const root = micros(message.thread_ts) === null ? null : `${container.key}/${message.thread_ts}`;
  const isReply = root !== null && message.thread_ts !== message.ts;
  const links = [...said.links, ...filesOf(message).flatMap((file) => (isLink(file) ? (file.url_private ?? []) : []))];
  const record = chatRecord({
    identity: `${container.key}/${time === null ? withoutTime(message, said, chat) : message.ts}`,
    nativeId: message.ts ?? null,
    kind: message.subtype === undefined || spoken.has(message.subtype) ? "message" : "system",
    text: said.text,
    author,
    participants: othersOf(author, chat),
    time: time === null ? null : timeFromInstant(time / 1000, { source: "ts" }),
    container,
    sequence: time ?? at.sequence,
    replyTo: isReply ? root : null,
    thread: root,
    file: { path: at.path, offset: null, bytes: null, role: null },
    props: propsOf(message, said, { attachments, links, deleted: at.deleted, author }, workspace),
  });
  return { record, files };
}

function withoutTime(message: SlackMessage, said: Said, chat: Chat): string {
  const key = fieldHash([message.client_msg_id ?? null, message.user ?? message.username ?? null, said.text]);
  return `none:${key}:${chat.repeats.next(key)}`;
}

function authorOf(message: SlackMessage, workspace: Workspace): Party | null {
  const id = message.user ?? message.comment?.user;
  const profile = message.user_profile;
  const own =
    message.subtype === "bot_message" || id === undefined
      ? shownName(message.username, message.bot_profile?.name)
      : null;
  const name =
    own ??
    (id === undefined ? null : workspace.names.user(id)) ??
    shownName(profile?.display_name, profile?.real_name, profile?.name, message.bot_profile?.name);
  const address = id ?? message.bot_id ?? null;
  if (name === null && address === null) return null;
  return member(name, address, { role: "author", owner: id !== undefined && id === workspace.owner });
}

/** The others of a direct chat. */
function othersOf(author: Party | null, { channel, workspace }: Chat): Party[] {
  if (channel.kind !== "direct" || channel.members.length > 9) return [];
  return channel.members
    .filter((id) => id !== author?.address)
    .map((id) => member(workspace.names.user(id), id, { role: "member", owner: id === workspace.owner }));
}

/** The message's own text; else what its blocks say; else what a program attached. Previews of links are left out. */
function saidIn(message: SlackMessage, chat: Chat): Said {
  const { names } = chat.workspace;
  const own = plainText(message.text ?? message.comment?.comment ?? "", names);
  const said = own.text.trim() === "" ? blocksText(message.blocks ?? [], names) : own;
  const parts = said.text.trim() === "" ? [] : [said.text];
  const links = [...said.links];
  const bare = parts.length === 0;
  let forwardedFrom: string | null = null;
  for (const one of (message.attachments ?? []).slice(0, 100)) {
    const shared = one.is_share === true || one.is_msg_unfurl === true;
    for (const link of [one.title_link, one.from_url]) {
      if (link !== undefined && /^[a-z]+:/i.test(link) && !parts.join("\n").includes(link)) links.push(link);
    }
    if (shared) forwardedFrom ??= shownName(chat.workspace.names.user(one.author_id ?? ""), one.author_name);
    if (!bare && !shared) continue;
    const text = attachedText(one, chat);
    if (text.trim() === "") continue;
    parts.push(shared ? text.replace(/^/gm, "> ") : text);
  }
  return { text: parts.length === 0 ? null : parts.join("\n"), links, forwardedFrom };
}

function attachedText(one: SlackAttachment, { workspace }: Chat): string {
  const plain = (text: string | undefined) => plainText(text ?? "", workspace.names).text;
  const body = one.text ?? "";
  const blocks = body === "" && one.blocks !== undefined ? blocksText(one.blocks, workspace.names).text : "";
  const lines =
    body === "" && blocks === ""
      ? [one.pretext, one.fallback ?? one.title].map(plain)
      : [one.pretext, one.title, body].map(plain);
  return [...lines, blocks].filter((line) => line.trim() !== "").join("\n");
}

function filesOf(message: SlackMessage): readonly SlackFile[] {
  const files = message.files ?? (message.file === undefined ? [] : [message.file]);
  return files.slice(0, 200);
}

/** A document that lives elsewhere (mode `external`): an address, not a file. */
function isLink(file: SlackFile): boolean {
  return (file.mode === "external" || file.is_external === true) && file.url_private !== undefined;
}

function notThere(file: SlackFile): Attachment {
  const { mimetype, size } = file;
  return missingFile(file.name ?? file.title ?? null, {
    ...(mimetype === undefined || mimetype === "" ? {} : { mime: mimetype }),
    bytes: size ?? null,
  });
}

function propsOf(
  message: SlackMessage,
  said: Said,
  more: { attachments: Attachment[]; links: readonly string[]; deleted: boolean; author: Party | null },
  workspace: Workspace,
): RecordProps {
  const flags = new Set<RecordFlag>();
  if (more.deleted) flags.add("deleted");
  if (message.edited !== undefined) flags.add("edited");
  if ((message.pinned_to ?? []).length > 0) flags.add("pinned");
  if (message.is_starred) flags.add("starred");
  if (calls.has(message.subtype ?? "")) flags.add("call");
  if (more.attachments.some(({ missing }) => missing)) flags.add("missing-media");
  const changed = micros(message.edited?.ts);
  const modified = changed === null ? null : timeFromInstant(changed / 1000, { source: "edited.ts" });
  const { date_start: start = 0, date_end: end = 0 } = message.room ?? {};
  const reactions = (message.reactions ?? []).flatMap(({ name, users = [], count }) => {
    const emoji = emojiOf(name) ?? `:${name}:`;
    const known = users.map((id) => ({ emoji, by: workspace.names.user(id) ?? id, count: null }));
    // Only the first users of a long list are written down.
    const rest = (count ?? 0) - known.length;
    return rest > 0 ? [...known, { emoji, by: null, count: rest }] : known;
  });
  return {
    ...(more.author?.owner ? { direction: "out" as const } : {}),
    ...(more.attachments.length > 0 ? { attachments: more.attachments } : {}),
    ...(more.links.length > 0 ? { links: [...new Set(more.links)] } : {}),
    ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
    ...(said.forwardedFrom === null ? {} : { forwardedFrom: said.forwardedFrom }),
    ...(modified === null ? {} : { modified }),
    ...(start > 0 && end >= start ? { duration: end - start } : {}),
    ...(message.subtype === undefined ? {} : { extra: { subtype: message.subtype.slice(0, 100) } }),
  };
}
