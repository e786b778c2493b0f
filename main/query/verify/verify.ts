import type { Conflict, ForestEdge, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import type { Reading } from "../read/sentences.ts";
import { type ValueType, valuesOf } from "../read/values.ts";
import { type FoundConflict, findConflicts } from "./conflicts.ts";

/** Roles of the evidence-chain verifier; the first three earn structural credit (GraphMemix §1.5). */
export const roles = ["new_fact", "clarification", "corroboration", "redundant", "conflict", "irrelevant"] as const;
export type Role = (typeof roles)[number];
const trusted: ReadonlySet<Role> = new Set(["new_fact", "clarification", "corroboration"]);

/** One row of the verifier, for every candidate. */
export interface ChainRow {
  readonly recordId: RecordId;
  readonly bestAnchorId: RecordId | null;
  /** s_inc, 0–5. */
  readonly increment: number;
  readonly role: Role;
}

export interface Verified {
  /** p_i by position: calibrated retrieval. The chain verifier never sees or changes it. */
  readonly utilities: readonly number[];
  readonly rows: readonly ChainRow[];
  /** Trusted edges first, then those that are only shown. */
  readonly edges: readonly ForestEdge[];
  readonly conflicts: readonly FoundConflict[];
}

export function verify(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  schema: readonly SchemaEdge[],
  reading: Pick<Reading, "asked" | "around">,
): Verified {
  const conflicts = findConflicts(plan, candidates, schema, reading);
  const eligible = eligiblePairs(candidates, schema);
  const rows = enforceProtocol(judgeAll(plan, candidates, eligible, conflicts), candidates, eligible);
  return {
    utilities: candidates.map(({ probability }) => probability),
    rows,
    edges: [...chainEdges(rows, eligible), ...conflictEdges(conflicts, schema)],
    conflicts,
  };
}

/** Candidate → its anchors with the edge between: only schema edges make a pair eligible, semantic ones where there is none. */
type Eligible = ReadonlyMap<RecordId, ReadonlyMap<RecordId, SchemaEdge>>;

function eligiblePairs(candidates: readonly Candidate[], schema: readonly SchemaEdge[]): Eligible {
  const anchors = new Set(candidates.filter(({ anchor }) => anchor).map(({ recordId }) => recordId));
  const pairs = new Map<RecordId, Map<RecordId, SchemaEdge>>(candidates.map(({ recordId }) => [recordId, new Map()]));
  for (const edge of schema) {
    if (anchors.has(edge.from)) pairs.get(edge.to)?.set(edge.from, edge);
    if (anchors.has(edge.to)) pairs.get(edge.from)?.set(edge.to, edge);
  }
  return pairs;
}

/**
 * The protocol, whoever made the rows (rules here, a language model elsewhere): one row a candidate, in order; unknown and
 * double ids fall away; an ineligible or missing anchor clears the support; roles without credit have none, roles with
 * credit must have some.
 */
export function enforceProtocol(
  rows: readonly ChainRow[],
  candidates: readonly Candidate[],
  eligible: Eligible,
): ChainRow[] {
  const first = new Map<RecordId, ChainRow>();
  for (const row of rows) if (eligible.has(row.recordId) && !first.has(row.recordId)) first.set(row.recordId, row);
  return candidates.map(({ recordId }) => {
    const none: ChainRow = { recordId, bestAnchorId: null, increment: 0, role: "irrelevant" };
    const row = first.get(recordId);
    if (!row || row.bestAnchorId === null || !eligible.get(recordId)?.has(row.bestAnchorId)) return none;
    if (!Number.isFinite(row.increment) || row.increment < 0 || row.increment > 5) return none;
    if (!trusted.has(row.role)) return { ...row, increment: 0 };
    return row.increment === 0 ? none : row;
  });
}

function judgeAll(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  eligible: Eligible,
  conflicts: readonly Conflict[],
): ChainRow[] {
  const byId = new Map(candidates.map((candidate) => [candidate.recordId, candidate]));
  const question = contentStems(plan.terms.join(" "), plan.language);
  const opposed = new Set(
    conflicts.flatMap(({ older, newer }) => [
      `${older.recordId} ${newer.recordId}`,
      `${newer.recordId} ${older.recordId}`,
    ]),
  );
  const fitting = new Map<RecordId, boolean>();
  const fits = (candidate: Candidate) => {
    const known = fitting.get(candidate.recordId) ?? fitsAnswer(plan, candidate);
    fitting.set(candidate.recordId, known);
    return known;
  };
  return candidates.map((candidate) => {
    let best: ChainRow = { recordId: candidate.recordId, bestAnchorId: null, increment: 0, role: "irrelevant" };
    let bestRank = Number.POSITIVE_INFINITY;
    for (const [anchorId, edge] of eligible.get(candidate.recordId) ?? []) {
      const anchor = byId.get(anchorId);
      // An edge has one direction: from the better record, which is the anchor, to the one it brings in.
      if (!anchor || anchor.rank > candidate.rank) continue;
      const judged = opposed.has(`${anchorId} ${candidate.recordId}`)
        ? { role: "conflict" as const, increment: 0 }
        : judge(fits, question, anchor, candidate, edge);
      const better =
        judged.increment > best.increment || (judged.increment === best.increment && anchor.rank < bestRank);
      if (!better) continue;
      best = { recordId: candidate.recordId, bestAnchorId: anchorId, ...judged };
      bestRank = anchor.rank;
    }
    return best;
  });
}

/** Share of the smaller text's words from which it says nothing of its own. */
const sameText = 0.8;

/** What the candidate adds to the anchor, from words, speakers, values and structure. */
function judge(
  fits: (candidate: Candidate) => boolean,
  question: readonly string[],
  anchor: Candidate,
  candidate: Candidate,
  edge: SchemaEdge,
): { role: Role; increment: number } {
  const shared = [...candidate.stems].filter((stem) => anchor.stems.has(stem)).length;
  const contained = shared / Math.max(3, Math.min(candidate.stems.size, anchor.stems.size));
  if (contained >= sameText) {
    const independent = authorOf(anchor) !== authorOf(candidate) || anchor.record.source !== candidate.record.source;
    return independent ? { role: "corroboration", increment: 2 } : { role: "redundant", increment: 0 };
  }
  const asked = question.filter((stem) => candidate.stems.has(stem));
  const fresh = asked.filter((stem) => !anchor.stems.has(stem));
  const share = (count: number) => (question.length === 0 ? 0 : count / question.length);
  const credit = (base: number) => Math.round(Math.min(5, base + 3 * candidate.probability) * 10) / 10;
  if (fresh.length > 0) return { role: "new_fact", increment: credit(1 + 3 * share(fresh.length)) };
  if (fits(candidate) && !fits(anchor)) return { role: "new_fact", increment: credit(1.5) };
  const answers =
    edge.relation !== "semantic" &&
    anchor.features.cov > 0 &&
    (textOf(anchor).includes("?") || edge.relation === "reply_to");
  if (answers) return { role: "clarification", increment: credit(1.5) };
  if (asked.length > 0) return { role: "corroboration", increment: credit(share(asked.length)) };
  if (edge.relation === "same_round" || edge.relation === "attachment_of")
    return { role: "clarification", increment: credit(0.5) };
  return { role: "irrelevant", increment: 0 };
}

const authorOf = ({ record }: Candidate) => record.author?.address ?? record.author?.name ?? null;
const textOf = ({ record }: Candidate) => record.text ?? record.subject ?? "";

const valueTypes: Partial<Record<QueryPlan["answerType"], readonly ValueType[]>> = {
  date: ["date", "time"],
  duration: ["duration"],
  amount: ["amount"],
  number: ["number", "amount"],
};

function fitsAnswer(plan: QueryPlan, candidate: Candidate): boolean {
  const types = valueTypes[plan.answerType];
  if (plan.answerType === "place") return candidate.record.place?.name != null;
  return types !== undefined && valuesOf(textOf(candidate).slice(0, 2_000), candidate.day, types).length > 0;
}

/** w = w_schema · s_inc / 5, c = −ln w (GraphMemix §1.5). Rows without credit give an edge that is only shown. */
function chainEdges(rows: readonly ChainRow[], eligible: Eligible): ForestEdge[] {
  const edges: ForestEdge[] = [];
  for (const { recordId, bestAnchorId, increment, role } of rows) {
    const edge = bestAnchorId === null ? undefined : eligible.get(recordId)?.get(bestAnchorId);
    if (!edge || bestAnchorId === null || role === "irrelevant" || role === "conflict") continue;
    const cost = increment > 0 ? -Math.log((edge.weight * increment) / 5) : null;
    edges.push({ from: bestAnchorId, to: recordId, relation: edge.relation, role, increment, cost, inForest: false });
  }
  return edges;
}

function conflictEdges(conflicts: readonly Conflict[], schema: readonly SchemaEdge[]): ForestEdge[] {
  return conflicts.map(({ kind, older, newer }) => {
    const [from, to] = [newer.recordId, older.recordId];
    const edge = schema.find((one) => (one.from === from && one.to === to) || (one.from === to && one.to === from));
    const role = kind === "superseded" ? "superseded" : "conflict";
    return { from, to, relation: edge?.relation ?? "semantic", role, increment: 0, cost: null, inForest: false };
  });
}
