import type { FailedView, RecordId, StoredRecord } from "#contract";
import type { ArchiveFiles, RecordReader } from "#main/records/ports.ts";
import { column, type Database } from "#native/sqlite.ts";
import { renewContexts } from "./contexts.ts";
import { ensureEncoder, fail, pending, putAll, setEncoders, waiting } from "./encoders.ts";
import { deepen, knownOf, mark, newestOf, type PictureVectors, put, remove } from "./entries.ts";
import { applyTally, pendingWords, putWords, type Tally } from "./lexicon.ts";
import { isDamage, openOrRemake, removeIndex } from "./open.ts";
import type { IndexWriter } from "./ports.ts";

import { tables } from "./schema.ts";
import { forgetSteps, pendingLabels, putLabels, serve } from "./spaces.ts";
import { indexStatus } from "./status.ts";

/** What the writer needs of the store. */
export type RecordSource = Pick<RecordReader, "getMany" | "changesSince" | "lastSeq">;

const deepenedAtATime = 100;

/**
 * Whole records that are in memory at once: few enough to be collected while they are young. With 100 the peak of an import
 * was 40 MiB higher, at the same CPU time.
 */
const readAtATime = 32;

/** Opens index.db for writing, made anew when it is missing, damaged or of another version. One a process. */
export function openIndexWriter(
  files: Pick<ArchiveFiles, "indexPath" | "key" | "cipher">,
  records: RecordSource,
  pictures: PictureVectors = () => [],
): IndexWriter {
  let db = openOrRemake(files);

  /** Damage found while working is mended like damage found while opening: from the beginning, once. */
  function mended<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      db.close();
      removeIndex(files.indexPath);
      db = openOrRemake(files);
      return work();
    }
  }

  return {
    advance: (limit, { textOnly = false } = {}) =>
      mended(() => {
        const left = advance(db, records, pictures, limit);
        return textOnly || left > 0 ? left : deriveSome(db, records, limit);
      }),
    setEncoders: (encoders) => mended(() => setEncoders(db, encoders)),
    pendingEmbeddings: (modelId, limit) =>
      mended(() => {
        // A model that asks before the deeper facts are due gets them made, newest records first.
        ensureEncoder(db, modelId);
        while (!waiting(db, modelId) && deriveSome(db, records, deepenedAtATime) > 0);
        return pending(db, modelId, limit);
      }),
    putEmbeddings: (modelId, rows) => mended(() => db.transaction(() => putAll(db, modelId, rows))),
    failEmbedding: (modelId, chunkId, reason) => mended(() => db.transaction(() => fail(db, modelId, chunkId, reason))),
    pendingLabels: (modelId, limit) => mended(() => pendingLabels(db, modelId, limit)),
    putLabels: (modelId, rows) => mended(() => db.transaction(() => putLabels(db, modelId, rows))),
    pendingWords: (modelId, limit) => mended(() => pendingWords(db, modelId, limit)),
    putWords: (modelId, rows) => mended(() => db.transaction(() => putWords(db, modelId, rows))),
    servePictures: (modelId) => mended(() => db.transaction(() => serve(db, "picture", modelId))),
    failedEmbeddings: (offset, limit) => mended(() => failedEmbeddings(db, offset, limit)),
    retryEmbeddings: () =>
      mended(() => db.command("UPDATE work SET failed = 0, attempts = 0, reason = NULL WHERE failed").run().changes),
    status: (modelId) => mended(() => indexStatus(db, records.lastSeq(), modelId)),
    rebuild: () =>
      mended(() =>
        db.transaction(() => {
          empty(db);
          db.exec("UPDATE cursor SET seq = 0, failed = 0");
        }),
      ),
    close: () => db.close(),
  };
}

/** Takes every row out, and tells readers which records are gone. In a transaction. */
function empty(db: Database): void {
  db.exec("INSERT INTO renewed (record_id) SELECT record_id FROM item");
  for (const table of tables) db.exec(`DELETE FROM ${table}`);
}

/** Deeper facts first, then what is made of several records; gives how many records are left of either. */
function deriveSome(db: Database, records: RecordSource, limit: number): number {
  const count = (table: string) =>
    db.query(`SELECT count(*) AS n FROM ${table}`, (row) => column.number(row, "n")).get() ?? 0;
  if (count("shallow") > 0) deepenSome(db, records, limit);
  else renewContexts(db, records, limit);
  return count("shallow") + count("stale");
}

/** Records by id, a few in memory at a time; undefined for those that are gone. */
function* eachOf(
  records: RecordSource,
  ids: readonly RecordId[],
): Generator<{ id: RecordId; record: StoredRecord | undefined }> {
  for (let at = 0; at < ids.length; at += readAtATime) {
    const some = ids.slice(at, at + readAtATime);
    const found = new Map(records.getMany(some).map((record) => [record.id, record]));
    for (const id of some) yield { id, record: found.get(id) };
  }
}

/** Works out deeper facts of up to `limit` records, newest first. */
function deepenSome(db: Database, records: RecordSource, limit: number): void {
  const shallow = db.query("SELECT record_id FROM shallow ORDER BY record_id DESC LIMIT ?", (row) =>
    column.number(row, "record_id"),
  );
  const ids = shallow.all(limit);
  db.transaction(() => {
    let failed = 0;
    const tally: Tally = new Map();
    for (const { id, record } of eachOf(records, ids)) {
      try {
        // One that has gone meanwhile is taken out when its change comes.
        if (record === undefined) db.command("DELETE FROM shallow WHERE record_id = ?").run(id);
        else deepen(db, record, tally);
      } catch (error) {
        if (isDamage(error)) throw error;
        remove(db, id, tally);
        failed++;
      }
    }
    applyTally(db, tally);
    if (failed > 0) db.command("UPDATE cursor SET failed = failed + ?").run(failed);
  });
}

function advance(db: Database, records: RecordSource, pictures: PictureVectors, limit: number): number {
  const last = records.lastSeq();
  const { seq } = cursorOf(db);
  // A store that is behind its index was restored from a backup: what the index knows may be of the future.
  const from = seq > last ? 0 : seq;
  const changes = records.changesSince(from, limit);
  if (changes.length === 0 && seq <= last) return 0;
  db.transaction(() => {
    if (seq > last) empty(db);
    let failed = 0;
    const tally: Tally = new Map();
    // The record as it is now counts; how it came there does not, so each is looked at once a batch.
    const ids = [...new Set(changes.map(({ recordId }) => recordId))];
    const fresh: RecordId[] = [];
    const newest = newestOf(db);
    const known = knownOf(db, ids);
    for (const { id, record } of eachOf(records, ids)) {
      try {
        if (record === undefined || record.trashedAt !== null) remove(db, id, tally);
        else {
          put(db, record, known.has(id), pictures, tally);
          if (!known.has(id)) fresh.push(id);
        }
      } catch (error) {
        if (isDamage(error)) throw error;
        remove(db, id, tally);
        failed++;
      }
    }
    if (fresh.length > 0) mark(db, fresh, newest);
    applyTally(db, tally);
    forgetSteps(db);
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
  const rows = db
    .query(
      `SELECT w.record_id, s.model, w.reason, w.attempts FROM work w JOIN space s ON s.id = w.space_id WHERE w.failed
       ORDER BY w.record_id DESC, w.chunk_id, s.place LIMIT ? OFFSET ?`,
      (row): FailedView => ({
        recordId: column.number(row, "record_id"),
        purpose: "text-embedding",
        model: column.text(row, "model"),
        reason: column.textOrNull(row, "reason") ?? "",
        attempts: column.number(row, "attempts"),
      }),
    )
    .all(limit, offset);
  const total = db.query("SELECT count(*) AS n FROM work WHERE failed", (row) => column.number(row, "n"));
  return { rows, total: total.get() ?? 0 };
}
