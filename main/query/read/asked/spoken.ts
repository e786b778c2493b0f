import type { QueryPlan, RecordId } from "#contract";
import { saysItself } from "../../../views/index.ts";
import { findDates, fold, isStopWord, stem, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { type Asked, type AskedTerm, hit } from "../../plan/terms.ts";
import { asksLikely } from "../answers/yesno.ts";
import { perPlan } from "../per-plan.ts";
import type { Reading } from "../sentences/sentences.ts";
import { ownName } from "../sentences/subject.ts";
import { deedAsked, isBuying, isDated, isOrdering, tellsOfPaying, timeUnit } from "./deeds.ts";
import { asksHouse, mayTellMove, movesHouse } from "./moves.ts";

/**
 * Whether a record speaks of what a question names. "What colour is Miso?" is not answered by what says the colour of the
 * kitchen, however well the rest of it fits: somebody who is named, and the matter itself, must be said where the answer is
 * taken from, or in the talk that it stands in.
 */

/**
 * From this rarity on (nats, or as a share of the rarest where there are few records) a name tells things apart; what every
 * thirtieth record says is the household's own.
 */
const rareName = { nats: 3.5, share: 0.6 } as const;
/** From this rarity on a word says something of the matter, as a share of the rarest. */
const carries = 0.17;
/** Words and names that make a record surely the matter, though one name is not said in it. */
const sureMatter = 2;
/** Words of a matter from which on two must be said. */
const manyWords = 3;
/** A talk says of a record what stands this near to it. */
const nearInTalk = 0.6;

/** What of a question must be said. */
interface Needed {
  /** Words that are no names. */
  readonly matter: readonly AskedTerm[];
  /** Each name by its rarest words. */
  readonly names: readonly { readonly terms: readonly AskedTerm[]; readonly rare: boolean; readonly must: boolean }[];
  readonly people: readonly { readonly called: ReadonlySet<string>; readonly must: boolean }[];
  /** "Tom's umbrella": what is somebody's own. */
  readonly owned: readonly AskedTerm[];
  /** "The wedding cake": two words for one thing that has a price. */
  readonly pair: readonly AskedTerm[] | null;
  /** "50 metres": figures of something that is measured. */
  readonly figures: readonly string[];
  /** "The password of …", "which hotel": what is asked for itself. `own`: it is something's own. */
  readonly head: { readonly term: AskedTerm; readonly own: boolean } | null;
  /** What somebody is asked to have done, by its stem; null where that may be said in many ways. */
  readonly deed: string | null;
  /** Nothing but names is asked about: what is asked of them ("tall", "live") must be said. Null where there is more. */
  readonly bare: readonly AskedTerm[] | null;
}

/** Gives a test for the records of one question; the same record is looked at once. */
export function speaking({ plan, asked, around, replies }: Reading): (candidate: Candidate) => boolean {
  const needed = neededOf(plan, asked);
  const known = new Map<RecordId, boolean>();
  return (candidate) => {
    const before = known.get(candidate.recordId);
    if (before !== undefined) return before;
    const { record, stems } = candidate;
    const talk = record.kind !== "email" && record.kind !== "document" && record.kind !== "event";
    // A name holds for all of a thread; what its letters tell, each tells for itself.
    const beside = around(candidate.recordId);
    const replied = replies?.get(candidate.recordId);
    const own = ({ stem: root }: AskedTerm): boolean =>
      hit(plan.language, root, stems) > 0 || (replied !== undefined && hit(plan.language, root, replied) > 0);
    const near = (term: AskedTerm): boolean => own(term) || (beside.get(term.stem) ?? 0) >= nearInTalk;
    const author = ownName(plan, candidate);
    const named = (name: ReadonlySet<string>): boolean =>
      [...name].some((one) => stems.has(one) || beside.has(one) || author.includes(one));
    const does = (root: string): boolean =>
      (talk && ((plan.answerType !== "yesno" && !isOrdering(root, plan)) || (beside.get(root) ?? 0) > 0)) ||
      hit(plan.language, root, stems) > 0 ||
      (isBuying(root) && tellsOfPaying(candidate));
    const result =
      mayTellMove(plan, candidate) &&
      meets(needed, talk ? near : own, near, named) &&
      needed.figures.every((figure) => stems.has(figure)) &&
      (needed.deed === null || does(needed.deed)) &&
      (plan.answerType !== "yesno" || asksLikely(plan.question) || saysAll(needed, near)) &&
      (needed.bare === null || needed.bare.some(near)) &&
      // What a picture stands in for is said beside it, and nobody who talks of sharks says that they are fish.
      ((record.kind === "photo" && (needed.head?.own !== true || near(needed.head.term))) ||
        (record.kind === "message" && needed.head?.own === false) ||
        saysHead(needed, stems, plan.language) ||
        (measuring.test(needed.head?.term.text ?? "") && tellsMeasure(candidate)));
    known.set(candidate.recordId, result);
    return result;
  };
}

function meets(
  { matter, names, people, owned, pair }: Needed,
  says: (term: AskedTerm) => boolean,
  namesTerm: (term: AskedTerm) => boolean,
  named: (person: ReadonlySet<string>) => boolean,
): boolean {
  const told = matter.filter(says);
  // Of many words one alone is met by chance.
  if (told.length === 0 && matter.length > 0) return false;
  if (owned.length > 0 && !owned.some(namesTerm)) return false;
  if (pair !== null && !pair.every(namesTerm)) return false;
  if (matter.length >= manyWords && matter.filter(namesTerm).length < 2) return false;
  const namesTold = names.filter(({ terms }) => terms.some(namesTerm));
  const peopleTold = people.filter(({ called }) => named(called));
  // "Olu's door", "what did Jonas call it": whose it is, and who did it, is said.
  if (names.some((name) => name.must && !namesTold.includes(name))) return false;
  if (people.some((person) => person.must && !peopleTold.includes(person))) return false;
  if (told.length + namesTold.length + peopleTold.length >= sureMatter) return true;
  return peopleTold.length === people.length && names.every((name) => !name.rare || namesTold.includes(name));
}

/** A yes is said of everyone who is named, and of nothing that no record has a word for. */
const saysAll = ({ matter, names }: Needed, says: (term: AskedTerm) => boolean): boolean =>
  names.every(({ terms }) => terms.some(says)) && matter.every((term) => term.known || says(term));

/** "Which songs did they sing?": who sings tells no song. The kind of thing is said by a word of its own. */
function saysHead({ head, matter }: Needed, stems: ReadonlySet<string>, language: QueryPlan["language"]): boolean {
  if (head === null || stems.has(head.term.stem)) return true;
  const others = new Set(stems);
  for (const { stem: one } of matter) others.delete(one);
  return hit(language, head.term.stem, others) > 0;
}

function neededOf(plan: QueryPlan, asked: Asked): Needed {
  // Every German noun has a capital: there only who does something is sure to be a name.
  const groups = plan.language === "en" ? namesAsked(plan) : [...concernedIn(plan)].map((one) => [one]);
  const places = plan.places.map((place) => wordsOf(place).map(({ folded }) => stem(folded)));
  const strong = asked.terms.filter(
    (term) =>
      !term.generic &&
      !(asksHouse(plan) && movesHouse(term.stem)) &&
      term.weight >= carries * asked.rarest &&
      !asked.dated.has(term.stem) &&
      !/^\d/u.test(term.text),
  );
  const names: { terms: AskedTerm[]; rare: boolean; must: boolean }[] = [];
  const concerned = concernedIn(plan);
  const taken = new Set<string>();
  for (const group of [...places, ...groups]) {
    const terms = strong.filter((term) => group.includes(term.stem) && !taken.has(term.stem));
    for (const { stem: one } of terms) taken.add(one);
    const most = Math.max(0, ...terms.map(({ weight }) => weight));
    if (terms.length > 0)
      names.push({
        terms: terms.filter(({ weight }) => weight >= most * 0.8),
        rare: most >= Math.min(rareName.nats, rareName.share * asked.rarest),
        must: terms.some((term) => concerned.has(term.stem)),
      });
  }
  const matter = strong.filter((term) => !taken.has(term.stem));
  const noun = headAsked(plan);
  const head = asked.terms.find(({ stem: one }) => one === noun?.stem);
  const deed = deedAsked(plan);
  const verb = asked.terms.find((term) => term.stem === deed);
  const plain = deed !== null && isDated(deed, plan);
  // Elsewhere such verbs are said in other words.
  const carried =
    plan.answerType === "yesno" ||
    (verb !== undefined && isBuying(verb.stem)) ||
    (names.length === 0 && matter.length > 0 && matter.every(({ text }) => timeUnit.test(text)));
  return {
    matter,
    names,
    people: asked.names.map((called) => ({ called, must: [...called].some((one) => concerned.has(one)) })),
    figures: figuresAsked(plan),
    owned: plan.language === "en" ? matter.filter(({ known, stem: one }) => known && ownedIn(plan).has(one)) : [],
    pair: plan.answerType === "amount" ? pairOf(plan, matter) : null,
    head:
      head !== undefined && (noun?.own === true || (head.known && matter.includes(head)))
        ? { term: head, own: noun?.own === true }
        : null,
    deed: plain ? deed : verb !== undefined && (!verb.generic || carried) ? verb.stem : null,
    bare:
      matter.length === 0 && names.length + plan.people.length > 0 && ofNames(plan)
        ? asked.terms.filter(({ generic }) => generic)
        : null,
  };
}

/** "How tall is Ada?", "Where does Bo live?": asked of somebody, at no time that is named. A weight is known by its unit. */
const ofNames = ({ answerType, windows, kinds, question }: QueryPlan): boolean =>
  (answerType === "place" || answerType === "number") &&
  windows.length === 0 &&
  kinds.length === 0 &&
  !/(?<!\p{L})(?:heavy|weigh\p{L}*|schwer|wiegt|wog|how (?:many|often)|wie (?:viele|oft))(?!\p{L})/iu.test(question);

/** Stem of what is asked for itself, where words or figures are wanted: the value stands beside it. */
const headAsked = perPlan(({ question, answerType }: QueryPlan): { stem: string; own: boolean } | null => {
  if (!["text", "list", "number", "amount"].includes(answerType)) return null;
  const text = question.slice(0, 300);
  const said = (patterns: readonly RegExp[]) =>
    patterns.map((pattern) => pattern.exec(text)?.groups?.noun).find((one) => one !== undefined);
  const own = answerType === "text" ? said(ownHeads) : undefined;
  const noun = own ?? said([...ownHeads, ...kindHeads]);
  return noun === undefined ? null : { stem: stem(fold(noun)), own: own !== undefined };
});
/** Something's own: what no record has a word for is in none. */
const ownHeads: readonly RegExp[] = [
  /^\W*(?:what|which)(?:['’]s|\s(?:is|was))\sthe\sname\sof\s(?:(?:the|our|my|his|her|their)\s|\p{L}+['’]s?\s)(?:\p{L}+\s)?(?<noun>\p{Ll}{3,})\W*$/u,
  /^\W*(?:what|which)(?:['’]s|\s(?:is|was|are|were))\s(?:the|our|my|his|her|their)\s(?:\p{L}+\s)?(?<noun>\p{L}{3,})\s(?:of|for|from|to)\s/iu,
  /^\W*(?:what|which)(?:['’]s|\s(?:is|was|are|were))\s(?:(?:the|our|my)\s)?(?:\p{L}+\s)?\p{L}+['’]s?\s(?:\p{Ll}+\s)?(?<noun>\p{L}{3,})(?:\s(?:called|named))?\W*$/iu,
  /^\W*(?:what|which)(?:['’]s|\s(?:is|was))\s(?:the|our|my|his|her|their)\s(?<noun>\p{L}{3,})\s(?:called|named)\W*$/iu,
  /^\W*wie\s(?:heißt|hieß|heisst)\s(?:\p{L}+\s)?(?<noun>\p{Lu}\p{L}{2,})(?:\svon\s.+?)?\W*$/iu,
];
const kindHeads: readonly RegExp[] = [
  /^\W*(?:what|which)(?:['’]s|\s(?:is|was|are|were))\s(?:the|our|my|his|her|their)\s(?:\p{L}+\s)?(?<noun>\p{L}{3,})\s(?:on|in|at)\s/iu,
  /^\W*(?:which|what|welche[rsnm]?)\s(?<noun>\p{L}{3,})\s/iu,
  /^\W*(?:wie|was)\s(?:ist|war|lautet)\s(?:der|die|das|unsere?|meine?)\s(?<noun>\p{L}{3,})\s(?:von|vom|für|zum|zur|des|der)\s/iu,
];

/** "What size is it?" is told by a figure with its unit. */
const measuring =
  /^(?:size|length|height|width|depth|weight|distance|temperature|speed|größe|länge|höhe|breite|gewicht)$/iu;
const tellsMeasure = ({ views }: Candidate): boolean =>
  views.some(({ view, text }) => saysItself(view) && unit.test(text.slice(0, 4_000)));
const unit =
  /\d\s?(?:mm|cm|m|km|kg|g|kilos?|met(?:re|er)s?|miles?|inch(?:es)?|feet|ft|degrees|°|knots|mph|km\/h)(?!\p{L})/iu;

/** Stems of each run of words with a capital inside an English question: names of things, animals and people. */
const namesAsked = perPlan(({ question }: QueryPlan): readonly (readonly string[])[] =>
  [...question.slice(0, 2_000).matchAll(/\p{Lu}[\p{L}'’]+(?:[\s-]\p{Lu}[\p{L}'’]+)*/gu)].flatMap(
    ({ 0: run, index }) => {
      const words = wordsOf(run).filter(({ text, folded, start }) => {
        const opens = index + start === (question.match(/\p{L}/u)?.index ?? 0);
        const shouted = text.length > 1 && text === text.toUpperCase();
        return !opens && !shouted && !isStopWord(folded, "en") && !isTime(text);
      });
      return words.length === 0 ? [] : [words.map(({ folded }) => stem(fold(folded)))];
    },
  ),
);

/** Stems of whom the question asks what they did, and of whose something is: "did Ada win", "Ada's cart". */
export const concernedIn = perPlan(
  ({ question, language }: QueryPlan): ReadonlySet<string> =>
    new Set(
      [...question.slice(0, 2_000).matchAll(language === "de" ? concernedGerman : concerned)].flatMap(({ groups }) =>
        wordsOf(groups?.doer ?? groups?.owner ?? "").map(({ folded }) => stem(folded)),
      ),
    ),
);
const concerned =
  /(?<!\p{L})(?:did|does|do|has|have|had|will|would|can|could)\s(?<doer>\p{Lu}[\p{L}-]+)|(?<!\p{L})(?<owner>\p{Lu}[\p{L}-]+)(?:['’]s|(?<=s)['’])(?=\s)/gu;

/** "Wann hat Jonas …", "wo war Jonas gestern": a bare noun behind its verb is mostly a name. */
const concernedGerman =
  /(?<!\p{L})(?:hat|hatte|wird|will|wollte|kann|konnte|soll|darf|muss|bekam|ging|geht|fuhr|fährt|kam|kommt|wohnt|wohnte|arbeitet)\s(?<doer>\p{Lu}\p{L}+)(?=\s(?:sich|zu[mr]?|nach|in|im|am|an|auf|bei[m]?|mit|den|dem|die|das|der|ein\p{L}*|sein\p{L}*|ihr\p{L}*|nicht|schon|noch|wieder|jetzt|heute|für|aus|von|vom|uns|mir|dir|euch|ihn|sie|es)(?!\p{L}))/gu;

/** Two words of the matter side by side at the end of what is priced: "did the wedding cake cost". */
function pairOf({ question }: QueryPlan, matter: readonly AskedTerm[]): readonly AskedTerm[] | null {
  if (matter.length !== 2 || !matter.every(({ known }) => known)) return null;
  const [a, b] = matter.map(({ text }) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<!\\p{L})${a}\\s${b}(?!\\p{L})`, "iu").test(question) ? matter : null;
}

/** Stems of the words behind an owner: "Tom's old umbrella". */
const ownedIn = perPlan(
  ({ question }: QueryPlan): ReadonlySet<string> =>
    new Set(
      [...question.slice(0, 2_000).matchAll(/(?<!\p{L})\p{Lu}[\p{L}-]+['’]s((?:\s\p{Ll}[\p{L}-]+){1,3})/gu)].flatMap(
        ([, words = ""]) => wordsOf(words).map(({ folded }) => stem(folded)),
      ),
    ),
);

/** "50 metres", "3 kg": what is told of another figure is told of something else. */
const figuresAsked = perPlan(({ question }: QueryPlan): readonly string[] =>
  [...question.slice(0, 2_000).matchAll(measured)].flatMap(({ groups }) => groups?.figure ?? []),
);
const measured =
  /(?<![\p{L}\d.,])(?<figure>\d+)\s(?:met(?:re|er)s?|m|km|kilomet(?:re|er)s?|miles?|kg|kilos?|grams?|gramm|cm|mm|lit(?:re|er)s?|laps?|lengths?|bahnen)(?!\p{L})/giu;

const isTime = (word: string): boolean =>
  findDates(`on ${word.replace(/s$/, "")} in ${word}`, { reference: "2000-01-01" }).length > 0;
