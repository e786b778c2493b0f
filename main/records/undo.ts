import type { RecordId } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import type { recordCommitter } from "./committer.ts";

/**
 * Taking an import back as a whole. A record that no other import brought goes to the trash with its places, so that it
 * can be restored; one that stays forgets what this import alone gave. All methods run inside a transaction of the writer.
 */

/** Records that import ?1 brought or came by. */
const touched = `SELECT record_id FROM record_source WHERE import_id = ?1
  UNION SELECT record_id FROM sighting WHERE import_id = ?1`;
/** Whether another import brought record `r.id` too. A sidecar alone brings nothing. */
const otherwise = `(EXISTS (SELECT 1 FROM record_source s WHERE s.record_id = r.id AND s.import_id <> ?1 AND s.role IS NULL)
  OR EXISTS (SELECT 1 FROM sighting s WHERE s.record_id = r.id AND s.import_id <> ?1))`;

export function undoPreview(db: Database): (importId: number) => { trash: number; stay: number } {
  const count = db.query(
    `SELECT coalesce(sum(NOT ${otherwise}), 0) AS trash, coalesce(sum(${otherwise}), 0) AS stay
     FROM record r WHERE r.trashed_at IS NULL AND r.id IN (${touched})`,
    (row) => ({ trash: column.number(row, "trash"), stay: column.number(row, "stay") }),
  );
  return (importId) => count.get(importId) ?? { trash: 0, stay: 0 };
}

export function importUndo(db: Database, committer: ReturnType<typeof recordCommitter>) {
  const idOf = (row: SqlRow) => column.number(row, "id");
  // Both tables begin with the record's id: a walk along them, and no index for what is seldom asked.
  const page = db.query(
    `SELECT id FROM (
       SELECT * FROM (SELECT DISTINCT record_id AS id FROM record_source WHERE record_id > ?2 AND import_id = ?1 ORDER BY record_id LIMIT ?3)
       UNION
       SELECT * FROM (SELECT DISTINCT record_id AS id FROM sighting WHERE record_id > ?2 AND import_id = ?1 ORDER BY record_id LIMIT ?3))
     ORDER BY id LIMIT ?3`,
    idOf,
  );
  const stays = db.query(`SELECT ${otherwise} AS id FROM record r WHERE r.id = ?2`, idOf);
  const trash = db.command("UPDATE record SET trashed_at = ? WHERE id = ? AND trashed_at IS NULL");
  const remember = db.command("INSERT OR REPLACE INTO undone (record_id, import_id) VALUES (?, ?)");
  const addChange = db.command("INSERT INTO change (record_id, op) VALUES (?, 'trash')");
  const handOver = db.command(
    `UPDATE record_source SET import_id = o.import_id
     FROM (SELECT path_id, start, min(import_id) AS import_id FROM sighting
           WHERE record_id = ?2 AND import_id <> ?1 GROUP BY path_id, start) o
     WHERE record_source.record_id = ?2 AND record_source.import_id = ?1
       AND record_source.path_id = o.path_id AND record_source.start = o.start`,
  );
  const dropSources = db.command("DELETE FROM record_source WHERE record_id = ?2 AND import_id = ?1");
  // A sighting by the import that a place now counts for says nothing any more.
  const dropSightings = db.command(
    `DELETE FROM sighting WHERE record_id = ?2 AND (import_id = ?1 OR EXISTS (
       SELECT 1 FROM record_source s WHERE s.record_id = ?2 AND s.path_id = sighting.path_id
         AND s.start = sighting.start AND s.import_id = sighting.import_id))`,
  );
  const trashedBy = db.query("SELECT count(*) AS id FROM undone WHERE import_id = ?", idOf);

  return {
    step(importId: number, after: RecordId, limit: number, at: number): { done: number; next: RecordId | null } {
      const ids = page.all(importId, after, limit);
      for (const id of ids) {
        if (stays.get(importId, id) === 1) {
          handOver.run(importId, id);
          dropSources.run(importId, id);
          dropSightings.run(importId, id);
          committer.settle(id, at);
        } else if (trash.run(at, id).changes > 0) {
          remember.run(id, importId);
          addChange.run(id);
        }
      }
      return { done: ids.length, next: ids.length < limit ? null : (ids.at(-1) ?? null) };
    },
    /** How many of its records lie in the trash. */
    trashed: (importId: number) => trashedBy.get(importId) ?? 0,
  };
}
