import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordProps } from "#contract";
import { chatRecord, member } from "../chats/message.ts";
import { missingFile } from "../chats/sent.ts";
import { baseName } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine, cleanText, fieldHash } from "../text/clean.ts";
import { timeFromInstant } from "../text/time.ts";
import type { Entry } from "../types.ts";
import { type Notice, noticeOf } from "./notices.ts";
import type { MetaMessage } from "./schema.ts";

/** A thread as far as all of its messages share it. */
export interface Chat {
  readonly container: Container;
  readonly participants: readonly string[];
  readonly isOwner: (name: string) => boolean;
  readonly fileOf: (uri: string) => Entry | undefined;
}

/** Members of larger groups are not repeated with every message. */
const smallGroup = 8;

/** Key of a message but for its repeat: stable when the export's folders, and so the paths of its files, are renamed. */
export function messageKey(message: MetaMessage): string {
  const { sender, content, files, shares } = message;
  return fieldHash([sender, content, ...files.map(baseName).sort(), ...shares.map(({ link }) => link)]);
}

/** One message as a record, and the files that lie beside it. `sequence` is where it stands when it has no time. */
export function messageRecord(
  message: MetaMessage,
  chat: Chat,
  at: { readonly path: string; readonly sequence: number; readonly repeat: number },
): { readonly record: ImportedRecord; readonly files: readonly Entry[] } {
  const { sender, ms } = message;
  const notice = message.content === null ? null : noticeOf(message.content, sender);
  const files: Entry[] = [];
  const attachments: Attachment[] = message.files.map((uri) => {
    const file = chat.fileOf(uri);
    if (file === undefined) return missingFile(baseName(uri.replace(/[?#].*$/, "")) || null);
    files.push(file);
    return attachmentOf(file);
  });
  const unnamed = notice === "attachment" && attachments.length === 0 && message.shares.length === 0;
  if ((unnamed || message.type === "placeholder") && !message.unsent) attachments.push(missingFile(null));
  const name = sender === null ? null : (cleanLine(sender)?.slice(0, 200) ?? null);
  const author = name === null ? null : person(name, chat, "author");
  const system = isSystem(message, notice);
  const time = ms === null ? null : timeFromInstant(ms, { source: "timestamp_ms", precision: "ms" });
  const repeat = at.repeat > 1 ? `:${at.repeat}` : "";
  const identity = `${chat.container.key}/${ms ?? "none"}:${messageKey(message)}${repeat}`;
  const record = chatRecord({
    identity,
    nativeId: null,
    kind: system ? "system" : "message",
    text: textOf(message, notice),
    author,
    participants: othersOf(name, chat),
    time,
    container: chat.container,
    sequence: time === null || ms === null ? at.sequence : ms,
    place: null,
    file: { path: at.path, offset: null, bytes: null, role: null },
    props: propsOf(message, notice, author, attachments),
  });
  return { record, files };
}

function person(name: string, chat: Chat, role: Party["role"]): Party {
  return member(name, null, { role, owner: chat.isOwner(name) });
}

function othersOf(sender: string | null, chat: Chat): Party[] {
  if (chat.participants.length > smallGroup) return [];
  return [...new Set(chat.participants)].filter((one) => one !== sender).map((one) => person(one, chat, "member"));
}

function isSystem(message: MetaMessage, notice: Notice | null): boolean {
  if (message.callSeconds !== null || message.missed || message.users.length > 0) return true;
  if (/^(?:call|subscribe|unsubscribe)$/i.test(message.type ?? "")) return true;
  return notice !== null && notice !== "attachment";
}

/** What the person wrote; else what was shared, planned or asked. The application's words for "a file" are no text. */
function textOf(message: MetaMessage, notice: Notice | null): string | null {
  const parts: string[] = [];
  if (message.content !== null && notice !== "attachment") parts.push(message.content);
  for (const { text } of message.shares) {
    if (text === null || text.trim() === "" || parts.includes(text)) continue;
    parts.push(parts.length === 0 ? text : cleanText(text).replace(/^/gm, "> "));
  }
  if (message.poll !== null) {
    parts.push(...[message.poll.question ?? "", ...message.poll.options.map((option) => `- ${option}`)]);
  }
  const { plan } = message;
  if (plan !== null) {
    const shown = [plan.title, plan.place].filter(
      (one) => one !== null && one !== "" && !parts.join("\n").includes(one),
    );
    if (shown.length > 0) parts.push(shown.join(", "));
  }
  const text = parts.filter((part) => part.trim() !== "").join("\n");
  return text === "" ? null : text;
}

function propsOf(
  message: MetaMessage,
  notice: Notice | null,
  author: Party | null,
  attachments: readonly Attachment[],
): RecordProps {
  const flags = new Set<RecordFlag>();
  if (message.unsent) flags.add("deleted");
  if (message.poll !== null) flags.add("poll");
  if (message.missed || notice === "missed") flags.add("missed");
  if (message.callSeconds !== null || message.missed || notice === "call" || notice === "missed") flags.add("call");
  if (/^call$/i.test(message.type ?? "")) flags.add("call");
  if (attachments.some(({ missing }) => missing)) flags.add("missing-media");
  const links = message.shares.flatMap(({ link }) => link ?? []);
  const owner = message.shares.find((share) => share.owner !== null)?.owner ?? null;
  return {
    ...(author === null ? {} : author.owner ? { direction: "out" as const } : {}),
    ...(attachments.length > 0 ? { attachments: [...attachments] } : {}),
    ...(links.length > 0 ? { links: [...new Set(links)] } : {}),
    ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
    ...(message.reactions.length > 0
      ? {
          reactions: message.reactions.map(({ emoji, by }) => ({
            emoji,
            by: by === null ? null : cleanLine(by),
            count: null,
          })),
        }
      : {}),
    ...(message.callSeconds === null ? {} : { duration: message.callSeconds }),
    ...(owner === null || owner === "" ? {} : { forwardedFrom: owner }),
    ...(message.users.length > 0 ? { extra: { users: message.users } } : {}),
  };
}
