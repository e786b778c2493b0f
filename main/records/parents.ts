import type { ImportedRecord, RecordId } from "#contract";
import type { Database } from "#native/sqlite.ts";

type Parent = ImportedRecord["partOf"];

/** Parents of a part beside the one in its `part_of`: one file that was sent with two mails is one record. */
export function parentWriter(db: Database) {
  const insert = db.command(
    `INSERT OR IGNORE INTO record_parent (record_id, identity, role)
     SELECT id, ?2, ?3 FROM record WHERE id = ?1 AND part_of IS NOT ?2`,
  );
  const remove = db.command("DELETE FROM record_parent WHERE record_id = ? AND identity = ?");
  const add = (id: RecordId, parent: Parent) => {
    if (parent) insert.run(id, parent.identity, parent.role);
  };
  return {
    /** A source says that the record is a part of this one. */
    add,
    /** Another parent stands in `part_of` now, or none: the one before is kept here. */
    moved(id: RecordId, before: Parent, after: Parent): void {
      if (before?.identity === after?.identity) return;
      if (after) remove.run(id, after.identity);
      add(id, before);
    },
  };
}
