import type { AskResult, Conflict, EvidenceForest, ForestEdge, QueryPlan, StageTrace } from "#contract";
import { forestSettings, serialise } from "./forest/forest.ts";
import type { QueryPorts } from "./ports.ts";
import { phrases } from "./read/phrases.ts";
import type { Round } from "./round.ts";

/** Left-out candidates that are told, and records that one answer names at most. */
const leftOutLimit = 20;

/** What a person is shown of a round: answer, claims, forest, conflicts, what was left out. */
export function compose(plan: QueryPlan, round: Round, ports: QueryPorts, trace: StageTrace[]): AskResult {
  const { verified, checked, draft } = round;
  const found = [...(draft.conflicts ?? []), ...verified.conflicts];
  const answered = checked.answered;
  const claims = answered ? [...checked.claims] : [];
  const { forest, chosen } = answered
    ? forestOf(round)
    : { forest: { nodes: [], edges: [], objective: 0 }, chosen: new Set<number>() };
  const conflicts = answered
    ? found
        .filter((one, at) => found.findIndex((other) => samePair(one, other)) === at)
        .filter(({ older, newer }) => chosen.has(older.recordId) || chosen.has(newer.recordId))
        .map(({ kind, attribute, older, newer }) => ({ kind, attribute, older, newer }))
    : [];
  const leftOut = round.set.candidates
    .filter(({ recordId }) => !chosen.has(recordId))
    .slice(0, leftOutLimit)
    .map(({ recordId, probability }) => ({ recordId, utility: probability, reason: reasonFor(round, recordId) }));
  const named = new Set([
    ...claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)),
    ...forest.nodes.map(({ recordId }) => recordId),
    ...conflicts.flatMap(({ older, newer }) => [older.recordId, newer.recordId]),
    ...leftOut.map(({ recordId }) => recordId),
  ]);
  return {
    outcome: answered ? "answered" : "not_found",
    tier: "instant",
    plan,
    answer: answered ? claims.map(({ text }) => text).join(" ") : notFound(plan, ports),
    claims,
    forest,
    conflicts,
    leftOut,
    records: ports.records.summaries([...named]),
    trace,
    notes: uncertainTimes(round, claims),
  };
}

const samePair = (a: Conflict, b: Conflict): boolean =>
  a.older.recordId === b.older.recordId && a.newer.recordId === b.newer.recordId;

function uncertainTimes(round: Round, claims: AskResult["claims"]): string[] {
  const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const low = round.set.candidates.some(
    ({ recordId, record }) => cited.has(recordId) && record.time?.confidence === "low",
  );
  return low ? [phrases[round.plan.language].lowTime] : [];
}

export function indexNotes(plan: QueryPlan, { index }: QueryPorts): string[] {
  const { pending } = index.status().text;
  return pending > 0 ? [phrases[plan.language].indexing(pending)] : [];
}

/** The chosen records and all that claims cite, as trees; conflicts and repetitions as edges beside them. */
function forestOf({ set, verified, solution, checked }: Round): { forest: EvidenceForest; chosen: Set<number> } {
  const { candidates } = set;
  const position = new Map(candidates.map(({ recordId }, at) => [recordId, at]));
  const cited = checked.claims.flatMap(({ citations }) =>
    citations.flatMap(({ recordId }) => position.get(recordId) ?? []),
  );
  const chosen = [...new Set([...solution.chosen, ...cited])].sort((a, b) => a - b);
  const inside = new Set(chosen.flatMap((at) => candidates[at]?.recordId ?? []));
  const trusted = verified.edges.filter(({ cost }) => cost !== null);
  const inForest = new Set<ForestEdge>(solution.edges.flatMap((at) => trusted[at] ?? []));
  const treeEdges = [...inForest].map(({ from, to }) => ({ a: position.get(from) ?? 0, b: position.get(to) ?? 0 }));
  const nodes = serialise(verified.utilities, chosen, treeEdges).flatMap(({ position: at, parent, tree, depth }) => {
    const candidate = candidates[at];
    if (!candidate) return [];
    const { recordId, rank, probability, parts } = candidate;
    const above = parent === null ? null : (candidates[parent]?.recordId ?? null);
    return [{ recordId, rank, utility: probability, parts: { ...parts }, parent: above, tree, depth }];
  });
  const edges = verified.edges
    .filter((edge) => inForest.has(edge) || (edge.cost === null && inside.has(edge.from) && inside.has(edge.to)))
    .map((edge) => ({ ...edge, inForest: inForest.has(edge) }));
  return { forest: { nodes, edges, objective: solution.objective }, chosen: inside };
}

function reasonFor({ verified, solution, set }: Round, recordId: number): string {
  const row = verified.rows.find((one) => one.recordId === recordId);
  if (row?.role === "redundant") return "says the same as a record that is shown";
  const at = set.candidates.findIndex((one) => one.recordId === recordId);
  if (at >= forestSettings.size) return "ranked below the ten records that are looked at closely";
  return solution.chosen.includes(at) ? "not needed for the answer" : "too unlikely to be worth a tree of its own";
}

function notFound(plan: QueryPlan, ports: QueryPorts): string {
  const words = phrases[plan.language];
  if (ports.records.counts().records === 0) return words.emptyArchive;
  if (plan.terms.length === 0 && plan.windows.length === 0 && plan.people.length === 0 && plan.kinds.length === 0)
    return words.noWords;
  const asked = [
    ...plan.terms,
    ...plan.people.map(({ name }) => name),
    ...plan.windows.slice(0, 1).map(({ text }) => text),
  ];
  return words.notFound(`“${asked.slice(0, 8).join(" ").slice(0, 120)}”`);
}
