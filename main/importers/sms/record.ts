import type { Attachment, ImportedRecord, RecordFlag } from "#contract";
import { chatRecord } from "../chats/message.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { timeFromInstant } from "../text/time.ts";
import type { RawCall, RawMessage } from "./messages.ts";
import { tailOf } from "./numbers.ts";
import type { Phonebook } from "./people.ts";

const timeAt = (ms: number) => timeFromInstant(ms, { source: "date", precision: ms % 1000 === 0 ? "second" : "ms" });
const sequenceAt = (ms: number) => (Number.isSafeInteger(ms) ? ms : 0);
const states: Readonly<Record<number, string>> = { 4: "outbox", 5: "failed", 6: "queued" };

/** The words of a message: its body, or the text parts of an MMS. */
function textOf({ body, parts }: RawMessage): string | null {
  if (body !== null) return body;
  const texts = parts.filter(({ type, text }) => type === "text/plain" && text !== null).map(({ text }) => text);
  return texts.length > 0 ? texts.join("\n") : null;
}

/**
 * Identity: the moment, the box, the last digits of the numbers and the words. Names, spellings of numbers and what else
 * stands in the backup do not enter.
 */
function identityOf(raw: RawMessage, text: string | null): string {
  const tails =
    raw.type === "sms" ? raw.addresses.map(tailOf) : [raw.from, ...raw.to.map(({ address }) => address)].map(tailOf);
  const sizes = raw.parts.map(({ type, data }) => (type === "text/plain" ? "" : `${type} ${data?.length ?? 0}`));
  const hash = fieldHash([...tails.sort(), text, raw.nativeId, ...sizes]);
  return `${raw.type}:${raw.date}/${raw.box}/${hash}`;
}

/** A message as a record; `attachments` are the files of an MMS. */
export function messageRecord(
  raw: RawMessage,
  people: Phonebook,
  attachments: readonly Attachment[],
  path: string,
): ImportedRecord {
  const text = textOf(raw);
  const out = raw.box !== 1 && raw.box !== 0;
  const others = people.others(raw);
  const from = raw.type === "mms" ? (raw.from ?? (others.length === 1 ? others[0] : undefined)) : others[0];
  const author = out ? people.owner() : from === undefined ? null : people.party(from, null);
  const roles = new Map(raw.to.map(({ address, role }) => [address, role]));
  const receivers = [...raw.to.map(({ address }) => address), ...others].filter((one) => out || one !== from);
  const participants = [...new Set(receivers)]
    .slice(0, 100)
    .map((one) => people.party(one, roles.get(one) ?? (out ? "to" : "member")));
  const flags = new Set<RecordFlag>();
  if (raw.box === 3) flags.add("draft");
  if (attachments.some(({ missing }) => missing)) flags.add("missing-media");
  const sent = timeAt(raw.sent);
  const state = states[raw.box];
  const extra = { ...(sent === null ? {} : { sent: sent.utc }), ...(state === undefined ? {} : { state }) };
  const conversation = people.conversation(others);
  const record = chatRecord({
    identity: identityOf(raw, text),
    nativeId: raw.nativeId === null ? null : raw.nativeId.slice(0, 500),
    kind: "message",
    text,
    author,
    participants,
    time: timeAt(raw.date),
    container: { ...conversation, kind: "chat" },
    sequence: sequenceAt(raw.date),
    file: { path, offset: null, bytes: null, role: null },
    props: {
      direction: out ? "out" : "in",
      ...(attachments.length > 0 ? { attachments: [...attachments] } : {}),
      ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  });
  return { ...record, subject: raw.subject === null ? null : cleanLine(raw.subject.slice(0, 1000)) };
}

const callTexts: Readonly<Record<number, string>> = {
  1: "Incoming call",
  2: "Outgoing call",
  3: "Missed call",
  4: "Voicemail",
  5: "Rejected call",
  6: "Blocked call",
  7: "Call answered on another device",
};

/** A call as a notice in the conversation with the other one. */
export function callRecord(raw: RawCall, people: Phonebook, path: string): ImportedRecord {
  const out = raw.kind === 2;
  const others = raw.address === null ? [] : [raw.address];
  const other = raw.address === null ? null : people.party(raw.address, null);
  return chatRecord({
    identity: `call:${raw.date}/${raw.kind}/${fieldHash([tailOf(raw.address)])}`,
    nativeId: null,
    kind: "system",
    text: callTexts[raw.kind] ?? "Call",
    author: out ? people.owner() : other,
    participants: out && other !== null ? [{ ...other, role: "to" }] : [],
    time: timeAt(raw.date),
    container: { ...people.conversation(others), kind: "chat" },
    sequence: sequenceAt(raw.date),
    file: { path, offset: null, bytes: null, role: null },
    props: {
      direction: out ? "out" : "in",
      flags: raw.kind === 3 ? ["call", "missed"] : ["call"],
      ...(raw.seconds >= 0 && Number.isFinite(raw.seconds) ? { duration: raw.seconds } : {}),
    },
  });
}
