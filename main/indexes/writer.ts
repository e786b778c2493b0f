import type { FailedView, RecordId, StoredRecord } from "#contract";
import type { ArchiveFiles, RecordReader } from "#main/records/ports.ts";
import { column, type Database } from "#native/sqlite.ts";
import { type Facts, factsOf } from "./facts.ts";
import { isDamage, openOrRemake, removeIndex } from "./open.ts";
import type { IndexWriter } from "./ports.ts";
import { indexStatus } from "./reader.ts";
import { tables } from "./schema.ts";
import { fail, pending, pendingLabels, putAll, putLabels, putVector, removeVectors, serve, spaceOf } from "./spaces.ts";

/** What the writer needs of the store. */
export type RecordSource = Pick<RecordReader, "getMany" | "changesSince" | "lastSeq">;
/** Vectors of a record's picture, one a model. */
export type PictureVectors = (id: RecordId) => readonly { model: string; vector: Float32Array }[];

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
    advance: (limit) => mended(() => advance(db, records, pictures, limit)),
    pendingEmbeddings: (modelId, limit) => mended(() => pending(db, modelId, limit)),
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
  // What nothing shows any more is forgotten with the last picture that did.
  const labels = db.query("SELECT label FROM tag WHERE record_id = ?", (row) => column.text(row, "label")).all(id);
  db.command("DELETE FROM tag WHERE record_id = ?").run(id);
  for (const label of labels) {
    db.command("DELETE FROM label WHERE label = ?1 AND NOT EXISTS (SELECT 1 FROM tag WHERE label = ?1)").run(label);
  }
}

const insertItem = `INSERT INTO item VALUES (${Array(18).fill("?").join(", ")})`;

function put(db: Database, record: StoredRecord, pictures: PictureVectors): void {
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
  db.command(insertItem).run(
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
  for (const { label, begin, score } of facts.tags) {
    db.command("INSERT OR IGNORE INTO tag VALUES (?, ?, ?, ?)").run(label, id, begin, score);
  }
  putChunks(db, id, facts.chunks);
  if (record.kind === "photo" || record.kind === "video") putPictures(db, id, pictures(id));
}

/** The picture itself is a chunk without a text; its vectors come from the models that looked at it, one a space. */
function putPictures(db: Database, id: RecordId, vectors: ReturnType<PictureVectors>): void {
  const old = db
    .query("SELECT id FROM chunk WHERE record_id = ? AND view = 'picture'", (row) => column.number(row, "id"))
    .get(id);
  if (vectors.length === 0) {
    if (old === undefined) return;
    removeVectors(db, old, null);
    db.command("DELETE FROM chunk WHERE id = ?").run(old);
    return;
  }
  const chunkId =
    old ??
    db
      .command(`INSERT INTO chunk (record_id, view, start, "end", input, state) VALUES (?, 'picture', 0, 0, '', 1)`)
      .run(id).lastId;
  for (const { model, vector } of vectors) putVector(db, chunkId, spaceOf(db, "picture", model), vector);
}

/** Chunks whose input is the same keep their vector: an edit embeds again only what it has changed. */
function putChunks(db: Database, id: RecordId, chunks: Facts["chunks"]): void {
  const key = (view: string, start: number, end: number, input: string) => JSON.stringify([view, start, end, input]);
  const old = new Map(
    db
      .query("SELECT id, view, start, \"end\", input FROM chunk WHERE record_id = ? AND view <> 'picture'", (row) => ({
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
    removeVectors(db, chunkId, null);
    db.command("DELETE FROM chunk WHERE id = ?").run(chunkId);
  }
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
