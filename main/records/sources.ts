import type { RecordId, SourceLocation } from "#contract";
import { column, type Database } from "#native/sqlite.ts";

/** Where records stand: the places that gave them, and which import came by each. */

/** Source locations without an offset are stored with this one. */
const wholeFile = -1;

const hashEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** How what is said now stands to what is known. */
export type Standing =
  /** This very place, or another one where this place is new, said just this before. */
  | { readonly is: "known" }
  /** No place said this before, and this one said nothing. */
  | { readonly is: "new" }
  /** This place said something else, with this hash. */
  | { readonly is: "changed"; readonly before: Uint8Array };

/** All methods run inside a transaction of the writer. */
export function sourceWriter(db: Database) {
  const rootOf = db.query("SELECT root_id FROM import_run WHERE id = ?", (row) => column.number(row, "root_id"));
  const findPath = db.query("SELECT id FROM source_path WHERE root_id = ? AND path = ?", (row) =>
    column.number(row, "id"),
  );
  const insertPath = db.command("INSERT INTO source_path (root_id, path) VALUES (?, ?)");
  const saidHere = db.query(
    "SELECT content_hash FROM record_source WHERE record_id = ? AND path_id = ? AND start = ?",
    (row) => column.blob(row, "content_hash"),
  );
  const saidAnywhere = db.query(
    "SELECT 1 FROM record_source WHERE record_id = ? AND content_hash = ? LIMIT 1",
    () => true,
  );
  const upsert = db.command(
    `INSERT INTO record_source (record_id, path_id, start, bytes, role, part, content_hash, import_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET content_hash = excluded.content_hash, bytes = excluded.bytes
     WHERE content_hash <> excluded.content_hash`,
  );
  const sight = db.command(
    `INSERT OR IGNORE INTO sighting (record_id, path_id, start, import_id)
     SELECT record_id, path_id, start, ?4 FROM record_source
     WHERE record_id = ?1 AND path_id = ?2 AND start = ?3 AND import_id <> ?4`,
  );
  const dropUndone = db.command(
    `DELETE FROM record_source WHERE record_id = ? AND import_id IN (SELECT id FROM import_run WHERE status = 'undone')`,
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

  function add(record: RecordId, importId: number, files: readonly SourceLocation[], hash: Uint8Array): void {
    for (const { path, offset, bytes, role, part } of files) {
      upsert.run(record, pathId(importId, path), offset ?? wholeFile, bytes, role, part ?? null, hash, importId);
    }
  }

  return {
    /** Each place is compared with what it said itself, so that two copies which differ do not replace each other in turn. */
    standing(record: RecordId, importId: number, files: readonly SourceLocation[], hash: Uint8Array): Standing {
      const primary = files.find((file) => file.role === null) ?? files[0];
      const here = primary && saidHere.get(record, pathId(importId, primary.path), primary.offset ?? wholeFile);
      if (here) return hashEqual(here, hash) ? { is: "known" } : { is: "changed", before: here };
      return { is: saidAnywhere.get(record, hash) ? "known" : "new" };
    },
    /** Places of a record that is new. */
    add,
    /** Places of a record that was there: those that an earlier import brought remember this one too. */
    addTo(record: RecordId, importId: number, files: readonly SourceLocation[], hash: Uint8Array): void {
      add(record, importId, files, hash);
      for (const { path, offset } of files) {
        sight.run(record, pathId(importId, path), offset ?? wholeFile, importId);
      }
    },
    /** Forgets the places that only imports gave which were undone since. */
    forgetUndone: (record: RecordId) => void dropUndone.run(record),
    forget: () => paths.clear(),
  };
}
