import type { RecordId, StoredRecord } from "#contract";
import type { QueryPorts } from "./ports.ts";

/**
 * The store as one question reads it: each record once. Its rounds meet the same records, and what is worked out of one is
 * kept by the record itself. Read anew when anything has changed.
 */
export function readOnce(records: QueryPorts["records"]): QueryPorts["records"] {
  const held = new Map<RecordId, StoredRecord>();
  let seq = records.lastSeq();
  return {
    ...records,
    getMany(ids) {
      const now = records.lastSeq();
      if (now !== seq) held.clear();
      seq = now;
      const missing = ids.filter((id) => !held.has(id));
      if (missing.length > 0) for (const record of records.getMany(missing)) held.set(record.id, record);
      return ids.flatMap((id) => held.get(id) ?? []);
    },
  };
}
