import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import Driver from "better-sqlite3-multiple-ciphers";
import * as sqliteVec from "sqlite-vec";
import { UnderstoryError } from "#contract";

/**
 * Encrypted SQLite. The only place that imports the driver; everything above sees `Database` and typed errors.
 *
 * Cipher: a random nonce and a tag a page (SQLite3 Multiple Ciphers), so a changed byte is an error and not a wrong answer.
 * The key is raw (32 random bytes), so opening needs no key derivation.
 */

/**
 * AEGIS-256 (draft-irtf-cfrg-aegis-aead) runs on the AES instructions that processors have, in a tenth of the time that
 * ChaCha20 with Poly1305 (scheme "sqleet") takes, which was a seventh of an import. Who opens a file has to know: under the
 * wrong one a write-ahead log that a crash left looks empty, and would be overwritten.
 */
const ciphers = {
  aegis: ["cipher = 'aegis'", "algorithm = 'aegis-256'"],
  chacha20: ["cipher = 'chacha20'"],
} as const;
export type Cipher = keyof typeof ciphers;

/** What SQLite can hold. Integers beyond 2^53 are not used by Understory. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;
/** Turns a row into a value; made of the column readers below. */
export type Decoder<T> = (row: SqlRow) => T;

export interface Query<T> {
  /** The first row, or undefined. */
  get(...params: SqlValue[]): T | undefined;
  all(...params: SqlValue[]): T[];
  /** Row by row; the connection can run nothing else meanwhile. */
  iterate(...params: SqlValue[]): IterableIterator<T>;
}

export interface Command {
  run(...params: SqlValue[]): { changes: number; lastId: number };
}

export interface Database {
  readonly path: string;
  /** A prepared statement that gives rows; prepared once for each text. */
  query<T>(sql: string, decode: Decoder<T>): Query<T>;
  /** A prepared statement that gives none. */
  command(sql: string): Command;
  exec(sql: string): void;
  /** Runs `work` in BEGIN IMMEDIATE … COMMIT; rolls back when it throws. Not nested. */
  transaction<T>(work: () => T): T;
  /** Runs reading `work` over one state of the file: what is committed meanwhile is not seen. Within another `still` it is a part of that. */
  still<T>(work: () => T): T;
  /** Stands for the state that `still` reads; null outside of it. */
  readonly state: object | null;
  /** A pragma that gives one number (`user_version`, `data_version`, …). */
  pragmaNumber(name: string): number;
  /** Attaches a second database, encrypted with the same cipher, as `schema.`. */
  attach(path: string, schema: string, key: Uint8Array): void;
  /** Moves the write-ahead log into the file and cuts it to nothing. False when a reader is in the way. */
  truncateLog(): boolean;
  /** Every page as it is after decryption, free pages too. For residue checks. */
  pages(schema?: string): Uint8Array;
  /** SQLite's own check of structure, first problem or null. */
  integrity(): string | null;
  close(): void;
}

export interface OpenOptions {
  readonly path: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly readonly?: boolean;
  /** What the file is, or is to be, encrypted with. */
  readonly cipher: Cipher;
  /** Make the file when it is not there; refused with `no_archive` otherwise. */
  readonly create?: boolean;
  /** Load sqlite-vec. */
  readonly vectors?: boolean;
  /** Page cache, MiB. Pages in it are already decrypted. */
  readonly cacheMiB?: number;
  /** Pages (4 KiB) that the file may grow to; beyond it every write is refused with `disk_full`. */
  readonly maxPages?: number;
}

/** `busy_timeout` in ms: the longest commit of the one writer is far below it. */
const busyTimeout = 10_000;
const defaultCacheMiB = 64;
/** Pages of the write-ahead log (4 KiB each) before it is moved into the file: long enough that a page of an index which many commits touch is moved once. */
const logPages = 8_000;

/** Opens one file. Errors: `no_archive`, `archive_damaged` (also for a wrong key), `not_writable`, `disk_full`, `archive_in_use`. */
export function openDatabase(options: OpenOptions): Database {
  const {
    path,
    key,
    readonly = false,
    create = false,
    vectors = false,
    cacheMiB = defaultCacheMiB,
    maxPages,
    cipher,
  } = options;
  if (!existsSync(path)) {
    if (readonly || !create) {
      throw new UnderstoryError("no_archive", `There is no file ${basename(path)} in ${dirname(path)}.`, {
        hint: "Check that the archive folder is complete, or restore the file from a backup.",
        details: { path },
      });
    }
    if (!existsSync(dirname(path))) {
      throw new UnderstoryError("not_writable", `The folder ${dirname(path)} is not there.`, { details: { path } });
    }
  }
  return guard(path, () => {
    const driver = new Driver(path, { readonly, fileMustExist: !create, timeout: busyTimeout });
    try {
      for (const pragma of ciphers[cipher]) driver.pragma(pragma);
      driver.pragma(`key = '${rawKey(key)}'`);
      // Sorting and temporary tables stay in memory: spilled to disk they would not be encrypted.
      driver.pragma("temp_store = MEMORY");
      driver.pragma(`cache_size = ${-cacheMiB * 1024}`);
      driver.pragma("foreign_keys = ON");
      driver.pragma("secure_delete = ON");
      driver.prepare("SELECT count(*) FROM sqlite_schema").get();
      if (!readonly) {
        driver.pragma("journal_mode = WAL");
        driver.pragma("synchronous = NORMAL");
        driver.pragma(`wal_autocheckpoint = ${logPages}`);
      }
      if (maxPages !== undefined) driver.pragma(`max_page_count = ${maxPages}`);
      if (vectors) sqliteVec.load(driver);
    } catch (error) {
      driver.close();
      throw error;
    }
    return wrap(driver, path);
  });
}

/**
 * Holds `path` for this process until released; a second holder is refused with `archive_in_use`. The operating
 * system frees it when the process ends in any way, kill -9 too.
 */
export function lockFile(path: string): { release(): void } {
  if (!existsSync(dirname(path))) {
    throw new UnderstoryError("no_archive", `There is no folder ${dirname(path)}.`, { details: { path } });
  }
  return guard(path, () => {
    const driver = new Driver(path, { timeout: 0 });
    try {
      driver.pragma("journal_mode = MEMORY");
      driver.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      driver.close();
      throw error;
    }
    return { release: () => void driver.close() };
  });
}

/**
 * Brings a database to the newest schema: step i leads from version i to i + 1, each in a transaction of its own.
 * A file of a newer version is refused with `archive_newer` before anything is written.
 */
export function migrate(db: Database, steps: readonly string[]): void {
  const found = schemaVersion(db, steps.length);
  for (const [version, sql] of steps.entries()) {
    if (version < found) continue;
    db.transaction(() => db.exec(`${sql}; PRAGMA user_version = ${version + 1}`));
  }
}

/** The version of a database's schema, refused with `archive_newer` when it is above `known`. */
export function schemaVersion(db: Database, known: number): number {
  const found = db.pragmaNumber("user_version");
  if (found <= known) return found;
  throw new UnderstoryError("archive_newer", `${basename(db.path)} was written by a newer Understory.`, {
    hint: "Nothing was changed. Install the newest Understory to open this archive.",
    details: { path: db.path, found, known },
  });
}

function rawKey(key: Uint8Array): string {
  if (key.length !== 32) throw new UnderstoryError("internal", `A key of ${key.length} bytes instead of 32.`);
  return `raw:${Buffer.from(key).toString("hex")}`;
}

function wrap(driver: Driver, path: string): Database {
  const made = (sql: string) => {
    const statement = guard(path, () => driver.prepare(sql));
    // The driver takes ?1, ?2, … by name.
    const numbered = /\?\d/.test(sql);
    const bind = (params: SqlValue[]): (SqlValue | SqlRow)[] =>
      numbered ? [Object.fromEntries(params.map((value, at) => [at + 1, value]))] : params;
    return { statement, bind };
  };
  const cache = new Map<string, ReturnType<typeof made>>();
  const prepare = (sql: string) => {
    const known = cache.get(sql);
    if (known) return known;
    const fresh = made(sql);
    cache.set(sql, fresh);
    return fresh;
  };
  let state: object | null = null;
  return {
    path,
    get state() {
      return state;
    },
    still: (work) =>
      guard(path, () => {
        if (state !== null) return work();
        driver.exec("BEGIN");
        state = {};
        try {
          return work();
        } finally {
          state = null;
          if (driver.inTransaction) driver.exec("COMMIT");
        }
      }),
    query(sql, decode) {
      const { statement, bind } = prepare(sql);
      return {
        get: (...params) =>
          guard(path, () => {
            const row = statement.get(...bind(params));
            return row === undefined ? undefined : decode(row);
          }),
        all: (...params) => guard(path, () => statement.all(...bind(params)).map(decode)),
        *iterate(...params) {
          try {
            for (const row of statement.iterate(...bind(params))) yield decode(row);
          } catch (error) {
            throw translate(error, path);
          }
        },
      };
    },
    command(sql) {
      const { statement, bind } = prepare(sql);
      return {
        run: (...params) =>
          guard(path, () => {
            const result = statement.run(...bind(params));
            return { changes: result.changes, lastId: Number(result.lastInsertRowid) };
          }),
      };
    },
    exec: (sql) => guard(path, () => void driver.exec(sql)),
    transaction: (work) => guard(path, () => driver.transaction(work).immediate()),
    pragmaNumber: (name) => guard(path, () => Number(driver.pragma(name, { simple: true }))),
    attach(file, schema, key) {
      guard(file, () => {
        driver.prepare(`ATTACH ? AS ${schema} KEY ?`).run(file, rawKey(key));
        driver.prepare(`SELECT count(*) FROM ${schema}.sqlite_schema`).get();
        driver.pragma(`${schema}.secure_delete = ON`);
        if (!driver.readonly) {
          driver.pragma(`${schema}.journal_mode = WAL`);
          driver.pragma(`${schema}.synchronous = NORMAL`);
        }
      });
    },
    truncateLog: () => guard(path, () => driver.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0),
    pages: (schema = "main") => guard(path, () => driver.serialize({ attached: schema })),
    integrity() {
      const first = guard(path, () => driver.pragma("integrity_check(1)", { simple: true }));
      return first === "ok" ? null : String(first);
    },
    close: () => void driver.close(),
  };
}

/** What is read of a database once for as long as it stands `still`, and each time otherwise. */
export function perState<T>(read: (db: Database) => T): (db: Database) => T {
  const known = new WeakMap<object, { readonly value: T }>();
  return (db) => {
    const found = db.state === null ? undefined : known.get(db.state);
    if (found !== undefined) return found.value;
    const value = read(db);
    if (db.state !== null) known.set(db.state, { value });
    return value;
  };
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error, path);
  }
}

/** The driver's error as one of ours; what is not from SQLite passes through. */
function translate(error: unknown, path: string): unknown {
  if (!(error instanceof Driver.SqliteError)) return error;
  const file = basename(path);
  const options = (hint: string) => ({ hint, details: { path, sqlite: error.code }, cause: error });
  if (/^SQLITE_(NOTADB|CORRUPT|FORMAT|IOERR_(SHORT_READ|DATA|READ|CORRUPTFS))/.test(error.code)) {
    return new UnderstoryError(
      "archive_damaged",
      `${file} cannot be read: it is damaged, or the key does not fit.`,
      options("Nothing was overwritten. Restore this file from a backup; your originals are not affected."),
    );
  }
  if (/^SQLITE_(FULL|IOERR_(WRITE|FSYNC|TRUNCATE|SHMSIZE|DIR_FSYNC))/.test(error.code)) {
    return new UnderstoryError(
      "disk_full",
      `${file} cannot grow: the disk is full or refuses to be written.`,
      options("What was committed before is kept. Make room on this disk and start the work again."),
    );
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) {
    return new UnderstoryError(
      "archive_in_use",
      `${file} is in use by another program.`,
      options("Nothing was changed. Close the other Understory window and try again."),
    );
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH|IOERR)/.test(error.code)) {
    return new UnderstoryError(
      "not_writable",
      `${file} cannot be opened for writing in ${dirname(path)}.`,
      options("Nothing was changed. Check that the folder is there and that you may write to it."),
    );
  }
  return error;
}

function mismatch(row: SqlRow, column: string, expected: string): UnderstoryError {
  return new UnderstoryError("archive_damaged", `Column ${column} is not ${expected}.`, {
    hint: "Nothing was overwritten. Restore the archive from a backup.",
    details: { column, found: row[column] === null ? "null" : typeof row[column] },
  });
}

/** Column readers: the type of each value is checked when it is read, at the price of one comparison. */
export const column = {
  number(row: SqlRow, name: string): number {
    const value = row[name];
    if (typeof value !== "number") throw mismatch(row, name, "a number");
    return value;
  },
  numberOrNull: (row: SqlRow, name: string): number | null => (row[name] === null ? null : column.number(row, name)),
  text(row: SqlRow, name: string): string {
    const value = row[name];
    if (typeof value !== "string") throw mismatch(row, name, "text");
    return value;
  },
  textOrNull: (row: SqlRow, name: string): string | null => (row[name] === null ? null : column.text(row, name)),
  blob(row: SqlRow, name: string): Uint8Array {
    const value = row[name];
    if (!(value instanceof Uint8Array)) throw mismatch(row, name, "bytes");
    return value;
  },
} as const;
