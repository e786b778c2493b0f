import type { Claim, QueryPlan } from "#contract";
import { addDays, contentStems, isStopWord, monthOf, stem, wordsOf } from "../views/language/index.ts";
import { type Candidate, type CandidateSet, gatherCandidates } from "./candidates/candidates.ts";
import { type Checked, checkDraft } from "./check/check.ts";
import { joinRecalls } from "./join.ts";
import { partsOf } from "./plan/parts.ts";
import type { QueryPorts } from "./ports.ts";
import type { Backing, Draft } from "./read/draft.ts";
import { sayDay } from "./read/phrases.ts";
import { readAnswer } from "./read/read.ts";
import { supports } from "./read/witnesses/support.ts";
import { countLimit, countTerm } from "./recall/asked.ts";
import { asksPictures } from "./recall/pictures.ts";
import type { Recall } from "./recall/recall.ts";
import type { Round } from "./round.ts";

/**
 * A second retrieval with the answer's own value: who else states the order number, the sum, the day or the name that the
 * question could not name. What is found only supports the answer, or answers a part of the question that was left open.
 */
export interface Further {
  readonly recalled: Recall;
  readonly set: CandidateSet;
}

/** Words of the answer, and strong words of the question, that are looked for. */
const answerWords = 6;
const questionWords = 4;
/** Words of an answer below which its record's subject is looked for, too; and words of that. */
const fewWords = 2;
const wordsOfTitle = 3;
/** Best hits that are looked at, behind the records that the answer cites. */
const hitsRead = 20;
/** Best hits of the answer's words alone. */
const wordedRead = 8;
/** Further records that one claim may cite. */
const furtherLimit = 2;

/** What is looked for to confirm the round's answer; null where the answer names nothing, or counts and pictures are asked for. */
export function confirmingPlan({ plan, draft, checked, recalled, set }: Round): QueryPlan | null {
  if (!checked.answered || plan.operation === "count" || asksPictures(plan)) return null;
  const standing = backed(checked, draft);
  const [first] = standing;
  if (first === undefined) return null;
  const said = [...new Set(standing.flatMap(({ backing }) => wordsOfAnswer(plan, backing)))].slice(0, answerWords);
  // "You have nothing to pay" says little of what it is about: "Appeal accepted".
  if (said.length < fewWords) said.push(...titleWords(plan, set, first.claim));
  if (said.length === 0) return null;
  const strong = strongWords(recalled);
  const open = openPlan(plan, draft, set, first.claim);
  if (open !== null) return open;
  const quote = first.claim.citations[0]?.quote ?? "";
  return {
    ...plan,
    question: `${strong.join(" ")}: ${quote}`.slice(0, 300),
    operation: "single",
    terms: [...new Set([...said, ...strong])],
    windows: [],
    kinds: [],
    places: [],
  };
}

/** Words of the question that tell most. */
const strongWords = ({ asked }: Recall): string[] =>
  asked.terms
    .filter(({ generic, known }) => known && !generic)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, questionWords)
    .map(({ text }) => text);

/** "How much was the dinner, and what did Tom eat?": what is left open is most often said about when the rest was. */
function openPlan(plan: QueryPlan, { open = [] }: Draft, { candidates }: CandidateSet, claim: Claim): QueryPlan | null {
  const [part] = open;
  const day = candidates.find(({ recordId }) => recordId === claim.citations[0]?.recordId)?.day ?? null;
  if (part === undefined || day === null) return null;
  const said = new Set(contentStems(part, plan.language));
  const within = (text: string) => wordsOf(text).some(({ folded }) => said.has(stem(folded)));
  const people = plan.people.filter(({ name }) => within(name));
  const terms = plan.terms.filter(within);
  if (people.length + terms.length === 0) return null;
  const windows = [{ from: addDays(day, -1), to: addDays(day, 1), text: "" }];
  return { ...plan, question: part, operation: "single", people, terms, windows, kinds: [], places: [] };
}

function backed({ claims }: Checked, { backings = [] }: Draft): { claim: Claim; backing: Backing }[] {
  return backings.flatMap((backing) => {
    const claim = claims.find(({ text }) => text === backing.text);
    return claim ? [{ claim, backing }] : [];
  });
}

/** Words of the subject of the record that answers. */
function titleWords({ language }: QueryPlan, { candidates }: CandidateSet, { citations }: Claim): string[] {
  const [citation] = citations;
  const answering = candidates.find(({ recordId }) => recordId === citation?.recordId);
  return wordsOf(answering?.record.subject ?? "")
    .filter(({ text, folded }) => !/\d/.test(text) && folded.length > 2 && !isStopWord(folded, language))
    .map(({ text }) => text)
    .slice(0, wordsOfTitle);
}

/** The answer as others may have written it: "415,000" is "415" in a chat, a day is said with its month. */
function wordsOfAnswer(plan: QueryPlan, { answer }: Backing): string[] {
  const { value, days, words } = answer;
  if (days !== null && days.from === days.to) {
    const both = monthOf(days.from) === 0 ? [] : [sayDay(days.from, "en"), sayDay(days.from, "de")];
    return [...new Set(both.flatMap((day) => wordsOf(day).map(({ text }) => text)))].filter(
      (word) => word.length !== 4 || !/^\d+$/.test(word),
    );
  }
  if (value !== null) {
    const figure = value.text.replace(/[^\p{L}\d.,-]+/gu, " ").trim();
    const thousands = /^(\d{1,3})[.,]000(?!\d)/.exec(figure)?.[1];
    const whole = figure.replace(/(?<=\d)[.,](?=\d{3}(?!\d))/gu, "");
    return [figure, whole, ...(thousands !== undefined && thousands.length === 3 ? [thousands] : [])];
  }
  const known = new Set(contentStems(plan.question.slice(0, 2_000), plan.language));
  return wordsOf((words ?? "").replace(/\([^)]*\)/gu, " ")).flatMap(({ text, folded }) =>
    isStopWord(folded, plan.language) || known.has(stem(folded)) || folded.length < 2 ? [] : [text],
  );
}

/** The records that the answer cites, what stands beside them, and the best hits of the second retrieval. */
export function furtherOf(round: Round, again: Recall, plan: QueryPlan, ports: QueryPorts): Further {
  const cited = new Set(round.checked.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const own = again.score([...cited]);
  const hits = again.ranked.filter(({ recordId }) => !cited.has(recordId)).slice(0, hitsRead);
  // The ranker wants words of the question, too: a short line may have nothing but the answer's.
  const asked = new Set(strongWords(round.recalled));
  // "July" stands in so many records of a large archive that it finds no witness and takes long to score.
  const isCommon = (term: string) => countTerm(ports.index, term, plan) >= countLimit;
  const known = new Set([...cited, ...hits.map(({ recordId }) => recordId)]);
  const match = ports.index.expression(
    plan.terms.slice(0, answerWords).filter((term) => !asked.has(term) && !isCommon(term)),
  );
  const worded = match === null ? [] : ports.index.searchText(match, wordedRead).map(({ recordId }) => recordId);
  hits.push(...again.score(worded.filter((id) => !known.has(id))));
  const set = gatherCandidates(plan, { ...again, ranked: [...own, ...hits] }, ports);
  return { recalled: again, set };
}

/** The round with what the second retrieval adds: citations, and claims for parts of the question that nothing answered. */
export function withFurther(round: Round, further: Further): Round {
  const recalled = joinRecalls(round.recalled, [further.recalled]);
  const cited = new Set(round.checked.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const known = new Map(round.set.candidates.map((candidate) => [candidate.recordId, candidate]));
  const { candidates } = further.set;
  const edges = [...round.set.edges, ...further.set.edges];
  const draft = completed(round, further, recalled, edges);
  // Ranked by the second retrieval; what the answer cites leads there and is not counted.
  const fresh = candidates
    .filter(({ recordId }) => !cited.has(recordId))
    .map((candidate, at) => ({ ...(known.get(candidate.recordId) ?? candidate), rank: at + 1 }));
  const beside = [...round.set.candidates.filter(({ recordId }) => cited.has(recordId)), ...fresh];
  const added = new Map<string, Claim>();
  for (const { claim, backing } of backed({ ...round.checked, claims: draft.claims }, draft)) {
    const have = new Set(claim.citations.map(({ recordId }) => recordId));
    const answer = { ...backing.answer, cited: have };
    const reading = { ...backing.reading, around: recalled.around };
    const more = supports(reading, answer, beside, edges, furtherLimit);
    if (more.length > 0) added.set(claim.id, { ...claim, citations: [...claim.citations, ...more] });
  }
  if (added.size === 0 && draft === round.draft) return { ...round, further };
  const claims = draft.claims.map((claim) => added.get(claim.id) ?? claim);
  const named = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const more = candidates
    .filter(({ recordId }) => named.has(recordId) && !known.has(recordId))
    .map((candidate, at): Candidate => ({ ...candidate, rank: round.set.candidates.length + at + 1, anchor: false }));
  const all = [...round.set.candidates, ...more];
  const inside = new Set(all.map(({ recordId }) => recordId));
  const checked = checkDraft(round.plan, { ...draft, claims }, all, round.recalled);
  if (!checked.answered) return { ...round, further };
  return {
    ...round,
    further,
    set: { ...round.set, candidates: all, edges: edges.filter(({ from, to }) => inside.has(from) && inside.has(to)) },
    verified: {
      ...round.verified,
      utilities: [...round.verified.utilities, ...more.map(({ probability }) => probability)],
    },
    draft: { ...draft, claims },
    checked: { ...checked, doubts: round.checked.doubts },
  };
}

/** A draft that answers more parts of the question, read with what the second retrieval found; else the round's own. */
function completed(round: Round, { set }: Further, recalled: Recall, edges: CandidateSet["edges"]): Draft {
  const { draft, plan } = round;
  const open = (one: Draft) => one.open?.length ?? 0;
  if (open(draft) === 0 || partsOf(plan).length < 2) return draft;
  const ids = new Set(set.candidates.map(({ recordId }) => recordId));
  const merged = [...set.candidates, ...round.set.candidates.filter(({ recordId }) => !ids.has(recordId))];
  const again = readAnswer({ ...recalled, asked: round.recalled.asked, plan }, merged, round.verified.conflicts, edges);
  const [first] = draft.claims;
  const same = again.claims[0]?.value === first?.value;
  return same && open(again) < open(draft) ? again : draft;
}
