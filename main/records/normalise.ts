import { type ImportedRecord, importedRecordSchema, type RecordTime } from "#contract";
import { sha256 } from "./canonical.ts";
import { noTime } from "./schema.ts";

/** Pure: from what an importer gave to what the store compares, sorts and keeps. */

export interface Normalised {
  readonly record: ImportedRecord;
  /** SHA-256 of all that the source said about the record itself; where it stood (files, sequence) is left out. */
  readonly contentHash: Buffer;
}

/**
 * Null when the value breaks the contract (an importer's fault or a hostile source): the entry is skipped. `checked`: it
 * was parsed with the contract's schema before, and is parsed again only when cleaning has changed it.
 */
export function normalise(given: ImportedRecord, checked = false): Normalised | null {
  if (checked) {
    const said = saidOf(given);
    if (isClean(given, said)) return { record: given, contentHash: sha256(said) };
  }
  const cleaned = clean(given);
  if (checked && cleaned === given) return { record: given, contentHash: sha256(saidOf(given)) };
  const parsed = importedRecordSchema.safeParse(cleaned);
  if (!parsed.success) return null;
  return { record: parsed.data, contentHash: sha256(saidOf(parsed.data)) };
}

/**
 * Equal for two sources that say the same: parsing has put the fields into the schema's order. A container's title may
 * change without changing its records.
 */
function saidOf(record: ImportedRecord): string {
  const { files: _files, sequence: _sequence, container, identity: _identity, ...said } = record;
  return JSON.stringify({ ...said, container: container?.key ?? null });
}

const asciiJson = /^[\x20-\x7e]*$/;
/** Escapes other than line feeds, tabs, quotes and backslashes; also a letter behind a backslash, which is looked at the long way. */
const otherEscape = /\\[^nt"\\]/;

/** True only when `clean` would change nothing: told by the JSON of what the record says, which is needed anyway. */
function isClean({ identity, files, container }: ImportedRecord, said: string): boolean {
  return (
    asciiJson.test(said) &&
    !otherEscape.test(said) &&
    plain.test(identity) &&
    plain.test(container?.title ?? "") &&
    files.every(({ path, part }) => plain.test(path) && plain.test(part ?? ""))
  );
}

/**
 * Every string well-formed (a lone surrogate cannot be stored and read back) and composed (NFC), without NUL (which
 * SQLite's text functions take for the end), lines ended by \n. Identities and paths are taken as they are but for the first two.
 * What is clean already is given back itself, not copied.
 */
function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const copy = value.map(clean);
    return copy.every((one, at) => one === value[at]) ? value : copy;
  }
  let copy: Record<string, unknown> | null = null;
  for (const [key, inner] of Object.entries(value)) {
    const cleaned = clean(inner);
    if (cleaned === inner) continue;
    copy ??= { ...value };
    copy[key] = cleaned;
  }
  return copy ?? value;
}

const plain = /^[\t\n\x20-\x7e]*$/;

function cleanText(text: string): string {
  if (plain.test(text)) return text;
  return text.toWellFormed().replaceAll("\0", "").replace(/\r\n?/g, "\n").normalize("NFC");
}

/** When a record stands in the timeline: UTC where known, else its wall clock read as UTC. Milliseconds. */
export function sortAt(time: RecordTime | null): number {
  if (!time) return noTime;
  const ms = Date.parse(time.utc ?? completed(time.local) ?? "");
  return Number.isNaN(ms) ? noTime : ms;
}

/** A wall clock on a day that every month has. */
const anyMonth = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

/**
 * The day on the wall where the record was made, `YYYY-MM-DD`: its local time, else UTC moved by its offset, else UTC.
 * A month or a year stands at its first day. Null without a time.
 */
export function localDay(time: RecordTime | null): string | null {
  if (!time) return null;
  if (time.local !== null && anyMonth.test(time.local)) return time.local.slice(0, 10);
  const wall = completed(time.local);
  const ms = wall === null ? Date.parse(time.utc ?? "") + offsetMs(time.offset) : Date.parse(wall);
  if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15) return null;
  const day = new Date(ms).toISOString().slice(0, 10);
  // Years outside 0–9999 are written ±YYYYYY and would sort wrongly.
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : null;
}

/** `2024`, `2024-07`, `2024-07-14` or a wall time, read as UTC. */
function completed(local: string | null): string | null {
  if (local === null) return null;
  return local.includes("T") ? `${local}Z` : local;
}

function offsetMs(offset: string | null): number {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(offset ?? "");
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === "-" ? -minutes : minutes) * 60_000;
}
