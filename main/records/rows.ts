import { z } from "zod";
import {
  partRoles,
  partySchema,
  placeSchema,
  type RecordId,
  recordKindSchema,
  recordPropsSchema,
  recordTimeSchema,
  type SourceLocation,
  type StoredRecord,
  UnderstoryError,
} from "#contract";
import { column, type Database, type SqlRow, type SqlValue } from "#native/sqlite.ts";
import type { Content } from "./merge.ts";
import { localDay, sortAt } from "./normalise.ts";
import type { Original } from "./ports.ts";

/** Between a record and its row. */

const partiesSchema = z.object({ author: partySchema.nullable(), participants: z.array(partySchema) });
const containerKindSchema = z.enum(["chat", "mailbox", "folder", "album", "calendar", "addressbook", "notebook"]);
const partRoleSchema = z.enum(partRoles);
const rootsSchema = z.array(z.string());

/** Parses a JSON column; what does not fit its schema was not written by us: `archive_damaged`. */
export function json<T>(row: SqlRow, name: string, schema: z.ZodType<T>): T {
  return parseJson(column.text(row, name), name, schema);
}

export function jsonOrNull<T>(row: SqlRow, name: string, schema: z.ZodType<T>): T | null {
  return row[name] === null ? null : json(row, name, schema);
}

function parseJson<T>(text: string, name: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UnderstoryError("archive_damaged", `Column ${name} does not hold what it should.`, {
    hint: "Nothing was overwritten. Restore the archive from a backup.",
    details: { column: name },
  });
}

/** A column that holds one of the values of a schema. */
export function oneOf<T>(row: SqlRow, name: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(row[name]);
  if (parsed.success) return parsed.data;
  throw new UnderstoryError("archive_damaged", `Column ${name} does not hold what it should.`, {
    details: { column: name },
  });
}

export const time = (row: SqlRow, name: string) => jsonOrNull(row, name, recordTimeSchema);
export const place = (row: SqlRow) => jsonOrNull(row, "place", placeSchema);
export const kind = (row: SqlRow) => oneOf(row, "kind", recordKindSchema);
export const roots = (row: SqlRow) => json(row, "roots", rootsSchema);
export const isoOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
export const iso = (row: SqlRow, name: string) => new Date(column.number(row, name)).toISOString();

/** Columns that follow from a record's content, in the order of `contentValues`. */
export const contentColumns = [
  "kind",
  "native_id",
  "content_hash",
  "sort_at",
  "local_day",
  "author_id",
  "container_id",
  "thread",
  "sequence",
  "reply_to",
  "part_of",
  "part_role",
  "is_part",
  "lat",
  "lon",
  "width",
  "height",
  "attachments",
  "time",
  "end_time",
  "place",
  "subject",
  "parties",
  "props",
  "text",
] as const;

export function contentValues(
  content: Content,
  contentHash: Uint8Array,
  ids: { author: number | null; container: number | null },
): SqlValue[] {
  const { place: at, props } = content;
  return [
    content.kind,
    content.nativeId,
    contentHash,
    sortAt(content.time),
    localDay(content.time),
    ids.author,
    ids.container,
    content.thread,
    content.sequence,
    content.replyTo,
    content.partOf?.identity ?? null,
    content.partOf?.role ?? null,
    Number(content.partOf !== null),
    at?.lat ?? null,
    at?.lon ?? null,
    props.size?.width ?? null,
    props.size?.height ?? null,
    props.attachments?.filter((one) => !one.inline).length ?? 0,
    content.time && JSON.stringify(content.time),
    content.end && JSON.stringify(content.end),
    at && JSON.stringify(at),
    content.subject,
    JSON.stringify({ author: content.author, participants: content.participants }),
    JSON.stringify(props),
    content.text,
  ];
}

/** What a source would have to say to make this record. */
export function contentOf(record: StoredRecord): Content {
  const { id: _i, identity: _n, files: _f, source: _s, contentHash: _h, version: _v, ...rest } = record;
  const { importedAt: _a, trashedAt: _t, perceived: _p, replyTo, partOf, ...content } = rest;
  return {
    ...content,
    replyTo: replyTo?.identity ?? null,
    partOf: partOf && { identity: partOf.identity, role: partOf.role },
  };
}

function storedRecord(row: SqlRow): StoredRecord {
  const parties = json(row, "parties", partiesSchema);
  const containerKey = column.textOrNull(row, "container_key");
  const replyTo = column.textOrNull(row, "reply_to");
  const partOf = column.textOrNull(row, "part_of");
  return {
    id: column.number(row, "id"),
    identity: column.text(row, "identity"),
    kind: kind(row),
    nativeId: column.textOrNull(row, "native_id"),
    subject: column.textOrNull(row, "subject"),
    text: column.textOrNull(row, "text"),
    author: parties.author,
    participants: parties.participants,
    time: time(row, "time"),
    end: time(row, "end_time"),
    place: place(row),
    container:
      containerKey === null
        ? null
        : {
            key: containerKey,
            title: column.textOrNull(row, "container_title"),
            kind: oneOf(row, "container_kind", containerKindSchema),
          },
    thread: column.textOrNull(row, "thread"),
    sequence: column.numberOrNull(row, "sequence"),
    files: [],
    props: json(row, "props", recordPropsSchema),
    source: column.text(row, "source"),
    contentHash: Buffer.from(column.blob(row, "content_hash")).toString("hex"),
    replyTo: replyTo === null ? null : { identity: replyTo, id: column.numberOrNull(row, "reply_id") },
    partOf:
      partOf === null
        ? null
        : { identity: partOf, id: column.numberOrNull(row, "part_id"), role: oneOf(row, "part_role", partRoleSchema) },
    version: column.number(row, "version"),
    importedAt: iso(row, "imported_at"),
    trashedAt: isoOrNull(column.numberOrNull(row, "trashed_at")),
  };
}

export function sourceLocation(row: SqlRow): SourceLocation {
  const start = column.number(row, "start");
  return {
    path: column.text(row, "path"),
    offset: start < 0 ? null : start,
    bytes: column.numberOrNull(row, "bytes"),
    role: row.role === "sidecar" ? "sidecar" : null,
    ...(row.part === null || row.part === undefined ? {} : { part: column.text(row, "part") }),
  };
}

const byContent = /^(?:photo|video|audio|document|file):([0-9a-f]{64})$/;

export const original = (row: SqlRow): Original => ({
  importId: column.number(row, "import_id"),
  sha256: byContent.exec(column.text(row, "identity"))?.[1] ?? null,
  roots: roots(row),
  location: sourceLocation(row),
});

/** Whole records by id. Without `linked`, what they answer and are part of is named, and its id is not looked for. */
export function recordRows(db: Database, linked = true) {
  // By name: what only lists are ordered by is a third of a row, and each value costs time.
  const own =
    "id identity kind native_id subject text parties time end_time place thread sequence props source content_hash reply_to part_of part_role version imported_at trashed_at";
  const select = (withIds: boolean) => `
    SELECT ${own
      .split(" ")
      .map((name) => `r.${name}`)
      .join(", ")}, c.key AS container_key, c.kind AS container_kind, c.title AS container_title,
      ${withIds ? "(SELECT id FROM record WHERE identity = r.reply_to)" : "NULL"} AS reply_id,
      ${withIds ? "(SELECT id FROM record WHERE identity = r.part_of)" : "NULL"} AS part_id
    FROM record r LEFT JOIN container c ON c.id = r.container_id`;
  const among = "WHERE r.id IN (SELECT value FROM json_each(?))";
  const byIds = db.query(`${select(linked)} ${among}`, storedRecord);
  const contents = db.query(`${select(false)} ${among}`, storedRecord);
  const live = db.query(
    "SELECT id, identity FROM record WHERE trashed_at IS NULL AND identity > ? ORDER BY identity LIMIT ?",
    (row) => ({ id: column.number(row, "id"), identity: column.text(row, "identity") }),
  );
  const sources = db.query(
    `SELECT s.record_id, p.path, s.start, s.bytes, s.role, s.part FROM record_source s JOIN source_path p ON p.id = s.path_id
     WHERE s.record_id IN (SELECT value FROM json_each(?)) ORDER BY s.role IS NOT NULL, s.import_id, p.path, s.start`,
    (row) => ({ recordId: column.number(row, "record_id"), location: sourceLocation(row) }),
  );
  const originals = db.query(
    `SELECT s.import_id, r.identity, o.roots, p.path, s.start, s.bytes, s.role, s.part
     FROM record_source s JOIN record r ON r.id = s.record_id JOIN source_path p ON p.id = s.path_id JOIN source_root o ON o.id = p.root_id
     WHERE s.record_id = ? ORDER BY s.role IS NOT NULL, s.import_id DESC, p.path, s.start`,
    original,
  );

  const inOrder = (ids: readonly RecordId[], records: readonly StoredRecord[]): StoredRecord[] => {
    const byId = new Map(records.map((record) => [record.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  function addFiles(records: readonly StoredRecord[]): void {
    if (records.length === 0) return;
    const byId = new Map(records.map((record) => [record.id, record]));
    for (const { recordId, location } of sources.all(JSON.stringify([...byId.keys()]))) {
      const files = byId.get(recordId)?.files;
      // The same file reached through two roots is one place for the reader of a record.
      if (files?.every((one) => one.path !== location.path || one.offset !== location.offset)) files.push(location);
    }
  }

  /** In the order of `ids`; unknown ones are left out. */
  function getMany(ids: readonly RecordId[]): StoredRecord[] {
    if (ids.length === 0) return [];
    const records = inOrder(ids, byIds.all(JSON.stringify(ids)));
    addFiles(records);
    return records;
  }

  /** In the same order, with the files of those alone whose day only a folder may tell. */
  function contentsOf(ids: readonly RecordId[]): StoredRecord[] {
    if (ids.length === 0) return [];
    const records = inOrder(ids, contents.all(JSON.stringify(ids)));
    addFiles(records.filter(({ time: known }) => known === null));
    return records;
  }

  return {
    getMany,
    contents: contentsOf,
    get: (id: RecordId): StoredRecord | null => getMany([id])[0] ?? null,
    /** Without its files: of a file that was sent with every mail they are thousands. */
    bare: (id: RecordId): StoredRecord | null => byIds.get(JSON.stringify([id])) ?? null,
    /** Live records in the order of their identities, after `identity`. */
    liveAfter: (identity: string, limit: number) => live.all(identity, limit),
    originals: (id: RecordId) => originals.all(id),
  };
}
