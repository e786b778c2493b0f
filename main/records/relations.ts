import { z } from "zod";
import type { RecordDetail, RecordId, RecordVersion } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { notFound } from "./lifecycle.ts";
import type { MediaReader, Original, RecordReader } from "./ports.ts";
import { iso, oneOf, recordRows } from "./rows.ts";
import { placeName, watchedReader } from "./watched.ts";

/** What stands beside a record: its session, its thread, its parts, its people. References are resolved when they are read. */

/** Related records of each relation in a detail view. */
const mostRelated = 50;
const bySchema = z.enum(["import", "person"]);

type RelationMethods =
  | "personIdsOf"
  | "neighbours"
  | "thread"
  | "detail"
  | "originals"
  | "get"
  | "getMany"
  | "contents"
  | "idByIdentity";

export function relationReader(
  db: Database,
  summaries: RecordReader["summaries"],
  lookalikes: MediaReader["lookalikes"],
  linked = true,
): Pick<RecordReader, RelationMethods> {
  const rows = recordRows(db, linked);
  const watched = watchedReader(db);
  const idOf = (row: SqlRow) => column.number(row, "id");
  const byIdentity = db.query("SELECT id FROM record WHERE identity = ?", idOf);
  const people = db.query(
    `SELECT x.record_id, coalesce(p.root_id, p.id) AS person_id FROM record_person x JOIN person p ON p.id = x.person_id
     WHERE x.record_id IN (SELECT value FROM json_each(?)) ORDER BY x.record_id, x.role = 'author' DESC, x.person_id`,
    (row) => ({ recordId: column.number(row, "record_id"), personId: column.number(row, "person_id") }),
  );
  const place = db.query(
    "SELECT kind, container_id, thread, sequence, sort_at, identity, reply_to FROM record WHERE id = ?",
    (row) => ({
      mail: row.kind === "email",
      container: column.numberOrNull(row, "container_id"),
      thread: column.textOrNull(row, "thread"),
      sequence: column.numberOrNull(row, "sequence"),
      sortAt: column.number(row, "sort_at"),
    }),
  );

  const shown = "trashed_at IS NULL AND is_part = 0";
  /** Both sides of a position in an ordered session. */
  const sides = (where: string, key: string) => {
    const marks = key
      .split(",")
      .map(() => "?")
      .join(", ");
    const backwards = key
      .split(",")
      .map((name) => `${name} DESC`)
      .join(", ");
    return {
      before: db.query(
        `SELECT id FROM record WHERE ${where} AND ${shown} AND (${key}) < (${marks}) ORDER BY ${backwards} LIMIT ?`,
        idOf,
      ),
      after: db.query(
        `SELECT id FROM record WHERE ${where} AND ${shown} AND (${key}) > (${marks}) ORDER BY ${key} LIMIT ?`,
        idOf,
      ),
    };
  };
  const ordered = sides("container_id = ? AND sequence IS NOT NULL", "sequence, sort_at, id");
  const timed = sides("container_id = ? AND sequence IS NULL", "sort_at, id");
  const mailThread = sides("thread = ? AND kind = 'email'", "sort_at, id");

  // Mail of one thread lies in several mailboxes; elsewhere a thread key counts inside its container only.
  const byThread = db.query(
    `SELECT id FROM record WHERE thread = ?1 AND trashed_at IS NULL AND is_part = 0
     AND (kind = 'email' AND ?2 OR container_id IS ?3) ORDER BY sort_at, id LIMIT ?4`,
    idOf,
  );
  const replyChain = db.query(
    `WITH RECURSIVE chain (id, identity, reply_to) AS (
       SELECT id, identity, reply_to FROM record WHERE id = ?1
       UNION SELECT r.id, r.identity, r.reply_to FROM chain c
         JOIN record r ON r.identity = c.reply_to OR r.reply_to = c.identity LIMIT ?2)
     SELECT c.id FROM chain c JOIN record r ON r.id = c.id WHERE r.trashed_at IS NULL OR r.id = ?1
     ORDER BY r.sort_at, r.id`,
    idOf,
  );
  const replies = db.query(
    "SELECT id FROM record WHERE reply_to = ? AND trashed_at IS NULL ORDER BY sort_at, id LIMIT ?",
    idOf,
  );
  const parts = db.query(
    `SELECT r.id FROM record r WHERE r.part_of = ?1 AND (r.trashed_at IS NULL OR ?2)
     UNION SELECT r.id FROM record_parent p JOIN record r ON r.id = p.record_id
       WHERE p.identity = ?1 AND (r.trashed_at IS NULL OR ?2) ORDER BY 1 LIMIT ?3`,
    idOf,
  );
  const otherParents = db.query(
    "SELECT r.id FROM record_parent p JOIN record r ON r.identity = p.identity WHERE p.record_id = ? ORDER BY r.id LIMIT ?",
    idOf,
  );
  const version = (row: SqlRow): RecordVersion => ({
    version: column.number(row, "version"),
    at: iso(row, "at"),
    by: oneOf(row, "by", bySchema),
    subject: column.textOrNull(row, "subject"),
    text: column.textOrNull(row, "text"),
  });
  const versions = db.query(
    `SELECT version, version_at AS at, version_by AS by, subject, text FROM record WHERE id = ?1
     UNION ALL SELECT version, at, by, subject, text FROM record_version WHERE record_id = ?1 ORDER BY version DESC`,
    version,
  );
  const importedAt = db.query("SELECT id, started_at FROM import_run WHERE id = ?", (row) => iso(row, "started_at"));

  function thread(id: RecordId, limit: number): RecordId[] {
    const at = place.get(id);
    if (!at) return [];
    if (at.thread === null) return replyChain.all(id, limit);
    const members = byThread.all(at.thread, Number(at.mail), at.container, limit);
    return members.includes(id) ? members : [id, ...members].slice(0, limit);
  }

  return {
    get: rows.get,
    getMany: rows.getMany,
    contents: rows.contents,
    originals: rows.originals,
    idByIdentity: (identity) => byIdentity.get(identity) ?? null,
    thread,

    personIdsOf(ids) {
      const found = new Map<RecordId, number[]>();
      for (const { recordId, personId } of people.all(JSON.stringify(ids))) {
        const known = found.get(recordId);
        if (known?.includes(personId)) continue;
        if (known) known.push(personId);
        else found.set(recordId, [personId]);
      }
      return found;
    },

    neighbours(id, radius) {
      const at = place.get(id);
      if (!at) return [];
      const around = (both: ReturnType<typeof sides>, ...position: (string | number)[]) => [
        ...both.before
          .all(...position, radius)
          .map((other, index) => ({ id: other, distance: -(index + 1) }))
          .reverse(),
        ...both.after.all(...position, radius).map((other, index) => ({ id: other, distance: index + 1 })),
      ];
      if (at.mail) return at.thread === null ? [] : around(mailThread, at.thread, at.sortAt, id);
      if (at.container === null) return [];
      if (at.sequence === null) return around(timed, at.container, at.sortAt, id);
      return around(ordered, at.container, at.sequence, at.sortAt, id);
    },

    detail(id): RecordDetail {
      const record = rows.get(id);
      if (!record) throw notFound(id);
      const trashed = record.trashedAt !== null;
      const parents = (reference: { id: RecordId | null } | null) => (reference?.id ? [reference.id] : []);
      const groups = [
        { relation: "reply_to", ids: parents(record.replyTo) },
        { relation: "replied_by", ids: replies.all(record.identity, mostRelated) },
        { relation: "attachment_of", ids: [...parents(record.partOf), ...otherParents.all(id, mostRelated)] },
        { relation: "attachment", ids: parts.all(record.identity, Number(trashed), mostRelated) },
        { relation: "looks_alike", ids: lookalikes(id, mostRelated) },
        { relation: "same_thread", ids: thread(id, mostRelated) },
      ] as const;
      const told = new Set([id]);
      const related = groups.flatMap(({ relation, ids }) => {
        const fresh = ids.filter((one) => !told.has(one));
        for (const one of fresh) told.add(one);
        return summaries(fresh)
          .filter((one) => trashed || !one.trashed)
          .map((one) => ({ relation, record: one }));
      });
      const missing = watched.missingPlaces(id);
      return {
        record,
        related,
        versions: versions.all(id),
        provenance: rows.originals(id).map((original) => ({
          missingSince: missing.get(placeName(original.importId, original.location.path)) ?? null,
          importId: original.importId,
          importedAt: importedAt.get(original.importId) ?? record.importedAt,
          root: rootOf(original),
          location: original.location,
        })),
      };
    },
  };
}

/** The root that a path lies in. With several roots a path begins with the name of its own. */
function rootOf({ roots, location }: Original): string {
  const first = location.path.split("/")[0] ?? "";
  const named = roots.find((root) => root.normalize("NFC").split(/[/\\]/).filter(Boolean).at(-1) === first);
  return (roots.length > 1 ? named : null) ?? roots.join(", ");
}
