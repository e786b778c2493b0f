import type { QueryPlan } from "#contract";
import { addDays, fold, monthSpan, wordsOf, yearOf } from "../../views/language/index.ts";
import { unitDays, unitOf } from "../plan/calendar.ts";
import { stepped, stepsBack } from "./cues.ts";

/** A follow-up in words that stand alone, for whoever reads the question and not the plan. */

type Window = QueryPlan["windows"][number];

const askingWords =
  /^\W*(?:(?:since|until|seit|bis|with|from|mit|von)\s+)?(?:when|where|who|whom|why|what|which\s\p{L}+|how\s(?:much|many|long|often|come)|how|wann|woher|wohin|wo|wer|wen|wem|warum|wieso|weshalb|was|welche[nrsm]?\s\p{L}+|wie\s(?:viele?|lange|oft)|wie)(?!\p{L})/iu;

/** The question with another word to ask by: "When did we move?" and "why" give "Why did we move?" */
export function withQuestionWord(question: string, word: string): string {
  const capital = `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;
  const rest = question.replace(askingWords, "");
  return rest === question ? `${capital}: ${question}` : `${capital}${rest}`;
}

/** The last question with other times, people, places or words in it. */
export function reworded(
  before: QueryPlan,
  own: Partial<Pick<QueryPlan, "windows" | "people" | "places" | "terms">>,
): string {
  let text = before.question;
  const added: string[] = [];
  if (own.windows) {
    for (const said of new Set(before.windows.map((window) => window.text))) if (said) text = text.replace(said, " ");
    text = text.replace(/\s(?:in|im|on|at|during|since|am|seit)(?=\s*[?.!]*\s*$)/iu, "");
    added.push(...new Set(own.windows.map(sayWindow)));
  }
  if (own.places) {
    for (const place of before.places) text = text.replace(place, own.places[0] ?? "");
    added.push(...own.places.filter((place) => !text.includes(place)).map((place) => `in ${place}`));
  }
  if (own.people) {
    const [first] = own.people;
    for (const { name } of before.people) {
      const parts = new Set(wordsOf(name).map(({ folded }) => folded));
      const said = wordsOf(text).find(({ folded }) => parts.has(folded));
      if (said && first) text = `${text.slice(0, said.start)}${first.name}${text.slice(said.end)}`;
    }
    added.push(...own.people.map(({ name }) => name).filter((name) => !fold(text).includes(fold(name))));
  }
  if (own.terms) {
    const [only, ...others] = before.terms;
    const one = only !== undefined && others.length === 0 && text.includes(only);
    if (one) text = text.replace(only, own.terms.join(" "));
    else added.push(own.terms.join(" "));
  }
  const clean = text.replace(/\s+/g, " ").replace(/\s*([?.!]*)\s*$/, "");
  return `${[clean, ...added].join(", ").replaceAll(", in ", " in ")}?`;
}

function sayWindow({ from, to, text }: Window): string {
  const year = from.slice(0, 4);
  if (from === `${year}-01-01` && to === `${year}-12-31`) return `in ${year}`;
  if (text.search(stepped) >= 0) return addDays(from, 27) < to ? `in ${year}` : from;
  return text === "" ? `${from} – ${to}` : text;
}

/** The time that "the year before" is, counted from the last windows, or from the day of what was cited. */
export function stepOf(text: string, windows: readonly Window[], days: readonly string[]): Window | null {
  const [match] = text.matchAll(stepped);
  const [day] = days;
  const from = windows[0]?.from ?? day;
  const to = windows.at(-1)?.to ?? day;
  if (!match || from === undefined || to === undefined) return null;
  const groups = match.groups ?? {};
  const unit = unitOf(groups.unit ?? groups.unit2 ?? groups.unit3 ?? groups.unit4 ?? groups.unit5);
  const sign = stepsBack(groups) ? -1 : 1;
  const said = match[0].trim();
  if (unit === "year") {
    const at = (sign < 0 ? yearOf(from) : yearOf(to)) + sign;
    const moved = (date: string) => `${yearOf(date) + sign}${date.slice(4)}`.replace("-02-29", "-02-28");
    // A summer's year before is the summer before; a day's is that whole year.
    return windows.length > 0 && from !== to
      ? { from: moved(from), to: moved(to), text: said }
      : { from: `${at}-01-01`, to: `${at}-12-31`, text: said };
  }
  if (unit === "month") {
    const base = sign < 0 ? from : to;
    return { ...monthSpan(yearOf(base), Number(base.slice(5, 7)) + sign), text: said };
  }
  const size = unitDays[unit];
  return sign < 0
    ? { from: addDays(from, -size), to: addDays(from, -1), text: said }
    : { from: addDays(to, 1), to: addDays(to, size), text: said };
}
