import type { QueryPlan, RecordId } from "#contract";
import type { IndexReader, TokenReading, TokenSigns } from "#main/indexes/ports.ts";
import { contentTokens, wordsOf } from "../../views/language/index.ts";
import { reporting } from "./asked.ts";
import type { Place } from "./sessions.ts";

/**
 * Late interaction: each content token of the question with the token of a record that is most like it in its place
 * (MaxSim; Khattab and Zaharia 2020, ColBERT, §3.3). Of records only signs are kept; the question's side stays in full, as
 * in binary passage retrieval's second stage (Yamada et al. 2021, §3): both sides as signs found nothing on the
 * development questions. Names of people are left out: who speaks is a feature of its own.
 */

const mostTokens = 32;
/** Likeness that all of the pool has says nothing: what counts is how far above this share of it (recall study). */
const share = 0.8;
/** Least distance that makes a full match: a token that nobody said has no best one (recall study). */
const leastSpan = 0.15;

export interface LateFeatures {
  /**
   * Mean over the question's tokens of the best likeness against the pool: 0 where it is no rarer than four in five records',
   * 1 for the best one.
   */
  readonly late_rare: number;
  /** `late_rare` of the record and its neighbours, each by the kernel's weight, the best of each token. */
  readonly late_near: number;
}
export const noLate: LateFeatures = { late_rare: 0, late_near: 0 };

/** How far above the rest a likeness begins to count, and over which span. */
interface Scale {
  readonly low: number;
  readonly span: number;
}

export class LateInteraction {
  readonly #index: Pick<IndexReader, "tokensOf">;
  readonly #model: string | null;
  readonly #tables: readonly Float32Array[];
  /** Of the first records read, which are the pool; those that come later are measured by it. */
  #scales: readonly Scale[] | null = null;
  readonly #rare = new Map<RecordId, readonly number[]>();

  constructor(
    index: Pick<IndexReader, "tokensOf">,
    plan: Pick<QueryPlan, "people">,
    readings: ReadonlyMap<string, TokenReading> = new Map(),
  ) {
    this.#index = index;
    // An archive keeps the tokens of one encoder.
    const [model, reading] = [...readings][0] ?? [null, null];
    this.#model = model;
    this.#tables = reading === null ? [] : questionTokens(reading, plan).map(signTable);
  }

  /**
   * Features of records, neighbours counted where they are among these or were read before. `place`: who stands near a
   * record, each with its weight.
   */
  read(
    ids: readonly RecordId[],
    place: (id: RecordId) => Pick<Place, "beside" | "weights">,
  ): Map<RecordId, LateFeatures> {
    if (this.#model === null || this.#tables.length === 0) return new Map();
    this.#load(
      ids.filter((id) => !this.#rare.has(id)),
      this.#model,
    );
    const found = new Map<RecordId, LateFeatures>();
    for (const id of ids) {
      const own = this.#rare.get(id) ?? [];
      const best = [...own];
      const { beside, weights } = place(id);
      for (let nth = 0; nth < beside.length; nth++) {
        const other = this.#rare.get(beside[nth] ?? id);
        if (other === undefined) continue;
        const weight = weights[nth] ?? 0;
        for (let at = 0; at < other.length; at++) best[at] = Math.max(best[at] ?? 0, weight * (other[at] ?? 0));
      }
      found.set(id, { late_rare: meanOf(own), late_near: meanOf(best) });
    }
    return found;
  }

  #load(ids: readonly RecordId[], model: string): void {
    if (ids.length === 0) return;
    const tokens = this.#index.tokensOf(ids, model);
    const rows = ids.map((id) => maxSims(this.#tables, tokens.get(id) ?? []));
    this.#scales ??= this.#tables.map((_, at) => scaleOf(rows.map((row) => row[at] ?? 0)));
    const scales = this.#scales;
    for (const [at, id] of ids.entries()) {
      const row = rows[at] ?? [];
      this.#rare.set(
        id,
        row.map((value, token) => {
          const { low, span } = scales[token] ?? { low: 0, span: 1 };
          return Math.min(1, Math.max(0, (value - low) / span));
        }),
      );
    }
  }
}

/** States of the question's content tokens; of one that has none but names and stop words, all. */
function questionTokens({ vector, words, states }: TokenReading, plan: Pick<QueryPlan, "people">): Float32Array[] {
  const names = plan.people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded));
  const without = new Set([...names, ...reporting]);
  const content = contentTokens(words, { most: mostTokens, without });
  const places = content.length > 0 ? content : [...words.keys()].slice(0, mostTokens);
  return places.map((at) => states.subarray(at * vector.length, (at + 1) * vector.length));
}

/**
 * What each byte of signs adds to the product of a state and a unit vector of signs, 256 values a byte: a product of 384
 * dimensions is 48 look-ups.
 */
export function signTable(state: Float32Array): Float32Array {
  const bytes = state.length >> 3;
  const table = new Float32Array(bytes * 256);
  const unit = 1 / Math.sqrt(state.length);
  for (let byte = 0; byte < bytes; byte++) {
    const start = byte * 256;
    for (let bit = 0; bit < 8; bit++) table[start] = (table[start] ?? 0) - (state[byte * 8 + bit] ?? 0) * unit;
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      table[start + value] = (table[start + (value & (value - 1))] ?? 0) + 2 * (state[byte * 8 + lowest] ?? 0) * unit;
    }
  }
  return table;
}

/** The best product of each table (`signTable`) with a record's tokens; 0 where it has none. */
export function maxSims(tables: readonly Float32Array[], pieces: readonly TokenSigns[]): number[] {
  const best: number[] = [];
  for (const table of tables) {
    let most = Number.NEGATIVE_INFINITY;
    for (const { signs, width } of pieces) {
      if (width * 256 !== table.length) continue;
      for (let start = 0; start < signs.length; start += width) {
        let sum = 0;
        for (let byte = 0; byte < width; byte++) sum += table[byte * 256 + (signs[start + byte] ?? 0)] ?? 0;
        if (sum > most) most = sum;
      }
    }
    best.push(Number.isFinite(most) ? most : 0);
  }
  return best;
}

function scaleOf(values: readonly number[]): Scale {
  const sorted = Float32Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const lower = sorted[below] ?? 0;
  const low = lower + (place - below) * ((sorted[below + 1] ?? lower) - lower);
  return { low, span: Math.max((sorted.at(-1) ?? 0) - low, leastSpan) };
}

function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / Math.max(1, values.length);
}
