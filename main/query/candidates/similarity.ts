import type { RecordId } from "#contract";
import type { IndexReader } from "#main/indexes/ports.ts";
import { dot } from "../vectors.ts";

/** Cosines between records' first text vectors, as a function of their positions; 0 where one has none. Read when first asked for. */
export function similarityOf(
  records: readonly { readonly recordId: RecordId }[],
  index: Pick<IndexReader, "vectorsOf">,
): (a: number, b: number) => number {
  let read: readonly (Float32Array | null)[] | null = null;
  const firstVectors = () => {
    const vectors = index.vectorsOf(records.map(({ recordId }) => recordId));
    return records.map(({ recordId }) => vectors.get(recordId)?.[0]?.vector ?? null);
  };
  const known = new Map<number, number>();
  return (a, b) => {
    read ??= firstVectors();
    const first = read;
    const key = a < b ? a * first.length + b : b * first.length + a;
    const before = known.get(key);
    if (before !== undefined) return before;
    const [x, y] = [first[a], first[b]];
    const sum = x && y ? dot(x, y) : 0;
    known.set(key, sum);
    return sum;
  };
}

/** Session of each record by its position; null where it is not said in a row. Read when first asked for. */
export function sessionOf(
  records: readonly { readonly recordId: RecordId }[],
  index: Pick<IndexReader, "items">,
): (at: number) => string | null {
  let items: ReturnType<IndexReader["items"]> | null = null;
  return (at) => {
    items ??= index.items(records.map(({ recordId }) => recordId));
    const record = records[at];
    return record === undefined ? null : (items.get(record.recordId)?.session ?? null);
  };
}
