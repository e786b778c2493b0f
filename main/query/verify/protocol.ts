import { type ForestEdge, type RecordId, UnderstoryError } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import type { Candidate } from "../candidates/candidates.ts";

/**
 * The two verifiers' protocol (GraphMemix §1.4, §1.5, A.4), kept by code whoever made the rows: rules, a cross-encoder or a
 * language model.
 */

/** Roles of the evidence-chain verifier; the first three earn structural credit. */
export const roles = ["new_fact", "clarification", "corroboration", "redundant", "conflict", "irrelevant"] as const;
export type Role = (typeof roles)[number];
export const trustedRoles: ReadonlySet<Role> = new Set(["new_fact", "clarification", "corroboration"]);

/** s_max, both verifiers' greatest score. */
export const mostScore = 5;

/** One row of the chain verifier, for every candidate. */
export interface ChainRow {
  readonly recordId: RecordId;
  readonly bestAnchorId: RecordId | null;
  /** s_inc, 0–5. */
  readonly increment: number;
  readonly role: Role;
}

/** Candidate → its anchors with the edge between. */
export type Eligible = ReadonlyMap<RecordId, ReadonlyMap<RecordId, SchemaEdge>>;

/** Pairs of an anchor and a candidate that an edge of the candidate graph joins. Anchors are those of the frozen retrieval. */
export function eligiblePairs(
  candidates: readonly Pick<Candidate, "recordId" | "anchor">[],
  schema: readonly SchemaEdge[],
): Eligible {
  const anchors = new Set(candidates.filter(({ anchor }) => anchor).map(({ recordId }) => recordId));
  const pairs = new Map<RecordId, Map<RecordId, SchemaEdge>>(candidates.map(({ recordId }) => [recordId, new Map()]));
  for (const edge of schema) {
    if (anchors.has(edge.from)) pairs.get(edge.to)?.set(edge.from, edge);
    if (anchors.has(edge.to)) pairs.get(edge.from)?.set(edge.to, edge);
  }
  return pairs;
}

/**
 * v_i by record: sparse scores, what is left out has 0. An unknown or repeated id or a score outside 0–5 refuses the whole
 * answer (`inference_failed`), so that a verifier that lost its way cannot move anything.
 */
export function enforceScores(
  scores: Iterable<{ readonly recordId: RecordId; readonly score: number }>,
  shown: readonly RecordId[],
): Map<RecordId, number> {
  const given = new Map(shown.map((id) => [id, 0]));
  const seen = new Set<RecordId>();
  for (const { recordId, score } of scores) {
    if (!given.has(recordId)) throw refused("it scored a record that it was not shown");
    if (seen.has(recordId)) throw refused("it scored a record twice");
    if (!Number.isFinite(score) || score < 0 || score > mostScore) throw refused("a score is outside 0–5");
    seen.add(recordId);
    given.set(recordId, score);
  }
  return given;
}

const refused = (why: string) =>
  new UnderstoryError("inference_failed", `The verifier's answer cannot be used: ${why}.`, {
    hint: "The answer stands as it was found without it.",
  });

/**
 * One row a candidate, in order; unknown and double ids fall away; an ineligible or missing anchor clears the support; roles
 * without credit have none, roles with credit must have some.
 */
export function enforceProtocol(
  rows: readonly ChainRow[],
  candidates: readonly Pick<Candidate, "recordId">[],
  eligible: Eligible,
): ChainRow[] {
  const first = new Map<RecordId, ChainRow>();
  for (const row of rows) if (eligible.has(row.recordId) && !first.has(row.recordId)) first.set(row.recordId, row);
  return candidates.map(({ recordId }) => {
    const none: ChainRow = { recordId, bestAnchorId: null, increment: 0, role: "irrelevant" };
    const row = first.get(recordId);
    if (!row || row.bestAnchorId === null || !eligible.get(recordId)?.has(row.bestAnchorId)) return none;
    if (!Number.isFinite(row.increment) || row.increment < 0 || row.increment > mostScore) return none;
    if (!trustedRoles.has(row.role)) return { ...row, increment: 0 };
    return row.increment === 0 ? none : row;
  });
}

/** w = w_schema · s_inc / 5, c = −ln w. Rows without credit give an edge that is only shown. */
export function chainEdges(rows: readonly ChainRow[], eligible: Eligible): ForestEdge[] {
  const edges: ForestEdge[] = [];
  for (const { recordId, bestAnchorId, increment, role } of rows) {
    const edge = bestAnchorId === null ? undefined : eligible.get(recordId)?.get(bestAnchorId);
    if (!edge || bestAnchorId === null || role === "irrelevant" || role === "conflict") continue;
    const cost = increment > 0 ? -Math.log((edge.weight * increment) / mostScore) : null;
    edges.push({ from: bestAnchorId, to: recordId, relation: edge.relation, role, increment, cost, inForest: false });
  }
  return edges;
}
