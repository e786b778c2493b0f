import { z } from "zod";
import type { FileStatus } from "#contract";
import type { Cursor } from "#main/importers/types.ts";
import { column, type Database } from "#native/sqlite.ts";
import { addGains, type Gains, gainsSchema } from "./gains.ts";
import { jsonOrNull } from "./rows.ts";

/** How files and claims of an import fared. All methods run inside a transaction of the writer. */

/** What became of the records of one file or claim. `refused`: erased for good before, not taken in again. */
export interface Outcomes {
  imported: number;
  updated: number;
  duplicate: number;
  refused: number;
}
export type Outcome = keyof Outcomes;

/** Outcomes of one batch for one file. */
export interface FileCounts extends Outcomes {
  /** Records that stand in this file; a sidecar only describes them. */
  records: number;
  /** Entries that broke the contract. */
  skipped: number;
  /** What records that were known already got from it. */
  gained: Gains;
}

export const noOutcomes = (): Outcomes => ({ imported: 0, updated: 0, duplicate: 0, refused: 0 });
export const noCounts = (): FileCounts => ({ ...noOutcomes(), records: 0, skipped: 0, gained: {} });

const cursorSchema = z.union([z.string(), z.number()]);
const refusedReason = "What was in it was deleted for good before and is not taken in again.";

export function ledgerWriter(db: Database) {
  const plan = db.command("INSERT OR IGNORE INTO ledger (import_id, path, bytes) VALUES (?, ?, ?)");
  const skip = db.command(
    `INSERT INTO ledger (import_id, path, bytes, status, reason) VALUES (?, ?, ?, 'skipped', ?)
     ON CONFLICT DO UPDATE SET bytes = excluded.bytes, status = 'skipped', reason = excluded.reason`,
  );
  const count = db.command(
    `UPDATE ledger SET records = records + ?, skipped = skipped + ?, imported = imported + ?, updated = updated + ?,
     duplicate = duplicate + ?, refused = refused + ?, importer = ?, claim = ? WHERE import_id = ? AND path = ?`,
  );
  const end = db.command(
    `INSERT INTO ledger (import_id, path, bytes, status, reason, importer, claim, skipped) VALUES (?, ?, 0, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET status = excluded.status, reason = excluded.reason, importer = excluded.importer,
       claim = excluded.claim, skipped = skipped + excluded.skipped`,
  );
  // A file without records of its own (media beside a chat) ends as its claim does.
  const refineSql = `
    UPDATE ledger SET
      status = CASE WHEN updated > 0 THEN 'updated' WHEN imported > 0 THEN 'imported' WHEN duplicate > 0 THEN 'duplicate'
        WHEN refused > 0 THEN 'skipped' ELSE ? END,
      reason = CASE WHEN refused > 0 AND imported + updated + duplicate = 0 THEN coalesce(reason, ?) ELSE reason END
    WHERE import_id = ? AND status IN ('imported', 'updated', 'duplicate')`;
  const refinePath = db.command(`${refineSql} AND path = ?`);
  const refineClaim = db.command(`${refineSql} AND claim = ?`);
  const addToClaim = db.command(
    `INSERT INTO claim (import_id, claim, cursor, done, imported, updated, duplicate, refused) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET cursor = coalesce(excluded.cursor, cursor), done = max(done, excluded.done),
       imported = imported + excluded.imported, updated = updated + excluded.updated,
       duplicate = duplicate + excluded.duplicate, refused = refused + excluded.refused`,
  );
  const getClaim = db.query("SELECT * FROM claim WHERE import_id = ? AND claim = ?", (row) => ({
    cursor: jsonOrNull(row, "cursor", cursorSchema),
    done: column.number(row, "done") === 1,
    imported: column.number(row, "imported"),
    updated: column.number(row, "updated"),
    duplicate: column.number(row, "duplicate"),
    refused: column.number(row, "refused"),
  }));

  const claimStatus = (total: Outcomes): FileStatus => {
    if (total.imported > 0) return "imported";
    if (total.updated > 0) return "updated";
    if (total.duplicate > 0) return "duplicate";
    return total.refused > 0 ? "skipped" : "imported";
  };

  const gained = db.query("SELECT gained FROM ledger WHERE import_id = ? AND path = ?", (row) =>
    jsonOrNull(row, "gained", gainsSchema),
  );
  const setGained = db.command("UPDATE ledger SET gained = ? WHERE import_id = ? AND path = ?");

  return {
    plan(importId: number, path: string, bytes: number) {
      plan.run(importId, path, bytes);
    },
    skip(importId: number, path: string, bytes: number, reason: string) {
      skip.run(importId, path, bytes, reason);
    },
    count(importId: number, importer: string, claim: string, path: string, more: FileCounts) {
      const { records, skipped, imported, updated, duplicate, refused } = more;
      count.run(records, skipped, imported, updated, duplicate, refused, importer, claim, importId, path);
      if (Object.keys(more.gained).length === 0) return;
      const sum = addGains(gained.get(importId, path) ?? {}, more.gained);
      setGained.run(JSON.stringify(sum), importId, path);
    },
    end(
      importId: number,
      importer: string,
      claim: string,
      file: { path: string; status: FileStatus; reason: string | null; skipped: number },
    ) {
      end.run(importId, file.path, file.status, file.reason, importer, claim, file.skipped);
    },
    advanceClaim(importId: number, claim: string, cursor: Cursor | null, done: boolean, more: Outcomes) {
      const { imported, updated, duplicate, refused } = more;
      const saved = cursor === null ? null : JSON.stringify(cursor);
      addToClaim.run(importId, claim, saved, Number(done), imported, updated, duplicate, refused);
    },
    /** Tells "imported" apart from "updated" and "duplicate", for some files or, at its end, for the whole claim. */
    refine(importId: number, claim: string, paths: readonly string[] | "all") {
      const status = claimStatus(getClaim.get(importId, claim) ?? noOutcomes());
      if (paths === "all") refineClaim.run(status, refusedReason, importId, claim);
      else for (const path of paths) refinePath.run(status, refusedReason, importId, path);
    },
    checkpoint(importId: number, claim: string): { cursor: Cursor | null; done: boolean } {
      const found = getClaim.get(importId, claim);
      return found ? { cursor: found.cursor, done: found.done } : { cursor: null, done: false };
    },
  };
}
