import { column, type Database } from "#native/sqlite.ts";
import { encodeVector } from "./vectors.ts";

/**
 * Vector spaces of index.db: which model's vectors are there and which answer. All functions run inside a transaction of
 * the writer, but `pendingLabels`.
 */

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

/** This model's vectors answer from now on. Of others only those of encoders at work are kept. */
export function serve(db: Database, kind: SpaceKind, model: string): void {
  const id = spaceOf(db, kind, model);
  db.command("UPDATE space SET serving = (id = ?) WHERE kind = ?").run(id, kind);
  dropIdle(db, kind);
}

/** Takes out spaces that neither answer nor have an encoder at work. */
export function dropIdle(db: Database, kind: SpaceKind): void {
  const idle = "(SELECT id FROM space WHERE kind = ? AND place IS NULL AND NOT serving)";
  for (const table of ["sign", "vector", "label", "word_vector", "work"]) {
    db.command(`DELETE FROM ${table} WHERE space_id IN ${idle}`).run(kind);
  }
  db.command("DELETE FROM space WHERE kind = ? AND place IS NULL AND NOT serving").run(kind);
}

/** `searched`: its sign goes into the scan too. */
export function putVector(db: Database, chunkId: number, space: number, vector: Float32Array, searched: boolean): void {
  const { codes, bits } = encodeVector(vector);
  removeVectors(db, chunkId, space);
  const { lastId } = db
    .command("INSERT INTO vector (chunk_id, space_id, codes) VALUES (?, ?, ?)")
    .run(chunkId, space, codes);
  if (!searched) return;
  db.command("INSERT INTO sign (vector_id, chunk_id, space_id, bits) VALUES (?, ?, ?, ?)").run(
    lastId,
    chunkId,
    space,
    bits,
  );
}

/** Steps of `touched` and `renewed` that readers can follow; one that is further behind reads all again. */
const keptSteps = 50_000;

/** Throws old steps away. In a transaction. */
export function forgetSteps(db: Database): void {
  for (const table of ["touched", "renewed"])
    db.command(`DELETE FROM ${table} WHERE seq <= (SELECT max(seq) FROM ${table}) - ?`).run(keptSteps);
}

/** Of one space, or (null) of all. */
export function removeVectors(db: Database, chunkId: number, space: number | null): void {
  for (const table of ["sign", "vector"]) {
    db.command(`DELETE FROM ${table} WHERE chunk_id = ?1 AND (?2 IS NULL OR space_id = ?2)`).run(chunkId, space);
  }
}

/** A chunk with all that was made of it and all that waits for it. */
export function removeChunk(db: Database, chunkId: number): void {
  removeVectors(db, chunkId, null);
  db.command("DELETE FROM work WHERE chunk_id = ?").run(chunkId);
  db.command("DELETE FROM chunk WHERE id = ?").run(chunkId);
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
