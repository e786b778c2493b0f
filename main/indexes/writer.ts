import type { FailedView, RecordId, StoredRecord } from "#contract";
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
/** Vectors of a record's picture, one a model. */
export type PictureVectors = (id: RecordId) => readonly { model: string; vector: Float32Array }[];

/** An embedding that failed this often is left until the next rebuild. */
export const embeddingAttempts = 3;

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
    for (const id of new Set(changes.map(({ recordId }) => recordId))) {
      const record = records.get(id);
      try {
        if (record === null || record.trashedAt !== null) remove(db, id);
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

type SpaceKind = "text" | "picture";

/** Id of a model's vector space. The first one of its kind serves at once: nothing better is there. */
function spaceOf(db: Database, kind: SpaceKind, model: string): number {
  const find = db.query("SELECT id FROM space WHERE kind = ? AND model = ?", (row) => column.number(row, "id"));
  const known = find.get(kind, model);
  if (known !== undefined) return known;
  return db
    .command(
      `INSERT INTO space (kind, model, serving)
       VALUES (?1, ?2, NOT EXISTS (SELECT 1 FROM space WHERE kind = ?1 AND serving))`,
    )
    .run(kind, model).lastId;
}

/** This model's vectors answer from now on, and no other's are kept. */
function serve(db: Database, kind: SpaceKind, model: string): void {
  const id = spaceOf(db, kind, model);
  const others = "(SELECT id FROM space WHERE kind = ? AND id <> ?)";
  for (const table of ["sign", "vector", "label"]) {
    db.command(`DELETE FROM ${table} WHERE space_id IN ${others}`).run(kind, id);
  }
  db.command("DELETE FROM space WHERE kind = ? AND id <> ?").run(kind, id);
  db.command("UPDATE space SET serving = 1 WHERE id = ?").run(id);
}

/**
 * Chunks without a vector of this model. For another model than before all begin again, while the vectors of the one
 * before stay and answer until the last chunk is done.
 */
function pending(db: Database, modelId: string, limit: number): { chunkId: number; text: string }[] {
  const known = db.query("SELECT model FROM cursor", (row) => column.textOrNull(row, "model")).get() ?? null;
  if (known !== modelId) db.transaction(() => begin(db, modelId));
  const waiting = db
    .query("SELECT id, input FROM chunk WHERE state = 0 ORDER BY attempts, record_id DESC, id LIMIT ?", (row) => ({
      chunkId: column.number(row, "id"),
      text: column.text(row, "input"),
    }))
    .all(limit);
  const others = db.query("SELECT 1 FROM space WHERE kind = 'text' AND model <> ?", () => true);
  if (waiting.length === 0 && others.get(modelId)) db.transaction(() => serve(db, "text", modelId));
  return waiting;
}

function begin(db: Database, modelId: string): void {
  const serving = db.query("SELECT 1 FROM space WHERE kind = 'text' AND model = ? AND serving", () => true);
  if (serving.get(modelId)) {
    // Back to the model that still serves: what it has done is done.
    serve(db, "text", modelId);
    const done = "EXISTS (SELECT 1 FROM vector WHERE chunk_id = chunk.id)";
    db.exec(`UPDATE chunk SET state = ${done}, attempts = 0, reason = NULL WHERE view <> 'picture'`);
  } else {
    // A third model: what the second had begun is of no use.
    const others = "(SELECT id FROM space WHERE kind = 'text' AND NOT serving AND model <> ?)";
    for (const table of ["sign", "vector", "label"]) {
      db.command(`DELETE FROM ${table} WHERE space_id IN ${others}`).run(modelId);
    }
    db.command(`DELETE FROM space WHERE id IN ${others}`).run(modelId);
    db.exec("UPDATE chunk SET state = 0, attempts = 0, reason = NULL WHERE view <> 'picture'");
    spaceOf(db, "text", modelId);
  }
  db.command("UPDATE cursor SET model = ?").run(modelId);
}

/** The chunk is still there and still waits for this model. */
function waits(db: Database, modelId: string, chunkId: number): boolean {
  const find = db.query("SELECT 1 FROM chunk, cursor WHERE chunk.id = ? AND cursor.model = ?", () => true);
  return find.get(chunkId, modelId) === true;
}

function putAll(db: Database, modelId: string, rows: readonly { chunkId: number; vector: Float32Array }[]): void {
  const space = spaceOf(db, "text", modelId);
  for (const { chunkId, vector } of rows) {
    // Deleted while the model was at work: nothing of it may come back.
    if (!waits(db, modelId, chunkId)) continue;
    putVector(db, chunkId, space, vector);
    db.command("UPDATE chunk SET state = 1, reason = NULL WHERE id = ?").run(chunkId);
  }
}

function putVector(db: Database, chunkId: number, space: number, vector: Float32Array): void {
  const { codes, bits } = encodeVector(vector);
  removeVectors(db, chunkId, space);
  const { lastId } = db
    .command("INSERT INTO vector (chunk_id, space_id, codes) VALUES (?, ?, ?)")
    .run(chunkId, space, codes);
  db.command("INSERT INTO sign (vector_id, chunk_id, space_id, bits) VALUES (?, ?, ?, ?)").run(
    lastId,
    chunkId,
    space,
    bits,
  );
}

/** Of one space, or (null) of all. */
function removeVectors(db: Database, chunkId: number, space: number | null): void {
  for (const table of ["sign", "vector"]) {
    db.command(`DELETE FROM ${table} WHERE chunk_id = ?1 AND (?2 IS NULL OR space_id = ?2)`).run(chunkId, space);
  }
}

/** Labels on pictures without a vector of this model; asked for before its chunks, so that the space is there. */
function pendingLabels(db: Database, modelId: string, limit: number): string[] {
  return db
    .query(
      `SELECT DISTINCT label FROM tag WHERE NOT EXISTS (
         SELECT 1 FROM label l JOIN space s ON s.id = l.space_id
         WHERE l.label = tag.label AND s.kind = 'text' AND s.model = ?) LIMIT ?`,
      (row) => column.text(row, "label"),
    )
    .all(modelId, limit);
}

function putLabels(db: Database, modelId: string, rows: readonly { label: string; vector: Float32Array }[]): void {
  const space = spaceOf(db, "text", modelId);
  for (const { label, vector } of rows) {
    db.command(
      `INSERT OR REPLACE INTO label (label, space_id, codes)
       SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM tag WHERE label = ?1)`,
    ).run(label, space, encodeVector(vector).codes);
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

function fail(db: Database, modelId: string, chunkId: number, reason: string): void {
  if (!waits(db, modelId, chunkId)) return;
  db.command(
    "UPDATE chunk SET attempts = attempts + 1, reason = ?, state = iif(attempts + 1 >= ?, 2, 0) WHERE id = ?",
  ).run(reason.slice(0, 500), embeddingAttempts, chunkId);
}
