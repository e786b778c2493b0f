/**
 * The query-aware evidence forest (GraphMemix, "Evidence forest optimisation"): choose records S and an acyclic F on S that
 * maximise Σ_{i∈S} (p_i − κ) + Σ_{e∈F} B_e with B_e = κ − λ·c_e, which is Σ p_i − λ Σ c_e − κ·(number of trees).
 * Deterministic; works on positions (0 … n−1 in retrieval order), knows nothing of records.
 */

/** Candidate edge between two positions; `cost` c_e = −ln w_e ≥ 0. */
export interface CandidateEdge {
  readonly a: number;
  readonly b: number;
  readonly cost: number;
}

export interface ForestSettings {
  /** Budget K of the proposal (GraphMemix: 10). */
  readonly size: number;
  /** κ of the fixed-K proposal (GraphMemix: 0.2). */
  readonly proposalTreeCost: number;
  /** κ of the exact refinement (GraphMemix: 0.12). */
  readonly treeCost: number;
  /** λ (GraphMemix: 0.1). */
  readonly edgeCost: number;
  /**
   * Whether 1-swaps may exchange records. Off in the instant tier: over a utility that already has neighbour and session
   * features no rule-based edge helped recall (recall study, "The forest without an LLM"), so edges only order and group.
   */
  readonly swaps: boolean;
}

export const forestSettings: ForestSettings = {
  size: 10,
  proposalTreeCost: 0.2,
  treeCost: 0.12,
  edgeCost: 0.1,
  swaps: true,
};

export interface ForestSolution {
  /** Chosen positions, ascending. */
  readonly chosen: readonly number[];
  /** Edges of the forest, indexes into the edges given. */
  readonly edges: readonly number[];
  readonly objective: number;
}

/** Values nearer than this are equal: sums of the same numbers in another order. */
const epsilon = 1e-12;

export function solveForest(
  utilities: readonly number[],
  edges: readonly CandidateEdge[],
  settings: ForestSettings = forestSettings,
): ForestSolution {
  if (utilities.length === 0) return { chosen: [], edges: [], objective: 0 };
  const proposal = propose(utilities, edges, settings);
  return refine(utilities, edges, proposal, settings);
}

interface Gain {
  readonly edge: number;
  readonly a: number;
  readonly b: number;
  readonly gain: number;
}

/** Positive-gain edges, best first; ties by the earlier ends. */
function gainsOf(edges: readonly CandidateEdge[], treeCost: number, edgeCost: number): Gain[] {
  return edges
    .map(({ a, b, cost }, edge) => ({ edge, a: Math.min(a, b), b: Math.max(a, b), gain: treeCost - edgeCost * cost }))
    .filter(({ gain, a, b }) => gain > epsilon && a !== b)
    .sort((x, y) => y.gain - x.gain || x.a - y.a || x.b - y.b || x.edge - y.edge);
}

/** Kruskal's maximum-weight forest inside `inside`; exact, because a forest is a basis of the graphic matroid. */
function maximumForest(
  gains: readonly Gain[],
  inside: readonly boolean[],
  parents: Int32Array,
): { gain: number; edges: number[] } {
  for (let at = 0; at < parents.length; at++) parents[at] = at;
  const root = (position: number): number => {
    let at = position;
    while (parents[at] !== at) {
      const up = parents[parents[at] ?? at] ?? at;
      parents[at] = up;
      at = up;
    }
    return at;
  };
  let total = 0;
  const taken: number[] = [];
  for (const { edge, a, b, gain } of gains) {
    if (!inside[a] || !inside[b]) continue;
    const [x, y] = [root(a), root(b)];
    if (x === y) continue;
    parents[Math.max(x, y)] = Math.min(x, y);
    total += gain;
    taken.push(edge);
  }
  return { gain: total, edges: taken };
}

/** The first K by utility (ties: earlier rank), then the best improving 1-swap again and again until none is left. */
function propose(utilities: readonly number[], edges: readonly CandidateEdge[], settings: ForestSettings): number[] {
  const order = utilities.map((_, at) => at).sort((a, b) => (utilities[b] ?? 0) - (utilities[a] ?? 0) || a - b);
  const inside = utilities.map(() => false);
  for (const at of order.slice(0, settings.size)) inside[at] = true;
  const parents = new Int32Array(utilities.length);
  const gains = gainsOf(edges, settings.proposalTreeCost, settings.edgeCost);
  // κ is paid K times whatever is chosen, so the fixed-K value needs only utilities and gains.
  const linked = utilities.map(() => false);
  for (const { a, b } of gains) {
    linked[a] = true;
    linked[b] = true;
  }
  let utility = order.slice(0, settings.size).reduce((sum, at) => sum + (utilities[at] ?? 0), 0);
  let value = utility + maximumForest(gains, inside, parents).gain;
  while (settings.swaps) {
    let best: { out: number; into: number; value: number } | null = null;
    const outside = order.filter((at) => !inside[at]);
    // Of the records without any edge only the one of highest utility can be worth taking in.
    const firstLonely = outside.find((at) => !linked[at]);
    const entrants = outside.filter((at) => linked[at] || at === firstLonely).sort((a, b) => a - b);
    for (let out = 0; out < utilities.length; out++) {
      if (!inside[out]) continue;
      inside[out] = false;
      for (const into of entrants) {
        inside[into] = true;
        const swapped =
          utility - (utilities[out] ?? 0) + (utilities[into] ?? 0) + maximumForest(gains, inside, parents).gain;
        inside[into] = false;
        if (swapped > value + epsilon && (best === null || swapped > best.value + epsilon))
          best = { out, into, value: swapped };
      }
      inside[out] = true;
    }
    if (best === null) break;
    inside[best.out] = false;
    inside[best.into] = true;
    utility += (utilities[best.into] ?? 0) - (utilities[best.out] ?? 0);
    value = best.value;
  }
  return utilities.map((_, at) => at).filter((at) => inside[at]);
}

/** The best nonempty subset of the proposal; ties to fewer records, then to earlier ranks. */
function refine(
  utilities: readonly number[],
  edges: readonly CandidateEdge[],
  proposal: readonly number[],
  settings: ForestSettings,
): ForestSolution {
  const place = new Map(proposal.map((position, at) => [position, at]));
  const gains = gainsOf(edges, settings.treeCost, settings.edgeCost).flatMap((gain) => {
    const [a, b] = [place.get(gain.a), place.get(gain.b)];
    return a === undefined || b === undefined ? [] : [{ ...gain, a, b }];
  });
  const parents = new Int32Array(proposal.length);
  const inside = proposal.map(() => false);
  let best: { mask: number; size: number; value: number; edges: number[] } | null = null;
  for (let mask = 1; mask < 2 ** proposal.length; mask++) {
    let value = 0;
    let size = 0;
    for (let at = 0; at < proposal.length; at++) {
      const within = ((mask >> at) & 1) === 1;
      inside[at] = within;
      if (!within) continue;
      size++;
      value += (utilities[proposal[at] ?? 0] ?? 0) - settings.treeCost;
    }
    const forest = maximumForest(gains, inside, parents);
    value += forest.gain;
    const better =
      best === null ||
      value > best.value + epsilon ||
      (value > best.value - epsilon && (size < best.size || (size === best.size && earlier(mask, best.mask))));
    if (better) best = { mask, size, value, edges: forest.edges };
  }
  const mask = best?.mask ?? 0;
  return {
    chosen: proposal.filter((_, at) => ((mask >> at) & 1) === 1),
    edges: (best?.edges ?? []).toSorted((a, b) => a - b),
    objective: best?.value ?? 0,
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
