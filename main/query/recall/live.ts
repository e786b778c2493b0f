import type { RecordId } from "#contract";
import type { QueryPorts } from "../ports.ts";

/**
 * Those of `ids` that are not in the trash, in their order. The index holds live records alone: where it has followed every
 * change, nothing is read; while it is behind, the store is asked.
 */
export function liveOf(
  { records, index }: Pick<QueryPorts, "records" | "index">,
  ids: readonly RecordId[],
): RecordId[] {
  if (index.status().textSeq === records.lastSeq()) return index.present(ids);
  const live = records.live(ids);
  return ids.filter((id) => live.has(id));
}
