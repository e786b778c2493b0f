import type { FailedView } from "#contract";
import type { ArchiveFiles, RecordReader } from "#main/records/ports.ts";
import { column, type Database } from "#native/sqlite.ts";
import { deepen, type PictureVectors, put, remove } from "./entries.ts";
import { isDamage, openOrRemake, removeIndex } from "./open.ts";
import type { IndexWriter } from "./ports.ts";
import { indexStatus } from "./reader.ts";
import { tables } from "./schema.ts";
import { fail, pending, pendingLabels, putAll, putLabels, serve, waiting } from "./spaces.ts";

/** What the writer needs of the store. */
export type RecordSource = Pick<RecordReader, "getMany" | "changesSince" | "lastSeq">;

const deepenedAtATime = 100;

/** Opens index.db for writing, made anew when it is missing, damaged or of another version. One a process. */
export function openIndexWriter(
  files: Pick<ArchiveFiles, "indexPath" | "key">,
  records: RecordSource,
  pictures: PictureVectors = () => [],
): IndexWriter {
  let db = openOrRemake(files.indexPath, files.key);

  /** Damage found while working is mended like damage found while opening: from the beginning, once. */
  function mended<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      db.close();
      removeIndex(files.indexPath);
      db = openOrRemake(files.indexPath, files.key);
      return work();
    }
  }

  return {
    advance: (limit, { textOnly = false } = {}) =>
      mended(() => {
        const left = advance(db, records, pictures, limit);
        return textOnly || left > 0 ? left : deepenSome(db, records, limit);
      }),
    pendingEmbeddings: (modelId, limit) =>
      mended(() => {
        // A model that asks before the deeper facts are due gets them made, newest records first.
        while (!waiting(db) && deepenSome(db, records, deepenedAtATime) > 0);
        return pending(db, modelId, limit);
      }),
    putEmbeddings: (modelId, rows) => mended(() => db.transaction(() => putAll(db, modelId, rows))),
    failEmbedding: (modelId, chunkId, reason) => mended(() => db.transaction(() => fail(db, modelId, chunkId, reason))),
    pendingLabels: (modelId, limit) => mended(() => pendingLabels(db, modelId, limit)),
    putLabels: (modelId, rows) => mended(() => db.transaction(() => putLabels(db, modelId, rows))),
    servePictures: (modelId) => mended(() => db.transaction(() => serve(db, "picture", modelId))),
    failedEmbeddings: (offset, limit) => mended(() => failedEmbeddings(db, offset, limit)),
    retryEmbeddings: () =>
      mended(() => db.command("UPDATE chunk SET state = 0, attempts = 0, reason = NULL WHERE state = 2").run().changes),
    status: (modelId) => mended(() => indexStatus(db, records.lastSeq(), modelId)),
    rebuild: () =>
      mended(() =>
        db.transaction(() => {
          for (const table of tables) db.exec(`DELETE FROM ${table}`);
          db.exec("UPDATE cursor SET seq = 0, failed = 0, model = NULL");
        }),
      ),
    close: () => db.close(),
  };
}

/** Works out deeper facts of up to `limit` records, newest first; gives how many are left. */
function deepenSome(db: Database, records: RecordSource, limit: number): number {
  const shallow = db.query("SELECT record_id FROM shallow ORDER BY record_id DESC LIMIT ?", (row) =>
    column.number(row, "record_id"),
  );
  const ids = shallow.all(limit);
  if (ids.length === 0) return 0;
  const found = new Map(records.getMany(ids).map((record) => [record.id, record]));
  db.transaction(() => {
    let failed = 0;
    for (const id of ids) {
      const record = found.get(id);
      try {
        // One that has gone meanwhile is taken out when its change comes.
        if (record === undefined) db.command("DELETE FROM shallow WHERE record_id = ?").run(id);
        else deepen(db, record);
      } catch (error) {
        if (isDamage(error)) throw error;
        remove(db, id);
        failed++;
      }
    }
    if (failed > 0) db.command("UPDATE cursor SET failed = failed + ?").run(failed);
  });
  return db.query("SELECT count(*) AS n FROM shallow", (row) => column.number(row, "n")).get() ?? 0;
}

function advance(db: Database, records: RecordSource, pictures: PictureVectors, limit: number): number {
  const last = records.lastSeq();
  const { seq } = cursorOf(db);
  // A store that is behind its index was restored from a backup: what the index knows may be of the future.
  const from = seq > last ? 0 : seq;
  const changes = records.changesSince(from, limit);
  if (changes.length === 0 && seq <= last) return 0;
  db.transaction(() => {
    if (seq > last) for (const table of tables) db.exec(`DELETE FROM ${table}`);
    let failed = 0;
    // The record as it is now counts; how it came there does not, so each is looked at once a batch.
    const ids = [...new Set(changes.map(({ recordId }) => recordId))];
    const found = new Map(records.getMany(ids).map((record) => [record.id, record]));
    for (const id of ids) {
      const record = found.get(id);
      try {
        if (record === undefined || record.trashedAt !== null) remove(db, id);
        else put(db, record, pictures);
      } catch (error) {
        if (isDamage(error)) throw error;
        remove(db, id);
        failed++;
      }
    }
    const reached = changes.at(-1)?.seq ?? last;
    db.command("UPDATE cursor SET seq = ?, failed = failed + ?").run(reached, failed);
  });
  return Math.max(0, last - cursorOf(db).seq);
}

function cursorOf(db: Database): { seq: number } {
  const row = db.query("SELECT seq FROM cursor", (one) => ({ seq: column.number(one, "seq") })).get();
  return row ?? { seq: 0 };
}

function failedEmbeddings(db: Database, offset: number, limit: number) {
  const model = db.query("SELECT model FROM cursor", (row) => column.textOrNull(row, "model")).get() ?? "";
  const rows = db
    .query(
      "SELECT record_id, reason, attempts FROM chunk WHERE state = 2 ORDER BY record_id DESC, id LIMIT ? OFFSET ?",
      (row): FailedView => ({
        recordId: column.number(row, "record_id"),
        purpose: "text-embedding",
        model,
        reason: column.textOrNull(row, "reason") ?? "",
        attempts: column.number(row, "attempts"),
      }),
    )
    .all(limit, offset);
  const total = db.query("SELECT count(*) AS n FROM chunk WHERE state = 2", (row) => column.number(row, "n"));
  return { rows, total: total.get() ?? 0 };
}
