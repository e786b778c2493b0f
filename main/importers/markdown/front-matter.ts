import { parseDocument } from "yaml";
import type { RecordTime } from "#contract";
import { civilOfMatch, isCivil, timeFromCivil } from "../text/time.ts";

/** What stands above a note between two lines of dashes. */
export interface FrontMatter {
  /** Keys in lower case; empty when there is none. */
  readonly data: ReadonlyMap<string, unknown>;
  /** The text below; all of the text where the header is none that can be read. */
  readonly body: string;
  readonly broken: boolean;
}

const maxHeader = 64 * 1024;

/**
 * Splits YAML front matter off. A header that is no YAML stays part of the text: nothing of it is lost, and nothing in
 * it is believed. Aliases are bounded; no tag builds anything but plain values.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const none = { data: new Map<string, unknown>(), body: text, broken: false };
  const start = /^---[ \t]*\r?\n/.exec(text)?.[0];
  if (start === undefined) return none;
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(text.slice(start.length, start.length + maxHeader));
  // A line of dashes alone is a rule above a text.
  if (end === null) return none;
  const header = text.slice(start.length, start.length + end.index);
  const body = text.slice(start.length + end.index + end[0].length).replace(/^\r?\n/, "");
  if (header.trim() === "") return { ...none, body };
  try {
    const document = parseDocument(header, { uniqueKeys: false, logLevel: "silent", strict: false });
    const value: unknown = document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 50 });
    if (value === null || typeof value !== "object" || Array.isArray(value)) return { ...none, broken: true };
    const data = Object.entries(value).map(([key, one]): [string, unknown] => [key.trim().toLowerCase(), one]);
    return { data: new Map(data), body, broken: false };
  } catch {
    return { ...none, broken: true };
  }
}

/** First text or number under one of the keys. */
export function textAt(data: ReadonlyMap<string, unknown>, ...keys: string[]): string | null {
  for (const key of keys) {
    const value = data.get(key);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number") return String(value);
  }
  return null;
}

/** Texts under one of the keys: a list, or one text with commas or blanks between. */
export function listAt(data: ReadonlyMap<string, unknown>, ...keys: string[]): string[] {
  return keys.flatMap((key) => {
    const value = data.get(key);
    const list: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[,\n]/) : [];
    return list
      .filter((one) => typeof one === "string" || typeof one === "number")
      .map((one) => String(one).trim().replace(/^#/, ""))
      .filter((one) => one !== "")
      .slice(0, 500);
  });
}

const stamp =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/** `2024-03-05`, `2024-03-05 10:11`, `2024-03-05T10:11:12Z`, `… +02:00`; null for what is no day of the calendar. */
export function timeOfText(text: string | null, source: string): RecordTime | null {
  const match = stamp.exec(text?.trim() ?? "");
  if (!match) return null;
  const civil = civilOfMatch(match);
  if (!isCivil(civil)) return null;
  const precision = match[4] === undefined ? "day" : match[6] === undefined ? "minute" : "second";
  const zone = match[7]?.toUpperCase();
  if (zone === undefined) return timeFromCivil(civil, null, { source, precision });
  if (zone === "Z" || zone === "UTC") return timeFromCivil(civil, "utc", { source, precision });
  const sign = zone.startsWith("-") ? -1 : 1;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return timeFromCivil(civil, minutes > 14 * 60 ? null : sign * minutes, { source, precision });
}

/** The day that a note is named after: `2024-03-05`, `2024_03_05`, `20240305`, also with words behind. */
export function timeOfName(stem: string): RecordTime | null {
  const match = /^(\d{4})([-_.])(\d\d)\2(\d\d)(?!\d)/.exec(stem) ?? /^(\d{4})()(\d\d)(\d\d)$/.exec(stem);
  if (!match || Number(match[1]) < 1900 || Number(match[1]) > 2199) return null;
  return timeOfText(`${match[1]}-${match[3]}-${match[4]}`, "file-name");
}
