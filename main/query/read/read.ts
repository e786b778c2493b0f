import type { Citation, Claim, QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { stem, weekdayOf, wordsOf } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { partsOf, type QuestionPart } from "../plan/parts.ts";
import { narrowed } from "../plan/terms.ts";
import { asksPictures } from "../recall/pictures.ts";
import type { FoundConflict } from "../verify/conflicts.ts";
import { asksAuthor } from "./doers.ts";
import { type Draft, nothing } from "./draft.ts";
import { countClaims, listClaims, pictureClaims } from "./lists.ts";
import { phrases, saySpan, sayWeekday } from "./phrases.ts";
import { asksMeasure, isOld, sayValue, sayWhen, wantedTypes } from "./pick.ts";
import { engagedIn, repliesOf } from "./replies.ts";
import { acceptances, settle } from "./rivals.ts";
import { authorOf, claimOf, dayOf } from "./say.ts";
import { isSignature, type Passage, passagesOf, type Reading } from "./sentences.ts";
import { supports } from "./support.ts";
import { saysChange, type Value, valuesOf } from "./values.ts";
import { acceptance, tellable, versions } from "./versions.ts";
import { verdict } from "./yesno.ts";

/** Records read for the answer: the first of the frozen retrieval, whatever the forest chose. */
export const readRecords = 36;
const claimLimit = 3;
/** Idf share of the question in a record that makes its value count, and what each further record is worth. */
const repeatedAbout = 0.5;
const repeatedWorth = 0.12;
const verdictWorth = 0.6;
/** How far below the best passage a further one may score, and one that must hold a value where the best has none. */
const furtherWithin = 0.35;
const verdictWithin = 0.7;
const labelSays = 0.25;
const valueWithin = 0.7;
const namingWithin = 1;
const placedWithin = 0.4;
/** What a follow-up part gains in the record that answered the part before it ("… and how heavy was she?"). */
const sameRecord = 0.6;
const sameName = 0.6;
/** Share of the question that a sentence must say to decide it as well. */
const sameMatter = 0.5;

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
  // "Where and when was it?": the part that names the matter is read first, a bare "where" after it.
  const order = [...parts.keys()].sort((a, b) => Number(isBare(parts[a])) - Number(isBare(parts[b])) || a - b);
  const read = new Map<number, Draft>();
  let before: Passage | null = null;
  for (const at of order) {
    const part = parts[at];
    if (!part) continue;
    const ground = { standing, candidates, conflicts, edges, accepted };
    const answer = readPart(reading, part, ground, before, read.size);
    if (answer === null) continue;
    read.set(at, answer.draft);
    before = answer.best;
  }
  const drafts = [...parts.keys()].flatMap((at) => read.get(at) ?? []);
  const [first] = drafts;
  if (!first) return nothing;
  return {
    ...first,
    claims: numbered(drafts.flatMap(({ claims }) => claims)),
    conflicts: drafts.flatMap((draft) => draft.conflicts ?? []),
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
  const chosen = choose(plan, passages);
  if (!chosen) return null;
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
  if (claims[0]) claims[0] = { ...claims[0], citations: [...claims[0].citations, ...said] };
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
      ofOther: ofOther(best, passages),
      conflicts: settled.conflicts,
    },
    best,
  };
}

const samePair = (a: FoundConflict, b: FoundConflict): boolean =>
  a.older.recordId === b.older.recordId && a.newer.recordId === b.newer.recordId;

/** "The keys to Alder Row" are found by the keys: a place tells which, not what. */
function placesLess(asked: Reading["asked"], plan: QueryPlan): Reading["asked"] {
  const places = new Set(plan.places.flatMap((place) => wordsOf(place).map(({ folded }) => stem(folded))));
  if (places.size === 0 || !asked.terms.some((term) => !term.generic && !places.has(term.stem))) return asked;
  const terms = asked.terms.map((term) =>
    places.has(term.stem) ? { ...term, weight: term.weight * placeShare } : term,
  );
  return { ...asked, terms };
}
const placeShare = 0.6;

/** Far more of the question is said by a sentence of somebody's own self than by the best one of the person asked about. */
function ofOther(best: Passage, passages: readonly Passage[]): boolean {
  if (best.subject === "other") return true;
  const other = passages.find(({ subject }) => subject === "other");
  return other !== undefined && other.score + otherWorth > best.score && other.own > best.own + otherMore;
}
const otherWorth = 0.1;
const otherMore = 0.1;

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
    (one) => one.own >= Math.max(best.own, sameMatter) && accepted.has(one.candidate.recordId),
  );
  return same && accepted.get(same.candidate.recordId);
}

/** A sentence that says yes or no goes before one that is only about the matter. */
function decided(plan: QueryPlan, passages: readonly Passage[]): readonly Passage[] {
  if (plan.answerType !== "yesno") return passages;
  return passages.map((one) => {
    const said = verdict(plan, one);
    return said === null ? one : { ...one, score: one.score + (said.outright ? verdictWorth : verdictWorth / 3) };
  });
}

/** A value that several records about the matter state is more likely the one that held. */
function repeated(passages: readonly Passage[]): Passage[] {
  const records = new Map<string, Set<number>>();
  for (const { picked, whole, candidate } of passages) {
    if (!picked?.here || whole < repeatedAbout) continue;
    const { key } = picked.value;
    records.set(key, (records.get(key) ?? new Set()).add(candidate.recordId));
  }
  const bonus = ({ picked }: Passage) =>
    picked?.here ? repeatedWorth * Math.min(3, Math.max(0, (records.get(picked.value.key)?.size ?? 0) - 1)) : 0;
  return passages
    .map((one) => ({ ...one, score: one.score + bonus(one) }))
    .sort((a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank);
}

/** A further part is answered beside the one before it, or where the name that answered that one is said. */
function favour(passages: Passage[], before: Passage, plan: QueryPlan): void {
  const names = newNames(plan, before);
  for (const [at, one] of passages.entries()) {
    const same = one.candidate.recordId === before.candidate.recordId;
    const named = !same && names.some((name) => one.candidate.stems.has(name));
    if (same || named) passages[at] = { ...one, score: one.score + (same ? sameRecord : sameName) };
  }
  passages.sort((a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank);
}

/** Stems of names in an answer that the question does not know. */
function newNames({ question }: QueryPlan, { citation, candidate }: Passage): string[] {
  const known = new Set(wordsOf(question).map(({ folded }) => stem(folded)));
  return wordsOf(citation.quote).flatMap(({ text, folded, start }) => {
    const inside = start > 0 && /^\p{Lu}\p{Ll}+$/u.test(text) && text !== authorOf(candidate);
    return inside && !known.has(stem(folded)) ? [stem(folded)] : [];
  });
}

/** "Photos of …" is answered with photos; what belongs to them stays in the forest. */
function ofKind(plan: QueryPlan, candidates: readonly Candidate[]): readonly Candidate[] {
  const asked = candidates.filter(({ record }) => plan.kinds.includes(record.kind));
  return asked.length > 0 ? asked : candidates;
}

/** Records that a newer one replaces give way to it. */
function current(
  plan: QueryPlan,
  top: readonly Candidate[],
  all: readonly Candidate[],
  conflicts: readonly FoundConflict[],
): Candidate[] {
  const byId = new Map(all.map((candidate) => [candidate.recordId, candidate]));
  const replaced = new Map(
    conflicts
      .filter(({ kind, attribute }) => kind === "superseded" && tellable(plan, attribute))
      .map(({ older, newer }) => [older.recordId, newer.recordId]),
  );
  const result = new Map<number, Candidate>();
  for (const candidate of top) {
    const newer = byId.get(replaced.get(candidate.recordId) ?? -1);
    const stands = newer ?? candidate;
    const known = result.get(stands.recordId);
    // The newer record stands where the older one stood, with what was said of the matter there.
    const inherited = newer ? new Set([...(known?.inherited ?? []), ...candidate.stems]) : known?.inherited;
    const probability = Math.max(known?.probability ?? 0, stands.probability, candidate.probability);
    const stems = inherited === undefined ? stands.stems : new Set([...stands.stems, ...inherited]);
    result.set(stands.recordId, { ...stands, stems, probability, ...(inherited === undefined ? {} : { inherited }) });
  }
  return [...result.values()];
}

/** The kind asked for first; a record's own time answers "when" where no sentence names one. */
function choose(plan: QueryPlan, passages: readonly Passage[]): Passage | undefined {
  const [first] = passages;
  if (first && plan.answerType === "person") {
    if (speaksOfSelf(plan, first)) return first;
    // The name often stands beside the words that were asked about: in the chat's answer to them.
    const naming = passages.find(
      (one) =>
        !isSignature(one.citation.quote) &&
        otherNames(plan, one).length > 0 &&
        (one.own * 2 >= first.own || (one.candidate.record.kind === "message" && one.whole >= first.whole / 2)),
    );
    return naming && naming.score >= first.score - namingWithin ? naming : first;
  }
  if (first && plan.answerType === "place") {
    const placed = passages.find(
      ({ place, candidate, citation }) =>
        citation.view !== "subject" &&
        !citation.quote.endsWith("?") &&
        (place !== null || candidate.record.place?.name != null),
    );
    // Where only a time is asked about, any place of that time answers.
    const open = plan.terms.length === 0 && plan.windows.length > 0 && placed?.inTime === true;
    return placed && (open || placed.score >= first.score - placedWithin) ? placed : first;
  }
  if (!first || wantedTypes(plan) === undefined || plan.answerType === "date") return first;
  const valued = passages.find(({ picked }) => picked !== null);
  return valued && valued.score >= first.score - valueWithin ? valued : first;
}

/** Who says "I" or "my" speaks of the author; no answer where the question names the author. */
function speaksOfSelf(plan: QueryPlan, { citation, candidate }: Passage): boolean {
  const named = plan.people.some(({ name }) => name === authorOf(candidate));
  return !named && /(?<!\p{L})(?:I|I['’]m|my|ich|mein\p{L}*)(?!\p{L})/u.test(citation.quote);
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
    if (plan.answerType === "place" && passage.place === null) continue;
    if (plan.answerType === "yesno" && verdict(plan, passage)?.says !== verdict(plan, best)?.says) continue;
    if (passage.own < best.own / 2 || (plan.terms.length > 0 && passage.near === 0)) continue;
    records.add(passage.candidate.recordId);
    count++;
    yield passage;
  }
}

/** Citations of further records that say what the answer says. */
function supported(
  reading: Reading,
  best: Passage,
  words: string | null,
  claims: readonly Claim[],
  passages: readonly Passage[],
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): Citation[] {
  const { picked, candidate, whole } = best;
  const { plan } = reading;
  const value = picked?.value ?? null;
  const { from, to } = value ?? {};
  const { day } = candidate;
  const days =
    plan.answerType !== "date"
      ? null
      : from !== undefined && to !== undefined
        ? { from, to }
        : day === null
          ? null
          : { from: day, to: day };
  const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const told = plan.answerType === "yesno" ? best.citation.quote : words;
  const also = plan.answerType === "yesno" ? sameVerdict(plan, best, passages, cited) : [];
  const known = new Set([...cited, ...also.map(({ recordId }) => recordId)]);
  const answer = { value, days, words: value === null ? told : null, cited: known, whole };
  return [...also, ...supports(reading, answer, candidates, edges)];
}

/** Who said first what a sentence tells as held before. */
function saidBefore(
  reading: Reading,
  old: Value,
  { candidate, whole }: Passage,
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): Citation[] {
  const { from, to } = old;
  const days = from !== undefined && to !== undefined ? { from, to } : null;
  const older = candidates.filter(({ moment }) => (moment ?? 0) < (candidate.moment ?? 0));
  const answer = { value: old, days, words: null, cited: new Set([candidate.recordId]), whole };
  return supports(reading, answer, older, edges, 2);
}

/** Other records that decide a question the same way. */
function sameVerdict(
  plan: QueryPlan,
  best: Passage,
  passages: readonly Passage[],
  cited: ReadonlySet<RecordId>,
): Citation[] {
  const says = verdict(plan, best)?.says;
  const records = new Set(cited);
  const found: Citation[] = [];
  for (const one of passages) {
    if (found.length === claimLimit || says === undefined) break;
    if (records.has(one.candidate.recordId) || one.own < sameMatter || verdict(plan, one)?.says !== says) continue;
    records.add(one.candidate.recordId);
    found.push(one.citation);
  }
  return found;
}

/** Names in a passage of people other than those whom the question names. */
function otherNames(plan: QueryPlan, { names }: Passage): string[] {
  const asked = new Set(plan.people.flatMap(({ name }) => name.split(/\s+/)));
  return names.filter((name) => !name.split(/\s+/).some((word) => asked.has(word) || plan.terms.includes(word)));
}

/** "When does it leave?" wants the hour too, which a ticket has in a line of its own below the day. */
function withHour(plan: QueryPlan, { picked, candidate }: Passage, said: string): string {
  const span = picked?.citation.span;
  if (!picked || !span || picked.value.type !== "date" || !asksHour.test(plan.question) || /\d:\d\d/.test(said))
    return said;
  const text = candidate.views.find(({ view }) => view === picked.citation.view)?.text ?? "";
  const below = text.slice(span[0], span[1] + hourWithin);
  const hour = valuesOf(below, candidate.day, ["time"]).find((one) => /[:.]/.test(one.text) && !isOld(below, one));
  return hour ? `${said}, ${hour.text}` : said;
}
/** Of several records that give the same day the newest that tells of a change: its hour holds. */
function latestHour(plan: QueryPlan, chosen: Passage, passages: readonly Passage[]): Passage {
  const key = chosen.picked?.value.key;
  if (key === undefined || plan.answerType !== "date" || !asksHour.test(plan.question)) return chosen;
  const changed = passages.filter(
    ({ picked, candidate, whole }) =>
      picked?.here === true &&
      picked.value.key === key &&
      whole >= chosen.whole / 2 &&
      (candidate.moment ?? 0) > (chosen.candidate.moment ?? 0) &&
      saysChange(`${candidate.record.subject ?? ""}\n${(candidate.record.text ?? "").slice(0, 600)}`),
  );
  return changed.toSorted((a, b) => (b.candidate.moment ?? 0) - (a.candidate.moment ?? 0))[0] ?? chosen;
}

const asksHour =
  /(?<!\p{L})(?:leave[sd]?|left|depart\p{L}*|arriv\p{L}*|land(?:s|ed)?|take[sn]? off|took off|begin\p{L}*|began|start\p{L}*|open[s]?|close[sd]?|appointment|abfliegen|abfahr\p{L}*|fährt|fliegt|ankomm\p{L}*|ankunft|abflug|beginn\p{L}*|anfang\p{L}*|fängt|termin)(?!\p{L})/iu;
/** Characters below the day in which its hour may stand. */
const hourWithin = 120;

/** An event's own day and hour. */
function eventTime(plan: QueryPlan, { record, day, moment }: Candidate): string | null {
  const wall = record.time?.local ?? (moment === null ? "" : new Date(moment).toISOString());
  const hour = /T(\d\d:\d\d)/.exec(wall)?.[1];
  if (record.kind !== "event" || day === null || hour === undefined || record.time?.precision === "day") return null;
  return `${sayWeekday(weekdayOf(day), plan.language)} ${saySpan(day, day, plan.language)}, ${hour}`;
}

/** The value without what only makes it readable: of a date the day alone. */
function valueSaid(plan: QueryPlan, { picked, candidate }: Passage): string | null {
  const { from, to } = picked?.value ?? {};
  if (plan.answerType !== "date" || !picked || from === undefined || to === undefined) return null;
  return sayWhen(plan, picked.value, candidate.day);
}

function headline(plan: QueryPlan, passage: Passage): string | null {
  const { candidate, picked, labelled } = passage;
  if (labelled !== null) return labelled.value;
  if (picked !== null && plan.answerType !== "yesno")
    return withHour(plan, passage, sayValue(plan, picked.citation.quote, picked.value, candidate.day));
  if (plan.answerType === "date") return eventTime(plan, candidate) ?? dayOf(candidate, plan);
  if (plan.answerType === "person") {
    const found = speaksOfSelf(plan, passage) ? [] : otherNames(plan, passage);
    if (found.length > 0) return [...new Set(found)].slice(0, 4).join(", ");
    if (!speaksOfSelf(plan, passage) && !asksAuthor(plan)) return null;
    const author = authorOf(candidate);
    return plan.people.some(({ name }) => name === author) ? null : author;
  }
  if (plan.answerType === "place") return candidate.record.place?.name ?? null;
  if (plan.answerType !== "yesno") return null;
  const said = verdict(plan, passage);
  return said === null ? null : phrases[plan.language][said.says];
}
