import { findIana, IANA_ALIAS_MAP } from "windows-iana";
import { baseName } from "../files.ts";
import { type Civil, civilMs } from "../text/time.ts";
import { isZone, offsetAtWallMs } from "../text/zone.ts";
import { type Component, lineOf, linesOf } from "./components.ts";
import { civilOf, occurrences, parseRule } from "./recurrence.ts";
import { parseStamp } from "./values.ts";

/** Time zones as calendars name them: by a definition in the file, an IANA name, or a Windows name in one of its spellings. */
export interface Zone {
  /** IANA name where it is known. */
  readonly iana: string | null;
  /** The name was mapped: it is neither defined in the file nor an IANA name. */
  readonly mapped: boolean;
  /** Minutes east of Greenwich that hold at a wall time. */
  offsetAt(wall: Civil): number;
}

/** A zone by its IANA name, or null. */
export function ianaZone(name: string, mapped = false): Zone | null {
  if (!/^[A-Za-z0-9_+/-]{2,64}$/.test(name)) return null;
  return isZone(name) ? { iana: name, mapped, offsetAt: (wall) => offsetAtWallMs(name, civilMs(wall)) } : null;
}

function fixedZone(minutes: number): Zone {
  return { iana: null, mapped: true, offsetAt: () => minutes };
}

/** IANA zones by the city that their name ends with. */
const cities = new Map<string, string>();
for (const name of [...Intl.supportedValuesOf("timeZone"), ...Object.keys(IANA_ALIAS_MAP)]) {
  const city = baseName(name);
  if (name.includes("/") && !/^Etc\//.test(name)) cities.set(plainName(city), name);
}

function plainName(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
}

/** Places of Windows' display names that neither CLDR's names nor IANA's cities tell. */
const regions: Readonly<Record<string, string>> = {
  greenwichmeantime: "Europe/London",
  coordinateduniversaltime: "UTC",
  brasilia: "America/Sao_Paulo",
  hawaii: "Pacific/Honolulu",
  alaska: "America/Anchorage",
  arizona: "America/Phoenix",
  indiana: "America/Indiana/Indianapolis",
  saskatchewan: "America/Regina",
  beijing: "Asia/Shanghai",
  astana: "Asia/Almaty",
  abudhabi: "Asia/Dubai",
  newdelhi: "Asia/Kolkata",
  canberra: "Australia/Sydney",
};

/** The standard offset of a zone in a year without surprises: the smaller of January's and July's. */
function standardOffset(zone: Zone): number {
  const at = (month: number) => zone.offsetAt({ year: 2015, month, day: 10, hour: 12, minute: 0, second: 0 });
  return Math.min(at(1), at(7));
}

/**
 * `(UTC-05:00) Eastern Time (US & Canada)`, `(GMT+01.00) Amsterdam, Berlin, Rom`: the name or the cities tell the zone.
 * The number is the offset in winter, so it only confirms; with nothing else known it is a fixed offset.
 */
function displayZone(name: string): Zone | null {
  const match = /^\(?(?:UTC|GMT)\s*(?:([+\-−–])\s*(\d{1,2})(?:[:.]?(\d{2}))?)?\)?\s*(.*)$/i.exec(name);
  if (!match) return null;
  const minutes =
    (match[1] === undefined || match[1] === "+" ? 1 : -1) * (Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0));
  const rest = match[4]?.trim() ?? "";
  if (Math.abs(minutes) > 14 * 60) return null;
  if (rest === "") return match[1] === undefined ? ianaZone("UTC", true) : fixedZone(minutes);
  const bare = rest.replace(/\([^)]*\)/g, "").trim();
  const windows = [bare, rest].map((one) => one.replace(/\s+Time\b/i, "").trim());
  const names = [
    ...windows.flatMap((one) => [`${one} Standard Time`, one]),
    ...windows.map((one) => one.replace(/^Eastern Europe$/i, "E. Europe Standard Time")),
  ];
  const candidates = [
    ...names.map((one) => windowsZone(one)),
    ...[bare, ...rest.split(/[,:;()/]/)].map((one) => {
      const key = plainName(one);
      const found = regions[key] ?? cities.get(key);
      return found === undefined ? null : ianaZone(found, true);
    }),
  ].filter((zone) => zone !== null);
  return candidates.find((zone) => standardOffset(zone) === minutes) ?? fixedZone(minutes);
}

/** Windows' name of a zone (`W. Europe Standard Time`) by CLDR's windowsZones, or null. */
function windowsZone(name: string): Zone | null {
  const word = name.replace(/\s+(?:Daylight|Summer) Time$/i, " Standard Time");
  for (const one of new Set([name, word])) {
    const [iana] = findIana(one);
    if (iana !== undefined) return ianaZone(iana, true);
  }
  return null;
}

/** An IANA name inside what programs put around it: `/mozilla.org/20050126_1/Europe/Berlin`, `tzone://Microsoft/Utc`. */
function wrappedIana(name: string): Zone | null {
  const parts = name
    .replace(/^"|"$/g, "")
    .split("/")
    .filter((part) => part !== "");
  for (const length of [3, 2]) {
    const found = parts.length > length ? ianaZone(parts.slice(-length).join("/")) : null;
    if (found) return found;
  }
  const last = parts.at(-1) ?? "";
  return /^(?:utc|gmt|z|zulu)$/i.test(last) && parts.length !== 2 ? ianaZone("UTC") : null;
}

/** The zone of a TZID that the file does not define, or null when nobody knows it. */
export function namedZone(tzid: string): Zone | null {
  const name = tzid.trim().slice(0, 200);
  if (name === "") return null;
  // A bare abbreviation such as EST names an IANA zone without summer time, and Windows' zone to everyone else.
  const known = name.includes("/") || /^(?:utc|gmt)$/i.test(name) ? ianaZone(name) : null;
  if (known) return known;
  if (/^tzone:\/\/microsoft\/utc$/i.test(name)) return ianaZone("UTC");
  return wrappedIana(name) ?? windowsZone(name) ?? displayZone(name) ?? ianaZone(name);
}

interface Observance {
  /** Wall times (ms read as UTC) from which it holds, in order. */
  readonly onsets: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Years for which the rules of a definition are worked out, and how many onsets one may have. */
const lastYear = 2100;
const maxOnsets = 2_000;

function minutesOf(text: string | undefined): number | null {
  const match = /^\s*([+-])(\d{2}):?(\d{2})(?::?\d{2})?\s*$/.exec(text ?? "");
  if (!match) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return minutes > 16 * 60 ? null : (match[1] === "-" ? -1 : 1) * minutes;
}

function observanceOf(part: Component): Observance | null {
  const from = minutesOf(lineOf(part, "TZOFFSETFROM")?.value);
  const to = minutesOf(lineOf(part, "TZOFFSETTO")?.value);
  const start = parseStamp(lineOf(part, "DTSTART")?.value ?? "");
  if (to === null) return null;
  if (start === null) return { onsets: [Number.NEGATIVE_INFINITY], from: from ?? to, to };
  const onsets = new Set([civilMs(start.civil)]);
  const rule = parseRule(lineOf(part, "RRULE")?.value ?? "");
  if (rule !== null) {
    const until = rule.until === null ? null : parseStamp(rule.until);
    const last =
      until === null ? Date.UTC(lastYear, 0, 1) : civilMs(until.civil) + (until.utc ? (from ?? to) * 60_000 : 0);
    for (const ms of occurrences(rule, start.civil)) {
      if (ms > last || onsets.size >= maxOnsets) break;
      onsets.add(ms);
    }
  }
  for (const line of linesOf(part, "RDATE").slice(0, maxOnsets)) {
    for (const text of line.value.split(",").slice(0, maxOnsets)) {
      const stamp = parseStamp(text);
      if (stamp) onsets.add(civilMs(stamp.civil));
    }
  }
  return { onsets: [...onsets].sort((a, b) => a - b), from: from ?? to, to };
}

/** The zone that a VTIMEZONE defines (RFC 5545 §3.6.5), or null when it defines nothing. */
export function definedZone(part: Component): Zone | null {
  const list = part.children
    .filter(({ name }) => name === "STANDARD" || name === "DAYLIGHT")
    .slice(0, 200)
    .map(observanceOf)
    .filter((one) => one !== null);
  const [earliest] = [...list].sort((a, b) => (a.onsets[0] ?? 0) - (b.onsets[0] ?? 0));
  if (earliest === undefined) return null;
  const offsetAt = (wall: Civil): number => {
    // Rules are worked out for a century; what is later goes on as it ended.
    const ms = Math.min(civilMs(wall), Date.UTC(lastYear, 0, 1));
    let holds: { onset: number; to: number } | null = null;
    for (const { onsets, to } of list) {
      const onset = onsets.findLast((one) => one <= ms);
      if (onset !== undefined && (holds === null || onset > holds.onset)) holds = { onset, to };
    }
    return holds?.to ?? earliest.from;
  };
  const tzid = lineOf(part, "TZID")?.value.trim() ?? "";
  const location = lineOf(part, "X-LIC-LOCATION")?.value.trim() ?? "";
  const iana =
    [location, tzid].map((name) => (name.includes("/") ? namedZone(name)?.iana : null)).find(Boolean) ?? null;
  return { iana, mapped: false, offsetAt };
}

/** Wall clock of an instant in a zone. */
export function wallIn(zone: Zone, utcMs: number): number {
  // The offset of a wall time near it, then of the wall time that this gives.
  const near = utcMs + zone.offsetAt(civilOf(utcMs)) * 60_000;
  const offset = zone.offsetAt(civilOf(near));
  return utcMs + offset * 60_000;
}
