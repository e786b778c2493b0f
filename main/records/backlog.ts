import type { RecordId } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";

/**
 * Live photos and videos for which `condition` (SQL over `record r`, with `?1` for the parameter) holds, latest imported
 * first. Looking through all pictures for every few would be quadratic: ids are remembered, and only what has changed
 * since is looked for again.
 */
export function waitingPictures(db: Database, condition: string) {
  const waits = `r.kind IN ('photo', 'video') AND r.trashed_at IS NULL AND ${condition}`;
  const idOf = (row: SqlRow) => column.number(row, "id");
  const all = db.query(`SELECT r.id FROM record r WHERE ${waits} ORDER BY r.id`, idOf);
  const lastSeq = db.query("SELECT coalesce(max(seq), 0) AS id FROM change", idOf);
  const changedSince = db.query(
    `SELECT DISTINCT r.id FROM change c JOIN record r ON r.id = c.record_id WHERE c.seq > ?2 AND ${waits} ORDER BY r.id`,
    idOf,
  );
  const stillWaits = db.query(`SELECT r.id FROM record r WHERE r.id = ?2 AND ${waits}`, idOf);
  /** Next one last. */
  let queue: { ids: RecordId[]; seq: number; parameter: string } | null = null;

  return {
    /** Given again until they no longer wait. */
    next(limit: number, parameter = ""): RecordId[] {
      const seq = lastSeq.get() ?? 0;
      if (queue?.parameter !== parameter) queue = { ids: all.all(parameter), seq, parameter };
      else if (seq > queue.seq) {
        queue = { ids: [...queue.ids, ...changedSince.all(parameter, queue.seq)], seq, parameter };
      }
      const taken: RecordId[] = [];
      while (taken.length < limit) {
        const id = queue.ids.pop();
        if (id === undefined) break;
        if (!taken.includes(id) && stillWaits.get(parameter, id) !== undefined) taken.push(id);
      }
      queue.ids.push(...taken.toReversed());
      return taken;
    },
    forget() {
      queue = null;
    },
  };
}
