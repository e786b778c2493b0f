import { monthNames, seasons, sign, signsOf, weekdays } from "./date-words.ts";
import { addDays, dayNumber, dayOf, makeDay, monthOf, monthSpan, weekdayOf, yearOf } from "./days.ts";
import { kept } from "./kept.ts";
import { numberWords } from "./numbers.ts";

/** A time that a text names, as absolute local days (inclusive). [start, end) is its place in the text. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly unit: "day" | "week" | "month" | "season" | "year";
  /** Needs the reference day to be understood ("yesterday", "the 14th"). */
  readonly relative: boolean;
}

export interface DateContext {
  /** What relative expressions count from: the record's own day, or today for a question. Null: relative ones are skipped. */
  readonly reference: string | null;
  /** Years that a date without a year may mean (a question's); without it the one nearest to the reference. */
  readonly years?: readonly number[];
}

const numbers = Object.fromEntries(numberWords);
const byLength = (names: Record<string, unknown>) =>
  Object.keys(names)
    .sort((a, b) => b.length - a.length)
    .join("|");
const M = `(?<month>${byLength(monthNames)})\\.?`;
const W = `(?<weekday>${byLength(weekdays)})`;
const N = `(?<count>\\d{1,3}|${byLength(numbers)})`;
const S = `(?<season>${byLength(seasons)})`;
const U = "(?<unit>days?|weeks?|months?|years?|tag(?:en|e)?|wochen?|monat(?:en|e)?|jahr(?:en|e)?)";
// Letters of other alphabets count as letters too, which \b does not know.
const edge = (pattern: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu");

type Groups = Record<string, string | undefined>;
type Found = { from: string; to: string; unit: DateMention["unit"] } | null;
interface Pattern {
  readonly regex: RegExp;
  readonly relative: boolean;
  /** Bits of `sign`: what a text must have for the pattern to be found in it. */
  readonly needs: number;
  read(groups: Groups, context: DateContext, matched: string): Found[];
}

const whole = (day: string | null): Found[] => (day === null ? [] : [{ from: day, to: day, unit: "day" }]);
const fullYear = (text: string) => (text.length === 2 ? 2000 + Number(text) : Number(text));
const monthNumber = (name: string | undefined) => monthNames[(name ?? "").toLowerCase()] ?? 0;

/** Years that a date without one may mean. */
function yearsFor(month: number, day: number, context: DateContext): readonly number[] {
  if (context.years) return context.years;
  if (context.reference === null) return [];
  const reference = dayNumber(context.reference);
  const year = yearOf(context.reference);
  const distance = (candidate: number) => Math.abs(Date.UTC(candidate, month - 1, day) / 86_400_000 - reference);
  return [[year - 1, year, year + 1].reduce((best, next) => (distance(next) < distance(best) ? next : best))];
}

function dayInYears(month: number, day: number, year: string | undefined, context: DateContext): Found[] {
  const years = year === undefined ? yearsFor(month, day, context) : [fullYear(year)];
  return years.flatMap((one) => whole(makeDay(one, month, day)));
}

/** 07/14/2024 or 14/07/2024: whichever the calendar allows, day first when both do. */
function numericDay(groups: Groups, context: DateContext): Found[] {
  const [a, b] = [Number(groups.a), Number(groups.b)];
  const [day, month] = b > 12 && a <= 12 ? [b, a] : [a, b];
  return dayInYears(month, day, groups.year, context);
}

function unitKind(unit: string | undefined): "day" | "week" | "month" | "year" {
  const letter = (unit ?? "d").charAt(0).toLowerCase();
  return letter === "w" ? "week" : letter === "m" ? "month" : letter === "y" || letter === "j" ? "year" : "day";
}

function shifted(reference: string, unit: DateMention["unit"], by: number): Found {
  if (unit === "day") {
    const day = addDays(reference, by);
    return { from: day, to: day, unit };
  }
  if (unit === "week") {
    const monday = addDays(reference, by * 7 - weekdayOf(reference));
    return { from: monday, to: addDays(monday, 6), unit };
  }
  if (unit === "month") return { ...monthSpan(yearOf(reference), monthOf(reference) + by), unit };
  const year = yearOf(reference) + by;
  return { from: `${year}-01-01`, to: `${year}-12-31`, unit };
}

/** `−1` the one before, `0` this, `1` the next, by the first word of the expression. */
function direction(matched: string): -1 | 0 | 1 {
  if (/^(?:last|past|previous|letzte|vorige|vergangene)/i.test(matched)) return -1;
  return /^(?:next|coming|nächste|kommende)/i.test(matched) ? 1 : 0;
}

const relative =
  (read: (groups: Groups, reference: string, matched: string) => Found[]): Pattern["read"] =>
  (groups, context, matched) =>
    context.reference === null ? [] : read(groups, context.reference, matched);
const which =
  "(?:last|past|previous|this|next|coming|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|diese[nrsm]?|nächste[nrsm]?|kommende[nrsm]?)";

/** Most particular first: what one pattern has read, no later one reads again. */
const patterns: readonly Pattern[] = [
  {
    regex: edge("(?<year>\\d{4})-(?<a>\\d\\d)-(?<b>\\d\\d)"),
    relative: false,
    needs: sign.digit,
    read: (g) => whole(makeDay(Number(g.year), Number(g.a), Number(g.b))),
  },
  {
    // "In 2.6.35", "2.6.38-rc4": versions of programs are written like days.
    regex: edge(
      "(?<!(?<!\\p{L})(?:in|with|than|of|version|release|kernel|current|using|under)\\s)(?<a>\\d{1,2})\\.\\s?(?<b>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}|\\d\\d(?!\\d|[:.]\\d|-?(?:rc|beta|alpha|pre|git)\\d)))?(?!\\d)",
    ),
    relative: false,
    needs: sign.digit,
    read: (g, c) => dayInYears(Number(g.b), Number(g.a), g.year, c),
  },
  {
    regex: edge("(?<a>\\d{1,2})/(?<b>\\d{1,2})/(?<year>\\d{4}|\\d\\d)"),
    relative: false,
    needs: sign.digit,
    read: numericDay,
  },
  {
    regex: edge(`(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?(?: of)?\\s${M}(?:,?\\s(?<year>(?:19|20)\\d\\d))?`),
    relative: false,
    needs: sign.digit | sign.month,
    read: (g, c) => dayInYears(monthNumber(g.month), Number(g.day), g.year, c),
  },
  {
    regex: edge(`${M}\\s(?:the\\s)?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,?\\s(?<year>(?:19|20)\\d\\d))?`),
    relative: false,
    needs: sign.digit | sign.month,
    read: (g, c) => dayInYears(monthNumber(g.month), Number(g.day), g.year, c),
  },
  {
    regex: edge(`${M},?(?: of)?\\s(?<year>(?:19|20)\\d\\d)`),
    relative: false,
    needs: sign.digit | sign.month,
    read: (g) => [{ ...monthSpan(Number(g.year), monthNumber(g.month)), unit: "month" }],
  },
  {
    regex: edge(`${S}(?: of)?\\s(?<year>(?:19|20)\\d\\d)`),
    relative: false,
    needs: sign.digit | sign.season,
    read: (g) => {
      const [first, last] = seasons[(g.season ?? "").toLowerCase()] ?? [1, 12];
      const year = Number(g.year);
      return [{ from: monthSpan(year, first).from, to: monthSpan(year, last).to, unit: "season" }];
    },
  },
  {
    regex: edge(`${which}\\s${S}`),
    relative: true,
    needs: sign.season,
    read: relative((g, reference, matched) => {
      const [first, last] = seasons[(g.season ?? "").toLowerCase()] ?? [1, 12];
      const spans = [-2, -1, 0, 1].map((by) => ({
        from: monthSpan(yearOf(reference) + by, first).from,
        to: monthSpan(yearOf(reference) + by, last).to,
      }));
      const way = direction(matched);
      const span =
        way < 0
          ? spans.findLast((one) => one.to < reference)
          : way > 0
            ? spans.find((one) => one.from > reference)
            : (spans.find((one) => one.to >= reference) ?? spans[2]);
      return span ? [{ ...span, unit: "season" }] : [];
    }),
  },
  {
    regex: edge("the day before yesterday|vorgestern"),
    relative: true,
    needs: sign.relative,
    read: relative((_, r) => [shifted(r, "day", -2)]),
  },
  {
    regex: edge("yesterday|last night|gestern"),
    relative: true,
    needs: sign.relative,
    read: relative((_, r) => [shifted(r, "day", -1)]),
  },
  {
    regex: edge("the day after tomorrow|übermorgen"),
    relative: true,
    needs: sign.relative,
    read: relative((_, r) => [shifted(r, "day", 2)]),
  },
  {
    regex: edge("today|tonight|this (?:morning|afternoon|evening)|heute"),
    relative: true,
    needs: sign.relative,
    read: relative((_, r) => [shifted(r, "day", 0)]),
  },
  {
    regex: edge("tomorrow|(?<!(?:guten|am|jeden|diesen|heute)\\s)morgen"),
    relative: true,
    needs: sign.relative,
    read: relative((_, r, matched) => (matched === "Morgen" ? [] : [shifted(r, "day", 1)])),
  },
  {
    regex: edge(
      `(?:(?:about|around|a)\\s)?${N}(?:\\sof)?\\s${U}\\sago|vor\\s(?:etwa\\s)?${N.replace("count", "count2")}\\s${U.replace("unit", "unit2")}`,
    ),
    relative: true,
    needs: sign.unit,
    read: relative((g, r) => counted(r, g.count ?? g.count2, g.unit ?? g.unit2, -1)),
  },
  {
    regex: edge(`in\\s${N}\\s${U}`),
    relative: true,
    needs: sign.unit,
    read: relative((g, r) => counted(r, g.count, g.unit, 1)),
  },
  {
    regex: edge(`${which}\\s(?:weekend|wochenende)`),
    relative: true,
    needs: sign.weekend,
    read: relative((_, r, matched) => {
      const saturday = addDays(r, 5 - weekdayOf(r) + 7 * direction(matched));
      return [{ from: saturday, to: addDays(saturday, 1), unit: "week" }];
    }),
  },
  {
    regex: edge(`${which}\\s(?<unit>week|month|year|woche|monat|jahr)`),
    relative: true,
    needs: sign.unit,
    read: relative((g, r, matched) => [shifted(r, unitKind(g.unit), direction(matched))]),
  },
  {
    regex: edge(`${which}\\s${M}(?!\\s\\d)`),
    relative: true,
    needs: sign.month,
    read: relative((g, r, matched) => {
      const month = monthNumber(g.month);
      const way = direction(matched);
      const year = yearOf(r);
      const before = month < monthOf(r);
      return [
        { ...monthSpan(way < 0 && !before ? year - 1 : way > 0 && before ? year + 1 : year, month), unit: "month" },
      ];
    }),
  },
  {
    regex: edge(`(?:(?<which>${which.slice(3, -1)}|on|am|by|until|bis)\\s)${W}`),
    relative: true,
    needs: sign.weekday,
    read: relative((g, r) => {
      const weekday = weekdays[(g.weekday ?? "").toLowerCase()] ?? 0;
      const ahead = (weekday - weekdayOf(r) + 7) % 7;
      const way = direction(g.which ?? "");
      // "next Friday" said before Friday of the same week most often means that of the following week only in speech
      // of some; the first Friday after the day is the reading that needs no more knowledge.
      return [shifted(r, "day", way < 0 ? (ahead === 0 ? -7 : ahead - 7) : way > 0 && ahead === 0 ? 7 : ahead)];
    }),
  },
  {
    regex: edge(
      `(?:in|im|from|aus|during|since|seit|by|early|late|mid|of|anfang|ende|mitte|until|bis)\\s${M}(?!\\s?\\d)`,
    ),
    relative: false,
    needs: sign.month,
    read: (g, c) => {
      const month = monthNumber(g.month);
      return yearsFor(month, 15, c).map((year) => ({ ...monthSpan(year, month), unit: "month" as const }));
    },
  },
  {
    regex: edge("(?:the|am|den|dem|auf den|on the)\\s(?<day>[12]?\\d|3[01])(?:st|nd|rd|th|\\.(?=\\s|$))"),
    relative: true,
    needs: sign.digit,
    read: relative((g, r) => {
      const day = Number(g.day);
      const same = makeDay(yearOf(r), monthOf(r), day);
      if (same !== null && same >= r) return whole(same);
      const next = monthSpan(yearOf(r), monthOf(r) + 1).from;
      return whole(makeDay(yearOf(next), monthOf(next), day));
    }),
  },
  {
    regex: edge("(?<![€$£.,]\\s?)(?<year>(?:19|20)\\d\\d)(?!-\\d|\\s?(?:[€$£%]|eur|usd|[.,]\\d))"),
    relative: false,
    needs: sign.digit,
    read: (g) => [{ from: `${g.year}-01-01`, to: `${g.year}-12-31`, unit: "year" }],
  },
];

function counted(reference: string, count: string | undefined, unit: string | undefined, sign: 1 | -1): Found[] {
  const word = (count ?? "1").toLowerCase();
  const amount = sign * (/^\d/.test(word) ? Number(word) : (numbers[word] ?? 1));
  const kind = unitKind(unit);
  // "Three weeks ago" names the day three weeks before, give or take; months and years keep their width.
  if (kind === "week") return whole(dayOf(dayNumber(reference) + amount * 7));
  return [shifted(reference, kind, amount)];
}

/** Times named in a text, in order, not overlapping. A date without a year gives one mention a possible year. Input beyond 100,000 characters is not read. */
export const findDates = kept(
  ({ reference, years }: DateContext) => `${reference} ${years?.join() ?? "nearest"}`,
  (text, context): readonly DateMention[] => datesIn(text, context),
);

function datesIn(text: string, context: DateContext): DateMention[] {
  const mentions: DateMention[] = [];
  const taken: [number, number][] = [];
  const input = text.slice(0, 100_000);
  const has = signsOf(input);
  for (const { regex, relative: isRelative, needs, read } of patterns) {
    if ((has & needs) !== needs || (isRelative && context.reference === null)) continue;
    for (const match of input.matchAll(regex)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.some(([from, to]) => start < to && from < end)) continue;
      const found = read(match.groups ?? {}, context, match[0]).filter((one) => one !== null);
      if (found.length === 0) continue;
      taken.push([start, end]);
      for (const one of found) mentions.push({ ...one, start, end, text: match[0], relative: isRelative });
    }
  }
  return mentions.sort((a, b) => a.start - b.start || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
}

/** Quick sign that a text speaks of time; counted by the ranker (`when_temp` of the recall study). */
const temporal = edge(
  `yesterday|today|tonight|tomorrow|ago|recently|soon|since|weekend|birthday|anniversary|earlier|later|gestern|heute|seit|bald|neulich|geburtstag|${which}\\s\\p{L}+|\\d{1,2}[.:]\\d{2}|(?:19|20)\\d\\d|${byLength(weekdays)}|(?!may|mar|sun|sat|jan|mai)(?:${byLength(monthNames)})|${N}\\s${U}`,
);

/** 0, 1 or 2: temporal expressions in the first 4,000 characters. */
export function temporalCount(text: string): number {
  let count = 0;
  for (const _ of text.slice(0, 4_000).matchAll(temporal)) if (++count === 2) break;
  return count;
}
