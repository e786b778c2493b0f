import type { StoredRecord } from "#contract";
import { type Database, type OpenOptions, openDatabase, schemaVersion } from "#native/sqlite.ts";
import { feedbackReader } from "./feedback.ts";
import { openMediaReader } from "./media.ts";
import { peopleReader } from "./people-reader.ts";
import { type ArchiveFiles, type MediaReader, type RecordReader, readerBrand } from "./ports.ts";
import { relationReader } from "./relations.ts";
import { logReader } from "./runs.ts";
import { recordsMigrations } from "./schema.ts";
import { timelineReader } from "./timeline.ts";

export interface ReaderOptions extends Pick<OpenOptions, "cacheMiB"> {
  /** Give the ids of what records answer and are part of, which costs a look into an index each; true when absent. */
  readonly linked?: boolean;
}

/** Opens records.db for reading only, beside its writer. Errors: those of `openDatabase`, and `archive_newer`. */
export function openRecordReader(files: ArchiveFiles, options: ReaderOptions = {}): RecordReader {
  const { linked, ...pages } = options;
  const db = openDatabase({
    ...pages,
    path: files.recordsPath,
    key: files.key,
    cipher: files.cipher,
    readonly: true,
  });
  try {
    schemaVersion(db, recordsMigrations.length);
    const media = openMediaReader(files);
    const close = () => {
      media.close();
      db.close();
    };
    return recordReader(db, media, close, linked);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The reader over an open connection. */
export function recordReader(
  db: Database,
  media: Pick<MediaReader, "having" | "perceived" | "legible" | "picturesRead" | "lookalikes">,
  close: () => void,
  linked = true,
): RecordReader {
  const timeline = timelineReader(db, media.having);
  const relations = relationReader(db, timeline.summaries, media.lookalikes, linked);

  /** What models found stands in a file of its own; whoever reads a record gets it with the record. */
  function withPerceived<T extends StoredRecord>(records: T[]): T[] {
    const pictures = records.filter(({ kind }) => kind === "photo" || kind === "video").map(({ id }) => id);
    if (pictures.length === 0) return records;
    const found = media.perceived(pictures);
    return records.map((record) => {
      const perceived = found.get(record.id);
      return perceived ? { ...record, perceived } : record;
    });
  }

  return {
    [readerBrand]: true,
    ...timeline,
    ...relations,
    ...peopleReader(db),
    get: (id) => withPerceived(relations.getMany([id]))[0] ?? null,
    getMany: (ids) => withPerceived(relations.getMany(ids)),
    contents: (ids) => withPerceived(relations.contents(ids)),
    detail(id) {
      const detail = relations.detail(id);
      return { ...detail, record: withPerceived([detail.record])[0] ?? detail.record };
    },
    legible: media.legible,
    picturesRead: media.picturesRead,
    feedback: feedbackReader(db),
    ...logReader(db),
    still: (work) => db.still(work),
    close,
  };
}
