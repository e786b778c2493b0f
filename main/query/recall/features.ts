import type { QueryPlan, RecordId } from "#contract";
import type { IndexedItem } from "#main/indexes/ports.ts";
import { addDays, dayNumber } from "../../views/language/index.ts";
import type { Features, QueryPorts, QuestionVectors } from "../ports.ts";
import { type Aim, aimOf, asksPicture } from "./aim.ts";
import { Evidence, type TableName } from "./evidence.ts";
import { LateInteraction, noLate } from "./late.ts";
import { Sessions } from "./sessions.ts";
import { type Hits, type QuestionWord, type WordHits, WordMatcher } from "./words.ts";

/**
 * Interpretable features of the first stage, after the recall study (raw values, no scaling). They are computed for the
 * pool only, from what the index keeps of each record; no record is read.
 */

/** Kernel over the distance inside a session, as far as `reach` (R12: 1, .8, .65, .5, .4). */
const kernel = [1, 0.8, 0.65, 0.5, 0.4] as const;

/** The kernel between whole turns: people write in pieces. */
function kernelAt(distance: number): number {
  const below = Math.floor(distance);
  const [low, high] = [kernel[below] ?? 0, kernel[below + 1] ?? kernel.at(-1) ?? 0];
  return low + (distance - below) * (high - low);
}

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
  readonly #idfSum: number;
  readonly #softSum: number;

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
    // At least 1: a question of names and stop words alone must not blow BM25 up.
    this.#idfSum = Math.max(1, sum(this.#words.words.map(({ idf }) => idf)));
    this.#softSum = Math.max(1, sum(this.#words.words.map(({ softIdf }) => softIdf)));
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
    this.#words.load([id, ...this.#sessions.neighbours(id)]);
    const near = this.#near(id).exact;
    return new Map(
      this.#words.words.flatMap(({ stem }, at) => ((near[at] ?? 0) > 0 ? [[stem, near[at] ?? 0] as const] : [])),
    );
  }

  /** Session neighbours within `reach` turns of talk. */
  neighbours(id: RecordId): RecordId[] {
    this.load([id]);
    return this.#sessions.neighbours(id);
  }

  item(id: RecordId): IndexedItem | undefined {
    this.load([id]);
    return this.#sessions.item(id);
  }

  load(ids: readonly RecordId[]): void {
    this.#sessions.load(ids);
  }

  /** Features of records; those that the index does not know are left out. */
  read(ids: readonly RecordId[]): Map<RecordId, Features> {
    this.load(ids);
    const sessions = this.#sessions;
    const evidence = this.#evidence;
    const known = ids.filter((id) => sessions.item(id) !== undefined);
    const around = new Set(known);
    const meant = new Set(known);
    for (const id of known) {
      for (const { recordId } of sessions.beside(id)) around.add(recordId);
      for (const { recordId } of sessions.before(id)) meant.add(recordId);
    }
    this.#words.load([...around]);
    const askedBy = (id: RecordId) => sessions.before(id).find(({ hasQuestion }) => hasQuestion)?.recordId;
    evidence.load([...meant]);
    const answering = known.filter((id) => askedBy(id) !== undefined);
    const asking = answering.flatMap((id) => askedBy(id) ?? []);
    const everyone = this.#input.ports.records.personIdsOf([
      ...new Set([...(this.#only === null ? answering : known), ...asking]),
    ]);
    const people = this.#speakers(known, everyone);
    const most = (of: (id: RecordId) => number) => this.#sessionMaximum(known, of);
    const bmMost = most((id) => this.#bm(id));
    const mostOf = (table: TableName) =>
      evidence.has(table) ? most((id) => evidence.cosine(table, id)) : new Map<string, number>();
    const [saidMost, contextMost, e5Most] = [mostOf("said"), mostOf("context"), mostOf("e5")];
    const late = this.#late.read(known, (id) =>
      sessions.beside(id).map(({ recordId, distance }) => ({ id: recordId, weight: kernelAt(distance) })),
    );
    const aim = this.#aim;
    const windows = telling(this.#input.plan);
    const shown = asksPicture(this.#input.plan);
    return new Map(
      known.map((id) => {
        const item = sessions.item(id);
        const last = sessions.before(id);
        const asked = askedBy(id);
        const session = sessions.key(id);
        const at = (table: TableName, other: RecordId) => evidence.cosine(table, other);
        const mostBefore = (table: TableName) =>
          !evidence.has(table)
            ? 0
            : last.reduce((most, { recordId }) => Math.max(most, evidence.cosine(table, recordId)), 0);
        const names = item?.names ?? 0;
        const hits = this.#words.of(id);
        const near = this.#near(id);
        return [
          id,
          {
            cov: this.#termsSaid(hits?.exact),
            cov_all: this.#covered(hits?.exact, "idf"),
            near: this.#covered(near.exact, "idf"),
            soft: this.#covered(hits?.soft, "softIdf"),
            soft_near: this.#covered(near.soft, "softIdf"),
            bm: this.#bm(id),
            bm_smax: bmMost.get(session) ?? 0,
            reply:
              asked !== undefined && everyone.get(asked)?.[0] !== everyone.get(id)?.[0]
                ? this.#covered(this.#words.of(asked)?.soft, "softIdf")
                : 0,
            spk: people.get(id) ?? 0,
            win: windowScore(windows, item?.day ?? null),
            when_temp: aim === "when" ? (item?.temporal ?? 0) : 0,
            first: item?.session !== null && sessions.opens(id) ? 1 : 0,
            prevq: asked === undefined ? 0 : 1,
            prevq_bm: asked === undefined ? 0 : this.#bm(asked),
            asks: item?.endsWithQuestion ? 1 : 0,
            shows: shown && item?.pictured ? 1 : 0,
            names,
            what_names: aim === "what" ? names : 0,
            where_names: aim === "where" ? names : 0,
            name_names: aim === "name" ? names : 0,
            cos: at("said", id),
            cos_smax: saidMost.get(session) ?? 0,
            cos_prev: mostBefore("said"),
            context: at("context", id),
            context_smax: contextMost.get(session) ?? 0,
            e5: at("e5", id),
            e5_smax: e5Most.get(session) ?? 0,
            ...(late.get(id) ?? noLate),
          },
        ];
      }),
    );
  }

  #sessionMaximum(ids: readonly RecordId[], of: (id: RecordId) => number): Map<string, number> {
    const most = new Map<string, number>();
    for (const id of ids) {
      const key = this.#sessions.key(id);
      most.set(key, Math.max(most.get(key) ?? 0, of(id)));
    }
    return most;
  }

  #bm(id: RecordId): number {
    return (this.#input.textScores.get(id) ?? 0) / this.#idfSum;
  }

  #covered(hits: Hits | undefined, weight: "idf" | "softIdf"): number {
    if (hits === undefined || hits === this.#words.none[weight === "idf" ? "exact" : "soft"]) return 0;
    const { words } = this.#words;
    let covered = 0;
    for (let at = 0; at < words.length; at++) covered += (words[at]?.[weight] ?? 0) * (hits[at] ?? 0);
    return covered / (weight === "idf" ? this.#idfSum : this.#softSum);
  }

  /** Idf-weighted share of the plan's terms, 0–1; words that only ask are none. */
  #termsSaid(hits: Hits | undefined): number {
    let [said, total] = [0, 0];
    this.#words.words.forEach(({ term, idf }, at) => {
      if (!term) return;
      total += idf;
      said += idf * (hits?.[at] ?? 0);
    });
    return total === 0 ? 0 : said / total;
  }

  /** Hits of the record and its neighbours within four turns, each with the kernel's weight. */
  #near(id: RecordId): WordHits {
    const { none } = this.#words;
    const own = this.#words.of(id) ?? none;
    let near: WordHits | null = null;
    for (const { recordId, distance } of this.#sessions.beside(id)) {
      const hits = this.#words.of(recordId) ?? none;
      if (hits === none) continue;
      near ??= { exact: own.exact.slice(), soft: own.soft.slice() };
      const weight = kernelAt(distance);
      for (let at = 0; at < near.exact.length; at++) {
        near.exact[at] = Math.max(near.exact[at] ?? 0, weight * (hits.exact[at] ?? 0));
        near.soft[at] = Math.max(near.soft[at] ?? 0, weight * (hits.soft[at] ?? 0));
      }
    }
    return near ?? own;
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
