import type { RecordId } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import type { MediaReader } from "./ports.ts";

/**
 * Pictures that look the same (table `picture_hash` of media.db): re-encoded and resized copies of one shot. They are
 * shown beside each other and never made one, for a hash can be wrong and the copies may tell different things.
 */

/**
 * Bits in which the hashes of copies may differ. Of 54 photos saved anew, half as large or at quality 30, 95 in 100 lay
 * within 4, and no two different ones of them within 12.
 */
const mostBits = 6;
/** Part by which aspects may differ: rounding to whole pixels, and a row or column lost in encoding. */
const mostAspect = 0.03;

/** Bands (shift, mask) of a hash, one more than `mostBits`: hashes that near agree in one of them. Each has its index. */
const bands = [
  [0, 511],
  [9, 511],
  [18, 511],
  [27, 511],
  [36, 511],
  [45, 511],
  [54, 1023],
] as const;

/** Bits that are set in an integer of 32 bits. */
function setBits(value: number): number {
  let count = 0;
  for (let rest = value | 0; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export function alikeReader(opened: () => Database | null): Pick<MediaReader, "lookalikes"> {
  // 64 bits are more than a number holds: what differs comes in two halves. SQLite has no exclusive or.
  const differing = "((o.hash | me.hash) & ~(o.hash & me.hash))";
  const inBand = bands.map(
    ([shift, mask]) =>
      `SELECT o.record_id, ${differing} >> 32 & 4294967295 AS high, ${differing} & 4294967295 AS low
       FROM picture_hash me CROSS JOIN picture_hash o ON o.hash >> ${shift} & ${mask} = me.hash >> ${shift} & ${mask}
       WHERE me.record_id = ?1 AND o.record_id <> ?1 AND abs(o.aspect / me.aspect - 1) <= ?2`,
  );
  const sql = inBand.join("\nUNION ");
  return {
    lookalikes(id, limit) {
      const candidates = opened()?.query(sql, (row) => ({
        id: column.number(row, "record_id"),
        bits: setBits(column.number(row, "high")) + setBits(column.number(row, "low")),
      }));
      const near = (candidates?.all(id, mostAspect) ?? []).filter(({ bits }) => bits <= mostBits);
      return near
        .sort((a, b) => a.bits - b.bits || a.id - b.id)
        .slice(0, limit)
        .map((one) => one.id);
    },
  };
}

/** The writer's side: media.db is attached to records.db as `media`. */
export function alikeWriter(db: Database) {
  const put = db.command(
    `INSERT OR REPLACE INTO media.picture_hash (record_id, hash, aspect)
     SELECT record_id, ?, CAST(width AS REAL) / height FROM media.thumbnail WHERE record_id = ? AND status = 'done'`,
  );
  const drop = db.command("DELETE FROM media.picture_hash WHERE record_id IN (SELECT value FROM json_each(?))");
  return {
    /** Hash of the thumbnail that a record has; 0n: it has none, and is not asked for again. */
    put: (id: RecordId, hash: bigint) => void put.run(hash === 0n ? null : BigInt.asIntN(64, hash), id),
    drop: (ids: readonly RecordId[]) => void drop.run(JSON.stringify(ids)),
  };
}
