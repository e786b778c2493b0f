import {
  type AskResult,
  type Conflict,
  type EvidenceForest,
  type ForestEdge,
  type QueryPlan,
  type RecordSummary,
  type RoundTrace,
  type StageTrace,
  snippetOf,
} from "#contract";
import { type Candidate, candidateSettings } from "./candidates/candidates.ts";
import { forestSettings, serialise } from "./forest/forest.ts";
import { hit } from "./plan/terms.ts";
import type { QueryPorts } from "./ports.ts";
import { phrases } from "./read/phrases.ts";
import { rankerFile } from "./recall/calibrate.ts";
import type { Round } from "./round.ts";

/** Left-out candidates that are told: all of them, unless a count looked at more. */
const leftOutLimit = candidateSettings.candidates;

/** Characters of a mail that its snippet is made of: blanks stand in it for what was quoted. */
const ownLength = 2_000;

/** Probability from which a record that no claim leans on is shown as evidence. */
const likely = 0.5;

/**
 * What a person is shown of a round: answer, claims, forest, conflicts, what was left out. Where nothing fits, no record is
 * shown as if it did: claims, forest and conflicts are empty, and each record that was looked at has its reason.
 */
export function compose(
  plan: QueryPlan,
  round: Round,
  ports: QueryPorts,
  trace: readonly StageTrace[],
  rounds: readonly RoundTrace[],
): AskResult {
  const { verified, checked, draft } = round;
  const found = [...(draft.conflicts ?? []), ...verified.conflicts];
  const answered = checked.answered;
  const claims = answered ? [...checked.claims] : [];
  const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const { forest, chosen } = answered
    ? forestOf(round)
    : { forest: { nodes: [], edges: [], objective: 0 }, chosen: new Set<number>() };
  const conflicts = answered
    ? found
        .filter((one, at) => found.findIndex((other) => samePair(one, other)) === at)
        .filter(({ older, newer }) => cited.has(older.recordId) || cited.has(newer.recordId))
        .map(({ kind, attribute, older, newer }) => ({ kind, attribute, older, newer }))
    : [];
  const leftOut = round.set.candidates
    .filter(({ recordId }) => !chosen.has(recordId))
    .slice(0, leftOutLimit)
    .map((one) => ({ recordId: one.recordId, utility: one.probability, reason: reasonFor(round, one) }));
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
    records: ports.records.summaries([...named]).map((one) => inOwnWords(one, round)),
    trace: [...trace],
    rounds: [...rounds],
    notes: uncertainTimes(round, claims),
  };
}

/** A mail is shown by what its author writes, not by what it repeats of others. */
function inOwnWords(summary: RecordSummary, { set }: Round): RecordSummary {
  if (summary.kind !== "email") return summary;
  const candidate = set.candidates.find(({ recordId }) => recordId === summary.id);
  const own = candidate?.views.find(({ view }) => view === "text");
  return own === undefined ? summary : { ...summary, snippet: snippetOf(own.text.trimStart().slice(0, ownLength)) };
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

/** What could not be looked at yet; meanings that are still being read matter where the words alone answer nothing. */
export function indexNotes({ language }: QueryPlan, { index }: QueryPorts, outcome: AskResult["outcome"]): string[] {
  const { text, vectors } = index.status();
  const notes = text.pending > 0 ? [phrases[language].indexing(text.pending)] : [];
  if (vectors.pending > 0 && outcome !== "answered") notes.push(phrases[language].embedding(vectors.pending));
  return notes;
}

/** The chosen records and all that claims cite, as trees; conflicts and repetitions as edges beside them. */
function forestOf(round: Round): { forest: EvidenceForest; chosen: Set<number> } {
  const { set, verified, solution, checked } = round;
  const { candidates } = set;
  const position = new Map(candidates.map(({ recordId }, at) => [recordId, at]));
  const cited = checked.claims.flatMap(({ citations }) =>
    citations.flatMap(({ recordId }) => position.get(recordId) ?? []),
  );
  const chosen = [...new Set([...solution.chosen, ...cited])].sort((a, b) => a - b);
  const trusted = verified.edges.filter(({ cost }) => cost !== null);
  const inForest = new Set<ForestEdge>(solution.edges.flatMap((at) => trusted[at] ?? []));
  const treeEdges = [...inForest].map(({ from, to }) => ({ a: position.get(from) ?? 0, b: position.get(to) ?? 0 }));
  const placed = serialise(verified.utilities, chosen, treeEdges);
  const telling = new Set(
    placed.filter(({ position: at }) => cited.includes(at) || belongs(round, candidates[at])).map(({ tree }) => tree),
  );
  const trees = [...telling];
  const nodes = placed.flatMap(({ position: at, parent, tree, depth }) => {
    const candidate = candidates[at];
    if (!candidate || !telling.has(tree)) return [];
    const { recordId, rank, probability, parts } = candidate;
    const above = parent === null ? null : (candidates[parent]?.recordId ?? null);
    return [
      { recordId, rank, utility: probability, parts: { ...parts }, parent: above, tree: trees.indexOf(tree), depth },
    ];
  });
  const inside = new Set(nodes.map(({ recordId }) => recordId));
  const edges = verified.edges
    .filter((edge) => inside.has(edge.from) && inside.has(edge.to) && (inForest.has(edge) || edge.cost === null))
    .map((edge) => ({ ...edge, inForest: inForest.has(edge) }));
  return { forest: { nodes, edges, objective: solution.objective }, chosen: inside };
}

/**
 * Evidence though no claim cites it or a record of its tree: wanted more likely than not, and says a word of what is asked,
 * stands beside such a word, or nearly means it. However well its time or author fits, what does neither is none.
 */
function belongs({ recalled, plan }: Round, candidate: Candidate | undefined): boolean {
  if (!candidate || candidate.probability < likely) return false;
  const { recordId, stems, features } = candidate;
  const strong = recalled.asked.terms.filter(({ generic }) => !generic);
  if (strong.length === 0 || recalled.seen.has(recordId) || recalled.grounds.has(recordId)) return true;
  if (features.cos >= rankerFile.notFound.cosine) return true;
  const around = recalled.around(recordId);
  return strong.some((term) => around.has(term.stem) || hit(plan.language, term.stem, stems) > 0);
}

/** Why a candidate is no evidence, the plainest reason first. */
function reasonFor({ verified, solution, set, recalled, plan, checked }: Round, candidate: Candidate): string {
  const { recordId, day, rank, stems } = candidate;
  const row = verified.rows.find((one) => one.recordId === recordId);
  if (row?.role === "redundant") return "says the same as a record that is shown";
  if (plan.windows.length > 0 && (day === null || !plan.windows.some(({ from, to }) => day >= from && day <= to)))
    return "lies outside the time asked for";
  const around = recalled.around(recordId);
  const unsaid = recalled.asked.terms
    .filter((term) => !term.generic && hit(plan.language, term.stem, stems) === 0 && !around.has(term.stem))
    .sort((a, b) => b.weight - a.weight)[0];
  if (unsaid !== undefined) return `does not say “${unsaid.text.slice(0, 40)}”`;
  const missing = checked.doubts.find(({ kind }) => kind === "missing");
  if (!checked.answered) return missing?.text ?? "does not say enough of what is asked";
  if (rank > forestSettings.size) return "ranked below the ten records that are looked at closely";
  const at = set.candidates.indexOf(candidate);
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
