import type { AskResult } from "#contract";
import { findDates, fold, numberWords } from "#main/views/language/index.ts";

/**
 * Whether an answer gives the expected value, by a comparison that is fair to other ways of writing it:
 *
 * - Of the expected answer counts what stands before brackets, semicolons and afterthoughts ("… (moved from 17 June)",
 *   ", says Tom"): its dates, its figures, its names, its yes or no; where it has none of them, its words.
 * - A date is met by any spelling of the same days ("7 May 2023", "May 7", "7.5.2023"), a month or year by a day in it; the
 *   weekday need not be repeated, and a time of day is met by "17:40", "5.40 pm" or "17.40 Uhr".
 * - Figures are compared as numbers: "£231.00" is "231 pounds", "24,90 €" is "€24.90", "Six" is 6, "11th" is 11.
 * - Words are compared folded and by their beginning, so that "birches" is met by "birch".
 * - What the answer says held before ("Before that it was …") does not count for it.
 * - No answer is expected: the outcome must be `not_found`.
 */
export function judgeAnswer(
  question: string,
  expected: string | null,
  result: Pick<AskResult, "outcome" | "claims" | "answer">,
): boolean {
  if (expected === null) return result.outcome === "not_found";
  if (result.outcome !== "answered") return false;
  const standing = result.claims.filter((claim) => claim.standing !== "superseded");
  const given = standing.length > 0 ? standing.map(({ text }) => text).join("\n") : result.answer;
  return says(given, headOf(question, expected));
}

/** True when `given` says every key of `head`. */
export function says(given: string, head: string): boolean {
  const dates = findDates(head, { reference: null });
  for (const { from, to } of dates) {
    if (!findDates(given, { reference: from }).some((one) => from <= one.from && one.to <= to)) return false;
  }
  let rest = head;
  for (const { start, end } of dates.toReversed()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  rest = rest.replace(weekday, " ");
  const wanted = keysOf(rest, dates.length > 0);
  const words = tokensOf(given);
  return wanted.every((key) => words.some((word) => meets(word, key)));
}

const weekday =
  /(?<!\p{L})(?:mon|tues|wednes|thurs|fri|satur|sun)day(?!\p{L})|(?<!\p{L})(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)(?!\p{L})/giu;

/** The part of an expected answer that is required. A count before a list is, only where a count is asked. */
function headOf(question: string, expected: string): string {
  const [head = ""] = expected.split(/\s*[(;]|, (?:if|until|says|first|just)(?!\p{L})| says | by the /u);
  return /how many|wie ?viele?|how often|wie oft/iu.test(question)
    ? head
    : head.replace(/^(\p{L}+): /u, (whole, word: string) => (numbers.has(fold(word)) ? "" : whole));
}

function keysOf(head: string, dated: boolean): string[] {
  const words = head.match(/[\p{L}\p{N}][\p{L}\p{N}.,:]*(?<![.,:])/gu) ?? [];
  const keys = words.filter((word, at) => {
    if (/\d/.test(word) || numbers.has(fold(word))) return true;
    return at > 0 ? /^\p{Lu}/u.test(word) : /^(?:yes|no|ja|nein)$/i.test(word);
  });
  const [first] = words;
  // "Leela, 3.2 kg": a first word before a comma is an item of its own.
  if (first !== undefined && !keys.includes(first) && new RegExp(`^${first},`, "u").test(head)) keys.push(first);
  if (keys.length > 0) return keys.flatMap(tokensOf);
  return dated ? [] : tokensOf(head).filter((token) => !small.has(token));
}

const small = new Set("the a an at in on of and for to is was it with from by some else s der die das".split(" "));

/** "A" and "one" may be articles, "a few" is no figure. */
const noFigure = new Set(["couple", "few"]);
const numbers = new Map(
  [
    ...[...numberWords].filter(([word, value]) => value > 1 && !noFigure.has(word)),
    ...([
      ["zero", 0],
      ["null", 0],
      ["twice", 2],
      ["zweimal", 2],
      ["dreimal", 3],
    ] as const),
  ].map(([word, value]) => [fold(word), String(value)]),
);

const currencies: readonly (readonly [RegExp, string])[] = [
  [/€|(?<!\p{L})(?:eur|euros?)(?!\p{L})/giu, " eur "],
  [/£|(?<!\p{L})(?:gbp|pounds?)(?!\p{L})/giu, " gbp "],
  [/\$|(?<!\p{L})(?:usd|dollars?)(?!\p{L})/giu, " usd "],
];

/** Words and figures in one spelling. */
export function tokensOf(text: string): string[] {
  let plain = fold(text);
  for (const [pattern, name] of currencies) plain = plain.replace(pattern, name);
  plain = plain
    .replace(
      /(?<![\d.,])(\d{1,2})[:.](\d\d)\s?(am|pm|uhr)(?!\p{L})/gu,
      (_, hour: string, minute: string, half: string) => clock(Number(hour), minute, half),
    )
    .replace(/(?<=\d)[,.'](?=\d{3}(?!\d))/g, "")
    .replace(/(?<=\d),(?=\d{1,2}(?!\d))/g, ".")
    .replace(/(\d+\.\d*?)0+(?!\d)/g, "$1")
    .replace(/(\d)\.(?!\d)/g, "$1 ")
    .replace(/(?<=\d)(?:st|nd|rd|th)(?!\p{L})/gu, "")
    .replace(/(?<![\d:])0(?=\d:)/g, "");
  return (plain.match(/[\p{L}\p{N}]+(?:[.:]\d+)*/gu) ?? []).map((word) => numbers.get(word) ?? word);
}

function clock(hour: number, minute: string, half: string): string {
  return `${half === "pm" && hour < 12 ? hour + 12 : hour}:${minute} `;
}

/** The same word, or two forms of a word of four letters or more: the longer begins like the shorter. */
function meets(word: string, key: string): boolean {
  if (word === key) return true;
  if (/\d/.test(key) || /\d/.test(word)) {
    // "2450ish", "500mg": the figure stands at the beginning.
    return /^\d+(?:\.\d+)?$/.test(key) && new RegExp(`^${key.replace(".", "\\.")}\\p{L}+$`, "u").test(word);
  }
  const [short, long] = word.length < key.length ? [word, key] : [key, word];
  return short.length >= 4 && long.length - short.length <= 3 && long.startsWith(short);
}
