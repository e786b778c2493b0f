import type { QueryPlan, RecordId, RelationType } from "#contract";
import type { GraphPorts, QueryPorts } from "../ports.ts";
import type { Scored } from "../recall/recall.ts";
import { fuseRanks, type GraphKind, type Neighbour, traverse } from "./traversal.ts";

/** Sources of candidates beyond retrieval and one hop; each gives records with a score of its own. */

/** How a candidate was found besides by retrieval: each source's own score, 0 or more; absent where it did not find it. */
export interface SourceScores {
  /** Decayed transition scores of the traversal (MAGMA §2.4). */
  readonly traversal?: number;
  /** Of its topic: anchor score, or that times the relation's confidence for a neighbour's (GAM §3.4). */
  readonly topic?: number;
  /** Of the frame that cites it (MIRIX §4.6). */
  readonly frame?: number;
}

export const sourceSettings = {
  /** Places among the M candidates that a source may take before the rest of the retrieval is looked at. */
  places: { frame: 8, topic: 6, traversal: 6 },
  /** Answers asked of a graph: 240 adjacent frames (MIRIX §4.5), the 5 nearest topics (GAM §3.3). */
  frames: 240,
  topics: 5,
  neighbours: 60,
} as const;

/** Which graph an edge of the index belongs to: turns and replies follow in time, the others share a matter or a place. */
const graphOf: Readonly<Record<RelationType, GraphKind>> = {
  consecutive_turn: "temporal",
  same_round: "temporal",
  reply_to: "temporal",
  same_thread: "temporal",
  event_bridge: "temporal",
  same_record: "entity",
  attachment_of: "entity",
  record_grounding: "entity",
  same_place: "entity",
  semantic: "semantic",
};

/**
 * Records by source in the order in which they are taken: cited by frames first (MIRIX §4.6: cited rows first), then topics,
 * then the traversal. A source whose graph is not there, or fails, gives none: direct retrieval goes on without it.
 */
export function graphSources(
  plan: QueryPlan,
  anchors: readonly Scored[],
  question: Float32Array | null,
  ports: Pick<QueryPorts, "index" | "graphs">,
): Map<RecordId, SourceScores> {
  const found = new Map<RecordId, SourceScores>();
  const take = (source: keyof SourceScores, ranked: readonly { recordId: RecordId; score: number }[]) => {
    for (const { recordId, score } of ranked.slice(0, sourceSettings.places[source])) {
      const known = found.get(recordId);
      if (score > (known?.[source] ?? 0)) found.set(recordId, { ...known, [source]: score });
    }
  };
  const { graphs } = ports;
  if (graphs?.frames) take("frame", cited(safely(() => graphs.frames?.(plan, question, sourceSettings.frames))));
  if (graphs?.topics) take("topic", drilled(safely(() => graphs.topics?.(plan, question, sourceSettings.topics))));
  if (graphs?.causal || graphs?.entity) {
    const neighbours = (ids: readonly RecordId[]) => neighboursOf(ids, ports);
    const score = new Map(anchors.map(({ recordId, probability }) => [recordId, probability]));
    take(
      "traversal",
      traverse(
        anchors.map(({ recordId }) => ({ recordId, score: score.get(recordId) ?? 0 })),
        plan.intent,
        neighbours,
        (id) => score.get(id) ?? 0,
      ),
    );
  }
  return found;
}

/** Each record by the best frame that cites it; frames have a score, their citations only an order. */
function cited(frames: ReturnType<NonNullable<GraphPorts["frames"]>>): { recordId: RecordId; score: number }[] {
  const best = new Map<RecordId, number>();
  for (const { score, records } of frames) {
    for (const id of records) best.set(id, Math.max(best.get(id) ?? 0, score));
  }
  return ordered(best, fuseRanks(frames.map(({ records }) => records)));
}

/** Topic drill-down (GAM §3.4): anchor topics, their first-order neighbours, then the archived records behind both. */
function drilled(topics: ReturnType<NonNullable<GraphPorts["topics"]>>): { recordId: RecordId; score: number }[] {
  const best = new Map<RecordId, number>();
  const lists: (readonly RecordId[])[] = [];
  for (const { score, records, neighbours } of topics) {
    lists.push(records);
    for (const id of records) best.set(id, Math.max(best.get(id) ?? 0, score));
    for (const { confidence, records: beside } of neighbours) {
      lists.push(beside);
      for (const id of beside) best.set(id, Math.max(best.get(id) ?? 0, score * confidence));
    }
  }
  return ordered(best, fuseRanks(lists));
}

/** By score; what has the same one by its ranks in the lists. */
function ordered(best: ReadonlyMap<RecordId, number>, ranks: readonly { recordId: RecordId }[]) {
  return ranks.map(({ recordId }) => ({ recordId, score: best.get(recordId) ?? 0 })).sort((a, b) => b.score - a.score);
}

/** Edges of all graphs that touch these records, seen from them. */
function neighboursOf(ids: readonly RecordId[], { index, graphs }: Pick<QueryPorts, "index" | "graphs">): Neighbour[] {
  const asked = new Set(ids);
  const own = index.edges(ids).map((edge) => ({ ...edge, kind: graphOf[edge.relation] }));
  const limit = sourceSettings.neighbours;
  const causal = safely(() => graphs?.causal?.(ids, limit)).map((edge) => ({ ...edge, kind: "causal" as const }));
  const entity = safely(() => graphs?.entity?.(ids, limit)).map((edge) => ({ ...edge, kind: "entity" as const }));
  return [...own, ...causal, ...entity].flatMap(({ from, to, kind, weight }) => [
    ...(asked.has(from) ? [{ from, to, kind, weight }] : []),
    ...(asked.has(to) ? [{ from: to, to: from, kind, weight }] : []),
  ]);
}

/** A graph is derived and may be damaged or half made: a read that fails is no reason to answer nothing (MIRIX §4.6). */
function safely<T>(read: () => readonly T[] | undefined): readonly T[] {
  try {
    return read() ?? [];
  } catch {
    return [];
  }
}
