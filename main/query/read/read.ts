import type { Claim, QueryPlan } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { partsOf, type QuestionPart } from "../plan/parts.ts";
import { asksWhereabouts } from "../plan/places.ts";
import { type Sides, sidesOf } from "../plan/sides.ts";
import { asksPictures, countsPictures, listsPictures } from "../recall/pictures.ts";
import type { FoundConflict } from "../verify/conflicts.ts";
import { ageDraft } from "./answers/age.ts";
import { bothClaims } from "./answers/both.ts";
import { boughtDraft } from "./answers/bought.ts";
import { countClaims } from "./answers/counts.ts";
import { endDraft } from "./answers/earliest.ts";
import { listClaims, pictureClaims, plainPictures } from "./answers/lists.ts";
import { betweenClaim } from "./answers/sides.ts";
import { whereaboutsDraft } from "./answers/whereabouts.ts";
import { engagedIn, repliesOf } from "./asked/replies.ts";
import { type Draft, nothing } from "./draft.ts";
import { type Ground, readPart } from "./part.ts";
import { asksOften } from "./sentences/pick.ts";
import { withGrounds } from "./sentences/pictured.ts";
import type { Passage, Reading } from "./sentences/sentences.ts";
import { sameMatter } from "./witnesses/also.ts";
import { acceptances } from "./witnesses/rivals.ts";
import { current } from "./witnesses/standing.ts";

/** Records read for the answer: the first of the frozen retrieval, whatever the forest chose. */
export const readRecords = 36;

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
  if (plan.operation === "count" && parts.length === 1) {
    const counted = oftenClaims(reading, asked, candidates, conflicts, edges) ?? countClaims(reading, asked);
    const said = counted.claims.length === 0 && countsPictures(plan);
    return said ? pictureClaims(reading, asked, candidates) : counted;
  }
  const end = endDraft(reading, asked);
  if (end) return end;
  if (asksPictures(plan)) return pictureClaims(reading, asked, candidates);
  const pictures = listsPictures(plan) ? plainPictures(reading, candidates) : null;
  if (pictures) return pictures;
  const standing = current(plan, asked.slice(0, readRecords), candidates, conflicts);
  const bought = boughtDraft(plan, standing);
  if (bought) return bought;
  if (plan.answerType === "list") return listClaims(reading, standing, candidates, edges);
  const accepted = acceptances(candidates, edges);
  const ground = { standing, candidates, conflicts, edges, accepted };
  const there = asksWhereabouts(plan) ? whereaboutsDraft(reading, candidates) : null;
  if (there) return there;
  const sides = sidesOf(plan.question);
  const both = sides && readSides(reading, sides, ground);
  if (both) return both;
  // An age that nothing tells is no other figure.
  if (sides?.asks === "age") return nothing;
  const shared = bothClaims(reading, standing);
  if (shared) return shared;
  // "Where and when was it?": the part that names the matter is read first, a bare "where" after it.
  const order = [...parts.keys()].sort((a, b) => Number(isBare(parts[a])) - Number(isBare(parts[b])) || a - b);
  const read = new Map<number, Draft>();
  let before: Passage | null = null;
  for (const at of order) {
    const part = parts[at];
    if (!part) continue;
    const answer = readPart(reading, part, ground, before, read.size > 0);
    if (answer === null) continue;
    read.set(at, answer.draft);
    before = answer.best;
  }
  const drafts = [...parts.keys()].flatMap((at) => read.get(at) ?? []);
  const [first] = drafts;
  if (!first) return nothing;
  const claims = withGrounds(reading, numbered(drafts.flatMap((draft) => draft.claims)), candidates);
  const told = (at: number) => claims.some(({ text }) => text === read.get(at)?.claims[0]?.text);
  return {
    ...first,
    claims,
    conflicts: drafts.flatMap((draft) => draft.conflicts ?? []),
    backings: drafts.flatMap((draft) => draft.backings ?? []),
    open: parts.flatMap(({ text }, at) => (told(at) ? [] : [text.trim()])),
  };
}

/** How old somebody was, at the time that is named or when something was. */
function readAge(reading: Reading, sides: Sides, ground: Ground): Draft | null {
  const { plan } = reading;
  const [, clause] = sides.sides;
  const [window] = plan.windows;
  if (clause === "") {
    const last = plan.windows.at(-1);
    const then = window && last ? { from: window.from, to: last.to, claim: null } : null;
    return ageDraft(plan, sides, ground.candidates, then);
  }
  const at: Reading = { ...reading, plan: { ...plan, operation: "temporal" } };
  const answer = readPart(at, { text: clause, answerType: "date" }, ground, null, false);
  const claim = answer?.draft.claims[0];
  const day = answer?.best.picked?.value.from ?? answer?.best.candidate.day;
  if (!answer || claim === undefined || day == null) return null;
  const draft = ageDraft(plan, sides, ground.candidates, { from: day, to: answer.best.picked?.value.to ?? day, claim });
  return draft && { ...draft, said: answer.draft.said, ofOther: answer.draft.ofOther === true };
}

/** Both things that are set beside each other, each from its own record, and what follows from the two. */
function readSides(reading: Reading, sides: Sides, ground: Ground): Draft | null {
  if (sides.asks === "age") return readAge(reading, sides, ground);
  const plan: QueryPlan = { ...reading.plan, operation: sides.type === "date" ? "temporal" : "single" };
  const readSide = (words: string) => {
    const answer = readPart({ ...reading, plan }, { text: words, answerType: sides.type }, ground, null, true);
    const claim = answer?.draft.claims[0];
    return answer && claim !== undefined ? { words, claim, ...answer } : null;
  };
  const one = readSide(sides.sides[0]);
  const other = one && readSide(sides.sides[1]);
  if (!one || !other) return null;
  const found = [one, other];
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

/** "How often does she swim?" is answered by "twice a week", where that is said; else what there is of it is counted. */
function oftenClaims(
  reading: Reading,
  asked: readonly Candidate[],
  candidates: readonly Candidate[],
  conflicts: readonly FoundConflict[],
  edges: readonly SchemaEdge[],
): Draft | null {
  if (!asksOften(reading.plan.question)) return null;
  const plan: QueryPlan = { ...reading.plan, operation: "single" };
  const standing = current(plan, asked.slice(0, readRecords), candidates, conflicts);
  const ground = { standing, candidates, conflicts, edges, accepted: new Map() };
  const answer = readPart({ ...reading, plan }, { text: plan.question, answerType: "number" }, ground, null, false);
  if (!answer || answer.best.picked === null || answer.best.near < sameMatter) return null;
  return { ...answer.draft, claims: numbered(answer.draft.claims) };
}

const isBare = (part: QuestionPart | undefined): boolean =>
  part !== undefined && part.answerType === "place" && part.text.trim().split(/\s+/).length <= 2;

/** Claims in order. Of two that quote the same sentence the one that says more stays ("14 May: “…”" before "“…”"). */
function numbered(claims: readonly Claim[]): Claim[] {
  const within = (less: Claim, more: Claim) => more.text === less.text || more.text.endsWith(`: ${less.text}`);
  const kept = claims.filter(
    (claim, at) =>
      !claims.some((other, place) => place !== at && within(claim, other) && (other.text !== claim.text || place < at)),
  );
  // Whoever bears witness to the one bears witness to the other.
  return kept.map((claim, at) => {
    const records = new Set(claim.citations.map(({ recordId }) => recordId));
    const others = claims.filter((other) => other !== claim && within(other, claim));
    const more = others.flatMap(({ citations }) => citations).filter(({ recordId }) => !records.has(recordId));
    return { ...claim, id: `c${at + 1}`, citations: [...claim.citations, ...more] };
  });
}

/** "Photos of …" is answered with photos; what belongs to them stays in the forest. */
function ofKind(plan: QueryPlan, candidates: readonly Candidate[]): readonly Candidate[] {
  const asked = candidates.filter(({ record }) => plan.kinds.includes(record.kind));
  return asked.length > 0 ? asked : candidates;
}
