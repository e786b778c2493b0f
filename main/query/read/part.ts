import type { QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import type { QuestionPart } from "../plan/parts.ts";
import { coverage, isGeneric, narrowed } from "../plan/terms.ts";
import type { FoundConflict } from "../verify/conflicts.ts";
import { besideOf, choose, decided, favour, ofOther, otherNames, placesLess, repeated } from "./answers/choose.ts";
import { headline, hourBelow, latestHour, valueSaid } from "./answers/headline.ts";
import { withReason } from "./answers/reason.ts";
import { lastWord, verdict } from "./answers/yesno.ts";
import { withoutChange } from "./asked/changes.ts";
import { fits } from "./asked/fits.ts";
import { speaking } from "./asked/spoken.ts";
import { onlyOtherWay, otherWay } from "./asked/way.ts";
import type { Draft } from "./draft.ts";
import { authorOf, claimOf } from "./say.ts";
import { asksMeasure } from "./sentences/pick.ts";
import { type Passage, passagesOf, type Reading } from "./sentences/sentences.ts";
import { isSignature, settles } from "./sentences/worth.ts";
import { chooseSpans } from "./spans/span-choice.ts";
import { voicesOf } from "./spans/voices.ts";
import { saidBefore, sameMatter, supported } from "./witnesses/also.ts";
import { settle } from "./witnesses/rivals.ts";
import { isAfterwards, validThen } from "./witnesses/standing.ts";
import { sameShot } from "./witnesses/support.ts";
import { acceptance, versions } from "./witnesses/versions.ts";

const claimLimit = 3;

/** How far below the best passage a further one may score, and one that must hold a value where the best has none. */
const furtherWithin = 0.35;

const verdictWithin = 0.8;

/** Share of the best passage's own words of the question that a further one must say. */
const asMuch = 0.75;
const asMuchOfVerdict = 0.6;

/** Share of a further part that its sentence must say with its neighbours. */
const leastOfPart = 0.5;

const labelSays = 0.25;
/** Share of the answer's words of the question that a proposal must say to be the same. */
const nearlyAs = 0.6;

/** What all parts of a question are read from. */
export interface Ground {
  readonly standing: readonly Candidate[];
  readonly candidates: readonly Candidate[];
  readonly conflicts: readonly FoundConflict[];
  readonly edges: readonly SchemaEdge[];
  /** Records that someone accepted, with the record that did. */
  readonly accepted: ReadonlyMap<RecordId, Candidate>;
}

/**
 * The answer to one part of the question, with what else is told of it; null where nothing answers. `mustFit`: also where what
 * answers best does not fit, as beside what has been answered before.
 */
export function readPart(
  reading: Reading,
  part: QuestionPart,
  { standing, candidates, conflicts: known, edges, accepted }: Ground,
  before: Passage | null,
  mustFit: boolean,
): { draft: Draft; best: Passage } | null {
  const answerType = part.answerType === "text" && asksMeasure(part.text) ? "number" : part.answerType;
  const plan: QueryPlan = { ...reading.plan, question: part.text, answerType };
  const own = withoutChange(plan, narrowed(reading.asked, part.text, reading.plan));
  const asked = placesLess(own, reading.plan);
  const told = before?.citation.quote;
  // A sentence that has answered one part answers another only with a value of its own.
  const open = passagesOf({ ...reading, plan, asked }, standing).filter(
    ({ candidate, citation, picked, labelled }) =>
      !otherWay(plan, (picked ?? { citation }).citation.quote) &&
      !onlyOtherWay(plan, candidate) &&
      !isAfterwards(plan, candidate) &&
      (told === undefined ||
        plan.answerType !== "text" ||
        picked !== null ||
        labelled !== null ||
        (citation.quote !== told && citation.quote !== authorOf(candidate) && !isSignature(citation.quote))),
  );
  const passages = ownWords(plan, repeated(decided(plan, open)));
  const beside = before === null ? null : besideOf(before, reading.plan);
  if (beside !== null) favour(passages, beside);
  // "It" of a further part is said where the part before it was answered.
  const speaks = before === null ? speaking({ ...reading, plan, asked: own }) : null;
  const fitting = spokenFirst(passages, speaks);
  const spans =
    before === null && plan.answerType === "text" ? chooseSpans({ ...reading, plan }, passages, speaks) : [];
  const spoken = spans[0] ?? null;
  const chosenFirst = spoken === null ? choose(plan, fitting, before !== null) : spoken.passage;
  if (!chosenFirst) return null;
  const first = lastWord(plan, originalOf(chosenFirst, passages), fitting);
  const chosen = validThen(plan, first, passages);
  const lead = latestHour(plan, chosen, passages);
  // A day of another matter is no newer day of this one.
  const settled = settle(plan, lead, plan.answerType === "date" ? fitting : passages, edges, {
    accepted: ({ candidate }) => accepted.has(candidate.recordId),
    engaged: reading.engaged ?? new Set(),
  });
  const best = reading.plan.intent === "why" ? withReason(settled.best) : settled.best;
  const conflicts = [
    ...settled.conflicts,
    ...known.filter((one) => !settled.conflicts.some((other) => samePair(one, other))),
  ];
  const fit = fits(plan, best);
  if (mustFit && (!fit || strays(plan, best, beside))) return null;
  const disputed = new Set(
    conflicts.filter(({ kind }) => kind === "conflict").flatMap(({ older, newer }) => [older.recordId, newer.recordId]),
  );
  const standingOf = ({ candidate }: Passage) => (disputed.has(candidate.recordId) ? "conflicting" : "current");
  const front = headline(plan, best);
  const value = valueSaid(plan, best) ?? front ?? (spoken !== null && best === spoken.passage ? spoken.text : null);
  const claims = [claimOf("c1", plan, best, front, standingOf(best), value)];
  if (["text", "yesno", "person", "place"].includes(plan.answerType)) {
    for (const next of further(plan, best, passages)) claims.push(claimOf("c2", plan, next, null, standingOf(next)));
  }
  claims.push(...acceptance(plan, best, front, acceptedBy(plan, best, passages, accepted)));
  claims.push(
    ...versions(plan, best, front, candidates, conflicts, (old, by) =>
      saidBefore({ ...reading, plan }, old, { ...best, candidate: by }, best.candidate, candidates, edges),
    ),
  );
  const said = supported(
    { ...reading, plan },
    best,
    front ?? claims[0]?.value ?? null,
    claims,
    passages,
    ownRecords(plan, candidates),
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
      voices: voicesOf(plan, passages, spans),
      ofOther:
        ofOther(best, passages) ||
        itemOfOther(plan, asked, best) ||
        !(speaks === null || isCode(best) || speaks(best.candidate)),
      conflicts: settled.conflicts,
      backings: [{ text: claims[0]?.text ?? "", answer: said.answer, reading: { ...reading, plan, asked } }],
    },
    best,
  };
}

/** Of what does not speak of the matter nothing is read, as long as something does. A number on a form stands for itself. */
function spokenFirst(passages: Passage[], spoken: ((candidate: Candidate) => boolean) | null): Passage[] {
  if (spoken === null) return passages;
  const own = passages.filter((one) => isCode(one) || spoken(one.candidate));
  return own.length > 0 ? own : passages;
}
const isCode = ({ picked }: Passage): boolean => picked?.value.type === "code";

/** A further part that asks for words is answered beside the part before it, or where its own words are said. */
function strays({ answerType }: QueryPlan, best: Passage, beside: ((one: Passage) => number) | null): boolean {
  return answerType === "text" && best.labelled === null && best.near < leastOfPart && beside?.(best) === 0;
}

/** "What did Ada say of the shed?" is answered in her own words, where there are any. */
function ownWords(plan: QueryPlan, passages: Passage[]): Passage[] {
  if (plan.people.length === 0 || !asksSaid.test(plan.question)) return passages;
  const names = new Set(plan.people.map(({ name }) => name));
  const own = passages.filter(({ candidate }) => names.has(candidate.record.author?.name ?? ""));
  return own.some((one) => one.own > 0) ? own : passages;
}
/** What somebody said is borne out by what they wrote. */
function ownRecords(plan: QueryPlan, candidates: readonly Candidate[]): readonly Candidate[] {
  if (plan.people.length === 0 || !asksSaid.test(plan.question)) return candidates;
  const names = new Set(plan.people.map(({ name }) => name));
  return candidates.filter(({ record }) => names.has(record.author?.name ?? ""));
}

const asksSaid =
  /(?<!\p{L})(?:[Ww]hat|[Hh]ow|[Ww]hy|[Ww]as|[Ww]ie|[Ww]arum)(?!\p{L}).*(?<!\p{L})(?:did|does|has|hat)\s(?:\p{Lu}\p{L}+\s){1,3}(?:.*\s)?(?:say|said|write|written|answer|reply|suggest|propose|think|recommend|complain|gesagt|geschrieben|geantwortet|vorgeschlagen)(?!\p{L})|(?<!\p{L})(?:sagt|sagte|schrieb|schreibt)\s\p{Lu}/u;

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

/** Of a picture that came with a chat, the original where it is there too. */
function originalOf(passage: Passage, passages: readonly Passage[]): Passage {
  const { candidate, picked, labelled } = passage;
  if (candidate.record.kind !== "photo" || candidate.record.partOf === null) return passage;
  return (
    passages.find(
      (one) =>
        one.candidate.record.partOf === null &&
        one.picked?.value.key === picked?.value.key &&
        one.labelled?.value === labelled?.value &&
        sameShot(one.candidate, candidate),
    ) ?? passage
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
    if (
      passage.own < best.own * (plan.answerType === "yesno" ? asMuchOfVerdict : asMuch) ||
      (plan.terms.length > 0 && passage.near === 0)
    )
      continue;
    if (best.candidate.record.partOf?.identity === passage.candidate.record.identity) continue;
    if (passage.candidate.record.partOf?.identity === best.candidate.record.identity) continue;
    records.add(passage.candidate.recordId);
    count++;
    yield passage;
  }
}
