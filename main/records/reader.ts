import type { RecordId } from "#contract";
import { type Database, openDatabase, schemaVersion } from "#native/sqlite.ts";
import { openMediaReader } from "./media.ts";
import { type ArchiveFiles, type RecordReader, readerBrand } from "./ports.ts";
import { relationReader } from "./relations.ts";
import { logReader } from "./runs.ts";
import { recordsMigrations } from "./schema.ts";
import { timelineReader } from "./timeline.ts";

/** Opens records.db for reading only, beside its writer. Errors: those of `openDatabase`, and `archive_newer`. */
export function openRecordReader(files: ArchiveFiles): RecordReader {
  const db = openDatabase({ path: files.recordsPath, key: files.key, readonly: true });
  try {
    schemaVersion(db, recordsMigrations.length);
    const media = openMediaReader(files);
    return recordReader(db, media.having, () => {
      media.close();
      db.close();
    });
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The reader over an open connection. */
export function recordReader(
  db: Database,
  having: (ids: readonly RecordId[]) => Set<RecordId>,
  close: () => void,
): RecordReader {
  const timeline = timelineReader(db, having);
  return {
    [readerBrand]: true,
    ...timeline,
    ...relationReader(db, timeline.summaries),
    ...logReader(db),
    close,
  };
}
