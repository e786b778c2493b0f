/** Rows of like length that go through a model together; `positions` are their places in the caller's list. */
export interface Batch<Row> {
  readonly positions: readonly number[];
  readonly rows: readonly Row[];
}

/** Texts and padded tokens of one run of a model. */
export interface BatchLimits {
  readonly texts: number;
  readonly tokens: number;
}

/** Small, because no question is answered meanwhile; larger ones are no faster, for padding costs what batching saves. */
export const batchLimits: BatchLimits = { texts: 32, tokens: 512 };

/** For networks whose results depend on what stands beside a text (`dependsOnBatch`). */
export const oneByOne: BatchLimits = { texts: 1, tokens: Number.POSITIVE_INFINITY };

/** Largest difference between a text alone and among others that is rounding and nothing else. */
const rounding = 1e-6;

/** Shortest first, as many together as the limits allow when all are padded to the longest of them. */
export function groupRows<Row>(
  rows: readonly Row[],
  lengthOf: (row: Row) => number,
  limits: BatchLimits = batchLimits,
): Batch<Row>[] {
  const order = rows
    .map((row, position) => ({ row, position, length: lengthOf(row) }))
    .sort((a, b) => a.length - b.length);
  const batches: { positions: number[]; rows: Row[] }[] = [];
  for (const { row, position, length } of order) {
    let batch = batches.at(-1);
    const count = (batch?.rows.length ?? 0) + 1;
    if (!batch || count > limits.texts || count * length > limits.tokens) {
      batch = { positions: [], rows: [] };
      batches.push(batch);
    }
    batch.positions.push(position);
    batch.rows.push(row);
  }
  return batches;
}

/**
 * Whether a network gives a row other numbers when others stand beside it. Networks with dynamic quantisation do: one
 * scale (`DynamicQuantizeLinear`, ONNX operator set 11) is taken from the largest activation of the whole batch, which
 * moves a component of bge-small's vectors by up to .03, with equal lengths too. Weights alone as integers, or floats
 * throughout, give the same bits in any company. Tried out rather than looked up, for another build may be installed.
 */
export async function dependsOnBatch<Row>(
  rows: readonly Row[],
  run: (rows: readonly Row[]) => Promise<readonly (readonly number[] | Float32Array)[]>,
): Promise<boolean> {
  const together = await run(rows);
  for (const [at, row] of rows.entries()) {
    const [alone] = await run([row]);
    const beside = together[at];
    if (!alone || !beside || alone.length !== beside.length) return true;
    if (alone.some((value, i) => !(Math.abs(value - (beside[i] ?? Number.NaN)) <= rounding))) return true;
  }
  return false;
}

/** Texts of unlike length, content and script for `dependsOnBatch`. */
export const trialTexts = [
  "Yes.",
  "The ferry leaves at seven from the north pier, and the last one back is at half past nine in the evening.",
  "Größe 42, 7.5 km — 東京! https://example.org/a?b=c",
] as const;
