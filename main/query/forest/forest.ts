import { type CandidateEdge, Forests } from "./kruskal.ts";

/**
 * The query-aware evidence forest (GraphMemix, "Evidence forest optimisation"): choose records S and an acyclic F on S that
 * maximise Σ_{i∈S} (p_i − κ) + Σ_{e∈F} B_e with B_e = κ − λ·c_e, which is Σ p_i − λ Σ c_e − κ·(number of trees).
 * Deterministic; works on positions (0 … n−1 in retrieval order), knows nothing of records.
 */

export type { CandidateEdge };

export interface ForestSettings {
  /** Budget K of the proposal (GraphMemix: 10). */
  readonly size: number;
  /** κ of the fixed-K proposal (GraphMemix: 0.2). */
  readonly proposalTreeCost: number;
  /** κ of the exact refinement (GraphMemix: 0.12). */
  readonly treeCost: number;
  /** λ (GraphMemix: 0.1). */
  readonly edgeCost: number;
  /** Whether 1-swaps may exchange records; without them the first K by utility are the proposal. */
  readonly swaps: boolean;
}

export const forestSettings: ForestSettings = {
  size: 10,
  proposalTreeCost: 0.2,
  treeCost: 0.12,
  edgeCost: 0.1,
  swaps: true,
};

/** Up to here all subsets can be tried, so that the solution is the optimum over the whole pool and not only inside a proposal. */
const exactPool = 12;

export interface ForestSolution {
  /** Chosen positions, ascending. */
  readonly chosen: readonly number[];
  /** Edges of the forest, indexes into the edges given. */
  readonly edges: readonly number[];
  readonly objective: number;
}

/** Values nearer than this are equal: sums of the same numbers in another order. */
export const epsilon = 1e-12;

/** Proposal, then the exact refinement inside it; pools of at most twelve are solved outright. */
export function solveForest(
  utilities: readonly number[],
  edges: readonly CandidateEdge[],
  settings: ForestSettings = forestSettings,
): ForestSolution {
  if (!settings.swaps) return refine(utilities, edges, firstByUtility(utilities, settings.size), settings);
  const proposal = utilities.length <= exactPool ? [...utilities.keys()] : propose(utilities, edges, settings);
  return refine(utilities, edges, proposal, settings);
}

/** The first positions by utility, ties to the earlier rank; ascending. */
export function firstByUtility(utilities: readonly number[], size: number): number[] {
  const order = [...utilities.keys()].sort((a, b) => (utilities[b] ?? 0) - (utilities[a] ?? 0) || a - b);
  return order.slice(0, size).sort((a, b) => a - b);
}

/**
 * Fixed-K proposal: the first K by utility, then the best improving 1-swap again and again until none is left. Each swap is
 * scored by the exact maximum-weight forest of the set it would give.
 */
export function propose(
  utilities: readonly number[],
  edges: readonly CandidateEdge[],
  settings: Pick<ForestSettings, "size" | "proposalTreeCost" | "edgeCost">,
): number[] {
  const inside = utilities.map(() => false);
  for (const at of firstByUtility(utilities, settings.size)) inside[at] = true;
  const forests = new Forests(edges, utilities.length, settings.proposalTreeCost, settings.edgeCost);
  // κ is paid K times whatever is chosen, so the fixed-K value needs only utilities and gains.
  let utility = 0;
  for (const at of inside.keys()) if (inside[at]) utility += utilities[at] ?? 0;
  let value = utility + forests.gainOf(forests.forestIn(inside));
  for (;;) {
    let best: { out: number; into: number; value: number } | null = null;
    for (let out = 0; out < utilities.length; out++) {
      if (!inside[out]) continue;
      inside[out] = false;
      const rest = forests.forestIn(inside);
      const kept = forests.gainOf(rest);
      for (let into = 0; into < utilities.length; into++) {
        if (inside[into] || into === out) continue;
        const bare = utility - (utilities[out] ?? 0) + (utilities[into] ?? 0) + kept;
        const least = Math.max(value, best?.value ?? 0) + epsilon;
        if (bare + forests.mostFor(into, inside) <= least) continue;
        const swapped = bare - kept + forests.gainOf(forests.grown(rest, into, inside));
        if (swapped > least) best = { out, into, value: swapped };
      }
      inside[out] = true;
    }
    if (best === null) break;
    inside[best.out] = false;
    inside[best.into] = true;
    utility += (utilities[best.into] ?? 0) - (utilities[best.out] ?? 0);
    value = best.value;
  }
  return [...inside.keys()].filter((at) => inside[at]);
}

/**
 * The best nonempty subset of the proposal with at most K records; ties to fewer records, then to earlier ranks. Subsets
 * are walked in the order of their numbers: the forest of one is that of the subset without its last record, grown.
 */
export function refine(
  utilities: readonly number[],
  edges: readonly CandidateEdge[],
  proposal: readonly number[],
  settings: Pick<ForestSettings, "size" | "treeCost" | "edgeCost">,
): ForestSolution {
  if (proposal.length === 0) return { chosen: [], edges: [], objective: 0 };
  const place = new Map(proposal.map((position, at) => [position, at]));
  const local = edges.map(({ a, b, cost }) => ({ a: place.get(a) ?? -1, b: place.get(b) ?? -1, cost }));
  const forests = new Forests(local, proposal.length, settings.treeCost, settings.edgeCost);
  const inside = proposal.map(() => false);
  const grown: (readonly number[])[] = [[]];
  const worth: number[] = [0];
  let best = { mask: 0, size: 0, value: Number.NEGATIVE_INFINITY };
  for (let mask = 1; mask < 2 ** proposal.length; mask++) {
    const last = 31 - Math.clz32(mask);
    const before = mask ^ (1 << last);
    let size = 0;
    for (let at = 0; at < proposal.length; at++) {
      inside[at] = ((before >> at) & 1) === 1;
      if (inside[at]) size++;
    }
    size++;
    grown[mask] = forests.grown(grown[before] ?? [], last, inside);
    worth[mask] = (worth[before] ?? 0) + (utilities[proposal[last] ?? 0] ?? 0) - settings.treeCost;
    if (size > settings.size) continue;
    const value = (worth[mask] ?? 0) + forests.gainOf(grown[mask] ?? []);
    const better =
      value > best.value + epsilon ||
      (value > best.value - epsilon && (size < best.size || (size === best.size && earlier(mask, best.mask))));
    if (better) best = { mask, size, value };
  }
  return {
    chosen: proposal.filter((_, at) => ((best.mask >> at) & 1) === 1),
    edges: forests.edgesOf(grown[best.mask] ?? []),
    objective: best.value,
  };
}

/** Of two subsets of one size, the one whose ranks come first: the lowest bit in which they differ decides. */
function earlier(mask: number, other: number): boolean {
  const differ = mask ^ other;
  return differ !== 0 && (mask & (differ & -differ)) !== 0;
}

export interface PlacedNode {
  readonly position: number;
  readonly parent: number | null;
  readonly tree: number;
  readonly depth: number;
}

/**
 * Order for reading (GraphMemix, serialisation): the root of a tree is its node of highest utility, trees by their roots'
 * utility, breadth first inside, ties by utility and then by retrieval order.
 */
export function serialise(
  utilities: readonly number[],
  chosen: readonly number[],
  treeEdges: readonly { readonly a: number; readonly b: number }[],
): PlacedNode[] {
  const byUtility = (a: number, b: number) => (utilities[b] ?? 0) - (utilities[a] ?? 0) || a - b;
  const neighbours = new Map<number, number[]>(chosen.map((position) => [position, []]));
  for (const { a, b } of treeEdges) {
    neighbours.get(a)?.push(b);
    neighbours.get(b)?.push(a);
  }
  const placed: PlacedNode[] = [];
  const seen = new Set<number>();
  let tree = 0;
  for (const root of chosen.toSorted(byUtility)) {
    if (seen.has(root)) continue;
    seen.add(root);
    const queue: PlacedNode[] = [{ position: root, parent: null, tree, depth: 0 }];
    for (const node of queue) {
      placed.push(node);
      for (const next of (neighbours.get(node.position) ?? []).toSorted(byUtility)) {
        if (seen.has(next)) continue;
        seen.add(next);
        queue.push({ position: next, parent: node.position, tree, depth: node.depth + 1 });
      }
    }
    tree++;
  }
  return placed;
}
