import type { QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems, sentencesOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";

/** In talk the answer seldom repeats the question: "What kind of books do you have?" – "Lots of classics." */

/** Sentences at a message's end among which its question may stand. */
const lastSentences = 3;

/** Stems of the question to which a record is the next turn or the reply, by someone else. */
export function repliesOf(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): ReadonlyMap<RecordId, ReadonlySet<string>> {
  const byId = new Map(candidates.map((candidate) => [candidate.recordId, candidate]));
  const found = new Map<RecordId, ReadonlySet<string>>();
  for (const { from, to, relation } of edges) {
    if (relation !== "consecutive_turn" && relation !== "reply_to" && relation !== "same_round") continue;
    const [a, b] = [byId.get(from), byId.get(to)];
    if (!a || !b || a.moment === null || b.moment === null || a.moment === b.moment) continue;
    const [before, after] = a.moment < b.moment ? [a, b] : [b, a];
    if (before.record.author?.name === after.record.author?.name) continue;
    const stems = questionStems(plan, before);
    if (stems.size > 0) found.set(after.recordId, stems);
  }
  return found;
}

function questionStems(plan: QueryPlan, { views }: Candidate): ReadonlySet<string> {
  const text = (views.find(({ view }) => view === "text")?.text ?? "").slice(0, 2_000);
  if (!text.includes("?")) return new Set();
  const sentences = sentencesOf(text)
    .map(({ start, end }) => text.slice(start, end))
    .slice(-lastSentences);
  const at = sentences.findLastIndex((one) => one.trimEnd().endsWith("?"));
  // The sentence before names what "it" is.
  return at < 0
    ? new Set()
    : new Set(contentStems(sentences.slice(Math.max(0, at - 1), at + 1).join(" "), plan.language));
}

/** Records that are part of an exchange. */
export function engagedIn(edges: readonly SchemaEdge[]): ReadonlySet<RecordId> {
  return new Set(edges.flatMap(({ from, to, relation }) => (relation === "reply_to" ? [from, to] : [])));
}
