import { z } from "zod";
import { jobSchema } from "#contract";
import { migrate, type OpenOptions, openDatabase } from "#native/sqlite.ts";
import { contentDigest } from "./digest.ts";
import { attachMedia } from "./media.ts";
import type { ArchiveFiles, MediaWriter, RecordWriter, SavedJob } from "./ports.ts";
import { recordReader } from "./reader.ts";
import { json } from "./rows.ts";
import { recordsMigrations } from "./schema.ts";
import { recordWriter } from "./transactions.ts";

/** Pages that the writer keeps, MiB: more of them made imports no faster (8 beside 64 on 30,000 messages). */
const cacheMiB = 8;

/** Everything that writes to records.db and media.db, over one connection. */
export interface Store {
  readonly writer: RecordWriter;
  readonly media: MediaWriter;
  saveJob(saved: SavedJob): void;
  /** Oldest first. */
  loadJobs(): SavedJob[];
  /** SHA-256 (hex) over all live records in identity order: equal digests, equal archives. */
  contentDigest(): string;
  /** SQLite's own check of records.db: the first problem, or null. */
  integrity(): string | null;
  close(): void;
}

/**
 * Opens both files, makes them when absent, brings them to the newest schema, and marks imports that a crash left running
 * as interrupted. Errors: those of `openDatabase`, and `archive_newer`.
 */
export function openStore(files: ArchiveFiles, options: Pick<OpenOptions, "maxPages"> = {}): Store {
  const { recordsPath: path, key, cipher } = files;
  const db = openDatabase({ ...options, path, key, cipher, create: true, cacheMiB });
  try {
    migrate(db, recordsMigrations);
    const media = attachMedia(db, files);
    const close = () => {
      db.truncateLog();
      db.close();
    };
    const writer = recordWriter(
      db,
      media,
      recordReader(db, media, () => {}),
      close,
    );
    const save = db.command("INSERT OR REPLACE INTO job (id, job, payload, saved_at) VALUES (?, ?, ?, ?)");
    const load = db.query("SELECT job, payload FROM job ORDER BY job ->> '$.createdAt', id", (row) => ({
      job: json(row, "job", jobSchema),
      payload: json(row, "payload", z.unknown()),
    }));
    return {
      writer,
      media,
      saveJob: ({ job, payload }) =>
        void save.run(job.id, JSON.stringify(job), JSON.stringify(payload ?? null), Date.now()),
      loadJobs: () => load.all(),
      contentDigest: () => contentDigest(db),
      integrity: () => db.integrity(),
      close,
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
