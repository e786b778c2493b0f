import type { Conflict, RecordSummary } from "#contract";

/** One value that an attribute had, by the record that says so. */
export interface PastValue {
  record: RecordSummary;
  value: string;
  /** No newer record says otherwise. */
  stands: boolean;
}

/** Everything that was said of one attribute over time, the oldest first. */
export interface ValueHistory {
  attribute: string;
  pairs: readonly Conflict[];
  values: readonly PastValue[];
}

function instant(record: RecordSummary): string {
  return record.time?.utc ?? record.time?.local ?? "";
}

/** Superseded pairs by attribute: several about one attribute are one history and not a pile of pairs. */
export function historiesOf(
  pairs: readonly Conflict[],
  records: ReadonlyMap<number, RecordSummary>,
): readonly ValueHistory[] {
  return [...Map.groupBy(pairs, (pair) => pair.attribute)].map(([attribute, same]) => {
    const values = new Map<number, PastValue>();
    for (const { older, newer } of same) {
      for (const [side, stands] of [
        [older, false],
        [newer, true],
      ] as const) {
        const record = records.get(side.recordId);
        if (!record) continue;
        const before = values.get(record.id);
        // Newer than one record and older than another: what it says stands no more.
        values.set(record.id, { record, value: side.value, stands: stands && before?.stands !== false });
      }
    }
    return {
      attribute,
      pairs: same,
      values: [...values.values()].sort((a, b) => instant(a.record).localeCompare(instant(b.record))),
    };
  });
}
