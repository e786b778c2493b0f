import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forestSettings } from "#main/query/forest/forest.ts";
import {
  type SelectionInput,
  type SelectionName,
  selectForest,
  selectionFor,
  selections,
} from "#main/query/forest/selection.ts";

const names = Object.keys(selections) as SelectionName[];

const input = fc.integer({ min: 1, max: 14 }).chain((n) =>
  fc
    .record({
      utilities: fc.array(
        fc.integer({ min: 0, max: 20 }).map((value) => value / 20),
        { minLength: n, maxLength: n },
      ),
      edges: fc.array(
        fc.record({
          a: fc.nat(n - 1),
          b: fc.nat(n - 1),
          cost: fc.integer({ min: 0, max: 30 }).map((value) => value / 10),
        }),
        { maxLength: 20 },
      ),
      size: fc.integer({ min: 1, max: 5 }),
    })
    .map(
      ({ utilities, edges, size }): SelectionInput => ({
        utilities,
        edges,
        // Unit vectors in the plane, none like another: their cosines make a proper kernel.
        similarity: (a, b) => Math.cos((a - b) / 5),
        settings: { ...forestSettings, size },
      }),
    ),
);

const byHand = (utilities: readonly number[], more: Partial<SelectionInput> = {}): SelectionInput => ({
  utilities,
  edges: [],
  similarity: () => 0,
  settings: { ...forestSettings, size: 2 },
  ...more,
});

describe("every way of choosing", () => {
  it.each(names)("%s gives K different records, ascending, and the same ones again", (name) => {
    fc.assert(
      fc.property(input, (given) => {
        const chosen = selections[name](given);
        expect(chosen.length).toBe(Math.min(given.settings.size, given.utilities.length));
        expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
        expect(chosen.every((at) => at >= 0 && at < given.utilities.length)).toBe(true);
        expect(selections[name](given)).toEqual(chosen);
      }),
      { numRuns: 60 },
    );
  });

  it.each(["utility", "mmr", "relevanceRedundancy", "anchorNeighbour", "pointwise", "greedyForest", "forest"] as const)(
    "%s takes the first K by utility where nothing ties or resembles anything",
    (name) => {
      expect(selections[name](byHand([0.1, 0.9, 0.3, 0.8]))).toEqual([1, 3]);
    },
  );
});

describe("the comparators", () => {
  const alike = (a: number, b: number) => (Math.max(a, b) < 2 ? 1 : 0);

  it("MMR, relevance–redundancy, DPP and facility location pass over the second of two that say the same", () => {
    const close = byHand([0.6, 0.59, 0.58, 0.1], { similarity: (a, b) => (a === b ? 1 : alike(a, b)) });
    for (const name of ["mmr", "relevanceRedundancy", "dpp", "facility"] as const)
      expect(selections[name](close)).toEqual([0, 2]);
    expect(selections.utility(close)).toEqual([0, 1]);
  });

  it("DPP takes greedily what raises the determinant of its kernel most", () => {
    const determinant = (matrix: number[][]): number =>
      matrix.length === 0
        ? 1
        : (matrix[0] ?? []).reduce(
            (sum, entry, at) =>
              sum +
              (at % 2 === 0 ? 1 : -1) *
                entry *
                determinant(matrix.slice(1).map((row) => row.filter((_, column) => column !== at))),
            0,
          );
    fc.assert(
      fc.property(input, (given) => {
        const { utilities, similarity, settings } = given;
        const entry = (a: number, b: number) =>
          Math.exp(4 * ((utilities[a] ?? 0) + (utilities[b] ?? 0))) *
          Math.exp(-(1 - (a === b ? 1 : similarity(a, b))) / 0.25);
        const value = (set: readonly number[]) => determinant(set.map((a) => set.map((b) => entry(a, b))));
        const chosen: number[] = [];
        while (chosen.length < Math.min(settings.size, 3, utilities.length)) {
          const left = [...utilities.keys()].filter((at) => !chosen.includes(at));
          const best = Math.max(...left.map((at) => value([...chosen, at])));
          // Two nearly equal choices may go either way: such cases say nothing.
          const near = left.filter((at) => value([...chosen, at]) > best * (1 - 1e-6) - 1e-12);
          if (near.length > 1) return;
          chosen.push(near[0] ?? 0);
        }
        const sized = { ...given, settings: { ...settings, size: chosen.length } };
        expect(selections.dpp(sized)).toEqual(chosen.sort((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });

  it("spreads what a gathering question takes over sessions, and leaves all other questions as they are", () => {
    const sessions = ["a", "a", "b", null];
    const given = byHand([0.9, 0.5, 0.48, 0.1], { session: (at) => sessions[at] ?? null, gathers: true });
    expect(selections.spread(given)).toEqual([0, 2]);
    expect(selections.spread({ ...given, gathers: false })).toEqual([0, 1]);
    // A record that is clearly better stays, whatever was heard there already.
    expect(selections.spread({ ...given, utilities: [0.9, 0.7, 0.48, 0.1] })).toEqual([0, 1]);
  });

  it("anchor–neighbour looks at the best record's edges alone, the pointwise bonus at everybody's strongest", () => {
    const given = byHand([0.9, 0.5, 0.45, 0.4], {
      edges: [
        { a: 0, b: 3, cost: 0.1 },
        { a: 1, b: 2, cost: 0.01 },
      ],
    });
    expect(selections.anchorNeighbour(given)).toEqual([0, 3]);
    expect(selections.pointwise(given)).toEqual([0, 2]);
  });

  it("the forest's proposal is worth at least what greedy choice and utility alone are, by its own objective", () => {
    fc.assert(
      fc.property(input, (given) => {
        const { utilities, edges, settings } = given;
        const worth = (set: readonly number[]) => {
          const tried = selectForest(
            "utility",
            {
              utilities: set.map((at) => (utilities[at] ?? 0) + 10),
              edges: edges.flatMap(({ a, b, cost }) =>
                set.includes(a) && set.includes(b) ? [{ a: set.indexOf(a), b: set.indexOf(b), cost }] : [],
              ),
              similarity: () => 0,
            },
            { ...settings, treeCost: settings.proposalTreeCost },
          );
          return tried.objective;
        };
        expect(worth(selections.forest(given))).toBeGreaterThanOrEqual(worth(selections.utility(given)) - 1e-9);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a tier", () => {
  it("exchanges records only by edges that a model has judged", () => {
    expect(selectionFor(null)).toBe("utility");
    expect(selectionFor({ tier: "reranked", rows: null })).toBe("utility");
    expect(selectionFor({ tier: "verified", rows: null })).toBe("utility");
    expect(selectionFor({ tier: "verified", rows: [] })).toBe("forest");
  });
});
