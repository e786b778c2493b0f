import type { Citation, QueryPlan, RecordId } from "#contract";
import { saysItself, taggedLength } from "../../../views/index.ts";
import { contentStems, findDates, findSpans, wishes, yearOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { type Asked, coverage, hit, saidBy } from "../../plan/terms.ts";
import type { Ground } from "../../recall/pictures.ts";
import { deniesAt } from "../answers/yesno.ts";
import { asksDone } from "../asked/deeds.ts";
import { askedDeeds, askedRole, asksAsker, doersIn, holders, knownNames, saysRole, signsAs } from "../asked/doers.ts";
import { ofFeast } from "../asked/feasts.ts";
import { introduces, whoIsAsked } from "../asked/introduced.ts";
import { ordinalFits } from "../asked/ordinals.ts";
import { askedLabels, type Labelled, labelledIn } from "./labels.ts";
import {
  asksAhead,
  asksBeginning,
  asksHowMany,
  asksPast,
  isNotYet,
  isOver,
  type Picked,
  pickValue,
  saysTotal,
  wantedTypes,
} from "./pick.ts";
import { withStandIns } from "./pictured.ts";
import { cutAt, quotableIn, readLength } from "./quotes.ts";
import {
  asksBirthday,
  asksContact,
  birthdayOfOther,
  ownName,
  type Subject,
  speaksOf,
  subjectOf,
  unaddressed,
} from "./subject.ts";
import {
  aheadReference,
  beginningsIn,
  pastDays,
  placeIn,
  placeLabelled,
  pricesIn,
  saysNo,
  type Value,
  valuesOf,
} from "./values.ts";
import {
  asksSight,
  authority,
  captioned,
  empty,
  engagement,
  isSignature,
  namesNone,
  particlesSaid,
  requests,
  weight,
} from "./worth.ts";

/** A sentence of a record as possible answer. */
export interface Passage {
  readonly candidate: Candidate;
  readonly citation: Citation;
  /** Idf share of what is asked that the sentence says, that it says with its neighbours and subject, and that its record says with the talk around it; each 0–1. */
  readonly own: number;
  readonly near: number;
  readonly whole: number;
  /** The value of the kind asked for, and where it stands: here or in a neighbour sentence. */
  readonly picked: (Picked & { readonly citation: Citation; readonly here: boolean }) | null;
  /** What stands beside the name that was asked for, on a form or a sign. */
  readonly labelled: (Labelled & { readonly citation: Citation }) | null;
  /** Who does what a "who" question asks, by this sentence. */
  readonly names: readonly string[];
  readonly place: string | null;
  readonly negated: boolean;
  /** Of whom it speaks, where a person is asked about. */
  readonly subject: Subject;
  /** Its record lies in the time asked for, or names it; true when no time is asked for. */
  readonly inTime: boolean;
  readonly score: number;
  /** What a title says that turned the answer of a thread (`lastWord`). */
  readonly says?: "yes" | "no";
}

export interface Reading {
  readonly plan: QueryPlan;
  readonly asked: Asked;
  around(id: RecordId): ReadonlyMap<string, number>;
  readonly grounds: ReadonlyMap<RecordId, Ground>;
  /** Stems of the question, mail or message, that a record replies to at once; what it says is said of that. */
  readonly replies?: ReadonlyMap<RecordId, ReadonlySet<string>>;
  /** Records to which someone replied, or that reply: what they say was talked about, not only sent out. */
  readonly engaged?: ReadonlySet<RecordId>;
}

/** Sentences of a text in which two on either side belong together. */
const shortText = 8;

const inheritedShare = 0.9;

/** From here on what is said around a picture is said of it. */
const surelyTold = 0.5;

/** What the words of a question count in the reply to it. */
const repliedShare = 0.85;

/** From here on a sentence says all that is asked but the day. */
const allSaid = 0.8;
/** Characters of a message that tells what has just happened, and no more. */
const announced = 60;

/** All passages of these candidates, best first. */
export function passagesOf(reading: Reading, candidates: readonly Candidate[]): Passage[] {
  // A number behind a name on a form counts nothing.
  const labelled = labelTypes.has(reading.plan.answerType) && !asksHowMany(reading.plan.question);
  const labels = labelled ? askedLabels(reading.plan) : none;
  const asksWho = reading.plan.answerType === "person";
  const deeds = asksWho ? askedDeeds(reading.plan) : none;
  const known = asksWho ? knownNames(candidates) : none;
  const role = asksWho ? askedRole(reading.plan) : null;
  const doers = (quote: string) => {
    const names = asksWho ? doersIn(quote, deeds, known) : [];
    return role === null ? names : holders(quote, names, role);
  };
  const passages = candidates.flatMap((candidate) => {
    // What an application wrote answers nothing.
    if (candidate.record.kind === "system") return [];
    const signs = role === null ? null : signsAs(candidate, role);
    const signed = (quote: string) => (signs !== null && saysRole(quote, role ?? none, true) ? [signs] : doers(quote));
    const context = { ...contextOf(reading, candidate), doers: signed };
    const readable = candidate.views.filter(({ view }) => saysItself(view));
    const views = readable.length > 0 ? readable : candidate.views.filter(({ view }) => view !== "tags");
    return views.flatMap(({ view, text }) => inView(reading, candidate, context, view, text, labels));
  });
  const called = asksWho ? whoIsAsked(reading.plan) : null;
  const answering = asksWho
    ? passages.filter(
        ({ citation: { quote, view }, names }) =>
          view !== "metadata" &&
          (!isSignature(quote) || (role !== null && names.length > 0)) &&
          (called === null || introduces(quote, called)),
      )
    : passages;
  const sorted = answering.sort(
    (a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank || spanStart(a) - spanStart(b),
  );
  return withStandIns(reading, sorted);
}

const spanStart = (one: Passage) => one.citation.span?.[0] ?? 0;

const none: ReadonlySet<string> = new Set();

interface Context {
  readonly whole: number;
  readonly inTime: boolean;
  /** Words of the question that the record's time says for it. */
  readonly given: ReadonlySet<string>;
  readonly title: readonly string[];
  /** Stems of the question that the record replies to; empty when it does not. */
  readonly replied: ReadonlySet<string>;
  /** Stems that are said of a picture by the records that it is tied to. */
  readonly told: readonly string[];
  doers(quote: string): readonly string[];
}

function contextOf({ plan, asked, around, replies, grounds }: Reading, candidate: Candidate): Omit<Context, "doers"> {
  const timely = inTime(plan, candidate);
  const given = timely && plan.windows.length > 0 ? asked.dated : none;
  const stems = given.size === 0 ? candidate.stems : new Set([...candidate.stems, ...given]);
  return {
    whole: saidBy(asked, stems, around(candidate.recordId)),
    inTime: timely,
    given,
    replied: replies?.get(candidate.recordId) ?? none,
    told: grounds.has(candidate.recordId)
      ? [...around(candidate.recordId)].flatMap(([root, weight]) => (weight >= surelyTold ? [root] : []))
      : [],
    title: candidate.record.subject === null ? [] : contentStems(candidate.record.subject, plan.language),
  };
}

/** A record of the time asked for, shortly after it, or one that names it. */
export function inTime(plan: QueryPlan, candidate: Candidate): boolean {
  if (plan.windows.length === 0 || candidate.features.win >= 1 || ofFeast(plan, candidate)) return true;
  const { views, day } = candidate;
  const asked = ({ from, to }: { from: string; to: string }) =>
    plan.windows.some((window) => from <= window.to && window.from <= to);
  return views.some(({ view, text }) => {
    if (!saysItself(view)) return false;
    const read = text.slice(0, 4_000);
    if (day !== null && findSpans(read, [yearOf(day)]).some(asked)) return true;
    return findDates(read, { reference: day }).some((date) => date.unit !== "year" && asked(date));
  });
}

function inView(
  reading: Reading,
  candidate: Candidate,
  context: Context,
  view: Citation["view"],
  text: string,
  labels: ReadonlySet<string>,
): Passage[] {
  const { plan, asked } = reading;
  const named = labels.size === 0 || view === "subject" ? [] : labelledIn(text, labels);
  const read = text.slice(0, readLength);
  const spans = quotableIn(plan, candidate, view, text);
  const quotes = spans.map((span) => text.slice(span.start, Math.min(span.end, cutAt(text, span.start))));
  const speaker = view === "text" ? ownName(plan, candidate) : [];
  const talk = plan.people.length > 0 && candidate.record.kind === "message";
  const subjects = quotes.map((quote) => subjectOf(plan, candidate, quote));
  const stems = quotes.map((quote, at) => [
    ...contentStems(talk ? unaddressed(quote) : quote, plan.language),
    // What a person says of others does not speak of that person.
    ...(subjects[at] === "other" ? [] : speaker),
  ]);
  const types = wantedTypes(plan);
  const priceList = view === "ocr" && types?.includes("amount") === true && pricesIn(read, text).length > 1;
  const valued = quotes.map((quote, at) => {
    if (types === undefined) return null;
    // A wish is for the day on which it is written.
    if (plan.answerType === "date" && candidate.record.kind === "message" && wishes(quote)) return null;
    // A menu tells the price of what a line of it names, and a bill its sum.
    if (priceList && /\p{L}{2}/u.test(quote) && !saysTotal(quote) && coverage(asked, new Set(stems[at])) === 0)
      return null;
    // "[list] [PATCH 06/10]" before a subject numbers the letter and counts nothing.
    const tagged = view === "subject" ? taggedLength(quote) : 0;
    const values = valuesOf(quote, candidate.day, types).filter(({ start }) => start >= tagged);
    const prices = view === "ocr" && types.includes("amount") ? pricesIn(quote, text) : [];
    // What was ordered, booked or sent was so by the day of the record that says it, not on the day that it is for.
    const done = plan.answerType === "date" && candidate.day !== null && asksDone.test(plan.question);
    const stated = inWindow(plan, candidate, pastDays(quote, candidate.day, [...values, ...prices])).filter(
      (value) => !done || !isNotYet(value, candidate.day),
    );
    const began = asksBeginning(plan) ? beginningsIn(quote, candidate.day) : [];
    return pickValue(plan, asked, quote, [...stated, ...began], new Set(began));
  });
  const titled = coverage(asked, new Set(context.title)) > 0;
  const cite = (at: number): Citation => {
    const start = spans[at]?.start ?? 0;
    const quote = quotes[at] ?? "";
    return { recordId: candidate.recordId, view, span: [start, start + quote.length], quote };
  };
  if (candidate.record.kind !== "contact" && asksContact(plan) && !speaksOf(plan, candidate, "")) return [];
  const birthday = asksBirthday(plan);
  const about = birthday ? (candidate.record.subject ?? "") : "";
  return quotes.flatMap((quote, at) => {
    const bare = coverage(asked, new Set([...(stems[at] ?? []), ...context.given]));
    const reply =
      context.replied.size === 0
        ? 0
        : repliedShare * coverage(asked, new Set([...(stems[at] ?? []), ...context.given, ...context.replied]));
    const own = Math.max(bare, reply);
    const beside = [
      ...(stems[at] ?? []),
      ...(stems[at - 1] ?? []),
      ...(stems[at + 1] ?? []),
      ...(quotes.length <= shortText ? [...(stems[at - 2] ?? []), ...(stems[at + 2] ?? [])] : []),
      ...context.title,
      ...context.given,
      ...(view === "ocr" && !birthday ? context.told : []),
    ];
    if (
      birthday &&
      (!speaksOf(plan, candidate, quote) ||
        !saysTerm(reading, beside) ||
        birthdayOfOther(plan, [about, ...quotes.slice(Math.max(0, at - 2), at + 3)].join("\n")))
    )
      return [];
    // What the record took over from the one it replaces says less than its own words.
    const taken = candidate.inherited === undefined ? 0 : coverage(asked, new Set([...beside, ...candidate.inherited]));
    const near = Math.max(coverage(asked, new Set(beside)), inheritedShare * taken);
    const here = valued[at] ?? null;
    const from = nearestValued(valued, at);
    const value = from === null ? null : valued[from];
    const picked = from === null || !value ? null : { ...value, citation: cite(from), here: here !== null };
    const names = context.doers(quote);
    const place = plan.answerType === "place" ? (placeIn(quote) ?? placeLabelled(quote)) : null;
    const asks =
      !asksAsker(plan) &&
      (quote.endsWith("?") ||
        (spans.length === 1 && candidate.record.kind === "message" && quote.includes("?")) ||
        (here === null && requests(quote))) &&
      plan.answerType !== "list";
    // A mail's subject names its matter; what is said of it stands in the text.
    const titles = view === "subject" && candidate.record.text !== null && candidate.record.kind !== "event";
    const { start: begins, end: ends } = spans[at] ?? { start: 0, end: 0 };
    const label = named.find(({ from, to }) => from < ends && begins < to) ?? null;
    const fit =
      label !== null
        ? weight.labelled
        : here
          ? weight.value * (own > 0 || titled ? 1 : weight.unsaid) + 0.3 * here.score
          : picked
            ? (picked.value.type === "date" ? weight.neighbourDay : weight.neighbourValue) + 0.2 * picked.score
            : place !== null || names.length > 0
              ? weight.place
              : plan.answerType === "date" && candidate.record.kind === "message"
                ? own >= allSaid && text.length <= announced && asksPast(plan)
                  ? weight.toldOutright
                  : weight.toldToday
                : 0;
    const subject = subjects[at] ?? "open";
    const score =
      weight.probability * candidate.probability +
      weight.own * own +
      weight.near * near +
      weight.whole * context.whole +
      fit +
      (context.inTime ? weight.inTime : 0) +
      authority(plan, candidate, quote, own) +
      (own > 0 ? weight.particle * particlesSaid(plan, quote) : 0) +
      weight.ordinal * ordinalFits(plan, quote) +
      (reading.engaged?.has(candidate.recordId) ? engagement(plan) : 0) -
      (plan.answerType === "date" && deniesAt(plan, quote, here?.value.start ?? null) && !saysNo(plan.question)
        ? weight.denied
        : 0) -
      (here && asksAhead(plan) && isOver(here.value, candidate.day) ? weight.over : 0) -
      (asks ? weight.asks : 0) -
      (namesNone(plan, quote) ? weight.nameless : 0) -
      (titles ? weight.title : 0) -
      (empty(plan, quote, view, own) ? weight.empty : 0) +
      (captioned.test(quote) && !asksSight.test(plan.question) ? -weight.caption : 0) +
      (subject === "own" ? weight.ownSubject : subject === "other" ? -weight.otherSubject : 0) +
      Math.min(0.1, (stems[at]?.length ?? 0) / 80);
    return {
      candidate,
      citation: cite(at),
      own,
      near,
      whole: context.whole,
      picked,
      labelled: label && { ...label, citation: lines(candidate, view, text, label) },
      names,
      place,
      negated: saysNo(quote),
      subject,
      inTime: context.inTime,
      score,
    };
  });
}

/** Whether one of the words asked for is among these stems, whoever is named there. */
function saysTerm({ plan, asked }: Reading, stems: readonly string[]): boolean {
  const said = new Set(stems);
  return asked.terms.length === 0 || asked.terms.some((term) => hit(plan.language, term.stem, said) > 0);
}

function lines({ recordId }: Candidate, view: Citation["view"], text: string, { from, to }: Labelled): Citation {
  return { recordId, view, span: [from, to], quote: text.slice(from, to) };
}

/** Kinds of answer that a name on a form can stand beside. */
const labelTypes: ReadonlySet<string> = new Set(["text", "number", "duration"]);

/** Days of a coming time that is asked about are of its month. */
function inWindow({ windows }: QueryPlan, { day }: Candidate, values: readonly Value[]): readonly Value[] {
  const reference = aheadReference(windows, day);
  if (reference === null) return values;
  return values.map((value) => {
    if (value.type !== "date" || !/^(?:the|am|den|dem|auf den|on the)\s\d/iu.test(value.text)) return value;
    const [other] = findDates(value.text, { reference });
    return other ? { ...value, from: other.from, to: other.to, key: `${other.from}–${other.to}` } : value;
  });
}

/** The sentence itself, else the nearest one with a value up to three sentences on or one before. */
function nearestValued(valued: readonly (Picked | null)[], at: number): number | null {
  for (const distance of [0, 1, -1, 2, 3]) if (valued[at + distance]) return at + distance;
  return null;
}
