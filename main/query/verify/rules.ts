import type { Conflict, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { type ValueType, valuesOf } from "../read/values.ts";
import type { ChainRow, Eligible, Role } from "./protocol.ts";

/**
 * Evidence-chain verifier of the instant tier: for every candidate the anchor that it adds most to, how much and in which
 * role. It reads records, their ties and the frozen retrieval, never a node verifier's score.
 */
export function chainByRules(
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
  const credit = (base: number) => Math.round(Math.min(5, base + 3 * candidate.prior) * 10) / 10;
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
