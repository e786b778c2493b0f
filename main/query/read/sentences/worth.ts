import type { Citation, QueryPlan } from "#contract";
import {
  alike,
  contentStems,
  findDates,
  fold,
  isStopWord,
  languageOf,
  stem,
  wordsOf,
} from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { isGeneric } from "../../plan/terms.ts";
import { tellsChange } from "../asked/changes.ts";
import { perPlan } from "../per-plan.ts";
import { unaddressed } from "./subject.ts";
import { saysCancelled } from "./values.ts";

/** What the manner of a sentence is worth to an answer: an invoice before an offer, a name where one is asked for, a greeting nothing. */

/** Hand-set weights of the parts of a passage's score: what it says first, then whether the value asked for is there. */
export const weight = {
  probability: 0.5,
  own: 0.5,
  near: 0.4,
  whole: 1.2,
  value: 0.6,
  /** Share left to a value whose sentence and title say nothing of what is asked. */
  unsaid: 0.85,
  neighbourValue: 0.25,
  labelled: 0.8,
  engaged: 0.1,
  engagedSum: 0.4,
  /** It says that what is asked about did not happen. */
  denied: 1.2,
  /** A name, where it is asked how something is called; without one it is no answer. */
  newName: 0.5,
  inTime: 1,
  asks: 0.4,
  title: 0.5,
  /** A day in the next sentence may be of something else. */
  neighbourDay: 0.25,
  /** A chat tells of things on the day they happen. */
  toldToday: 0.2,
  /** And all the more where nothing of what is asked is left out: "Ada sold the boat". */
  toldOutright: 0.55,
  place: 0.35,
  /** It has the kind of thing that is asked for, and does not say which. */
  nameless: 0.5,
  /** "Off", "back", "out", as the question has it. */
  particle: 0.8,
  /** Its day had gone when it was written, where something that is to come is asked for. */
  over: 0.6,
  /** It tells of the first, second or third of its kind, as the question does, or of another one. */
  ordinal: 0.5,
  /** It says that something changed, where a change is asked for. */
  change: 0.6,
  /** A line that greets, signs or only describes the record. */
  empty: 0.5,
  /** It speaks of the person asked about, or of another. */
  ownSubject: 0.2,
  otherSubject: 0.45,
  /** What a picture shows, where no picture is asked about. */
  caption: 0.3,
  /** It says what the thing asked for costs. */
  priced: 0.5,
  /** A sum, where only one thing of it is asked for. */
  alone: 0.4,
  /** It tells a defect or its repair, where it is asked what was broken. */
  fault: 0.9,
} as const;

export const captioned = /^\[photo:/iu;

export const asksSight =
  /(?<!\p{L})(?:photo\p{L}*|picture\p{L}*|image\p{L}*|show\p{L}*|see|saw|seen|look\p{L}*|colou?r|paint\p{L}*|draw\p{L}*|wear\p{L}*|foto\p{L}*|bild\p{L}*|zeig\p{L}*|farbe)(?!\p{L})/iu;

/** What "we" paid was talked about; what was only sent to us is an advertisement. */
export const engagement = ({ answerType, question }: QueryPlan): number =>
  answerType === "amount" && /(?<!\p{L})(?:we|I|our|my|wir|ich|unser\p{L}*|mein\p{L}*)(?!\p{L})/iu.test(question)
    ? weight.engagedSum
    : weight.engaged;

/** "Full report please": a short request states nothing. */
export const requests = (quote: string): boolean =>
  quote.length < 60 && /(?<!\p{L})(?:please|pls|bitte)(?!\p{L})/iu.test(quote);

const greeting =
  /^(?:dear|hi|hello|hey|good (?:morning|evening)|morning|thanks?|thank you|love|best|kind regards|yours|liebe[rs]?|hallo|guten|viele grüße|gruß|danke|sehr geehrte)(?!\p{L})[^.!?]{0,40}$/iu;

const pleasantries = new Set(
  "thank thanks wow yep yeah yes great awesome congrats congratulations glad nice cool good sounds amazing love haha sure agree totally exactly really danke super toll schön genau"
    .split(" ")
    .map(stem),
);

/** "Thanks, Ada!", "Wow, that sounds great": nothing but the question's own names. */
function saysNothing(quote: string, plan: QueryPlan): boolean {
  if (plan.answerType === "yesno") return false;
  const words = contentStems(unaddressed(quote), plan.language);
  return words.length <= 5 && words.every((one) => pleasantries.has(one));
}

/** Names and nothing else, or a single word. */
export const isSignature = (quote: string): boolean =>
  /^[\p{Lu}\p{L}’'-]+(?:(?:,| (?:and|und|&)) \p{Lu}\p{L}+)*(?: \(\p{L}+\))?[.,]?$/u.test(quote);

export function empty(plan: QueryPlan, quote: string, view: Citation["view"], own: number): boolean {
  if (view === "metadata") return plan.kinds.length === 0 && plan.answerType !== "date";
  // A name alone signs; a lone word with a capital that says nothing of what is asked is a heading.
  const alone = isSignature(quote);
  const heads = plan.answerType !== "text" && own === 0;
  return (
    greeting.test(quote) ||
    saysNothing(quote, plan) ||
    (alone && (heads || plan.answerType === "place" || plan.answerType === "date"))
  );
}

/** Little words that make a verb another one ("taken off", "came back"), in both languages. */
const particles = [
  "off ab weg",
  "back zurück",
  "out aus raus heraus",
  "away weg fort",
  "down herunter runter nieder",
].map((words) => new RegExp(`(?<!\\p{L})(?:${words.replaceAll(" ", "|")})(?!\\p{L})`, "iu"));

const particlesOf = perPlan(({ question }) => particles.filter((one) => one.test(question)));

/** Of the little words that end a clause of the question, the share that a sentence says too: stop words, but they tell "on" from "off". */
export function particlesSaid(plan: QueryPlan, quote: string): number {
  const asked = particlesOf(plan);
  return asked.length === 0 ? 0 : asked.filter((one) => one.test(quote)).length / asked.length;
}

const totals =
  /(?<!\p{L})(?:total|sum|invoice|paid|amount due|gesamt\p{L}*|summe|rechnung|bezahlt|endbetrag)(?!\p{L})/iu;

const finals =
  /(?<!\p{L})(?:invoice|receipt|order confirm\p{L}*|confirmation|accepted|agreed|completed|final|paid|rechnung|quittung|bestätigung|bestellung|endgültig)(?!\p{L})/iu;

const offers =
  /(?<!\p{L})(?:quote|quotation|offer|estimate|proposal|asking price|for sale|newsletter|angebot|kostenvoranschlag|schätzung)(?!\p{L})/iu;

const confirmations =
  /(?<!\p{L})(?:confirm\p{L}*|booked|booking|reserv\p{L}*|invitation|invited|invite you|ticket|itinerary|appointment|it's settled|agreed|bestätig\p{L}*|gebucht|buchung|einladung|eingeladen|termin|karten?)(?!\p{L})/iu;

/** An invoice, a receipt or an order: what it says was agreed. */
export const settles = (text: string): boolean => finals.test(text);

/** A quote, an estimate or an advertisement: what it says was asked for only. */
export const soundsOffered = (text: string): boolean => offers.test(text);

/** A booking, an invitation, a ticket: the day that it gives is the one that counts. */
export const confirms = (text: string): boolean => finals.test(text) || confirmations.test(text);

export const naming =
  /(?<!\p{L})(?:called|named?|names|name is|heißt|heisst|nennt|genannt|getauft|heißen|christened)(?!\p{L})/iu;

/** How something or somebody is called. */
export const asksName = /(?<!\p{L})(?:call(?:ed|s)?|names?|named|heißt|heißen|nennt|nannte|genannt)(?!\p{L})/iu;

/** "What is the bike called?", "wie heißt das Boot?": nothing but a name answers. */
const asksOnlyName =
  /(?<!\p{L})(?:what|which|was)(?!\p{L}).*(?<!\p{L})(?:called|named)\W*$|^\W*what(?:['’]s|\s(?:is|was))\s(?:the|his|her|its|their)\sname(?!\p{L})|^\W*what(?:['’]s|\s(?:is|was))\s.*['’]s?\sname\W*$|^\W*wie\s(?:heißt|hieß|heißen|hießen)(?!\p{L})/iu;
const givesName =
  /(?<!\p{L})(?:call(?:ed|s)?|named?|names|name(?:['’]s| is| was)|this is|meet|heißt|heißen|nennt|nennen|genannt|getauft|christened|das ist)\s(?:(?:him|her|it|them|ihn|sie|es)\s)?["“„]?(?!(?:in|on|by|at|after|for|to|the|an?|our|my|your|in|nach|der|die|das|not|nicht)(?!\p{L}))\p{L}{2,}|["“„][^"“”„]{2,40}["“”]/iu;
const shortReply = 24;

/** Where only a name is asked for, a sentence that gives none. */
export const isNameless = (plan: QueryPlan, quote: string): boolean =>
  asksOnlyName.test(plan.question) &&
  quote.length > shortReply &&
  !givesName.test(quote) &&
  // Every German noun has a capital.
  !(languageOf(quote) === "en" && namesNew(plan, quote));

const answers = /^\W*(?:yes|yep|no|of course|gladly|ja|nein|klar|gerne?)(?!\p{L})/iu;

/** Totals before items, invoices before quotations; where a name is asked for, sentences that give one. */
export function authority(plan: QueryPlan, { record }: Candidate, quote: string, own: number): number {
  if (plan.answerType === "amount") {
    const title = record.subject ?? "";
    const final = finals.test(title) || finals.test(quote);
    // "The wheel itself", "the wheel alone": not what it was part of.
    if (asksAlone.test(plan.question) && own === 0) return totals.test(quote) ? -weight.alone : 0;
    const priced = costsOf.exec(quote)?.[1] ?? "";
    return (
      (priced !== "" && plan.terms.some((term) => stem(fold(term)) === stem(fold(priced))) ? weight.priced : 0) +
      (totals.test(quote) ? 0.25 : 0) +
      (final ? 0.15 : 0) -
      (!final && (offers.test(title) || offers.test(quote)) ? 0.15 : 0)
    );
  }
  if (tellsChange(plan, quote)) return own >= changedMatter ? weight.change : 0;
  if (plan.answerType === "yesno") return answers.test(quote) ? 0.3 : saysCancelled(quote) ? 0.1 : 0;
  if (asksFault.test(plan.question)) return tellsFault.test(quote) ? weight.fault : 0;
  if (!asksName.test(plan.question)) return 0;
  const gives = namesNew(plan, quote);
  if (naming.test(quote)) return gives ? weight.newName : weight.newName / 3;
  // A name is given in few words: "Rosa says Pelican".
  const words = contentStems(quote, plan.language).length;
  return gives && own > 0 && languageOf(quote) === "en"
    ? weight.newName * Math.min(1, fewWords / words)
    : -weight.newName;
}
const fewWords = 6;
/** Share of the question that a sentence must say to tell of its change. */
const changedMatter = 0.25;

/** "The service costs £95": what that is the price of. */
const costsOf = /(?<!\p{L})(\p{L}{3,})\s(?:costs?|kostet|kostete|is|ist)\s(?:[€£$]\s?)?\d/iu;

const asksAlone = /(?<!\p{L})(?:itself|themselves|alone|on its own|allein|selbst)(?!\p{L})/iu;

/** "What was broken?", "What is wrong with it?" */
const asksFault =
  /(?<!\p{L})(?:what|was)(?!\p{L}).*(?<!\p{L})(?:broken|wrong with|faulty|defective|the (?:fault|defect)|the matter with|kaputt|defekt)(?!\p{L})/iu;
const tellsFault =
  /(?<!\p{L})(?:replaced|repaired|exchanged|defects?|defective|faulty|failed|worn(?: out)?|cracked|blown|burnt out|leaks?|leaking|(?:does|did|do|will|would)(?: not|n['’]t) (?:turn|work|start|run|open|close|charge|spin|heat)|ersetzt|ausgetauscht|defekt|kaputt|undicht|verschlissen)(?!\p{L})/iu;

const kindAsked =
  /^\W*(?:which|what|welche[mnrs]?|was für (?:eine?[nmr]?\s)?)\s*(?:(?:kinds?|types?|sorts?|breeds?|species|art) (?:of |von )?)?(?<noun>\p{L}{3,}(?:\s\p{L}{3,}){0,3})(?!['’\p{L}])/iu;
const determiner =
  /(?<!\p{L})(?:an?|the|our|my|your|his|her|their|its|this|that|another|some|one|two|three|eine?[nmrs]?|der|die|das|den|dem|unsere?[nmr]?|meine?[nmr]?|seine?[nmr]?|ihre?[nmr]?|noch ein)\s+$/iu;
const apposition =
  /^\s*(?:[,:–—(-]\s*(?:an?|the|eine?n?|der|die|das)?\s*\p{L}|(?:called|named|of|by|from|namens|von)(?!\p{L})|(?:is|was|ist|war)\s(?:(?:an?|the|my|our|eine?|der|die|das|unser\p{L}*|mein\p{L}*)\s|(?-i:\p{Lu})|\d))/iu;

/** "We planted a tree" names no tree: the sentence has what is asked for only as the question has it. */
export function namesNone(plan: QueryPlan, quote: string): boolean {
  const same = kindStems(plan);
  if (same.size === 0) return false;
  const said = wordsOf(quote).filter(({ folded }) => same.has(stem(folded)));
  if (said.length === 0 || namesNew(plan, quote) || titled.test(quote)) return false;
  return said.every(({ start, end }) => determiner.test(quote.slice(0, start)) && !apposition.test(quote.slice(end)));
}

/** Stems of the kind of thing that is asked for ("which tree"); empty for every other question. */
const kindStems = perPlan((plan): ReadonlySet<string> => {
  const asked = kindAsked.exec(plan.question)?.groups?.noun?.split(/\s/u) ?? [];
  // Of "which default drum size" the first word is no kind of thing, and the last one often none that is named.
  const noun = asked[1] === undefined || isStopWord(fold(asked[1]), plan.language) ? asked[0] : undefined;
  const words = plan.answerType === "text" || plan.answerType === "list";
  if (!words || noun === undefined || isStopWord(fold(noun), plan.language) || isGeneric(fold(noun))) return new Set();
  const root = stem(fold(noun));
  return new Set([root, ...alike(root)]);
});
export const titled = /[“"„«][^“”"„«»]{2,60}[”"“»]/u;

/** A capitalised word inside the sentence that the question does not know. */
export function namesNew({ question }: QueryPlan, quote: string): boolean {
  const known = question.toLowerCase();
  // "Your baby is here!! Leela": alone at the end.
  const last = /[.!:]\s+(\p{Lu}\p{Ll}{2,})[.!]?$/u.exec(quote)?.[1];
  if (last !== undefined && !known.includes(last.toLowerCase())) return true;
  return [...quote.matchAll(/(?<=\p{L}[\s,:]+["“]?)\p{Lu}\p{Ll}{2,}/gu)].some(
    ([word]) =>
      !known.includes(word.toLowerCase()) &&
      findDates(`on ${word} in ${word}`, { reference: "2000-01-01" }).length === 0,
  );
}
