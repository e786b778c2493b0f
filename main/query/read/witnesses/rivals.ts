import type { QueryPlan, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { bareSubject, saysItself } from "../../../views/index.ts";
import { addDays, contentStems, sentencesOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import type { FoundConflict } from "../../verify/conflicts.ts";
import { authorOf } from "../say.ts";
import { isOld, sayValue } from "../sentences/pick.ts";
import type { Passage } from "../sentences/sentences.ts";
import { measureOf, saysChange, type Value, valuesOf } from "../sentences/values.ts";
import { confirms, settles, soundsOffered } from "../sentences/worth.ts";

/**
 * Other records that give the answer's attribute another value. A newer one that settles the matter (a change, a booking, an
 * invoice after a quote, an offer that was accepted) takes the answer over; of two that both may hold the more authoritative
 * one answers, and the other is told.
 */
export interface Settled {
  readonly best: Passage;
  readonly conflicts: readonly FoundConflict[];
}

/** Share of the best passage's words of the question that a rival must say, and least share of all that is asked. */
const sameAttribute = 0.75;
const leastAsked = 0.5;
/** In one exchange the matter need not be named again. */
const leastTied = 0.3;
/** Values further apart than this are of two things, not two accounts of one: days, and the ratio of figures. */
const nearDays = 45;
const nearRatio = 1.5;
const rivalLimit = 2;
/** A value that fits the question worse is of something else: a day until which money is given back. */
const leastFit = -0.4;
const attributes: ReadonlySet<string> = new Set(["date", "amount", "duration", "number"]);

export function settle(
  plan: QueryPlan,
  best: Passage,
  passages: readonly Passage[],
  edges: readonly SchemaEdge[],
  known: Known,
): Settled {
  const value = best.picked?.value;
  if (!value || !attributes.has(value.type) || plan.operation === "count" || plan.operation === "compare")
    return { best, conflicts: [] };
  const rivals = rivalsOf(best, value, passages, edges);
  let lead: Rival = { passage: best, value };
  for (const rival of rivals) {
    // A figure without its unit disputes an answer but does not give one.
    if (rival.passage.picked?.here !== true || rival.value !== rival.passage.picked.value) continue;
    if (outranks(rival, lead, known)) lead = rival;
  }
  const others = [{ passage: best, value }, ...rivals].filter(
    (one) =>
      one.passage !== lead.passage &&
      !states(one.passage.candidate, lead.value) &&
      (rivalry(lead.value, one.value) || lead.passage.picked?.old?.key === one.value.key) &&
      (supersedes(lead, one, known) || (disputes(one) && disputes(lead) && !advertises(one, lead, known))),
  );
  const conflicts = others.slice(0, rivalLimit).map((other) => conflictOf(plan, lead, other, known));
  return { best: lead.passage, conflicts };
}

/** A record has many days: only one that its own sentence gives for what was asked disputes another. */
function disputes({ passage, value }: Rival): boolean {
  return value.type !== "date" || passage.own >= leastAsked;
}

/** What was only sent out does not dispute what was agreed in letters. */
function advertises({ passage }: Rival, lead: Rival, { engaged }: Known): boolean {
  const { recordId, record } = passage.candidate;
  return record.kind === "email" && !engaged.has(recordId) && engaged.has(lead.passage.candidate.recordId);
}

interface Rival {
  readonly passage: Passage;
  readonly value: Value;
  /** It replies to what it disputes, or the other way round. */
  readonly tied?: boolean;
}

/** What is known of records besides their words. */
export interface Known {
  /** Someone else accepted what it proposes. */
  accepted(passage: Passage): boolean;
  /** Records that are part of an exchange, not only sent out. */
  readonly engaged: ReadonlySet<RecordId>;
}

function rivalsOf(best: Passage, value: Value, passages: readonly Passage[], edges: readonly SchemaEdge[]): Rival[] {
  const own = best.candidate.recordId;
  const tied = new Set(
    edges
      .filter(
        ({ relation, from, to }) =>
          (relation === "reply_to" || relation === "same_thread") && (from === own || to === own),
      )
      .map(({ from, to }) => (from === own ? to : from)),
  );
  for (const { candidate } of passages) if (sameTalk(best.candidate, candidate)) tied.add(candidate.recordId);
  // Records that say the answer's value somewhere do not dispute it.
  const agreeing = new Set<RecordId>([own]);
  for (const { picked, candidate } of passages)
    if (picked?.here && picked.value.key === value.key) agreeing.add(candidate.recordId);
  const found = new Map<RecordId, Rival>();
  const keys = new Set<string>();
  const least = Math.max(leastAsked, sameAttribute * Math.max(best.own, best.near));
  for (const passage of passages) {
    const id = passage.candidate.recordId;
    if (agreeing.has(id) || found.has(id) || passage.candidate.moment === null || passage.inTime !== best.inTime)
      continue;
    if (passage.citation.quote.endsWith("?")) continue;
    // "New total: £9,480 (was £8,900)" gives the value as what it replaces: its record need not name the matter beside it.
    const replaces = passage.picked?.here === true && passage.picked.old?.key === value.key;
    const about = Math.max(passage.own, passage.near, replaces ? passage.whole : 0);
    if (about < (tied.has(id) ? leastTied : least) && !(tied.has(id) && sameHead(passage, best))) continue;
    const other = likeValue(passage, value);
    if (other === null || keys.has(other.key) || (!replaces && states(passage.candidate, value))) continue;
    keys.add(other.key);
    found.set(id, { passage, value: other, tied: tied.has(id) });
  }
  return [...found.values()];
}

/** A sum in a letter of the same subject, in a sentence that says a word of that subject: "We would like to offer …". */
function sameHead({ candidate, citation, picked }: Passage, best: Passage): boolean {
  if (picked?.value.type !== "amount" || !picked.here) return false;
  const [own, other] = [candidate, best.candidate].map(({ record }) => headOf(record.subject));
  if (own === undefined || own.length === 0 || own.join(" ") !== other?.join(" ")) return false;
  const said = new Set(contentStems(citation.quote, "en"));
  return own.some((one) => said.has(one) && !/\d/.test(one));
}

/** Stems of a subject, without what marks an answer. */
const headOf = (subject: string | null): readonly string[] => contentStems(bareSubject(subject ?? ""), "en");

/** Messages of one chat within a week. */
function sameTalk({ record: a, moment: one }: Candidate, { record: b, moment: other }: Candidate): boolean {
  if (a.kind !== "message" || b.kind !== "message" || a.container === null || one === null || other === null)
    return false;
  return a.container.key === b.container?.key && Math.abs(one - other) <= talkMs;
}
const talkMs = 7 * 86_400_000;

/** A record that gives the value, too, does not dispute it: its other sums are parts of it, or of something else. */
function states({ views, day }: Candidate, { type, key }: Value): boolean {
  if (type !== "amount") return false;
  return views.some(({ view, text }) => {
    if (!saysItself(view)) return false;
    return valuesOf(text.slice(0, statedWithin), day, [type]).some((one) => one.key === key);
  });
}
const statedWithin = 4_000;

/** The passage's value of the same kind; for a sum also a bare figure of its size ("2450ish all in"). */
function likeValue({ picked, citation, candidate }: Passage, value: Value): Value | null {
  const { quote } = citation;
  // "The concert of 17 June moves to 16 September": however far away, it takes the place of the day that it names.
  if (picked?.here && picked.old?.key === value.key && ahead(candidate, picked.value)) return picked.value;
  if (picked?.here && picked.score < leastFit) return null;
  const values = picked?.here
    ? [picked.value]
    : value.type === "amount"
      ? valuesOf(quote, candidate.day, ["number"]).filter(
          ({ key }) => /^\d{3,}$/.test(key) && !/^(?:19|20)\d\d$/.test(key),
        )
      : [];
  const fits = values.filter((one) => !isOld(quote, one) && rivalry(value, one) && ahead(candidate, one));
  return fits.length === 1 ? (fits[0] ?? null) : null;
}

/** A day that a record looks ahead to: what it reports of the past was not agreed. */
function ahead({ day }: Candidate, { to }: Value): boolean {
  return to === undefined || day === null || to >= day;
}

/** Two values that can be two accounts of one thing: near each other, and not the same. */
export function rivalry(a: Value, b: Value): boolean {
  if (a.key === b.key) return false;
  if (a.from !== undefined && a.to !== undefined && b.from !== undefined && b.to !== undefined) {
    if (a.from !== a.to || b.from !== b.to) return false;
    return a.from !== b.from && b.from <= addDays(a.from, nearDays) && a.from <= addDays(b.from, nearDays);
  }
  const [x, y] = [measureOf(a), measureOf(b)];
  if (x === null || y === null || (x.unit !== y.unit && x.unit !== "" && y.unit !== "")) return false;
  const [small, large] = x.figure < y.figure ? [x.figure, y.figure] : [y.figure, x.figure];
  return small > 0 && large > small && large / small <= nearRatio;
}

const vague =
  /(?<!\p{L})(?:about|around|roughly|approx\p{L}*|circa|ca\.?|some|maybe|perhaps|etwa|ungefähr|rund|vielleicht)\s*[€£$]?$|~\s*[€£$]?$/iu;
const vagueAfter = /^\s?(?:ish|or so|oder so|maybe)(?!\p{L})/iu;

function isVague({ passage, value }: Rival): boolean {
  const { quote } = passage.citation;
  return vague.test(quote.slice(0, value.start)) || vagueAfter.test(quote.slice(value.end));
}

/** What a record's word is worth: settled papers before letters, letters before chat, all before offers and guesses. */
function authorityOf(rival: Rival, known: Known): number {
  const { candidate, citation } = rival.passage;
  const title = candidate.record.subject ?? "";
  const final = settles(title) || settles(citation.quote) || known.accepted(rival.passage);
  return (
    (final ? 2 : 0) +
    (candidate.record.kind === "message" ? 0 : 1) +
    (known.engaged.has(candidate.recordId) ? 1 : 0) -
    (!final && (soundsOffered(title) || soundsOffered(citation.quote)) ? 1 : 0) -
    (isVague(rival) ? 2 : 0)
  );
}

/** The newer one says that it replaces what was said before, or settles what was open. */
function supersedes(newer: Rival, older: Rival, known: Known): boolean {
  const [after, before] = [newer.passage, older.passage];
  if ((after.candidate.moment ?? 0) <= (before.candidate.moment ?? 0)) return false;
  const said = `${after.candidate.record.subject ?? ""}\n${after.citation.quote}`;
  if (saysChange(said) && !isVague(newer)) return true;
  if (older.value.to !== undefined) {
    // What is past by then was another occasion.
    const pending = after.candidate.day !== null && older.value.to >= after.candidate.day;
    return pending && (confirms(said) || known.accepted(after) || newer.tied === true || older.tied === true);
  }
  return authorityOf(newer, known) >= 2 && authorityOf(newer, known) > authorityOf(older, known);
}

function outranks(rival: Rival, lead: Rival, known: Known): boolean {
  if (supersedes(rival, lead, known)) return true;
  if (supersedes(lead, rival, known)) return false;
  return authorityOf(rival, known) > authorityOf(lead, known) && rival.passage.score > lead.passage.score - 0.5;
}

function conflictOf(plan: QueryPlan, lead: Rival, other: Rival, known: Known): FoundConflict {
  const replaced = supersedes(lead, other, known);
  const earlier = (other.passage.candidate.moment ?? 0) <= (lead.passage.candidate.moment ?? 0);
  const [older, newer] = earlier ? [other, lead] : [lead, other];
  const side = ({ passage, value }: Rival) => ({
    recordId: passage.candidate.recordId,
    value: sayValue(plan, passage.picked?.citation.quote ?? passage.citation.quote, value, passage.candidate.day),
  });
  return {
    kind: replaced ? "superseded" : "conflict",
    attribute: lead.value.type,
    older: side(older),
    newer: side(newer),
    written: { older: older.value.text, newer: newer.value.text },
  };
}

/** A short answer that takes over what was said before it. */
const agreement =
  /^\W*(?:yes|yep|yeah|ok(?:ay)?|deal|done|agreed|accepted|confirmed|sold|perfect|great|sounds good|works for me|that works|it's a deal|ja|jep|einverstanden|abgemacht|passt|geht klar|in ordnung|gebucht|gern(?:e)?)(?!\p{L})/iu;
const reserve = /[?]|(?<!\p{L})(?:but|only if|not|except|aber|nur wenn|nicht)(?!\p{L})/iu;
const agreementLength = 60;

/** Records that someone else accepted in a few words, with who did: by a reply to it, or by the next words in a chat. */
export function acceptances(candidates: readonly Candidate[], edges: readonly SchemaEdge[]): Map<RecordId, Candidate> {
  const byId = new Map(candidates.map((candidate) => [candidate.recordId, candidate]));
  const found = new Map<RecordId, Candidate>();
  for (const { from, to, relation } of edges) {
    if (relation !== "reply_to" && relation !== "consecutive_turn") continue;
    const [a, b] = [byId.get(from), byId.get(to)];
    if (!a || !b || a.moment === null || b.moment === null) continue;
    const [first, reply] = a.moment <= b.moment ? [a, b] : [b, a];
    if (relation === "consecutive_turn" && reply.record.kind !== "message") continue;
    const text = (reply.views.find(({ view }) => view === "text")?.text ?? "").trim();
    const takes = text.length <= agreementLength ? agrees(text) : relation === "reply_to" && saysYes(text);
    if (takes && authorOf(first) !== authorOf(reply) && !found.has(first.recordId)) found.set(first.recordId, reply);
  }
  return found;
}

const agrees = (text: string): boolean => agreement.test(text) && !reserve.test(text);

/** A "Yes." that stands alone in a longer letter. */
function saysYes(text: string): boolean {
  const read = text.slice(0, 1_000);
  return sentencesOf(read).some(({ start, end }) => end - start <= shortYes && agrees(read.slice(start, end)));
}
const shortYes = 20;
