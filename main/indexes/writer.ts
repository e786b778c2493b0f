import type { RecordId, StoredRecord } from "#contract";
import type { ArchiveFiles, RecordReader } from "#main/records/ports.ts";
import { column, type Database } from "#native/sqlite.ts";
import { type Facts, factsOf } from "./facts.ts";
import { isDamage, openOrRemake, removeIndex } from "./open.ts";
import type { IndexWriter } from "./ports.ts";
import { indexStatus } from "./reader.ts";
import { tables } from "./schema.ts";
import { encodeVector } from "./vectors.ts";

/** What the writer needs of the store. */
export type RecordSource = Pick<RecordReader, "get" | "changesSince" | "lastSeq">;

/** An embedding that failed this often is left until the next rebuild. */
export const embeddingAttempts = 3;

/** Opens index.db for writing, made anew when it is missing, damaged or of another version. One a process. */
export function openIndexWriter(files: Pick<ArchiveFiles, "indexPath" | "key">, records: RecordSource): IndexWriter {
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
    advance: (limit) => mended(() => advance(db, records, limit)),
    pendingEmbeddings: (modelId, limit) => mended(() => pending(db, modelId, limit)),
    putEmbeddings: (modelId, rows) => mended(() => db.transaction(() => putAll(db, modelId, rows))),
    failEmbedding: (modelId, chunkId, reason) => mended(() => db.transaction(() => fail(db, modelId, chunkId, reason))),
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

function advance(db: Database, records: RecordSource, limit: number): number {
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
    for (const id of new Set(changes.map(({ recordId }) => recordId))) {
      const record = records.get(id);
      try {
        if (record === null || record.trashedAt !== null) remove(db, id);
        else put(db, record);
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

/** Takes every row of a record out, vectors and signs too. */
function remove(db: Database, id: RecordId): void {
  db.command("DELETE FROM sign WHERE chunk_id IN (SELECT id FROM chunk WHERE record_id = ?)").run(id);
  db.command("DELETE FROM vector WHERE chunk_id IN (SELECT id FROM chunk WHERE record_id = ?)").run(id);
  db.command("DELETE FROM chunk WHERE record_id = ?").run(id);
  removeFacts(db, id);
}

function removeFacts(db: Database, id: RecordId): void {
  // Without a row there is nothing to take out; a delete that finds none would still be looked for in every table.
  if (db.command("DELETE FROM item WHERE record_id = ?").run(id).changes === 0) return;
  db.command("DELETE FROM text WHERE rowid = ?").run(id);
  db.command("DELETE FROM reference WHERE record_id = ?").run(id);
  db.command("DELETE FROM mention WHERE record_id = ?").run(id);
}

function put(db: Database, record: StoredRecord): void {
  const { id } = record;
  const facts = factsOf(record);
  removeFacts(db, id);
  const { text, item } = facts;
  db.command("INSERT INTO text(rowid, subject, body, people, extra) VALUES (?, ?, ?, ?, ?)").run(
    id,
    text.subject,
    text.body,
    text.people,
    text.extra,
  );
  db.command(`INSERT INTO item VALUES (${Array(18).fill("?").join(", ")})`).run(
    id,
    item.kind,
    item.identity,
    item.replyIdentity,
    item.partOf,
    item.session,
    item.thread,
    item.sequence,
    item.moment,
    item.day,
    item.author,
    item.lat,
    item.lon,
    item.place,
    item.subject,
    item.ground,
    item.hasQuestion ? 1 : 0,
    item.temporal,
  );
  for (const code of facts.references) db.command("INSERT INTO reference VALUES (?, ?)").run(code, id);
  for (const day of facts.mentions) db.command("INSERT INTO mention VALUES (?, ?)").run(day, id);
  putChunks(db, id, facts.chunks);
}

/** Chunks whose input is the same keep their vector: an edit embeds again only what it has changed. */
function putChunks(db: Database, id: RecordId, chunks: Facts["chunks"]): void {
  const key = (view: string, start: number, end: number, input: string) => JSON.stringify([view, start, end, input]);
  const old = new Map(
    db
      .query('SELECT id, view, start, "end", input FROM chunk WHERE record_id = ?', (row) => ({
        id: column.number(row, "id"),
        key: key(
          column.text(row, "view"),
          column.number(row, "start"),
          column.number(row, "end"),
          column.text(row, "input"),
        ),
      }))
      .all(id)
      .map((row) => [row.key, row.id]),
  );
  for (const { view, start, end, input } of chunks) {
    if (old.delete(key(view, start, end, input))) continue;
    db.command('INSERT INTO chunk (record_id, view, start, "end", input) VALUES (?, ?, ?, ?, ?)').run(
      id,
      view,
      start,
      end,
      input,
    );
  }
  for (const chunkId of old.values()) {
    removeVector(db, chunkId);
    db.command("DELETE FROM chunk WHERE id = ?").run(chunkId);
  }
}

/** Chunks without a vector of this model. Another model than before: its vectors cannot be compared, all begin again. */
function pending(db: Database, modelId: string, limit: number): { chunkId: number; text: string }[] {
  const known = db.query("SELECT model FROM cursor", (row) => column.textOrNull(row, "model")).get() ?? null;
  if (known !== modelId) {
    db.transaction(() => {
      db.exec("DELETE FROM sign; DELETE FROM vector; UPDATE chunk SET state = 0, attempts = 0, reason = NULL");
      db.command("UPDATE cursor SET model = ?").run(modelId);
    });
  }
  return db
    .query("SELECT id, input FROM chunk WHERE state = 0 ORDER BY attempts, record_id DESC, id LIMIT ?", (row) => ({
      chunkId: column.number(row, "id"),
      text: column.text(row, "input"),
    }))
    .all(limit);
}

/** The chunk is still there and still waits for this model. */
function waits(db: Database, modelId: string, chunkId: number): boolean {
  const find = db.query("SELECT 1 FROM chunk, cursor WHERE chunk.id = ? AND cursor.model = ?", () => true);
  return find.get(chunkId, modelId) === true;
}

function putAll(db: Database, modelId: string, rows: readonly { chunkId: number; vector: Float32Array }[]): void {
  for (const { chunkId, vector } of rows) {
    // Deleted while the model was at work: nothing of it may come back.
    if (!waits(db, modelId, chunkId)) continue;
    const { codes, bits } = encodeVector(vector);
    removeVector(db, chunkId);
    const { lastId } = db.command("INSERT INTO vector (chunk_id, codes) VALUES (?, ?)").run(chunkId, codes);
    db.command("INSERT INTO sign (vector_id, chunk_id, bits) VALUES (?, ?, ?)").run(lastId, chunkId, bits);
    db.command("UPDATE chunk SET state = 1, reason = NULL WHERE id = ?").run(chunkId);
  }
}

function removeVector(db: Database, chunkId: number): void {
  db.command("DELETE FROM sign WHERE chunk_id = ?").run(chunkId);
  db.command("DELETE FROM vector WHERE chunk_id = ?").run(chunkId);
}

function fail(db: Database, modelId: string, chunkId: number, reason: string): void {
  if (!waits(db, modelId, chunkId)) return;
  removeVector(db, chunkId);
  db.command(
    "UPDATE chunk SET attempts = attempts + 1, reason = ?, state = iif(attempts + 1 >= ?, 2, 0) WHERE id = ?",
  ).run(reason.slice(0, 500), embeddingAttempts, chunkId);
}
