import type { QueryPlan, RecordId } from "#contract";
import { fold, germanPrefix, stem, translationWorth, wordsOf } from "../../views/language/index.ts";
import { withinLimits } from "../plan/limits.ts";
import type { QueryPorts, QuestionVectors } from "../ports.ts";
import { countTerm } from "./asked.ts";
import { FeatureReader, telling } from "./features.ts";
import { liveOf } from "./live.ts";
import { otherWordsOf } from "./otherwise.ts";
import { picturesLike, type Sight } from "./sight.ts";

/**
 * Records that may answer, from every source there is: the ranker looks at these and no others. Sources that are dear to
 * widen (full text, vectors) give the first ones; what stands around the best of them fills up the rest.
 */

const limits = {
  /** Records of a pool. */
  pool: 400,
  text: 200,
  /** Matches that BM25 may be worked out for (2 ms a thousand), and how many rarer terms have to bring. */
  scored: 12_000,
  enough: 1_000,
  /** Best of full text that come in whatever else there is. */
  textFirst: 120,
  /** By each encoder, and by one that is alone. */
  vectors: 80,
  vectorsAlone: 160,
  windows: 6,
  pictures: 40,
  inWindow: 80,
  byPerson: 80,
  /** Words that mean nearly what is asked: how many of them, how alike, and records by them. */
  alikeWords: 16,
  alike: 0.62,
  byAlike: 60,
  /** Hits whose neighbours come into the pool. */
  neighboursOf: 50,
  /** Sessions that come in whole, and how long they may be. */
  sessions: 6,
  sessionLength: 60,
  /** Below this many hits words are also taken as beginnings of words. */
  fewHits: 12,
} as const;

export interface Pool {
  /** Live records that the plan lets through, in the order in which the sources gave them. */
  readonly ids: readonly RecordId[];
  readonly reader: FeatureReader;
  /** How many each source gave. */
  readonly sources: Readonly<Record<string, number>>;
  /** Pictures with a label that means what is asked for. */
  readonly seen: ReadonlyMap<RecordId, Sight>;
}

export function poolOf(plan: QueryPlan, ports: QueryPorts, vectors: QuestionVectors): Pool {
  const { index, records } = ports;
  const sources: Record<string, number> = {};
  const pool = new Set<RecordId>();
  const take = (source: string, ids: readonly RecordId[]) => {
    sources[source] = (sources[source] ?? 0) + ids.length;
    for (const id of ids) if (pool.size < limits.pool) pool.add(id);
  };
  const textScores = searchText(plan, ports);
  const byText = [...textScores.keys()];
  const reader = new FeatureReader({ plan, ports, textScores, vectors });
  take("text", byText.slice(0, limits.textFirst));
  const near = nearestOf(ports, vectors);
  for (const hits of near) take("vectors", hits);
  const seen = picturesLike(vectors.seen ?? vectors.text, index);
  take("tags", [...seen.keys()]);
  if (vectors.picture !== null) {
    const alike = index.searchPictures(vectors.picture, limits.pictures);
    take(
      "pictures",
      alike.map(({ recordId }) => recordId),
    );
  }
  for (const { from, to } of telling(plan).slice(0, limits.windows)) take("time", inWindow(plan, ports, from, to));
  if (plan.terms.length === 0 || pool.size < limits.fewHits) {
    for (const { personId } of plan.people) {
      if (personId !== null) take("people", records.byPerson(personId, limits.byPerson));
    }
  }
  if (plan.terms.length === 0 && plan.windows.length === 0 && plan.kinds.length > 0) {
    const { records: listed } = records.list({ kinds: [...plan.kinds] }, 0, limits.pool);
    take(
      "kinds",
      listed.map(({ id }) => id),
    );
  }
  take("alike", byWordsAlike(reader, ports));
  const best = bestOf([byText, ...near]);
  reader.load(best);
  take(
    "neighbours",
    best.flatMap((id) => reader.neighbours(id)),
  );
  take("sessions", sessionsOf(reader, best));
  take("text", byText.slice(limits.textFirst));
  const live = withinLimits(plan, records, liveOf(ports, [...pool]));
  return { ids: ofKinds(plan, reader, live), reader, sources, seen };
}

/** By each encoder that is searched, nearest first. */
function nearestOf({ index }: QueryPorts, vectors: QuestionVectors): RecordId[][] {
  const { text } = vectors;
  const wanted = (vectors.more?.size ?? 0) > 0 ? limits.vectors : limits.vectorsAlone;
  const found = text === null ? [] : [index.searchVectors(text, wanted)];
  for (const [model, vector] of vectors.more ?? []) found.push(index.searchVectors(vector, limits.vectors, { model }));
  return found.map((hits) => hits.map(({ recordId }) => recordId));
}

/** Turn by turn from each list, each once. */
function bestOf(lists: readonly (readonly RecordId[])[]): RecordId[] {
  const best = new Set<RecordId>();
  for (let at = 0; best.size < limits.neighboursOf && lists.some((list) => at < list.length); at++) {
    for (const list of lists) {
      const id = list[at];
      if (id !== undefined && best.size < limits.neighboursOf) best.add(id);
    }
  }
  return [...best];
}

/** Records with words that mean nearly what is asked, by full text. */
function byWordsAlike(reader: FeatureReader, { index }: QueryPorts): RecordId[] {
  const near = reader.words
    .flatMap(({ alike, softIdf }) => alike.map((one) => ({ ...one, weight: softIdf * one.similarity })))
    .filter(({ similarity }) => similarity >= limits.alike)
    .sort((a, b) => b.weight - a.weight || (a.stem < b.stem ? -1 : 1))
    .slice(0, limits.alikeWords);
  const match = index.expression(near.map(({ stem: root }) => root));
  return match === null ? [] : index.searchText(match, limits.byAlike).map(({ recordId }) => recordId);
}

/** Members of the sessions that most of the best records stand in. */
function sessionsOf(reader: FeatureReader, best: readonly RecordId[]): RecordId[] {
  const counts = new Map<string, { members: Int32Array; count: number }>();
  for (const id of best) {
    const session = reader.item(id)?.session ?? null;
    if (session === null) continue;
    const known = counts.get(session);
    if (known) known.count++;
    else counts.set(session, { members: reader.members(id), count: 1 });
  }
  return [...counts.values()]
    .filter(({ members }) => members.length <= limits.sessionLength)
    .sort((a, b) => b.count - a.count)
    .slice(0, limits.sessions)
    .flatMap(({ members }) => [...members]);
}

/**
 * What full text is asked for: all terms and names, unless they stand in more records than may be scored. Then the commonest
 * are left to the ranker, as long as the rarer ones bring enough: what has only common words of the question is no match.
 */
function termsSearched(plan: QueryPlan, index: QueryPorts["index"]): string[] {
  const terms = [...plan.terms, ...plan.people.map(({ name }) => name)];
  const counted = terms.map((term, at) => ({ term, at, records: countTerm(index, term, plan) }));
  let all = counted.reduce((sum, { records }) => sum + records, 0);
  const left = new Set<number>();
  for (const { at, records } of counted.toSorted((a, b) => b.records - a.records)) {
    if (all <= limits.scored || all - records < limits.enough) break;
    all -= records;
    left.add(at);
  }
  return terms.filter((_, at) => !left.has(at));
}

/** What the words themselves find, and what the other language calls them. */
export function searchText(plan: QueryPlan, ports: QueryPorts): Map<RecordId, number> {
  const scores = searchTerms(plan, ports);
  const others = translated(plan, ports);
  if (others.length === 0) return scores;
  for (const { match, share } of others)
    for (const { recordId, score } of ports.index.searchText(match, limits.text))
      scores.set(recordId, (scores.get(recordId) ?? 0) + share * score);
  return new Map([...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]));
}

/**
 * Full-text expressions of the terms in the other language, and what their BM25 counts: always less than the word itself,
 * however rare its translation is. Those that stand in more records than may be scored are left out.
 */
function translated(plan: QueryPlan, { index }: QueryPorts): { match: string; share: number }[] {
  const total = Math.max(1, index.status().text.done);
  const terms = new Map(plan.terms.flatMap((term) => wordsOf(term).map(({ folded, text }) => [stem(folded), text])));
  const idf = (records: number) => Math.log(1 + (Math.max(0, total - records) + 0.5) / (records + 0.5));
  return [...otherWordsOf(plan, index)].flatMap(([root, { match, records }]) => {
    const text = terms.get(root);
    if (text === undefined || match === null || records > limits.scored / 4) return [];
    const said = countTerm(index, text, plan);
    const share = translationWorth.whole * Math.min(1, idf(Math.max(said, records)) / idf(records));
    return [{ match, share }];
  });
}

/** OR over the terms and the names; too few hits: words count as beginnings too. */
function searchTerms(plan: QueryPlan, { index }: QueryPorts): Map<RecordId, number> {
  const terms = termsSearched(plan, index);
  const kept = plan.terms.filter((term) => terms.includes(term));
  const german = plan.language === "de" ? kept.map((term) => germanPrefix(fold(term))) : [];
  const match = index.expression(terms, { prefixes: german });
  if (match === null) return new Map();
  const hits = index.searchText(match, limits.text);
  if (hits.length < limits.fewHits) {
    const open = index.expression(terms, { prefixes: plan.terms.map((term) => stem(fold(term))) });
    const known = new Set(hits.map(({ recordId }) => recordId));
    if (open !== null) hits.push(...index.searchText(open, limits.text).filter(({ recordId }) => !known.has(recordId)));
  }
  return new Map(hits.map(({ recordId, score }) => [recordId, score]));
}

function inWindow(plan: QueryPlan, { records }: QueryPorts, from: string, to: string): RecordId[] {
  if (plan.kinds.length === 0) return records.inWindow(from, to, limits.inWindow);
  // Where nothing but the kind is asked for, all of that time are it.
  const wanted = plan.terms.length === 0 ? limits.pool : limits.inWindow;
  return records.list({ from, to, kinds: [...plan.kinds] }, 0, wanted).records.map(({ id }) => id);
}

/** Only the kinds asked for, when there are any of them; never what an application wrote. */
function ofKinds(plan: QueryPlan, reader: FeatureReader, ids: readonly RecordId[]): RecordId[] {
  reader.load(ids);
  const said = ids.filter((id) => reader.item(id)?.kind !== "system");
  if (plan.kinds.length === 0) return said;
  const asked = said.filter((id) => {
    const kind = reader.item(id)?.kind;
    return kind !== undefined && plan.kinds.includes(kind);
  });
  return asked.length > 0 ? asked : said;
}
