import type { QueryPlan } from "#contract";
import { alike, isStopWord, sentencesOf, stem, type Word, wordsOf } from "../../views/language/index.ts";

/**
 * The part of a sentence that answers: what comes after the verb or the noun that was asked about, the reason after
 * "because", the title between quotation marks; else the sentence without the words that only repeat the question.
 */

const fillers =
  /^(?:(?:yeah|yes|yep|yup|no|nope|oh|wow|hey|hi|hello|thanks?(?: you)?(?: so much)?|well|so|and|but|sure|absolutely|definitely|exactly|totally|haha|lol|ok(?:ay)?|um|actually|honestly|anyway|also|plus|ja|nein|na|ach|also|naja|hallo|danke|und|aber)(?!\p{L})|\p{Lu}\p{Ll}+(?=[,!]))[\s,.!…-]*/iu;

const reason =
  /(?<!\p{L})(?:because(?: of)?|since|due to|so that|in order to|thanks to|the reason (?:is|was)(?: that)?|that['’]s why|weil|denn|da(?= (?:ich|er|sie|es|wir|die|der|das)\s)|damit|wegen|deshalb|aufgrund)\s+/iu;
const purpose = /(?<!\p{L})(?:so|to|um)\s+(?=\p{L})/iu;
const means = /(?<!\p{L})(?:by|through|mit|durch|indem)\s+(?=\p{L})/iu;

const asksWhy =
  /^\W*(?:why|how come|for what reason|warum|wieso|weshalb)(?!\p{L})|(?<!\p{L})(?:reason|motivat\p{L}*|grund)(?!\p{L})/iu;
const asksHow = /^\W*(?:how (?:do|does|did|can|has|have|is|was)|wie (?!viel|lange|oft|alt|heißt))(?!\p{L})/iu;
const asksTitle =
  /(?<!\p{L})(?:called|name[sd]?|title[sd]?|book|song|movie|film|game|album|band|show|series|novel|poem|play|heißt|genannt|buch|lied|titel)(?!\p{L})/iu;
const titles = /[“"„«]([^“”"„«»]{2,60})[”"“»]/gu;

/** A clause ends here, outside of a listing. */
const clauseEnd =
  /[.!?;:]|\s[–—-]\s|,\s(?=(?:but|so|and (?:I|we|it|he|she|they)|which|who|aber|und (?:ich|wir|es|er|sie)|weil|because|though)(?!\p{L}))|\s(?:but|because|while|although|aber|weil|obwohl)\s/iu;

/** Null where nothing would be left. */
export function answerPhrase(plan: QueryPlan, quote: string): string | null {
  const text = quote
    .replace(/^\[photo: (?:an? (?:photo\p{L}*|picture|image|close up|painting) of )?|\]$/giu, "")
    .replace(/\s+/g, " ")
    .trim();
  const { question } = plan;
  return phraseIn(plan, mostAsked(plan, text), question) ?? bare(plan, text);
}

/** Of several sentences the one with most of the question's words; the first where none has any. */
function mostAsked(plan: QueryPlan, text: string): string {
  const sentences = sentencesOf(text).map(({ start, end }) => text.slice(start, end));
  if (sentences.length < 2) return text;
  const asked = askedStems(plan);
  const told = sentences.filter((one) => !one.trimEnd().endsWith("?"));
  const counts = told.map((one) => wordsOf(one).filter(({ folded }) => asked.has(stem(folded))).length);
  return told[counts.indexOf(Math.max(...counts))] ?? text;
}

function askedStems(plan: QueryPlan): ReadonlySet<string> {
  const asked = new Set<string>();
  for (const term of plan.terms) {
    const root = stem(wordsOf(term)[0]?.folded ?? term);
    asked.add(root);
    for (const other of alike(root)) asked.add(other);
  }
  return asked;
}

function phraseIn(plan: QueryPlan, text: string, question: string): string | null {
  if (asksTitle.test(question)) {
    const found = [...text.matchAll(titles)].flatMap(([, title = ""]) => (/\p{L}/u.test(title) ? [title.trim()] : []));
    if (found.length > 0) return found.join(", ");
  }
  if (asksWhy.test(question)) return after(text, reason) ?? after(text, purpose) ?? bare(plan, text);
  if (asksHow.test(question)) return after(text, means) ?? bare(plan, text);
  return afterAsked(plan, text) ?? bare(plan, text);
}

function after(text: string, cue: RegExp): string | null {
  const match = cue.exec(text);
  if (!match) return null;
  const rest = text.slice(match.index + match[0].length);
  return tidy(rest.split(/[.!?;]/)[0] ?? "");
}

const asksFor = /(?<!\p{L})(?:what|which|was|welche[nmrs]?)(?!\p{L})/iu;

/** "What did Ada research?" → what follows the last word of the question that the sentence says; null when little does. */
function afterAsked(plan: QueryPlan, text: string): string | null {
  if (!asksFor.test(plan.question)) return null;
  const asked = askedStems(plan);
  const words = wordsOf(text);
  const at = words.findLastIndex(({ folded }) => asked.has(stem(folded)));
  const last = words[at];
  if (!last) return null;
  const rest = text.slice(last.end);
  const clause = rest.split(clauseEnd)[0] ?? "";
  const phrase = trimEdges(plan, clause, asked);
  return phrase !== null && contentCount(plan, phrase) >= 1 ? phrase : null;
}

const contentCount = (plan: QueryPlan, text: string) =>
  wordsOf(text).filter(({ folded }) => !isStopWord(folded, plan.language)).length;

/** The sentence without greetings, and without the question's own words at its ends. */
function bare(plan: QueryPlan, text: string): string | null {
  let rest = text;
  for (let cut = fillers.exec(rest); cut && cut[0].length < rest.length; cut = fillers.exec(rest))
    rest = rest.slice(cut[0].length);
  const asked = new Set(plan.terms.flatMap((term) => wordsOf(term).map(({ folded }) => stem(folded))));
  return trimEdges(plan, rest, asked);
}

function trimEdges(plan: QueryPlan, text: string, asked: ReadonlySet<string>): string | null {
  const words = wordsOf(text);
  const stops = (word: Word | undefined) => word !== undefined && isStopWord(word.folded, plan.language);
  const idle = (word: Word | undefined) =>
    stops(word) || (word !== undefined && (empty.has(word.folded) || asked.has(stem(word.folded))));
  let from = 0;
  let to = words.length - 1;
  while (from <= to && idle(words[from])) from++;
  while (to >= from && stops(words[to])) to--;
  const [first, last] = [words[from], words[to]];
  if (!first || !last) return null;
  const closed = /^[%’'"”)]/.exec(text.slice(last.end))?.[0] ?? "";
  return tidy(text.slice(first.start, last.end) + closed);
}

/** Words that open a sentence and answer nothing. */
const empty = new Set(
  "really just so very lately recently now today also even got get going been thing things lot gonna want wanted like love loved think thought know feel felt i've i'm it's that's wirklich gerade eben jetzt auch sogar".split(
    " ",
  ),
);

function tidy(text: string): string | null {
  const clean = text
    .replace(/^[\s,;:–—-]+|[\s,;:–—.!-]+$/gu, "")
    .replace(/^["“”„]|["“”„]$/gu, "")
    .trim();
  return clean === "" ? null : clean;
}
