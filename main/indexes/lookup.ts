import type { RecordId } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { formBit, formsOf, maskOf } from "./forms.ts";
import type { Chunk, TextForm, VectorHit } from "./ports.ts";
import { ScratchRows } from "./simd.ts";
import { VectorTable } from "./vector-table.ts";
import { decodeVector, dot, dotCodes, encodeVector } from "./vectors.ts";
import { dataVersion } from "./version.ts";
import { viewOf } from "./view-names.ts";

/**
 * Reading vectors of one open index.db: in memory as far as they have room there, the main text encoder's first; of the
 * others the signs are scanned in memory, and what is looked at closer is read from the file.
 */

export type RecordVectors = Map<RecordId, { chunk: Chunk; vector: Float32Array }[]>;

/** Rows that are taken in at a time while nobody waits. */
const warmRows = 2_000;

type SpaceKind = "text" | "picture";

export class VectorLookup {
  readonly #db: Database;
  readonly #tables = new Map<number, VectorTable>();
  #version = -1;
  readonly #spaces = new Map<string, number | undefined>();
  /** Whether anything has labels; null while not looked up. */
  #tagged: boolean | null = null;
  readonly #compared = new ScratchRows();

  readonly #mostBytes: number;

  /** @param mostBytes of codes that are held in memory */
  constructor(db: Database, mostBytes: number) {
    this.#db = db;
    this.#mostBytes = mostBytes;
  }

  /** Takes in a little more of what serves. True when all of it is there. */
  warm(): boolean {
    return (["text", "picture"] as const).every((kind) => {
      const space = this.#space(kind, undefined);
      return space === undefined || this.#table(space, warmRows) !== null;
    });
  }

  /** Nearest chunks, at most one a record. `model` undefined: the one that serves. */
  search(kind: SpaceKind, model: string | undefined, vector: Float32Array, limit: number): VectorHit[] {
    const space = this.#space(kind, model);
    if (space === undefined) return [];
    return this.#table(space).search(vector, limit);
  }

  vectorsOf(ids: readonly RecordId[], model: string | undefined, forms: readonly TextForm[]): RecordVectors {
    const result: RecordVectors = new Map();
    const space = this.#space("text", model);
    if (space === undefined) return result;
    const table = this.#table(space);
    const mask = maskOf(forms);
    const rows = table.of(new Set(ids), mask);
    const labels = forms.includes("said") && this.#hasTags ? this.#labelsOf(ids, space) : [];
    for (const row of [...rows, ...labels]) {
      const known = result.get(row.chunk.recordId);
      if (known) known.push(row);
      else result.set(row.chunk.recordId, [row]);
    }
    return result;
  }

  cosinesOf(
    vector: Float32Array,
    ids: readonly RecordId[],
    model: string | undefined,
    forms: readonly TextForm[],
  ): Map<TextForm, Float32Array> {
    const space = this.#space("text", model);
    if (space === undefined) return new Map();
    const cosines = this.#table(space).cosines(
      vector,
      ids,
      forms.map((form) => formBit[form]),
    );
    const found = new Map(forms.map((form, at) => [form, cosines[at] ?? new Float32Array(0)]));
    const said = found.get("said");
    if (said === undefined || !this.#hasTags) return found;
    const places = new Map(ids.map((id, at) => [id, at]));
    for (const one of this.#labelsOf(ids, space)) {
      const [at, cosine] = [places.get(one.chunk.recordId) ?? 0, dot(vector, one.vector)];
      if (!((said[at] ?? Number.NaN) >= cosine)) said[at] = cosine;
    }
    return found;
  }

  centreOf(ids: readonly RecordId[], model: string | undefined, form: TextForm): Float32Array {
    const space = this.#space("text", model);
    return space === undefined ? new Float32Array(0) : this.#table(space).centre(ids, formBit[form]);
  }

  similarities(ids: readonly RecordId[]): Float32Array {
    const size = ids.length;
    const result = new Float32Array(size ** 2);
    const space = this.#space("text", undefined);
    if (space === undefined) return result;
    const first = this.#firstCodes(ids, space);
    const places = [...ids.keys()].filter((at) => first[at] !== undefined);
    const rows = this.#compared.of(first[places[0] ?? -1]?.length ?? 0);
    for (const [nth, at] of places.entries()) rows.set(nth, first[at] ?? new Uint8Array(0));
    const count = places.length;
    const products = rows.pairs(count);
    const norms = Float64Array.from(places, (_, nth) => Math.sqrt(products[nth * (count + 1)] ?? 0) || 1);
    for (let nth = 0; nth < count; nth++) {
      const row = (places[nth] ?? 0) * size;
      for (let other = 0; other < count; other++)
        result[row + (places[other] ?? 0)] =
          (products[nth * count + other] ?? 0) / ((norms[nth] ?? 1) * (norms[other] ?? 1));
    }
    return result;
  }

  /** Codes of each record's first vector: of its text, else of the first label that a model saw on it. */
  #firstCodes(ids: readonly RecordId[], space: number): (Uint8Array | undefined)[] {
    const table = this.#table(space);
    const codes = table.firstCodes(ids, formBit.said);
    const without = this.#hasTags ? ids.filter((_, at) => codes[at] === undefined) : [];
    if (without.length === 0) return codes;
    const labels = new Map<RecordId, Uint8Array>();
    for (const { chunk, vector } of this.#labelsOf(without, space))
      if (!labels.has(chunk.recordId)) labels.set(chunk.recordId, encodeVector(vector).codes);
    return ids.map((id, at) => codes[at] ?? labels.get(id));
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

  get #hasTags(): boolean {
    this.#tagged ??= this.#db.query("SELECT EXISTS (SELECT 1 FROM tag) AS id", readId).get() === 1;
    return this.#tagged;
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

  /** The space in memory, up to date; null while `most` rows at a time are not enough. */
  #table(space: number): VectorTable;
  #table(space: number, most: number): VectorTable | null;
  #table(space: number, most?: number): VectorTable | null {
    const table = this.#tables.get(space) ?? new VectorTable(this.#db, space, () => this.#hasRoom());
    this.#tables.set(space, table);
    return table.refresh(most) ? table : null;
  }

  #hasRoom(): boolean {
    let bytes = 0;
    for (const table of this.#tables.values()) bytes += table.bytes;
    return bytes < this.#mostBytes;
  }

  #space(kind: SpaceKind, model: string | undefined): number | undefined {
    const version = dataVersion(this.#db);
    if (version !== this.#version) {
      this.#version = version;
      this.#spaces.clear();
      this.#tagged = null;
      const spaces = new Set(this.#db.query("SELECT id FROM space", readId).all());
      for (const id of this.#tables.keys()) if (!spaces.has(id)) this.#tables.delete(id);
    }
    const key = `${kind} ${model ?? ""}`;
    if (!this.#spaces.has(key)) {
      this.#spaces.set(
        key,
        model === undefined
          ? this.#db.query("SELECT id FROM space WHERE kind = ? AND serving", readId).get(kind)
          : this.#db.query("SELECT id FROM space WHERE kind = ? AND model = ?", readId).get(kind, model),
      );
    }
    return this.#spaces.get(key);
  }
}

const readId = (row: SqlRow): number => column.number(row, "id");

function readChunk(row: SqlRow): Chunk {
  return {
    id: readId(row),
    recordId: column.number(row, "record_id"),
    view: viewOf(row),
    start: column.number(row, "start"),
    end: column.number(row, "end"),
    forms: formsOf(column.number(row, "forms")),
  };
}

const readVector = (row: SqlRow): { chunk: Chunk; vector: Float32Array } => ({
  chunk: readChunk(row),
  vector: decodeVector(column.blob(row, "codes")),
});
