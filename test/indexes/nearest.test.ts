import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Rows } from "#main/indexes/simd.ts";
import { decodeVector, dot, encodeVector, rescoredFor } from "#main/indexes/vectors.ts";
import { column, openDatabase } from "#native/sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "understory-nearest-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dimensions = 384;
const wanted = 24;

/** Mulberry32: the same vectors on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Unit vectors around a few centres, as texts of one archive lie. */
function clustered(count: number, seed: number): Float32Array[] {
  const next = numbers(seed);
  const centres = Array.from({ length: 12 }, () => Float32Array.from({ length: dimensions }, () => next() - 0.5));
  return Array.from({ length: count }, (_, index) => {
    const centre = centres[index % centres.length] ?? new Float32Array(dimensions);
    const vector = centre.map((value) => value + 0.8 * (next() - 0.5));
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

test("the scan in memory finds what sqlite-vec's exact float32 scan finds, inside an encrypted file", () => {
  const db = openDatabase({
    path: join(folder, "index.db"),
    key: randomBytes(32),
    cipher: "aegis",
    create: true,
    vectors: true,
  });
  db.exec(`CREATE VIRTUAL TABLE exact USING vec0(embedding float[${dimensions}] distance_metric=cosine)`);
  const vectors = clustered(2_000, 1);
  const signs = new Rows(dimensions / 8);
  const addExact = db.command("INSERT INTO exact (rowid, embedding) VALUES (CAST(? AS INTEGER), ?)");
  const codes = new Map<number, Uint8Array>();
  db.transaction(() => {
    for (const [index, vector] of vectors.entries()) {
      const encoded = encodeVector(vector);
      codes.set(index + 1, encoded.codes);
      signs.set(index + 1, encoded.bits);
      addExact.run(index + 1, new Uint8Array(vector.buffer));
    }
  });
  const exact = db.query("SELECT rowid AS id FROM exact WHERE embedding MATCH ? AND k = 24 ORDER BY distance", (row) =>
    column.number(row, "id"),
  );
  let found = 0;
  const questions = clustered(40, 2).map((vector, index) => {
    const near = vectors[index * 37] ?? vector;
    const mixed = vector.map((value, at) => value * 0.4 + (near[at] ?? 0));
    const length = Math.hypot(...mixed);
    return mixed.map((value) => value / length);
  });
  for (const question of questions) {
    const truth = new Set(exact.all(new Uint8Array(question.buffer)));
    expect(truth.size).toBe(wanted);
    const mine = signs
      .nearest(encodeVector(question).bits, vectors.length + 1, rescoredFor(wanted))
      .filter((id) => id > 0)
      .map((id) => ({ id, similarity: dot(question, decodeVector(codes.get(id) ?? new Uint8Array(dimensions))) }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, wanted);
    found += mine.filter(({ id }) => truth.has(id)).length;
  }
  db.close();
  // Recall@24 against the exact scan; .99 is what the scheme is chosen for.
  expect(found / (questions.length * wanted)).toBeGreaterThan(0.95);
});
