import { type ImportedRecord, type RecordTime, recordTimeSchema } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { jsonOrNull } from "./rows.ts";

/**
 * Files that are known by their bytes and have changed in their place: a note that was written on, a picture that was
 * turned. The record goes on under the new bytes, so that the change is a new version of it and not a second record.
 */

/** Name spaces of identities that are the SHA-256 of a whole file. */
const byBytes = /^(note|document|photo|video|audio):[0-9a-f]{64}$/;
/** Cameras count from 1 again on an emptied card: another picture under an old name is told by its time. */
const told: ReadonlySet<string> = new Set(["photo", "video", "audio"]);

export function successions(db: Database) {
  // Only a record that stands nowhere else: another copy still says what the file said before.
  const before = db.query(
    `SELECT r.id, r.identity, r.time FROM record_source s JOIN source_path p ON p.id = s.path_id JOIN record r ON r.id = s.record_id
     WHERE p.path = ?1 AND p.root_id = (SELECT root_id FROM import_run WHERE id = ?2) AND s.start = -1 AND s.role IS NULL
       AND s.part IS NULL AND r.trashed_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM record_source o WHERE o.record_id = r.id AND o.path_id <> s.path_id AND o.role IS NULL)`,
    (row) => ({
      id: column.number(row, "id"),
      identity: column.text(row, "identity"),
      time: jsonOrNull(row, "time", recordTimeSchema),
    }),
  );
  const rename = db.command("UPDATE record SET identity = ? WHERE id = ?");
  const renameIn = [
    "UPDATE record SET part_of = ?1 WHERE part_of = ?2",
    "UPDATE record SET reply_to = ?1 WHERE reply_to = ?2",
    "UPDATE OR REPLACE record_parent SET identity = ?1 WHERE identity = ?2",
  ].map((sql) => db.command(sql));

  /** Lets the record that this one continues go on under its identity. False when there is none. */
  return (record: ImportedRecord, importId: number): boolean => {
    const space = byBytes.exec(record.identity)?.[1];
    const place = record.files.find((file) => file.role === null);
    if (space === undefined || !place || place.offset !== null || place.part !== undefined) return false;
    const found = before
      .all(place.path, importId)
      .find(
        (one) => byBytes.exec(one.identity)?.[1] === space && (!told.has(space) || sameMoment(one.time, record.time)),
      );
    if (!found) return false;
    rename.run(record.identity, found.id);
    for (const command of renameIn) command.run(record.identity, found.identity);
    return true;
  };
}

/** Both were made at one moment, by what stands in them; a file's own date says nothing. */
function sameMoment(a: RecordTime | null, b: RecordTime | null): boolean {
  if (!a || !b || /^file-/.test(a.source) || /^file-/.test(b.source)) return false;
  return a.utc === b.utc && a.local === b.local;
}
