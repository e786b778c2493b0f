import type { Citation, Claim, Conflict, QueryPlan } from "#contract";
import type { Candidate } from "./candidates.ts";
import { phrases, sayDay, saySpan } from "./phrases.ts";
import { type Passage, passagesOf, wantedValues } from "./sentences.ts";

/** What the reader would say, before it is checked. */
export interface Draft {
  readonly claims: readonly Claim[];
  /** The kind of answer that was asked for was found (a sum for "how much"). */
  readonly fits: boolean;
  /** Claims that tell the main matter from those that tell older or other versions. */
  readonly main: number;
}

/** Records read for the answer: the first of the frozen retrieval, whatever the forest chose. */
export const readRecords = 10;
const claimLimit = 3;
const listLimit = 6;
const countLimit = 200;
/** A further claim needs this share of the best record's probability. */
const nextShare = 0.5;

/** Extractive reader: sentences of records, said with who and when; the same input gives the same answer. */
export function readAnswer(plan: QueryPlan, candidates: readonly Candidate[], conflicts: readonly Conflict[]): Draft {
  const asked = ofKind(plan, candidates);
  const top = asked.slice(0, readRecords);
  const passages = passagesOf(plan, current(top, candidates, conflicts));
  const disputed = new Set(
    conflicts.filter(({ kind }) => kind === "conflict").flatMap(({ older, newer }) => [older.recordId, newer.recordId]),
  );
  if (plan.operation === "count") return countClaims(plan, asked);
  if (plan.answerType === "list") return listClaims(plan, top, passages, disputed);
  const [best] = choose(plan, passages);
  if (!best) return { claims: [], fits: false, main: 0 };
  const claims = [claimOf("c1", plan, best, disputed)];
  if (["text", "yesno", "person", "place"].includes(plan.answerType)) {
    for (const next of further(plan, best, passages))
      claims.push(claimOf(`c${claims.length + 1}`, plan, next, disputed));
  }
  const main = claims.length;
  claims.push(...versions(plan, best.candidate, candidates, conflicts, claims.length));
  return { claims, fits: fits(plan, best), main };
}

/** "Photos of …" is answered with photos; what belongs to them stays in the forest. */
function ofKind(plan: QueryPlan, candidates: readonly Candidate[]): readonly Candidate[] {
  const asked = candidates.filter(({ record }) => plan.kinds.includes(record.kind));
  return asked.length > 0 ? asked : candidates;
}

/** Records that a newer one replaces give way to it. */
function current(top: readonly Candidate[], all: readonly Candidate[], conflicts: readonly Conflict[]): Candidate[] {
  const byId = new Map(all.map((candidate) => [candidate.recordId, candidate]));
  const replaced = new Map(
    conflicts.filter(({ kind }) => kind === "superseded").map(({ older, newer }) => [older.recordId, newer.recordId]),
  );
  const result = new Map<number, Candidate>();
  for (const candidate of top) {
    const newer = byId.get(replaced.get(candidate.recordId) ?? -1);
    const known = result.get(newer?.recordId ?? candidate.recordId);
    // The newer record stands where the older one stood: what it corrects is what was asked for.
    const standing = newer ? { ...newer, probability: Math.max(newer.probability, candidate.probability) } : candidate;
    if (!known || standing.probability > known.probability) result.set(standing.recordId, standing);
  }
  return [...result.values()];
}

/** The kind asked for first; a record's own time answers "when" where no sentence names one. */
function choose(plan: QueryPlan, passages: readonly Passage[]): Passage[] {
  const [first] = passages;
  if (first && plan.answerType === "person") {
    // The name often stands beside the words that were asked about: in the answer to them.
    const naming = passages.find((one) => otherNames(plan, one).length > 0);
    return [naming && naming.score >= first.score - 0.5 ? naming : first];
  }
  if (!first || wantedValues[plan.answerType] === undefined) return passages.slice(0, 1);
  const valued = passages.find(({ values }) => values.length > 0);
  if (!valued) return [first];
  if (plan.answerType !== "date") return [valued];
  // A date of another record must not stand in for the record that tells of the matter.
  return [valued.candidate.recordId === first.candidate.recordId || valued.score >= first.score - 0.1 ? valued : first];
}

function fits(plan: QueryPlan, best: Passage): boolean {
  if (plan.answerType === "date") return best.values.length > 0 || best.candidate.day !== null;
  if (plan.answerType === "place")
    return best.names.length > 0 || best.candidate.record.place?.name != null || best.coverage > 0;
  return wantedValues[plan.answerType] === undefined || best.values.length > 0;
}

function* further(plan: QueryPlan, best: Passage, passages: readonly Passage[]): Generator<Passage> {
  const records = new Set([best.candidate.recordId]);
  let count = 1;
  for (const passage of passages) {
    if (count === claimLimit) return;
    const near = passage.candidate.probability >= nextShare * best.candidate.probability;
    if (!near || records.has(passage.candidate.recordId) || passage.citation.quote.endsWith("?")) continue;
    if (passage.coverage < best.coverage / 2 || (plan.terms.length > 0 && passage.coverage === 0)) continue;
    records.add(passage.candidate.recordId);
    count++;
    yield passage;
  }
}

function quoted(text: string): string {
  return `“${text.replace(/\s+/g, " ").replace(/[“”]/g, "'")}”`;
}

function authorOf({ record }: Candidate): string | null {
  return record.author?.name ?? record.author?.address ?? null;
}

function dayOf(candidate: Candidate, plan: QueryPlan): string | null {
  return candidate.day === null ? null : sayDay(candidate.day, plan.language);
}

/** The line of metadata that shows who and when, cited beside a quote. */
function metadataOf(candidate: Candidate): Citation[] {
  const view = candidate.views.find((one) => one.view === "metadata");
  if (!view) return [];
  const quote = view.text.slice(0, 300);
  return [{ recordId: candidate.recordId, view: "metadata", span: [0, quote.length], quote }];
}

/** "7 May 2023: “I went there yesterday.” (Caroline, 8 May 2023)" */
function claimOf(id: string, plan: QueryPlan, passage: Passage, disputed: ReadonlySet<number>): Claim {
  const { candidate, citation } = passage;
  const words = phrases[plan.language];
  const who = words.said(authorOf(candidate) ?? words.unknownAuthor, dayOf(candidate, plan));
  const front = headline(plan, passage);
  const picture = candidate.record.kind === "photo" && citation.view === "metadata";
  const body = picture
    ? words.taken(dayOf(candidate, plan), candidate.record.place?.name ?? null)
    : `${quoted(citation.quote)} (${who})`;
  return {
    id,
    text: `${front === null ? "" : `${front}: `}${body}${/[.!?]$/.test(body) ? "" : "."}`,
    citations: [citation, ...(citation.view === "metadata" ? [] : metadataOf(candidate))],
    standing: disputed.has(candidate.recordId) ? "conflicting" : "current",
  };
}

/** Names in a passage of people other than those whom the question names. */
function otherNames(plan: QueryPlan, { names }: Passage): string[] {
  const asked = new Set(plan.people.flatMap(({ name }) => name.split(/\s+/)));
  return names.filter((name) => !asked.has(name));
}

function headline(plan: QueryPlan, passage: Passage): string | null {
  const { candidate, values, citation, coverage, negated } = passage;
  if (plan.answerType === "date") {
    const [value] = values;
    if (value?.from !== undefined && value.to !== undefined) return saySpan(value.from, value.to, plan.language);
    return candidate.day === null ? null : sayDay(candidate.day, plan.language);
  }
  if (wantedValues[plan.answerType] !== undefined) return values[0]?.text ?? null;
  if (plan.answerType === "person") {
    const found = otherNames(plan, passage);
    if (found.length > 0) return [...new Set(found)].slice(0, 4).join(", ");
    const author = authorOf(candidate);
    return plan.people.some(({ name }) => name === author) ? null : author;
  }
  if (plan.answerType === "place") return candidate.record.place?.name ?? null;
  const says = citation.view !== "subject" && !citation.quote.endsWith("?") && plan.windows.length === 0;
  if (plan.answerType === "yesno" && coverage >= 0.99 && says) {
    return negated ? phrases[plan.language].no : phrases[plan.language].yes;
  }
  return null;
}

/** What held before, or what another record says: told, never hidden. */
function versions(
  plan: QueryPlan,
  main: Candidate,
  candidates: readonly Candidate[],
  conflicts: readonly Conflict[],
  from: number,
): Claim[] {
  const words = phrases[plan.language];
  const byId = new Map(candidates.map((candidate) => [candidate.recordId, candidate]));
  return conflicts
    .filter(({ older, newer }) => older.recordId === main.recordId || newer.recordId === main.recordId)
    .slice(0, 3)
    .flatMap((conflict, at) => {
      const superseded = conflict.kind === "superseded";
      const side = superseded || conflict.older.recordId !== main.recordId ? conflict.older : conflict.newer;
      const candidate = byId.get(side.recordId);
      if (!candidate) return [];
      const day = dayOf(candidate, plan);
      const told = superseded ? words.earlier(side.value, day) : words.disagree(side.value, day);
      const text = conflict.attribute === "status" ? `${words.cancelled(dayOf(main, plan))}. ${told}.` : `${told}.`;
      const proof =
        conflict.attribute === "status" ? [...citeValue(main, conflict.newer.value), ...metadataOf(main)] : [];
      return [
        {
          id: `c${from + at + 1}`,
          text,
          citations: [...citeValue(candidate, side.value), ...metadataOf(candidate), ...proof],
          standing: superseded ? ("superseded" as const) : ("conflicting" as const),
        },
      ];
    });
}

/** Where a record states a value; its beginning when the value is not its own words. */
function citeValue(candidate: Candidate, value: string): Citation[] {
  for (const { view, text } of candidate.views) {
    const at = text.indexOf(value);
    if (at < 0 || view === "metadata") continue;
    const start = Math.max(0, text.lastIndexOf("\n", at) + 1, at - 120);
    const end = Math.min(text.length, at + value.length + 120);
    return [{ recordId: candidate.recordId, view, span: [start, end], quote: text.slice(start, end) }];
  }
  const [first] = candidate.views;
  if (!first) return [];
  const end = Math.min(first.text.length, 240);
  return [{ recordId: candidate.recordId, view: first.view, span: [0, end], quote: first.text.slice(0, end) }];
}

function listClaims(
  plan: QueryPlan,
  top: readonly Candidate[],
  passages: readonly Passage[],
  disputed: ReadonlySet<number>,
): Draft {
  const best = top[0]?.probability ?? 0;
  const records = new Set<number>();
  const claims: Claim[] = [];
  for (const passage of passages) {
    if (claims.length === listLimit) break;
    if (records.has(passage.candidate.recordId) || passage.candidate.probability < (nextShare * best) / 2) continue;
    records.add(passage.candidate.recordId);
    claims.push(claimOf(`c${claims.length + 1}`, plan, passage, disputed));
  }
  return { claims, fits: claims.length > 0, main: claims.length };
}

/** A count names what it counts: every record in which all that was asked for occurs. */
function countClaims(plan: QueryPlan, candidates: readonly Candidate[]): Draft {
  const counted = candidates
    .filter(
      ({ features }) =>
        (plan.terms.length === 0 || features.cov >= 0.99) && (plan.windows.length === 0 || features.win >= 1),
    )
    .slice(0, countLimit)
    .toSorted((a, b) => (a.moment ?? 0) - (b.moment ?? 0) || a.recordId - b.recordId);
  if (counted.length === 0) return { claims: [], fits: false, main: 0 };
  const days = counted.slice(0, 8).flatMap((candidate) => dayOf(candidate, plan) ?? []);
  const more = counted.length > 8 ? ", …" : "";
  const text = `${phrases[plan.language].counted(counted.length)}: ${[...new Set(days)].join(", ")}${more}.`;
  const claim: Claim = { id: "c1", text, citations: counted.flatMap(metadataOf), standing: "current" };
  return { claims: [claim], fits: true, main: 1 };
}
