import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TokenReading, TokenSigns } from "#main/indexes/ports.ts";
import { LateInteraction, maxSims, noLate, signTable } from "#main/query/recall/late.ts";

const dimension = 64;
const model = "e5-small-v2-int8@1";

const state = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimension, maxLength: dimension });

/** ±1 a dimension as the index keeps them. */
function packed(tokens: readonly (readonly number[])[]): TokenSigns {
  const width = dimension / 8;
  const signs = new Uint8Array(tokens.length * width);
  for (const [row, token] of tokens.entries()) {
    for (const [at, value] of token.entries()) {
      if (value > 0) signs[row * width + (at >> 3)] = (signs[row * width + (at >> 3)] ?? 0) | (1 << (at & 7));
    }
  }
  return { signs, width };
}

/** The product, number by number. */
const product = (query: readonly number[], token: readonly number[]): number =>
  query.reduce((sum, value, at) => sum + (value * ((token[at] ?? 0) > 0 ? 1 : -1)) / Math.sqrt(dimension), 0);

/** One axis a word; what is asked and what is said are the same states. */
const axis = (at: number): number[] => Array.from({ length: dimension }, (_, d) => (d % 8 === at ? 1 : -0.1));
const reading = (words: readonly string[]): TokenReading => ({
  vector: new Float32Array(dimension),
  words,
  states: Float32Array.from(words.flatMap((_, at) => axis(at))),
});

function late(
  question: TokenReading,
  tokens: ReadonlyMap<number, readonly TokenSigns[]>,
  names: readonly string[] = [],
) {
  const people = names.map((name) => ({ name, personId: 1, text: name }));
  const index = {
    tokensOf: (ids: readonly number[]) =>
      new Map(ids.flatMap((id) => (tokens.has(id) ? [[id, tokens.get(id) ?? []] as const] : []))),
  };
  return new LateInteraction(index, { people }, new Map([[model, question]]));
}

const alone = { beside: [], weights: [] };

describe("late interaction", () => {
  it("finds exactly the best product of every token, as one would number by number", () => {
    fc.assert(
      fc.property(
        fc.array(state, { minLength: 1, maxLength: 3 }),
        fc.array(fc.array(state, { maxLength: 4 }), { maxLength: 3 }),
        (query, pieces) => {
          const found = maxSims(
            query.map((one) => signTable(Float32Array.from(one))),
            pieces.map(packed),
          );
          const all = pieces.flat();
          for (const [at, one] of query.entries()) {
            const best = all.length === 0 ? 0 : Math.max(...all.map((token) => product(one, token)));
            expect(found[at]).toBeCloseTo(best, 4);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("tells the record that says it, and its neighbour a little", () => {
    const said = new Map([1, 2, 3, 4, 5, 6, 7].map((id) => [id, [packed([axis(id === 4 ? 0 : 5)])]]));
    const ids = [...said.keys()];
    const next = (id: number) => ({ beside: [id - 1, id + 1], weights: [0.5, 0.5] });
    const features = late(reading(["dentist"]), said).read(ids, next);
    expect(features.get(4)?.late_rare).toBe(1);
    expect(features.get(4)?.late_near).toBe(1);
    expect(features.get(3)?.late_rare).toBe(0);
    expect(features.get(3)?.late_near).toBe(0.5);
    expect(features.get(1)?.late_near).toBe(0);
  });

  it("measures records that come later by the ones that came first", () => {
    const said = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, [packed([axis(id === 4 || id === 6 ? 0 : 5)])]]));
    const reader = late(reading(["dentist"]), said);
    reader.read([1, 2, 3, 4, 5], () => alone);
    expect(reader.read([6], () => alone).get(6)?.late_rare).toBe(1);
  });

  it("leaves names and stop words of the question out", () => {
    const said = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, [packed([axis(id === 4 ? 1 : 5)])]]));
    const asked = reading(["lena", "dentist", "the"]);
    const features = late(asked, said, ["Lena"]).read([...said.keys()], () => alone);
    expect(features.get(4)?.late_rare).toBe(1);
  });

  it("is nothing where no tokens are kept, or the question was not read", () => {
    const ids = [1, 2, 3];
    const none = late(reading(["dentist"]), new Map()).read(ids, () => alone);
    expect([...none.values()]).toEqual(ids.map(() => noLate));
    const unread = new LateInteraction({ tokensOf: () => new Map() }, { people: [] }, new Map());
    expect(unread.read(ids, () => alone).size).toBe(0);
  });
});
