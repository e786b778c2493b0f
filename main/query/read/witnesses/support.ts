import type { Citation, RecordId } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems, findDates, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { coverage } from "../../plan/terms.ts";
import { metadataOf } from "../say.ts";
import type { Reading } from "../sentences/sentences.ts";
import { unsaidIn } from "../sentences/unsaid.ts";
import { measureOf } from "../sentences/values.ts";
import { type Agreement, type Answer, agreement, manyWords, wholeText, wordsOfAnswer } from "./agreement.ts";
import { isExact, sameCase, sharedMatter, soonAfter, topicalOf } from "./matter.ts";

const supportLimit = 4;
/** What agreement, words and place together must come to. */
const leastSupport = 0.4;
/** Weights beside the share of the question's words. */
const tieWorth = 0.5;
const likelyWorth = 0.25;
/** Ranks over which that falls to nothing. */
const likelyRanks = 24;
/** Records that state a value up to which it is rare among those at hand, and what that is worth. */
const fewRecords = 6;
const rareWorth = 0.35;
/** The same telling figure within days of a record that is cited. */
const soonWorth = 0.3;
/** Share of a message that the records cited must say for it to tell of the same, and telling words of it. */
const leastEvent = 0.35;
const leastTelling = 2;
/** Letters of one thread from which it is a long one. */
const longThread = 5;
/** A name or a small figure stands in many records: how much of what is asked must be said beside it. */
const commonTopical = 0.4;
/** On a day many things are told. */
const dayTopical = 0.3;
/** And written: how much of what is asked a letter of that day must say itself. */
const toldInLetter = 0.5;
/** Figures up to this one are common. */
const commonFigure = 31;

/** Letters of one case belong together like those of a thread. */
const caseTie = 1;

const ties: Readonly<Record<string, number>> = {
  reply_to: 1,
  same_thread: 1,
  same_record: 1,
  attachment_of: 1,
  same_round: 0.8,
  consecutive_turn: 0.6,
};

/**
 * Records that say the same as an answer: they state its value, tell of it on its day, or repeat its words. Each is about
 * the same matter, too: by the question's words, or by its place beside a record that is cited already.
 */
export function supports(
  reading: Reading,
  answer: Answer,
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
  limit: number = supportLimit,
): Citation[] {
  const tied = new Map<RecordId, number>();
  for (const { from, to, relation } of edges) {
    const worth = ties[relation] ?? 0;
    if (answer.cited.has(from)) tied.set(to, Math.max(tied.get(to) ?? 0, worth));
    if (answer.cited.has(to)) tied.set(from, Math.max(tied.get(from) ?? 0, worth));
  }
  const wanted = wordsOfAnswer(reading, answer);
  const threads = Map.groupBy(candidates, ({ record }) => record.thread);
  const inLong = ({ record: { thread } }: Candidate) =>
    thread !== null && (threads.get(thread)?.length ?? 0) >= longThread;
  // One word is in every letter of a case.
  const inCase = wanted.length < leastTelling ? () => false : sameCase(candidates, answer.cited);
  const agreeing = candidates.map((one) =>
    agreement(reading, answer, wanted, one, { long: inLong(one), same: inCase(one) }),
  );
  // A value that few records state says by itself that they speak of one thing.
  const counts = new Map<Agreement["by"], number>();
  for (const one of agreeing) if (one) counts.set(one.by, (counts.get(one.by) ?? 0) + 1);
  const witnessed = sameWitness(candidates, answer.cited);
  const common = answer.strict === true || isCommon(reading, answer);
  // What is said for a yes is the matter itself.
  const own = reading.plan.answerType === "yesno" ? [] : wanted;
  const eventOf = sharedMatter(reading, candidates, answer.cited, new Set(own));
  const soon = soonAfter(candidates, answer.cited);
  const exact = isExact(answer.value);
  const found = candidates.flatMap((candidate, at) => {
    const agreed = agreeing[at] ?? sameTold(reading, answer, candidate, eventOf, soon);
    if (agreed === null || answer.cited.has(candidate.recordId) || witnessed(candidate)) return [];
    const rare = (counts.get(agreed.by) ?? 0) <= fewRecords;
    const crowded = agreed.by === "its day" && !rare;
    const around = crowded ? alone : reading.around(candidate.recordId);
    const event = agreed.by === "its day" || answer.strict === true ? 0 : eventOf(candidate, agreed.citation).share;
    const topical = Math.max(topicalOf(reading, candidate, around), event);
    const tie = Math.max(tied.get(candidate.recordId) ?? 0, inCase(candidate) ? caseTie : 0);
    if ((tie === 0 || agreed.by !== "value") && asks(candidate, agreed.citation)) return [];
    const matter =
      topical +
      (exact && agreed.by === "value" && soon(candidate) ? soonWorth : 0) +
      tieWorth * tie +
      likelyWorth * Math.max(0, 1 - (candidate.rank - 1) / likelyRanks) +
      (rare || listed(agreed, wanted) ? rareWorth : 0);
    // What was said or shown on that day, without a word of the matter, is of anything; so is most of what is written.
    const told = coverage(reading.asked, candidate.stems);
    if (agreed.by === "its day" && ((tie < 1 && told === 0) || (isWritten(candidate) && told < toldInLetter)))
      return [];
    // Words alone are said again in letters of the same thread or days.
    const apart = agreed.by === "words" && isWritten(candidate) && tie === 0 && !soon(candidate);
    if (apart && (reading.plan.answerType === "text" || reading.plan.answerType === "yesno")) return [];
    if (isWritten(candidate) && !saysMore(reading, candidate, agreed.citation, wanted)) return [];
    const score = agreed.share * matter;
    const least =
      agreed.by === "event" ? 0 : common ? commonTopical : agreed.by === "its day" && tie === 0 ? dayTopical : 0;
    if (score < leastSupport || topical < least) return [];
    return [{ candidate, score, citation: agreed.citation }];
  });
  const held = new Set([...answer.cited, ...found.map(({ candidate }) => candidate.recordId)]);
  const going = candidates.filter(({ recordId }) => held.has(recordId));
  const on = candidates.flatMap((candidate, at) => {
    const fits = agreeing[at]?.by === "its day" && !held.has(candidate.recordId) && !asks(candidate, null);
    return fits && goesOn(reading, candidate, going) ? [{ candidate, score: leastSupport, citation: null }] : [];
  });
  const wholes = new Set(found.map(({ candidate }) => candidate.record.identity));
  const best = [...found, ...on]
    .filter(({ candidate }) => !wholes.has(candidate.record.partOf?.identity ?? ""))
    .toSorted((a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank);
  // A picture and its copy in a chat bear witness once.
  return best
    .filter(({ candidate }, at) => !best.slice(0, at).some((other) => sameShot(other.candidate, candidate)))
    .slice(0, limit)
    .flatMap(({ candidate, citation }) => citation ?? metadataOf(candidate));
}

/** Who told of it in a chat goes on within hours, in a word of the question: "broken, yes" behind "her left wrist". */
function goesOn({ asked }: Reading, { record, moment, stems }: Candidate, told: readonly Candidate[]): boolean {
  if (record.kind !== "message" || record.container === null || moment === null || coverage(asked, stems) === 0)
    return false;
  return told.some(
    ({ record: one, moment: then }) =>
      one.container?.key === record.container?.key &&
      one.author?.name === record.author?.name &&
      then !== null &&
      Math.abs(then - moment) <= talkMs,
  );
}
const talkMs = 2 * 3_600_000;

/** Whoever asks bears no witness, but for a proposal that was answered. */
function asks({ record }: Candidate, citation: Citation | null): boolean {
  const said = citation?.quote ?? (record.kind === "message" ? (record.text ?? "") : "");
  return said.trimEnd().endsWith("?");
}

/** A message of those days in the very words of the record that answers: "appeal accepted, ha" beside the letter. */
function sameTold(
  { plan }: Reading,
  { value }: Answer,
  candidate: Candidate,
  eventOf: ReturnType<typeof sharedMatter>,
  soon: (candidate: Candidate) => boolean,
): Agreement | null {
  if (plan.answerType !== "yesno" || value !== null || candidate.record.kind !== "message") return null;
  if (!soon(candidate)) return null;
  const { share, words } = eventOf(candidate, null);
  if (share < leastEvent || words < leastTelling) return null;
  return { by: "event", share: 1, citation: wholeText(candidate) };
}

const listed = (agreed: Agreement, wanted: readonly string[]): boolean =>
  agreed.by === "words" && wanted.length >= manyWords;

/** A letter or a file: much is said in it, and not all of it by somebody. */
const isWritten = ({ record: { kind } }: Candidate): boolean => kind === "email" || kind === "document";

/** Whether a letter's line says more than the answer's own words: no trailer, head of a quotation, greeting or signature; of a name something of the matter. */
function saysMore(
  { plan, asked }: Reading,
  { views }: Candidate,
  citation: Citation | null,
  wanted: readonly string[],
): boolean {
  if (citation?.view !== "text" || citation.span === null) return true;
  const text = views.find(({ view }) => view === "text")?.text ?? "";
  if (unsaidIn(plan, text)(...citation.span)) return false;
  if (plan.answerType !== "person") return true;
  const stems = new Set(contentStems(citation.quote, plan.language));
  for (const one of wanted) stems.delete(one);
  return coverage(asked, stems) > 0;
}

/** Names of people, a yes and small figures are said everywhere. */
function isCommon({ plan }: Reading, { value, words }: Answer): boolean {
  if (value === null) return words !== null && (plan.answerType === "person" || plan.answerType === "yesno");
  const measure = measureOf(value);
  return measure !== null && value.type !== "amount" && measure.figure <= commonFigure;
}

/**
 * What says nothing that a cited record does not say itself: a file that came with it, another copy of its file, and the
 * other letters of a series (a bill of every month).
 */
function sameWitness(
  candidates: readonly Candidate[],
  cited: ReadonlySet<RecordId>,
): (candidate: Candidate) => boolean {
  const serial = new Map<string, number>();
  for (const { record } of candidates) {
    const series = seriesOf(record);
    if (series !== null) serial.set(series, (serial.get(series) ?? 0) + 1);
  }
  const wholes = new Set<string>();
  const told = candidates.filter(({ recordId }) => cited.has(recordId));
  for (const { record } of told) wholes.add(record.identity).add(record.partOf?.identity ?? record.identity);
  return (candidate) =>
    wholes.has(candidate.record.identity) ||
    wholes.has(candidate.record.partOf?.identity ?? "") ||
    (serial.get(seriesOf(candidate.record) ?? "") ?? 0) >= leastSeries ||
    told.some((one) => sameShot(one, candidate));
}

/** Two files of one picture, as the text read in both tells. */
export function sameShot(a: Candidate, b: Candidate): boolean {
  if (a.record.kind !== "photo" || b.record.kind !== "photo" || a.day !== b.day) return false;
  const [one, other] = [readIn(a), readIn(b)];
  const both = one.filter((stem) => other.includes(stem)).length;
  return both > 0 && both >= sameText * Math.max(one.length, other.length);
}
const sameText = 0.6;

function readIn({ views }: Candidate): readonly string[] {
  return contentStems(views.find(({ view }) => view === "ocr")?.text.slice(0, 2_000) ?? "", "en");
}
const leastSeries = 3;

/** One sender's subject without figures and months; null where a record has none. */
export function seriesOf({ author, subject }: Candidate["record"]): string | null {
  if (author === null || subject === null) return null;
  const shape = wordsOf(subject).filter(
    ({ folded }) => !/\d/.test(folded) && findDates(`in ${folded}`, { reference: "2000-01-15" }).length === 0,
  );
  return shape.length < 2 ? null : `${author.address ?? author.name} ${shape.map(({ folded }) => folded).join(" ")}`;
}

const alone: ReadonlyMap<string, number> = new Map();
