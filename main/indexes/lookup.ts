import type { RecordId } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { formBit, formsOf, maskOf } from "./forms.ts";
import type { Chunk, TextForm, VectorHit, ViewName } from "./ports.ts";
import { decodeVector, dotCodes, SignIndex } from "./vectors.ts";

/** Reading vectors of one open index.db: scans of signs in memory, and vectors of records. */

export type RecordVectors = Map<RecordId, { chunk: Chunk; vector: Float32Array }[]>;

const viewNames: readonly ViewName[] = ["text", "subject", "attachment", "ocr", "tags", "metadata", "picture"];

/** A scan of which this share is gone from the file is read again. */
const mostGone = 0.3;

export class VectorLookup {
  readonly #db: Database;
  readonly #scans = new Map<number, SignIndex>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Nearest chunks, at most one a record. `model` undefined: the one that serves. */
  search(kind: "text" | "picture", model: string | undefined, vector: Float32Array, limit: number): VectorHit[] {
    const space = this.#space(kind, model);
    if (space === undefined) return [];
    for (const id of this.#scans.keys()) if (!this.#exists(id)) this.#scans.delete(id);
    const scan = this.#scans.get(space) ?? new SignIndex(space);
    this.#scans.set(space, scan);
    scan.refresh(this.#db);
    const found = scan.nearest(vector, limit);
    const rows = this.#db
      .query(
        `SELECT ${chunkColumns}, v.codes FROM json_each(?1) j
         CROSS JOIN vector v ON v.chunk_id = j.value AND v.space_id = ?2 CROSS JOIN chunk c ON c.id = v.chunk_id`,
        (one) => ({ chunk: readChunk(one), similarity: dotCodes(vector, column.blob(one, "codes")) }),
      )
      .all(JSON.stringify(found), space);
    const best = new Map<RecordId, VectorHit>();
    for (const { chunk, similarity } of rows) {
      const known = best.get(chunk.recordId);
      if (!known || similarity > known.similarity) best.set(chunk.recordId, { ...chunk, similarity });
    }
    if (rows.length < found.length * (1 - mostGone)) scan.forget();
    return [...best.values()].sort((a, b) => b.similarity - a.similarity || a.recordId - b.recordId).slice(0, limit);
  }

  vectorsOf(ids: readonly RecordId[], model: string | undefined, forms: readonly TextForm[]): RecordVectors {
    const result: RecordVectors = new Map();
    const space = this.#space("text", model);
    if (space === undefined) return result;
    const rows = this.#db
      .query(
        // The index on records gives each one's chunks in their order: nothing is sorted.
        `SELECT ${chunkColumns}, v.codes FROM json_each(?2) j
         CROSS JOIN chunk c INDEXED BY chunk_record ON c.record_id = j.value AND (c.forms & ?3) <> 0
         CROSS JOIN vector v ON v.chunk_id = c.id AND v.space_id = ?1`,
        readVector,
      )
      .all(space, JSON.stringify([...new Set(ids)]), maskOf(forms));
    const labels = forms.includes("said") ? this.#labelsOf(ids, space) : [];
    for (const row of [...rows, ...labels]) {
      const known = result.get(row.chunk.recordId);
      if (known) known.push(row);
      else result.set(row.chunk.recordId, [row]);
    }
    return result;
  }

  nearest(id: RecordId, k: number): { recordId: RecordId; similarity: number }[] {
    const own = this.vectorsOf([id], undefined, ["said"])
      .get(id)
      ?.find(({ chunk }) => chunk.id !== 0);
    if (!own) return [];
    return this.search("text", undefined, own.vector, k + 1)
      .filter(({ recordId }) => recordId !== id)
      .slice(0, k)
      .map(({ recordId, similarity }) => ({ recordId, similarity }));
  }

  labelsLike(vector: Float32Array, least: number): { label: string; similarity: number }[] {
    const space = this.#space("text", undefined);
    if (space === undefined) return [];
    return this.#db
      .query("SELECT label, codes FROM label WHERE space_id = ?", (row) => ({
        label: column.text(row, "label"),
        similarity: dotCodes(vector, column.blob(row, "codes")),
      }))
      .all(space)
      .filter(({ similarity }) => similarity >= least)
      .sort((a, b) => b.similarity - a.similarity);
  }

  #labelsOf(ids: readonly RecordId[], space: number): { chunk: Chunk; vector: Float32Array }[] {
    return this.#db
      .query(
        `SELECT 0 AS id, t.record_id, 'tags' AS view, t.begin AS start, t.begin + length(t.label) AS "end",
           ${formBit.said} AS forms, l.codes
         FROM tag t JOIN label l ON l.label = t.label AND l.space_id = ?1
         WHERE t.record_id IN (SELECT value FROM json_each(?2)) AND t.begin IS NOT NULL ORDER BY t.record_id, t.begin`,
        readVector,
      )
      .all(space, JSON.stringify(ids));
  }

  #space(kind: "text" | "picture", model: string | undefined): number | undefined {
    const id = (row: SqlRow) => column.number(row, "id");
    return model === undefined
      ? this.#db.query("SELECT id FROM space WHERE kind = ? AND serving", id).get(kind)
      : this.#db.query("SELECT id FROM space WHERE kind = ? AND model = ?", id).get(kind, model);
  }

  #exists(space: number): boolean {
    return this.#db.query("SELECT 1 FROM space WHERE id = ?", () => true).get(space) === true;
  }
}

const chunkColumns = 'c.id, c.record_id, c.view, c.start, c."end", c.forms';

function readChunk(row: SqlRow): Chunk {
  const view = column.text(row, "view");
  return {
    id: column.number(row, "id"),
    recordId: column.number(row, "record_id"),
    view: viewNames.find((name) => name === view) ?? "text",
    start: column.number(row, "start"),
    end: column.number(row, "end"),
    forms: formsOf(column.number(row, "forms")),
  };
}

const readVector = (row: SqlRow): { chunk: Chunk; vector: Float32Array } => ({
  chunk: readChunk(row),
  vector: decodeVector(column.blob(row, "codes")),
});
