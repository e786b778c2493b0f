import { existsSync, rmSync } from "node:fs";
import { UnderstoryError } from "#contract";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { type Database, openDatabase } from "#native/sqlite.ts";
import { schema, schemaVersion } from "./schema.ts";

/** Pages that the writer keeps, MiB: more of them made imports no faster (8 beside 64 on 30,000 messages). */
const cacheMiB = 8;

type IndexFile = Pick<ArchiveFiles, "indexPath" | "key" | "cipher">;

/** index.db is derived: damaged, of another version or locked with another key, it is thrown away and made anew. */
export function openOrRemake(files: IndexFile): Database {
  const { indexPath: path, key, cipher } = files;
  if (existsSync(path)) {
    const db = openSound(files);
    if (db) return db;
    removeIndex(path);
  }
  const db = openDatabase({ path, key, cipher, create: true, cacheMiB });
  db.transaction(() => db.exec(schema));
  return db;
}

/** Removes index.db with its log. */
export function removeIndex(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${end}`, { force: true });
}

function openSound({ indexPath: path, key, cipher }: IndexFile): Database | null {
  let db: Database | null = null;
  try {
    db = openDatabase({ path, key, cipher, cacheMiB });
    if (db.pragmaNumber("user_version") !== schemaVersion) throw new UnderstoryError("archive_damaged", "Old index.");
    db.query("SELECT seq FROM cursor", (row) => row.seq).get();
    db.query("SELECT count(*) FROM (SELECT 1 FROM item LIMIT 1)", () => 0).get();
    db.query("SELECT rowid FROM text WHERE text MATCH 'a' LIMIT 1", () => 0).get();
    return db;
  } catch (error) {
    db?.close();
    if (isDamage(error)) return null;
    throw error;
  }
}

/** True for faults that a rebuild mends; a full disk or a file in use is none of them. */
export function isDamage(error: unknown): boolean {
  if (error instanceof UnderstoryError) return error.code === "archive_damaged";
  return error instanceof Error && /no such (?:table|column)|malformed|corrupt/i.test(error.message);
}
