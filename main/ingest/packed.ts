import { deserialize, serialize } from "node:v8";
import type { ImportedItem } from "#main/importers/types.ts";
import type { ReadBatch } from "./ports.ts";

/**
 * A batch on its way from the parse thread to the store: its records are bytes that are moved from thread to thread, so
 * that the one in the middle, which has no use for them, neither reads nor copies them.
 */

export function packed(batch: ReadBatch): ReadBatch {
  const records = batch.items.filter((item) => item.type === "record");
  if (records.length === 0) return batch;
  return { ...batch, items: batch.items.filter((item) => item.type === "file"), packed: serialize(records) };
}

/** All items of a batch. What is packed comes from our own parse thread, where it was checked. */
export function unpacked(batch: Pick<ReadBatch, "items" | "packed">): readonly ImportedItem[] {
  if (batch.packed === undefined) return batch.items;
  const records: readonly ImportedItem[] = deserialize(batch.packed);
  return [...records, ...batch.items];
}
