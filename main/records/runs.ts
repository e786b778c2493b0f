import { z } from "zod";
import { fileStatusSchema, type ImportRun, importRunSchema, type LedgerRow } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { auditRow } from "./audit.ts";
import { gainsSchema, gainsText } from "./gains.ts";
import { lastSeqOf } from "./last-seq.ts";
import type { Change, LostImport, RecordReader } from "./ports.ts";
import { iso, isoOrNull, jsonOrNull, oneOf, roots } from "./rows.ts";
import { undoPreview } from "./undo.ts";
import { watchedReader } from "./watched.ts";

/** What has happened: imports and their ledger, the change log, the audit log. */

const opSchema = z.enum(["put", "trash", "restore", "erase"]);

/** Totals of an import: records by outcome, files by end. */
export function importCounts(db: Database): (importId: number) => ImportRun["counts"] {
  const records = db.query(
    `SELECT coalesce(sum(imported), 0) AS imported, coalesce(sum(updated), 0) AS updated,
       coalesce(sum(duplicate), 0) AS duplicate FROM claim WHERE import_id = ?`,
    (row) => ({
      imported: column.number(row, "imported"),
      updated: column.number(row, "updated"),
      duplicate: column.number(row, "duplicate"),
    }),
  );
  const files = db.query("SELECT status, count(*) AS files FROM ledger WHERE import_id = ? GROUP BY status", (row) => ({
    status: column.textOrNull(row, "status"),
    files: column.number(row, "files"),
  }));
  return (importId) => {
    const byStatus = files.all(importId);
    const of = (status: string) => byStatus.find((one) => one.status === status)?.files ?? 0;
    return {
      ...(records.get(importId) ?? { imported: 0, updated: 0, duplicate: 0 }),
      skippedFiles: of("skipped"),
      failedFiles: of("failed"),
      files: byStatus.reduce((sum, one) => sum + one.files, 0),
    };
  };
}

function ledgerRow(row: SqlRow): LedgerRow {
  return {
    importId: column.number(row, "import_id"),
    path: column.text(row, "path"),
    status: oneOf(row, "status", fileStatusSchema),
    reason: reasonOf(row),
    importer: column.textOrNull(row, "importer"),
    bytes: column.number(row, "bytes"),
    records: column.number(row, "records"),
    skipped: column.number(row, "skipped"),
  };
}

/** The importer's sentence, and what was merged into records that were known already. */
function reasonOf(row: SqlRow): string | null {
  const known = column.number(row, "updated") + column.number(row, "duplicate");
  const merged = gainsText(jsonOrNull(row, "gained", gainsSchema) ?? {}, known);
  return [column.textOrNull(row, "reason"), merged].filter((one) => one !== null).join(" ") || null;
}

type LogMethods =
  | "watchedImports"
  | "lostImports"
  | "changesSince"
  | "lastSeq"
  | "importRuns"
  | "undoPreview"
  | "ledger"
  | "auditRows";

export function logReader(db: Database): Pick<RecordReader, LogMethods> {
  const counts = importCounts(db);
  const total = (row: SqlRow) => column.number(row, "total");
  const changes = db.query(
    "SELECT * FROM change WHERE seq > ? ORDER BY seq LIMIT ?",
    (row): Change => ({
      seq: column.number(row, "seq"),
      recordId: column.number(row, "record_id"),
      op: oneOf(row, "op", opSchema),
    }),
  );
  const runs = db.query(
    "SELECT i.*, o.roots FROM import_run i JOIN source_root o ON o.id = i.root_id ORDER BY i.id DESC",
    (row): Omit<ImportRun, "counts"> => ({
      id: column.number(row, "id"),
      jobId: column.text(row, "job_id"),
      roots: roots(row),
      startedAt: iso(row, "started_at"),
      finishedAt: isoOrNull(column.numberOrNull(row, "finished_at")),
      status: oneOf(row, "status", importRunSchema.shape.status),
      watched: column.number(row, "watched") === 1,
    }),
  );
  // Begun, and the process died before its job was kept.
  const lost = db.query(
    `SELECT i.id, i.job_id, i.zone, o.roots FROM import_run i JOIN source_root o ON o.id = i.root_id
     WHERE i.status = 'interrupted' AND NOT EXISTS (SELECT 1 FROM job WHERE id = i.job_id) ORDER BY i.id`,
    (row): LostImport => ({
      importId: column.number(row, "id"),
      jobId: column.text(row, "job_id"),
      roots: roots(row),
      zone: column.textOrNull(row, "zone"),
    }),
  );
  // A null filter stands for all; files that are not read to their end have no row to show yet.
  const ledgerWhere = "import_id = ?1 AND status IS NOT NULL AND (?2 IS NULL OR status = ?2)";
  const ledger = db.query(`SELECT * FROM ledger WHERE ${ledgerWhere} ORDER BY path LIMIT ?3 OFFSET ?4`, ledgerRow);
  const ledgerTotal = db.query(`SELECT count(*) AS total FROM ledger WHERE ${ledgerWhere}`, total);
  const auditWhere = "?1 IS NULL OR action = ?1";
  const audit = db.query(`SELECT * FROM audit WHERE ${auditWhere} ORDER BY seq DESC LIMIT ?2 OFFSET ?3`, auditRow);
  const auditTotal = db.query(`SELECT count(*) AS total FROM audit WHERE ${auditWhere}`, total);

  return {
    changesSince: (seq, limit) => changes.all(seq, limit),
    lastSeq: () => lastSeqOf(db),
    importRuns: () => runs.all().map((run) => ({ ...run, counts: counts(run.id) })),
    undoPreview: undoPreview(db),
    watchedImports: watchedReader(db).watchedImports,
    lostImports: () => lost.all(),
    ledger: (importId, offset, limit, status) => ({
      rows: ledger.all(importId, status ?? null, limit, offset),
      total: ledgerTotal.get(importId, status ?? null) ?? 0,
    }),
    auditRows: (offset, limit, action) => ({
      rows: audit.all(action ?? null, limit, offset),
      total: auditTotal.get(action ?? null) ?? 0,
    }),
  };
}
