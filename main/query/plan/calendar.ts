import {
  addDays,
  type DateMention,
  dayNumber,
  findDates,
  findSpans,
  makeDay,
  monthSpan,
  yearOf,
} from "../../views/language/index.ts";
import { overlaps, type Stretch } from "./words.ts";

/**
 * Times that a question names by themselves: what every text may say (`findDates`), holidays, and stretches that only
 * questions are put by: decades, halves and quarters, "early 2019", "the last three months", "the summer before last".
 */

export interface TimeMention extends DateMention {
  /** A holiday's name is said in texts too and stays a word to look for. */
  readonly name: Stretch | null;
}

export interface Calendar {
  /** Local day that relative expressions count from. */
  readonly reference: string;
  /** Years that a date without one may mean, ascending. */
  readonly years: readonly number[];
}

/** Words of a pattern, whole: letters of other alphabets count as letters too. */
export const whole = (pattern: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu");

/** Words of a pattern that another word follows. */
export const begins = (pattern: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?=\\P{Z})`, "giu");

const countWords: Readonly<Record<string, number>> = Object.fromEntries(
  "a an one ein eine einem einer einen|two couple zwei|three drei|four vier|five fünf|six sechs|seven sieben|eight acht|nine neun|ten zehn|eleven elf|twelve zwölf"
    .split("|")
    .flatMap((names, at) => names.split(" ").map((name) => [name, at + 1])),
);
export const counts = `\\d{1,3}|${Object.keys(countWords).join("|")}`;
export const countOf = (text: string | undefined): number =>
  /^\d/.test(text ?? "") ? Number(text) : (countWords[(text ?? "").toLowerCase()] ?? 1);

export type Unit = "day" | "week" | "month" | "year";
export const units = "days?|nights?|weeks?|months?|years?|tag(?:en|e)?|wochen?|monat(?:en|e)?|jahr(?:en|e)?";
export function unitOf(text: string | undefined): Unit {
  const letter = (text ?? "").charAt(0).toLowerCase();
  return letter === "w" ? "week" : letter === "m" ? "month" : letter === "y" || letter === "j" ? "year" : "day";
}
export const unitDays: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 30, year: 365 };

const seasons: readonly (readonly [RegExp, number])[] = [
  [/^(?:spring|fr[uü]hling|fr[uü]hjahr)/iu, 3],
  [/^(?:summer|sommer)/iu, 6],
  [/^(?:autumn|fall|herbst)/iu, 9],
  [/^winter/iu, 12],
];
const seasonNames =
  "springs?|summers?|autumns?|falls?|winters?|fr[uü]hlinge?n?|fr[uü]hjahre?n?|sommern?|herbsten?|wintern?";
function season(name: string, year: number): Days {
  const first = seasons.find(([pattern]) => pattern.test(name))?.[1] ?? 1;
  return { from: monthSpan(year, first).from, to: monthSpan(year, first + 2).to };
}

interface Days {
  readonly from: string;
  readonly to: string;
}
type Groups = Record<string, string | undefined>;
interface Pattern {
  readonly regex: RegExp;
  readonly unit: DateMention["unit"];
  readonly relative: boolean;
  readonly named?: true;
  read(groups: Groups, calendar: Calendar, matched: string): Days[];
}

const decadeNames = "twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties".split("|");
const germanDecades = "zwanziger|dreißiger|vierziger|fünfziger|sechziger|siebziger|achtziger|neunziger".split("|");

/** First year of a decade by its name or its digits: the twenties and before are this century's. */
function decadeOf(text: string): number {
  const said = text.toLowerCase();
  if (/noughties|nuller/.test(said)) return 2000;
  const named = Math.max(
    decadeNames.findIndex((name) => said.startsWith(name)),
    germanDecades.findIndex((name) => said.startsWith(name)),
  );
  const tens = named >= 0 ? (named + 2) * 10 : Number(/\d+/.exec(said)?.[0] ?? 0);
  return tens >= 100 ? tens : tens <= 20 ? 2000 + tens : 1900 + tens;
}

/** First, middle or last third of ten or twelve. */
function thirdOf(part: string | undefined, parts: number): readonly [number, number] {
  const third = Math.floor(parts / 3);
  if (part === undefined) return [0, parts - 1];
  if (/^(?:early|beginning|start|anfang|fr[uü]h)/iu.test(part)) return [0, third - 1];
  if (/^mi/iu.test(part)) return [third, parts - 1 - third];
  return [parts - third, parts - 1];
}

const part = "early|late|mid(?:dle)?|beginning|start|end|anfang|mitte|ende|frühen|mittleren|späten";
const year = "(?:19|20)\\d\\d";

const patterns: readonly Pattern[] = [
  {
    // Somebody's own thirties are no decade.
    regex: whole(
      `(?<!(?:my|your|his|her|our|their|meinen|seinen|ihren|unseren)\\s)(?:(?:in\\s)?(?:the\\s|den\\s|die\\s))?(?:(?<part>${part})[\\s-]+(?:of\\sthe\\s)?)?(?<decade>(?:19|20)\\d0['’]?s|(?<=(?:the|late|early|mid|['’])[\\s-]?)\\d0['’]?s|(?:19|20)?\\d0er(?:[\\s-]?jahren?)?|(?<=the\\s|early\\s|late\\s|mid[\\s-])(?:${decadeNames.join("|")}|noughties)|(?:${germanDecades.join("|")}|nuller)n?(?:[\\s-]?jahren?)?)`,
    ),
    unit: "season",
    relative: false,
    read(groups) {
      const first = decadeOf(groups.decade ?? "");
      const [from, to] = thirdOf(groups.part, 10);
      return [{ from: `${first + from}-01-01`, to: `${first + to}-12-31` }];
    },
  },
  {
    regex: whole(
      `(?:(?:in\\s)?(?:the\\s|dem\\s|der\\s)?)?(?<half>first|1st|second|2nd|ersten?|zweiten?)\\s(?:half|halbjahr|hälfte)(?:\\s(?:of|von|des\\sjahres))?\\s(?<year>${year})|Q(?<quarter>[1-4])[\\s/-](?<year2>${year})|(?<quarter2>[1-4])\\.\\sQuartal\\s(?<year3>${year})`,
    ),
    unit: "season",
    relative: false,
    read(groups) {
      const at = Number(groups.year ?? groups.year2 ?? groups.year3);
      const quarter = groups.quarter ?? groups.quarter2;
      const first = quarter === undefined ? (/^(?:f|1|e)/iu.test(groups.half ?? "") ? 1 : 7) : Number(quarter) * 3 - 2;
      return [{ from: monthSpan(at, first).from, to: monthSpan(at, first + (quarter === undefined ? 5 : 2)).to }];
    },
  },
  {
    regex: whole(`(?:the\\s)?(?<part>${part})[\\s-](?:of\\s|in\\s|des\\sjahres\\s|von\\s)?(?<year>${year})`),
    unit: "season",
    relative: false,
    read(groups) {
      const [from, to] = thirdOf(groups.part, 12);
      return [{ from: monthSpan(Number(groups.year), from + 1).from, to: monthSpan(Number(groups.year), to + 1).to }];
    },
  },
  {
    regex: whole(
      `(?:(?:in|over|during|within|for)\\s)?(?:the\\s|den\\s|die\\s)?(?:last|past|previous|letzten|vergangenen)\\s(?:few\\s|paar\\s)?(?<count>${counts})\\s(?<unit>${units})(?!\\s(?:of|des|im)\\s)`,
    ),
    unit: "month",
    relative: true,
    read: ({ count, unit }, { reference }) => [
      { from: addDays(reference, -countOf(count) * unitDays[unitOf(unit)]), to: reference },
    ],
  },
  {
    regex: whole(
      `(?:the\\s)?(?<season>${seasonNames})\\sbefore\\slast|vorletzte[nrsm]?\\s(?<season2>${seasonNames})|(?<count>${counts})\\s(?<season3>${seasonNames})\\sago|vor\\s(?<count2>${counts})\\s(?<season4>${seasonNames})`,
    ),
    unit: "season",
    relative: true,
    read(groups, { reference }) {
      const name = groups.season ?? groups.season2 ?? groups.season3 ?? groups.season4 ?? "";
      const back = (groups.season3 ?? groups.season4) ? countOf(groups.count ?? groups.count2) : 2;
      const past = Array.from({ length: back + 2 }, (_, at) => season(name, yearOf(reference) - at)).filter(
        ({ to }) => to < reference,
      );
      return past.slice(back - 1, back);
    },
  },
  {
    regex: whole("(?:the\\s)?(?<unit>year|month|week)\\sbefore\\slast|vorletzte[nrsm]?\\s(?<unit2>jahr|monat|woche)"),
    unit: "month",
    relative: true,
    read({ unit, unit2 }, { reference }) {
      const kind = unitOf(unit ?? unit2);
      if (kind === "year") return [{ from: `${yearOf(reference) - 2}-01-01`, to: `${yearOf(reference) - 2}-12-31` }];
      if (kind === "month") return [monthSpan(yearOf(reference), Number(reference.slice(5, 7)) - 2)];
      const monday = addDays(reference, -14 - ((dayNumber(reference) + 3) % 7));
      return [{ from: monday, to: addDays(monday, 6) }];
    },
  },
  {
    regex: whole(`(?:a|one|(?<count>${counts}))\\sdecades?\\sago|vor\\s(?:einem|(?<count2>${counts}))\\sjahrzehnten?`),
    unit: "year",
    relative: true,
    read({ count, count2 }, { reference }) {
      const at = yearOf(reference) - 10 * countOf(count ?? count2);
      return [{ from: `${at - 1}-01-01`, to: `${at + 1}-12-31` }];
    },
  },
  {
    regex: whole(
      `(?:(?:in|during|over)\\s(?:the\\s)?|im\\s)(?<season>${seasonNames})(?!\\s(?:of\\s)?\\d|\\s\\p{Lu}\\p{L}*\\sof)`,
    ),
    unit: "season",
    relative: false,
    named: true,
    read: (groups, { years }) => years.map((at) => season(groups.season ?? "", at)),
  },
];

/** "Early July", "late March 2021": tens of days, like "Anfang Juli". */
const partOfMonth = whole(`(?<part>early|late|mid)[\\s-](?:in\\s)?(?<month>\\p{L}{3,}(?:\\s${year})?)`);

/** Every time that the text names by itself, in order; a date without a year gives a mention for each year. */
export function timesIn(text: string, calendar: Calendar): TimeMention[] {
  const found: TimeMention[] = [];
  const free = (one: Stretch) => !found.some((other) => overlaps(one, other));
  for (const { regex, unit, relative, named, read } of patterns) {
    for (const match of text.matchAll(regex)) {
      const stretch = { start: match.index, end: match.index + match[0].length };
      if (!free(stretch)) continue;
      // A season's bare name is a word that texts say, like a holiday's.
      const bare =
        named === true ? { start: stretch.end - (match.groups?.season ?? "").length, end: stretch.end } : null;
      for (const days of read(match.groups ?? {}, calendar, match[0]))
        found.push({ ...stretch, ...days, text: match[0], unit, relative, name: bare });
    }
  }
  const months = [...text.matchAll(partOfMonth)].flatMap((match) => {
    const stretch = { start: match.index, end: match.index + match[0].length };
    if (!free(stretch)) return [];
    return findDates(`in ${match.groups?.month ?? ""}`, { reference: null, years: calendar.years })
      .filter(({ unit }) => unit === "month")
      .map(({ from, to }) => ({ ...stretch, ...tensOf(from, to, match.groups?.part), text: match[0] }));
  });
  found.push(...months.map((one) => ({ ...one, unit: "day" as const, relative: false, name: null })));
  const spans = findSpans(text, calendar.years).filter(free);
  found.push(...spans.map((span) => ({ ...span, unit: "day" as const, relative: false })));
  const dates = findDates(text, calendar).filter(free);
  found.push(...dates.map((date) => ({ ...date, name: null })));
  return found.sort((a, b) => a.start - b.start || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
}

function tensOf(from: string, to: string, said: string | undefined): Days {
  if (/^early/iu.test(said ?? "")) return { from, to: addDays(from, 9) };
  if (/^mid/iu.test(said ?? "")) return { from: addDays(from, 9), to: addDays(from, 19) };
  return { from: addDays(to, -9), to };
}

const monthNames =
  "jan(?:uary|uar)?|jänner|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?|dez(?:ember)?";
const monthStarts = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthNumber = (name: string): number =>
  monthStarts.indexOf(
    name
      .toLowerCase()
      .slice(0, 3)
      .replace("jän", "jan")
      .replace("mär", "mar")
      .replace("mai", "may")
      .replace("okt", "oct")
      .replace("dez", "dec"),
  ) + 1;

const written: readonly RegExp[] = [
  whole("(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)"),
  whole("(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}))"),
  whole(`(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?(?:\\sof)?\\s(?<name>${monthNames})(?:,?\\s(?<year>${year}))?`),
  whole(`(?<name>${monthNames})\\s(?:the\\s)?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s(?<year>${year}))?`),
];

/** Days that are written and that no calendar has: 30 February, 31.04.2021. The year of a day without one is taken as a leap year. */
export function impossibleDates(text: string): (Stretch & { readonly text: string })[] {
  return written.flatMap((regex) =>
    [...text.matchAll(regex)].flatMap((match) => {
      const { day, month, name, year: inYear } = match.groups ?? {};
      // "May 40 people come?" is a question about people.
      if (name !== undefined && !/^\p{Lu}/u.test(name) && /^ma[ry]/.test(name)) return [];
      const at = name === undefined ? Number(month) : monthNumber(name);
      if (makeDay(Number(inYear ?? 2024), at, Number(day)) !== null) return [];
      return [{ start: match.index, end: match.index + match[0].length, text: match[0] }];
    }),
  );
}
