import type { Attachment, ImportedRecord, RecordFlag, RecordProps, RecordTime } from "#contract";
import { chatRecord, type Repeats } from "../chats/message.ts";
import { timeFromInstant } from "../text/time.ts";
import { type Entry, limits } from "../types.ts";
import type { Directory, Recipient } from "./people.ts";
import type { PointerFiles } from "./pointers.ts";
import { noticeOf } from "./updates.ts";
import { type Fields, isFields } from "./values.ts";

/** What one `chatItem` says, in the words of a record. */

export interface ItemContext {
  readonly directory: Directory;
  readonly files: PointerFiles;
  readonly path: string;
  readonly index: number;
  /** For notices, of which several may stand in one moment. */
  readonly repeats: Repeats;
  /** The message under whose identity a later revision of it stands, by the revision's own. */
  readonly edited: Map<string, string>;
}

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.slice(0, 1_000).filter(isFields) : []);

/** Signal's own name for a message: who sent it, and when by the sender's clock. */
export function identityOf(author: Recipient | null, sent: number): string {
  return `signal:${author?.key ?? "unknown"}/${sent}`;
}

/** A text with the people whom it mentions; their places are told in UTF-16 units. */
function shownText(text: unknown, directory: Directory): string {
  if (typeof text === "string") return text;
  if (!isFields(text) || typeof text.body !== "string") return "";
  let { body } = text;
  const mentions = list(text.bodyRanges).filter(({ mentionAci }) => mentionAci !== undefined && mentionAci !== null);
  for (const range of mentions.sort((a, b) => Number(b.start ?? 0) - Number(a.start ?? 0))) {
    const start = Number(range.start ?? 0);
    const end = start + Number(range.length ?? 1);
    if (!(start >= 0 && end <= body.length && end > start)) continue;
    body = `${body.slice(0, start)}@${directory.nameOf(range.mentionAci)}${body.slice(end)}`;
  }
  return body;
}

interface Body {
  text: string;
  pointers: unknown[];
  /** Pointers to what needs no record of its own. */
  stickers: unknown[];
  flags: RecordFlag[];
  extra: Record<string, unknown>;
  reactions: Fields[];
  links: string[];
  quote: Fields | null;
  seconds: number | null;
  notice: boolean;
}

function contactText(card: Fields): string {
  const name = isFields(card.name) ? card.name : {};
  const words = [name.prefix, name.givenName, name.middleName, name.familyName, name.suffix];
  const values = [...list(card.number), ...list(card.email)].map(({ value }) => value);
  const lines = [
    words.filter((word) => typeof word === "string" && word !== "").join(" "),
    card.organization,
    ...values,
  ];
  return lines.filter((line) => typeof line === "string" && line !== "").join("\n");
}

async function longText(pointer: unknown, files: PointerFiles): Promise<string | null> {
  if (!isFields(pointer)) return null;
  const entry = await files.find(pointer);
  if (entry === null) return null;
  try {
    return new TextDecoder().decode(await entry.readAll(limits.textChars * 4));
  } catch {
    // The beginning of the text is in the message itself.
    return null;
  }
}

async function bodyOf(item: Fields, author: Recipient | null, context: ItemContext): Promise<Body | null> {
  const { directory, files } = context;
  const body: Body = {
    text: "",
    pointers: [],
    stickers: [],
    flags: [],
    extra: {},
    reactions: [],
    links: [],
    quote: null,
    seconds: null,
    notice: false,
  };
  const { standardMessage: standard, stickerMessage: sticker, viewOnceMessage: once, contactMessage: card } = item;
  const { updateMessage: update, poll, directStoryReplyMessage: story, paymentNotification: payment } = item;
  if (isFields(standard)) {
    body.text = (await longText(standard.longText, files)) ?? shownText(standard.text, directory);
    body.pointers = Array.isArray(standard.attachments) ? standard.attachments.slice(0, 200) : [];
    if (body.text === "") body.text = captionOf(body.pointers);
    body.reactions = list(standard.reactions);
    body.quote = isFields(standard.quote) ? standard.quote : null;
    for (const { url } of list(standard.linkPreview)) {
      if (typeof url === "string" && !body.text.includes(url)) body.links.push(url.slice(0, 4_000));
    }
  } else if (isFields(sticker)) {
    const one = isFields(sticker.sticker) ? sticker.sticker : {};
    body.stickers = [one.data ?? {}];
    body.extra.sticker = typeof one.emoji === "string" ? one.emoji : "";
    body.reactions = list(sticker.reactions);
  } else if (isFields(once)) {
    body.extra.viewOnce = true;
    if (isFields(once.attachment)) body.pointers = [once.attachment];
    body.reactions = list(once.reactions);
  } else if (isFields(card)) {
    body.text = contactText(isFields(card.contact) ? card.contact : (list(card.contact)[0] ?? {}));
    body.reactions = list(card.reactions);
  } else if (item.remoteDeletedMessage !== undefined || item.adminDeletedMessage !== undefined)
    body.flags.push("deleted");
  else if (isFields(update)) {
    const notice = noticeOf(update, author, directory);
    Object.assign(body, { notice: true, text: notice.text, flags: [...notice.flags], seconds: notice.seconds });
  } else if (isFields(poll)) {
    const options = list(poll.options).map(({ option }) => `- ${String(option ?? "")}`);
    body.text = [String(poll.question ?? ""), ...options].join("\n");
    body.flags.push("poll");
    body.reactions = list(poll.reactions);
    const votes = list(poll.options).map(({ option, votes }) => ({ option, votes: list(votes).length }));
    body.extra.poll = { votes, ended: poll.hasEnded === true };
  } else if (isFields(story)) {
    const said = isFields(story.textReply) ? shownText(story.textReply.text, directory) : story.emoji;
    body.text = typeof said === "string" ? said : "";
    body.extra.storyReply = true;
    body.reactions = list(story.reactions);
  } else if (isFields(payment)) {
    body.notice = true;
    body.text = `${directory.shown(author)} sent a payment${payment.amountMob ? ` of ${String(payment.amountMob)} MOB` : ""}${payment.note ? `: ${String(payment.note)}` : ""}`;
  } else if (item.giftBadge !== undefined) {
    body.notice = true;
    body.text = `${directory.shown(author)} sent a gift badge`;
  } else return null;
  return body;
}

function captionOf(pointers: readonly unknown[]): string {
  const captions = pointers.map((one) => (isFields(one) && isFields(one.pointer) ? one.pointer.caption : null));
  return captions.filter((caption) => typeof caption === "string" && caption !== "").join("\n");
}

function instant(value: unknown, source: string): RecordTime | null {
  return timeFromInstant(Number(value ?? 0), { source, precision: "ms" });
}

/** Versions before the last one; the oldest tells when the message was sent. */
function editsOf(item: Fields, directory: Directory): NonNullable<RecordProps["edits"]> {
  return list(item.revisions)
    .slice(0, 200)
    .map((revision) => {
      const standard = isFields(revision.standardMessage) ? revision.standardMessage : {};
      return { time: instant(revision.dateSent, "dateSent"), text: shownText(standard.text, directory) };
    });
}

function reactionsOf(reactions: readonly Fields[], directory: Directory): NonNullable<RecordProps["reactions"]> {
  return reactions.flatMap(({ emoji, authorId }) =>
    typeof emoji === "string" && emoji !== ""
      ? [{ emoji: emoji.slice(0, 100), by: directory.shown(directory.of(authorId)), count: 1 }]
      : [],
  );
}

/** Minutes by which the sender's clock may be wrong before the server's decides the order. */
const clockTrust = 5 * 60_000;

function orderOf(sent: number, item: Fields): number {
  const details = isFields(item.incoming) ? item.incoming : {};
  const server = Number(details.dateServerSent ?? 0);
  return server > 0 && Number.isSafeInteger(server) && Math.abs(server - sent) > clockTrust ? server : sent;
}

/** A chat item as a record with its files; null where it says nothing that is known. */
export async function itemRecord(
  item: Fields,
  context: ItemContext,
): Promise<{ record: ImportedRecord; entries: Entry[]; shown: Entry[] } | null> {
  const { directory } = context;
  const author = directory.of(item.authorId);
  const body = await bodyOf(item, author, context);
  const last = Number(item.dateSent ?? 0);
  if (body === null || !Number.isSafeInteger(last)) return null;
  const edits = editsOf(item, directory);
  const first = Number(list(item.revisions)[0]?.dateSent ?? last);
  const sent = Number.isSafeInteger(first) && first > 0 ? first : last;
  const container = directory.container(item.chatId);
  const attachments: Attachment[] = [];
  const entries: Entry[] = [];
  const shown: Entry[] = [];
  for (const [pointers, into] of [
    [body.pointers, entries],
    [body.stickers, shown],
  ] as const) {
    for (const pointer of pointers) {
      const read = await context.files.attachment(pointer);
      if (read === null) continue;
      attachments.push(read.attachment);
      if (read.entry !== null) into.push(read.entry);
    }
  }
  const own = identityOf(author, sent);
  const of = body.notice ? `${own}/${container.key}` : own;
  const identity = body.notice ? `${of}/notice${context.repeats.next(of)}` : own;
  for (const revision of [...list(item.revisions), item])
    context.edited.set(identityOf(author, Number(revision.dateSent)), own);
  const flags: RecordFlag[] = [...body.flags];
  if (edits.length > 0) flags.push("edited");
  if (item.pinDetails !== undefined && item.pinDetails !== null) flags.push("pinned");
  if (attachments.some(({ missing }) => missing)) flags.push("missing-media");
  const reactions = reactionsOf(body.reactions, directory);
  const incoming = isFields(item.incoming) ? item.incoming : null;
  const server = incoming === null ? null : Number(incoming.dateServerSent ?? 0);
  if (server) body.extra.dateServerSent = server;
  if (Number(item.expiresInMs) > 0) body.extra.expiresInMs = Number(item.expiresInMs);
  if (item.sms === true) body.extra.sms = true;
  const party = directory.party(author);
  const chat = directory.ofChat(item.chatId);
  const other = chat?.kind === "contact" && party?.owner ? directory.party(chat, { role: "member" }) : null;
  const modified = edits.length > 0 ? instant(last, "dateSent") : null;
  const direction = incoming !== null ? "in" : isFields(item.outgoing) ? "out" : null;
  const record = chatRecord({
    identity,
    nativeId: String(sent),
    kind: body.notice ? "system" : "message",
    text: body.text,
    author: party,
    participants: other === null ? [] : [other],
    time: instant(sent, "dateSent"),
    container,
    sequence: orderOf(sent, item) || context.index,
    replyTo: replyOf(body.quote, context),
    file: { path: context.path, offset: null, bytes: null, role: null },
    props: {
      ...(direction === null ? {} : { direction }),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(body.links.length > 0 ? { links: [...new Set(body.links)] } : {}),
      ...(flags.length > 0 ? { flags: flags.sort() } : {}),
      ...(reactions.length > 0 ? { reactions } : {}),
      ...(edits.length > 0 ? { edits } : {}),
      ...(modified === null ? {} : { modified }),
      ...(body.seconds === null ? {} : { duration: body.seconds }),
      ...(Object.keys(body.extra).length > 0 ? { extra: body.extra } : {}),
    },
  });
  return { record, entries, shown };
}

function replyOf(quote: Fields | null, context: ItemContext): string | null {
  const target = Number(quote?.targetSentTimestamp ?? 0);
  if (quote === null || !Number.isSafeInteger(target) || target <= 0) return null;
  const identity = identityOf(context.directory.of(quote.authorId), target);
  return context.edited.get(identity) ?? identity;
}
