import type { Exclusions, PreviousTurn, QueryPlan } from "#contract";
import { fold, stem, wordsOf } from "../../views/language/index.ts";
import { type PlanContext, planQuestion } from "../plan/plan.ts";
import { answerTypeOf, budgetOf, intentOf, operationOf } from "../plan/shape.ts";
import { carriesLittle } from "../plan/words.ts";
import type { Cited } from "./cited.ts";
import { asList, bareAsk, idle, more, narrowing, onlyWords, opening, pronouns, stepped } from "./cues.ts";
import { reworded, stepOf, withQuestionWord } from "./reword.ts";

export interface FollowContext extends PlanContext {
  readonly cited: Cited;
}

type Part = QueryPlan["carried"][number];

/** A verb, or an order: a whole question. */
const saysMore =
  /(?:^\W*(?:show|find|zeige?|finde)|(?:^|\s)(?:did|does|do|was|were|is|are|has|have|had|can|could|will|would|hat|hatte|haben|hatten|ist|sind|war|waren|wird|kann|geht|ging|steht|liegt))(?!\p{L})/iu;
/** Words of a question that leans on another one, at most. */
const longest = 16;

/**
 * A question understood by the one before it, or null when it stands alone: then nothing is bent. The plan's `question`
 * is what was understood, in words; `carried` names what came from before. Chips that a person has changed since the
 * question was asked count: it is the last plan that is followed, not the last words.
 */
export function followUp(previous: PreviousTurn, question: string, context: FollowContext): QueryPlan | null {
  const plan = follow(previous, question, context);
  // Nothing was there to lean on.
  return plan !== null && plan.carried.length > 0 ? plan : null;
}

function follow(previous: PreviousTurn, question: string, context: FollowContext): QueryPlan | null {
  const text = question.trim();
  if (text === "" || wordsOf(text).length > longest) return null;
  const before = previous.plan;
  if (more.test(text)) return again(before, previous.citedRecords, text);
  const bare = bareAsk.exec(text)?.groups?.word;
  if (bare !== undefined) return askedAnew(before, bare, text);
  const step = stepOf(text, before.windows, context.cited.days);
  // What is left when the words that lean are taken away is planned as what it is: "photos", "from Tom", "in 2019".
  const piece = text.replace(onlyWords, "").replace(step === null ? /$^/ : stepped, " ");
  const own = planQuestion(piece, context);
  if (leansOn(text, own, step !== null)) return replaced(before, own, text, step);
  return pointed(before, planQuestion(text, context), text, context.cited);
}

/** Whether the question is a piece that only the one before it makes whole: "and in 2019?", "only photos", "Tom?" */
function leansOn(text: string, asked: QueryPlan, stepping: boolean): boolean {
  if (narrowing.test(text) || (asList.test(text) && asked.terms.length <= 1)) return asked.terms.length <= 2;
  const rest = text.replace(opening, "");
  const opened = rest !== text;
  const asks = answerTypeOf(rest) !== "text" || /^\W*(?:what|how|was|wie|show|find|zeige?|finde)(?!\p{L})/iu.test(rest);
  const content = asked.terms.filter(
    (term) => !carriesLittle(fold(term)) && !asked.places.join(" ").includes(term),
  ).length;
  if (stepping) return content <= (opened ? 2 : 1) && (!asks || content === 0);
  const filters =
    asked.people.length + asked.windows.length + asked.places.length + asked.kinds.length + asked.sources.length;
  // A question word, and something of its own besides: whole, "and" or not.
  if (asks) return opened && filters > 0 && content === 0 && !saysMore.test(rest);
  if (opened) return content <= 2;
  return text.endsWith("?") && filters > 0 && content === 0 && wordsOf(text).length <= 5;
}

/** "Who else?": the same once more, without what was shown. */
function again(before: QueryPlan, shown: readonly number[], text: string): QueryPlan {
  const operation = before.operation === "count" ? "count" : "union";
  const single = before.answerType === "text" || before.answerType === "yesno";
  return {
    ...before,
    intent: intentOf(text, before.answerType),
    answerType: single ? "list" : before.answerType,
    operation,
    budget: budgetOf(operation),
    excluded: { ...before.excluded, records: [...new Set([...before.excluded.records, ...shown])].slice(-1_000) },
    carried: carriedFrom(before),
    notes: [],
  };
}

/** "Why?": another answer about the same. */
function askedAnew(before: QueryPlan, word: string, text: string): QueryPlan {
  // Alone, it asks what something costs.
  const answerType = /^(?:how much|wie ?viel)$/iu.test(word) ? "amount" : answerTypeOf(`${word} …`);
  const operation = operationOf(word, answerType);
  return {
    ...before,
    question: withQuestionWord(before.question, word),
    intent: intentOf(text.replace(opening, ""), answerType),
    answerType,
    operation,
    budget: budgetOf(operation),
    carried: carriedFrom(before).filter((part) => part !== "answerType"),
    notes: [],
  };
}

/** "And in 2019?", "and Tom?", "only photos": one part is another one now, the rest stays. */
function replaced(
  before: QueryPlan,
  asked: QueryPlan,
  text: string,
  step: QueryPlan["windows"][number] | null,
): QueryPlan {
  const windows = step === null ? asked.windows : [step];
  const own: Partial<QueryPlan> = {};
  const carried = new Set<Part>(carriedFrom(before));
  const take = <K extends "windows" | "people" | "places" | "kinds" | "sources">(part: K, value: QueryPlan[K]) => {
    if (value.length === 0) return;
    own[part] = value;
    carried.delete(part);
  };
  take("windows", windows);
  take("people", asked.people);
  take("places", asked.places);
  take("kinds", asked.kinds);
  take("sources", asked.sources);
  const excluded = merged(before.excluded, asked.excluded);
  // Words of the old place go with it; a word of its own stands where nothing else does: "and the bathroom?"
  const fresh = asked.terms.filter((term) => !carriesLittle(fold(term)) && !/^list[en]?$/iu.test(term));
  const swaps = Object.keys(own).length === 0 && fresh.length > 0 && !narrowing.test(text);
  const kept = own.places ? withoutWords(before.terms, before.places.join(" ")) : before.terms;
  const terms = swaps ? fresh : [...new Set([...kept, ...(own.places ? placeWords(own.places) : fresh)])];
  if (swaps) carried.delete("terms");
  const limited = notExcluded({ ...before, ...own }, excluded);
  const list = asList.test(text);
  const answerType = list
    ? "list"
    : asked.answerType === "text" || asked.answerType === "list"
      ? before.answerType
      : asked.answerType;
  const operation = list ? "union" : answerType === before.answerType ? before.operation : asked.operation;
  if (answerType !== before.answerType || answerType === "text") carried.delete("answerType");
  return {
    ...before,
    ...own,
    language: before.language,
    question: reworded(before, { ...own, ...(swaps ? { terms } : {}) }),
    answerType,
    operation,
    intent: intentOf(before.question, answerType),
    budget: budgetOf(operation),
    terms,
    excluded,
    ...limited,
    asOf: windows.length > 0 ? asked.asOf : before.asOf,
    notes: asked.notes,
    carried: [...carried].filter(
      (part) =>
        (part !== "people" && part !== "places" && part !== "kinds" && part !== "sources") || limited[part].length > 0,
    ),
  };
}

/** "What did she say then?": the question is its own, and points at people, places, times or things of the last one. */
function pointed(before: QueryPlan, asked: QueryPlan, question: string, cited: Cited): QueryPlan | null {
  const text = question.replace(idle, (said) => " ".repeat(said.length));
  const says = (pattern: RegExp) => text.search(pattern) >= 0;
  const carried = new Set<Part>();
  const plan = { ...asked };
  let reading = question;
  const insert = (pattern: RegExp, words: string) => {
    reading = reading.replace(pattern, (said) =>
      /^(?:his|hers?|their)$/iu.test(said) ? `${words}'s` : said.replace(/\p{L}+$/u, words),
    );
  };
  if (asked.people.length === 0 && (says(pronouns.one) || says(pronouns.many))) {
    const known = before.people.length > 0 ? before.people : cited.people;
    const people = says(pronouns.many) ? known : known.slice(-1);
    if (people.length > 0) {
      plan.people = people;
      carried.add("people");
      insert(says(pronouns.one) ? pronouns.one : pronouns.many, people.map(({ name }) => name).join(" and "));
    }
  }
  if (asked.places.length === 0 && says(pronouns.there)) {
    const places = before.places.length > 0 ? before.places.slice(-1) : cited.places.slice(0, 1);
    if (places.length > 0) {
      plan.places = places;
      plan.terms = [...new Set([...asked.terms, ...placeWords(places)])];
      carried.add("places");
      insert(pronouns.there, `in ${places.join(" ")}`);
    }
  }
  if (asked.windows.length === 0 && says(pronouns.moment)) {
    const days = cited.days.slice(0, 1).map((day) => ({ from: day, to: day, text: "" }));
    plan.windows = before.windows.length > 0 ? before.windows : days;
    if (plan.windows.length > 0) carried.add("windows");
  }
  // "What did it cost?" is about the last thing; a question that has enough words of its own is about those.
  const own = asked.terms.filter((term) => !carriesLittle(fold(term))).length;
  const bare = own === 0 && asked.windows.length === 0 && asked.kinds.length === 0;
  if ((says(pronouns.thing) && own <= 1) || (carried.size > 0 && bare)) {
    const terms = before.terms.filter((term) => !asked.terms.includes(term));
    if (terms.length > 0) {
      plan.terms = [...plan.terms, ...terms];
      carried.add("terms");
      if (carried.size === 1) {
        // A thing keeps its people and its place.
        if (asked.people.length === 0 && before.people.length > 0) carry("people");
        if (asked.places.length === 0 && before.places.length > 0) carry("places");
      }
    }
  }
  function carry(part: "people" | "places"): void {
    if (part === "people") plan.people = before.people;
    else plan.places = before.places;
    carried.add(part);
  }
  if (carried.size === 0) return null;
  for (const part of ["kinds", "sources"] as const) {
    if (asked[part].length > 0 || before[part].length === 0 || !carried.has("terms")) continue;
    if (part === "kinds") plan.kinds = before.kinds;
    else plan.sources = before.sources;
    carried.add(part);
  }
  const about = carried.has("terms") ? ` (${before.terms.join(" ")})` : "";
  return { ...plan, question: `${reading}${about}`, carried: [...carried] };
}

/** What a plan has to hand on. */
function carriedFrom(plan: QueryPlan): Part[] {
  const lists = (["people", "windows", "places", "kinds", "sources", "terms"] as const).filter(
    (part) => plan[part].length > 0,
  );
  const excluded = isExcluding(plan.excluded) ? (["excluded"] as const) : [];
  return [...lists, ...excluded, ...(plan.answerType === "text" ? [] : (["answerType"] as const))];
}

/** What is ruled out now was asked for before: it is not any more. */
function notExcluded(
  { people, places, kinds, sources }: Pick<QueryPlan, "people" | "places" | "kinds" | "sources">,
  excluded: Exclusions,
): Pick<QueryPlan, "people" | "places" | "kinds" | "sources"> {
  return {
    people: people.filter(({ name }) => !excluded.people.some((one) => one.name === name)),
    places: places.filter((place) => !excluded.places.includes(place)),
    kinds: kinds.filter((kind) => !excluded.kinds.includes(kind)),
    sources: sources.filter((source) => !excluded.sources.includes(source)),
  };
}

const isExcluding = (excluded: Exclusions): boolean => Object.values(excluded).some((list) => list.length > 0);

function merged(before: Exclusions, now: Exclusions): Exclusions {
  const people = [...before.people, ...now.people];
  return {
    people: people.filter((one, at) => people.findIndex(({ name }) => name === one.name) === at),
    places: [...new Set([...before.places, ...now.places])],
    kinds: [...new Set([...before.kinds, ...now.kinds])],
    sources: [...new Set([...before.sources, ...now.sources])],
    terms: [...new Set([...before.terms, ...now.terms])],
    records: before.records,
  };
}

function withoutWords(terms: readonly string[], words: string): string[] {
  const gone = new Set(wordsOf(words).map(({ folded }) => stem(folded)));
  return terms.filter((term) => !gone.has(stem(fold(term))));
}

const placeWords = (places: readonly string[]): string[] =>
  places.flatMap((place) => wordsOf(place).map(({ text }) => text));
