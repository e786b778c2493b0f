import type { QueryPlan } from "#contract";
import { fold, isStopWord, type Language, wordsOf } from "../../views/language/index.ts";
import { isGeneric } from "./terms.ts";
import { carriesLittle, overlaps, type Stretch } from "./words.ts";

const pattern =
  /(?<!\p{L})(?:in|at|from|near|to|around|visit(?:ed|ing)?|nach|aus|bei)\s+((?:\p{Lu}[\p{L}'’-]+)(?:\s+\p{Lu}[\p{L}'’-]+){0,2})/gu;
/** German nouns that stand after a preposition without an article, and name no place. */
const plainNouns = new Set(
  "urlaub ferien rente arbeit schule ordnung zukunft not ruhe eile bezug hause summe wirklichkeit zeiten kontakt fotos bildern mails nachrichten notizen".split(
    " ",
  ),
);

const timeWord =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|tag$|^(?:mittwoch|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|january|february|march|may|june|july|october|december)$/iu;

/** Capitalised words after a word of place that are nothing else: no person, no time, no source. */
export function placesOf(text: string, taken: readonly Stretch[], language: Language): QueryPlan["places"] {
  const places = new Set<string>();
  for (const match of text.matchAll(pattern)) {
    const name = match[1] ?? "";
    const start = match.index + match[0].length - name.length;
    if (taken.some((one) => overlaps(one, { start, end: start + name.length }))) continue;
    // In German every noun has a capital: only what is not a common word form stays, and that is not known here.
    if (timeWord.test(name)) continue;
    if (!isStopWord(fold(name), language) && !(language === "de" && plainNouns.has(fold(name)))) places.add(name);
  }
  return [...places];
}

/** "Where were we at Easter?": nothing but the time says which place is meant. */
export function asksWhereabouts({ answerType, windows, terms, places, question }: QueryPlan): boolean {
  if (answerType !== "place" || windows.length === 0 || places.length > 0) return false;
  const dated = windows.flatMap(({ text }) => wordsOf(text).map(({ folded }) => folded));
  return (
    !/(?<!\p{L})(?:come|came|from|bought?|buy|kaufen|gekauft|woher)(?!\p{L})/iu.test(question) &&
    terms.every((term) => isGeneric(fold(term)) || carriesLittle(fold(term)) || dated.includes(fold(term)))
  );
}
