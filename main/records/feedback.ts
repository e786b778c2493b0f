import { type Feedback, feedbackSchema, type NewFeedback, type RecordId, UnderstoryError } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { memo } from "./memo.ts";
import { json } from "./rows.ts";

/**
 * What the owner said of answers and evidence. It goes with its records: when the last one is erased, a trigger erases
 * what was said of them, the question too. All methods of the writer run inside a transaction.
 */

/** Feedback that is kept at most: the oldest goes first. */
const most = 5_000;
const { plan: planSchema, verdict: verdictSchema } = feedbackSchema.shape;

export function feedbackWriter(db: Database) {
  const add = db.command("INSERT INTO feedback (at, plan, verdict, whole) VALUES (?, ?, ?, ?)");
  const addRecord = db.command(
    "INSERT OR IGNORE INTO feedback_record (feedback_id, record_id) SELECT ?1, id FROM record WHERE id = ?2",
  );
  const known = db.query("SELECT count(*) AS known FROM record WHERE id IN (SELECT value FROM json_each(?))", (row) =>
    column.number(row, "known"),
  );
  const remove = db.command("DELETE FROM feedback WHERE id = ?");
  const cut = db.command(
    `DELETE FROM feedback WHERE id <= (SELECT id FROM feedback ORDER BY id DESC LIMIT 1 OFFSET ${most})`,
  );
  return {
    /** Gives the id that takes it back. Throws `not_found` for a record that is not there. */
    give({ plan, verdict, records, whole }: NewFeedback, at: string): number {
      const ids = [...new Set(records)];
      if (known.get(JSON.stringify(ids)) !== ids.length) {
        throw new UnderstoryError("not_found", "One of these records is not there any more.", {
          hint: "Nothing was stored. Ask the question again.",
        });
      }
      const id = add.run(at, JSON.stringify(plan), verdict, Number(whole)).lastId;
      for (const record of ids) addRecord.run(id, record);
      cut.run();
      return id;
    },
    /** False when there is no such feedback (any more). */
    takeBack: (id: number): boolean => remove.run(id).changes > 0,
  };
}

/** Everything that was said, newest first. Records in the trash keep what was said of them. */
export function feedbackReader(db: Database): () => readonly Feedback[] {
  const version = db.query(
    `SELECT coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'feedback'), 0) || ' ' ||
       (SELECT count(*) FROM feedback) AS version`,
    (row) => column.text(row, "version"),
  );
  const erased = db.query("SELECT coalesce(max(seq), 0) AS seq FROM change", (row) => column.number(row, "seq"));
  const rows = db.query("SELECT id, at, plan, verdict, whole FROM feedback ORDER BY id DESC", (row) => ({
    id: column.number(row, "id"),
    at: column.text(row, "at"),
    plan: json(row, "plan", planSchema),
    verdict: verdictSchema.parse(column.text(row, "verdict")),
    whole: column.number(row, "whole") === 1,
  }));
  const records = db.query(
    "SELECT feedback_id, record_id FROM feedback_record ORDER BY feedback_id, record_id",
    (row) => ({
      feedbackId: column.number(row, "feedback_id"),
      recordId: column.number(row, "record_id"),
    }),
  );
  const once = memo<readonly Feedback[]>(() => erased.get() ?? 0);
  return () =>
    once(version.get() ?? "", () => {
      const of = new Map<number, RecordId[]>();
      for (const { feedbackId, recordId } of records.all())
        of.set(feedbackId, [...(of.get(feedbackId) ?? []), recordId]);
      return rows.all().map((row) => ({ ...row, records: of.get(row.id) ?? [] }));
    });
}
