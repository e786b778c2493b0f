import { existsSync } from "node:fs";
import { z } from "zod";
import type { RecordId } from "#contract";
import { column, type Database, migrate, openDatabase, type SqlRow } from "#native/sqlite.ts";
import { alikeReader, alikeWriter } from "./alike.ts";
import { waitingPictures } from "./backlog.ts";
import { perceptionReader, perceptionWriter } from "./perception.ts";
import type { ArchiveFiles, MediaReader, MediaWriter, PendingThumbnail, Thumbnail } from "./ports.ts";
import { oneOf, recordRows } from "./rows.ts";
import { mediaMigrations } from "./schema.ts";

/** Thumbnails, and what models found in pictures: encrypted, beside the records, all to be made again from the originals. */

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
      const { mediaPath: path, key, cipher } = files;
      db = openDatabase({ path, key, cipher, readonly: true, cacheMiB: mediaCacheMiB });
    }
    return db;
  };
  return {
    thumbnail: (id) =>
      opened()?.query("SELECT * FROM thumbnail WHERE record_id = ? AND status = 'done'", thumbnail).get(id) ?? null,
    having: (ids) => having(opened(), "thumbnail", ids),
    ...alikeReader(opened),
    ...perceptionReader(opened),
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
  perceived: MediaReader["perceived"];
  legible: MediaReader["legible"];
  picturesRead: MediaReader["picturesRead"];
  lookalikes: MediaReader["lookalikes"];
  /** Before the records themselves go: should the process die between, a thumbnail is made again, never left over. */
  drop(ids: readonly RecordId[]): void;
}

export function attachMedia(db: Database, files: ArchiveFiles): AttachedMedia {
  const { mediaPath: path, key, cipher } = files;
  const alone = openDatabase({ path, key, cipher, create: true, cacheMiB: mediaCacheMiB });
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
  const backlog = waitingPictures(
    db,
    `NOT EXISTS (SELECT 1 FROM media.thumbnail t WHERE t.record_id = r.id AND t.status <> 'retry' AND ?1 = ''
       AND (t.status = 'failed' OR r.kind <> 'photo'
         OR EXISTS (SELECT 1 FROM media.picture_hash h WHERE h.record_id = r.id)))`,
  );
  const facts = db.query("SELECT kind, props ->> '$.mime' AS mime FROM record WHERE id = ?", (row) => ({
    kind: oneOf(row, "kind", pictureKindSchema),
    mime: column.textOrNull(row, "mime"),
  }));
  const kept = db.query("SELECT * FROM media.thumbnail WHERE record_id = ? AND status = 'done'", thumbnail);
  const perception = perceptionWriter(db);
  const alike = alikeWriter(db);

  const pendingThumbnails = (limit: number): PendingThumbnail[] =>
    backlog.next(limit).flatMap((recordId) => {
      const found = facts.get(recordId);
      const originals = rows.originals(recordId).filter(({ location }) => location.role === null);
      return found ? [{ recordId, ...found, originals, kept: kept.get(recordId) ?? null }] : [];
    });

  return {
    putThumbnail: ({ recordId, mime, width, height, bytes, hash = 0n }) =>
      db.transaction(() => {
        put.run(mime, width, height, bytes, recordId);
        alike.put(recordId, hash);
      }),
    failThumbnail: (id, reason) =>
      db.transaction(() => {
        fail.run(reason, id);
        // What was kept cannot be read: it would be asked for again and again.
        alike.put(id, 0n);
      }),
    pendingThumbnails,
    retryFailed(attempts) {
      backlog.forget();
      return retry.run(attempts).changes;
    },
    having: (ids) => having(db, "media.thumbnail", ids),
    ...perceptionReader(() => db),
    lookalikes: alikeReader(() => db).lookalikes,
    ...perception,
    drop(ids) {
      drop.run(JSON.stringify(ids));
      alike.drop(ids);
      perception.drop(ids);
    },
  };
}
