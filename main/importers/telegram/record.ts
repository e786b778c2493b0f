import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordProps, RecordTime } from "#contract";
import type { FilesBeside } from "../chats/beside.ts";
import { boundedIdentity, chatRecord, member } from "../chats/message.ts";
import { missingFile } from "../chats/sent.ts";
import { baseName } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine } from "../text/clean.ts";
import { type Civil, civilMs, isCivil, timeFromCivil, timeFromInstant } from "../text/time.ts";
import type { Entry } from "../types.ts";
import { callFlags, noticeText } from "./notices.ts";
import type { ChatHeader, TelegramMessage } from "./schema.ts";
import { isPath, pollText, wordsOf } from "./text.ts";

/** A chat as far as all of its messages share it. */
export interface TelegramChat {
  readonly container: Container;
  /** User id of the other one in a chat of two: `user123`. */
  readonly peer: string | null;
  readonly peerName: string | null;
  /** User id of the archive's owner, where the export or the kind of chat tells it. */
  readonly owner: string | null;
  /** Id under which a group or channel speaks itself: `channel123`. */
  readonly self: string;
  readonly channel: boolean;
  /** An export of before 2021: ids of users are bare numbers. */
  readonly bare: boolean;
  /** Threads of a group with topics: the message that made the topic → its thread. */
  readonly topics: Set<string>;
}

const classes: Readonly<Record<string, string>> = {
  personal_chat: "user",
  bot_chat: "user",
  saved_messages: "user",
  replies: "user",
  verification_codes: "user",
  private_group: "chat",
};

/** Exports of before 2021 wrote the class of a chat into the bits above the 32nd of its id. */
function bareId(id: string, bare: boolean): string {
  const value = Number(id);
  return bare && Number.isSafeInteger(value) && value >= 2 ** 32 ? String(value % 2 ** 32) : id;
}

/**
 * The chat of a header. `first` is one of its messages with a sender, by which the age of the export is told; `owner` is
 * the account's user id, null in the export of one chat.
 */
export function chatOf(header: ChatHeader, first: TelegramMessage | null, owner: string | null): TelegramChat {
  const from = first?.from_id ?? first?.actor_id ?? null;
  const name = header.name === null ? null : cleanLine(header.name);
  const bare = typeof from === "number" || (typeof from === "string" && /^\d+$/.test(from));
  if (header.id === null) return untoldChat(name);
  const kind = classes[header.type ?? ""] ?? (/channel|supergroup/.test(header.type ?? "") ? "channel" : "chat");
  const id = bareId(header.id, bare);
  const saved = header.type === "saved_messages";
  const title = name ?? (saved ? "Saved Messages" : header.type === "replies" ? "Replies" : null);
  const pair = header.type === "personal_chat" || header.type === "bot_chat";
  return {
    container: { key: `telegram:${kind}${id}`, title, kind: "chat" },
    peer: pair ? `user${id}` : null,
    peerName: pair ? name : null,
    owner: owner ?? (saved ? `user${id}` : null),
    self: `${kind}${id}`,
    channel: /channel/.test(header.type ?? ""),
    bare,
    topics: new Set(),
  };
}

/** A chat of which only the title is told, as the pages of an HTML export do. */
export function untoldChat(title: string | null): TelegramChat {
  const key = boundedIdentity(`telegram:title/${title?.toLowerCase() ?? ""}`);
  const nobody = { peer: null, peerName: null, owner: null, self: "", channel: false, bare: false };
  return { container: { key, title, kind: "chat" }, ...nobody, topics: new Set() };
}

const civilPattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/;

function civilOf(text: string | null): Civil | null {
  const match = civilPattern.exec(text ?? "");
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const civil = { year, month, day, hour, minute, second };
  return isCivil(civil) && year >= 2013 ? civil : null;
}

/**
 * The instant is certain; the wall clock beside it is that of the computer that exported, and tells its offset. Exports of
 * before 2022 have the wall clock only.
 */
export function timeOf(unix: number | null, wall: string | null, field: string): RecordTime | null {
  const civil = civilOf(wall);
  if (unix === null || unix <= 0) {
    return civil === null ? null : timeFromCivil(civil, null, { source: field });
  }
  const source = `${field}_unixtime`;
  if (civil !== null) {
    const minutes = (civilMs(civil) / 1000 - unix) / 60;
    if (minutes % 15 === 0 && Math.abs(minutes) <= 14 * 60) return timeFromCivil(civil, minutes, { source });
  }
  return timeFromInstant(unix * 1000, { source });
}

function userId(id: string | number | null): string | null {
  if (id === null || id === "") return null;
  return /^\d+$/.test(String(id)) ? `user${id}` : String(id).slice(0, 200);
}

function partyOf(name: string | null, id: string | null, chat: TelegramChat): Party {
  const shown = name === null ? null : (cleanLine(name)?.slice(0, 200) ?? null);
  // In a chat of two who is not the other one is the owner.
  const owner = id !== null && (chat.owner === null ? chat.peer !== null && id !== chat.peer : id === chat.owner);
  return member(shown, id, { owner });
}

/** Who wrote it. A group in whose name an administrator writes is no person; his signature is. */
function authorOf(message: TelegramMessage, chat: TelegramChat): Party | null {
  const id = userId(message.from_id ?? message.actor_id);
  const name = message.from ?? message.actor;
  if (id !== null && id === chat.self && !id.startsWith("user")) {
    return member(message.author ?? (chat.channel ? name : null), id);
  }
  return id === null && name === null ? null : partyOf(name, id, chat);
}

interface Sent {
  readonly attachments: readonly Attachment[];
  /** Files that are there, to be read as parts of the message. */
  readonly entries: readonly Entry[];
  /** Files that are there and need no record of their own: stickers. */
  readonly shown: readonly Entry[];
}

/** What was sent with it. A sentence in the place of a path says why the file is not there. */
function sentOf(message: TelegramMessage, files: FilesBeside): Sent {
  const attachments: Attachment[] = [];
  const entries: Entry[] = [];
  const shown: Entry[] = [];
  const add = (path: string | null, name: string | null, mime: string | null, bytes: number | null) => {
    if (path === null || path === "") return;
    const entry = isPath(path) ? files.find(path) : null;
    if (entry === null) {
      const told = name ?? (isPath(path) ? baseName(path.replaceAll("\\", "/")) : null);
      const whole = bytes !== null && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
      const missing = missingFile(told);
      attachments.push({ ...missing, mime: mime ?? missing.mime, bytes: whole });
      return;
    }
    const attachment = attachmentOf(entry);
    attachments.push({ ...attachment, mime: attachment.mime ?? mime });
    if (message.media_type === "sticker") shown.push(entry);
    else entries.push(entry);
  };
  add(message.photo, null, "image/jpeg", message.photo_file_size);
  add(message.file, message.file_name, message.mime_type?.slice(0, 200) ?? null, message.file_size);
  add(message.contact_vcard, null, "text/vcard", null);
  return { attachments, entries, shown };
}

function reactionsOf(message: TelegramMessage): NonNullable<RecordProps["reactions"]> {
  return message.reactions.slice(0, 1_000).flatMap(({ type, emoji, count, recent }) => {
    const shown = emoji ?? (type === "paid" ? "⭐" : type === "custom_emoji" ? "custom emoji" : null);
    if (shown === null) return [];
    const people = recent.map((one) => ({ emoji: shown, by: one.from ?? one.from_id, count: 1 }));
    const rest = Math.trunc(count ?? people.length) - people.length;
    return rest > 0 ? [...people, { emoji: shown, by: null, count: rest }] : people;
  });
}

/** A person's card, an invoice, a game, a list of things to do: what is shown of them, where there are no words. */
function cardText(message: TelegramMessage): string | null {
  const lines = (...given: (string | null | undefined)[]) =>
    given.filter((line) => line !== null && line !== undefined && line.trim() !== "").join("\n");
  const { contact_information: contact, invoice_information: invoice, todo_list: list } = message;
  if (contact !== null)
    return lines([contact.first_name, contact.last_name].filter(Boolean).join(" "), contact.phone_number);
  if (list !== null) {
    const items = list.items.length > 0 ? list.items : list.answers;
    return lines(list.title, ...items.map((item) => `- ${item.text ?? ""}`));
  }
  if (invoice !== null) return lines(invoice.title, invoice.description);
  return message.game_title === null ? null : lines(message.game_title, message.game_description);
}

function placeOf(message: TelegramMessage): ImportedRecord["place"] {
  const { location_information: at } = message;
  const [lat, lon] = [at?.latitude ?? null, at?.longitude ?? null];
  const known = lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  const name = cleanLine([message.place_name, message.address].filter(Boolean).join(", "));
  if (!known && name === null) return null;
  return { lat: known ? lat : null, lon: known ? lon : null, alt: null, name, confidence: "normal" };
}

/** What the source says beside all that, kept as it is. */
function extraOf(message: TelegramMessage): Record<string, unknown> | null {
  const { poll, media_type: media, sticker_emoji: sticker, via_bot: bot, saved_from: saved } = message;
  const said: Record<string, unknown> = {
    mediaType: media,
    sticker,
    viaBot: bot,
    savedFrom: saved,
    action: message.action,
    discardReason: message.discard_reason,
    performer: media === "audio_file" ? message.performer : null,
    songTitle: media === "audio_file" ? message.title : null,
    liveLocationSeconds: message.live_location_period_seconds,
    selfDestructSeconds: message.self_destruct_period_seconds,
    gameLink: message.game_link,
    invoice: message.invoice_information,
    poll: poll === null ? null : { ...poll, question: undefined },
  };
  const kept = Object.entries(said).filter(([, value]) => value !== null && value !== undefined);
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

/** Identity of a message of a chat, by the message's id. */
export const identityOf = (key: string, id: string): string => `${key}/${id}`;

interface Replies {
  readonly replyTo: string | null;
  readonly thread: string | null;
}

/** What it answers. In a group with topics, an answer to the notice that made the topic only says where it stands. */
function repliesOf(message: TelegramMessage, chat: TelegramChat): Replies {
  const { key } = chat.container;
  const to = message.reply_to_message_id ?? message.message_id ?? message.game_message_id ?? message.invoice_message_id;
  if (message.action === "topic_created" && message.id !== null) {
    chat.topics.add(message.id);
    return { replyTo: null, thread: identityOf(key, message.id) };
  }
  if (to === null || to === "0") return { replyTo: null, thread: null };
  const elsewhere = message.reply_to_peer_id;
  if (elsewhere !== null && /^(?:user|chat|channel)\d+$/.test(elsewhere)) {
    return { replyTo: identityOf(`telegram:${elsewhere}`, to), thread: null };
  }
  const target = identityOf(key, to);
  return chat.topics.has(to) ? { replyTo: null, thread: target } : { replyTo: target, thread: null };
}

/** A message with an id as a record, and the files that go with it. `path` is that of result.json. */
export function messageRecord(
  message: TelegramMessage & { readonly id: string },
  chat: TelegramChat,
  place: {
    readonly path: string;
    readonly index: number;
    readonly files: FilesBeside;
    readonly time?: RecordTime | null;
  },
): { readonly record: ImportedRecord } & Sent {
  const notice = message.type === "service";
  const author = authorOf(message, chat);
  const sent = sentOf(message, place.files);
  const { text, links } = wordsOf(message);
  const whole = [text, message.poll === null ? "" : pollText(message.poll)].filter((said) => said !== "").join("\n");
  const said = whole === "" ? cardText(message) : whole;
  const forwarded = message.forwarded_from !== undefined || message.forwarded_from_id !== null;
  const edited = timeOf(message.edited_unixtime, message.edited, "edited");
  const flags: RecordFlag[] = callFlags(message);
  if (forwarded) flags.push("forwarded");
  if (edited !== null) flags.push("edited");
  if (message.poll !== null) flags.push("poll");
  if (sent.attachments.some(({ missing }) => missing)) flags.push("missing-media");
  const duration = message.duration_seconds ?? (notice ? message.duration : null);
  const reactions = reactionsOf(message);
  const extra = extraOf(message);
  const number = Number(message.id);
  const { owner, peer } = chat;
  const direction = author?.owner ? "out" : owner !== null || peer !== null ? "in" : null;
  const props: RecordProps = {
    ...(direction === null || author === null ? {} : { direction }),
    ...(sent.attachments.length > 0 ? { attachments: [...sent.attachments] } : {}),
    ...(links.length > 0 ? { links: [...links] } : {}),
    ...(flags.length > 0 ? { flags: flags.sort() } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
    ...(typeof message.forwarded_from === "string" ? { forwardedFrom: message.forwarded_from } : {}),
    ...(edited === null ? {} : { modified: edited }),
    ...(duration !== null && duration >= 0 ? { duration } : {}),
    ...(extra === null ? {} : { extra }),
  };
  const record = chatRecord({
    identity: identityOf(chat.container.key, message.id),
    nativeId: message.id,
    kind: notice ? "system" : "message",
    text: notice ? (said ?? noticeText(message, author?.name ?? null, chat.channel)) : said,
    author,
    participants: participantsOf(message, author, chat),
    time: place.time ?? timeOf(message.date_unixtime, message.date, "date"),
    container: chat.container,
    sequence: Number.isSafeInteger(number) ? number : place.index,
    ...repliesOf(message, chat),
    place: placeOf(message),
    file: { path: place.path, offset: null, bytes: null, role: null },
    props,
  });
  return { record, ...sent };
}

/** The other one of a chat of two; of a notice, the members whom it names. */
function participantsOf(message: TelegramMessage, author: Party | null, chat: TelegramChat): Party[] {
  if (message.members.length > 0) {
    const names = message.members
      .flatMap((name) => (name === null ? [] : [cleanLine(name)]))
      .filter((name) => name !== null);
    return names.slice(0, 200).map((name) => member(name, null, { role: "member" }));
  }
  return author?.owner && chat.peer !== null ? [member(chat.peerName, chat.peer, { role: "member" })] : [];
}
