import type { RecordId } from "#contract";
import type { IndexReader } from "#main/indexes/ports.ts";

/** Cosines between records' first text vectors, as a function of their positions; 0 where one has none. Read when first asked for. */
export function similarityOf(
  records: readonly { readonly recordId: RecordId }[],
  index: Pick<IndexReader, "similarities">,
): (a: number, b: number) => number {
  let cosines: Float32Array | null = null;
  return (a, b) => {
    cosines ??= index.similarities(records.map(({ recordId }) => recordId));
    return cosines[a * records.length + b] ?? 0;
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
