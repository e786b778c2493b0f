import type { RecordTime } from "#contract";
import { type Civil, civilMs, isCivil, timeFromCivil } from "../text/time.ts";

/**
 * Google Chat writes its times as a sentence in the account's language: "Tuesday, October 8, 2019 at 6:13:30 PM UTC",
 * "Dienstag, 8. Oktober 2019 um 18:13:30 UTC". Months, weekdays and halves of the day are looked up in the names that
 * Intl has for each language; a weekday that does not fall on the date refuses the reading.
 */

/** Languages with dates of their own; English first, as most are. */
const languages = (
  "en de fr es pt pt-PT it nl pl ru uk sv da nb fi cs sk hu ro bg el tr hr sr sr-Latn sl bs mk sq lt lv et is eu ca gl " +
  "af sw zu id ms fil vi th lo km my ka hy az kk ky uz mn he ar fa ur hi bn gu kn ml mr ne or pa si ta te am ja ko zh zh-TW be lb mt fr-CA es-MX de-AT en-GB"
).split(" ");

interface Language {
  readonly months: ReadonlyMap<string, number>;
  readonly weekdays: ReadonlyMap<string, number>;
  /** Hours at which a word for the time of the day is used. */
  readonly periods: ReadonlyMap<string, ReadonlySet<number>>;
  /** Counts to 12, so that an hour without a word for its half of the day is no whole reading. */
  readonly twelve: boolean;
}

const known = new Map<string, Language>();

const fold = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase()
    .replace(/(?<!\p{L})([ap])\.? ?m(?:\.|(?!\p{L}))/gu, "$1m")
    .trim();

function language(tag: string): Language {
  const ready = known.get(tag);
  if (ready !== undefined) return ready;
  const months = new Map<string, number>();
  const weekdays = new Map<string, number>();
  const periods = new Map<string, Set<number>>();
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, { ...options, timeZone: "UTC" });
  const part = (date: number, type: Intl.DateTimeFormatPartTypes, formatter: Intl.DateTimeFormat) =>
    fold(formatter.formatToParts(date).find((one) => one.type === type)?.value ?? "");
  for (const width of ["long", "short"] as const) {
    for (const options of [{ month: width }, { month: width, day: "numeric", year: "numeric" }] as const) {
      const formatter = format(options);
      for (let month = 0; month < 12; month++) {
        const name = part(Date.UTC(2023, month, 10), "month", formatter);
        if (/\p{L}/u.test(name)) months.set(name.replace(/\.$/, ""), month + 1);
      }
    }
    for (const options of [{ weekday: width }, { weekday: width, month: "long", day: "numeric" }] as const) {
      const formatter = format(options);
      // 1 January 2023 was a Sunday.
      for (let day = 0; day < 7; day++) {
        const name = part(Date.UTC(2023, 0, 1 + day), "weekday", formatter);
        if (name !== "") weekdays.set(name.replace(/\.$/, ""), day);
      }
    }
  }
  const clocks: Intl.DateTimeFormatOptions[] = [
    { hour: "numeric", minute: "2-digit", hour12: true },
    { timeStyle: "long" },
  ];
  for (const clock of clocks.map(format)) {
    for (let hour = 0; hour < 24; hour++) {
      const name = part(Date.UTC(2023, 0, 1, hour), "dayPeriod", clock);
      if (name !== "") periods.set(name, (periods.get(name) ?? new Set()).add(hour));
    }
  }
  const twelve = /^h1[12]$/.test(new Intl.DateTimeFormat(tag, { hour: "numeric" }).resolvedOptions().hourCycle ?? "");
  const made = { months, weekdays, periods, twelve };
  known.set(tag, made);
  return made;
}

/** The longest name of a table that stands in the text as a word, and the text without it. */
function take<T>(text: string, table: ReadonlyMap<string, T>): { value: T; rest: string } | null {
  let found = "";
  for (const name of table.keys()) {
    if (name.length > found.length && wordAt(text, name) >= 0) found = name;
  }
  const value = table.get(found);
  if (value === undefined) return null;
  const at = wordAt(text, found);
  return { value, rest: `${text.slice(0, at)} ${text.slice(at + found.length)}` };
}

/** Where a name stands with no letter beside it (scripts without blanks have none between words). */
function wordAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]/.test(name);
    if (unspaced) return at;
    const before = text.slice(0, at).at(-1) ?? " ";
    const after = text.slice(at + name.length).at(0) ?? " ";
    // Hebrew writes "in" onto the month.
    if (!/[\p{L}\p{M}]/u.test(before.replace("\u05d1", " ")) && !/[\p{L}\p{M}]/u.test(after)) return at;
  }
  return -1;
}

/** ASCII digits for those of any script. */
function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    // Digits of a script stand in a row of ten, beginning with its zero.
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  });
}

const clockPatterns = [
  /(?<!\d)(\d{1,2})[:.](\d{2})[:.](\d{2})(?!\d)/,
  /(?<!\d)(\d{1,2}) ?(?:h|시|时|時|點|点|นาฬิกา|ໂມງ) ?(\d{1,2}) ?(?:min\.?|분|分|นาที|ນາທີ) ?(\d{1,2}) ?(?:s(?!\p{L})|초|秒|วินาที|ວິນາທີ)/u,
];

interface Reading {
  readonly tag: string;
  readonly civil: Civil;
  /** Its weekday falls on its date. */
  readonly sure: boolean;
}

interface Taken {
  readonly clock: readonly [number, number, number];
  readonly rest: string;
}

function takeClock(text: string): Taken | null {
  const match = clockPatterns[0]?.exec(text) ?? clockPatterns[1]?.exec(text);
  if (!match) return null;
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
  return { clock: [Number(match[1]), Number(match[2]), Number(match[3])], rest };
}

/** Minutes east of Greenwich that the text names; "utc" where it says so or nothing. */
function takeZone(text: string): { minutes: number | null; said: boolean; rest: string } {
  const match = /(?:utc|gmt)(?: ?([+\-\u2212])(\d{1,2})(?::?(\d{2}))?)?/i.exec(text);
  if (match === null) return { minutes: null, said: false, rest: text };
  const size = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  const minutes = match[1] === undefined || size === 0 ? null : match[1] === "+" ? size : -size;
  return { minutes, said: true, rest: text.replace(match[0], " ") };
}

/** Year, month and day, and what is left of the text; null when they do not stand in it. */
function takeDate(tag: string, text: string): { date: readonly [number, number, number]; rest: string } | null {
  // East Asia and Vietnam number their months: "10月8日", "8 tháng 10".
  const numbered = /^(?:ja|ko|zh)/.test(tag)
    ? /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/.exec(text)
    : null;
  if (numbered !== null) {
    const date = [Number(numbered[1]), Number(numbered[2]), Number(numbered[3])] as const;
    return { date, rest: text.replace(numbered[0], " ") };
  }
  const vietnamese = tag === "vi" ? /(\d{1,2}) tháng (\d{1,2})\D{1,8}(\d{4})/.exec(text) : null;
  if (vietnamese !== null) {
    const date = [Number(vietnamese[3]), Number(vietnamese[2]), Number(vietnamese[1])] as const;
    return { date, rest: text.replace(vietnamese[0], " ") };
  }
  const named = take(text, language(tag).months);
  if (named === null) return null;
  const numbers = [...named.rest.matchAll(/\d+/g)].map(([digits]) => digits);
  const [year, ...years] = numbers.filter((digits) => digits.length === 4);
  const [day, ...days] = numbers.filter((digits) => digits.length < 3);
  if (year === undefined || day === undefined || years.length + days.length > 0) return null;
  return { date: [Number(year), named.value, Number(day)], rest: named.rest };
}

function readIn(tag: string, text: string, clock: Taken["clock"]): Reading | null {
  const { weekdays, periods, twelve } = language(tag);
  const dated = takeDate(tag, text);
  if (dated === null) return null;
  const weekday = take(dated.rest, weekdays);
  const half = take(weekday?.rest ?? dated.rest, periods);
  if (half === null && twelve && clock[0] <= 12 && clock[0] > 0) return null;
  // Words that the language does not know are another language's; small ones ("de", "um", "at") are tolerated.
  const strange = (half?.rest ?? weekday?.rest ?? dated.rest).replace(/[^\p{L}]/gu, "").length;
  const spaced = !/^(?:ja|ko|zh)/.test(tag);
  if (strange > (spaced ? (weekday === null ? 9 : 20) : 0)) return null;
  const [said, month, day] = dated.date;
  // Thailand counts from the Buddha.
  const year = said > 2400 && said < 2700 ? said - 543 : said;
  const hour = hourOf(clock[0], half?.value ?? null);
  if (hour === null) return null;
  const civil = { year, month, day, hour, minute: clock[1], second: clock[2] };
  if (!isCivil(civil) || year < 1990 || year > 2200) return null;
  const falls = new Date(civilMs(civil)).getUTCDay();
  return weekday !== null && weekday.value !== falls ? null : { tag, civil, sure: weekday !== null };
}

function hourOf(hour: number, period: ReadonlySet<number> | null): number | null {
  if (period === null || hour > 12) return hour;
  const candidates = [hour % 12, (hour % 12) + 12].filter((one) => period.has(one));
  return candidates[0] ?? null;
}

/** How often a sentence of one shape is tried in every language before it is given up. */
const tries = 3;

/** The sentences of one file: they are in one language, which is found out by the first of them that has a weekday. */
export class ChatDates {
  #usual: string | null = null;
  readonly #hopeless = new Map<string, number>();

  /** The moment of a sentence, or null when it cannot be read for certain. Never throws. */
  read(sentence: string): RecordTime | null {
    if (sentence.length > 300) return null;
    const iso = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z| ?UTC)$/.exec(sentence.trim());
    if (iso !== null) {
      const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = iso.slice(1).map(Number);
      const civil = { year, month, day, hour, minute, second };
      return isCivil(civil) ? timeFromCivil(civil, "utc", { source: "created_date" }) : null;
    }
    const text = asciiDigits(fold(sentence));
    const zone = takeZone(text);
    const taken = takeClock(zone.rest);
    const civil = taken === null ? null : this.#civil(taken);
    if (civil === null) return null;
    const confidence = zone.said ? "normal" : "low";
    return timeFromCivil(civil, zone.minutes ?? "utc", { source: "created_date", confidence });
  }

  #civil({ rest, clock }: Taken): Civil | null {
    const usual = readIn(this.#usual ?? "en", rest, clock);
    if (usual !== null && (usual.sure || this.#usual !== null)) {
      this.#usual = usual.tag;
      return usual.civil;
    }
    const shape = rest.replace(/\d+/g, "0");
    const failed = this.#hopeless.get(shape) ?? 0;
    if (failed >= tries) return null;
    const readings = languages.map((tag) => readIn(tag, rest, clock)).filter((one) => one !== null);
    const sure = readings.filter((one) => one.sure);
    const choice = sure.length > 0 ? sure : readings;
    const [first] = choice;
    if (first === undefined || new Set(choice.map(({ civil }) => civilMs(civil))).size > 1) {
      if (this.#hopeless.size < 5_000) this.#hopeless.set(shape, failed + 1);
      return null;
    }
    if (first.sure) this.#usual ??= first.tag;
    return first.civil;
  }
}
