import type { QueryPlan } from "#contract";
import { alike, stem, wordsOf } from "../../../views/language/index.ts";
import { perPlan } from "../per-plan.ts";
import { isHeld, type Token, tokensOf, type WordClass, wordClasses } from "./words.ts";

/**
 * Every run of words of a sentence that could be the answer, with what tells whether it is: where it stands to the words of
 * the question, what stands before and behind it, and its shape. `span-weights.json` says what each is worth. (Weights of
 * their own for kinds of questions, "why" or "which book", gained nothing on conversations left out.)
 */

export interface AskedSpans {
  /** Stems of the question's words but for names, and of what means nearly the same. */
  readonly asked: ReadonlySet<string>;
  /** Those of the last of them. */
  readonly last: ReadonlySet<string>;
  /** Those of the kind of thing that is asked for ("which book"). */
  readonly noun: ReadonlySet<string>;
  /** The little word at the question's end ("for", "about"). */
  readonly open: string;
  readonly names: ReadonlySet<string>;
  /** What is asked for has a name of its own. */
  readonly proper: boolean;
}

const openEnd = /\s(for|about|with|in|on|to|from|at|into|as|like|of)\s*\?*\s*$/iu;
const nounAsked =
  /^\W*(?:what|which)\s+(?:(?:kinds?|types?|sorts?|specific|main|new|other)\s(?:of\s)?)?(?<noun>\p{L}{3,})/iu;
const properAsked =
  /(?<!\p{L})(?:which|what)\s(?:\p{L}+\s){0,2}?(?:musicians?|artists?|bands?|singers?|composers?|authors?|writers?|actors?|cit(?:y|ies)|countr(?:y|ies)|states?|towns?|villages?|books?|novels?|movies?|films?|series|shows?|songs?|albums?|games?|superhero(?:es)?|brands?|compan(?:y|ies)|firms?|teams?|clubs?|schools?|universit(?:y|ies)|restaurants?|hotels?|museums?|parks?)(?!\p{L})/iu;

export const askedSpans = perPlan(({ question, people, terms }: QueryPlan): AskedSpans => {
  const withAlike = (folded: string | undefined) =>
    folded === undefined ? [] : [stem(folded), ...alike(stem(folded))];
  const names = new Set(people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded)));
  const told = terms.flatMap((term) => wordsOf(term).map(({ folded }) => folded)).filter((one) => !names.has(one));
  const asked = new Set(told.flatMap(withAlike));
  const content = wordsOf(question.slice(0, 500)).filter(({ folded }) => asked.has(stem(folded)));
  const noun = nounAsked.exec(question)?.groups?.noun?.toLowerCase();
  return {
    asked,
    last: new Set(withAlike(content.at(-1)?.folded)),
    noun: new Set(noun === undefined || isHeld(noun) ? [] : withAlike(noun)),
    open: openEnd.exec(question)?.[1]?.toLowerCase() ?? "",
    names,
    proper: properAsked.test(question),
  };
});

/** Characters of a word of time ("on", "last") that may be cut off a day. */
const cutOff = 4;
/** Words of a span at most. */
const longest = 14;

const lengths = ["len1", "len2", "len3", "len4", "len5", "len6", "len8", "len11", "len14"] as const;
const lengthAt = [0, 0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 8, 8, 8];
const plainFeatures = [
  ...["opens", "afterMark", "closes", "atMark", "cutsLeft", "cutsRight"],
  ...["beforeAsked", "beforeLast", "beforeNear", "beforeNoun", "behindAsked", "behindNoun", "hasNoun"],
  ...["beforeOpen", "beforeBecause", "beforeTo", "beforeBy", "beforeLike", "beforeCalled", "beforeBe", "beforeFor"],
  ...["askedNone", "askedSome", "askedHalf", "askedMost", "noAsked", "oneAsked", "manyAsked"],
  ...["hasI", "hasYou", "hasVerb", "hasBe", "hasName", "title", "titlePart", "proper", "properAsked", "figure"],
  ...[
    "and",
    "comma",
    "crosses",
    "time",
    "hasTime",
    "near0",
    "near1",
    "near2",
    "near4",
    "near7",
    "near99",
    "sameClause",
  ],
  ...["newAll", "newMost", "newFew", "idle", "phrase", "hasPhrase", "inPhrase"],
];
const shaped = (place: string) => wordClasses.map((kind) => `${place}${kind}`);
export const spanFeatures: readonly string[] = [
  ...lengths,
  ...["first", "last", "before", "behind"].flatMap(shaped),
  ...plainFeatures,
];
const places = new Map(spanFeatures.map((name, at) => [name, at]));
const idOf = (name: string): number => places.get(name) ?? 0;
/** Numbers of features, by name. */
const id = Object.fromEntries(plainFeatures.map((name) => [name, idOf(name)]));
const shapeIds = (place: string) => new Map(wordClasses.map((kind) => [kind, idOf(`${place}${kind}`)]));
const [firstId, lastId, beforeId, behindId] = ["first", "last", "before", "behind"].map(shapeIds);

/** A run of words, [start, end) in the text. Its features come in three lists, so that those of its ends are made once. */
export interface FoundSpan {
  readonly start: number;
  readonly end: number;
  readonly features: readonly (readonly number[])[];
}

const mayBegin: ReadonlySet<WordClass> = new Set(["N", "U", "X", "G", "V", "E", "P", "R", "B", "S", "A"]);
const mayEnd: ReadonlySet<WordClass> = new Set(["N", "U", "X", "G", "V", "E", "R", "B", "P"]);
const content: ReadonlySet<WordClass> = new Set(["N", "U", "X", "G", "E", "V"]);
const nominal: ReadonlySet<WordClass> = new Set(["N", "U", "X"]);
const idleWords = new Set(
  "thing things stuff way something anything everything one good great nice awesome amazing cool fun bit lot lots time kind sort".split(
    " ",
  ),
);
/** Words before a span that tell what it is. */
const leads: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["because", "cause", "since", "so"].map((word) => [word, "beforeBecause"])),
  ...Object.fromEntries(["like", "as", "including"].map((word) => [word, "beforeLike"])),
  ...{ to: "beforeTo", for: "beforeFor", by: "beforeBy", through: "beforeBy" },
  ...{ called: "beforeCalled", named: "beforeCalled" },
};

/** Counts up to each token, so that the count of a run is a difference. */
function sums(tokens: readonly Token[], is: (token: Token, at: number) => boolean): number[] {
  const counted = [0];
  for (const [at, token] of tokens.entries()) counted.push((counted[at] ?? 0) + Number(is(token, at)));
  return counted;
}

/** All spans of a text that may answer. `phrase`: what the rules would say of it; `times`: where it names days. */
export function spansIn(
  ask: AskedSpans,
  text: string,
  phrase: string | null,
  times: readonly { readonly start: number; readonly end: number }[],
): FoundSpan[] {
  const tokens = tokensOf(text);
  const isAsked = tokens.map(({ root }) => ask.asked.has(root) || longerForm(ask.asked, root));
  const askedAt = tokens.flatMap((_, at) => (isAsked[at] ? [at] : []));
  const clauses: number[] = [];
  const sentences: number[] = [];
  let [clause, sentence] = [0, 0];
  for (const { kind, closes } of tokens) {
    if (kind === "S") clause++;
    clauses.push(clause);
    sentences.push(sentence);
    if (closes > 0) clause++;
    if (closes === 2) sentence++;
  }
  const askedClauses = new Set(askedAt.map((at) => clauses[at]));
  const count = {
    content: sums(tokens, ({ kind }) => content.has(kind)),
    asked: sums(tokens, (_, at) => isAsked[at] === true),
    fresh: sums(tokens, ({ kind, folded }, at) => content.has(kind) && !isAsked[at] && !idleWords.has(folded)),
    titled: sums(tokens, ({ quoted }) => quoted),
  };
  const flags = [
    [id.hasI, sums(tokens, ({ folded }) => /^(?:i|me|my|we|our|us)$/.test(folded))],
    [id.hasYou, sums(tokens, ({ folded }) => folded === "you" || folded === "your")],
    [id.hasVerb, sums(tokens, ({ kind }) => kind === "V" || kind === "E")],
    [id.hasBe, sums(tokens, ({ kind }) => kind === "A")],
    [id.hasName, sums(tokens, ({ folded }) => ask.names.has(folded))],
    [id.hasNoun, sums(tokens, ({ root }) => ask.noun.has(root))],
    [id.proper, sums(tokens, ({ kind }) => kind === "U")],
    [id.properAsked, sums(tokens, ({ kind }) => ask.proper && kind === "U")],
    [id.figure, sums(tokens, ({ kind }) => kind === "X")],
    [id.and, sums(tokens, ({ kind }) => kind === "C")],
    [id.idle, sums(tokens, ({ folded }) => idleWords.has(folded))],
  ] as const;
  const marks = sums(tokens, ({ closes }) => closes === 1);
  const within = (counted: readonly number[], from: number, to: number) =>
    (counted[to + 1] ?? 0) - (counted[from] ?? 0);
  const bounds = sentences.map((one) => [sentences.indexOf(one), sentences.lastIndexOf(one)] as const);
  const known = idOf(askedAt.length === 0 ? "noAsked" : askedAt.length === 1 ? "oneAsked" : "manyAsked");
  const at = phrase === null ? -1 : text.indexOf(phrase);
  const [phraseStart, phraseEnd] = [at, at + (phrase?.length ?? 0)];
  const right = tokens.map((_, to) => rightOf(ask, tokens, isAsked, to));
  const found: FoundSpan[] = [];
  for (const [from, first] of tokens.entries()) {
    if (!mayBegin.has(first.kind) || tokens[from - 1]?.joined) continue;
    const [opens, closes] = bounds[from] ?? [from, from];
    const left = [known, ...leftOf(ask, tokens, isAsked, clauses, from, opens)];
    for (let to = from; to <= Math.min(closes, from + longest - 1); to++) {
      const last = tokens[to];
      const fresh = within(count.fresh, from, to);
      const titled = within(count.titled, from, to);
      if (!last || !mayEnd.has(last.kind) || last.joined || fresh + titled === 0) continue;
      const size = to - from + 1;
      const own: number[] = [lengthAt[size] ?? 8];
      for (const [feature = 0, counted] of flags) if (within(counted, from, to) > 0) own.push(feature);
      const share = within(count.asked, from, to) / Math.max(1, within(count.content, from, to));
      own.push(idOf(share === 0 ? "askedNone" : share < 0.34 ? "askedSome" : share <= 0.5 ? "askedHalf" : "askedMost"));
      if (titled === size) own.push(idOf("title"));
      const open = (tokens[from - 1]?.quoted && from > opens) || (tokens[to + 1]?.quoted && last.closes === 0);
      if (titled > 0 && (titled !== size || open)) own.push(idOf("titlePart"));
      if (to > from && within(marks, from, to - 1) > 0) own.push(idOf("comma"));
      if (clauses[from] !== clauses[to]) own.push(idOf("crosses"));
      const time = times.find((one) => one.start < last.end && first.start < one.end);
      if (time) own.push(idOf(time.start <= first.start + cutOff && last.end <= time.end ? "time" : "hasTime"));
      if (askedClauses.has(clauses[from])) own.push(idOf("sameClause"));
      const part = fresh / Math.max(1, within(count.fresh, opens, closes));
      own.push(idOf(part === 1 ? "newAll" : part >= 0.5 ? "newMost" : "newFew"));
      own.push(idOf(nearness(askedAt, from, to, opens, closes)));
      if (at >= 0) {
        const [begins, ends] = [first.start - phraseStart, last.end - phraseEnd];
        if (begins === 0 && ends === 0) own.push(idOf("phrase"));
        if (begins <= 0 && ends >= 0) own.push(idOf("hasPhrase"));
        else if (begins >= 0 && ends <= 0) own.push(idOf("inPhrase"));
      }
      found.push({ start: first.start, end: last.end, features: [left, right[to] ?? [], own] });
    }
  }
  return found;
}

/** How far the nearest word of the question is in the same sentence. */
function nearness(askedAt: readonly number[], from: number, to: number, opens: number, closes: number): string {
  let least = 99;
  for (const at of askedAt) {
    if (at < opens || at > closes) continue;
    least = Math.min(least, at < from ? from - at - 1 : at > to ? at - to - 1 : 0);
  }
  return least === 0
    ? "near0"
    : least === 1
      ? "near1"
      : least <= 3
        ? "near2"
        : least <= 6
          ? "near4"
          : least < 99
            ? "near7"
            : "near99";
}

/** What begins a span, and what stands before it in its sentence; articles and adverbs are looked over. */
function leftOf(
  ask: AskedSpans,
  tokens: readonly Token[],
  isAsked: readonly boolean[],
  clauses: readonly number[],
  from: number,
  opens: number,
): number[] {
  const kind = tokens[from]?.kind ?? "N";
  const found = [firstId?.get(kind) ?? 0];
  const previous = from > opens ? tokens[from - 1] : undefined;
  if (previous === undefined) return [...found, idOf("opens")];
  found.push(beforeId?.get(previous.kind) ?? 0);
  if (previous.closes === 1) return [...found, idOf("afterMark")];
  if (nominal.has(previous.kind) && (nominal.has(kind) || kind === "G")) found.push(idOf("cutsLeft"));
  let near = from - 1;
  while (near >= opens && (tokens[near]?.kind === "D" || tokens[near]?.kind === "B")) near--;
  const lead = near >= opens ? tokens[near] : undefined;
  if (lead === undefined) return found;
  if (isAsked[near]) found.push(idOf("beforeAsked"));
  else if (isAsked[near - 1] && clauses[near - 1] === clauses[from]) found.push(idOf("beforeNear"));
  if (ask.last.has(lead.root)) found.push(idOf("beforeLast"));
  if (ask.noun.has(lead.root)) found.push(idOf("beforeNoun"));
  if (ask.open !== "" && lead.folded === ask.open) found.push(idOf("beforeOpen"));
  const cue = leads[lead.folded];
  if (cue !== undefined) found.push(idOf(cue));
  else if (lead.kind === "A") found.push(idOf("beforeBe"));
  return found;
}

/** What ends a span, and what stands behind it in its sentence. */
function rightOf(ask: AskedSpans, tokens: readonly Token[], isAsked: readonly boolean[], to: number): number[] {
  const last = tokens[to];
  const next = tokens[to + 1];
  const kind = last?.kind ?? "N";
  const found = [lastId?.get(kind) ?? 0];
  if (last === undefined || next === undefined || last.closes === 2) return [...found, idOf("closes")];
  found.push(behindId?.get(next.kind) ?? 0);
  if (last.closes === 1) found.push(idOf("atMark"));
  if (isAsked[to + 1]) found.push(idOf("behindAsked"));
  if (ask.noun.has(next.root)) found.push(idOf("behindNoun"));
  if (last.closes === 0 && (nominal.has(kind) || kind === "G") && nominal.has(next.kind)) found.push(idOf("cutsRight"));
  return found;
}

function longerForm(asked: ReadonlySet<string>, root: string): boolean {
  if (root.length < 4) return false;
  for (const one of asked) {
    if (one.length < 4 || Math.abs(root.length - one.length) > 3) continue;
    if (root.startsWith(one) || one.startsWith(root)) return true;
  }
  return false;
}
