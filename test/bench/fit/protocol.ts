import { featureNames } from "#main/query/ports.ts";
import type { Row } from "../recall-rows.ts";
import { fitSoftmax, type Sample } from "./softmax.ts";

/** How rankers are fitted and tested on rows of the first stage. */

/** Scores of a row's records, in its order; null where it was not tested. */
export type Scores = Float64Array | null;

export const columnsOf = (names: readonly string[]): number[] =>
  names.map((name) => featureNames.map(String).indexOf(name)).filter((column) => column >= 0);

export function scoresOf(row: Row, columns: readonly number[], weights: ArrayLike<number>): Float64Array {
  const width = featureNames.length;
  return Float64Array.from(row.ids, (_, record) =>
    columns.reduce((sum, column, a) => sum + (weights[a] ?? 0) * (row.values[record * width + column] ?? 0), 0),
  );
}

/** Share of the gold turns with a message among the first k; ties in the order of the dialogue. */
export function recallAt(row: Row, scores: ArrayLike<number>, k: number): number {
  const order = row.ids.map((_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const first = new Set(order.slice(0, k));
  return new Set(row.share.filter((_, at) => first.has(row.gold[at] ?? -1))).size / row.golds;
}

export interface FitOptions {
  readonly names: readonly string[];
  /** Ridge on standardised weights. */
  readonly l2: number;
  /** The least that a weight may be; the others stay as they are fitted beside it. */
  readonly least?: Readonly<Record<string, number>>;
  /** Rows of other data sets that are fitted with. */
  readonly beside?: readonly Sample[];
  /** The same dialogues in another form, as people type (perturb.ts): fitted with, and left out together. */
  readonly twins?: readonly Row[];
}

export function weightsOf(
  rows: readonly Row[],
  { names, l2, least = {}, beside = [], twins = [] }: FitOptions,
): Float64Array {
  const { weights } = fitSoftmax([...rows, ...twins, ...beside], featureNames.length, columnsOf(names), l2);
  return weights.map((weight, at) => Math.max(weight, least[names[at] ?? ""] ?? Number.NEGATIVE_INFINITY));
}

/** Weights of the features in `after`, at most `most`, fitted on `rows` beside the score of the others, which stand. */
export function weightsAfter(
  rows: readonly Row[],
  { names, l2, after }: FitOptions & { readonly after: readonly { readonly name: string; readonly most: number }[] },
  weights: ArrayLike<number>,
): number[] {
  const columns = columnsOf(after.map(({ name }) => name));
  const width = columns.length + 1;
  const samples = rows.map((row) => {
    const scores = scoresOf(row, columnsOf(names), weights);
    const values = new Float32Array(scores.length * width);
    scores.forEach((score, record) => {
      values[record * width] = score;
      columns.forEach((column, a) => {
        values[record * width + a + 1] = row.values[record * featureNames.length + column] ?? 0;
      });
    });
    return { values, gold: row.gold, share: row.share };
  });
  const [unit = 1, ...fitted] = fitSoftmax(samples, width, [...Array(width).keys()], l2).weights;
  return fitted.map((weight, at) => Math.min(weight / unit, after[at]?.most ?? weight));
}

/** Each dialogue of `rows`, and its twin, scored with weights fitted on all others of them. */
export function leaveOneOutOf(rows: readonly Row[], options: FitOptions): { rows: Scores[]; twins: Scores[] } {
  const columns = columnsOf(options.names);
  const twins = options.twins ?? [];
  const found = { rows: rows.map((): Scores => null), twins: twins.map((): Scores => null) };
  for (const left of new Set(rows.map(({ dialogue }) => dialogue))) {
    const others = (some: readonly Row[]) => some.filter(({ dialogue }) => dialogue !== left);
    const weights = weightsOf(others(rows), { ...options, twins: others(twins) });
    const score = (some: readonly Row[], scores: Scores[]) =>
      some.forEach((row, at) => {
        if (row.dialogue === left) scores[at] = scoresOf(row, columns, weights);
      });
    score(rows, found.rows);
    score(twins, found.twins);
  }
  return found;
}

export const leaveOneOut = (rows: readonly Row[], options: FitOptions): Scores[] => leaveOneOutOf(rows, options).rows;

/** `test` scored with weights fitted on `train`. */
export function transferred(train: readonly Row[], test: readonly Row[], options: FitOptions) {
  const weights = weightsOf(train, options);
  return { weights, scores: test.map((row) => scoresOf(row, columnsOf(options.names), weights)) };
}

/** Mean and bootstrap 95 % interval over questions, in per cent (1,000 draws, seeded). */
export function interval(values: readonly number[]): { mean: number; low: number; high: number } {
  let state = 12345;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const mean = (list: readonly number[]) =>
    (100 * list.reduce((sum, value) => sum + value, 0)) / Math.max(1, list.length);
  const draws = Array.from({ length: 1_000 }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).sort((a, b) => a - b);
  return { mean: mean(values), low: draws[25] ?? 0, high: draws[974] ?? 0 };
}

export interface Calibration {
  readonly a: number;
  readonly b: number;
  /** Expected calibration error over ten bins of equal width. */
  readonly ece: number;
  readonly bins: readonly { readonly said: number; readonly found: number; readonly count: number }[];
}

/** Platt's scaling of the score over that of the tenth record: p = σ(a·(s − s₁₀) + b), by Newton's method. */
export function calibrate(rows: readonly Row[], scores: readonly Scores[], test = { rows, scores }): Calibration {
  const points = pointsOf(rows, scores);
  let [a, b] = [1, -3];
  for (let round = 0; round < 30; round++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 1e-9, 0, 1e-9];
    for (const { x, y } of points) {
      const p = 1 / (1 + Math.exp(-(a * x + b)));
      const [error, weight] = [p - y, p * (1 - p)];
      ga += error * x;
      gb += error;
      haa += weight * x * x;
      hab += weight * x;
      hbb += weight;
    }
    const determinant = haa * hbb - hab * hab;
    a -= Math.max(-1, Math.min(1, (hbb * ga - hab * gb) / determinant));
    b -= Math.max(-1, Math.min(1, (haa * gb - hab * ga) / determinant));
  }
  const bins = Array.from({ length: 10 }, () => ({ said: 0, found: 0, count: 0 }));
  const tested = pointsOf(test.rows, test.scores);
  for (const { x, y } of tested) {
    const p = 1 / (1 + Math.exp(-(a * x + b)));
    const bin = bins[Math.min(9, Math.floor(p * 10))];
    if (!bin) continue;
    bin.said += p;
    bin.found += y;
    bin.count++;
  }
  const ece = bins.reduce((sum, { said, found }) => sum + Math.abs(said - found), 0) / Math.max(1, tested.length);
  return {
    a,
    b,
    ece,
    bins: bins.map(({ said, found, count }) => ({
      said: said / Math.max(1, count),
      found: found / Math.max(1, count),
      count,
    })),
  };
}

/** Records of the first ranks with their distance to the tenth score: what the product gives probabilities to. */
const calibrated = 50;

function pointsOf(rows: readonly Row[], scores: readonly Scores[]): { x: number; y: number }[] {
  return rows.flatMap((row, at) => {
    const found = scores[at];
    if (!found) return [];
    const order = [...found.keys()].sort((a, b) => (found[b] ?? 0) - (found[a] ?? 0) || a - b);
    const tenth = found[order[9] ?? order.at(-1) ?? 0] ?? 0;
    return order
      .slice(0, calibrated)
      .map((record) => ({ x: (found[record] ?? 0) - tenth, y: row.gold.includes(record) ? 1 : 0 }));
  });
}
