import type { Claim, QueryPlan } from "#contract";
import { findDates, fold, isStopWord, stem, wishes, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { bothOf } from "../../plan/both.ts";
import { narrowed } from "../../plan/terms.ts";
import type { Draft } from "../draft.ts";
import { claimOf } from "../say.ts";
import { type Passage, passagesOf, type Reading } from "../sentences/sentences.ts";

/** What two things have in common: the names that the records of both of them say. */

/** Records that are read for each of the two, and how far below the best of them a further one may score. */
const recordsRead = 3;
const within = 0.5;
/** Share of what is asked that they must say. */
const leastSaid = 0.4;

/** Null where the question asks for nothing in common, or nothing is. */
export function bothClaims(reading: Reading, standing: readonly Candidate[]): Draft | null {
  const { plan } = reading;
  const both = bothOf(plan.question);
  if (both === null || (plan.answerType !== "person" && plan.answerType !== "list" && plan.answerType !== "text"))
    return null;
  const asked = new Set(wordsOf(plan.question).map(({ folded }) => stem(folded)));
  const [one, other] = both.sides.map((words) => membersOf(reading, words, standing, asked));
  if (!one || !other) return null;
  const shared = [...one.names].filter(([key]) => other.names.has(key));
  if (shared.length === 0) return null;
  const keys = new Set(shared.map(([key]) => key));
  const told = [one, other].map(({ passages }) => passages.find(({ citation }) => namesIn(citation.quote, keys)));
  const [a, b] = told;
  if (!a || !b || (a.candidate.recordId === b.candidate.recordId && a.citation.quote === b.citation.quote)) return null;
  const value = shared.map(([, name]) => name).join(", ");
  const claims = [a, b].map((passage, at) => claimOf(`c${at + 2}`, plan, passage, null, "current"));
  const lead: Claim = {
    id: "c1",
    text: `${value}.`,
    citations: claims.flatMap(({ citations }) => citations),
    value,
    standing: "current",
  };
  return {
    claims: [lead, ...claims],
    fits: true,
    said: Math.min(one.said, other.said),
    cosine: Math.min(a.candidate.features.cos, b.candidate.features.cos),
    inTime: a.inTime || b.inTime,
  };
}

interface Members {
  /** As written, by their folded words. */
  readonly names: ReadonlyMap<string, string>;
  readonly passages: readonly Passage[];
  readonly said: number;
}

function membersOf(
  reading: Reading,
  words: string,
  standing: readonly Candidate[],
  known: ReadonlySet<string>,
): Members | null {
  const plan: QueryPlan = { ...reading.plan, question: words, answerType: "text" };
  const passages = passagesOf({ ...reading, plan, asked: narrowed(reading.asked, words, reading.plan) }, standing);
  const [best] = passages;
  if (!best) return null;
  const records = new Set<number>();
  for (const { candidate, score, near } of passages) {
    if (records.size === recordsRead || score < best.score - within) break;
    if (near >= leastSaid) records.add(candidate.recordId);
  }
  const read = passages.filter(({ candidate }) => records.has(candidate.recordId));
  const names = new Map<string, string>();
  for (const { citation, candidate } of read) {
    // "Happy birthday Piet, from all of us at the lake": he is elsewhere.
    if (wishes(citation.quote)) continue;
    const { author, participants } = candidate.record;
    const there = candidate.record.kind === "event" || candidate.record.kind === "photo";
    const joined = there ? [author, ...participants].flatMap((party) => party?.name ?? []) : [];
    for (const name of [...namesSaid(citation.quote), ...joined]) {
      const key = fold(name);
      if (!wordsOf(name).some(({ folded }) => known.has(stem(folded))) && !names.has(key)) names.set(key, name);
    }
  }
  return { names, passages: read, said: best.whole };
}

function namesIn(quote: string, keys: ReadonlySet<string>): boolean {
  return namesSaid(quote).some((name) => keys.has(fold(name)));
}

const capital = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?/gu;

/** Words with a capital that are no time and do not only begin a sentence. */
function namesSaid(quote: string): string[] {
  return [...quote.matchAll(capital)].flatMap(({ 0: name, index }) => {
    const plain = name.replace(/['’]s$/u, "");
    const opens = /(?:^|[.!?:“"]\s*)$/u.test(quote.slice(0, index));
    const next = quote.slice(index + name.length, index + name.length + 5);
    const [first = ""] = wordsOf(plain).map(({ folded }) => folded);
    if (isStopWord(first, "en") || isStopWord(first, "de")) return [];
    if (opens && !plain.includes(" ") && !/^(?:,| and | und | & )/u.test(next)) return [];
    return findDates(`on ${plain} in ${plain}`, { reference: "2000-01-01" }).length > 0 ? [] : [plain];
  });
}
