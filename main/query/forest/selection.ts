import type { AskResult, QueryPlan } from "#contract";
import {
  type CandidateEdge,
  epsilon,
  type ForestSettings,
  type ForestSolution,
  firstByUtility,
  forestSettings,
  propose,
  refine,
  solveForest,
} from "./forest.ts";
import { Forests } from "./kruskal.ts";

/** What a choice of records is made from; positions are those of the frozen retrieval. */
export interface SelectionInput {
  /** p_i, 0–1. */
  readonly utilities: readonly number[];
  /** Trusted edges from an anchor (`a`) to the record that it brings in (`b`). */
  readonly edges: readonly CandidateEdge[];
  /** Cosine of two records' texts; 0 where one has no vector. */
  readonly similarity: (a: number, b: number) => number;
  /** Session of a record, null where it is not said in a row; absent: nothing is known of sessions. */
  readonly session?: (at: number) => string | null;
  /** The question asks for everything that fits (a list, a count, what several have in common). */
  readonly gathers?: boolean;
  readonly settings: ForestSettings;
}

/** Chooses exactly K positions (fewer only where there are fewer), ascending. Deterministic: ties go to the earlier rank. */
export type Selection = (input: SelectionInput) => number[];

/** Parameters of the comparators (GraphMemix, A.6), one setting for every data set. */
const comparator = {
  mmr: 0.05,
  redundancy: 0.02,
  dpp: { gamma: 8, sigma: 0.5 },
  facility: 0.25,
  anchor: 1.6,
  pointwise: 0.4,
};

/** w_e = e^(−c), the reliability of an edge. */
const reliability = ({ cost }: CandidateEdge) => Math.exp(-cost);

/** Takes the best of the others K times; `gain` may look at what is chosen so far. */
function greedy(input: SelectionInput, gain: (at: number, chosen: readonly number[]) => number): number[] {
  const chosen: number[] = [];
  const left = new Set(input.utilities.keys());
  while (chosen.length < input.settings.size && left.size > 0) {
    let best = { at: -1, gain: Number.NEGATIVE_INFINITY };
    for (const at of left) {
      const value = gain(at, chosen);
      if (value > best.gain + epsilon || best.at < 0) best = { at, gain: value };
    }
    chosen.push(best.at);
    left.delete(best.at);
  }
  return chosen.sort((a, b) => a - b);
}

const utilityOf = ({ utilities }: SelectionInput, at: number) => utilities[at] ?? 0;

/** Utility against the nearest of the chosen (Carbonell and Goldstein 1998). */
const mmr: Selection = (input) =>
  greedy(input, (at, chosen) => {
    const nearest = chosen.reduce((most, other) => Math.max(most, input.similarity(at, other)), 0);
    return utilityOf(input, at) - comparator.mmr * nearest;
  });

/** Σ p − β Σ over all pairs of their likeness: greedy, then the best 1-swap until none improves. */
const relevanceRedundancy: Selection = (input) => {
  const worth = (at: number, others: Iterable<number>) => {
    let value = utilityOf(input, at);
    for (const other of others) if (other !== at) value -= comparator.redundancy * input.similarity(at, other);
    return value;
  };
  const chosen = new Set(greedy(input, worth));
  for (;;) {
    let best: { out: number; into: number; gain: number } | null = null;
    for (const out of chosen) {
      const rest = [...chosen].filter((at) => at !== out);
      const lost = worth(out, rest);
      for (const into of input.utilities.keys()) {
        if (chosen.has(into)) continue;
        const gain = worth(into, rest) - lost;
        if (gain > (best?.gain ?? 0) + epsilon) best = { out, into, gain };
      }
    }
    if (best === null) return [...chosen].sort((a, b) => a - b);
    chosen.delete(best.out);
    chosen.add(best.into);
  }
};

/**
 * Determinantal point process, greedy maximum of log det L with L_ij = q_i·q_j·exp(−|x_i − x_j|²/2σ²) and q_i = exp(γ·p_i/2), by
 * a growing Cholesky factor (Chen et al. 2018). |x_i − x_j|² = 2 − 2·cosine of unit vectors.
 */
const dpp: Selection = (input) => {
  const { gamma, sigma } = comparator.dpp;
  const quality = input.utilities.map((p) => Math.exp((gamma * p) / 2));
  const kernel = (a: number, b: number) =>
    (quality[a] ?? 0) * (quality[b] ?? 0) * (a === b ? 1 : Math.exp(-(1 - input.similarity(a, b)) / sigma ** 2));
  const rows = input.utilities.map((): number[] => []);
  const left = new Map(input.utilities.map((_, at) => [at, kernel(at, at)]));
  const chosen: number[] = [];
  while (chosen.length < input.settings.size && left.size > 0) {
    let best = { at: -1, value: Number.NEGATIVE_INFINITY };
    for (const [at, value] of left) if (value > best.value + epsilon) best = { at, value };
    chosen.push(best.at);
    left.delete(best.at);
    const root = Math.sqrt(Math.max(best.value, epsilon));
    const row = rows[best.at] ?? [];
    for (const [at, value] of left) {
      const own = rows[at] ?? [];
      const inner = row.reduce((sum, entry, i) => sum + entry * (own[i] ?? 0), 0);
      const entry = (kernel(best.at, at) - inner) / root;
      own.push(entry);
      left.set(at, value - entry * entry);
    }
    row.push(root);
  }
  return chosen.sort((a, b) => a - b);
};

/** Σ p plus β times how well the chosen stand for all candidates: the mean of each one's likeness to its nearest chosen. */
const facility: Selection = (input) => {
  const all = [...input.utilities.keys()];
  const near = (of: number, to: number) => (of === to ? 1 : Math.max(0, input.similarity(of, to)));
  return greedy(input, (at, chosen) => {
    let covered = 0;
    for (const one of all) {
      const before = chosen.reduce((most, other) => Math.max(most, near(one, other)), 0);
      covered += Math.max(0, near(one, at) - before);
    }
    return utilityOf(input, at) + (comparator.facility * covered) / Math.max(1, all.length);
  });
};

/** Utilities raised by a bonus, then the first K. */
const raised = (input: SelectionInput, bonus: ReadonlyMap<number, number>) =>
  firstByUtility(
    input.utilities.map((p, at) => p + (bonus.get(at) ?? 0)),
    input.settings.size,
  );

/** The best record first, the others by utility plus what they are verified to add to that one. */
const anchorNeighbour: Selection = (input) => {
  const [first] = firstByUtility(input.utilities, 1);
  const bonus = new Map<number, number>();
  for (const edge of input.edges) {
    if (edge.a === first) bonus.set(edge.b, comparator.anchor * reliability(edge));
  }
  if (first !== undefined) bonus.set(first, Number.POSITIVE_INFINITY);
  return raised(input, bonus);
};

/** Each record by utility plus its strongest verified edge. */
const pointwise: Selection = (input) => {
  const bonus = new Map<number, number>();
  for (const edge of input.edges) {
    const value = comparator.pointwise * reliability(edge);
    bonus.set(edge.b, Math.max(bonus.get(edge.b) ?? 0, value));
  }
  return raised(input, bonus);
};

/** The forest's objective by forward greedy marginal gains, without swaps. */
const greedyForest: Selection = (input) => {
  const { utilities, edges, settings } = input;
  const forests = new Forests(edges, utilities.length, settings.proposalTreeCost, settings.edgeCost);
  const inside = utilities.map(() => false);
  let forest: readonly number[] = [];
  let seen = 0;
  return greedy(input, (at, chosen) => {
    for (; seen < chosen.length; seen++) {
      const last = chosen[seen] ?? 0;
      forest = forests.grown(forest, last, inside);
      inside[last] = true;
    }
    return utilityOf(input, at) + forests.gainOf(forests.grown(forest, at, inside)) - forests.gainOf(forest);
  });
};

/** Whether a plan asks for everything that fits. */
export const gathers = ({ operation }: Pick<QueryPlan, "operation">): boolean =>
  operation === "union" || operation === "count" || operation === "intersection";

/** Log odds that each record of the same session already chosen takes from the next one (tuned on the development fold). */
const sessionCost = 0.25;

/**
 * For questions that gather: what is asked for was told on several occasions, so a further record of an occasion that has
 * been heard must be a little better than one of another. For all others the first K by utility.
 */
const spread: Selection = (input) => {
  const { utilities, session, gathers, settings } = input;
  if (gathers !== true || session === undefined) return firstByUtility(utilities, settings.size);
  const odds = utilities.map((utility) => {
    const p = Math.min(1 - 1e-6, Math.max(1e-6, utility));
    return Math.log(p / (1 - p));
  });
  return greedy(input, (at, chosen) => {
    const own = session(at);
    const heard = own === null ? 0 : chosen.filter((other) => session(other) === own).length;
    return (odds[at] ?? 0) - sessionCost * heard;
  });
};

/** The forest's own proposal and the eight that it is compared with (GraphMemix, A.6); `spread` is ours. */
export const selections = {
  utility: ({ utilities, settings }) => firstByUtility(utilities, settings.size),
  mmr,
  relevanceRedundancy,
  dpp,
  facility,
  anchorNeighbour,
  pointwise,
  greedyForest,
  spread,
  forest: ({ utilities, edges, settings }) => propose(utilities, edges, settings),
} as const satisfies Record<string, Selection>;
export type SelectionName = keyof typeof selections;

/**
 * Which one a tier's proposal is made by. It follows the development fold (docs/forest.md): where relations come from rules
 * no selection found more evidence than the first K by utility, so edges only order and group there.
 */
export const tierSelection: Readonly<Record<AskResult["tier"], SelectionName>> = {
  instant: "utility",
  reranked: "utility",
  verified: "forest",
};

/** The selection of a round: a tier's own counts only for edges that a model has judged, not for the rules'. */
export function selectionFor(
  opinion: { readonly tier: AskResult["tier"]; readonly rows: unknown } | null,
): SelectionName {
  return opinion === null || opinion.rows === null ? tierSelection.instant : tierSelection[opinion.tier];
}

/** Proposal by the tier's selection, then the exact refinement inside it. */
export function selectForest(
  selection: SelectionName,
  input: Omit<SelectionInput, "settings">,
  settings: ForestSettings = forestSettings,
): ForestSolution {
  const { utilities, edges } = input;
  if (selection === "forest") return solveForest(utilities, edges, { ...settings, swaps: true });
  return refine(utilities, edges, selections[selection]({ ...input, settings }), settings);
}
