import { deflateRawSync, inflateRawSync } from "node:zlib";
import { importedRecordSchema, type RecordId, UnderstoryError } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { type Content, merge } from "./merge.ts";

/**
 * What each source said about a record, by the hash of it, for records about which sources differ: so that what one of
 * them says can be replaced or taken back, and what the others say is left.
 */

const contentSchema = importedRecordSchema.omit({ identity: true, files: true });
/** A file sent with thousands of messages is told about by each of them: beyond so many, later ones are only merged. */
const mostKept = 200;

/** All methods run inside a transaction of the writer. */
export function statementWriter(db: Database) {
  const count = db.query("SELECT count(*) AS n FROM statement WHERE record_id = ?", (row) => column.number(row, "n"));
  const one = db.query("SELECT content FROM statement WHERE record_id = ? AND content_hash = ?", decoded);
  const all = db.query("SELECT content FROM statement WHERE record_id = ? ORDER BY content_hash", decoded);
  const insert = db.command("INSERT OR REPLACE INTO statement (record_id, content_hash, content) VALUES (?, ?, ?)");
  const prune = db.command(
    `DELETE FROM statement WHERE record_id = ?1
     AND content_hash NOT IN (SELECT content_hash FROM record_source WHERE record_id = ?1)`,
  );

  return {
    /** Keeps what was said; `before` is what the record says so far, kept with its own hash when nothing else is. */
    keep(
      record: RecordId,
      hash: Uint8Array,
      said: Content,
      before: { readonly hash: Uint8Array; readonly content: Content },
    ): void {
      const kept = count.get(record) ?? 0;
      if (kept === 0) insert.run(record, before.hash, encoded(before.content));
      if (kept < mostKept) insert.run(record, hash, encoded(said));
    },
    of: (record: RecordId, hash: Uint8Array): Content | null => one.get(record, hash) ?? null,
    /**
     * What the sources that are left say together. Null when that is not known: nobody differs, or more did than were
     * kept, and the record stays as it is.
     */
    left(record: RecordId): Content | null {
      const before = count.get(record) ?? 0;
      if (before === 0 || before >= mostKept) return null;
      prune.run(record);
      const [first, ...more] = all.all(record);
      return first ? more.reduce(merge, first) : null;
    },
  };
}

function encoded(content: Content): Uint8Array {
  return deflateRawSync(JSON.stringify(content), { level: 1 });
}

function decoded(row: SqlRow): Content {
  try {
    return contentSchema.parse(JSON.parse(inflateRawSync(column.blob(row, "content")).toString("utf8")));
  } catch (cause) {
    throw new UnderstoryError("archive_damaged", "What a source said cannot be read.", {
      hint: "Nothing was overwritten. Restore the archive from a backup.",
      details: { column: "content" },
      cause,
    });
  }
}
