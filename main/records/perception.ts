import { z } from "zod";
import {
  type FailedView,
  type ModelPurpose,
  modelPurposeSchema,
  type Perceived,
  pictureTagsSchema,
  pictureTextSchema,
  type RecordId,
  type ViewProgress,
} from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { waitingPictures } from "./backlog.ts";
import type { MediaReader, MediaWriter, PendingPerception, Perception } from "./ports.ts";
import { picturePurposes } from "./ports.ts";
import { json, oneOf, recordRows } from "./rows.ts";

/** What models found in pictures (table `perception` of media.db): derived, and all to be made again from the originals. */

/** A picture that failed this often is given up until a person asks for it again. */
export const perceptionAttempts = 3;

const readingSchema = pictureTextSchema.omit({ model: true });
const tagsSchema = pictureTagsSchema.shape.tags;
const pictureKindSchema = z.enum(["photo", "video"]);
const picturePurposeSchema = z.enum(picturePurposes);

/** Bytes of the picture where they name the record, else what its source said of it. */
const originalOf = "iif(r.identity GLOB r.kind || ':*', r.identity, lower(hex(r.content_hash)))";

const encode = (vector: Float32Array): Uint8Array => new Uint8Array(new Float16Array(vector).buffer);
const decode = (bytes: Uint8Array): Float32Array => Float32Array.from(new Float16Array(Uint8Array.from(bytes).buffer));

type PerceptionReader = Pick<MediaReader, "perceived" | "legible" | "picturesRead" | "pictureVectors" | "failedViews">;

/** Reads from media.db, opened by itself or attached; `opened` gives null while there is no such file. */
export function perceptionReader(opened: () => Database | null): PerceptionReader {
  const found = (row: SqlRow) => ({
    recordId: column.number(row, "record_id"),
    purpose: oneOf(row, "purpose", picturePurposeSchema),
    model: column.text(row, "model"),
    row,
  });
  return {
    perceived(ids) {
      const result = new Map<RecordId, Perceived>();
      const rows = opened()?.query(
        `SELECT record_id, purpose, model, value FROM perception
         WHERE record_id IN (SELECT value FROM json_each(?)) AND purpose IN ('ocr', 'image-tags') AND status = 'done'
         ORDER BY seq`,
        found,
      );
      for (const { recordId, purpose, model, row } of rows?.iterate(JSON.stringify(ids)) ?? []) {
        const known = result.get(recordId) ?? { ocr: null, tags: null };
        if (purpose === "ocr") known.ocr = { model, ...json(row, "value", readingSchema) };
        else known.tags = { model, tags: json(row, "value", tagsSchema) };
        result.set(recordId, known);
      }
      return result;
    },
    legible: (ids) =>
      new Set(
        opened()
          ?.query(
            `SELECT record_id FROM perception WHERE record_id IN (SELECT value FROM json_each(?)) AND purpose = 'ocr'
             AND status = 'done' AND json_extract(value, '$.text') <> ''`,
            (row) => column.number(row, "record_id"),
          )
          .all(JSON.stringify(ids)),
      ),
    picturesRead: () =>
      opened()
        ?.query("SELECT 1 FROM perception WHERE purpose = 'ocr' AND status = 'done' LIMIT 1", () => true)
        .get() ?? false,
    pictureVectors: (id) =>
      opened()
        ?.query(
          `SELECT model, vector FROM perception
           WHERE record_id = ? AND purpose = 'image-text-embedding' AND status = 'done' ORDER BY model`,
          (row) => ({ model: column.text(row, "model"), vector: decode(column.blob(row, "vector")) }),
        )
        .all(id) ?? [],
    failedViews({ purpose, offset, limit }) {
      const where = purpose === undefined ? "status = 'failed'" : "status = 'failed' AND purpose = ?";
      const given = purpose === undefined ? [] : [purpose];
      const db = opened();
      const total = db?.query(`SELECT count(*) AS n FROM perception WHERE ${where}`, (row) => column.number(row, "n"));
      const rows = db?.query(
        `SELECT * FROM perception WHERE ${where} ORDER BY record_id DESC, purpose LIMIT ? OFFSET ?`,
        (row): FailedView => ({
          recordId: column.number(row, "record_id"),
          purpose: oneOf(row, "purpose", modelPurposeSchema),
          model: column.text(row, "model"),
          reason: column.textOrNull(row, "reason") ?? "",
          attempts: column.number(row, "attempts"),
        }),
      );
      return { rows: rows?.all(...given, limit, offset) ?? [], total: total?.get(...given) ?? 0 };
    },
  };
}

type PerceptionWriter = Pick<
  MediaWriter,
  | "putPerception"
  | "failPerception"
  | "pendingPerceptions"
  | "perceptionProgress"
  | "retireVectors"
  | "retryPerceptions"
> & { drop(ids: readonly RecordId[]): void };

/** The writer's side: media.db is attached to records.db as `media`. */
export function perceptionWriter(db: Database): PerceptionWriter {
  const rows = recordRows(db);
  const current = db.query(`SELECT ${originalOf} AS original, r.trashed_at FROM record r WHERE r.id = ?`, (row) => ({
    original: column.text(row, "original"),
    trashed: row.trashed_at !== null,
  }));
  const addChange = db.command("INSERT INTO change (record_id, op) VALUES (?, 'put')");
  const put = db.command(
    `INSERT INTO media.perception (record_id, purpose, model, original, status, attempts, seq, value, vector)
     VALUES (?, ?, ?, ?, 'done', 1, ?, ?, ?)
     ON CONFLICT DO UPDATE SET original = excluded.original, status = 'done', attempts = attempts + 1,
       seq = excluded.seq, reason = NULL, value = excluded.value, vector = excluded.vector`,
  );
  const dropOthers = db.command("DELETE FROM media.perception WHERE record_id = ? AND purpose = ? AND model <> ?");
  const fail = db.command(
    `INSERT INTO media.perception (record_id, purpose, model, original, status, attempts, seq, reason)
     VALUES (?1, ?2, ?3, ?4, ?5, 1, 0, ?6)
     ON CONFLICT DO UPDATE SET attempts = iif(original = ?4, attempts + 1, 1), original = ?4, reason = ?6, seq = 0,
       value = NULL, vector = NULL, status = iif(?5 = 'failed' OR (original = ?4 AND attempts + 1 >= ?7), 'failed', 'retry')`,
  );
  const drop = db.command("DELETE FROM media.perception WHERE record_id IN (SELECT value FROM json_each(?))");
  const retire = db.command("DELETE FROM media.perception WHERE purpose = ? AND model <> ?");
  const retry = db.command(
    "UPDATE media.perception SET status = 'retry', attempts = 0 WHERE status = 'failed' AND (?1 IS NULL OR purpose = ?1)",
  );
  const lastSeq = db.query("SELECT coalesce(max(seq), 0) AS seq FROM change", (row) => column.number(row, "seq"));

  /** Models (`json_each`: purpose, model) for which a picture has no row of its present bytes that is done or given up. */
  const missing = (list: string) => `FROM json_each(${list}) w WHERE NOT EXISTS (
    SELECT 1 FROM media.perception p WHERE p.record_id = r.id AND p.purpose = w.value ->> 'purpose'
      AND p.model = w.value ->> 'model' AND p.original = ${originalOf} AND p.status <> 'retry')`;
  const backlog = waitingPictures(db, `EXISTS (SELECT 1 ${missing("?1")})`);
  const missingOf = db.query(
    `SELECT r.kind, ${originalOf} AS original, w.value ->> 'purpose' AS purpose FROM record r, json_each(?1) w
     WHERE r.id = ?2 AND (w.value ->> 'purpose') IN (SELECT w.value ->> 'purpose' ${missing("?1")})`,
    (row) => ({
      kind: oneOf(row, "kind", pictureKindSchema),
      original: column.text(row, "original"),
      purpose: oneOf(row, "purpose", picturePurposeSchema),
    }),
  );
  const pictures = db.query(
    "SELECT count(*) AS n FROM record WHERE kind IN ('photo', 'video') AND trashed_at IS NULL",
    (row) => column.number(row, "n"),
  );
  const byStatus = db.query(
    `SELECT p.status, count(*) AS n FROM media.perception p CROSS JOIN record r ON r.id = p.record_id
     WHERE p.purpose = ? AND p.model = ? AND r.trashed_at IS NULL AND p.original = ${originalOf} GROUP BY p.status`,
    (row) => ({ status: column.text(row, "status"), count: column.number(row, "n") }),
  );

  // A crash between the two files' commits leaves rows that the change log does not tell of.
  const untold = db.query("SELECT DISTINCT record_id AS id FROM media.perception WHERE seq > ?", (row) =>
    column.number(row, "id"),
  );
  db.transaction(() => {
    for (const id of untold.all(lastSeq.get() ?? 0)) addChange.run(id);
    db.command("UPDATE media.perception SET seq = ?1 WHERE seq > ?1").run(lastSeq.get() ?? 0);
  });

  return {
    putPerception: ({ recordId, original, perception }) =>
      db.transaction(() => {
        const now = current.get(recordId);
        if (now?.original !== original) return;
        const { purpose, model } = perception;
        // A record in the trash is in no index; its restoring brings in what was found meanwhile.
        const seq = now.trashed ? 0 : addChange.run(recordId).lastId;
        const { value, vector } = columnsOf(perception);
        put.run(recordId, purpose, model, original, seq, value, vector);
        if (purpose !== "image-text-embedding") dropOthers.run(recordId, purpose, model);
      }),
    failPerception: ({ recordId, original, purpose, model, reason, final }) => {
      if (current.get(recordId)?.original !== original) return;
      fail.run(
        recordId,
        purpose,
        model,
        original,
        final ? "failed" : "retry",
        reason.slice(0, 500),
        perceptionAttempts,
      );
    },
    pendingPerceptions(models, limit) {
      const list = JSON.stringify(models);
      return backlog.next(limit, list).flatMap((recordId): PendingPerception[] => {
        const lacking = missingOf.all(list, recordId);
        const [first] = lacking;
        if (!first) return [];
        const originals = rows.originals(recordId).filter(({ location }) => location.role === null);
        const { kind, original } = first;
        return [{ recordId, kind, original, originals, missing: lacking.map(({ purpose }) => purpose) }];
      });
    },
    perceptionProgress: (models) =>
      models.map(({ purpose, model }): ViewProgress => {
        const counts = new Map(byStatus.all(purpose, model).map(({ status, count }) => [status, count]));
        const [done, failed] = [counts.get("done") ?? 0, counts.get("failed") ?? 0];
        return { purpose, model, done, failed, pending: Math.max(0, (pictures.get() ?? 0) - done - failed) };
      }),
    retireVectors: (purpose, keep) => void retire.run(purpose, keep),
    retryPerceptions(purpose: ModelPurpose | null) {
      backlog.forget();
      return retry.run(purpose).changes;
    },
    drop: (ids) => void drop.run(JSON.stringify(ids)),
  };
}

function columnsOf(perception: Perception): { value: string | null; vector: Uint8Array | null } {
  switch (perception.purpose) {
    case "ocr":
      return { value: JSON.stringify(perception.reading), vector: null };
    case "image-tags":
      return { value: JSON.stringify(perception.tags), vector: encode(perception.features) };
    case "image-text-embedding":
      return { value: null, vector: encode(perception.vector) };
  }
}
