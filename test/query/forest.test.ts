import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CandidateEdge,
  type ForestSettings,
  firstByUtility,
  forestSettings,
  propose,
  serialise,
  solveForest,
} from "#main/query/forest/forest.ts";
import { Forests } from "#main/query/forest/kruskal.ts";

/** Best weight of an acyclic edge set inside a subset, by trying every edge set: the definition itself. */
function bestForest(
  inside: ReadonlySet<number>,
  edges: readonly CandidateEdge[],
  treeCost: number,
  edgeCost: number,
): number {
  const usable = edges.filter(({ a, b }) => a !== b && inside.has(a) && inside.has(b));
  let best = 0;
  for (let mask = 0; mask < 2 ** usable.length; mask++) {
    const group = new Map([...inside].map((position) => [position, position]));
    let value = 0;
    let acyclic = true;
    for (const [at, { a, b, cost }] of usable.entries()) {
      if (!((mask >> at) & 1)) continue;
      const [x, y] = [group.get(a), group.get(b)];
      if (x === y) acyclic = false;
      for (const [position, name] of group) if (name === y) group.set(position, x ?? 0);
      value += treeCost - edgeCost * cost;
    }
    if (acyclic) best = Math.max(best, value);
  }
  return best;
}

function* subsets(positions: readonly number[]): Generator<Set<number>> {
  for (let mask = 1; mask < 2 ** positions.length; mask++) yield new Set(positions.filter((_, at) => (mask >> at) & 1));
}

const sum = (utilities: readonly number[], chosen: Iterable<number>) =>
  [...chosen].reduce((total, at) => total + (utilities[at] ?? 0), 0);

const pool = (most: number, ties: number) =>
  fc.integer({ min: 1, max: most }).chain((n) =>
    fc.record({
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
        { maxLength: ties },
      ),
    }),
  );
const instance = pool(7, 7);

/** The same weight by the textbook's Kruskal, for sets too big to try every edge set. */
function kruskal(
  inside: ReadonlySet<number>,
  edges: readonly CandidateEdge[],
  treeCost: number,
  edgeCost: number,
): number {
  const group = new Map([...inside].map((position) => [position, position]));
  let value = 0;
  for (const { a, b, cost } of edges.toSorted((x, y) => x.cost - y.cost)) {
    const [x, y] = [group.get(a), group.get(b)];
    if (x === undefined || y === undefined || x === y || treeCost - edgeCost * cost <= 0) continue;
    for (const [position, name] of group) if (name === y) group.set(position, x);
    value += treeCost - edgeCost * cost;
  }
  return value;
}

describe("the evidence forest", () => {
  it("is exact inside the proposal: equal to the best over all nonempty subsets and edge sets, ties to fewer records, then earlier ranks", () => {
    fc.assert(
      fc.property(instance, ({ utilities, edges }) => {
        // The proposal holds everything, so the answer must be the global optimum.
        const solution = solveForest(utilities, edges, { ...forestSettings, size: 10 });
        let best: { value: number; chosen: number[] } | null = null;
        for (const subset of subsets(utilities.map((_, at) => at))) {
          const value =
            sum(utilities, subset) -
            forestSettings.treeCost * subset.size +
            bestForest(subset, edges, forestSettings.treeCost, forestSettings.edgeCost);
          const chosen = [...subset].sort((a, b) => a - b);
          const tie = best !== null && Math.abs(value - best.value) < 1e-9;
          if (
            best === null ||
            (!tie && value > best.value) ||
            (tie &&
              (chosen.length < best.chosen.length ||
                (chosen.length === best.chosen.length && String(chosen) < String(best.chosen))))
          ) {
            best = { value, chosen };
          }
        }
        expect(solution.objective).toBeCloseTo(best?.value ?? 0, 9);
        expect(solution.chosen).toEqual(best?.chosen);
      }),
      { numRuns: 300 },
    );
  });

  it("proposes K records that no single swap improves, and never fewer of value than the first K by utility", () => {
    fc.assert(
      fc.property(instance, fc.integer({ min: 1, max: 4 }), ({ utilities, edges }, size) => {
        const settings: ForestSettings = { ...forestSettings, size };
        const chosen = propose(utilities, edges, settings);
        const value = (set: Iterable<number>) =>
          sum(utilities, set) + bestForest(new Set(set), edges, settings.proposalTreeCost, settings.edgeCost);
        const reached = value(chosen);
        expect(chosen.length).toBe(Math.min(size, utilities.length));
        expect(reached).toBeGreaterThanOrEqual(value(firstByUtility(utilities, size)) - 1e-9);
        for (const out of chosen) {
          for (const into of utilities.keys()) {
            if (chosen.includes(into)) continue;
            expect(value([...chosen.filter((at) => at !== out), into])).toBeLessThanOrEqual(reached + 1e-9);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it("of a pool of up to twelve is the optimum of the whole problem under the budget", () => {
    fc.assert(
      fc.property(pool(12, 20), fc.integer({ min: 1, max: 10 }), ({ utilities, edges }, size) => {
        const { treeCost, edgeCost } = forestSettings;
        const solution = solveForest(utilities, edges, { ...forestSettings, size });
        let best = Number.NEGATIVE_INFINITY;
        for (const subset of subsets([...utilities.keys()])) {
          if (subset.size > size) continue;
          const value = sum(utilities, subset) - treeCost * subset.size + kruskal(subset, edges, treeCost, edgeCost);
          best = Math.max(best, value);
        }
        expect(solution.objective).toBeCloseTo(best, 9);
        expect(solution.chosen.length).toBeLessThanOrEqual(size);
      }),
      { numRuns: 25 },
    );
  });

  it("grows a forest by one record to what Kruskal finds from nothing", () => {
    fc.assert(
      fc.property(pool(10, 30), fc.nat(), ({ utilities, edges }, pick) => {
        const forests = new Forests(edges, utilities.length, 0.2, 0.1);
        const into = pick % utilities.length;
        const without = utilities.map((_, at) => at !== into);
        const whole = utilities.map(() => true);
        expect(forests.grown(forests.forestIn(without), into, without)).toEqual(forests.forestIn(whole));
      }),
    );
  });

  it("without swaps chooses only among the first K by utility", () => {
    fc.assert(
      fc.property(instance, ({ utilities, edges }) => {
        const { chosen } = solveForest(utilities, edges, { ...forestSettings, size: 3, swaps: false });
        const first = utilities
          .map((_, at) => at)
          .sort((a, b) => (utilities[b] ?? 0) - (utilities[a] ?? 0) || a - b)
          .slice(0, 3);
        expect(chosen.every((at) => first.includes(at))).toBe(true);
      }),
    );
  });

  it("recovers a record of low utility through a strong edge to a chosen one", () => {
    const utilities = [0.9, 0.3, 0.05];
    const weak = solveForest(utilities, [], { ...forestSettings, size: 2 });
    const strong = solveForest(utilities, [{ a: 0, b: 2, cost: 0 }], { ...forestSettings, size: 3 });
    expect(weak.chosen).toEqual([0, 1]);
    expect(strong.chosen).toEqual([0, 1, 2]);
    expect(strong.edges).toEqual([0]);
  });

  it("answers nothing for nothing, and the best record when none is worth its tree", () => {
    expect(solveForest([], [])).toEqual({ chosen: [], edges: [], objective: 0 });
    expect(solveForest([0.01, 0.05, 0.02], []).chosen).toEqual([1]);
  });

  it("is read from the root of highest utility, breadth first, trees by their roots", () => {
    const utilities = [0.5, 0.9, 0.6, 0.95, 0.1];
    const placed = serialise(
      utilities,
      [0, 1, 2, 3, 4],
      [
        { a: 0, b: 1 },
        { a: 1, b: 2 },
        { a: 0, b: 4 },
      ],
    );
    expect(placed.map(({ position }) => position)).toEqual([3, 1, 2, 0, 4]);
    expect(placed.map(({ tree }) => tree)).toEqual([0, 1, 1, 1, 1]);
    expect(placed.map(({ depth }) => depth)).toEqual([0, 0, 1, 1, 2]);
    expect(placed.map(({ parent }) => parent)).toEqual([null, null, 1, 1, 0]);
  });
});
