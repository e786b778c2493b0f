import type { Container, ImportedRecord, SourceLocation } from "#contract";
import { fileEnd } from "../files.ts";
import { cleanLine } from "../text/clean.ts";
import { unescapeText } from "../text/content-lines.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { type Component, calendarsOf, lineOf } from "./components.ts";
import { type Item, meetingOf, recordOf, uidOf, zonesOf } from "./event.ts";
import type { Budget } from "./recurrence.ts";
import { instantOf, parseStamp } from "./values.ts";
import { definedZone, type Zone } from "./zones.ts";

/** Largest calendar file, bytes: it is read as a whole, as its zones may stand anywhere in it. */
const fileCap = 128 * 1024 * 1024;
/** Periods that all recurrence rules of an import may try together: some seconds of work. */
const maxPeriods = 3_000_000;
const units = new Set(["VEVENT", "VTODO", "VJOURNAL"]);
/** Answers of a guest: they tell of one answer and not of the event. */
const answers = new Set(["REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER"]);

const named = /\.(?:ics|ical|icalendar|vcs|ifb)$/i;
const mayBe = /^[^.]+$|\.(?:cal|txt|dat|bin|ics[^.]*)$/i;

/** `BEGIN:VCALENDAR` after a byte order mark and blank lines, in UTF-8 or UTF-16. */
export function isCalendar(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 600)).toString("latin1").replaceAll("\0", "");
  return /^(?:ï»¿|ÿþ|þÿ)?\s*BEGIN\s*:\s*VCALENDAR/i.test(text);
}

/** All calendars of a drop are one claim: a later export of an event may lie in another file. */
async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const found: Entry[] = [];
  const doubtful: Entry[] = [];
  for (const entry of free.entries) {
    const hinted = named.test(entry.name);
    if (!hinted && !mayBe.test(entry.name)) continue;
    try {
      if (isCalendar(await entry.head())) found.push(entry);
      else if (hinted) doubtful.push(entry);
    } catch {
      if (hinted) doubtful.push(entry);
    }
  }
  const [primary, ...rest] = found;
  if (primary !== undefined) {
    const label = rest.length === 0 ? primary.name : `${found.length} calendar files`;
    yield { primary: primary.path, companions: rest.map(({ path }) => path), label, confidence: 3 };
  }
  for (const entry of doubtful) yield { primary: entry.path, companions: [], label: entry.name, confidence: 1 };
}

const titleOf = (calendar: Component): string | null => {
  const line = lineOf(calendar, "X-WR-CALNAME") ?? lineOf(calendar, "NAME");
  return line === undefined ? null : cleanLine(unescapeText(line.value).slice(0, 500));
};

interface Found {
  readonly budget: Budget;
  readonly items: Item[];
  /** Components that gave no record. */
  skipped: number;
  calendars: number;
}

/** Takes the events of a file in; `container` where the calendar says no name of its own. */
function collect(
  bytes: Uint8Array,
  files: readonly SourceLocation[],
  container: Container | null,
  ownNames: boolean,
  found: Found,
): void {
  for (const calendar of calendarsOf(bytes)) {
    found.calendars++;
    const zones = new Map<string, Zone>();
    for (const part of calendar.children) {
      const tzid = part.name === "VTIMEZONE" ? lineOf(part, "TZID")?.value.trim().replace(/^"|"$/g, "") : undefined;
      const zone = tzid === undefined || zones.size >= 1_000 ? null : definedZone(part);
      if (tzid !== undefined && zone !== null) zones.set(tzid, zone);
    }
    const method = lineOf(calendar, "METHOD")?.value.trim().toUpperCase() ?? "";
    const zoneOf = zonesOf(zones);
    const title = ownNames ? titleOf(calendar) : null;
    const own: Container | null = title === null ? container : { key: `calendar:${title}`, title, kind: "calendar" };
    for (const component of calendar.children) {
      if (component.name === "VTIMEZONE") continue;
      if (!units.has(component.name) || answers.has(method)) {
        found.skipped++;
        continue;
      }
      found.items.push({
        component,
        zoneOf,
        method,
        budget: found.budget,
        container: own,
        files,
        order: found.items.length,
        beaten: [],
      });
    }
  }
}

/** Which of two copies of an event holds: higher SEQUENCE, then later LAST-MODIFIED or DTSTAMP, then the later read. */
function newer(a: Item, b: Item): Item {
  const stamp = (item: Item) => {
    const sequence = Number(lineOf(item.component, "SEQUENCE")?.value ?? 0);
    const times = ["LAST-MODIFIED", "DTSTAMP"].map((name) => {
      const found = parseStamp(lineOf(item.component, name)?.value ?? "");
      return found === null ? 0 : instantOf({ wall: found.civil, date: false, zone: "utc", unknownZone: null });
    });
    return [Number.isFinite(sequence) ? sequence : 0, Math.max(...times), item.order];
  };
  const [first, second] = [stamp(a), stamp(b)];
  const at = first.findIndex((value, index) => value !== second[index]);
  return (first[at] ?? 0) > (second[at] ?? 0) ? a : b;
}

/** One record an event: later copies win, moved meetings go into their series and stand beside it as its parts. */
function* settle(items: readonly Item[]): Generator<ImportedRecord> {
  const events = new Map<string, Map<string, Item>>();
  for (const item of items) {
    const { identity } = uidOf(item);
    const meeting = meetingOf(item);
    const key = meeting === null ? "" : `${meeting.date ? "d" : "t"}${instantOf(meeting)}`;
    const group = events.get(identity) ?? new Map<string, Item>();
    events.set(identity, group);
    const other = group.get(key);
    if (other === undefined) group.set(key, item);
    else {
      const wins = newer(other, item);
      const loses = wins === item ? other : item;
      const beaten = [...wins.beaten, ...loses.files, ...loses.beaten].filter(
        ({ path }, index, all) =>
          !wins.files.some((file) => file.path === path) && all.findIndex((one) => one.path === path) === index,
      );
      group.set(key, { ...wins, beaten: beaten.slice(0, 50) });
    }
  }
  for (const [identity, group] of events) {
    const series = group.get("");
    const meetings = [...group].filter(([key]) => key !== "");
    if (series !== undefined) {
      yield recordOf(
        series,
        meetings.map(([, item]) => item),
      );
    }
    for (const [key, item] of meetings) {
      const part: ImportedRecord["partOf"] = series === undefined ? null : { identity, role: "instance" };
      yield { ...recordOf(item, []), identity: `${identity}#${key}`, partOf: part };
    }
  }
}

/**
 * Events of one calendar text, as a mail's `text/calendar` part holds it: the same identities (`event:UID`) as from the
 * calendar itself, cancelled ones marked. Answers of guests (METHOD:REPLY) give none. Never throws.
 */
export function eventsOf(
  bytes: Uint8Array,
  source: { readonly files: SourceLocation[]; readonly container: Container | null },
): ImportedRecord[] {
  const found: Found = { items: [], skipped: 0, calendars: 0, budget: { left: maxPeriods } };
  collect(bytes, source.files, source.container, false, found);
  return [...settle(found.items)];
}

/** The cursor is the number of the record, in the order that the files themselves give. */
async function* read(claim: Claim, { tree, signal, resume }: ReadContext): AsyncGenerator<ImportedItem> {
  const found: Found = { items: [], skipped: 0, calendars: 0, budget: { left: maxPeriods } };
  const ends: ImportedItem[] = [];
  for (const path of [claim.primary, ...claim.companions]) {
    throwIfCancelled(signal);
    const entry = tree.get(path);
    if (entry === undefined) continue;
    const before = { items: found.items.length, skipped: found.skipped, calendars: found.calendars };
    let fault: string | null = null;
    try {
      const bytes = await entry.readAll(fileCap);
      const title = cleanLine(entry.name.replace(/\.[^.]*$/, "")) ?? entry.name;
      const container: Container = { key: `calendar:${title}`, title, kind: "calendar" };
      collect(bytes, [{ path, offset: null, bytes: entry.bytes, role: null }], container, true, found);
    } catch (error) {
      fault = reasonOf(error, signal);
    }
    const events = found.items.length - before.items;
    const skipped = found.skipped - before.skipped;
    if (fault !== null) ends.push(fileEnd(path, "failed", fault));
    else if (found.calendars === before.calendars) ends.push(fileEnd(path, "failed", "It holds no calendar."));
    else if (events === 0) ends.push(fileEnd(path, "skipped", "The calendar holds no events.", skipped));
    else ends.push(fileEnd(path, "imported", null, skipped));
  }
  const from = typeof resume === "number" ? resume + 1 : 0;
  let index = 0;
  for (const record of settle(found.items)) {
    throwIfCancelled(signal);
    if (index >= from) yield { type: "record", record, cursor: index };
    index++;
  }
  yield* ends;
}

/** Calendars: .ics files wherever they lie. */
export const calendarImporter: Importer = { id: "calendar", title: "Calendar", order: 50, recognise, read };
