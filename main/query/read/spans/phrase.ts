import type { QueryPlan } from "#contract";
import { alike, fold, isStopWord, sentencesOf, stem, type Word, wordsOf } from "../../../views/language/index.ts";

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

const nameCue =
  /(?<!\p{L})(?:names?(?:['’]s| is| are| was| were)|(?:is|was|are|were|him|her|it|them|been|and) (?:named|called)|named|called|this is|meet|hei(?:ß|ss)(?:t|en)|namens|genannt|getauft|das ist)\s+["“„]?(\p{Lu}[\p{L}'’-]+(?:(?:\s|,\s|,? and\s|,? und\s)\p{Lu}[\p{L}'’-]+)*)/u;
const asksName =
  /(?<!\p{L})(?:names?|named|called|call|heißt|heissen|heißen|nennt|nannte|genannt)(?!\p{L})|^\W*(?:who|wer)(?!\p{L})/iu;

function phraseIn(plan: QueryPlan, text: string, question: string): string | null {
  const named = asksName.test(question) ? nameCue.exec(text)?.[1] : undefined;
  if (named !== undefined && !fold(question).includes(fold(named))) return named;
  if (asksTitle.test(question)) {
    const found = [...text.matchAll(titles)].flatMap(([, title = ""]) => (/\p{L}/u.test(title) ? [title.trim()] : []));
    if (found.length > 0) return found.join(", ");
  }
  if (asksWhy.test(question)) return after(text, reason) ?? after(text, purpose) ?? bare(plan, text);
  if (asksHow.test(question)) return after(text, means) ?? bare(plan, text);
  const code = asksMark.test(question) ? marksIn(text).find((one) => !question.includes(one)) : undefined;
  return code ?? phraseBeside(plan, text) ?? bare(plan, text);
}

/** What is told apart by letters and digits: "shows F12". */
const asksMark =
  /(?<!\p{L})(?:which|what|welche[mnrs]?)\s(?:error|fault|code|model|version|gate|platform|seat|zone|bus|line|fehler\p{L}*|modell|version|gleis|platz|zone|linie)(?!\p{L})/iu;
const marksIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\p{L}\d-])(?:\p{Lu}{1,3}[ -]?\d{1,4}|\d{1,3}\p{Lu})(?![\p{L}\d-])/gu)].map(([mark]) => mark);

function after(text: string, cue: RegExp): string | null {
  const match = cue.exec(text);
  if (!match) return null;
  const rest = text.slice(match.index + match[0].length);
  return tidy(rest.split(/[.!?;]/)[0] ?? "");
}

const asksFor = /(?<!\p{L})(?:what|which|was|welche[nmrs]?)(?!\p{L})/iu;

/** Words that end a phrase: who, forms of to be and to have, prepositions, what joins clauses, and what only colours them. */
const ends = new Set(
  (
    "how i you he she it we they me him us them myself yourself this that these those there here who which where when while if because but so than as am is are was were be been being " +
    "have has had having do does did done will would can could should may might must shall s m ve re ll d t gonna wanna gotta let go goes going went gone get gets got getting " +
    "with for in at on to by from about through after before during into onto over since until till like near around without against under between toward towards upon " +
    "just really very super so too also even still actually definitely recently lately yesterday today tonight tomorrow now then always never again ever maybe already much more most many lot lots bit " +
    "last next ago week weekend month year days weeks months years time yes yeah no not oh wow hey thanks thank well please glad hope " +
    "ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch man sich dies diese dieser dieses da hier wer wo wann wenn weil aber dass als ob bin bist ist sind seid war waren gewesen habe hast hat haben hatte hatten " +
    "werde wird werden wurde wurden kann konnte soll sollte muss darf mit fur in im an am auf aus bei beim zu zum zur nach vor seit bis durch gegen ohne um uber unter zwischen " +
    "sehr auch noch schon nur gerade immer nie wieder jetzt heute gestern morgen dann letzte letzten letztes nachste nachsten nachstes ja nein nicht danke bitte gern gerne"
  ).split(" "),
);
/** Words that may stand inside of a phrase, and not at its ends. */
const inside = new Set(
  "of and or the a an my your his her our their its some any und oder der die das den dem des ein eine einen einem einer mein meine meinen sein seine unser unsere von vom".split(
    " ",
  ),
);
/** Words with content up to which a phrase is short, and what one more costs. */
const shortPhrase = 5;
const perWord = 0.15;

/** A word of the question, or a longer form of one ("collect", "collecting"). */
function isAsked(asked: ReadonlySet<string>, root: string): boolean {
  if (asked.has(root)) return true;
  if (root.length < leastRoot) return false;
  for (const one of asked)
    if (
      one.length >= leastRoot &&
      (root.startsWith(one) || one.startsWith(root)) &&
      Math.abs(root.length - one.length) <= 3
    )
      return true;
  return false;
}
const leastRoot = 4;

interface Run {
  readonly first: number;
  readonly last: number;
}

/**
 * The phrase of a sentence that says what the question does not: the words between those that end one, after the verb that
 * was asked about or beside the other words of the question. A listing stays whole.
 */
function phraseBeside(plan: QueryPlan, text: string): string | null {
  if (!asksFor.test(plan.question)) return null;
  const asked = askedStems(plan);
  const words = wordsOf(text);
  const is = (word: Word | undefined) => word !== undefined && isAsked(asked, stem(word.folded));
  if (!words.some(is)) return null;
  const gap = (at: number) => text.slice(words[at]?.end ?? 0, words[at + 1]?.start ?? text.length);
  const breaks = (at: number) => /[.!?;:,()[\]]|\s[–—-]\s/u.test(gap(at));
  const names = new Set(plan.people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded)));
  const runs: Run[] = [];
  let first: number | null = null;
  for (const [at, word] of words.entries()) {
    const stops = ends.has(word.folded) || names.has(word.folded) || is(word);
    if (!stops && first === null && !inside.has(word.folded) && !idle.has(word.folded)) first = at;
    if (first !== null && (stops || breaks(at) || at === words.length - 1)) {
      let last = stops ? at - 1 : at;
      while (last > first && inside.has(words[last]?.folded ?? "")) last--;
      // "Kundalini yoga": the thing itself, beside what tells it from others.
      if (last === at - 1 && is(word) && !breaks(last)) last = at;
      if (words.slice(first, last + 1).some((one) => !is(one) && !idle.has(one.folded))) runs.push({ first, last });
      first = null;
    }
  }
  const verb = verbOf(plan, asked);
  const [, preposition = ""] = openEnd.exec(plan.question) ?? [];
  const proper = asksProper.test(plan.question);
  const clauseOf = (at: number) => words.slice(0, at).filter((_, place) => clauseGap.test(gap(place))).length;
  const places = words.flatMap((word, at) => (is(word) ? [at] : []));
  const score = ({ first: from, last: to }: Run) => {
    const near = Math.min(
      ...places.map(
        (at) => (at < from ? from - at : at > to ? at - to : 1) + (clauseOf(at) === clauseOf(from) ? 0 : 4),
      ),
    );
    const before = words.slice(Math.max(0, from - 4), from).some(({ folded }) => isAsked(verb, stem(folded)));
    const count = words.slice(from, to + 1).filter((one) => !inside.has(one.folded)).length;
    const open = words.slice(0, from).findLast(({ folded }) => !inside.has(folded))?.folded;
    const behind = preposition !== "" && open === preposition.toLowerCase();
    const named =
      proper && words.slice(from, to + 1).some(({ text: word }, place) => from + place > 0 && /^\p{Lu}/u.test(word));
    const between = places.some((at) => at < from) && places.some((at) => at > to);
    return (
      -near * 0.25 +
      (before ? 1 : 0) +
      (behind ? 2 : 0) +
      (named ? 0.75 : 0) +
      (between ? 0.25 : 0) +
      Math.min(count, 3) * 0.1 -
      Math.max(0, count - shortPhrase) * perWord
    );
  };
  const best = runs.toSorted((a, b) => score(b) - score(a) || a.first - b.first)[0];
  if (!best) return null;
  const [from, to] = withListing(text, words, runs, best);
  return tidy(text.slice(words[from]?.start ?? 0, words[to]?.end ?? 0));
}

/** "What was it for?": what stands behind that word is asked for. */
const openEnd = /\s(for|about|with|in|on|to|from|at|into|as|like)\s*\?*\s*$/iu;
/** Things that have a name of their own. */
const asksProper =
  /(?<!\p{L})(?:which|what|welche[mnrs]?)\s(?:\p{L}+\s){0,2}?(?:musicians?|artists?|bands?|singers?|composers?|authors?|writers?|actors?|cit(?:y|ies)|countr(?:y|ies)|states?|towns?|villages?|books?|novels?|movies?|films?|series|shows?|songs?|albums?|games?|superhero(?:es)?|brands?|compan(?:y|ies)|firms?|teams?|clubs?|schools?|universit(?:y|ies)|restaurants?|hotels?|museums?|parks?|breed|dogs?|cats?|musiker\p{L}*|künstler\p{L}*|städte?|stadt|länder?|land|bücher|buch|filme?|serien?|lieder?|spiele?|marken?|firm(?:a|en)|verein\p{L}*|schulen?|restaurants?)(?!\p{L})/iu;

const clauseGap = /[.!?;:]|\s[–—-]\s|,\s(?!\p{Lu})/u;
const joins = /^,?\s*(?:(?:and|or|und|oder)\s+)?(?:(?:an?|the|my|our|some|eine?n?|der|die|das)\s+)?$/iu;
const itemWords = 6;

/** With the other items of a listing: "salads, sandwiches and cakes". */
function withListing(text: string, words: readonly Word[], runs: readonly Run[], best: Run): readonly [number, number] {
  let { first, last } = best;
  const at = runs.indexOf(best);
  const joined = (a: Run, b: Run) =>
    joins.test(text.slice(words[a.last]?.end ?? 0, words[b.first]?.start ?? 0)) && b.last - b.first < itemWords;
  for (let next = at + 1; next < runs.length; next++) {
    const [before, run] = [runs[next - 1], runs[next]];
    if (!before || !run || !joined(before, run)) break;
    last = run.last;
  }
  for (let next = at - 1; next >= 0; next--) {
    const [run, after] = [runs[next], runs[next + 1]];
    if (!run || !after || !joined(run, after) || run.last - run.first >= itemWords) break;
    first = run.first;
  }
  return [first, last];
}

/** Stems of the verb that was asked about: of the question's words the one behind who does it, else the last one. */
function verbOf({ question, people, terms }: QueryPlan, asked: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set(people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded)));
  const words = wordsOf(question.slice(0, 500));
  const who = words.findIndex(
    ({ folded }) => names.has(folded) || /^(?:i|we|you|they|he|she|ich|wir|du|er|sie)$/.test(folded),
  );
  const isVerb = ({ folded }: Word) => !names.has(folded) && (isAsked(asked, stem(folded)) || generalVerb.has(folded));
  const verb = who < 0 ? words.findLast(isVerb) : words.slice(who + 1).find(isVerb);
  const root = stem(verb?.folded ?? terms[0] ?? "");
  return new Set([root, ...alike(root)]);
}
const generalVerb = new Set(
  "use used do did done make made buy bought get got take took give gave see saw eat ate drink wear wore play read write wrote paint draw visit join like love enjoy say said tell told call".split(
    " ",
  ),
);

/** Words that answer nothing alone. */
const idle = new Set(
  "thing things stuff way something anything everything one good great nice awesome amazing cool fun love loved like liked want wanted think thought know feel felt make made makes take took start started starting began begin try tried trying used wirklich sachen ding dinge gut toll schon".split(
    " ",
  ),
);

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
