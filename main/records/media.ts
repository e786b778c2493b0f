import { existsSync } from "node:fs";
import { z } from "zod";
import type { RecordId } from "#contract";
import { column, type Database, migrate, openDatabase, type SqlRow } from "#native/sqlite.ts";
import type { ArchiveFiles, MediaReader, MediaWriter, PendingThumbnail, Thumbnail } from "./ports.ts";
import { oneOf, recordRows } from "./rows.ts";
import { mediaMigrations } from "./schema.ts";

/** Thumbnails: encrypted, beside the records, and all to be made again from the originals. */

const pictureKindSchema = z.enum(["photo", "video"]);
const mediaCacheMiB = 8;

function thumbnail(row: SqlRow): Thumbnail {
  return {
    recordId: column.number(row, "record_id"),
    mime: column.text(row, "mime"),
    width: column.number(row, "width"),
    height: column.number(row, "height"),
    bytes: column.blob(row, "bytes"),
  };
}

/** Opens media.db for reading only; an archive whose media.db is gone simply has no thumbnails. */
export function openMediaReader(files: ArchiveFiles): MediaReader {
  let db: Database | null = null;
  /** Opened when first needed and there: the writer makes the file again when it is lost. */
  const opened = () => {
    if (!db && existsSync(files.mediaPath)) {
      db = openDatabase({ path: files.mediaPath, key: files.key, readonly: true, cacheMiB: mediaCacheMiB });
    }
    return db;
  };
  return {
    thumbnail: (id) =>
      opened()?.query("SELECT * FROM thumbnail WHERE record_id = ? AND status = 'done'", thumbnail).get(id) ?? null,
    having: (ids) => having(opened(), "thumbnail", ids),
    close() {
      db?.close();
      db = null;
    },
  };
}

function having(db: Database | null, table: string, ids: readonly RecordId[]): Set<RecordId> {
  const found = db?.query(
    `SELECT record_id FROM ${table} WHERE status = 'done' AND record_id IN (SELECT value FROM json_each(?))`,
    (row) => column.number(row, "record_id"),
  );
  return new Set(found?.all(JSON.stringify(ids)));
}

/** The writer's side, on its own connection: media.db is attached there as `media`. */
export interface AttachedMedia extends MediaWriter {
  having(ids: readonly RecordId[]): Set<RecordId>;
  /** Before the records themselves go: should the process die between, a thumbnail is made again, never left over. */
  drop(ids: readonly RecordId[]): void;
}

export function attachMedia(db: Database, files: ArchiveFiles): AttachedMedia {
  const alone = openDatabase({ path: files.mediaPath, key: files.key, create: true, cacheMiB: mediaCacheMiB });
  try {
    migrate(alone, mediaMigrations);
  } finally {
    alone.close();
  }
  db.attach(files.mediaPath, "media", files.key);

  const rows = recordRows(db);
  const put = db.command(
    `INSERT INTO media.thumbnail (record_id, status, attempts, mime, width, height, bytes)
     SELECT id, 'done', 1, ?, ?, ?, ? FROM record WHERE id = ?
     ON CONFLICT DO UPDATE SET status = 'done', attempts = attempts + 1, reason = NULL, mime = excluded.mime,
       width = excluded.width, height = excluded.height, bytes = excluded.bytes`,
  );
  const fail = db.command(
    `INSERT INTO media.thumbnail (record_id, status, attempts, reason) SELECT id, 'failed', 1, ? FROM record WHERE id = ?
     ON CONFLICT DO UPDATE SET status = 'failed', attempts = attempts + 1, reason = excluded.reason
     WHERE status <> 'done'`,
  );
  const retry = db.command("UPDATE media.thumbnail SET status = 'retry' WHERE status = 'failed' AND attempts < ?");
  const drop = db.command("DELETE FROM media.thumbnail WHERE record_id IN (SELECT value FROM json_each(?))");
  const waits = `r.kind IN ('photo', 'video') AND r.trashed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM media.thumbnail t WHERE t.record_id = r.id AND t.status <> 'retry')`;
  const idOf = (row: SqlRow) => column.number(row, "id");
  const waiting = db.query(`SELECT r.id FROM record r WHERE ${waits} ORDER BY r.id`, idOf);
  const lastSeq = db.query("SELECT coalesce(max(seq), 0) AS id FROM change", idOf);
  const changedSince = db.query(
    `SELECT DISTINCT r.id FROM change c JOIN record r ON r.id = c.record_id WHERE c.seq > ? AND ${waits} ORDER BY r.id`,
    idOf,
  );
  const pending = db.query(
    `SELECT r.id, r.kind, r.props ->> '$.mime' AS mime FROM record r WHERE r.id = ? AND ${waits}`,
    (row): Omit<PendingThumbnail, "originals"> => ({
      recordId: column.number(row, "id"),
      kind: oneOf(row, "kind", pictureKindSchema),
      mime: column.textOrNull(row, "mime"),
    }),
  );
  /** Ids that waited when they were looked for, next one last: looking through all pictures for every few would be quadratic. */
  let queue: { ids: RecordId[]; seq: number } | null = null;

  function pendingThumbnails(limit: number): PendingThumbnail[] {
    const seq = lastSeq.get() ?? 0;
    if (!queue) queue = { ids: waiting.all(), seq };
    else if (seq > queue.seq) queue = { ids: [...queue.ids, ...changedSince.all(queue.seq)], seq };
    const taken: PendingThumbnail[] = [];
    while (taken.length < limit) {
      const id = queue.ids.pop();
      if (id === undefined) break;
      const one = taken.every((other) => other.recordId !== id) && pending.get(id);
      if (one) taken.push({ ...one, originals: rows.originals(id).filter(({ location }) => location.role === null) });
    }
    queue.ids.push(...taken.map((one) => one.recordId).reverse());
    return taken;
  }

  return {
    putThumbnail: ({ recordId, mime, width, height, bytes }) => void put.run(mime, width, height, bytes, recordId),
    failThumbnail: (id, reason) => void fail.run(reason, id),
    pendingThumbnails,
    retryFailed(attempts) {
      queue = null;
      return retry.run(attempts).changes;
    },
    having: (ids) => having(db, "media.thumbnail", ids),
    drop: (ids) => void drop.run(JSON.stringify(ids)),
  };
}
