import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordTime } from "#contract";
import { cleanText, fieldHash } from "../text/clean.ts";
import { type Civil, isCivil, timeFromCivil } from "../text/time.ts";
import { limits } from "../types.ts";
import { type Content, readContent } from "./content.ts";
import type { Stamp } from "./header.ts";
import { withoutMarks } from "./header.ts";
import { type DateOrder, readDate } from "./order.ts";
import type { ChatEntry } from "./parse.ts";
import { ownerWord } from "./words.ts";

/** A chat as far as all of its messages share it. */
export interface Chat {
  readonly path: string;
  readonly container: Container;
  readonly order: DateOrder;
  /** The date order is a guess. */
  readonly uncertain: boolean;
  readonly kind: "bracket" | "dash";
  /** The group's title, which stands as the sender of notices; never a person. */
  readonly title: string | null;
  /** The two people of a chat without a group; null for groups. */
  readonly pair: { readonly owner: string; readonly other: string } | null;
  /** Attachment of a file that lies beside the chat, by name. */
  readonly fileOf: (name: string) => Attachment | null;
  readonly sequence: Sequence;
}

/**
 * Places in a chat: they rise with the file and follow its clock, so that two exports of one chat, cut at different
 * lines, give the same message the same place.
 */
export class Sequence {
  private last = 0;

  next(time: RecordTime | null): number {
    const at =
      time?.local === undefined || time.local === null ? 0 : Date.parse(`${time.local.slice(0, 16)}:00Z`) / 60_000;
    this.last = Math.max(this.last + 1, at * 10_000);
    return this.last;
  }
}

/** Counts equal messages of one minute, so that each has an identity of its own. Two days are remembered. */
export class Repeats {
  private day = "";
  private today = new Map<string, number>();
  private yesterday = new Map<string, number>();

  next(day: string, key: string): number {
    if (day !== this.day) {
      this.yesterday = this.today;
      this.today = new Map();
      this.day = day;
    }
    const count = (this.today.get(key) ?? this.yesterday.get(key) ?? 0) + 1;
    this.today.set(key, count);
    return count;
  }
}

/** The moment a header names: a wall clock without a zone; null when it is not in the calendar. */
export function stampTime(
  stamp: Stamp,
  chat: Pick<Chat, "order" | "uncertain">,
): { time: RecordTime | null; uncertain: boolean } {
  const civil: Civil = {
    ...readDate(stamp, chat.order),
    hour: stamp.hour,
    minute: stamp.minute,
    second: stamp.second ?? 0,
  };
  const [first, second] = stamp.parts;
  const uncertain = chat.uncertain && first !== second;
  if (!isCivil(civil) || civil.year < 2009 || civil.year > 2100) return { time: null, uncertain };
  const precision = stamp.second === null ? ("minute" as const) : ("second" as const);
  const confidence = uncertain ? ("low" as const) : ("normal" as const);
  return { time: timeFromCivil(civil, null, { source: "message-header", precision, confidence }), uncertain };
}

function partyOf(name: string, chat: Chat, role: Party["role"]): Party {
  const phone = /^\+?[\d\s().\-\u2010\u2011]{7,25}$/.test(name) ? name.replace(/[^\d+]/g, "") : null;
  const owner = chat.pair?.owner === name || (chat.pair === null && ownerWord.test(name));
  return { name: phone === null ? name.slice(0, 200) : null, address: phone, role, owner };
}

/**
 * Key of a message inside its chat: the minute and the date as written (so that turning the date order changes
 * nothing), text and which repeat in that minute it is. Media counts as media, whether it was exported or left out. The
 * sender does not enter: a name is what the phone's address book had on the day of the export.
 */
function identityOf(entry: ChatEntry, content: Content, chat: Chat, repeats: Repeats): string {
  const day = entry.stamp.parts.map((part) => String(part % 100)).join("/");
  const minute = `${day} ${entry.stamp.hour}:${entry.stamp.minute}`;
  const media = content.files.length + content.missing.length > 0 ? "media" : "";
  const fields = [minute, content.text, media];
  const repeat = repeats.next(day, fieldHash(fields));
  return `whatsapp:${fieldHash([chat.container.key]).slice(0, 16)}:${fieldHash([...fields, String(repeat)])}`;
}

/** Ends of identities, by which a chat is known whatever it is called. */
const fingerprintCount = 200;

/**
 * Fingerprints of a chat: its first messages, which an export made later holds too or, when it was cut, an earlier one
 * does; and of all others those with the smallest hashes, which two exports choose alike.
 */
export class Fingerprints {
  private readonly telling = new Sample();
  private readonly short = new Sample();

  add(record: ImportedRecord): void {
    if (record.kind !== "message") return;
    // "ok" is said in many chats in the same minute.
    const sample = (record.text?.length ?? 0) >= 8 ? this.telling : this.short;
    sample.add(record.identity.slice(-33));
  }

  /** None for a chat of one message: the same greeting goes to several people in one minute. */
  list(): readonly string[] {
    const telling = this.telling.list();
    const all = telling.length >= 20 ? telling : [...telling, ...this.short.list()].slice(0, fingerprintCount);
    return all.length < 2 ? [] : all;
  }
}

class Sample {
  private readonly first: string[] = [];
  private smallest: string[] = [];
  /** No end above this can be among the smallest; at first any can. */
  private highest = "\uffff";

  add(end: string): void {
    if (this.first.length < fingerprintCount / 2) this.first.push(end);
    else if (end <= this.highest) this.smallest.push(end);
    if (this.smallest.length > fingerprintCount * 2) this.cut();
  }

  list(): readonly string[] {
    this.cut();
    return [...this.first, ...this.smallest];
  }

  private cut(): void {
    const half = fingerprintCount / 2;
    this.smallest = this.smallest.sort().slice(0, half);
    if (this.smallest.length === half) this.highest = this.smallest.at(-1) ?? this.highest;
  }
}

/** One entry of a chat as a record. */
export function chatRecord(entry: ChatEntry, chat: Chat, repeats: Repeats): ImportedRecord {
  const content = readContent(entry.text, (name) => chat.fileOf(name) !== null);
  const fromTitle = entry.sender !== null && entry.sender.name === chat.title;
  const notice = entry.sender === null || fromTitle || (!content.personal && /^[\u200e\u200f]/.test(entry.text));
  const { time, uncertain } = stampTime(entry.stamp, chat);
  const flags = new Set<RecordFlag>(content.flags);
  if (!notice && !content.personal) {
    // What a person types is never a notice of a call.
    flags.delete("call");
    flags.delete("missed");
  }
  if (uncertain) flags.add("date-uncertain");
  const author = notice || entry.sender === null ? null : partyOf(entry.sender.name, chat, "author");
  const other = chat.pair === null || author === null ? null : author.owner ? chat.pair.other : chat.pair.owner;
  const attachments: Attachment[] = [
    ...content.files.map((name) => chat.fileOf(name)).filter((file) => file !== null),
    ...content.missing.map((name) => ({
      name,
      path: null,
      mime: null,
      bytes: null,
      sha256: null,
      text: null,
      inline: false,
      missing: true,
    })),
  ];
  const whole = notice ? cleanText(withoutMarks(entry.text)).trim() : content.text;
  const text = whole === null || whole === "" ? null : whole.slice(0, limits.textChars).toWellFormed();
  const bytes = entry.offset === null || entry.end === null ? null : entry.end - entry.offset;
  return {
    identity: identityOf(entry, content, chat, repeats),
    kind: notice ? "system" : "message",
    nativeId: null,
    subject: null,
    text,
    author,
    participants: other === null ? [] : [partyOf(other, chat, "member")],
    time,
    end: null,
    place: content.place === null ? null : { ...content.place, alt: null, name: content.text, confidence: "normal" },
    container: chat.container,
    thread: null,
    sequence: chat.sequence.next(time),
    replyTo: null,
    partOf: null,
    files: [{ path: chat.path, offset: entry.offset, bytes, role: null }],
    props: {
      ...(author?.owner ? { direction: "out" as const } : other === null ? {} : { direction: "in" as const }),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(content.links.length > 0 ? { links: [...content.links] } : {}),
      ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
      ...(entry.sender?.stranger && author !== null ? { extra: { notInContacts: true } } : {}),
    },
  };
}
