import type { Conflict, ForestEdge, QueryPlan } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import type { Candidate } from "../candidates/candidates.ts";
import type { Reading } from "../read/sentences/sentences.ts";
import { type FoundConflict, findConflicts } from "./conflicts.ts";
import type { Opinion } from "./opinion.ts";
import { type ChainRow, chainEdges, eligiblePairs, enforceProtocol } from "./protocol.ts";
import { chainByRules } from "./rules.ts";

export interface Verified {
  /** p_i by position. The chain verifier never sees or changes it. */
  readonly utilities: readonly number[];
  readonly rows: readonly ChainRow[];
  /** Trusted edges first, then those that are only shown. */
  readonly edges: readonly ForestEdge[];
  readonly conflicts: readonly FoundConflict[];
}

/**
 * Node utilities and chain rows, brought together. Without an opinion both are the instant tier's: calibrated retrieval and
 * rules. A model's rows stand in for the rules' where it gave any; conflicts between values are found by rules in each tier.
 *
 * @param candidates with the opinion's utilities in them (`reordered`)
 */
export function verify(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  schema: readonly SchemaEdge[],
  reading: Pick<Reading, "asked" | "around">,
  opinion: Pick<Opinion, "rows"> | null = null,
): Verified {
  const conflicts = findConflicts(plan, candidates, schema, reading);
  const eligible = eligiblePairs(candidates, schema);
  const given = opinion?.rows ?? chainByRules(plan, candidates, eligible, conflicts);
  const rows = enforceProtocol(given, candidates, eligible);
  return {
    utilities: candidates.map(({ probability }) => probability),
    rows,
    edges: [...chainEdges(rows, eligible), ...conflictEdges(conflicts, schema)],
    conflicts,
  };
}

function conflictEdges(conflicts: readonly Conflict[], schema: readonly SchemaEdge[]): ForestEdge[] {
  return conflicts.map(({ kind, older, newer }) => {
    const [from, to] = [newer.recordId, older.recordId];
    const edge = schema.find((one) => (one.from === from && one.to === to) || (one.from === to && one.to === from));
    const role = kind === "superseded" ? "superseded" : "conflict";
    return { from, to, relation: edge?.relation ?? "semantic", role, increment: 0, cost: null, inForest: false };
  });
}
