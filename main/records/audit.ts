import { z } from "zod";
import type { AuditRow } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { canonicalJson, sha256 } from "./canonical.ts";
import { json } from "./rows.ts";

/** The audit log: append-only, each row hashed together with the one before it, so that no row can change unseen. */

/** Hash before the first row. */
export const auditStart = "0".repeat(64);

const detailsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** SHA-256 (hex) of the canonical JSON of a row without its own hash. */
export function auditHash(row: Omit<AuditRow, "hash">): string {
  const { seq, at, action, details, prevHash } = row;
  return sha256(canonicalJson({ seq, at, action, details, prevHash })).toString("hex");
}

export function auditRow(row: SqlRow): AuditRow {
  return {
    seq: column.number(row, "seq"),
    at: column.text(row, "at"),
    action: column.text(row, "action"),
    details: json(row, "details", detailsSchema),
    prevHash: column.text(row, "prev_hash"),
    hash: column.text(row, "hash"),
  };
}

export function auditLog(db: Database) {
  const last = db.query("SELECT * FROM audit ORDER BY seq DESC LIMIT 1", auditRow);
  const insert = db.command("INSERT INTO audit (seq, at, action, details, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?)");
  const all = db.query("SELECT * FROM audit ORDER BY seq", (row) => row);
  const highest = db.query("SELECT seq FROM sqlite_sequence WHERE name = 'audit'", (row) => column.number(row, "seq"));

  return {
    /** Appends a row; call it inside the transaction of what it tells about. */
    append(action: string, details: AuditRow["details"]): void {
      const before = last.get();
      const row = {
        seq: (before?.seq ?? 0) + 1,
        at: new Date().toISOString(),
        action,
        details,
        prevHash: before?.hash ?? auditStart,
      };
      insert.run(row.seq, row.at, action, canonicalJson(details), row.prevHash, auditHash(row));
    },

    /** Walks the chain from the first row. A row cut off at the end shows by SQLite's own count of rows ever written. */
    verify(): { ok: boolean; rows: number; firstBad: number | null } {
      let rows = 0;
      let prevHash = auditStart;
      for (const raw of all.iterate()) {
        const expected = rows + 1;
        const row = readable(raw);
        if (row?.seq !== expected || row.prevHash !== prevHash || row.hash !== auditHash(row)) {
          return { ok: false, rows, firstBad: expected };
        }
        rows = expected;
        prevHash = row.hash;
      }
      const written = highest.get() ?? 0;
      return written === rows ? { ok: true, rows, firstBad: null } : { ok: false, rows, firstBad: rows + 1 };
    },
  };
}

/** Null for a row whose columns were made unreadable. */
function readable(raw: SqlRow): AuditRow | null {
  try {
    return auditRow(raw);
  } catch {
    return null;
  }
}
