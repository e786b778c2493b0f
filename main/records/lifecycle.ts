import { type RecordId, UnderstoryError } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { sha256 } from "./canonical.ts";
import { editBaseSchema, keepVersion } from "./committer.ts";
import { jsonOrNull } from "./rows.ts";

/**
 * What a person does to records: trash, restore, erase, edit. What is done to a record is done to its parts (the pictures
 * of a mail, the film of a live photo). All methods run inside a transaction of the writer.
 */
export function lifecycle(db: Database) {
  const family = db.query(
    `WITH RECURSIVE family (id, identity) AS (
       SELECT id, identity FROM record WHERE id IN (SELECT value FROM json_each(?))
       UNION SELECT r.id, r.identity FROM family f JOIN record r ON r.part_of = f.identity
       UNION SELECT r.id, r.identity FROM family f JOIN record_parent p ON p.identity = f.identity
         JOIN record r ON r.id = p.record_id AND r.part_of IS NOT NULL)
     SELECT f.id, f.identity, r.trashed_at FROM family f JOIN record r ON r.id = f.id ORDER BY f.id`,
    (row) => ({
      id: column.number(row, "id"),
      identity: column.text(row, "identity"),
      trashed: row.trashed_at !== null,
    }),
  );
  const parentsOf = db.query(
    `SELECT p.id, p.trashed_at FROM record r JOIN record p ON p.identity = r.part_of WHERE r.id = ?1
     UNION SELECT p.id, p.trashed_at FROM record_parent o JOIN record p ON p.identity = o.identity WHERE o.record_id = ?1`,
    (row) => ({ id: column.number(row, "id"), trashed: row.trashed_at !== null }),
  );
  const partsOf = db.query(
    `SELECT id FROM record WHERE part_of = ?1 UNION SELECT record_id FROM record_parent WHERE identity = ?1`,
    (row) => column.number(row, "id"),
  );
  const nextParent = db.query(
    "SELECT identity, role FROM record_parent WHERE record_id = ? ORDER BY identity LIMIT 1",
    (row) => ({ identity: column.text(row, "identity"), role: column.text(row, "role") }),
  );
  const setParent = db.command("UPDATE record SET part_of = ?, part_role = ? WHERE id = ? AND part_of = ?");
  const dropParent = db.command("DELETE FROM record_parent WHERE record_id = ? AND identity = ?");
  const dropStatements = db.command("DELETE FROM statement WHERE record_id = ?");
  // Whoever takes a record out of the trash decides about it from then on.
  const forgetUndo = db.command("DELETE FROM undone WHERE record_id = ?");
  const setTrashed = db.command("UPDATE record SET trashed_at = ? WHERE id = ?");
  const addChange = db.command("INSERT INTO change (record_id, op) VALUES (?, ?)");
  const bury = db.command("INSERT OR IGNORE INTO tombstone (identity_hash) VALUES (?)");
  const remove = db.command("DELETE FROM record WHERE id = ?");
  const peopleOf = db.query("SELECT person_id FROM record_person WHERE record_id = ?", (row) =>
    column.number(row, "person_id"),
  );
  const containerOf = db.query("SELECT container_id FROM record WHERE id = ?", (row) =>
    column.numberOrNull(row, "container_id"),
  );
  const dropPeople = db.command(
    `DELETE FROM person WHERE id IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM record_person WHERE person_id = person.id)`,
  );
  const dropContainers = db.command(
    `DELETE FROM container WHERE id IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM record WHERE container_id = container.id)`,
  );
  const current = db.query("SELECT version, subject, text, edit_base, trashed_at FROM record WHERE id = ?", (row) => ({
    version: column.number(row, "version"),
    subject: column.textOrNull(row, "subject"),
    text: column.textOrNull(row, "text"),
    base: jsonOrNull(row, "edit_base", editBaseSchema),
    trashed: row.trashed_at !== null,
  }));
  const setText = db.command(
    `UPDATE record SET subject = ?, text = ?, edit_base = ?, version = version + 1, version_at = ?, version_by = 'person'
     WHERE id = ?`,
  );
  const keep = keepVersion(db);

  /** The records and their parts. Throws `not_found` for the first unknown id. */
  function familyOf(ids: readonly RecordId[]) {
    const members = family.all(JSON.stringify(ids));
    const known = new Set(members.map((one) => one.id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw notFound(unknown);
    return members;
  }

  /** A part that stays forgets a parent that is erased, and what was said about it there. */
  function leave(part: RecordId, parent: string): void {
    dropParent.run(part, parent);
    const next = nextParent.get(part);
    if (next && setParent.run(next.identity, next.role, part, parent).changes > 0) {
      dropParent.run(part, next.identity);
      addChange.run(part, "put");
    }
    dropStatements.run(part);
  }

  /**
   * What goes with `ids`: themselves, and each part that belongs to nothing else. `holds` says which other parent keeps
   * a part where it is. A part that also came in by itself is no part any more (`part_of` is null) and never goes along.
   */
  function goingWith(ids: readonly RecordId[], holds: (parent: { trashed: boolean }) => boolean) {
    const members = familyOf(ids);
    const named = new Set(ids);
    const going = new Map(members.map((one) => [one.id, one]));
    for (let before = -1; before !== going.size; ) {
      before = going.size;
      for (const { id } of members) {
        if (named.has(id) || !going.has(id)) continue;
        if (parentsOf.all(id).some((parent) => !going.has(parent.id) && holds(parent))) going.delete(id);
      }
    }
    return [...going.values()];
  }

  return {
    trash(ids: readonly RecordId[], at: number): RecordId[] {
      const changed = goingWith(ids, ({ trashed }) => !trashed).filter((one) => !one.trashed);
      for (const { id } of changed) {
        setTrashed.run(at, id);
        addChange.run(id, "trash");
      }
      return changed.map((one) => one.id);
    },

    restore(ids: readonly RecordId[]): RecordId[] {
      const changed = familyOf(ids).filter((one) => one.trashed);
      for (const { id } of changed) {
        setTrashed.run(null, id);
        forgetUndo.run(id);
        addChange.run(id, "restore");
      }
      return changed.map((one) => one.id);
    },

    /** Ids of all that an erase of `ids` removes. Throws `conflict` for a record outside the trash. */
    erasable(ids: readonly RecordId[]): RecordId[] {
      const members = goingWith(ids, () => true);
      const named = new Set(ids);
      const living = members.find((one) => named.has(one.id) && !one.trashed);
      if (living) {
        throw new UnderstoryError("conflict", `Record ${living.id} is not in the trash.`, {
          hint: "Nothing was deleted. Put it into the trash first; only from there it is deleted for good.",
          details: { recordId: living.id },
        });
      }
      return members.map((one) => one.id);
    },

    /** Removes records with versions and sources, and the people and containers that stood in nothing else. */
    erase(ids: readonly RecordId[]): void {
      const people = new Set<number>();
      const containers = new Set<number>();
      for (const { id, identity } of goingWith(ids, () => true)) {
        for (const person of peopleOf.all(id)) people.add(person);
        const container = containerOf.get(id);
        if (container) containers.add(container);
        for (const part of partsOf.all(identity)) leave(part, identity);
        bury.run(sha256(identity));
        remove.run(id);
        addChange.run(id, "erase");
      }
      dropPeople.run(JSON.stringify([...people]));
      dropContainers.run(JSON.stringify([...containers]));
    },

    /** The new version, or null when nothing is different. */
    edit(
      input: { id: RecordId; version: number; subject: string | null; text: string | null },
      at: number,
    ): number | null {
      const found = current.get(input.id);
      if (!found) throw notFound(input.id);
      if (found.version !== input.version) {
        throw new UnderstoryError("conflict", `Record ${input.id} has changed since it was opened.`, {
          hint: "Your edit was not stored. Look at the newest version and edit that one.",
          details: { recordId: input.id, version: found.version },
        });
      }
      const subject = input.subject?.toWellFormed() ?? null;
      const text = input.text?.toWellFormed() ?? null;
      if (subject === found.subject && text === found.text) return null;
      keep(input.id);
      const base = found.base ?? { subject: found.subject, text: found.text };
      setText.run(subject, text, JSON.stringify(base), at, input.id);
      if (!found.trashed) addChange.run(input.id, "put");
      return found.version + 1;
    },
  };
}

export function notFound(id: RecordId): UnderstoryError {
  return new UnderstoryError("not_found", `There is no record ${id}.`, {
    hint: "It may have been deleted for good.",
    details: { recordId: id },
  });
}
