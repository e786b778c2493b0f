import type { QueryPlan, RecordId } from "#contract";
import type { IndexedItem } from "#main/indexes/ports.ts";
import { addDays, dayNumber } from "../../views/language/index.ts";
import type { Features, QueryPorts, QuestionVectors } from "../ports.ts";
import { type Aim, aimOf, asksPicture } from "./aim.ts";
import { Evidence, type TableName } from "./evidence.ts";
import { Groups } from "./groups.ts";
import { LateInteraction, noLate } from "./late.ts";
import { Sessions } from "./sessions.ts";
import { subjectOf } from "./subject.ts";
import { noHits, type QuestionWord, type WordHits, WordMatcher } from "./words.ts";

/**
 * Interpretable features of the first stage, after the recall study (raw values, no scaling). They are computed for the
 * pool only, from what the index keeps of each record; no record is read.
 */

export interface FeatureInput {
  readonly plan: QueryPlan;
  readonly ports: QueryPorts;
  /** BM25 of full text, as far down as it was asked. */
  readonly textScores: ReadonlyMap<RecordId, number>;
  readonly vectors: QuestionVectors;
}

export class FeatureReader {
  readonly #input: FeatureInput;
  readonly #words: WordMatcher;
  readonly #sessions: Sessions;
  readonly #evidence: Evidence;
  readonly #late: LateInteraction;
  readonly #aim: Aim;
  /** The one person whom the question names, if it names one. */
  readonly #only: number | null;
  /** Of several persons the one that the question says first, unless both together do something. */
  readonly #subject: number | null;
  readonly #idfSum: number;
  readonly #softSum: number;
  /** Hits of one record and those beside it. */
  readonly #near: WordHits;

  constructor(input: FeatureInput) {
    this.#input = input;
    const { plan, ports, vectors } = input;
    this.#sessions = ports.sessions ?? new Sessions(ports.index);
    this.#words = new WordMatcher(plan, ports.index, vectors.words);
    this.#evidence = new Evidence(ports.index, vectors);
    this.#late = new LateInteraction(ports.index, plan, vectors.tokens);
    this.#aim = aimOf(plan);
    const named = plan.people.flatMap(({ personId }) => (personId === null ? [] : [personId]));
    this.#only = named.length === 1 ? (named[0] ?? null) : null;
    this.#subject = subjectOf(plan);
    // At least 1: a question of names and stop words alone must not blow BM25 up.
    this.#idfSum = Math.max(1, sum(this.#words.words.map(({ idf }) => idf)));
    this.#softSum = Math.max(1, sum(this.#words.words.map(({ softIdf }) => softIdf)));
    const count = this.#words.words.length;
    this.#near = { exact: new Float32Array(count), soft: new Float32Array(count) };
  }

  /** Idf-weighted share of the plan's terms that occur anywhere in the archive, 0–1. */
  get known(): number {
    const terms = this.#words.words.filter(({ term }) => term);
    const total = sum(terms.map(({ idf }) => idf));
    return total === 0 ? 1 : sum(terms.map(({ idf, known }) => (known ? idf : 0))) / total;
  }

  /** The question's words. */
  get words(): readonly QuestionWord[] {
    return this.#words.words;
  }

  has(table: TableName): boolean {
    return this.#evidence.has(table);
  }

  /** Members of the record's session, itself too. */
  members(id: RecordId): Int32Array {
    this.load([id]);
    return this.#sessions.members(id);
  }

  /** Rarity of every word by its stem, and whether it occurs at all. */
  get rarity(): ReadonlyMap<string, { idf: number; known: boolean }> {
    return new Map(this.#words.words.map(({ stem, idf, known }) => [stem, { idf, known }]));
  }

  /** Stems of words said within four turns of the record, each with the kernel's weight, 0–1. */
  around(id: RecordId): ReadonlyMap<string, number> {
    this.load([id]);
    this.#words.load([id, ...this.#sessions.place(id).beside]);
    this.#gather(id);
    const said = new Map<string, number>();
    for (const [at, { stem }] of this.#words.words.entries()) {
      const strength = this.#near.exact[at] ?? 0;
      if (strength > 0) said.set(stem, strength);
    }
    return said;
  }

  /** Session neighbours within `reach` turns of talk. */
  neighbours(id: RecordId): readonly RecordId[] {
    this.load([id]);
    return this.#sessions.place(id).beside;
  }

  item(id: RecordId): IndexedItem | undefined {
    const known = this.#sessions.item(id);
    if (known === undefined) this.load([id]);
    return known ?? this.#sessions.item(id);
  }

  load(ids: readonly RecordId[]): void {
    this.#sessions.load(ids);
  }

  /** Features of records; those that the index does not know are left out. */
  read(ids: readonly RecordId[]): Map<RecordId, Features> {
    this.load(ids);
    const [sessions, evidence, words] = [this.#sessions, this.#evidence, this.#words];
    const known = ids.filter((id) => sessions.item(id) !== undefined);
    const around = new Set(known);
    for (const id of known) for (const other of sessions.place(id).beside) around.add(other);
    words.load(around);
    evidence.load(known);
    const authored = this.#only !== null || this.#subject !== null;
    const people = authored ? this.#input.ports.records.personIdsOf(known) : new Map<RecordId, number[]>();
    const replies = this.#replies(known);
    const speakers = this.#speakers(known, people);
    const subjects = (id: RecordId) =>
      this.#subject === null || !people.has(id) ? 0 : people.get(id)?.[0] === this.#subject ? 1 : -1;
    const groups = new Groups(known, (id) => sessions.key(id));
    const bmMost = groups.most((id) => this.#bm(id));
    const mostOf = (table: TableName) =>
      evidence.has(table) ? groups.most((id) => evidence.cosine(table, id)) : () => 0;
    const [saidMost, contextMost] = [mostOf("said"), mostOf("context")];
    const late = this.#late.read(known, (id) => sessions.place(id));
    const aim = this.#aim;
    const windows = telling(this.#input.plan);
    const shown = asksPicture(this.#input.plan);
    const found = new Map<RecordId, Features>();
    for (const [at, id] of known.entries()) {
      const item = sessions.item(id);
      const { opens, asking } = sessions.place(id);
      const names = item?.names ?? 0;
      const row = words.row(id);
      this.#gather(id);
      const { late_rare, late_near } = late.get(id) ?? noLate;
      found.set(id, {
        cov: this.#termsSaid(row),
        cov_all: this.#covered(words.hits.exact, row, "idf"),
        near: this.#covered(this.#near.exact, 0, "idf"),
        soft: this.#covered(words.hits.soft, row, "softIdf"),
        soft_near: this.#covered(this.#near.soft, 0, "softIdf"),
        bm: this.#bm(id),
        bm_smax: bmMost(at),
        reply: replies.get(id) ?? 0,
        spk: speakers.get(id) ?? 0,
        subject: subjects(id),
        win: windowScore(windows, item?.day ?? null),
        when_temp: aim === "when" ? (item?.temporal ?? 0) : 0,
        first: item?.session !== null && opens ? 1 : 0,
        prevq: asking === undefined ? 0 : 1,
        asks: item?.endsWithQuestion ? 1 : 0,
        brief: item === undefined ? 0 : briefness(item),
        shows: shown && item?.pictured ? 1 : 0,
        names,
        what_names: aim === "what" ? names : 0,
        where_names: aim === "where" ? names : 0,
        name_names: aim === "name" ? names : 0,
        cos: evidence.cosine("said", id),
        cos_smax: saidMost(at),
        cos_common: evidence.common("said", id),
        context: evidence.cosine("context", id),
        context_smax: contextMost(at),
        e5: evidence.cosine("e5", id),
        e5_common: evidence.common("e5", id),
        late_rare,
        late_near,
      });
    }
    return found;
  }

  /** What is said in the question that each record is an answer to: by another person, within one turn of talk before it. */
  #replies(ids: readonly RecordId[]): Map<RecordId, number> {
    const asked = new Map<RecordId, { by: RecordId; said: number }>();
    for (const id of ids) {
      const by = this.#sessions.place(id).asking;
      const said = by === undefined ? 0 : this.#covered(this.#words.hits.soft, this.#words.row(by), "softIdf");
      if (by !== undefined && said > 0) asked.set(id, { by, said });
    }
    const people = this.#input.ports.records.personIdsOf([...asked].flatMap(([id, { by }]) => [id, by]));
    const replies = new Map<RecordId, number>();
    for (const [id, { by, said }] of asked) if (people.get(by)?.[0] !== people.get(id)?.[0]) replies.set(id, said);
    return replies;
  }

  #bm(id: RecordId): number {
    return (this.#input.textScores.get(id) ?? 0) / this.#idfSum;
  }

  /** Share of the question that is said in the row of hits that begins at `row` times as many as there are words. */
  #covered(hits: Float32Array, row: number, weight: "idf" | "softIdf"): number {
    const { words } = this.#words;
    const start = row * words.length;
    let covered = 0;
    for (let at = 0; at < words.length; at++) covered += (words[at]?.[weight] ?? 0) * (hits[start + at] ?? 0);
    return covered / (weight === "idf" ? this.#idfSum : this.#softSum);
  }

  /** Idf-weighted share of the plan's terms, 0–1; words that only ask are none. */
  #termsSaid(row: number): number {
    const { words, hits } = this.#words;
    let [said, total] = [0, 0];
    for (let at = 0; at < words.length; at++) {
      const word = words[at];
      if (!word?.term) continue;
      total += word.idf;
      said += word.idf * (hits.exact[row * words.length + at] ?? 0);
    }
    return total === 0 ? 0 : said / total;
  }

  /** Hits of the record and its neighbours within four turns, each with the kernel's weight. */
  #gather(id: RecordId): void {
    const { hits, words } = this.#words;
    const { exact, soft } = this.#near;
    const own = this.#words.row(id) * words.length;
    for (let at = 0; at < words.length; at++) {
      exact[at] = hits.exact[own + at] ?? 0;
      soft[at] = hits.soft[own + at] ?? 0;
    }
    const { beside, weights } = this.#sessions.place(id);
    for (let nth = 0; nth < beside.length; nth++) {
      const row = this.#words.row(beside[nth] ?? id);
      if (row === noHits) continue;
      const [start, weight] = [row * words.length, weights[nth] ?? 0];
      for (let at = 0; at < words.length; at++) {
        exact[at] = Math.max(exact[at] ?? 0, weight * (hits.exact[start + at] ?? 0));
        soft[at] = Math.max(soft[at] ?? 0, weight * (hits.soft[start + at] ?? 0));
      }
    }
  }

  /** +1 for records of the one person whom the question names, −1 for those of others, 0 where nobody is named or several are. */
  #speakers(ids: readonly RecordId[], people: ReadonlyMap<RecordId, readonly number[]>): Map<RecordId, number> {
    const only = this.#only;
    if (only === null) return new Map();
    return new Map(
      ids.map((id) => {
        const [author, ...others] = people.get(id) ?? [];
        if (author === only) return [id, 1];
        // Being among the receivers of a mail is half as good as having written it.
        return [
          id,
          others.includes(only) && this.#sessions.item(id)?.kind !== "message" ? 0.5 : author === undefined ? 0 : -1,
        ];
      }),
    );
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A message with this many words may say something by itself; development, typed chats: 3 to 8 do as well as 4. */
const wordsEnough = 4;

/** How much is missing from a message to say something: 1 for a smiley, 0 from four words on, for pictures and for all else. */
function briefness({ kind, pictured, words }: IndexedItem): number {
  return kind !== "message" || pictured ? 0 : Math.max(0, 1 - words / wordsEnough);
}

/** Days before an "as of" in which it is mostly told: the month, where it names one. */
const asOfDays = 30;

/**
 * The times that records are ranked by. What held as of a day was mostly said about then; the plan's own window for it
 * reaches back over all of the archive, and tells no record apart.
 */
export function telling({ asOf, windows }: QueryPlan): QueryPlan["windows"] {
  return asOf === null ? windows : [{ from: addDays(asOf, -asOfDays), to: asOf, text: "" }];
}

/** R12 `win`: 1 inside a window, e^(−days/10) after it (things are told afterwards), half of e^(−days/5) before; the maximum. */
export function windowScore(windows: QueryPlan["windows"], day: string | null): number {
  if (day === null) return 0;
  let best = 0;
  for (const { from, to } of windows) {
    if (day >= from && day <= to) return 1;
    const after = day > to;
    const distance = after ? dayNumber(day) - dayNumber(to) : dayNumber(from) - dayNumber(day);
    best = Math.max(best, after ? Math.exp(-distance / 10) : 0.5 * Math.exp(-distance / 5));
  }
  return best;
}
