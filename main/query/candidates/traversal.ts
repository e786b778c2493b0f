import type { QueryPlan, RecordId } from "#contract";

/**
 * Intent-weighted traversal of the relation graphs (MAGMA §2.4, algorithm 1): a beam search from the anchors,
 * score_v = score_u·γ + exp(λ1·φ(type, intent) + λ2·sim(v, q)). A pure function of the neighbours it is given.
 */

/** The four graphs (MAGMA §2.1). */
export type GraphKind = "temporal" | "causal" | "semantic" | "entity";

export interface Neighbour {
  readonly from: RecordId;
  readonly to: RecordId;
  readonly kind: GraphKind;
  /** How sure the tie is, 0–1. */
  readonly weight: number;
}

export const traversalSettings = {
  /** Depth and size (MAGMA, table of hyperparameters). */
  hops: 5,
  nodes: 200,
  /** λ1 and the middle of λ2's range (0.3–0.7). */
  structure: 1,
  similarity: 0.5,
  /** γ and the width of the beam: the paper names neither; a step back costs half, and a beam is as wide as the anchors. */
  decay: 0.5,
  beam: 10,
  /** A step worth less than this share of the best possible one of its intent is not taken (the paper's drop threshold). */
  drop: 0.15,
} as const;

/** φ by intent, inside the paper's ranges: entity 2.5–6, temporal 0.5–4, causal 3–5, phrase (here semantic) 2.5–5. */
export const intentWeights: Readonly<Record<QueryPlan["intent"], Readonly<Record<GraphKind, number>>>> = {
  why: { causal: 5, temporal: 2, entity: 2.5, semantic: 2.5 },
  when: { temporal: 4, causal: 3, entity: 2.5, semantic: 2.5 },
  entity: { entity: 6, semantic: 4, temporal: 0.5, causal: 3 },
  what: { semantic: 5, entity: 4, temporal: 2, causal: 3 },
};

export interface Reached {
  readonly recordId: RecordId;
  /** Sum of decayed transition scores over the best transition of the intent; 1 is one perfect step. */
  readonly score: number;
  readonly hops: number;
  /** By which graph it was reached last. */
  readonly by: GraphKind;
}

/**
 * Records reached from the anchors, best first (ties by id), anchors left out. `neighbours` is asked once a hop for the
 * whole beam; an answer too long is cut. `similarity` is the cosine of a record to the question, 0 where there is none.
 */
export function traverse(
  anchors: readonly { readonly recordId: RecordId; readonly score: number }[],
  intent: QueryPlan["intent"],
  neighbours: (ids: readonly RecordId[]) => readonly Neighbour[],
  similarity: (id: RecordId) => number,
  settings: { readonly [K in keyof typeof traversalSettings]: number } = traversalSettings,
): Reached[] {
  const weights = intentWeights[intent];
  const best = Math.exp(settings.structure * Math.max(...Object.values(weights)) + settings.similarity);
  const step = ({ to, kind, weight }: Neighbour) =>
    Math.exp(settings.structure * weights[kind] * weight + settings.similarity * Math.max(0, similarity(to))) / best;
  const visited = new Set(anchors.map(({ recordId }) => recordId));
  const found: Reached[] = [];
  let frontier = new Map(anchors.slice(0, settings.beam).map(({ recordId, score }) => [recordId, score]));
  for (let hops = 1; hops <= settings.hops && frontier.size > 0 && found.length < settings.nodes; hops++) {
    const next = new Map<RecordId, Reached>();
    for (const edge of neighbours([...frontier.keys()])) {
      const above = frontier.get(edge.from);
      const worth = step(edge);
      if (above === undefined || visited.has(edge.to) || worth < settings.drop) continue;
      const score = above * settings.decay + worth;
      if (score > (next.get(edge.to)?.score ?? 0)) next.set(edge.to, { recordId: edge.to, score, hops, by: edge.kind });
    }
    const kept = [...next.values()].sort(byScore).slice(0, Math.min(settings.beam, settings.nodes - found.length));
    for (const one of kept) visited.add(one.recordId);
    found.push(...kept);
    frontier = new Map(kept.map(({ recordId, score }) => [recordId, score]));
  }
  return found.sort(byScore);
}

const byScore = (a: Reached, b: Reached) => b.score - a.score || a.recordId - b.recordId;

/** Reciprocal rank fusion with k = 60 (MAGMA §2.3): only for lists that have nothing but ranks. Best first, ties by id. */
export function fuseRanks(lists: readonly (readonly RecordId[])[], k = 60): { recordId: RecordId; score: number }[] {
  const scores = new Map<RecordId, number>();
  for (const list of lists) {
    for (const [rank, id] of [...new Set(list)].entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (k + rank + 1));
  }
  return [...scores]
    .map(([recordId, score]) => ({ recordId, score }))
    .sort((a, b) => b.score - a.score || a.recordId - b.recordId);
}
