import type { QueryPlan, RecordId } from "#contract";
import type { IndexedItem, IndexReader } from "#main/indexes/ports.ts";
import { dayNumber, fold, germanPrefix, stem } from "../../views/language/index.ts";
import type { Features, QueryPorts } from "../ports.ts";

/**
 * Interpretable features of the first stage, after the recall study's R12 (raw values, no scaling). They need the postings
 * of the question's terms and the order of sessions, never the text of a record.
 */

/** Kernel over the distance inside a session (R12: 1, .8, .65, .5, .4). */
const kernel = [1, 0.8, 0.65, 0.5, 0.4] as const;
/** Postings of one term that are read; a term met more often tells nothing apart. */
const postingLimit = 20_000;
/** Members of one session that are looked at. */
const sessionLimit = 2_000;

interface Term {
  readonly stem: string;
  readonly idf: number;
  readonly records: ReadonlySet<RecordId>;
  /** More records than were read have it. */
  readonly cut: boolean;
}

export interface FeatureInput {
  readonly plan: QueryPlan;
  readonly ports: QueryPorts;
  /** BM25 of full text, as far down as it was asked. */
  readonly textScores: ReadonlyMap<RecordId, number>;
  readonly question: Float32Array | null;
}

/** Full-text expression of one term: its stem, and in German every word that begins like it. */
export function termExpression(index: IndexReader, term: string, plan: QueryPlan): string | null {
  return index.expression([term], plan.language === "de" ? { prefixes: [germanPrefix(fold(term))] } : {});
}

export class FeatureReader {
  readonly #input: FeatureInput;
  readonly #terms: readonly Term[];
  readonly #idfSum: number;
  readonly #sessions = new Map<string, { items: readonly IndexedItem[]; at: Map<RecordId, number> }>();
  readonly #cosines = new Map<RecordId, number>();
  readonly #items = new Map<RecordId, IndexedItem>();
  readonly #bmMaximum = new Map<string, number>();

  constructor(input: FeatureInput) {
    this.#input = input;
    const { plan, ports } = input;
    const total = Math.max(1, ports.index.status().text.done);
    const stems = new Map(plan.terms.map((term) => [stem(fold(term)), term]));
    this.#terms = [...stems].flatMap(([root, term]) => {
      const match = termExpression(ports.index, term, plan);
      if (match === null) return [];
      const ids = ports.index.matching(match, postingLimit);
      const df = ids.length;
      const idf = Math.log(1 + (total - df + 0.5) / (df + 0.5));
      return [{ stem: root, idf, records: new Set(ids), cut: df === postingLimit }];
    });
    // At least 1: a question of names and stop words alone must not blow BM25 up.
    this.#idfSum = Math.max(
      1,
      this.#terms.reduce((sum, { idf }) => sum + idf, 0),
    );
  }

  /** Idf-weighted share of the question's terms that occur anywhere in the archive, 0–1. */
  get known(): number {
    const known = this.#terms.filter(({ records }) => records.size > 0).reduce((sum, { idf }) => sum + idf, 0);
    return this.#terms.length === 0 ? 1 : known / this.#idfSum;
  }

  /** Rarity of every term by its stem, and whether it occurs at all. */
  get rarity(): ReadonlyMap<string, { idf: number; known: boolean }> {
    return new Map(this.#terms.map(({ stem: root, idf, records }) => [root, { idf, known: records.size > 0 }]));
  }

  /** Stems of terms said within four turns of the record, each with the kernel's weight, 0–1. */
  around(id: RecordId): ReadonlyMap<string, number> {
    const said = new Map<string, number>();
    const place = this.#place(id);
    for (const { stem: root, records } of this.#terms) {
      const weight = records.has(id) ? 1 : this.#nearest(place, records);
      if (weight > 0) said.set(root, weight);
    }
    return said;
  }

  /** Session neighbours up to `radius` turns away. */
  neighbours(id: RecordId, radius: number): RecordId[] {
    this.load([id]);
    const place = this.#place(id);
    if (!place) return [];
    return place.items
      .slice(Math.max(0, place.at - radius), place.at + radius + 1)
      .map(({ recordId }) => recordId)
      .filter((other) => other !== id);
  }

  item(id: RecordId): IndexedItem | undefined {
    this.load([id]);
    return this.#items.get(id);
  }

  /** Features of records; those that the index does not know are left out. */
  read(ids: readonly RecordId[]): Map<RecordId, Features> {
    this.load(ids);
    const known = ids.filter((id) => this.#items.has(id));
    const previous = known.flatMap((id) => this.#shifted(id, -1)?.recordId ?? []);
    this.#loadCosines([...known, ...previous]);
    const people = this.#speakers(known);
    const sessionCosine = new Map<string, number>();
    for (const id of known) {
      const key = this.#sessionKey(id);
      sessionCosine.set(key, Math.max(sessionCosine.get(key) ?? -1, this.#cosines.get(id) ?? 0));
    }
    return new Map(
      known.map((id) => {
        const item = this.#items.get(id);
        const before = this.#shifted(id, -1);
        return [
          id,
          {
            ...this.#coverage(id),
            bm: this.#bm(id),
            bm_smax: this.#bmMaximum.get(this.#sessionKey(id)) ?? this.#bm(id),
            spk: people.get(id) ?? 0,
            win: windowScore(this.#input.plan.windows, item?.day ?? null),
            when_temp: this.#input.plan.answerType === "date" ? (item?.temporal ?? 0) : 0,
            first: item?.session !== null && before === undefined ? 1 : 0,
            prevq: before?.hasQuestion ? 1 : 0,
            cos: this.#cosines.get(id) ?? 0,
            cos_smax: sessionCosine.get(this.#sessionKey(id)) ?? 0,
            cos_prev: before ? (this.#cosines.get(before.recordId) ?? 0) : 0,
          },
        ];
      }),
    );
  }

  /** Reads places and sessions of records in one go; what follows about them needs no more reading. */
  load(ids: readonly RecordId[]): void {
    const { index } = this.#input.ports;
    const missing = ids.filter((id) => !this.#items.has(id));
    if (missing.length === 0) return;
    for (const [id, item] of index.items(missing)) {
      this.#items.set(id, item);
      if (item.session === null || this.#sessions.has(item.session)) continue;
      const items = index.session(item.session, sessionLimit);
      this.#sessions.set(item.session, { items, at: new Map(items.map(({ recordId }, at) => [recordId, at])) });
      for (const member of items) {
        this.#items.set(member.recordId, member);
        const bm = this.#bm(member.recordId);
        this.#bmMaximum.set(item.session, Math.max(this.#bmMaximum.get(item.session) ?? 0, bm));
      }
    }
  }

  #loadCosines(ids: readonly RecordId[]): void {
    const { question, ports } = this.#input;
    const missing = ids.filter((id) => !this.#cosines.has(id));
    if (question === null || missing.length === 0) return;
    for (const [id, vectors] of ports.index.vectorsOf(missing)) {
      // s_i(q): the best of a record's views (GraphMemix, multi-view retrieval).
      this.#cosines.set(id, Math.max(...vectors.map(({ vector }) => cosine(question, vector))));
    }
  }

  #sessionKey(id: RecordId): string {
    return this.#items.get(id)?.session ?? `record ${id}`;
  }

  #place(id: RecordId): { items: readonly IndexedItem[]; at: number } | undefined {
    const session = this.#sessions.get(this.#items.get(id)?.session ?? "");
    const at = session?.at.get(id);
    return session === undefined || at === undefined ? undefined : { items: session.items, at };
  }

  #shifted(id: RecordId, by: number): IndexedItem | undefined {
    const place = this.#place(id);
    return place?.items[place.at + by];
  }

  #bm(id: RecordId): number {
    return (this.#input.textScores.get(id) ?? 0) / this.#idfSum;
  }

  /** cov: idf coverage of the terms by the record itself; near: by it and its neighbours within four turns, with the kernel. */
  #coverage(id: RecordId): { cov: number; near: number } {
    if (this.#terms.length === 0) return { cov: 0, near: 0 };
    const place = this.#place(id);
    let cov = 0;
    let near = 0;
    for (const { idf, records } of this.#terms) {
      const own = records.has(id);
      if (own) cov += idf;
      near += idf * (own ? 1 : this.#nearest(place, records));
    }
    return { cov: cov / this.#idfSum, near: near / this.#idfSum };
  }

  /** Kernel weight of the nearest neighbour among these records; 0 when none is within four turns. */
  #nearest(place: { items: readonly IndexedItem[]; at: number } | undefined, records: ReadonlySet<RecordId>): number {
    for (let distance = 1; place && distance < kernel.length; distance++) {
      const [before, after] = [place.items[place.at - distance], place.items[place.at + distance]];
      if ((before && records.has(before.recordId)) || (after && records.has(after.recordId)))
        return kernel[distance] ?? 0;
    }
    return 0;
  }

  /** +1 for records of the one person whom the question names, −1 for those of others, 0 where nobody is named or several are. */
  #speakers(ids: readonly RecordId[]): Map<RecordId, number> {
    const named = this.#input.plan.people.flatMap(({ personId }) => (personId === null ? [] : [personId]));
    const [only] = named;
    if (named.length !== 1 || only === undefined) return new Map();
    const people = this.#input.ports.records.personIdsOf(ids);
    return new Map(
      ids.map((id) => {
        const [author, ...others] = people.get(id) ?? [];
        if (author === only) return [id, 1];
        // Being among the receivers of a mail is half as good as having written it.
        return [
          id,
          others.includes(only) && this.#items.get(id)?.kind !== "message" ? 0.5 : author === undefined ? 0 : -1,
        ];
      }),
    );
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  const length = Math.min(a.length, b.length);
  let sum = 0;
  for (let at = 0; at < length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
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
