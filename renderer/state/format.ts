import type { RecordKind, RecordSummary, RecordTime } from "#contract";

/**
 * Times are shown as the source gives them: wall time where it is known, else UTC and said so.
 * They are never moved into this machine's zone.
 */

const locale = "en-GB";
const dayFormat = new Intl.DateTimeFormat(locale, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const shortDayFormat = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const monthFormat = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
const numberFormat = new Intl.NumberFormat(locale);

function parseDay(day: string): Date | null {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** `2024-07-14` → "Sunday, 14 July 2024". */
export function longDay(day: string): string {
  const date = parseDay(day);
  return date ? dayFormat.format(date) : day;
}

/** `2024-07-14` → "14 Jul 2024"; a coarser one keeps only what it says. */
export function shortDay(day: string): string {
  if (/^\d{4}$/.test(day)) return day;
  if (/^\d{4}-\d\d$/.test(day)) return monthName(day);
  const date = parseDay(day);
  return date ? shortDayFormat.format(date) : day;
}

/** `2024-07` → "July 2024". */
export function monthName(month: string): string {
  const date = parseDay(`${month.slice(0, 7)}-01`);
  return date ? monthFormat.format(date) : month;
}

/** Local day of a moment, or its UTC day when only that is known; null without a time. */
export function dayOf(time: RecordTime | null): string | null {
  return (time?.local ?? time?.utc)?.slice(0, 10) ?? null;
}

/** "21:30", "21:30 UTC", or empty for a precision of a day or coarser. */
export function clock(time: RecordTime | null): string {
  if (!time || time.precision === "day" || time.precision === "month" || time.precision === "year") return "";
  if (time.local && time.local.length >= 16) return time.local.slice(11, 16);
  if (time.utc) return `${time.utc.slice(11, 16)} UTC`;
  return "";
}

/** "14 Jul 2024, 21:30". "about" stands before what is uncertain. */
export function moment(time: RecordTime | null): string {
  const day = dayOf(time);
  if (!time || !day) return "No date";
  const written = time.precision === "year" ? day.slice(0, 4) : time.precision === "month" ? day.slice(0, 7) : day;
  const parts = [shortDay(written), clock(time)].filter((part) => part !== "");
  return `${time.confidence === "low" ? "about " : ""}${parts.join(", ")}`;
}

/** ISO instant of this machine's own doing (an import, an edit), in this machine's zone. */
export function ownMoment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

export function count(value: number): string {
  return numberFormat.format(value);
}

/** "1 message", "2,114 messages". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  if (value < 1000) return counted(value, "byte");
  const units = ["KB", "MB", "GB", "TB"];
  let amount = value;
  let unit = -1;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

/** "a few seconds", "about 4 minutes", "about 2 hours": as exact as an estimate deserves. */
export function timeLeft(seconds: number): string {
  if (seconds < 10) return "a few seconds";
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} seconds`;
  if (seconds < 3300) return `about ${counted(Math.max(1, Math.round(seconds / 60)), "minute")}`;
  const hours = seconds / 3600;
  return hours < 10
    ? `about ${counted(Math.round(hours * 2) / 2, "hour")}`
    : `about ${counted(Math.round(hours), "hour")}`;
}

const kindWords: Readonly<Record<RecordKind, readonly [string, string]>> = {
  message: ["message", "messages"],
  email: ["mail", "mails"],
  photo: ["photo", "photos"],
  video: ["video", "videos"],
  audio: ["recording", "recordings"],
  document: ["document", "documents"],
  event: ["event", "events"],
  contact: ["contact", "contacts"],
  note: ["note", "notes"],
  location: ["place visit", "place visits"],
  transaction: ["transaction", "transactions"],
  system: ["notice", "notices"],
};

export function kindName(kind: RecordKind, many = false): string {
  return kindWords[kind][many ? 1 : 0];
}

/** "Photo", "Photos": at the start of a label. */
export function kindTitle(kind: RecordKind, many = false): string {
  const word = kindName(kind, many);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** "Photo, the harbour at dusk, 21:30, Lisbon": a picture for those who do not see it. */
export function photoLabel(record: RecordSummary): string {
  const words = record.subject ?? (record.snippet.length > 120 ? `${record.snippet.slice(0, 119)}…` : record.snippet);
  return [kindTitle(record.kind), words, clock(record.time), record.place?.name].filter(Boolean).join(", ");
}

/** What a person would call a record: its subject, else its first words, else what it is. */
export function recordTitle(record: RecordSummary): string {
  if (record.subject) return record.subject;
  if (record.snippet) return record.snippet.length > 80 ? `${record.snippet.slice(0, 79)}…` : record.snippet;
  if (record.kind === "photo" && record.place?.name) return `Photo, ${record.place.name}`;
  return kindTitle(record.kind);
}
