import type { Conflict, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { keptBy } from "../kept-by.ts";
import { saysCancelled, saysChange, type ValueType, valuesOf } from "../read/sentences/values.ts";
import { likenessOfPlain, plain } from "./likeness.ts";
import { type ChainRow, type Eligible, mostScore, type Role } from "./protocol.ts";

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
  // Of what a newer record says itself that it has changed, one record makes clear how the other stands; of what cannot both hold,
  // neither supports the other.
  const found = new Map(
    conflicts.flatMap(({ kind, older, newer }) => [
      [`${older.recordId} ${newer.recordId}`, kind] as const,
      [`${newer.recordId} ${older.recordId}`, kind] as const,
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
      const kind = found.get(`${anchorId} ${candidate.recordId}`);
      const judged =
        kind === undefined
          ? judge(fits, question, anchor, candidate, edge)
          : kind === "superseded"
            ? { role: "clarification" as const, increment: credit(2, candidate) }
            : { role: "conflict" as const, increment: 0 };
      const better =
        judged.increment > best.increment || (judged.increment === best.increment && anchor.rank < bestRank);
      if (!better) continue;
      best = { recordId: candidate.recordId, bestAnchorId: anchorId, ...judged };
      bestRank = anchor.rank;
    }
    return best;
  });
}

/** Share of a record's words that another one has too from which it says nothing of its own, and of its letters. */
const sameWords = 0.8;
const sameLetters = 0.85;

/** Ties by which two records are of one matter whatever words they use. */
const oneMatter: ReadonlySet<SchemaEdge["relation"]> = new Set([
  "reply_to",
  "same_round",
  "attachment_of",
  "same_record",
  "record_grounding",
]);

/**
 * What the candidate adds to the anchor: by its letters and words (redundant, or corroboration when somebody else says it), the
 * question's words and values that only it has (new fact), words of change, and its place behind a question (clarification).
 */
function judge(
  fits: (candidate: Candidate) => boolean,
  question: readonly string[],
  anchor: Candidate,
  candidate: Candidate,
  edge: SchemaEdge,
): { role: Role; increment: number } {
  if (repeats(anchor, candidate)) {
    // A paper that a mail brings is a thing of its own, though the mail says all that is in it.
    const independent =
      authorOf(anchor) !== authorOf(candidate) ||
      anchor.record.source !== candidate.record.source ||
      edge.relation === "attachment_of";
    return independent ? { role: "corroboration", increment: 2 } : { role: "redundant", increment: 0 };
  }
  const asked = question.filter((stem) => candidate.stems.has(stem));
  const fresh = asked.filter((stem) => !anchor.stems.has(stem));
  const share = (count: number) => (question.length === 0 ? 0 : count / question.length);
  if (fresh.length > 0) return { role: "new_fact", increment: credit(1 + 3 * share(fresh.length), candidate) };
  if (fits(candidate) && !fits(anchor)) return { role: "new_fact", increment: credit(1.5, candidate) };
  const tied = edge.relation !== "semantic";
  const later = (candidate.moment ?? 0) > (anchor.moment ?? 0);
  // "We moved it to the 14th", "it is off": what changes a matter makes clear how it stands.
  if (tied && later && changes(candidate)) return { role: "clarification", increment: credit(2, candidate) };
  const answers = later && tied && anchor.features.cov > 0 && textOf(anchor).includes("?");
  if (answers || edge.relation === "reply_to") return { role: "clarification", increment: credit(1.5, candidate) };
  if (asked.length > 0) return { role: "corroboration", increment: credit(share(asked.length), candidate) };
  if (oneMatter.has(edge.relation)) return { role: "clarification", increment: credit(0.5, candidate) };
  return { role: "irrelevant", increment: 0 };
}

/** s_inc of a tie: what it is worth by itself and what the record is worth to the retrieval, to a tenth. */
const credit = (base: number, { prior }: Candidate): number =>
  Math.round(Math.min(mostScore, base + 3 * prior) * 10) / 10;

/** Nothing of its own: nearly the same letters, or nearly all its words. */
function repeats(anchor: Candidate, candidate: Candidate): boolean {
  let shared = 0;
  for (const stem of candidate.stems) if (anchor.stems.has(stem)) shared++;
  if (shared / Math.max(3, candidate.stems.size) >= sameWords) return true;
  return shared > 0 && likenessOfPlain(lettersOf(anchor), lettersOf(candidate), sameLetters) >= sameLetters;
}

/** A record's letters, which are compared with those of many others. */
const lettersOf = keptBy(
  ({ record }: Candidate) => record,
  (candidate) => plain(textOf(candidate)),
);

/** Each candidate is judged beside several anchors. */
const changes = keptBy(
  ({ record }: Candidate) => record,
  (candidate) => saysChange(textOf(candidate)) || saysCancelled(textOf(candidate)),
);

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
