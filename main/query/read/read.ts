import type { Claim, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { partsOf, type QuestionPart } from "../plan/parts.ts";
import { type Sides, sidesOf } from "../plan/sides.ts";
import { coverage, isGeneric, narrowed } from "../plan/terms.ts";
import { asksPictures } from "../recall/pictures.ts";
import type { FoundConflict } from "../verify/conflicts.ts";
import { saidBefore, sameMatter, supported } from "./also.ts";
import { choose, decided, favour, ofOther, otherNames, placesLess, repeated } from "./choose.ts";
import { type Draft, nothing } from "./draft.ts";
import { headline, hourBelow, latestHour, valueSaid } from "./headline.ts";
import { countClaims, listClaims, pictureClaims } from "./lists.ts";
import { asksMeasure, wantedTypes } from "./pick.ts";
import { engagedIn, repliesOf } from "./replies.ts";
import { acceptances, settle } from "./rivals.ts";
import { claimOf } from "./say.ts";
import { type Passage, passagesOf, type Reading } from "./sentences.ts";
import { betweenClaim } from "./sides.ts";
import { current, validThen } from "./standing.ts";
import { acceptance, versions } from "./versions.ts";
import { settles } from "./worth.ts";
import { verdict } from "./yesno.ts";

/** Records read for the answer: the first of the frozen retrieval, whatever the forest chose. */
export const readRecords = 36;

const claimLimit = 3;

/** How far below the best passage a further one may score, and one that must hold a value where the best has none. */
const furtherWithin = 0.35;

const verdictWithin = 0.7;

/** Share of the best passage's own words of the question that a further one must say. */
const asMuch = 0.75;

const labelSays = 0.25;
/** Share of the answer's words of the question that a proposal must say to be the same. */
const nearlyAs = 0.6;

/** Extractive reader: sentences of records, said with who and when; the same input gives the same answer. */
export function readAnswer(
  given: Reading,
  candidates: readonly Candidate[],
  conflicts: readonly FoundConflict[],
  edges: readonly SchemaEdge[],
): Draft {
  const reading = { ...given, replies: repliesOf(given.plan, candidates, edges), engaged: engagedIn(edges) };
  const { plan } = reading;
  const asked = ofKind(plan, candidates);
  const parts = partsOf(plan);
  if (plan.operation === "count" && parts.length === 1) return countClaims(reading, asked);
  if (asksPictures(plan)) return pictureClaims(reading, asked, candidates);
  const standing = current(plan, asked.slice(0, readRecords), candidates, conflicts);
  if (plan.answerType === "list") return listClaims(reading, standing, candidates, edges);
  const accepted = acceptances(candidates, edges);
  const ground = { standing, candidates, conflicts, edges, accepted };
  const sides = sidesOf(plan.question);
  const both = sides && readSides(reading, sides, ground);
  if (both) return both;
  // "Where and when was it?": the part that names the matter is read first, a bare "where" after it.
  const order = [...parts.keys()].sort((a, b) => Number(isBare(parts[a])) - Number(isBare(parts[b])) || a - b);
  const read = new Map<number, Draft>();
  let before: Passage | null = null;
  for (const at of order) {
    const part = parts[at];
    if (!part) continue;
    const answer = readPart(reading, part, ground, before, read.size);
    if (answer === null) continue;
    read.set(at, answer.draft);
    before = answer.best;
  }
  const drafts = [...parts.keys()].flatMap((at) => read.get(at) ?? []);
  const [first] = drafts;
  if (!first) return nothing;
  const claims = numbered(drafts.flatMap((draft) => draft.claims));
  const told = drafts.filter((draft) => claims.some(({ text }) => text === draft.claims[0]?.text)).length;
  return {
    ...first,
    claims,
    conflicts: drafts.flatMap((draft) => draft.conflicts ?? []),
    backings: drafts.flatMap((draft) => draft.backings ?? []),
    open: parts.length - told,
  };
}

/** Both things that are set beside each other, each from its own record, and what follows from the two. */
function readSides(reading: Reading, sides: Sides, ground: Ground): Draft | null {
  const plan: QueryPlan = { ...reading.plan, operation: sides.type === "date" ? "temporal" : "single" };
  const found = sides.sides.flatMap((words) => {
    const answer = readPart({ ...reading, plan }, { text: words, answerType: sides.type }, ground, null, 0);
    const claim = answer?.draft.claims[0];
    return answer?.draft.fits === true && claim !== undefined ? [{ words, claim, ...answer }] : [];
  });
  const [one, other] = found;
  if (!one || !other) return null;
  const claim = betweenClaim(reading.plan, sides, one, other);
  if (claim === null) return null;
  const [a, b] = [one.draft, other.draft];
  return {
    ...a,
    claims: numbered([claim, ...found.flatMap(({ draft }) => draft.claims.slice(0, 1))]),
    said: Math.min(a.said, b.said),
    inTime: a.inTime && b.inTime,
    ofOther: a.ofOther === true || b.ofOther === true,
    conflicts: [...(a.conflicts ?? []), ...(b.conflicts ?? [])],
    backings: found.flatMap(({ draft }) => draft.backings ?? []),
  };
}

const isBare = (part: QuestionPart | undefined): boolean =>
  part !== undefined && part.answerType === "place" && part.text.trim().split(/\s+/).length <= 2;

/** Claims in order. Of two that quote the same sentence the one that says more stays ("14 May: “…”" before "“…”"). */
function numbered(claims: readonly Claim[]): Claim[] {
  const kept = claims.filter((claim, at) => {
    const same = (other: Claim) => other.text === claim.text || other.text.endsWith(`: ${claim.text}`);
    return !claims.some((other, place) => place !== at && same(other) && (other.text !== claim.text || place < at));
  });
  return kept.map((claim, at) => ({ ...claim, id: `c${at + 1}` }));
}

/** What all parts of a question are read from. */
interface Ground {
  readonly standing: readonly Candidate[];
  readonly candidates: readonly Candidate[];
  readonly conflicts: readonly FoundConflict[];
  readonly edges: readonly SchemaEdge[];
  /** Records that someone accepted, with the record that did. */
  readonly accepted: ReadonlyMap<RecordId, Candidate>;
}

function readPart(
  reading: Reading,
  part: QuestionPart,
  { standing, candidates, conflicts: known, edges, accepted }: Ground,
  before: Passage | null,
  done: number,
): { draft: Draft; best: Passage } | null {
  const answerType = part.answerType === "text" && asksMeasure(part.text) ? "number" : part.answerType;
  const plan: QueryPlan = { ...reading.plan, question: part.text, answerType };
  const asked = placesLess(narrowed(reading.asked, part.text, reading.plan), reading.plan);
  const passages = repeated(decided(plan, passagesOf({ ...reading, plan, asked }, standing)));
  if (before !== null) favour(passages, before, reading.plan);
  const first = choose(plan, passages);
  if (!first) return null;
  const chosen = validThen(plan, first, passages);
  const lead = latestHour(plan, chosen, passages);
  const settled = settle(plan, lead, passages, edges, {
    accepted: ({ candidate }) => accepted.has(candidate.recordId),
    engaged: reading.engaged ?? new Set(),
  });
  const { best } = settled;
  const conflicts = [
    ...settled.conflicts,
    ...known.filter((one) => !settled.conflicts.some((other) => samePair(one, other))),
  ];
  const fit = fits(plan, best);
  if (done > 0 && !fit) return null;
  const disputed = new Set(
    conflicts.filter(({ kind }) => kind === "conflict").flatMap(({ older, newer }) => [older.recordId, newer.recordId]),
  );
  const standingOf = ({ candidate }: Passage) => (disputed.has(candidate.recordId) ? "conflicting" : "current");
  const front = headline(plan, best);
  const value = valueSaid(plan, best) ?? front;
  const claims = [claimOf("c1", plan, best, front, standingOf(best), value)];
  if (["text", "yesno", "person", "place"].includes(plan.answerType)) {
    for (const next of further(plan, best, passages)) claims.push(claimOf("c2", plan, next, null, standingOf(next)));
  }
  claims.push(...acceptance(plan, best, front, acceptedBy(plan, best, passages, accepted)));
  const old = best.picked?.old ?? null;
  claims.push(
    ...versions(plan, best, front, candidates, conflicts).map((claim, at) => {
      if (at > 0 || old === null || claim.citations[0]?.recordId !== best.candidate.recordId) return claim;
      return {
        ...claim,
        citations: [...claim.citations, ...saidBefore({ ...reading, plan }, old, best, candidates, edges)],
      };
    }),
  );
  const said = supported(
    { ...reading, plan },
    best,
    front ?? claims[0]?.value ?? null,
    claims,
    passages,
    candidates,
    edges,
  );
  const hour = hourBelow(plan, best);
  const more = hour === null ? said.citations : [hour.citation, ...said.citations];
  if (claims[0]) claims[0] = { ...claims[0], citations: [...claims[0].citations, ...more] };
  const { whole, candidate } = best;
  // A guarantee given before the time asked about reaches it or not: the record need not be of that time.
  const inTime =
    best.inTime ||
    (plan.answerType === "yesno" && verdict(plan, best) !== null && best.picked?.value.type === "duration");
  return {
    // A form says little beside the name that was asked for: "PASSWORD" needs no words around it.
    draft: {
      claims,
      fits: fit,
      said: best.labelled ? Math.min(1, whole + labelSays) : whole,
      cosine: candidate.features.cos,
      inTime,
      ofOther: ofOther(best, passages) || itemOfOther(plan, asked, best),
      conflicts: settled.conflicts,
      backings: [{ text: claims[0]?.text ?? "", answer: said.answer, reading: { ...reading, plan, asked } }],
    },
    best,
  };
}

/** A line of a bill for something else: "Two tyres fitted: £176" is not what the car cost. */
function itemOfOther(plan: QueryPlan, asked: Reading["asked"], { picked, candidate }: Passage): boolean {
  if (plan.answerType !== "amount" || picked === null || settles(candidate.record.subject ?? "")) return false;
  const label = /^\s*([^:\n]{3,60}):\s*$/u.exec(picked.citation.quote.slice(0, picked.value.start))?.[1];
  if (label === undefined || settles(label) || charges.test(label)) return false;
  const names = contentStems(label, plan.language).filter((one) => !isGeneric(one));
  return names.length > 0 && coverage(asked, new Set(names)) === 0;
}
/** What names a sum and no item. */
const charges =
  /(?<!\p{L})(?:total|amount|sum|due|balance|price|costs?|fees?|charge|rent|deposit|monthly|yearly|annual|gesamt\p{L}*|summe|\p{L}*betrag|\p{L}*preis|kosten|gebühr|miete|kaution|monatlich|jährlich)(?!\p{L})/iu;

const samePair = (a: FoundConflict, b: FoundConflict): boolean =>
  a.older.recordId === b.older.recordId && a.newer.recordId === b.newer.recordId;

/** Who accepted what the answer proposes: to its own record, or to another that proposes the same. */
function acceptedBy(
  plan: QueryPlan,
  best: Passage,
  passages: readonly Passage[],
  accepted: Ground["accepted"],
): Candidate | undefined {
  const own = accepted.get(best.candidate.recordId);
  if (own || plan.answerType !== "yesno") return own;
  const same = passages.find(
    (one) => one.own >= Math.max(best.own * nearlyAs, sameMatter) && accepted.has(one.candidate.recordId),
  );
  return same && accepted.get(same.candidate.recordId);
}

/** "Photos of …" is answered with photos; what belongs to them stays in the forest. */
function ofKind(plan: QueryPlan, candidates: readonly Candidate[]): readonly Candidate[] {
  const asked = candidates.filter(({ record }) => plan.kinds.includes(record.kind));
  return asked.length > 0 ? asked : candidates;
}

function fits(plan: QueryPlan, best: Passage): boolean {
  if (plan.answerType === "date") return best.picked !== null || best.candidate.day !== null;
  if (plan.answerType === "place")
    return best.place !== null || best.candidate.record.place?.name != null || best.near > 0;
  return (
    wantedTypes(plan) === undefined || plan.answerType === "yesno" || best.picked !== null || best.labelled !== null
  );
}

function* further(plan: QueryPlan, best: Passage, passages: readonly Passage[]): Generator<Passage> {
  const records = new Set([best.candidate.recordId]);
  let count = 1;
  for (const passage of passages) {
    if (
      count === claimLimit ||
      passage.score < best.score - (plan.answerType === "yesno" ? verdictWithin : furtherWithin)
    )
      return;
    if (records.has(passage.candidate.recordId) || passage.citation.quote.endsWith("?")) continue;
    if (plan.answerType === "place" && passage.place !== best.place) continue;
    if (plan.answerType === "person" && !otherNames(plan, passage).some((name) => best.names.includes(name))) continue;
    if (plan.answerType === "yesno" && verdict(plan, passage)?.says !== verdict(plan, best)?.says) continue;
    if (passage.own < best.own * asMuch || (plan.terms.length > 0 && passage.near === 0)) continue;
    if (best.candidate.record.partOf?.identity === passage.candidate.record.identity) continue;
    if (passage.candidate.record.partOf?.identity === best.candidate.record.identity) continue;
    records.add(passage.candidate.recordId);
    count++;
    yield passage;
  }
}
