import type { RecordId, RecordSummary, StoredRecord } from "#contract";
import type { QueryPorts } from "./ports.ts";

const nobody: readonly number[] = [];

/**
 * The store as one question reads it: each record, who is in it, and what lies in a time, once; of files no stage reads. Its
 * rounds meet the same records, and what is worked out of one is kept by the record itself. Read anew when anything has
 * changed, which is looked at once a stretch of work that nothing interrupts: within it all is read of one state.
 */
export function readOnce(records: QueryPorts["records"]): QueryPorts["records"] {
  const held = new Map<RecordId, StoredRecord>();
  const people = new Map<RecordId, readonly number[]>();
  const summaries = new Map<RecordId, RecordSummary>();
  const lists = new Map<string, ReturnType<QueryPorts["records"]["list"]>>();
  let seq = records.lastSeq();
  let looked = false;
  const refresh = () => {
    if (looked) return;
    looked = true;
    queueMicrotask(() => {
      looked = false;
    });
    const now = records.lastSeq();
    if (now === seq) return;
    seq = now;
    held.clear();
    people.clear();
    lists.clear();
    summaries.clear();
  };
  return {
    ...records,
    list(filter, offset, limit) {
      refresh();
      const key = JSON.stringify([filter, offset, limit]);
      const found = lists.get(key) ?? records.list(filter, offset, limit);
      lists.set(key, found);
      return found;
    },
    summaries(ids) {
      refresh();
      const missing = ids.filter((id) => !summaries.has(id));
      if (missing.length > 0) for (const one of records.summaries(missing)) summaries.set(one.id, one);
      return ids.flatMap((id) => summaries.get(id) ?? []);
    },
    personIdsOf(ids) {
      refresh();
      const missing = ids.filter((id) => !people.has(id));
      if (missing.length > 0) {
        const found = records.personIdsOf(missing);
        for (const id of missing) people.set(id, found.get(id) ?? nobody);
      }
      return new Map(ids.map((id) => [id, people.get(id) ?? nobody]));
    },
    getMany(ids) {
      refresh();
      const missing = ids.filter((id) => !held.has(id));
      if (missing.length > 0) for (const record of records.contents(missing)) held.set(record.id, record);
      return ids.flatMap((id) => held.get(id) ?? []);
    },
  };
}
