import type { QueryPlan } from "#contract";
import { addDays, findDates, makeDay, monthOf, monthSpan, numberWords, yearOf } from "../../../views/language/index.ts";
import { kept } from "../../../views/language/kept.ts";
import { isTyped } from "./typed.ts";

export type ValueType = "date" | "time" | "amount" | "duration" | "number" | "code" | "frequency";

/** A value that a text states: [start, end) in the text; equal `key`s mean the same. */
export interface Value {
  readonly type: ValueType;
  readonly key: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Days that a date names. */
  readonly from?: string;
  readonly to?: string;
}

const currency = "€|\\$|£|¥|eur|euros?|usd|dollars?|bucks|gbp|pounds?|quid|chf|franken|francs|kr|zł|cents?";
const figure = "\\d{1,3}(?:[.,' ]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?";
const amountPattern = new RegExp(
  `(?<![\\p{L}\\d.,])(?:(?<before>${currency})\\s?(?<a>${figure})|(?<b>${figure})(?:,?-)?\\s?(?<after>${currency})(?![\\p{L}]))(?<k>k(?!\\p{L}))?`,
  "giu",
);
const timePattern =
  /(?<![\d.:])(?:(?<h>[01]?\d|2[0-3])[:.](?<m>[0-5]\d)(?!\d|\.\d)\s?(?<half>[ap]\.?m\.?(?!\p{L}))?(?:\s?(?:uhr|h)(?!\p{L}))?|(?<h2>1[0-2]|0?[1-9])\s?(?<half2>[ap]\.?m\.?)(?!\p{L})|(?<h3>[01]?\d|2[0-3])\s?uhr(?!\p{L}))/giu;
const durationPattern =
  /(?<!\p{L})(?:\d+(?:[.,]\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|eine?n?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|half an?|a few|several|couple of)[\s-](?:seconds?|minutes?|mins?|hours?|days?|nights?|weeks?|months?|years?|decades?|sekunden?|minuten?|stunden?|tag(?:en|e)?|nächten?|nacht|wochen?|monat(?:en|e)?|jahr(?:en|e)?)(?!\p{L})/giu;
const numberPattern =
  /(?<![\p{L}\d])(?-i:[A-Z]{1,4}[- ]?)?\d[\d.,/-]*(?<![.,/-])(?:%|(?:st|nd|rd|th)(?!\p{L}))?(?!\d)|(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|once|dozen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|einmal|zweimal)(?!\p{L})/giu;
/** Identifiers: digits in groups, or letters and digits with at least four signs and a digit among them. */
const codePattern =
  /(?<![\p{L}\d])(?:\+?\d{3,}(?:[ ]\d{3,}){1,6}|(?=[A-Z0-9/-]{4,})(?=[A-Z/-]*\d)[A-Z0-9]+(?:[-/][A-Z0-9]+)*)(?![\p{L}\d])/gu;
const timesWord =
  "once|twice|thrice|(?:\\d{1,2}|two|three|four|five|six|several)\\s?(?:x|times)|einmal|zweimal|dreimal|viermal|\\d{1,2}\\s?(?:x|mal)";
const periodWord =
  "hour|day|night|morning|evening|week|weekend|month|year|stunde|tag|nacht|morgen|abend|woche|monat|jahr";
const dayWord =
  "(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag";
const frequencyPattern = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${timesWord})\\s?(?:a|an|per|each|every|/|am|pro|die|im|in der)\\s?(?:${periodWord})|every\\s(?:other\\s|second\\s|single\\s|\\d{1,2}\\s)?(?:${periodWord}|${dayWord})s?|jede[nrs]?\\s(?:zweite[nrs]?\\s)?(?:${periodWord}|${dayWord})|alle\\s(?:\\d{1,2}|zwei|drei|vier|sechs)\\s(?:stunden|tage|wochen|monate|jahre)|daily|weekly|monthly|yearly|annually|fortnightly|täglich|wöchentlich|monatlich|jährlich|(?:${dayWord})s)(?!\\p{L})`,
  "giu",
);
const units: Readonly<Record<string, string>> = {
  "€": "eur",
  euro: "eur",
  euros: "eur",
  $: "usd",
  dollar: "usd",
  dollars: "usd",
  "£": "gbp",
  pound: "gbp",
  pounds: "gbp",
  quid: "gbp",
  bucks: "usd",
};

/** Values in a text, in order. `day`: the local day on which it was said, for relative dates. */
export const valuesOf = kept(
  (day: string | null, types: readonly ValueType[]) => `${day} ${types.join()}`,
  (text, day, types): readonly Value[] => valuesIn(text, day, types),
);

function valuesIn(text: string, day: string | null, types: readonly ValueType[]): Value[] {
  const values: Value[] = [];
  const input = text.slice(0, 20_000);
  const free = (start: number, end: number) => !values.some((value) => start < value.end && value.start < end);
  const add = (type: ValueType, match: RegExpMatchArray, key: string) => {
    const [start, end] = [match.index ?? 0, (match.index ?? 0) + match[0].length];
    if (free(start, end)) values.push({ type, key, text: match[0].trim(), start, end });
  };
  /** What is looked for later takes no place from what was found before: the rest need not be looked for. */
  const done = (...later: readonly ValueType[]) => !types.some((type) => later.includes(type));
  const wanted = () => values.filter(({ type }) => types.includes(type)).sort((a, b) => a.start - b.start);
  const figures = /\d/.test(input);
  if (types.includes("code") && figures) {
    for (const match of input.matchAll(codePattern)) {
      if (!/^(?:19|20)\d\d$/.test(match[0])) add("code", match, match[0].replace(/ /g, ""));
    }
  }
  if (types.includes("frequency"))
    for (const match of input.matchAll(frequencyPattern)) add("frequency", match, match[0].toLowerCase());
  if (done("amount", "time", "date", "duration", "number")) return wanted();
  for (const match of figures ? input.matchAll(amountPattern) : []) {
    const unit = (match.groups?.before ?? match.groups?.after ?? "").toLowerCase();
    const plain = plainNumber(match.groups?.a ?? match.groups?.b ?? "");
    const whole = match.groups?.k === undefined ? plain : String(Number(plain) * 1_000);
    add("amount", match, `${whole} ${units[unit] ?? unit}`);
  }
  if (done("time", "date", "duration", "number")) return wanted();
  for (const match of figures ? input.matchAll(timePattern) : []) {
    const { h, h2, h3, m, half, half2 } = match.groups ?? {};
    const hour = Number(h ?? h2 ?? h3);
    const afternoon = /^p/i.test(half ?? half2 ?? "") && hour < 12;
    add("time", match, `${afternoon ? hour + 12 : hour}:${m ?? "00"}`);
  }
  if (done("date", "duration", "number")) return wanted();
  const dates = findDates(input, { reference: day });
  for (const [at, { start, end, text: words, from, to, relative }] of dates.entries()) {
    // "on Saturday 8 June 2024": the weekday is part of the date behind it.
    const next = dates[at + 1];
    if (relative && next && !next.relative && next.start > start && next.start - end <= 2) continue;
    if (free(start, end)) values.push({ type: "date", key: `${from}–${to}`, text: words, start, end, from, to });
  }
  if (done("duration", "number")) return wanted();
  for (const match of input.matchAll(durationPattern))
    if (!often.test(input.slice(Math.max(0, match.index - 12), match.index)) || !/^an?\s/iu.test(match[0]))
      add("duration", match, durationKey(match[0]));
  if (done("number")) return wanted();
  for (const match of input.matchAll(numberPattern))
    if (!isTyped(input, match.index, match[0])) add("number", match, numberOf(match[0]));
  return wanted();
}

/** "Once a day" is no day long. */
const often = /(?<!\p{L})(?:once|twice|thrice|times|x)\s$/iu;

/** A price at the end of a line, with no more than dots before it: on menus and receipts the currency stands elsewhere or nowhere. */
const linePrice = /(?<=\p{L}.*[\s.…·])(?<price>\d{1,4}(?:[.,]\d{2}))\s*$/gmu;

/** Prices without a currency in a quote of a menu or a receipt; `whole`: all of it, which may name the currency. */
export function pricesIn(quote: string, whole: string): Value[] {
  const unit = new RegExp(`(?<![\\p{L}])(?:${currency})(?![\\p{L}])`, "iu").exec(whole)?.[0].toLowerCase() ?? "";
  return [...quote.matchAll(linePrice)].map((match) => ({
    type: "amount",
    key: `${plainNumber(match[0])} ${units[unit] ?? unit}`.trim(),
    text: match[0].trim(),
    start: match.index,
    end: match.index + match[0].trimEnd().length,
  }));
}

/** Number words, and those that count times or pieces. */
const spelled = new Map([
  ...numberWords,
  ...([
    ["once", 1],
    ["einmal", 1],
    ["twice", 2],
    ["zweimal", 2],
    ["dozen", 12],
  ] as const),
]);

/** "Six" and 6 are one number. */
function numberOf(text: string): string {
  return spelled.get(text.toLowerCase())?.toString() ?? plainNumber(text);
}

const unitNames = [
  ["second", /^se[ck]/],
  ["minute", /^min/],
  ["hour", /^(?:hour|stund)/],
  ["day", /^(?:day|tag)/],
  ["night", /^(?:night|n[aä]cht)/],
  ["week", /^(?:week|woche)/],
  ["month", /^(?:month|monat)/],
  ["year", /^(?:year|jahr)/],
  ["decade", /^decade/],
] as const;

/** "45 Min." and "45 minutes" are one duration: its figure and unit. */
function durationKey(text: string): string {
  const [count = "", unit = ""] = text.toLowerCase().split(/[\s-](?=\p{L}+$)/u);
  const name = unitNames.find(([, pattern]) => pattern.test(unit))?.[0] ?? unit;
  return `${/half/.test(count) ? "0.5" : numberOf(count.replace(/^(?:a|an)\s|\sof$/g, ""))} ${name}`;
}

/**
 * When something began that on `day` had gone on for so long: the year of "for six years", the month of "seit drei Monaten".
 * Null where either is not known.
 */
export function beginningOf(duration: Value, day: string | null): { from: string; to: string } | null {
  const { figure, unit } = measureOf(duration) ?? { figure: 0, unit: "" };
  if (day === null || figure <= 0) return null;
  if (unit === "year" || unit === "decade") {
    const year = yearOf(day) - Math.round(figure * (unit === "decade" ? 10 : 1));
    return { from: `${year}-01-01`, to: `${year}-12-31` };
  }
  if (unit === "month") return monthSpan(yearOf(day), monthOf(day) - Math.round(figure));
  const days = unit === "week" ? 7 * figure : unit === "day" ? figure : 0;
  const first = addDays(day, -Math.round(days));
  return days === 0 ? null : { from: first, to: first };
}

const goesOn =
  /(?<!\p{L})(?:for|since|seit|almost|nearly|about|over|past|last|already|schon|fast)(?:\s(?:the|about|over|almost|nearly|past|last|etwa|fast|over))*\s*$/iu;
const stillDone = /(?<!\p{L})(?:have|has|['’]ve|['’]s|been|since|seit|bin|ist|sind|now|already|schon|jetzt)(?!\p{L})/iu;

/** Beginnings that a text tells by how long something has gone on: "I have sung here for six years". */
export function beginningsIn(text: string, day: string | null): Value[] {
  if (!stillDone.test(text)) return [];
  return valuesOf(text, day, ["duration"]).flatMap((value) => {
    const days = goesOn.test(text.slice(Math.max(0, value.start - 24), value.start)) ? beginningOf(value, day) : null;
    return days === null ? [] : [{ ...value, ...days, type: "date" as const, key: `${days.from}–${days.to}` }];
  });
}

const past =
  /(?<!\p{L})(?:was|were|did|had|went|met|came|got|took|made|saw|bought|found|left|began|said|told|gave|ate|flew|drove|won|lost|ran|spoke|spent|swam|\p{Ll}{3,}ed|war|waren|hatte|hatten|ging|kam|fand|habe|haben|hat)(?!\p{L})/iu;
const bareDay = /^(?:the|am|den|dem|auf den|on the)\s\d/iu;

/** "I won on Friday": the verb's day, with nothing between that is planned or said of a coming one. */
const didThen =
  /(?<!\p{L})(?:I|we|he|she|they|(?-i:\p{Lu}\p{Ll}+))\s(?:(?:just|also|finally|actually|even|then)\s)?(?:was|were|did|had|went|met|came|got|took|made|saw|bought|found|left|began|gave|ate|flew|drove|won|lost|ran|spoke|spent|swam|\p{Ll}{3,}ed)(?!\p{L})(?:(?!(?<!\p{L})(?:to|for|that|will|would|is|are|until|till|by|if|when|planned|booked|agreed|decided|scheduled|arranged|invited|expected)(?!\p{L}))[^.!?;])*$/iu;
const bareWeekday = /^on\s\p{L}+day$/iu;

/**
 * "I met them on the 15th", written on the 17th, was two days before, and "I won on Friday" the Friday before; without the
 * past it is the next one.
 */
export function pastDays(text: string, day: string | null, values: readonly Value[]): readonly Value[] {
  if (day === null || !past.test(text)) return values;
  return values.map((value) => {
    if (value.type !== "date" || value.from === undefined || value.from !== value.to || value.from <= day) return value;
    if (bareWeekday.test(value.text) && didThen.test(text.slice(0, value.start))) {
      const last = addDays(value.from, -7);
      return { ...value, from: last, to: last, key: `${last}–${last}` };
    }
    if (!bareDay.test(value.text)) return value;
    const { from } = monthSpan(yearOf(value.from), monthOf(value.from) - 1);
    const before = makeDay(yearOf(from), monthOf(from), Number(value.from.slice(8)));
    return before === null || before > day ? value : { ...value, from: before, to: before, key: `${before}–${before}` };
  });
}

/** A figure with two decimals where it has any, its thousands parted as the language does. */
export function sayFigure(value: number, language: "en" | "de"): string {
  const [whole = "", part = ""] = (Math.round(value * 100) / 100).toFixed(2).split(".");
  const thousands = whole.replace(/\B(?=(?:\d{3})+(?!\d))/g, language === "de" ? "." : ",");
  return part === "00" ? thousands : `${thousands}${language === "de" ? "," : "."}${part}`;
}

/** Figure and unit of a value, for comparing by size; null for dates and codes. */
export function measureOf({ key, type }: Value): { figure: number; unit: string } | null {
  if (type === "date" || type === "code" || type === "time" || type === "frequency") return null;
  const match = /^(\d+(?:\.\d+)?)(?:\s(\p{L}+))?/u.exec(key);
  return match ? { figure: Number(match[1]), unit: match[2] ?? "" } : null;
}

/** "1.234,50" and "1,234.5" are one number: the last separator before one or two digits is the decimal one. */
function plainNumber(text: string): string {
  const decimal = /[.,](\d{1,2})$/.exec(text);
  const whole = (decimal ? text.slice(0, decimal.index) : text).replace(/[.,' ]/g, "");
  const part = decimal?.[1]?.replace(/0+$/, "") ?? "";
  return part === "" ? whole.toLowerCase() : `${whole}.${part}`.toLowerCase();
}

const change =
  /(?<!\p{L})(?:move[sd]?|put off|push(?:ed)? (?:\p{L}+ )?back|brought forward|cut to|replaces|rescheduled|postponed|changed|change of|new (?:date|time|price|address|number)|instead|correction|corrected|actually|update[d]?|no longer|now (?:at|on|costs?|in)|sorry,? (?:it|we|i)|raised|reduced|increased|schedule change|change to|let['’]s (?:make|say|take) it|make it (?:the|on)|revised|amended|rebooked|rearranged|delayed (?:to|until)|(?:is|are|will) now(?! \p{L}+ing)|verschoben|verlegt|geändert|ändert|neue[rsn]? (?:termin|datum|preis|adresse|uhrzeit|nummer)|stattdessen|korrektur|korrigiert|doch (?:erst|schon|am|um)|nicht mehr|jetzt (?:am|um|kostet)|erhöht|gesenkt|änderung|umgebucht|machen wir (?:lieber|doch)|lieber (?:am|erst|den)|nehmen wir (?:lieber|doch)|vorverlegt|verspätet)(?!\p{L})/iu;
const cancel =
  /(?<!\p{L})(?:cancel+(?:l?ed|ing|lation)?|called off|(?:is|are) off|won't happen|does(?:n't| not) take place|abgesagt|sage .{0,20} ab|fällt aus|fallen aus|storniert|gestrichen)(?!\p{L})/iu;
const negation =
  /(?<!\p{L})(?:not|no|never|none|nothing|\p{L}*n't|cannot|nicht|kein\p{L}*|nie|niemals|nein)(?!\p{L})/iu;

export const saysChange = (text: string): boolean => change.test(text);
export const saysCancelled = (text: string): boolean => cancel.test(text);
/** Words of no that deny nothing: who cannot wait looks forward. */
const noDenial =
  /(?<!\p{L})(?:(?:can't|cannot|couldn't|can hardly) wait|(?:couldn't|can't) (?:be (?:happier|prouder|more)|agree more|believe)|no (?:problem|worries|doubt|wonder)|(?:don't|no need to) worry|not only|nothing (?:beats|like)|(?:will|'ll) never forget|(?:kein problem|keine sorge|nicht nur))(?!\p{L})/giu;
export const saysNo = (text: string): boolean => negation.test(text.replace(/[’]/g, "'").replace(noDenial, ""));

/** "Thursday", "Sundays", "April". */
function isTimeWord(word: string): boolean {
  const context = { reference: "2000-01-01" };
  return findDates(`on ${word.replace(/s$/, "")} in ${word}`, context).length > 0;
}

const placePattern =
  /(?<!\p{L})(?:[Ii]n|[Aa]t|[Nn]ear|[Tt]o|[Ff]rom|[Bb]y|[Oo]n|[Nn]ach|[Aa]us|[Bb]ei|[Aa]m|[Ii]m)\s+(?:(?:the|der|dem|den)\s+)?((?:\p{Lu}[\p{L}'’-]+)(?:\s+\p{Lu}[\p{L}'’-]+){0,2})/gu;

/** Capitalised words after a word of place that are no time, in order; a line's end after a comma ("Lakeside Camping, Bala"), too. */
export function placesIn(text: string): string[] {
  const found = [...text.matchAll(placePattern), ...text.matchAll(addressPattern)];
  return found.flatMap(([, name = ""]) => (isTimeWord(name) ? [] : [name]));
}

/** The first of them after a word of place; null when there are none. */
export function placeIn(text: string): string | null {
  for (const [, name = ""] of text.matchAll(placePattern)) if (!isTimeWord(name)) return name;
  return null;
}
/** What a form says behind "Where:". */
export const placeLabelled = (text: string): string | null =>
  /(?:^|\s)(?:Where|Place|Location|Venue|Meeting point|Wo|Ort|Treffpunkt|Tatort):\s*([^\n:]{3,60}?)\s*(?=\n|$|\s\p{Lu}\p{Ll}+(?:\s\p{Ll}+)?:)/u.exec(
    text,
  )?.[1] ?? null;
const addressPattern = /\p{Lu}[\p{L}'’-]+,\s(\p{Lu}[\p{L}'’-]+)\s*$/gmu;

/**
 * From which day "the 28th" counts in a record that speaks of a coming time which was asked about: "stay till the 28th",
 * written in November of a Christmas, is of December. Null where the record's own day is meant.
 */
export function aheadReference(windows: QueryPlan["windows"], day: string | null): string | null {
  const [window] = windows;
  if (!window || windows.length > 1 || day === null || day >= window.from) return null;
  return addDays(day, aheadDays) < window.from ? null : addDays(window.from, -daysBefore);
}
const aheadDays = 120;
const daysBefore = 10;
