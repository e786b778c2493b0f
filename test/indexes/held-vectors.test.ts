import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

const model = "held-16";
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0).reverse()) close();
});

/** A vector of a text's letters: the same text, the same vector. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(32).fill(0.01);
  for (const [at, letter] of [...text].entries()) {
    const place = (letter.charCodeAt(0) * 7 + at) % 32;
    vector[place] = (vector[place] ?? 0) + (at % 3 === 0 ? -1 : 1);
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const id = fc.integer({ min: 1, max: 12 });
const step = fc.oneof(
  fc.record({ do: fc.constant("put" as const), id, text: fc.constantFrom("boat", "lake house", "Tom is here", "red") }),
  fc.record({ do: fc.constant("trash" as const), id, text: fc.constant("") }),
  fc.record({ do: fc.constant("erase" as const), id, text: fc.constant("") }),
  fc.record({ do: fc.constant("ask" as const), id, text: fc.constant("") }),
  fc.record({ do: fc.constant("rebuild" as const), id, text: fc.constant("") }),
  fc.record({ do: fc.constant("contexts" as const), id, text: fc.constant("") }),
);

test("a reader that holds vectors in memory finds what one finds that has just been opened, whatever came and went", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.constantFrom(0, 100, 1_000_000), (steps, heldBytes) => {
      const files = temporaryFiles();
      const source = new MemorySource();
      const writer = openIndexWriter(files, source);
      const held = openIndexReader(files, () => source.lastSeq(), { heldBytes });
      const settle = () => {
        while (writer.advance(50) > 0);
        for (let rows = writer.pendingEmbeddings(model, 50); rows.length > 0; ) {
          writer.putEmbeddings(
            model,
            rows.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) })),
          );
          rows = writer.pendingEmbeddings(model, 50);
        }
      };
      const told = (reader: typeof held) => ({
        hits: reader.searchVectors(vectorOf("boat"), 20),
        vectors: [...reader.vectorsOf([...Array(13).keys()], { forms: ["said", "context"] })],
        centre: [...reader.centreOf([...Array(13).keys()], { model, form: "said" })].map((value) => value.toFixed(5)),
      });
      /** The same of the vectors themselves. */
      const meanOf = (vectors: readonly Float32Array[]) =>
        [...Array(32).keys()].map((at) => vectors.reduce((sum, one) => sum + (one[at] ?? 0) / vectors.length, 0));
      try {
        for (const one of steps) {
          if (one.do === "put") source.put(recordOf({ id: one.id, text: `${one.text}. And so it was.`, by: "Ana" }));
          else if (one.do === "trash") source.trash(one.id, true);
          else if (one.do === "erase") source.erase(one.id);
          else if (one.do === "rebuild") writer.rebuild();
          else if (one.do === "contexts") writer.setEncoders([{ model, forms: ["said", "context"] }]);
          // Deleted is gone before anything else is done.
          if (one.do !== "ask") while (writer.advance(50) > 0);
          const found = told(held);
          const live = new Set([...source.records.values()].filter((r) => r.trashedAt === null).map((r) => r.id));
          expect(found.hits.filter(({ recordId }) => !live.has(recordId))).toEqual([]);
          if (one.do === "ask") settle();
          const fresh = openIndexReader(files, () => source.lastSeq());
          expect(told(held)).toEqual(told(fresh));
          const vectors = [...fresh.vectorsOf([...Array(13).keys()]).values()].flat().map(({ vector }) => vector);
          if (vectors.length > 0)
            for (const [at, value] of meanOf(vectors).entries())
              expect(Number(told(fresh).centre[at])).toBeCloseTo(value, 3);
          fresh.close();
        }
      } finally {
        held.close();
        writer.close();
      }
    }),
    { numRuns: 25 },
  );
});
