import { z } from "zod";
import type { Container, ImportedRecord, RecordId, SourceLocation } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { canonicalJson, sha256 } from "./canonical.ts";
import type { Outcome } from "./ledger.ts";
import { type Content, merge } from "./merge.ts";
import { type Normalised, normalise } from "./normalise.ts";
import { peopleWriter } from "./people.ts";
import { contentColumns, contentOf, contentValues, jsonOrNull, recordRows } from "./rows.ts";

/** Subject and text of the source under a person's edit. */
export const editBaseSchema = z.object({ subject: z.string().nullable(), text: z.string().nullable() });

export interface Put {
  readonly outcome: Outcome | "invalid";
  readonly id: RecordId | null;
}

const hashEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
/** Source locations without an offset are stored with this one. */
const wholeFile = -1;

/** De-duplicates and stores single records. All methods run inside a transaction of the writer. */
export function recordCommitter(db: Database) {
  const rows = recordRows(db);
  const people = peopleWriter(db);
  const containers = containerWriter(db);
  const sources = sourceWriter(db);

  const find = db.query("SELECT id, trashed_at FROM record WHERE identity = ?", (row) => ({
    id: column.number(row, "id"),
    trashed: row.trashed_at !== null,
  }));
  const anyErased = db.query("SELECT 1 FROM tombstone LIMIT 1", () => true);
  const isErased = db.query("SELECT 1 FROM tombstone WHERE identity_hash = ?", () => true);
  const ownColumns = ["identity", "source", "version", "version_at", "version_by", "imported_at"];
  const insertColumns = [...ownColumns, ...contentColumns];
  const insert = db.command(
    `INSERT INTO record (${insertColumns.join(", ")}) VALUES (${insertColumns.map(() => "?").join(", ")})`,
  );
  const update = db.command(
    `UPDATE record SET version = version + 1, version_at = ?, version_by = 'import', edit_base = ?,
     ${contentColumns.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
  );
  const editBase = db.query("SELECT edit_base FROM record WHERE id = ?", (row) =>
    jsonOrNull(row, "edit_base", editBaseSchema),
  );
  const addPerson = db.command("INSERT OR IGNORE INTO record_person (person_id, record_id, role) VALUES (?, ?, ?)");
  const dropPeople = db.command("DELETE FROM record_person WHERE record_id = ?");
  const addChange = db.command("INSERT INTO change (record_id, op) VALUES (?, ?)");
  const keep = keepVersion(db);

  /** Resolves the people and the container; `link` writes the people once the record has its id. */
  function resolve(content: Content, source: string) {
    const author = content.author && people.resolve(content.author, source);
    const others = content.participants.map((one) => ({
      id: people.resolve(one, source),
      role: one.role ?? "",
    }));
    return {
      ids: { author, container: content.container && containers.resolve(content.container) },
      link(record: RecordId) {
        if (author !== null) addPerson.run(author, record, "author");
        for (const { id, role } of others) if (id !== null) addPerson.run(id, record, role);
      },
    };
  }

  function insertNew({ record, contentHash }: Normalised, source: string, importId: number, at: number): RecordId {
    const { identity, files, ...content } = record;
    const { ids, link } = resolve(content, source);
    const { lastId } = insert.run(identity, source, 1, at, "import", at, ...contentValues(content, contentHash, ids));
    link(lastId);
    sources.add(lastId, importId, files, contentHash);
    addChange.run(lastId, "put");
    return lastId;
  }

  /** Something was said that is not known yet. False when nothing new was in it. */
  function change(id: RecordId, trashed: boolean, given: Normalised, at: number): boolean {
    const stored = rows.get(id);
    if (!stored) return false;
    const { identity: _identity, files: _files, ...said } = given.record;
    const base = editBase.get(id) ?? null;
    // A person's words stand until the source itself says something else than what they were written over.
    const news = base
      ? {
          ...said,
          subject: said.subject === base.subject ? null : said.subject,
          text: said.text === base.text ? null : said.text,
        }
      : said;
    const before = contentOf(stored);
    const after = merge(before, news);
    if (canonicalJson(before) === canonicalJson(after)) return false;
    keep(id);
    const { ids, link } = resolve(after, stored.source);
    const newBase = base && { subject: said.subject ?? base.subject, text: said.text ?? base.text };
    update.run(at, newBase && JSON.stringify(newBase), ...contentValues(after, given.contentHash, ids), id);
    dropPeople.run(id);
    link(id);
    // A record in the trash is in no index; its restoring brings in what changed meanwhile.
    if (!trashed) addChange.run(id, "put");
    return true;
  }

  return {
    put(given: ImportedRecord, source: string, importId: number, at: number): Put {
      const normalised = normalise(given);
      if (!normalised) return { outcome: "invalid", id: null };
      const { record, contentHash } = normalised;
      const found = find.get(record.identity);
      if (!found) {
        if (anyErased.get() && isErased.get(sha256(record.identity))) return { outcome: "refused", id: null };
        return { outcome: "imported", id: insertNew(normalised, source, importId, at) };
      }
      const known = sources.knows(found.id, importId, record.files, contentHash);
      const changed = !known && change(found.id, found.trashed, normalised, at);
      sources.add(found.id, importId, record.files, contentHash);
      return { outcome: changed ? "updated" : "duplicate", id: found.id };
    },
    forget() {
      people.forget();
      containers.forget();
      sources.forget();
    },
  };
}

/** Copies the version that is about to be replaced. */
export function keepVersion(db: Database) {
  const copy = db.command(
    `INSERT INTO record_version (record_id, version, at, by, subject, rest, text)
     SELECT id, version, version_at, version_by, subject,
       json_object('time', json(time), 'end', json(end_time), 'place', json(place), 'parties', json(parties), 'props', json(props)),
       text FROM record WHERE id = ?`,
  );
  return (id: RecordId) => void copy.run(id);
}

function containerWriter(db: Database) {
  const find = db.query("SELECT id, title FROM container WHERE key = ?", (row) => ({
    id: column.number(row, "id"),
    title: column.textOrNull(row, "title"),
  }));
  const insert = db.command("INSERT INTO container (key, kind, title) VALUES (?, ?, ?)");
  const rename = db.command("UPDATE container SET title = ? WHERE id = ?");
  const seen = new Map<string, { id: number; title: string | null }>();
  const most = 20_000;
  return {
    /** The later non-empty title wins. */
    resolve({ key, kind, title }: Container): number {
      let known = seen.get(key) ?? find.get(key);
      if (!known) known = { id: insert.run(key, kind, title).lastId, title };
      else if (title && title !== known.title) {
        rename.run(title, known.id);
        known = { id: known.id, title };
      }
      if (seen.size >= most) seen.clear();
      seen.set(key, known);
      return known.id;
    },
    forget: () => seen.clear(),
  };
}

function sourceWriter(db: Database) {
  const rootOf = db.query("SELECT root_id FROM import_run WHERE id = ?", (row) => column.number(row, "root_id"));
  const findPath = db.query("SELECT id FROM source_path WHERE root_id = ? AND path = ?", (row) =>
    column.number(row, "id"),
  );
  const insertPath = db.command("INSERT INTO source_path (root_id, path) VALUES (?, ?)");
  const ofRecord = db.query("SELECT path_id, start, content_hash FROM record_source WHERE record_id = ?", (row) => ({
    pathId: column.number(row, "path_id"),
    start: column.number(row, "start"),
    hash: column.blob(row, "content_hash"),
  }));
  const upsert = db.command(
    `INSERT INTO record_source (record_id, path_id, start, bytes, role, part, content_hash, import_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET content_hash = excluded.content_hash, bytes = excluded.bytes
     WHERE content_hash <> excluded.content_hash`,
  );
  const paths = new Map<string, number>();
  const most = 20_000;

  function pathId(importId: number, path: string): number {
    const key = `${importId}/${path}`;
    let id = paths.get(key);
    if (id === undefined) {
      const root = rootOf.get(importId) ?? 0;
      id = findPath.get(root, path) ?? insertPath.run(root, path).lastId;
      if (paths.size >= most) paths.clear();
      paths.set(key, id);
    }
    return id;
  }

  return {
    /**
     * Whether a source has said just this about the record before: this very place, or, for a place not seen yet, any.
     * Each place is compared with what it said itself, so that two copies which differ do not replace each other in turn.
     */
    knows(record: RecordId, importId: number, files: readonly SourceLocation[], hash: Uint8Array): boolean {
      const primary = files.find((file) => file.role === null) ?? files[0];
      const known = ofRecord.all(record);
      const id = primary && pathId(importId, primary.path);
      const here = known.find((one) => one.pathId === id && one.start === (primary?.offset ?? wholeFile));
      return here ? hashEqual(here.hash, hash) : known.some((one) => hashEqual(one.hash, hash));
    },
    add(record: RecordId, importId: number, files: readonly SourceLocation[], hash: Uint8Array): void {
      for (const { path, offset, bytes, role, part } of files) {
        upsert.run(record, pathId(importId, path), offset ?? wholeFile, bytes, role, part ?? null, hash, importId);
      }
    },
    forget: () => paths.clear(),
  };
}
