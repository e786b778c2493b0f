import { addDays, findDates, fold, monthSpan, stem, weekdayOf, wordsOf } from "#main/views/language/index.ts";

/** Scores of answers to LoCoMo's questions, as its authors count them (Maharana et al. 2024, evaluation of `task_eval`). */

const articles = new Set(["a", "an", "the", "and"]);

/** Words of an answer without case, punctuation and articles, stemmed; figures without separators. */
export function answerTokens(text: string): string[] {
  return wordsOf(text.replace(/(?<=\d),(?=\d{3})/g, ""))
    .map(({ folded }) => folded)
    .filter((word) => !articles.has(word))
    .map(stem);
}

/** Harmonic mean of precision and recall over tokens, 0–1. */
export function tokenF1(given: string, wanted: string): number {
  const [a, b] = [answerTokens(given), answerTokens(wanted)];
  const left = new Map<string, number>();
  for (const token of b) left.set(token, (left.get(token) ?? 0) + 1);
  let both = 0;
  for (const token of a) {
    const count = left.get(token) ?? 0;
    if (count > 0) both++;
    left.set(token, count - 1);
  }
  return both === 0 ? 0 : (2 * both) / (a.length + b.length);
}

/** Multi-hop answers are lists: of each wanted item the best given one counts, and the mean over them. */
export function listF1(given: string, wanted: string): number {
  const items = given.split(",");
  const parts = wanted.split(",");
  const best = parts.map((part) => Math.max(...items.map((item) => tokenF1(item, part))));
  return best.reduce((sum, one) => sum + one, 0) / parts.length;
}

export function scoreOf(category: string, given: string, wanted: string): number {
  if (category === "multi-hop") return listF1(given, wanted);
  return tokenF1(given, category === "open" ? (wanted.split(";")[0] ?? wanted) : wanted);
}

export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/**
 * The days that a gold answer means: "7 May 2023", "June 2023", "2022", "The week before 9 June 2023", "The sunday before
 * 25 May 2023", "The weekend before …", "two days before …"; null when it names none.
 */
export function wantedDays(answer: string): DaySpan | null {
  const text = fold(answer);
  const day = findDates(answer, { reference: null }).find(({ unit }) => unit === "day");
  const before = /(?:^|the )?(\w+)(?: (days?|weeks?))? (before|after) /.exec(text);
  if (day && before) {
    const sign = before[3] === "before" ? -1 : 1;
    const word = before[1] ?? "";
    const weekday = weekdays.findIndex((name) => name.startsWith(word.slice(0, 3)) && word.length >= 3);
    if (before[2] !== undefined) {
      const count = Number(word) || counts.indexOf(word);
      if (count < 1) return null;
      const moved = addDays(day.from, sign * count * (before[2].startsWith("w") ? 7 : 1));
      return { from: moved, to: moved };
    }
    if (word === "day") return { from: addDays(day.from, sign), to: addDays(day.from, sign) };
    if (word === "week") {
      return sign < 0
        ? { from: addDays(day.from, -7), to: addDays(day.from, -1) }
        : { from: addDays(day.from, 1), to: addDays(day.from, 7) };
    }
    if (word === "weekend") {
      const saturday = addDays(day.from, -((weekdayOf(day.from) + 2) % 7 || 7));
      return { from: saturday, to: addDays(saturday, 1) };
    }
    if (weekday >= 0) {
      const back = (weekdayOf(day.from) - weekday + 7) % 7 || 7;
      const found =
        sign < 0 ? addDays(day.from, -back) : addDays(day.from, (weekday - weekdayOf(day.from) + 7) % 7 || 7);
      return { from: found, to: found };
    }
    return null;
  }
  if (day) return { from: day.from, to: day.to };
  const [span] = findDates(answer, { reference: null });
  if (span) return { from: span.from, to: span.to };
  const year = /^\D*((?:19|20)\d\d)\D*$/.exec(text)?.[1];
  return year === undefined ? null : { from: monthSpan(Number(year), 1).from, to: monthSpan(Number(year), 12).to };
}

const weekdays = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const counts = " one two three four five six seven eight nine ten".split(" ");

/** The first day or span in an answer, read as a wanted one is, lies within the wanted one, and is no wider. */
export function datesAgree(given: string, wanted: DaySpan): boolean {
  const before = /^\W*(?:the )?\w+(?: (?:days?|weeks?))? (?:before|after) /i.test(given) ? wantedDays(given) : null;
  const [first] = findDates(given, { reference: null }).filter(({ from, to }) => from !== "" && to !== "");
  const span = before ?? first ?? (/^\D*((?:19|20)\d\d)/.test(given) ? wantedDays(given) : null);
  return span !== null && span !== undefined && wanted.from <= span.from && span.to <= wanted.to;
}
