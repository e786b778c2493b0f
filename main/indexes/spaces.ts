import { column, type Database } from "#native/sqlite.ts";
import { encodeVector } from "./vectors.ts";

/**
 * Vector spaces of index.db: which model's vectors answer, which model is at work, and what waits for it. All functions but
 * `pending` run inside a transaction of the writer.
 */

/** An embedding that failed this often is left until a person asks for it again. */
export const embeddingAttempts = 3;

type SpaceKind = "text" | "picture";

/** Id of a model's vector space. The first one of its kind serves at once: nothing better is there. */
export function spaceOf(db: Database, kind: SpaceKind, model: string): number {
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
export function serve(db: Database, kind: SpaceKind, model: string): void {
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
export function pending(db: Database, modelId: string, limit: number): { chunkId: number; text: string }[] {
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

/** Whether any chunk has no vector yet. */
export function waiting(db: Database): boolean {
  return db.query("SELECT 1 FROM chunk WHERE state = 0 LIMIT 1", () => true).get() === true;
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

export function putAll(
  db: Database,
  modelId: string,
  rows: readonly { chunkId: number; vector: Float32Array }[],
): void {
  const space = spaceOf(db, "text", modelId);
  for (const { chunkId, vector } of rows) {
    // Deleted while the model was at work: nothing of it may come back.
    if (!waits(db, modelId, chunkId)) continue;
    putVector(db, chunkId, space, vector);
    db.command("UPDATE chunk SET state = 1, reason = NULL WHERE id = ?").run(chunkId);
  }
}

export function putVector(db: Database, chunkId: number, space: number, vector: Float32Array): void {
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
export function removeVectors(db: Database, chunkId: number, space: number | null): void {
  for (const table of ["sign", "vector"]) {
    db.command(`DELETE FROM ${table} WHERE chunk_id = ?1 AND (?2 IS NULL OR space_id = ?2)`).run(chunkId, space);
  }
}

/** Labels on pictures without a vector of this model; asked for before its chunks, so that the space is there. */
export function pendingLabels(db: Database, modelId: string, limit: number): string[] {
  return db
    .query(
      `SELECT DISTINCT label FROM tag WHERE NOT EXISTS (
         SELECT 1 FROM label l JOIN space s ON s.id = l.space_id
         WHERE l.label = tag.label AND s.kind = 'text' AND s.model = ?) LIMIT ?`,
      (row) => column.text(row, "label"),
    )
    .all(modelId, limit);
}

export function putLabels(
  db: Database,
  modelId: string,
  rows: readonly { label: string; vector: Float32Array }[],
): void {
  const space = spaceOf(db, "text", modelId);
  for (const { label, vector } of rows) {
    db.command(
      `INSERT OR REPLACE INTO label (label, space_id, codes)
       SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM tag WHERE label = ?1)`,
    ).run(label, space, encodeVector(vector).codes);
  }
}

export function fail(db: Database, modelId: string, chunkId: number, reason: string): void {
  if (!waits(db, modelId, chunkId)) return;
  db.command(
    "UPDATE chunk SET attempts = attempts + 1, reason = ?, state = iif(attempts + 1 >= ?, 2, 0) WHERE id = ?",
  ).run(reason.slice(0, 500), embeddingAttempts, chunkId);
}
