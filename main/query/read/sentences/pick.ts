import type { QueryPlan } from "#contract";
import { alike, dayNumber, fold, isStopWord, stem, weekdayOf, wordsOf } from "../../../views/language/index.ts";
import type { Asked } from "../../plan/terms.ts";
import { otherWay } from "../asked/way.ts";
import { perPlan } from "../per-plan.ts";
import { saySpan, sayWeekday, weekBefore, weekendOf } from "../phrases.ts";
import { saysChange, type Value, type ValueType, valuesOf } from "./values.ts";

export const costing =
  /(?<!\p{L})(?:costs?|pay|paid|charged?|fee|kosten|kostet|gekostet|zahlen|bezahl\p{L}*)(?!\p{L})/iu;
export const lasting =
  /(?<!\p{L})(?:still|valid|guaranteed?|warranty|insured|noch|gültig|garantie|gewährleistung|versichert)(?!\p{L})/iu;

/** Kinds of value that answer each kind of question, the fitter first. */
export function wantedTypes(plan: QueryPlan): readonly ValueType[] | undefined {
  if (plan.answerType === "date") return asksTime(plan) ? ["date", "time"] : ["date"];
  if (plan.answerType === "duration") return ["duration"];
  if (plan.answerType === "amount") return ["amount"];
  if (plan.answerType === "yesno")
    return lasting.test(plan.question) ? ["duration"] : costing.test(plan.question) ? ["amount"] : undefined;
  if (plan.answerType !== "number") return undefined;
  if (asksOften(plan.question)) return ["frequency"];
  return asksCode(plan.question) ? ["code"] : ["number", "amount", "duration"];
}

export const asksOften = (question: string): boolean =>
  /(?<!\p{L})(?:how (?:often|frequently)|how many times (?:a|per|each)|wie (?:oft|häufig))(?!\p{L})/iu.test(question);

/** When something began may be told by how long it has gone on. */
export const asksBeginning = perPlan(
  ({ question, answerType }): boolean =>
    answerType === "date" &&
    /(?<!\p{L})(?:since when|start\p{L}*|beg[aiu]n\p{L}*|become|became|take up|took up|join\p{L}*|first|get|got|adopt\p{L}*|move[ds]?|meet|met|get married|got married|seit wann|anfangen|angefangen|fing|begonnen|begann|beginn\p{L}*|gelernt|kennengelernt|heiraten|geheiratet)(?!\p{L})/iu.test(
      question,
    ),
);

/** "When is she planning to go?", "when does the fair start?": of a time to come, as seen from when it was said. */
export const asksAhead = perPlan(
  ({ question, answerType }): boolean =>
    answerType === "date" &&
    /(?<!\p{L})when\s(?:is|are|will|do|does)(?!\p{L})|(?<!\p{L})wann\s(?:wird|werden|will|wollen)(?!\p{L})|(?<!\p{L})(?:is|are|was|were)\s.*(?:planning|going)\s(?:to|on)(?!\p{L})/iu.test(
      question,
    ),
);

/** "When did she move?", "wann hat er …?": of what has been. */
export const asksPast = perPlan(
  ({ question, answerType }): boolean =>
    answerType === "date" &&
    /^\W*(?:when|wann)\s(?:did|was|were|has|have|hat|haben|hatten?|wurden?|war|waren|kam|ging)(?!\p{L})/iu.test(
      question,
    ),
);

/** A day that a text names by how long ago it was. */
export const isOver = ({ to, text }: Value, day: string | null): boolean =>
  to !== undefined && day !== null && to < day && goneBy.test(text);
/** A day after that of the text, or a bare month, which in talk of what was booked is mostly one to come. */
export const isNotYet = ({ from, text }: Value, day: string | null): boolean =>
  from !== undefined && day !== null && (from > day || /^(?:in )?\p{Lu}\p{Ll}{2,}$/u.test(text));
const goneBy = /(?<!\p{L})(?:ago|last|yesterday|past|previous|vor|letzte[nrms]?|gestern|vorige[nrms]?)(?!\p{L})/iu;

const codeWords =
  /(?<!\p{L})(?:(?:order|booking|serial|chip|phone|mobile|invoice|account|flight|room|ticket|confirmation|tracking|reference|case|claim|customer|member(?:ship)?|frame|licen[cs]e|passport|policy)[- ]?(?:number|no|code|id)|number of the|reference|ref|code|pin|iban|\p{L}+nummer|kennzeichen|aktenzeichen)(?!\p{L})/iu;
export const asksCode = (question: string): boolean =>
  /(?<!\p{L})(?:what|which|was|wie|welche[sr]?|wie lautet)(?!\p{L})/iu.test(question) && codeWords.test(question);

const asksTime = ({ question }: QueryPlan): boolean =>
  /(?<!\p{L})(?:what time|wie ?viel uhr|uhrzeit)(?!\p{L})/iu.test(question);

const weekdayWord = "(?:\\p{L}+(?:day|tag)|samstag|mittwoch|mon|tue|wed|thu|fri|sat|sun)";
/** What stands before a value that held before: "from 26 March to 28 March", "(was £8,900)", "statt am 8. April". */
const oldCue = new RegExp(
  `(?<!\\p{L})(?:instead of|rather than|not(?: on| at)?|was|were|had been|used to be|originally|previously|formerly|until (?:now|then)|till now|old \\p{L}+:?|statt|anstatt|bisher|bis jetzt|alte[rs]? \\p{L}+:?|nicht(?: am| um)?|war|ursprünglich)\\s*(?:the\\s|am\\s|${weekdayWord},?\\s)*$`,
  "iu",
);
const fromCue = new RegExp(`(?<!\\p{L})(?:from|of|planned for|von|vom)\\s*(?:the\\s|${weekdayWord},?\\s)*$`, "iu");
const newCue = new RegExp(
  `(?<!\\p{L})(?:to|now|new(?: \\p{L}+)?:?|instead on|auf(?: den)?|jetzt|neu|stattdessen)\\s*(?:the\\s|am\\s|on\\s|${weekdayWord},?\\s)*$`,
  "iu",
);
const totals =
  "(?<!\\p{L})(?:grand total|total|sum|altogether|in all|to pay|amount due|gesamt\\p{L}*|summe|insgesamt|endbetrag|zu zahlen|rechnungsbetrag";
const totalCue = new RegExp(`${totals}|so)[^\\p{L}\\d]*$`, "iu");
const totalWord = new RegExp(`${totals})(?!\\p{L})`, "iu");

/** A line of a bill that tells what all of it comes to. */
export const saysTotal = (line: string): boolean => totalWord.test(line);
const partCue =
  /(?<!\p{L})(?:deposit|down payment|instal?lment|prepaid|advance|excess|anzahlung|teilzahlung|kaution|vorauszahlung|selbstbeteiligung)(?!\p{L})/iu;
const partBefore = new RegExp(`${partCue.source}[^\\d.;,]{0,16}$`, "iu");
const withinCue = /(?<!\p{L})(?:within|inside of|binnen|innerhalb(?: von)?)\s*(?:the next\s|about\s)?$/iu;
const asksWithin =
  /(?<!\p{L})(?:within|pay|paid|repl(?:y|ied)|appeal|return|refund|cancel|deadline|zahl\p{L}*|bezahl\p{L}*|frist|zurück\p{L}*|widerruf\p{L}*)(?!\p{L})/iu;
const limitCue =
  /(?<!\p{L})(?:max(?:imum)?|up to|no (?:more|longer) than|not? exceed\p{L}*|at most|limit(?:ed to)?|höchst\p{L}*|maximal\p{L}*|bis zu)(?!\p{L})[^\d.!?]{0,16}$/iu;
const asksLeave = /(?<!\p{L})(?:may|can|could|might|allowed|permitted|darf|dürfen|kann|können|erlaubt)(?!\p{L})/iu;
const untilCue =
  /(?<!\p{L})(?:until|till|through|to|by|bis|back(?: home)?|return\p{L}*|home|leav\p{L}*|zurück)\s*(?:(?:on|zum|am|the|including)\s)*$/iu;
/** A day until which something may be done is not the day of the thing. */
const deadlineCue =
  /(?<!\p{L})(?:until|till|by|before|no later than|bis(?: zum)?|spätestens(?: am)?|vor)\s*(?:(?:on|zum|am|the|dem)\s)*$/iu;
const asksDeadline =
  /(?<!\p{L})(?:until|till|bis|by when|deadline|due|expir\p{L}*|valid|latest|spätestens|frist|fällig|ablauf\p{L}*|gültig|guarant\p{L}*)(?!\p{L})/iu;
const sinceCue = /(?<!\p{L})(?:since|from|as of|seit|ab)\s*(?:dem\s|the\s)?$/iu;

/** True where the text itself says that the value is what held before. */
export function isOld(text: string, value: Value): boolean {
  const before = text.slice(Math.max(0, value.start - 40), value.start);
  return oldCue.test(before) || (saysChange(text) && fromCue.test(before));
}

export interface Picked {
  readonly value: Value;
  /** What the same sentence says held before. */
  readonly old: Value | null;
  readonly score: number;
}

/** `beginnings`: those of the values that are told by how long something has gone on. The value of a sentence that answers: not what held before, in the time asked for, a total, near the words asked about. */
export function pickValue(
  plan: QueryPlan,
  asked: Asked,
  quote: string,
  values: readonly Value[],
  beginnings: ReadonlySet<Value> = new Set(),
): Picked | null {
  if (values.length === 0) return null;
  const stems = new Set(asked.terms.flatMap((term) => [term.stem, ...alike(term.stem)]));
  const places = wordsOf(quote).flatMap(({ start, folded }) => (stems.has(stem(folded)) ? [start] : []));
  const until = /(?<!\p{L})(?:until|till|bis)(?!\p{L})/iu.test(plan.question);
  const deadline = asksDeadline.test(plan.question);
  const asksYear = /(?<!\p{L})(?:year|jahr)(?!\p{L})/iu.test(plan.question);
  const counted = countedNoun(plan.question);
  if (counted !== null && plan.answerType === "number" && !wordsOf(quote).some(({ folded }) => says(counted, folded)))
    return null;
  const measure = measures.find(([asks]) => asks.test(plan.question))?.[1];
  const period = plan.answerType === "amount" ? periods.find(([asks]) => asks.test(plan.question))?.[1] : undefined;
  // "£408,000" is no price of a month.
  if (period && !period.test(quote)) return null;
  const since = /(?<!\p{L})(?:since|seit)(?!\p{L})/iu.test(plan.question);
  let best: Picked | null = null;
  for (const value of values) {
    const before = quote.slice(Math.max(0, value.start - 40), value.start);
    let score = isOld(quote, value) ? -1 : newCue.test(before) ? 0.4 : 0;
    if (plan.answerType === "amount" && totalCue.test(before)) score += 0.6;
    // What is paid ahead is a part of what it costs.
    if (plan.answerType === "amount" && partBefore.test(before) && !partCue.test(plan.question)) score -= 1.5;
    if (value.type === "duration" && plan.answerType === "duration" && asksLeave.test(plan.question)) {
      // "If paid within 14 days" is a deadline; what one may is told by its limit.
      if (withinCue.test(before) && !asksWithin.test(plan.question)) continue;
      if (limitCue.test(before)) score += 0.8;
    }
    if (otherWay(plan, quote, value.start)) continue;
    if (value.type === "code" && asksFlight.test(plan.question)) score += flightCode.test(value.text) ? 0.8 : -0.8;
    if (until) score += untilCue.test(before) ? 1.2 : -0.6;
    else if (value.type === "date" && !deadline && deadlineCue.test(before)) score -= 0.7;
    if (since) score += sinceCue.test(before) ? 0.6 : 0;
    if (value.from !== undefined && value.to !== undefined) {
      const { from, to } = value;
      if (from === to) score += 0.2;
      else if (beginnings.has(value)) score += 0.2;
      else if (asksDay.test(plan.question)) score -= 2;
      else if (!asksSpan.test(plan.question)) score -= 0.5;
      if (value.text.length === 4 && !asksYear) score -= 0.6;
      if (plan.windows.length > 0) score += plan.windows.some((one) => from <= one.to && one.from <= to) ? 0.3 : -0.3;
    }
    // Nothing weighs eight years.
    if (measure && value.type !== "number") score -= 1.5;
    // "R-5127" counts nothing, whatever stands beside it.
    if (counted !== null && value.type === "number" && /[\p{L}\d][-/#.]?$|#$/u.test(before)) continue;
    // "How many boxes?" is told by a figure, and by a length or a sum only where days or pounds are counted.
    if (counted !== null && value.type !== "number" && plan.answerType === "number" && !countsUnits(counted, value))
      continue;
    if (value.type === "number") {
      // "4. something" numbers a list, and "64 people" answers "how many people".
      if (value.start === 0 && /^\.\s/.test(quote.slice(value.end))) score -= 1;
      if (measure) score += measure.test(quote.slice(value.end, value.end + 14)) ? 1.2 : -1;
      if (counted !== null) {
        const after = wordsOf(quote.slice(value.end, value.end + 40)).slice(0, 2);
        // "200g flour" counts grams.
        const unit = /^\p{L}/u.test(quote.slice(value.end));
        score += !unit && after.some(({ folded }) => counted.has(stem(folded))) ? 1.2 : -0.4;
      }
    }
    const distance = Math.min(...places.map((at) => Math.abs(at - value.start)), 100);
    score -= (0.2 * distance) / 100;
    if (best === null || score > best.score) best = { value, old: null, score };
  }
  if (best === null) return null;
  const { value, score } = best;
  const old = values.find(
    (one) => one !== value && one.type === value.type && one.key !== value.key && isOld(quote, one),
  );
  return { value, old: old ?? null, score };
}

/** A booking's reference is no flight. */
const asksFlight = /(?<!\p{L})(?:flight|flug)(?:\p{L}*nummer| number)?(?!\p{L})/iu;
const flightCode = /^[A-Z\d]{2}\s?\d{1,4}$/u;

/** A month is no day. */
const asksDay = /(?<!\p{L})(?:which|what|welche[mnrs]?)\s(?:exact\s)?(?:day|date|tag|datum)(?!\p{L})/iu;
const asksSpan = /(?<!\p{L})(?:month|year|season|monat|jahr|jahreszeit)(?!\p{L})/iu;

/** "How much is it a month?", and what a sentence says that tells a price of a month. */
const periods: readonly (readonly [RegExp, RegExp])[] = (
  [
    ["month|monat", "month(?:ly|s)?|monat(?:e|lich)?|pcm"],
    ["week|woche", "week(?:ly|s)?|wochen?|wöchentlich|pw"],
    ["year|jahr", "year(?:ly|s)?|annual(?:ly)?|jahre?|jährlich|p\\.?a"],
    ["night|nacht", "nights?|nächte?|nacht|nightly"],
    ["person|head|kopf", "persons?|people|head|adults?|personen|kopf|each|erwachsene"],
    ["hour|stunde", "hour(?:ly|s)?|stunden?|std"],
  ] as const
).map(([asks, says]) => [
  new RegExp(`(?<!\\p{L})(?:per|an?|each|every|pro|im|jede[nrs]?|die)\\s(?:${asks})(?!\\p{L})`, "iu"),
  new RegExp(`(?<!\\p{L})(?:${says})(?!\\p{L})`, "iu"),
]);

/** What is measured, and the units that follow its figure. */
const measures: readonly (readonly [RegExp, RegExp])[] = [
  [
    /(?<!\p{L})(?:heavy|weigh\p{L}*|schwer|wiegt|wog|gewicht)(?!\p{L})/iu,
    /^\s?(?:kg|kilos?|g|grams?|lbs?|pounds?|stone|oz|gramm|pfund)(?!\p{L})/iu,
  ],
  [
    /(?<!\p{L})how (?:far|tall|high|wide|big|deep)|(?<!\p{L})wie (?:weit|hoch|groß|breit|tief)(?!\p{L})/iu,
    /^\s?(?:km|cm|mm|m|met(?:re|er)s?|miles?|ft|feet|foot|inch(?:es)?|kilomet(?:re|er)s?|°|["'])(?!\p{L})/iu,
  ],
];

export const asksHowMany = (question: string): boolean => /(?<!\p{L})(?:how many|wie ?viele)(?!\p{L})/iu.test(question);

export const asksMeasure = (question: string): boolean => measures.some(([asks]) => asks.test(question));

/** What is counted stands beside its figure, alone or as the end of a longer word. */
const says = (counted: ReadonlySet<string>, folded: string): boolean => {
  const root = stem(folded);
  return counted.has(root) || [...counted].some((one) => one.length > 3 && root.endsWith(one));
};

/** "How many days?", "how many pounds?": the unit itself is counted. */
const countsUnits = (counted: ReadonlySet<string>, { text }: Value): boolean =>
  wordsOf(text).some(({ folded }) => counted.has(stem(folded))) || [...counted].some((one) => currencies.has(one));
const currencies = new Set("pound euro dollar franc franken".split(" ").map(stem));

/** Stems of what is counted, and of the same in the other language: "how many apples" → apple, Apfel. */
function countedNoun(question: string): ReadonlySet<string> | null {
  const noun = /(?<!\p{L})(?:how many|wie ?viele)\s+(\p{L}+)/iu.exec(question)?.[1];
  if (noun === undefined || isStopWord(fold(noun), "en")) return null;
  const root = stem(fold(noun));
  return new Set([root, ...alike(root)]);
}

/** A value as the answer says it: dates whole, with their weekday and time; figures with the unit that follows them. */
export function sayValue(plan: QueryPlan, quote: string, value: Value, day: string | null): string {
  const { from, to, type, text, end } = value;
  if (from !== undefined && to !== undefined) {
    if (isVague(text)) return text;
    const said = saySpan(from, to, plan.language);
    if (from !== to) return said;
    const time = timeBeside(quote, value, day);
    return `${sayWeekday(weekdayOf(from), plan.language)} ${said}${time === null ? "" : `, ${time}`}`;
  }
  if (type === "number") {
    const unit = /^\s?(?:%|kg|kilos?|g|km|cm|mm|m|metres?|meters?|litres?|l|mg|ml|miles?|°C?)(?!\p{L})/iu.exec(
      quote.slice(end),
    );
    return `${text}${unit?.[0] ?? ""}`;
  }
  if (type === "amount") {
    const each =
      /^\s?(?:(?:a|per|each|an|pro|im|je)\s(?:month|year|week|day|person|night|monat|jahr|woche|tag|nacht)|\/\s?(?:month|monat|year|jahr))(?!\p{L})/iu.exec(
        quote.slice(end),
      );
    return `${text}${each?.[0] ?? ""}`;
  }
  return text;
}

/** A day or span; a week that a text only points to is told by the day of the text: "the week before 9 June 2023". */
export function sayWhen(plan: QueryPlan, { from, to, text }: Value, day: string | null): string {
  if (from === undefined || to === undefined || isVague(text)) return text;
  const span = saySpan(from, to, plan.language);
  // Who says "last Friday" is told the Friday.
  if (from === to) return saysWeekday.test(text) ? `${sayWeekday(weekdayOf(from), plan.language)} ${span}` : span;
  const weekend = /weekend|wochenende/iu.test(text);
  if (weekend && (day === null || day < to)) return weekendOf(saySpan(from, from, plan.language), plan.language);
  if (day === null || day < to || dayNumber(day) - dayNumber(to) > 8) return span;
  return /week|woche/iu.test(text) ? weekBefore(saySpan(day, day, plan.language), weekend, plan.language) : span;
}

/** "A few years ago" is no year. */
const isVague = (text: string): boolean =>
  /(?<!\p{L})(?:(?:a )?few|several|some|(?:a )?couple(?: of)?|ein paar|einigen?|mehreren?)\s\p{L}+/iu.test(text);
const saysWeekday =
  /(?<!\p{L})(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)(?!\p{L})/iu;

/** An older value, without the time beside it: that belongs to the newer one. */
export function sayOld(plan: QueryPlan, { from, to, text }: Value): string {
  if (from === undefined || to === undefined) return text;
  const said = saySpan(from, to, plan.language);
  return from === to ? `${sayWeekday(weekdayOf(from), plan.language)} ${said}` : said;
}

/** The first clock time after a date in the same sentence, or a lone one just before it. */
function timeBeside(quote: string, value: Value, day: string | null): string | null {
  const times = valuesOf(quote, day, ["time"]).filter(({ text }) => /[:.]|uhr|[ap]\.?m/i.test(text));
  const after = times.find(({ start }) => start >= value.end && start - value.end < 24);
  const before = times.findLast(({ end }) => end <= value.start && value.start - end < 12);
  return (after ?? before)?.text ?? null;
}
