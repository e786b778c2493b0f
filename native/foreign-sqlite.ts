import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { open, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Driver from "better-sqlite3-multiple-ciphers";
import { UnderstoryError } from "#contract";
import { lockFile, type SqlRow, type SqlValue } from "./sqlite.ts";

/**
 * SQLite files that other programs wrote and a person dropped in. Untrusted: the schema is never run (no view, trigger,
 * virtual or generated column is touched, unsafe functions are off), nothing is written to it, and the original is not
 * opened at all: SQLite would put files beside it. What is opened is a copy in a private folder for temporary files. It
 * lives as long as the reading: where the system allows it is unlinked as soon as it is open, so that not even a killed
 * process leaves it; elsewhere it goes on closing, and a leftover with the next start.
 */

/** A file to copy. */
export interface ForeignFile {
  readonly path: string;
  readonly bytes: number;
  stream(): AsyncIterable<Uint8Array>;
}

export interface ForeignDatabase {
  /** Names of a table's stored columns in lower case; empty for what is no ordinary table. */
  columns(table: string): ReadonlySet<string>;
  /** Rows one after the other; no other query may run meanwhile. Throws `damaged_file`. */
  each(sql: string, params: readonly SqlValue[], row: (row: SqlRow) => void): void;
  /** The first row, or undefined. Throws `damaged_file`. */
  get(sql: string, ...params: readonly SqlValue[]): SqlRow | undefined;
  close(): void;
}

const prefix = "understory-copy-";
/** A folder without a lock that is younger may just be made by another process. */
const youngMs = 60_000;
/** Bytes 0–15 of every SQLite file (SQLite file format §1.3). */
const magic = Buffer.from("SQLite format 3\0", "latin1");

/** Whether first bytes are those of a SQLite database. */
export function isSqlite(head: Uint8Array): boolean {
  return head.length >= 100 && magic.equals(head.subarray(0, magic.length));
}

/**
 * Opens a copy of a database and of its write-ahead log. Errors: `limit_exceeded` (larger than `cap` bytes),
 * `disk_full` (no room for the copy), `damaged_file`, `cancelled`, and what reading the file throws.
 */
export async function openForeign(
  files: { readonly database: ForeignFile; readonly wal: ForeignFile | null },
  options: { readonly cap: number; readonly signal: AbortSignal },
): Promise<ForeignDatabase> {
  sweepForeignCopies();
  const { database, wal } = files;
  const bytes = database.bytes + (wal?.bytes ?? 0);
  if (bytes > options.cap) {
    throw new UnderstoryError("limit_exceeded", `${database.path} is larger than ${options.cap} bytes.`, {
      hint: "It is left as it is.",
      details: { path: database.path },
    });
  }
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const lock = lockFile(join(folder, "lock"));
  const remove = () => {
    lock.release();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await roomFor(bytes, folder, database.path);
    const path = join(folder, "copy.db");
    await copy(database, path, options);
    if (wal !== null && wal.bytes > 0) await copy(wal, `${path}-wal`, options);
    const driver = guarded(database.path, () => openCopy(path));
    if (process.platform !== "win32") rmSync(folder, { recursive: true, force: true });
    return wrap(driver, database.path, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

/** Removes copies whose reader is gone: their lock is free. */
export function sweepForeignCopies(): void {
  let names: string[];
  try {
    names = readdirSync(tmpdir());
  } catch {
    return;
  }
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    try {
      const found = lstatSync(folder);
      const mine = process.getuid === undefined || found.uid === process.getuid();
      if (!found.isDirectory() || !mine) continue;
      if (statSync(join(folder, "lock"), { throwIfNoEntry: false }) !== undefined) {
        lockFile(join(folder, "lock")).release();
      } else if (Date.now() - found.mtimeMs < youngMs) continue;
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Held by a reader that lives, or already removed by another.
    }
  }
}

async function roomFor(bytes: number, folder: string, path: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize > bytes * 1.1) return;
  throw new UnderstoryError(
    "disk_full",
    `There is no room for a temporary copy of ${path}, which needs ${bytes} bytes.`,
    {
      hint: "Nothing was changed. Make room on the disk of your temporary files and import it again.",
      details: { path },
    },
  );
}

async function copy(
  file: ForeignFile,
  to: string,
  { cap, signal }: { readonly cap: number; readonly signal: AbortSignal },
): Promise<void> {
  const target = await open(to, "wx", 0o600);
  let written = 0;
  try {
    for await (const chunk of file.stream()) {
      if (signal.aborted) throw new UnderstoryError("cancelled", "The import was stopped.");
      written += chunk.length;
      if (written > cap) throw new UnderstoryError("limit_exceeded", `${file.path} is larger than ${cap} bytes.`);
      await target.writeFile(chunk);
    }
  } finally {
    await target.close();
  }
}

/** Settings as SQLite advises for files from strangers (sqlite.org/security.html). */
function openCopy(path: string): Driver {
  const driver = new Driver(path, { fileMustExist: true, timeout: 0 });
  try {
    driver.pragma("trusted_schema = OFF");
    driver.pragma("cell_size_check = ON");
    driver.pragma("mmap_size = 0");
    driver.pragma("temp_store = MEMORY");
    driver.pragma("cache_size = -32768");
    // The log's index then lives in memory: no third file is needed.
    driver.pragma("locking_mode = EXCLUSIVE");
    driver.prepare("SELECT count(*) FROM sqlite_schema").get();
    driver.pragma("query_only = ON");
  } catch (error) {
    driver.close();
    throw error;
  }
  return driver;
}

function wrap(driver: Driver, path: string, remove: () => void): ForeignDatabase {
  const statements = new Map<string, ReturnType<Driver["prepare"]>>();
  const prepare = (sql: string) => {
    const known = statements.get(sql) ?? driver.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  let closed = false;
  return {
    columns: (table) =>
      guarded(path, () => {
        const found = prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0").get(
          table,
        );
        if (found === undefined || !/^\s*create\s+table\b/i.test(String(found.sql))) return new Set<string>();
        const rows = prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 LIMIT 2000").all(table);
        return new Set(rows.map(({ name }) => String(name).toLowerCase()));
      }),
    each: (sql, params, take) =>
      guarded(path, () => {
        for (const row of prepare(sql).iterate(...params)) take(row);
      }),
    get: (sql, ...params) => guarded(path, () => prepare(sql).get(...params)),
    close() {
      if (closed) return;
      closed = true;
      driver.close();
      remove();
    },
  };
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Driver.SqliteError)) throw error;
    throw new UnderstoryError("damaged_file", `${path} cannot be read as a database: ${error.message.slice(0, 160)}.`, {
      hint: "What was read before is kept. The file itself is not changed.",
      details: { path, sqlite: error.code },
      cause: error,
    });
  }
}
