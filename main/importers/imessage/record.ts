import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordProps, RecordTime } from "#contract";
import { chatRecord, member } from "../chats/message.ts";
import { cleanLine } from "../text/clean.ts";
import { timeFromInstant } from "../text/time.ts";
import { type AppContent, readApp } from "./apps.ts";
import { bytesIn, type Conversation, numberIn, type Row, textIn } from "./database.ts";
import { readEdits } from "./edits.ts";
import { noticeText } from "./notices.ts";
import { appleEpoch } from "./plist.ts";
import type { Tapbacks } from "./tapbacks.ts";
import { typedstreamText } from "./typedstream.ts";

/** Above this a date counts nanoseconds since 2001, below it seconds: systems before 2017 wrote seconds. */
const nanosecondsAbove = 1e11;
/** Members of a larger group are not listed with each message. */
const maxMembers = 30;

/** Milliseconds since 1970 of a date of Messages; null for 0, which means none. */
export function appleMs(value: number): number | null {
  if (value === 0) return null;
  const seconds = Math.abs(value) > nanosecondsAbove ? value / 1e9 : value;
  return Math.round((seconds + appleEpoch) * 1000);
}

function timeOf(row: Row, field: string): RecordTime | null {
  const ms = appleMs(numberIn(row, field));
  if (ms === null) return null;
  return timeFromInstant(ms, { source: `message.${field}`, precision: ms % 1000 === 0 ? "second" : "ms" });
}

/** A number without its spelling, an address in lower case: only for keys. */
function addressKey(address: string): string {
  const digits = address.replace(/[\s().\-/\u00a0]/g, "");
  return /^\+?\d{3,20}$/.test(digits) ? digits : address.toLowerCase();
}

/**
 * The conversation as the reader sees it. One person's iMessage, SMS and RCS chats are one: the key is the other's
 * address, without the service. A group is known by its identifier, which does not tell the service either.
 */
export function containerOf(chat: Conversation | undefined, handle: string | null): Container {
  if (chat === undefined) {
    const key = handle === null ? "imessage:" : `imessage:${addressKey(handle)}`;
    return { key: key.slice(0, 500), title: handle, kind: "chat" };
  }
  const identifier = chat.identifier ?? chat.guid.split(";").at(-1) ?? chat.guid;
  const title = chat.name === null ? null : cleanLine(chat.name);
  const [first] = chat.handles;
  if (chat.style === 43 || chat.handles.length > 1 || chat.guid.includes(";+;")) {
    const people = chat.handles.slice(0, 4).join(", ") + (chat.handles.length > 4 ? " …" : "");
    return { key: `imessage:group:${identifier}`.slice(0, 500), title: title ?? (people || identifier), kind: "chat" };
  }
  const address = first ?? identifier;
  return { key: `imessage:${addressKey(address)}`.slice(0, 500), title: title ?? address, kind: "chat" };
}

/** `E:me@example.org`, `P:+15550100999`: the account that a message went through, without its letter. */
function ownAddress(row: Row): string | null {
  for (const field of ["destination_caller_id", "account"]) {
    const address = textIn(row, field)?.replace(/^[a-z]:/i, "") ?? "";
    if (/^(?:\+?\d{3,20}|[^\s@]+@[^\s@]+)$/.test(address)) return address;
  }
  return null;
}

export interface MessageContext {
  readonly path: string;
  readonly chat: Conversation | undefined;
  readonly handles: ReadonlyMap<number, string>;
  readonly tapbacks: Tapbacks;
  readonly attachments: readonly Attachment[];
  readonly binned: boolean;
  /** Its place in time, for rows without a date. */
  readonly sequence: number;
}

/** A row of `message` as a record. `id` is its row number, for messages without a guid. */
export function messageRecord(id: number, row: Row, context: MessageContext): ImportedRecord {
  const { chat, handles, attachments } = context;
  const guid = textIn(row, "guid");
  const mine = numberIn(row, "is_from_me") === 1;
  const sender = handles.get(numberIn(row, "handle_id")) ?? null;
  const handle = sender ?? (chat?.handles.length === 1 ? (chat.handles[0] ?? null) : null);
  const author: Party = mine ? member(null, ownAddress(row), { owner: true }) : member(null, handle);
  const system = numberIn(row, "item_type") !== 0;
  const app = readApp(textIn(row, "balloon_bundle_id"), bytesIn(row, "payload_data"));
  const edits = readEdits(bytesIn(row, "message_summary_info"));
  const body = bytesIn(row, "body");
  const said = textIn(row, "text") ?? (body === null ? null : typedstreamText(body)) ?? edits.newest;
  const shown = withoutPlaceholders(said, app);
  const flags = new Set<RecordFlag>();
  const gone = shown === null && attachments.length === 0 && app === null;
  if (gone && (edits.unsent > 0 || numberIn(row, "date_retracted") !== 0 || numberIn(row, "date_edited") !== 0)) {
    flags.add("deleted");
  } else if (edits.older.length > 0 || edits.unsent > 0 || numberIn(row, "date_edited") !== 0) flags.add("edited");
  if (attachments.some(({ missing }) => missing)) flags.add("missing-media");
  if (app?.poll) flags.add("poll");
  if (context.binned) flags.add("trashed");
  if (numberIn(row, "item_type") === 6) flags.add("call");
  const other = handles.get(numberIn(row, "other_handle")) ?? null;
  const text = system ? noticeText(row, mine ? "You" : (handle ?? "Someone"), other) : shown;
  const reply = textIn(row, "thread_originator_guid");
  const reactions = guid === null ? [] : context.tapbacks.on(guid);
  const modified = timeOf(row, "date_edited");
  const links = (app?.links ?? []).filter((link) => text?.includes(link) !== true);
  const extra = extraOf(row, app);
  const props: RecordProps = {
    direction: mine ? "out" : "in",
    ...(attachments.length > 0 ? { attachments: [...attachments] } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
    ...(edits.older.length > 0 ? { edits: [...edits.older] } : {}),
    ...(modified === null ? {} : { modified }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
  const record = chatRecord({
    identity: guid === null ? `imessage:row/${id}/${numberIn(row, "date")}` : `imessage:${guid}`,
    nativeId: guid,
    kind: system ? "system" : "message",
    text,
    author: system && !mine && handle === null ? null : author,
    participants: othersOf(chat, mine ? null : handle),
    time: timeOf(row, "date"),
    container: containerOf(chat, handle),
    sequence: context.sequence,
    replyTo: reply === null ? null : `imessage:${reply}`,
    file: { path: context.path, offset: null, bytes: null, role: null },
    props,
  });
  const subject = textIn(row, "subject");
  return { ...record, subject: subject === null ? null : cleanLine(subject.slice(0, 1000)) };
}

function othersOf(chat: Conversation | undefined, author: string | null): Party[] {
  if (chat === undefined || chat.handles.length > maxMembers) return [];
  return chat.handles.filter((handle) => handle !== author).map((handle) => member(null, handle, { role: "member" }));
}

/** U+FFFC stands for an attachment, U+FFFD for an app's message; what an app shows is the text where there is no other. */
function withoutPlaceholders(said: string | null, app: AppContent | null): string | null {
  const text =
    said
      ?.replaceAll("\ufffc", "")
      .replaceAll(app === null ? "\ufffc" : "\ufffd", "")
      .trim() ?? "";
  return text !== "" ? text : (app?.text ?? null);
}

function extraOf(row: Row, app: AppContent | null): Record<string, unknown> {
  const times = ["date_read", "date_delivered", "date_played"].flatMap((field) => {
    const time = timeOf(row, field);
    return time === null ? [] : [[field.slice("date_".length), time.utc] as const];
  });
  const service = textIn(row, "service")?.slice(0, 40) ?? null;
  const effect = textIn(row, "expressive_send_style_id")?.split(".").at(-1)?.slice(0, 80) ?? null;
  return {
    ...Object.fromEntries(times),
    ...(service === null ? {} : { service }),
    ...(effect === null ? {} : { effect }),
    ...(app === null ? {} : { app: app.app }),
    ...(app === null || app.title === null ? {} : { linkTitle: app.title.slice(0, 500) }),
    ...(numberIn(row, "error") === 0 ? {} : { failed: true }),
    ...(numberIn(row, "is_spam") === 0 ? {} : { spam: true }),
  };
}
