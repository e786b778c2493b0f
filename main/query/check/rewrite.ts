import type { Citation, Doubt, QueryPlan, RecordId, RoundTrace } from "#contract";
import {
  addDays,
  contentStems,
  dayNumber,
  findDates,
  fold,
  isStopWord,
  languageOf,
  sentencesOf,
  stem,
  wordsOf,
} from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { bornWords, sidesOf } from "../plan/sides.ts";
import { type Asked, isGeneric } from "../plan/terms.ts";
import { concernedIn } from "../read/asked/spoken.ts";
import { asksPictures } from "../recall/pictures.ts";

/** Other ways to ask the same (MIRIX §4.7). Each is a function of the plan, of what was doubted and of what was found. */

export interface Rewrite {
  readonly name: RoundTrace["rewrite"];
  /** What it looks for beside or instead of the plan's own, for a person. */
  readonly change: string;
  /** What is retrieved. */
  readonly retrievals: readonly QueryPlan[];
  /** The first round's records are looked through too. */
  readonly joined: boolean;
  /** By what the answer is read and checked: never wider in time than what was asked. */
  readonly plan: QueryPlan;
  /** The record that leads from the question to what is asked for now. */
  readonly bridge?: Bridge;
}

/** A sentence that names who or what the question only describes ("Tom's sister Ines"). */
export interface Bridge {
  readonly name: string;
  readonly citation: Citation;
}

/** What a rewrite may know of the first round. */
export interface FirstRound {
  readonly plan: QueryPlan;
  readonly doubts: readonly Doubt[];
  readonly asked: Asked;
  readonly candidates: readonly Candidate[];
  /** The archive's words nearest to these, best first; none without word vectors. */
  nearest(words: readonly string[]): ReadonlyMap<string, readonly { readonly stem: string }[]>;
}

/** Days by which a narrow time is widened on both sides, and up to which a time is narrow. */
const wider = { least: 3, most: 21, narrow: 62 } as const;
const nearestWords = 3;

/** In the order in which they are tried. */
export function* rewritesOf(first: FirstRound): Generator<Rewrite> {
  const { plan, doubts } = first;
  const parts = splitPlan(plan);
  if (parts !== null) {
    const change = parts
      .map(({ terms, people }) => [...people.map(({ name }) => name), ...terms].join(" "))
      .join(" | ");
    yield { name: "split", change, retrievals: parts, joined: true, plan };
  }
  if (doubts.length === 0 || asksPictures(plan)) return;
  const near = withNearest(first);
  if (near !== null) yield near;
  const hop = secondHop(first);
  if (hop !== null) yield hop;
  const later = widened(plan);
  if (later !== null && doubts.some(({ kind }) => kind === "time" || kind === "nothing")) yield later;
  // An answer that stands within its limits is not looked for outside of them.
  const open = doubts.some(({ blocking }) => blocking) ? withoutFilters(plan) : null;
  if (open !== null) yield open;
}

const joint = /(?<!\p{L})(?:and|as well as|or|und|als auch|sowie|oder)(?!\p{L})/iu;

/**
 * "Which hotel had both Anna and Ben" asks for what two questions have in common: one retrieval for each. Named people part
 * it first, else the words on both sides of the "and"; what stands before the first of them belongs to both.
 */
export function splitPlan(plan: QueryPlan): QueryPlan[] | null {
  if (plan.operation !== "intersection" && plan.operation !== "compare") return null;
  const alone = (part: Partial<QueryPlan>, words: readonly string[]): QueryPlan => ({
    ...plan,
    ...part,
    operation: "single",
    question: words.join(" "),
  });
  const between = sidesOf(plan.question);
  if (between?.asks === "age") {
    const [who, then] = between.sides;
    const said = new Set(wordsOf(who).map(({ folded }) => stem(folded)));
    const of = (word: string) => wordsOf(word).some(({ folded }) => said.has(stem(folded)));
    const born = {
      terms: [...plan.terms.filter(of), ...bornWords],
      people: plan.people.filter(({ name }) => of(name)),
      windows: [],
    };
    const when = then === "" ? [] : [alone({ terms: plan.terms.filter((term) => !of(term)) }, [then])];
    return [alone(born, [who, "born birthday"]), ...when];
  }
  if (between !== null) {
    const parts = between.sides.map((side) => {
      const words = new Set(wordsOf(side).map(({ folded }) => stem(folded)));
      const terms = plan.terms.filter((term) => wordsOf(term).some(({ folded }) => words.has(stem(folded))));
      const people = plan.people.filter(({ name }) => wordsOf(name).some(({ folded }) => words.has(stem(folded))));
      return alone({ terms, people }, [side]);
    });
    if (parts.every(({ terms, people }) => terms.length + people.length > 0)) return parts;
  }
  if (plan.people.length >= 2)
    return plan.people.slice(0, 2).map((person) => alone({ people: [person] }, [person.name, ...plan.terms]));
  const question = fold(plan.question.slice(0, 2_000));
  for (const match of question.matchAll(new RegExp(joint, "giu"))) {
    const at = (term: string) => question.search(new RegExp(`(?<!\\p{L})${literally(fold(term))}`, "u"));
    const strong = plan.terms.filter((term) => !isGeneric(fold(term)));
    const before = strong.filter((term) => at(term) >= 0 && at(term) < match.index);
    const after = strong.filter((term) => at(term) > match.index);
    const last = before.at(-1);
    if (last === undefined || after.length === 0) continue;
    const shared = plan.terms.filter((term) => term !== last && !after.includes(term));
    return [
      [...shared, last],
      [...shared, ...after],
    ].map((terms) => alone({ terms }, terms));
  }
  return null;
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Words that the archive does not have, with those of its words that mean nearly the same beside them. */
function withNearest({ plan, asked, nearest }: FirstRound): Rewrite | null {
  const strange = asked.terms.filter(({ known, generic }) => !known && !generic).map(({ text }) => text);
  if (strange.length === 0) return null;
  const found = nearest(strange);
  const more = [...new Set(strange.flatMap((word) => (found.get(word) ?? []).slice(0, nearestWords)))].map(
    (one) => one.stem,
  );
  if (more.length === 0) return null;
  const retrieval = { ...plan, terms: [...plan.terms, ...more] };
  return { name: "nearest_words", change: `also: ${more.join(", ")}`, retrievals: [retrieval], joined: true, plan };
}

/** A narrow time with the days around it: what was said of it shortly before or after. Read by the time that was asked. */
function widened(plan: QueryPlan): Rewrite | null {
  const windows = plan.windows.map((window) => {
    const days = dayNumber(window.to) - dayNumber(window.from) + 1;
    const by = Math.min(wider.most, Math.max(wider.least, days));
    return days > wider.narrow ? window : { ...window, from: addDays(window.from, -by), to: addDays(window.to, by) };
  });
  if (windows.every(({ from }, at) => from === plan.windows[at]?.from)) return null;
  const change = windows.map(({ from, to }) => `${from} – ${to}`).join(", ");
  return { name: "wider_time", change, retrievals: [{ ...plan, windows }], joined: true, plan };
}

/** Without the filters that may have been misunderstood. Null when there was none to drop, or nothing else to go by. */
export function withoutFilters(plan: QueryPlan): Rewrite | null {
  // A count without its limits counts something else.
  if (asksPictures(plan) || plan.terms.length === 0 || plan.operation === "count") return null;
  const dropped = [...plan.kinds, ...plan.places];
  if (dropped.length === 0) return null;
  const open = { ...plan, kinds: [], places: [] };
  return {
    name: "fewer_filters",
    change: `without: ${dropped.join(", ")}`,
    retrievals: [open],
    joined: false,
    plan: open,
  };
}

/** Records in which a bridge is sought. */
const bridgesIn = 8;
/** "Tom's sister", "the man whom": the question describes someone instead of naming them. */
const described =
  /['’]s\s+\p{Ll}|\b(?:my|our|his|her|their)\s+\p{Ll}+['’]s|(?<!^\W*)(?:whose|who|whom|that|which)\b|\bof (?:my|the|our|his|her)\b|\b(?:deren|dessen|von (?:meine[rmn]?|der|dem))\b/u;

/**
 * The answer's entity in two steps: a sentence that says all named people and part of the question's words names someone
 * or something new; the rest of the question is asked of that.
 */
function secondHop({ plan, asked, candidates }: FirstRound): Rewrite | null {
  const open = plan.question.slice(0, 2_000);
  if (plan.operation === "count" || !described.test(open)) return null;
  const strong = asked.terms.filter(({ generic }) => !generic);
  if (strong.length < 2) return null;
  const known = new Set(wordsOf(open).map(({ folded }) => stem(folded)));
  const concerned = concernedIn(plan);
  for (const { recordId, views, record, day } of candidates.slice(0, bridgesIn)) {
    const view = views.find((one) => one.view === "text");
    if (!view) continue;
    for (const { start, end } of sentencesOf(view.text.slice(0, 4_000))) {
      const quote = view.text.slice(start, end);
      if (quote.length > 280 || quote.trim().endsWith("?")) continue;
      const author = record.author?.name ?? "";
      const said = new Set(contentStems(`${quote} ${author}`, plan.language));
      const here = strong.filter((term) => said.has(term.stem));
      const rest = plan.terms.filter((term) => !said.has(stem(fold(term))));
      if (here.length === 0 || here.length === strong.length || rest.length === 0) continue;
      // "Rufus's vet" is not met over another's.
      if (strong.some((term) => concerned.has(term.stem) && !here.includes(term))) continue;
      if (!asked.names.every((name) => [...name].some((one) => said.has(one)))) continue;
      const name = newName(quote, day, known, plan, author);
      if (name === null) continue;
      const next: QueryPlan = { ...plan, people: [], terms: [name, ...rest] };
      const citation: Citation = { recordId, view: "text", span: [start, end], quote };
      const change = `${name}: ${rest.join(" ")}`;
      return { name: "second_hop", change, retrievals: [next], joined: false, plan: next, bridge: { name, citation } };
    }
  }
  return null;
}

/** The first capitalised word inside a sentence that the question does not know and that is no time. */
function newName(
  quote: string,
  day: string | null,
  known: ReadonlySet<string>,
  plan: QueryPlan,
  author: string,
): string | null {
  // In German every noun has a capital: there a new name cannot be told from a thing.
  if (plan.language === "de" || languageOf(quote) === "de") return null;
  const dates = findDates(quote, { reference: day });
  const words = wordsOf(quote);
  for (const [at, { text, folded, start }] of words.entries()) {
    const begins = at === 0 || /[.!?:;“"]\s*$/.test(quote.slice(0, start));
    if (begins || text.length < 3 || !/^\p{Lu}\p{Ll}+$/u.test(text)) continue;
    if (known.has(stem(folded)) || isStopWord(folded, plan.language) || author.includes(text)) continue;
    if (!dates.some((date) => start >= date.start && start < date.end) && !isTime(text)) return text;
  }
  return null;
}

const isTime = (word: string): boolean =>
  findDates(`on ${word.replace(/s$/, "")} in ${word}`, { reference: "2000-01-01" }).length > 0;

/** The record behind a bridge must be another one than the answer's: one that says all would have been found at once. */
export function bridged(rewrite: Rewrite, answer: RecordId | undefined): boolean {
  return rewrite.bridge === undefined || (answer !== undefined && answer !== rewrite.bridge.citation.recordId);
}
