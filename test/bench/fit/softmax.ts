/**
 * Linear ranker by listwise softmax cross-entropy: every gold record of a question shares its mass (ListNet's top-one
 * probability, Cao et al., ICML 2007, §4), ridge on standardised weights, solved by Newton's method (the loss is convex).
 */

/** The pool of one question. */
export interface Sample {
  /** Records × features, row by row. */
  readonly values: Float32Array;
  /** Rows that answer the question; those of the gold that are not in the pool are missing here. */
  readonly gold: readonly number[];
  /** For each of `gold` which of the answer's turns it belongs to: any message of a turn is as good as the others. */
  readonly share: readonly number[];
}

export interface Fitted {
  /** Weights of raw values, in the order of the columns. */
  readonly weights: Float64Array;
  /** The same for standardised values: how much each moves the score. */
  readonly standard: Float64Array;
}

const iterations = 40;
/** Relative gain of the loss below which it is done. */
const tolerance = 1e-5;

/** `columns`: features that take part; `width`: features a row. Samples without gold say nothing and are left out. */
export function fitSoftmax(samples: readonly Sample[], width: number, columns: readonly number[], l2: number): Fitted {
  const told = samples.filter(({ gold }) => gold.length > 0);
  const size = columns.length;
  const { mean, deviation } = moments(told, width, columns);
  let weights = new Float64Array(size);
  let step = new Float64Array(size);
  let before = weights;
  let loss = Number.POSITIVE_INFINITY;
  for (let round = 0; round < iterations; round++) {
    const gradient = new Float64Array(size);
    const hessian = new Float64Array(size * size);
    let now = 0;
    for (const sample of told)
      now += accumulate(sample, { width, columns, mean, deviation, weights, gradient, hessian });
    for (const weight of weights) now += l2 * weight ** 2 * told.length;
    if (now > loss) {
      // Stepped too far: half as far from where it began.
      step = step.map((value) => value / 2);
      weights = before.map((weight, a) => weight - (step[a] ?? 0));
      continue;
    }
    if (loss - now < tolerance * now) break;
    loss = now;
    for (let a = 0; a < size; a++) {
      gradient[a] = (gradient[a] ?? 0) + 2 * l2 * (weights[a] ?? 0) * told.length;
      hessian[a * size + a] = (hessian[a * size + a] ?? 0) + 2 * l2 * told.length;
    }
    before = weights;
    step = solve(hessian, gradient);
    weights = before.map((weight, a) => weight - (step[a] ?? 0));
  }
  return { weights: weights.map((weight, a) => weight / (deviation[a] ?? 1)), standard: weights };
}

function moments(samples: readonly Sample[], width: number, columns: readonly number[]) {
  const mean = new Float64Array(columns.length);
  const square = new Float64Array(columns.length);
  let rows = 0;
  for (const { values } of samples) {
    for (let start = 0; start < values.length; start += width) {
      rows++;
      columns.forEach((column, a) => {
        const value = values[start + column] ?? 0;
        mean[a] = (mean[a] ?? 0) + value;
        square[a] = (square[a] ?? 0) + value * value;
      });
    }
  }
  const deviation = mean.map((total, a) => {
    const average = total / Math.max(1, rows);
    return Math.sqrt(Math.max(0, (square[a] ?? 0) / Math.max(1, rows) - average ** 2)) + 1e-6;
  });
  return { mean: mean.map((total) => total / Math.max(1, rows)), deviation };
}

interface Sums {
  readonly width: number;
  readonly columns: readonly number[];
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
  /** Lower triangle. */
  readonly hessian: Float64Array;
}

/** Adds one question's gradient and curvature; gives its loss. */
function accumulate({ values, gold, share }: Sample, sums: Sums): number {
  const { width, columns, mean, deviation, weights, gradient, hessian } = sums;
  const size = columns.length;
  const rows = values.length / width;
  const standard = new Float64Array(rows * size);
  const scores = new Float64Array(rows);
  let most = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row++) {
    let score = 0;
    for (let a = 0; a < size; a++) {
      const value = ((values[row * width + (columns[a] ?? 0)] ?? 0) - (mean[a] ?? 0)) / (deviation[a] ?? 1);
      standard[row * size + a] = value;
      score += value * (weights[a] ?? 0);
    }
    scores[row] = score;
    most = Math.max(most, score);
  }
  let total = 0;
  for (let row = 0; row < rows; row++) total += Math.exp((scores[row] ?? 0) - most);
  let loss = 0;
  // Mass of each turn of the gold: −log Σ p over its messages, each of which answers for its part of that sum.
  const turns = new Map<number, number>();
  gold.forEach((row, at) => {
    const turn = share[at] ?? 0;
    turns.set(turn, (turns.get(turn) ?? 0) + Math.exp((scores[row] ?? 0) - most));
  });
  for (const mass of turns.values()) loss -= (Math.log(Math.max(mass, 1e-300)) - Math.log(total)) / turns.size;
  gold.forEach((row, at) => {
    const mass = turns.get(share[at] ?? 0) ?? 0;
    const part = Math.exp((scores[row] ?? 0) - most) / Math.max(mass, 1e-300) / turns.size;
    for (let a = 0; a < size; a++) gradient[a] = (gradient[a] ?? 0) - part * (standard[row * size + a] ?? 0);
  });
  const expected = new Float64Array(size);
  for (let row = 0; row < rows; row++) {
    const p = Math.exp((scores[row] ?? 0) - most) / total;
    if (p < 1e-9) continue;
    const at = row * size;
    for (let a = 0; a < size; a++) {
      const value = p * (standard[at + a] ?? 0);
      expected[a] = (expected[a] ?? 0) + value;
      for (let b = 0; b <= a; b++) {
        hessian[a * size + b] = (hessian[a * size + b] ?? 0) + value * (standard[at + b] ?? 0);
      }
    }
  }
  for (let a = 0; a < size; a++) {
    gradient[a] = (gradient[a] ?? 0) + (expected[a] ?? 0);
    for (let b = 0; b <= a; b++) {
      hessian[a * size + b] = (hessian[a * size + b] ?? 0) - (expected[a] ?? 0) * (expected[b] ?? 0);
    }
  }
  return loss;
}

/** Solves a symmetric positive definite system by Cholesky's factorisation. */
export function solve(matrix: Float64Array, right: Float64Array): Float64Array<ArrayBuffer> {
  const size = right.length;
  const lower = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let value = matrix[a * size + b] ?? 0;
      for (let k = 0; k < b; k++) value -= (lower[a * size + k] ?? 0) * (lower[b * size + k] ?? 0);
      lower[a * size + b] = a === b ? Math.sqrt(Math.max(value, 1e-12)) : value / (lower[b * size + b] ?? 1);
    }
  }
  const found = Float64Array.from(right);
  for (let a = 0; a < size; a++) {
    for (let k = 0; k < a; k++) found[a] = (found[a] ?? 0) - (lower[a * size + k] ?? 0) * (found[k] ?? 0);
    found[a] = (found[a] ?? 0) / (lower[a * size + a] ?? 1);
  }
  for (let a = size - 1; a >= 0; a--) {
    for (let k = a + 1; k < size; k++) found[a] = (found[a] ?? 0) - (lower[k * size + a] ?? 0) * (found[k] ?? 0);
    found[a] = (found[a] ?? 0) / (lower[a * size + a] ?? 1);
  }
  return found;
}
