import { z } from "zod";
import type { Container, ImportedRecord, RecordId } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { canonicalJson, sha256 } from "./canonical.ts";
import { type Gains, gainsOf } from "./gains.ts";
import type { Outcome } from "./ledger.ts";
import { type Content, merge, replace } from "./merge.ts";
import { type Normalised, normalise } from "./normalise.ts";
import { parentWriter } from "./parents.ts";
import { peopleWriter } from "./people.ts";
import { contentColumns, contentOf, contentValues, jsonOrNull, recordRows } from "./rows.ts";
import { type Standing, sourceWriter } from "./sources.ts";
import { statementWriter } from "./statements.ts";
import { successions } from "./succession.ts";

/** Subject and text of the source under a person's edit. */
export const editBaseSchema = z.object({ subject: z.string().nullable(), text: z.string().nullable() });

export interface Put {
  readonly outcome: Outcome | "invalid";
  readonly id: RecordId | null;
  /** What a record that was known already got. */
  readonly gained: Gains;
  /** Its file has other bytes than before: what was derived from them is to be made again. */
  readonly renewed: boolean;
}

const nothing: Gains = {};

/** De-duplicates and stores single records. All methods run inside a transaction of the writer. */
export function recordCommitter(db: Database) {
  const rows = recordRows(db);
  const people = peopleWriter(db);
  const containers = containerWriter(db);
  const sources = sourceWriter(db);
  const succeed = successions(db);
  const parents = parentWriter(db);
  const statements = statementWriter(db);

  const find = db.query("SELECT id, trashed_at, sequence FROM record WHERE identity = ?", (row) => ({
    id: column.number(row, "id"),
    trashed: row.trashed_at !== null,
    sequence: column.numberOrNull(row, "sequence"),
  }));
  const setSequence = db.command("UPDATE record SET sequence = ? WHERE id = ?");
  const dropUndone = db.command("DELETE FROM undone WHERE record_id = ?");
  const untrash = db.command("UPDATE record SET trashed_at = NULL WHERE id = ?");
  const hasSources = db.query("SELECT 1 FROM record_source WHERE record_id = ? LIMIT 1", () => true);
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
  // One row a statement: with several, SQLite keeps a copy of each page that the statement touches.
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

  /**
   * Writes what the sources now say together as a new version. False when that is what the record says already.
   * `hash` is of what was said last.
   */
  function rewrite(id: RecordId, said: Content, hash: Uint8Array, at: number): Gains | null {
    const stored = rows.bare(id);
    if (!stored) return null;
    const before = contentOf(stored);
    const base = editBase.get(id) ?? null;
    // A person's words stand until the sources say something else than what they were written over.
    const after = base
      ? {
          ...said,
          subject: said.subject === base.subject ? before.subject : said.subject,
          text: said.text === base.text ? before.text : said.text,
        }
      : said;
    if (canonicalJson(before) === canonicalJson(after)) return null;
    keep(id);
    const { ids, link } = resolve(after, stored.source);
    const newBase = base && JSON.stringify({ subject: said.subject, text: said.text });
    update.run(at, newBase, ...contentValues(after, hash, ids), id);
    parents.moved(id, before.partOf, after.partOf);
    dropPeople.run(id);
    link(id);
    // A record in the trash is in no index; its restoring brings in what changed meanwhile.
    if (stored.trashedAt === null) addChange.run(id, "put");
    return gainsOf(before, after);
  }

  /** What the sources say so far, under a person's edit. */
  function sourced(id: RecordId): { hash: Uint8Array; content: Content } | null {
    const stored = rows.bare(id);
    if (!stored) return null;
    const base = editBase.get(id);
    return { hash: Buffer.from(stored.contentHash, "hex"), content: { ...contentOf(stored), ...base } };
  }

  /** A source says what no source has said at its place. Null when nothing new was in it. */
  function take(id: RecordId, importId: number, standing: Standing, given: Normalised, at: number): Gains | null {
    const { identity: _identity, files, ...said } = given.record;
    const before = sourced(id);
    if (!before) return null;
    const alone = hasSources.get(id) === undefined;
    const place =
      standing.is === "changed" ? replace(statements.of(id, standing.before) ?? before.content, said) : said;
    sources.addTo(id, importId, files, given.contentHash);
    if (alone) return rewrite(id, place, given.contentHash, at);
    statements.keep(id, given.contentHash, place, before);
    const together =
      standing.is === "changed" ? (statements.left(id) ?? replace(before.content, said)) : merge(before.content, said);
    const gained = rewrite(id, together, given.contentHash, at);
    parents.add(id, said.partOf);
    return gained;
  }

  return {
    /** `checked`: the value was parsed with the contract's schema. */
    put(given: ImportedRecord, source: string, importId: number, at: number, checked = false): Put {
      const normalised = normalise(given, checked);
      if (!normalised) return { outcome: "invalid", id: null, gained: nothing, renewed: false };
      const { record, contentHash } = normalised;
      let found = find.get(record.identity);
      const renewed = found === undefined && succeed(record, importId);
      if (renewed) found = find.get(record.identity);
      if (!found) {
        if (anyErased.get() && isErased.get(sha256(record.identity))) {
          return { outcome: "refused", id: null, gained: nothing, renewed };
        }
        return { outcome: "imported", id: insertNew(normalised, source, importId, at), gained: nothing, renewed };
      }
      const { id, trashed } = found;
      const standing = sources.standing(id, importId, record.files, contentHash);
      const revived = trashed && dropUndone.run(id).changes > 0;
      if (revived) {
        sources.forgetUndone(id);
        untrash.run(id);
        addChange.run(id, "restore");
      }
      let gained: Gains | null = null;
      if (standing.is === "known") {
        sources.addTo(id, importId, record.files, contentHash);
        // Order inside a source is no content; it follows the longest source.
        if (record.sequence !== null && record.sequence > (found.sequence ?? record.sequence - 1)) {
          setSequence.run(record.sequence, id);
          if (!trashed) addChange.run(id, "put");
        }
      } else gained = take(id, importId, standing, normalised, at);
      // The bytes are others even where what is known of them is not.
      if (renewed && gained === null && !trashed) addChange.run(id, "put");
      if (revived) return { outcome: "imported", id, gained: nothing, renewed };
      return { outcome: gained || renewed ? "updated" : "duplicate", id, gained: gained ?? nothing, renewed };
    },
    /** After places of a record were forgotten: what those that are left say. True when that is something else. */
    settle(id: RecordId, at: number): boolean {
      const left = statements.left(id);
      const before = left && sourced(id);
      return before ? rewrite(id, left, before.hash, at) !== null : false;
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
