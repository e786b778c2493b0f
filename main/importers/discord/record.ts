import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordProps } from "#contract";
import type { FilesBeside } from "../chats/beside.ts";
import { chatRecord, member } from "../chats/message.ts";
import { missingFile } from "../chats/sent.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine } from "../text/clean.ts";
import type { Entry } from "../types.ts";
import { type Names, shownText } from "./markup.ts";
import type { DiscordMessage } from "./schema.ts";
import { snowflakeOrder, snowflakeTime, stampTime } from "./snowflake.ts";

export const identityOf = (id: string): string => `discord:${id}`;

/** A channel of an export. */
export interface DiscordChannel {
  readonly id: string;
  readonly container: Container;
  /** User id of the archive's owner, where a data package tells it. */
  readonly owner: string | null;
}

export function containerOf(id: string, channel: string | null, guild: string | null): Container {
  const [name, server] = [channel === null ? null : cleanLine(channel), guild === null ? null : cleanLine(guild)];
  const title = server === null || server === "Direct Messages" || name === null ? name : `${name} in ${server}`;
  return { key: `discord:channel/${id}`, title, kind: "chat" };
}

/** What people write, by name and by the API's number; all else is a notice. */
const written =
  /^(?:Default|Reply|ChatInputCommand|ApplicationCommand|ContextMenuCommand|ThreadStarterMessage|0|19|20|21|23)$/;

const notices: Readonly<Record<string, string>> = {
  RecipientAdd: "added somebody to the group",
  RecipientRemove: "left the group",
  Call: "started a call",
  ChannelNameChange: "changed the channel name",
  ChannelIconChange: "changed the channel icon",
  ChannelPinnedMessage: "pinned a message",
  GuildMemberJoin: "joined the server",
  ThreadCreated: "started a thread",
};

const maxParts = 200;

interface Sent {
  readonly attachments: Attachment[];
  readonly entries: Entry[];
  /** Stickers: files that need no record of their own. */
  readonly shown: Entry[];
  readonly gone: string[];
}

function found(url: string | null, files: FilesBeside): Entry | null {
  if (url === null || /^(?:https?|file):/i.test(url)) return null;
  try {
    return files.find(decodeURIComponent(url)) ?? files.find(url);
  } catch {
    return files.find(url);
  }
}

/** Links to Discord's servers expire: a file that was not downloaded with the export is missing. */
function sentOf(said: Pick<DiscordMessage, "attachments" | "stickers">, files: FilesBeside, sent: Sent): void {
  for (const { url, fileName, fileSizeBytes } of said.attachments.slice(0, maxParts)) {
    const entry = found(url, files);
    if (entry !== null) {
      sent.attachments.push({ ...attachmentOf(entry), name: fileName === null ? entry.name : cleanLine(fileName) });
      sent.entries.push(entry);
      continue;
    }
    const bytes =
      fileSizeBytes !== null && Number.isSafeInteger(fileSizeBytes) && fileSizeBytes >= 0 ? fileSizeBytes : null;
    sent.attachments.push(missingFile(fileName ?? url?.split(/[?#]/)[0]?.split("/").at(-1) ?? null, { bytes }));
    if (url !== null) sent.gone.push(url.slice(0, 2_000));
  }
  for (const { name, sourceUrl } of said.stickers.slice(0, maxParts)) {
    const entry = found(sourceUrl, files);
    if (entry !== null) sent.shown.push(entry);
    sent.attachments.push(entry === null ? missingFile(name) : { ...attachmentOf(entry), name: name ?? entry.name });
  }
}

function embedText(embeds: DiscordMessage["embeds"], names: Names): string {
  const lines = embeds.flatMap(({ title, description, fields, author, footer }) => [
    author?.name ?? "",
    title ?? "",
    description ?? "",
    ...fields.map((field) => [field.name, field.value].filter(Boolean).join(": ")),
    footer?.text ?? "",
  ]);
  return shownText(lines.filter((line) => line.trim() !== "").join("\n"), names);
}

const shownName = (one: { readonly name: string | null; readonly nickname: string | null } | null): string | null =>
  one === null ? null : (cleanLine(one.nickname ?? "") ?? cleanLine(one.name ?? ""));

function partyOf(author: DiscordMessage["author"], channel: DiscordChannel): Party | null {
  if (author === null) return null;
  const name = shownName(author)?.slice(0, 200) ?? null;
  if (name === null && author.id === null) return null;
  return member(name, author.id, { owner: author.id !== null && author.id === channel.owner });
}

function reactionsOf(message: DiscordMessage): NonNullable<RecordProps["reactions"]> {
  return message.reactions.slice(0, maxParts).flatMap(({ emoji, count, users }) => {
    const custom = emoji.id !== null && /^\d+$/.test(emoji.id);
    const shown = custom ? `:${emoji.name ?? emoji.code ?? emoji.id}:` : (emoji.name ?? emoji.code);
    if (shown === null || shown === "") return [];
    const people = users.map((one) => ({ emoji: shown, by: shownName(one) ?? one.id, count: 1 }));
    const rest = Math.trunc(count ?? people.length) - people.length;
    return rest > 0 ? [...people, { emoji: shown, by: null, count: rest }] : people;
  });
}

/** What it answers; a forward names what it forwards in the same way and answers nothing. */
function replyOf(message: DiscordMessage, channel: DiscordChannel): string | null {
  const { reference, forwardedMessage } = message;
  if (reference === null || reference.messageId === null || isForward(message) || forwardedMessage !== null)
    return null;
  // A post that was taken over from a channel of another server.
  if (message.type === "Default" && reference.channelId !== null && reference.channelId !== channel.id) return null;
  return identityOf(reference.messageId);
}

const isForward = ({ reference, forwardedMessage }: DiscordMessage) =>
  forwardedMessage !== null || reference?.type === "Forward" || reference?.type === "1";

function textOf(message: DiscordMessage, notice: boolean, author: Party | null, names: Names): string | null {
  const { content, forwardedMessage, poll } = message;
  const parts = [content ?? "", forwardedMessage?.content ?? ""];
  if (poll !== null) parts.push([poll.question, ...poll.answers.map((answer) => `- ${answer}`)].join("\n"));
  const words = parts.filter((part) => part !== "").join("\n");
  if (words !== "") return shownText(words, names);
  if (notice) return `${author?.name ?? "Somebody"} ${notices[message.type ?? ""] ?? "changed something"}`;
  const embeds = embedText([...message.embeds, ...(forwardedMessage?.embeds ?? [])], names);
  return embeds === "" ? null : embeds;
}

function extraOf(message: DiscordMessage, sent: Sent, names: Names): Record<string, unknown> | null {
  const said: Record<string, unknown> = {};
  if (message.type !== null && !/^(?:Default|Reply)$/.test(message.type)) said.type = message.type;
  if (message.author?.isBot) said.bot = true;
  if (message.embeds.length > 0) {
    said.embeds = message.embeds
      .slice(0, 10)
      .map((embed) => ({ title: embed.title, url: embed.url, text: embedText([embed], names) }));
  }
  if (message.stickers.length > 0) said.stickers = message.stickers.slice(0, maxParts).map(({ name }) => name);
  if (sent.gone.length > 0) said.attachmentLinks = sent.gone;
  if (message.interaction !== null) said.command = message.interaction.name;
  return Object.keys(said).length === 0 ? null : said;
}

/** A message with an id as a record, and the files that go with it. */
export function messageRecord(
  message: DiscordMessage & { readonly id: string },
  channel: DiscordChannel,
  names: Names,
  place: { readonly path: string; readonly index: number; readonly files: FilesBeside },
): { readonly record: ImportedRecord } & Sent {
  const { id } = message;
  const notice = message.type !== null && !written.test(message.type);
  const author = partyOf(message.author, channel);
  const sent: Sent = { attachments: [], entries: [], shown: [], gone: [] };
  sentOf(message, place.files, sent);
  if (message.forwardedMessage !== null) sentOf(message.forwardedMessage, place.files, sent);
  const time = snowflakeTime(id, message.timestamp);
  const edited = stampTime(message.timestampEdited, "timestampEdited");
  const ended = stampTime(message.callEndedTimestamp, "callEndedTimestamp");
  const call = message.type === "Call" || message.type === "3";
  const text = textOf(message, notice, author, names);
  const flags: RecordFlag[] = [];
  if (edited !== null) flags.push("edited");
  if (isForward(message)) flags.push("forwarded");
  if (message.isPinned) flags.push("pinned");
  if (message.poll !== null) flags.push("poll");
  if (call) flags.push("call");
  if (sent.attachments.some(({ missing }) => missing)) flags.push("missing-media");
  const reactions = reactionsOf(message);
  const urls = message.embeds.flatMap(({ url }) => (url === null || text?.includes(url) ? [] : [url.slice(0, 4_000)]));
  const extra = extraOf(message, sent, names);
  const seconds = ended?.utc && time?.utc ? (Date.parse(ended.utc) - Date.parse(time.utc)) / 1000 : -1;
  const record = chatRecord({
    identity: identityOf(id),
    nativeId: id,
    kind: notice ? "system" : "message",
    text,
    author,
    time,
    container: channel.container,
    sequence: snowflakeOrder(id) ?? place.index,
    replyTo: replyOf(message, channel),
    file: { path: place.path, offset: null, bytes: null, role: null },
    props: {
      ...(author !== null && channel.owner !== null ? { direction: author.owner ? "out" : "in" } : {}),
      ...(sent.attachments.length > 0 ? { attachments: sent.attachments } : {}),
      ...(urls.length > 0 ? { links: [...new Set(urls)] } : {}),
      ...(flags.length > 0 ? { flags: flags.sort() } : {}),
      ...(reactions.length > 0 ? { reactions } : {}),
      ...(edited === null ? {} : { modified: edited }),
      ...(call && seconds >= 0 ? { duration: Math.round(seconds) } : {}),
      ...(extra === null ? {} : { extra }),
    },
  });
  return { record, ...sent };
}
