import type { RecordTime } from "#contract";
import { FilesBeside } from "../chats/beside.ts";
import { type FileEnds, messageItems } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { type Civil, civilOfMatch, isCivil, timeFromCivil } from "../text/time.ts";
import type { Claim, Entry, ImportedItem, ReadContext } from "../types.ts";
import { type PageMessage, pageItems } from "./pages.ts";
import { messageRecord, type TelegramChat, untoldChat } from "./record.ts";
import { messageSchema, type TelegramMessage } from "./schema.ts";

/** An HTML export: messages.html, messages2.html … of one chat. */

const pageName = /^(.*?)(\d*)\.html?$/i;

/** `messages.html`, `messages2.html`, `messages10.html`. */
export function inPageOrder(a: Entry, b: Entry): number {
  const number = (entry: Entry) => Number(pageName.exec(entry.name)?.[2] || 1);
  return number(a) - number(b) || (a.joined < b.joined ? -1 : 1);
}

/** What one page passes on to the next. */
interface Running {
  chat: TelegramChat | null;
  from: string;
  forwarded: string;
  /** Day of the line between days above: the only date that notices have. */
  day: RecordTime | null;
  index: number;
}

/** `chatOfTitle` finds the chat of a JSON export with this title in the same import. */
export async function* readHtmlExport(
  claim: Claim,
  pages: readonly Entry[],
  context: ReadContext,
  ends: FileEnds,
  chatOfTitle: (title: string) => TelegramChat | null,
): AsyncGenerator<ImportedItem> {
  const first = pages[0];
  if (first === undefined) return;
  const files = new FilesBeside(claim, context.tree, folderOf(first.joined));
  const running: Running = { chat: null, from: "", forwarded: "", day: null, index: 0 };
  const resume = typeof context.resume === "number" ? context.resume : 0;
  for (const page of pages) {
    ends.use(page.path);
    try {
      for await (const { title, message } of pageItems(page)) {
        throwIfCancelled(context.signal);
        if (title !== undefined) running.chat ??= chatOfTitle(title) ?? untoldChat(title);
        if (message === undefined || isDayLine(message, running)) continue;
        running.chat ??= untoldChat(null);
        const read = messageOf(message, running);
        const index = ++running.index;
        const place = { path: page.path, index, files, time: timeOfPage(message, running) };
        const { record, entries, shown } = messageRecord(read, running.chat, place);
        for (const one of [...entries, ...shown]) ends.use(one.path);
        if (index <= resume) continue;
        yield* messageItems(record, entries, { before: index - 1, after: index }, ends, context);
      }
    } catch (error) {
      ends.fail(page.path, reasonOf(error, context.signal));
    }
  }
}

const months = "january february march april may june july august september october november december".split(" ");

/** The line between two days is no notice: its number is made up, from −1 down. */
function isDayLine(message: PageMessage, running: Running): boolean {
  const number = Number(message.id);
  if (!message.service || number >= 0 || number < -100_000_000) return false;
  const match = /^(\d{1,2}) (\p{L}+) (\d{4})$/u.exec(message.text);
  const month = months.indexOf(match?.[2]?.toLowerCase() ?? "") + 1;
  const civil: Civil = { year: Number(match?.[3]), month, day: Number(match?.[1]), hour: 0, minute: 0, second: 0 };
  running.day = isCivil(civil) ? timeFromCivil(civil, null, { source: "day-line", precision: "day" }) : null;
  return true;
}

const datePattern =
  /^(\d{1,2})\.(\d{1,2})\.(\d{4}) (\d{1,2}):(\d\d)(?::(\d\d))?(?: (?:UTC|GMT)(?:([+\-\u2212])(\d\d?):?(\d\d)?)?)?$/;

/** The wall clock of the computer that exported; pages since 2022 tell its offset. */
export function timeOfDate(title: string | null): RecordTime | null {
  const match = datePattern.exec(title?.trim() ?? "");
  if (match === null) return null;
  const [whole, day, month, year, ...clock] = match;
  const civil = civilOfMatch([whole, year, month, day, ...clock]);
  if (!isCivil(civil)) return null;
  const told = /UTC|GMT/.test(title ?? "");
  const minutes = Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0);
  const offset = told ? (match[7] === undefined || match[7] === "+" ? minutes : -minutes) : null;
  return timeFromCivil(civil, offset !== null && Math.abs(offset) <= 14 * 60 ? offset : null, { source: "page-date" });
}

function timeOfPage(message: PageMessage, running: Running): RecordTime | null {
  return message.date === null ? running.day : timeOfDate(message.date);
}

const durationOf = (status: string): number | null => {
  const called = /\((\d{1,9}) seconds\)/.exec(status)?.[1];
  if (called !== undefined) return Number(called);
  const clock = /(?:(\d{1,3}):)?(\d{1,2}):(\d\d)\b/.exec(status);
  return clock === null ? null : Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
};

const mediaTypes: Readonly<Record<string, string>> = {
  media_voice_message: "voice_message",
  media_audio_file: "audio_file",
  animated_wrap: "animation",
  video_file_wrap: "video_file",
  sticker_wrap: "sticker",
};

/** The message in the form of result.json. Senders that a page leaves out are those of the message above. */
function messageOf(message: PageMessage, running: Running): TelegramMessage & { readonly id: string } {
  const said: Record<string, unknown> = { id: message.id, type: message.service ? "service" : "message" };
  if (message.service) {
    running.from = "";
    return { ...messageSchema.parse({ ...said, text: message.text }), id: message.id };
  }
  if (!message.joined || message.from.trim() !== "") {
    const [, from = "", bot] = /^([\s\S]*?)(?: via (@\w+))?$/.exec(message.from.trim()) ?? [];
    running.from = from;
    if (bot !== undefined) said.via_bot = bot;
  }
  if (running.from !== "") said.from = running.from === "Deleted Account" ? null : running.from;
  if (message.signature.trim() !== "") said.author = message.signature.trim();
  if (message.forwarded !== null) {
    const name = message.forwarded.trim().replace(/ via @\w+$/, "");
    if (name !== "") running.forwarded = name;
    said.forwarded_from =
      running.forwarded === "" || running.forwarded === "Deleted Account" ? null : running.forwarded;
  }
  if (message.reply !== null) said.reply_to_message_id = message.reply;
  if (message.question.trim() !== "") {
    said.poll = {
      question: message.question.trim(),
      answers: message.answers.map((text) => ({ text: answerOf(text) })),
    };
  }
  said.reactions = message.reactions.map(({ emoji, count, by }) => ({
    emoji: emoji.trim() === "" ? null : emoji.trim(),
    type: emoji.trim() === "" ? "custom_emoji" : "emoji",
    count: /^\d+$/.test(count.trim()) ? Number(count) : by.length || 1,
    recent: by.map((from) => ({ from })),
  }));
  const linked = message.links.map(({ text, href }) => ({
    type: "text_link",
    text: "",
    href: text === href ? "" : href,
  }));
  said.text = [message.text, ...linked.filter(({ href }) => href !== "")];
  addMedia(message, said);
  return { ...messageSchema.parse(said), id: message.id };
}

const answerOf = (text: string) => text.trim().replace(/^- /, "");

function addMedia(message: PageMessage, said: Record<string, unknown>): void {
  for (const { kind, href, title, description, status } of message.media) {
    const name = title.trim();
    const duration = durationOf(status);
    const type = mediaTypes[kind] ?? (kind === "media_video" ? videoType(name) : undefined);
    if (type !== undefined) said.media_type = type;
    if (duration !== null) said.duration_seconds = duration;
    const here = href !== null && !/^[a-z][a-z+.-]*:/i.test(href) ? decoded(href) : null;
    const gone = `(File not included. ${description.trim()})`;
    if (kind === "media_call") {
      said.type = "service";
      said.action = "phone_call";
      said.discard_reason = /missed|cancel/i.test(status) ? "missed" : /declin|busy/i.test(status) ? "busy" : "hangup";
    } else if (kind === "media_location" || kind === "media_live_location" || kind === "media_venue") {
      const at = /[?&]q=(-?\d+(?:\.\d+)?)(?:,|%2C)(-?\d+(?:\.\d+)?)/.exec(href ?? "");
      if (at) said.location_information = { latitude: at[1], longitude: at[2] };
      if (kind === "media_venue") Object.assign(said, { place_name: name, address: description.trim() });
    } else if (kind === "media_contact") {
      said.contact_information = {
        first_name: name,
        last_name: null,
        phone_number: status.trim().replace(/ - vCard$/, ""),
      };
      if (here !== null) said.contact_vcard = here;
    } else if (kind === "media_game" || kind === "media_invoice") {
      Object.assign(said, { game_title: name, game_description: description.trim() });
    } else if (kind === "photo_wrap" || kind === "media_photo") {
      said.photo = here ?? gone;
      if (name === "Sticker") said.media_type = "sticker";
    } else {
      said.file = here ?? gone;
      if (kind === "media_file" && name !== "" && name !== "File") said.file_name = name;
    }
  }
}

function videoType(title: string): string {
  return title === "Video message" ? "video_message" : title === "Animation" ? "animation" : "video_file";
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
