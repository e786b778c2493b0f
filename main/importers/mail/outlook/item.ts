import type { ImportedRecord, RecordTime } from "#contract";
import { blankRecord } from "../../blank.ts";
import { eventsOf } from "../../calendar/index.ts";
import { cleanLine, fieldHash } from "../../text/clean.ts";
import { timeFromInstant } from "../../text/time.ts";
import { limits } from "../../types.ts";
import { mimeMessage } from "../body.ts";
import type { MailMemory } from "../memory.ts";
import type { Message } from "../parts.ts";
import { memberNumber } from "../parts.ts";
import { type MailResult, type MailSource, mailOf } from "../record.ts";
import { calendarOf } from "./calendar.ts";
import { ids, type MapiItem, type MapiProps, sets, subjectOf } from "./mapi.ts";
import { deliveryOf, mapiMessage, textOf } from "./message.ts";

/** Reads an item as a message; one that is signed or encrypted as a whole by what stands inside its only file. */
export function outlookMessage(item: MapiItem, inside = ""): Message {
  const message = mapiMessage(item, inside);
  if (!/^IPM\.Note\.SMIME/i.test(item.props.text(ids.messageClass) ?? "")) return message;
  const [attachment] = item.attachments;
  if (attachment?.data == null) return message;
  // `multipart/signed` brings its own header; bare PKCS #7 gets one.
  const head = /^[\r\n\s]*content-type\s*:/i.test(attachment.data.toString("latin1", 0, 200))
    ? ""
    : "Content-Type: application/pkcs7-mime\r\n\r\n";
  const { body } = mimeMessage(Buffer.concat([Buffer.from(head), attachment.data]), memberNumber(inside, 1));
  return { headers: message.headers, body };
}

/** Records of one item: mail as mail, and appointments, contacts, tasks and notes as what they are. */
export function itemRecords(item: MapiItem, source: MailSource, memory: MailMemory): MailResult {
  const kind = item.props.text(ids.messageClass) ?? "IPM.Note";
  const one = (record: ImportedRecord | null): MailResult => ({
    mails: record === null ? [] : [{ record, files: [] }],
    leftOut: null,
    warning: null,
  });
  if (/^IPM\.Appointment(?:\.|$)/i.test(kind)) {
    const calendar = calendarOf(item);
    const events =
      calendar === null ? [] : eventsOf(calendar, { files: [placeOf(source)], container: source.container });
    return { mails: events.map((record) => ({ record, files: [] })), leftOut: null, warning: null };
  }
  if (/^IPM\.Contact(?:\.|$)/i.test(kind)) return one(contactRecord(item.props, source));
  if (/^IPM\.(?:StickyNote|Activity|Task)(?:\.|$)/i.test(kind)) return one(noteRecord(item.props, source));
  const flags = item.props.int(ids.messageFlags) ?? 0;
  const message = outlookMessage(item, source.part ?? "");
  const nameFlags = `${(flags & 8) !== 0 ? "D" : ""}${item.props.int(ids.flagStatus) === 2 ? "F" : ""}`;
  return mailOf(message, { ...source, nameFlags, received: deliveryOf(item.props) }, memory);
}

function placeOf(source: MailSource): ImportedRecord["files"][number] {
  const { path, offset, bytes, part } = source;
  return { path, offset, bytes, role: null, ...(part === undefined ? {} : { part }) };
}

function bare(source: MailSource): Omit<ImportedRecord, "identity" | "kind"> {
  return { ...blankRecord(), container: source.container, files: [placeOf(source)] };
}

function line(text: string | null): string | null {
  return text === null ? null : (cleanLine(text)?.slice(0, 2_000) ?? null);
}

function bodyOf(props: MapiProps): string | null {
  const text = textOf(props).slice(0, limits.textChars).toWellFormed();
  return text === "" ? null : text;
}

/** When an item was made, for those that have no moment of their own. */
function madeAt(props: MapiProps): RecordTime | null {
  const ms = props.time(ids.creationTime) ?? props.time(ids.lastModified);
  return ms === null ? null : timeFromInstant(ms, { source: "mapi:CreationTime" });
}

function noteRecord(props: MapiProps, source: MailSource): ImportedRecord | null {
  const subject = line(subjectOf(props));
  const text = bodyOf(props);
  if (subject === null && text === null) return null;
  const time = madeAt(props);
  const identity = `outlook-note:${fieldHash([subject, text, time?.utc ?? null])}`;
  const task = /^IPM\.Task/i.test(props.text(ids.messageClass) ?? "") && subject !== null;
  const done = props.int(props.idOf(sets.task, 0x811c)) === 1;
  const items = task ? { items: [{ text: subject, checked: done }] } : {};
  return { ...bare(source), identity, kind: "note", subject, text, time, props: items };
}

function contactRecord(props: MapiProps, source: MailSource): ImportedRecord | null {
  const subject = line(props.text(ids.displayName) ?? subjectOf(props));
  const phones = [
    ["mobile", ids.mobilePhone],
    ["home", ids.homePhone],
    ["work", ids.businessPhone],
    ["other", ids.otherPhone],
  ] as const;
  // Addresses 1 to 3 (MS-OXOCNTC §2.2.1.2): as they are, else as they were before Exchange knew the person.
  const emails = [0x8083, 0x8093, 0x80a3].flatMap((name) => {
    const found = [name, name + 1].map((one) => line(props.text(props.idOf(sets.address, one))));
    const address = found.find((one) => one?.includes("@"));
    return address == null ? [] : [{ value: address, label: null, preferred: false }];
  });
  const numbers = phones.flatMap(([label, id]) => {
    const value = line(props.text(id));
    return value === null ? [] : [{ value, label, preferred: false }];
  });
  if (subject === null && emails.length === 0 && numbers.length === 0) return null;
  const born = props.time(ids.birthday);
  const identity = `outlook-contact:${fieldHash([subject, emails[0]?.value ?? null, numbers[0]?.value ?? null])}`;
  return {
    ...bare(source),
    identity,
    kind: "contact",
    subject,
    text: bodyOf(props),
    props: {
      contact: {
        phones: numbers,
        emails,
        organisation: line(props.text(ids.company)),
        unit: line(props.text(ids.department)),
        birthday:
          born === null ? null : new Date(Math.round(born / 86_400_000) * 86_400_000).toISOString().slice(0, 10),
        photo: null,
      },
    },
  };
}
