import type {
  Attachment,
  Container,
  ImportedRecord,
  Party,
  Place,
  RecordFlag,
  RecordProps,
  SourceLocation,
} from "#contract";
import { blankRecord } from "../blank.ts";
import { boundedIdentity } from "../chats/message.ts";
import { cleanLine, cleanText, fieldHash, sha256 } from "../text/clean.ts";
import { type ContentLine, splitEscaped, unescapeText } from "../text/content-lines.ts";
import { htmlToPlain } from "../text/html.ts";
import { civilMs } from "../text/time.ts";
import { limits } from "../types.ts";
import { type Component, lineOf, linesOf } from "./components.ts";
import { type Budget, parseRule } from "./recurrence.ts";
import { type Change, endAfter, meetingsOf, type Series } from "./series.ts";
import { atWall, instantOf, type Moment, momentsOf, parseDuration, stampTime, timeOf } from "./values.ts";
import { namedZone, type Zone } from "./zones.ts";

/** A component of a calendar with what is around it: one VEVENT, VTODO or VJOURNAL. */
export interface Item {
  readonly component: Component;
  readonly zoneOf: (tzid: string) => Zone | null;
  readonly method: string;
  readonly budget: Budget;
  readonly container: Container | null;
  readonly files: readonly SourceLocation[];
  /** Where it stands among all that were read. */
  readonly order: number;
  /** Components whose place this one takes: their files name the event too. */
  readonly beaten: readonly SourceLocation[];
}

/** Bytes of one attachment that stands in the calendar; a larger one is listed without its hash. */
const attachmentBytes = 25 * 1024 * 1024;
const maxPeople = 1_000;
const dayMs = 86_400_000;

/** The event's key: its UID, else what it says of its time and title. */
export function uidOf({ component }: Item): { identity: string; nativeId: string | null } {
  const uid = lineOf(component, "UID")?.value.trim() ?? "";
  if (uid !== "") return { identity: boundedIdentity(`event:${uid}`), nativeId: uid.slice(0, 900) };
  const said = ["DTSTART", "DUE", "DTEND", "DURATION", "SUMMARY"].map((name) => lineOf(component, name)?.value ?? null);
  return { identity: `event:#${fieldHash(said)}`, nativeId: null };
}

/** Which meeting of a series the component is about, or null: the series itself. */
export function meetingOf(item: Item): Moment | null {
  const line = lineOf(item.component, "RECURRENCE-ID");
  return line === undefined ? null : (momentsOf(line, item.zoneOf)[0] ?? null);
}

const momentOf = (item: Item, name: string): Moment | null => {
  const line = lineOf(item.component, name);
  return line === undefined ? null : (momentsOf(line, item.zoneOf)[0] ?? null);
};

function textOf(item: Item, name: string): string | null {
  const line = lineOf(item.component, name);
  return line === undefined ? null : cleanText(unescapeText(line.value)).slice(0, limits.textChars) || null;
}

const titleOf = (item: Item) => cleanLine(textOf(item, "SUMMARY")?.slice(0, 2_000) ?? "");

/** Start, length and end of a component. A day has its end on its last day; no end: it ends when it starts (§3.6.1). */
function spanOf(item: Item): { start: Moment | null; lasts: number | null; end: Moment | null } {
  let start = momentOf(item, "DTSTART");
  let until = momentOf(item, "DTEND") ?? momentOf(item, "DUE");
  if (start === null && until !== null) [start, until] = [until, null];
  if (start === null) return { start, lasts: null, end: null };
  const midnight = (moment: Moment | null) => moment !== null && civilMs(moment.wall) % dayMs === 0;
  const marked = /^true$/i.test(lineOf(item.component, "X-MICROSOFT-CDO-ALLDAYEVENT")?.value.trim() ?? "");
  if (marked && midnight(start) && (until === null || midnight(until))) {
    start = { ...start, date: true };
    until = until && { ...until, date: true };
  }
  let lasts: number | null = null;
  const duration = parseDuration(lineOf(item.component, "DURATION")?.value ?? "");
  if (until !== null) {
    // A day as end of a clock time means its beginning; the other way round the day counts.
    lasts = start.date
      ? Math.ceil((civilMs(until.wall) - civilMs(start.wall)) / dayMs) * dayMs
      : instantOf(until.date ? { ...until, zone: start.zone } : until) - instantOf(start);
  } else if (duration !== null) {
    const day = atWall(start, civilMs(start.wall) + duration.days * dayMs);
    lasts = instantOf(day) - instantOf(start) + duration.ms;
  }
  if (lasts === null || lasts < 0) return { start, lasts: null, end: null };
  // The end as written keeps its own zone: a flight lands in another one.
  const own = until !== null && !start.date && !until.date && until.zone !== null;
  return { start, lasts, end: own ? until : endAfter(start, lasts) };
}

/** A person of ORGANIZER or ATTENDEE: name by CN, address without `mailto:`. */
function partyOf(line: ContentLine, role: "organizer" | "attendee"): Party | null {
  const value = line.value.trim().replace(/^(?:mailto:)+/i, "");
  const email = line.params.get("EMAIL")?.[0]?.replace(/^mailto:/i, "");
  const address = cleanLine((email ?? value).slice(0, 1_000));
  const name = cleanLine((line.params.get("CN")?.join(",") ?? "").slice(0, 1_000));
  const usable = address !== null && !/^(?:invalid:|urn:uuid:|\/)/i.test(address) ? address : null;
  if (usable === null && name === null) return null;
  return { name: name === usable ? null : name, address: usable, role, owner: false };
}

function placeOf(item: Item): Place | null {
  const name = cleanLine(textOf(item, "LOCATION")?.replaceAll("\n", ", ").slice(0, 2_000) ?? "");
  const structured = lineOf(item.component, "X-APPLE-STRUCTURED-LOCATION")?.value.replace(/^geo:/i, "");
  const geo = (lineOf(item.component, "GEO")?.value ?? structured ?? "").split(/[;,]/).map((one) => one.trim());
  const [lat, lon] = geo.map(Number);
  const real = geo[0] !== "" && lat !== undefined && lon !== undefined && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  const known = real && !(lat === 0 && lon === 0);
  if (name === null && !known) return null;
  return { lat: known ? lat : null, lon: known ? lon : null, alt: null, name, confidence: "normal" };
}

/** ATTACH: an address is a link, bytes are an attachment. */
function attached(item: Item): { attachments: Attachment[]; links: string[] } {
  const attachments: Attachment[] = [];
  const links: string[] = [];
  for (const line of linesOf(item.component, "ATTACH").slice(0, 200)) {
    const first = (...names: string[]) =>
      names.map((one) => line.params.get(one)?.[0]).find((one) => one !== undefined) ?? null;
    const inside = line.params.get("VALUE")?.[0]?.toUpperCase() === "BINARY" || first("ENCODING") !== null;
    const data = /^data:([^,;]*)[^,]*;base64,(.*)$/is.exec(line.value);
    if (!inside && data === null) {
      if (line.value.trim() !== "") links.push(line.value.trim().slice(0, 4_000));
      continue;
    }
    const code = data?.[2] ?? line.value;
    const bytes = code.length > attachmentBytes * 1.4 ? null : Buffer.from(code, "base64");
    attachments.push({
      name: cleanLine(first("FILENAME", "X-FILENAME", "X-APPLE-FILENAME", "X-LABEL", "X-ORACLE-FILENAME") ?? ""),
      path: null,
      mime: first("FMTTYPE")?.toLowerCase() ?? (data?.[1] || null),
      bytes: bytes?.length ?? Math.floor((code.length * 3) / 4),
      sha256: bytes === null ? null : sha256(bytes),
      text: null,
      inline: false,
      missing: false,
    });
  }
  for (const name of ["URL", "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL"]) {
    for (const line of linesOf(item.component, name).slice(0, 20)) {
      const url = line.value.trim().slice(0, 4_000);
      if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !links.includes(url)) links.push(url);
    }
  }
  return { attachments, links };
}

function bodyOf(item: Item): string | null {
  const html = /<(?:br|p|div|html|a|b|i|u|ul|ol|li|span|table)\b[^<>]*>/i;
  const text = textOf(item, "DESCRIPTION");
  if (text !== null) return html.test(text) ? htmlToPlain(text.replaceAll("\n", "<br>")) || null : text;
  const alternative = textOf(item, "X-ALT-DESC");
  return alternative === null ? null : htmlToPlain(alternative) || null;
}

function flagsOf(item: Item, start: Moment | null): RecordFlag[] {
  const flags: RecordFlag[] = [];
  const written = lineOf(item.component, "DTSTART") ?? lineOf(item.component, "DUE");
  if (start?.date) flags.push("all-day");
  if (item.method === "CANCEL" || textOf(item, "STATUS")?.toUpperCase() === "CANCELLED") flags.push("cancelled");
  const zone = start?.zone;
  if (zone && zone !== "utc" && zone.mapped) flags.push("zone-mapped");
  if ((start === null && written !== undefined) || start?.unknownZone) flags.push("date-uncertain");
  if (item.component.lines.some(({ guessed }) => guessed)) flags.push("charset-guessed");
  return flags;
}

/** What no field of a record holds, as written. */
function extraOf(item: Item, start: Moment | null): RecordProps["extra"] {
  const extra: Record<string, unknown> = {};
  for (const name of ["STATUS", "CLASS", "PRIORITY", "RRULE", "PERCENT-COMPLETE", "COMPLETED", "SEQUENCE"]) {
    const value = lineOf(item.component, name)?.value.trim();
    if (value) extra[name.toLowerCase()] = value.slice(0, 1_000);
  }
  if (start?.unknownZone) extra.tzid = start.unknownZone;
  if (start === null && lineOf(item.component, "DTSTART"))
    extra.dtstart = lineOf(item.component, "DTSTART")?.value.slice(0, 200);
  const answers = linesOf(item.component, "ATTENDEE")
    .slice(0, maxPeople)
    .flatMap((line) => {
      const status = line.params.get("PARTSTAT")?.[0];
      return status === undefined ? [] : [{ attendee: partyOf(line, "attendee")?.address ?? null, status }];
    });
  if (answers.length > 0) extra.answers = answers;
  return Object.keys(extra).length > 0 ? extra : undefined;
}

/** The record of one component; `changes` are the moved meetings of its series. */
export function recordOf(item: Item, changes: readonly Item[]): ImportedRecord {
  const { start, lasts, end } = spanOf(item);
  const { component, zoneOf } = item;
  const { identity, nativeId } = uidOf(item);
  const subject = titleOf(item);
  const source = `ics:${lineOf(component, "DTSTART") ? "DTSTART" : "DUE"}`;
  const people = (name: "ORGANIZER" | "ATTENDEE", role: "organizer" | "attendee") =>
    linesOf(component, name)
      .slice(0, maxPeople)
      .map((line) => partyOf(line, role))
      .filter((party) => party !== null);
  const organizers = people("ORGANIZER", "organizer");
  const attendees = people("ATTENDEE", "attendee");
  const { attachments, links } = attached(item);
  const labels = linesOf(component, "CATEGORIES")
    .flatMap((line) => splitEscaped(line.value, ",").map((one) => cleanLine(unescapeText(one))))
    .filter((label) => label !== null)
    .slice(0, 200);
  const flags = flagsOf(item, start);
  const created = stampTime(lineOf(component, "CREATED"), "ics:CREATED");
  const modified = stampTime(lineOf(component, "LAST-MODIFIED"), "ics:LAST-MODIFIED");
  const todo = component.name === "VTODO";
  const done = textOf(item, "STATUS")?.toUpperCase() === "COMPLETED" || lineOf(component, "COMPLETED") !== undefined;
  const extra = extraOf(item, start);
  const instances = start === null ? [] : instancesOf(item, { start, lasts }, changes, zoneOf);
  return {
    identity,
    kind: component.name === "VEVENT" ? "event" : "note",
    ...blankRecord(),
    nativeId,
    subject,
    text: bodyOf(item),
    author: organizers[0] ?? null,
    participants: [...organizers, ...attendees],
    time: start && timeOf(start, source),
    end: end && timeOf(end, "ics:DTEND"),
    place: placeOf(item),
    container: item.container,
    files: [...item.files, ...item.beaten],
    props: {
      ...(labels.length > 0 ? { labels: [...new Set(labels)] } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(links.length > 0 ? { links } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      ...(created ? { created } : {}),
      ...(modified ? { modified } : {}),
      ...(todo && subject !== null ? { items: [{ text: subject, checked: done }] } : {}),
      ...(instances.length > 0 ? { instances } : {}),
      ...(extra ? { extra } : {}),
    },
  };
}

type Instances = NonNullable<RecordProps["instances"]>;

function instancesOf(
  item: Item,
  { start, lasts }: { start: Moment; lasts: number | null },
  changed: readonly Item[],
  zoneOf: Item["zoneOf"],
): Instances {
  const rule = parseRule(lineOf(item.component, "RRULE")?.value ?? "");
  const dates = (name: string) =>
    linesOf(item.component, name)
      .slice(0, 2_000)
      .flatMap((line) => momentsOf(line, zoneOf))
      .slice(0, 5_000);
  const also = dates("RDATE");
  if (rule === null && also.length === 0 && changed.length === 0) return [];
  const changes = changed.flatMap((one): Change[] => {
    const of = meetingOf(one);
    if (of === null) return [];
    const span = spanOf(one);
    const off = textOf(one, "STATUS")?.toUpperCase() === "CANCELLED" || one.method === "CANCEL";
    const range = lineOf(one.component, "RECURRENCE-ID")?.params.get("RANGE")?.[0]?.toUpperCase();
    return [
      {
        of,
        start: off ? null : (span.start ?? of),
        end: span.end,
        subject: titleOf(one),
        onwards: range === "THISANDFUTURE" && !off,
      },
    ];
  });
  const series: Series = { start, lasts, rule, also, except: dates("EXDATE"), changes, budget: item.budget };
  return meetingsOf(series).map((meeting) => ({
    time: timeOf(meeting.start, "ics:RRULE"),
    end: meeting.end && timeOf(meeting.end, "ics:RRULE"),
    subject: meeting.subject,
  }));
}

/** Zones by the definitions of one calendar, else by name, each looked up once. */
export function zonesOf(defined: ReadonlyMap<string, Zone>): (tzid: string) => Zone | null {
  const known = new Map<string, Zone | null>();
  return (tzid) => {
    const name = tzid.trim().replace(/^"|"$/g, "");
    const found = defined.get(name) ?? known.get(name);
    if (found !== undefined) return found;
    const zone = namedZone(name);
    if (known.size < 1_000) known.set(name, zone);
    return zone;
  };
}
