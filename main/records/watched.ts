import type { RecordId } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import type { WatchedImport } from "./ports.ts";
import { roots } from "./rows.ts";

/** Folders that are watched: which they are, and which of their files are not there any more. */

export function watchedWriter(db: Database) {
  const setWatched = db.command("UPDATE import_run SET watched = ? WHERE id = ?");
  // Files that are back are there again; those that were missing before keep their day.
  const back = db.command(
    `UPDATE source_path SET missing_since = NULL
     WHERE missing_since IS NOT NULL AND root_id = (SELECT root_id FROM import_run WHERE id = ?1)
       AND path IN (SELECT value FROM json_each(?2))`,
  );
  const gone = db.command(
    `UPDATE source_path SET missing_since = ?3
     WHERE missing_since IS NULL AND root_id = (SELECT root_id FROM import_run WHERE id = ?1)
       AND path NOT IN (SELECT value FROM json_each(?2))`,
  );
  return {
    watch(importId: number, on: boolean): void {
      setWatched.run(Number(on), importId);
    },
    markMissing(importId: number, present: readonly string[], at: number): number {
      const paths = JSON.stringify(present);
      back.run(importId, paths);
      return gone.run(importId, paths, at).changes;
    },
  };
}

export function watchedReader(db: Database) {
  const watched = db.query(
    `SELECT i.id, i.zone, o.roots FROM import_run i JOIN source_root o ON o.id = i.root_id
     WHERE i.watched = 1 AND i.status <> 'undone' ORDER BY i.id`,
    (row): WatchedImport => ({
      importId: column.number(row, "id"),
      roots: roots(row),
      zone: column.textOrNull(row, "zone"),
    }),
  );
  const missing = db.query(
    `SELECT s.import_id, p.path, p.missing_since FROM record_source s JOIN source_path p ON p.id = s.path_id
     WHERE s.record_id = ? AND p.missing_since IS NOT NULL`,
    (row) => ({
      place: placeName(column.number(row, "import_id"), column.text(row, "path")),
      since: new Date(column.number(row, "missing_since")).toISOString(),
    }),
  );
  return {
    watchedImports: () => watched.all(),
    /** ISO UTC by `placeName`. */
    missingPlaces: (id: RecordId) => new Map(missing.all(id).map(({ place, since }) => [place, since])),
  };
}

export function placeName(importId: number, path: string): string {
  return `${importId}/${path}`;
}
