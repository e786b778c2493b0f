import { ids, type MapiItem, type MapiProps, sets, subjectOf } from "./mapi.ts";
import { ruleOf } from "./recurrence.ts";

/** Named properties of appointments (MS-OXOCAL §2.2). */
const names = {
  start: 0x820d,
  end: 0x820e,
  location: 0x8208,
  allDay: 0x8215,
  recurrence: 0x8216,
  stateFlags: 0x8217,
  uid: 0x0023,
  globalId: 0x0003,
} as const;

/**
 * An appointment or a request for a meeting as iCalendar (RFC 5545), so that it is the event that the calendar's own
 * file tells of. Null for other items, for answers to requests, and without a start.
 */
export function calendarOf({ props, recipients }: MapiItem): Buffer | null {
  const kind = props.text(ids.messageClass) ?? "";
  const request = /^IPM\.(?:Schedule\.Meeting\.(?:Request|Canceled)|Microsoft Schedule\.Mtg(?:Req|Cncl))/i.test(kind);
  if (!request && !/^IPM\.Appointment/i.test(kind)) return null;
  const time = (name: number) => props.time(props.idOf(sets.appointment, name));
  const start = time(names.start) ?? props.time(ids.startDate);
  if (start === null) return null;
  const end = time(names.end) ?? props.time(ids.endDate);
  const allDay = props.int(props.idOf(sets.appointment, names.allDay)) === 1;
  const blob = props.bytes(props.idOf(sets.appointment, names.recurrence));
  const rule = blob === null ? null : ruleOf(blob, allDay);
  const uid = uidOf(props);
  const cancelled =
    /cancel|cncl/i.test(kind) || ((props.int(props.idOf(sets.appointment, names.stateFlags)) ?? 0) & 4) !== 0;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Outlook item//EN",
    "BEGIN:VEVENT",
    ...(uid === null ? [] : [`UID:${uid}`]),
    stamp("DTSTART", start, allDay),
    ...(end === null ? [] : [stamp("DTEND", end, allDay)]),
    ...(rule === null ? [] : [rule]),
    ...(cancelled ? ["STATUS:CANCELLED"] : []),
    ...value("SUMMARY", subjectOf(props)),
    ...value("LOCATION", props.text(props.idOf(sets.appointment, names.location))),
    ...value("DESCRIPTION", props.text(ids.body)),
    ...organizer(props),
    ...recipients.flatMap(attendee),
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return Buffer.from(lines.map((line) => line.replace(/[\r\n]+/g, " ")).join("\r\n"));
}

/** All-day items begin at midnight of a zone that is not told: the nearest midnight in UTC is the day. */
function stamp(name: string, ms: number, allDay: boolean): string {
  if (!allDay) return `${name}:${new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  const day = Math.round(ms / 86_400_000) * 86_400_000;
  return `${name};VALUE=DATE:${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function value(name: string, text: string | null): string[] {
  if (text === null || text.trim() === "") return [];
  const escaped = text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n|\r/g, "\\n");
  return [`${name}:${escaped}`];
}

/** The UID as calendars write it: of a foreign one its text, else the object's id in hex (MS-OXCICAL §2.1.3.1.1.20.26). */
function uidOf(props: MapiProps): string | null {
  const id = props.bytes(props.idOf(sets.meeting, names.uid)) ?? props.bytes(props.idOf(sets.meeting, names.globalId));
  if (id === null || id.length < 40) return null;
  if (id.toString("latin1", 40, 48) === "vCal-Uid") {
    const foreign = id.toString("latin1", 52).replace(/\0.*$/s, "");
    if (foreign !== "") return foreign;
  }
  const clean = Buffer.from(id);
  // The day of one meeting of a series, which the UID of the series leaves out.
  clean.fill(0, 16, 20);
  return clean.toString("hex").toUpperCase();
}

function parameter(name: string | null): string {
  const clean = name?.replace(/["\r\n]/g, "") ?? "";
  return clean === "" ? "" : `;CN="${clean}"`;
}

function organizer(props: MapiProps): string[] {
  const name = props.text(ids.sentRepresentingName) ?? props.text(ids.senderName);
  const address = props.text(ids.sentRepresentingSmtpAddress) ?? props.text(ids.sentRepresentingAddress);
  if (address === null || !address.includes("@")) return [];
  return [`ORGANIZER${parameter(name)}:mailto:${address}`];
}

function attendee(props: MapiProps): string[] {
  const address = props.text(ids.smtpAddress) ?? props.text(ids.address);
  if (address === null || !address.includes("@")) return [];
  return [`ATTENDEE${parameter(props.text(ids.displayName))}:mailto:${address}`];
}
