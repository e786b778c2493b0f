import type { ImportedRecord, RecordTime } from "#contract";
import { civilOfMatch, offsetText, timeFromCivil } from "#main/importers/text/time.ts";
import { offsetAtWall } from "#main/importers/text/zone.ts";

/**
 * A wall clock without a zone, completed by the zone that the person named for the import; marked as inferred, with the
 * zone beside it, so that it is never taken for what the source said. Other times, and days without a clock, stay.
 */
export function assumeZone(time: RecordTime | null, zone: string): RecordTime | null {
  if (time === null || time.utc !== null || time.offset !== null || time.local === null) return time;
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(time.local);
  if (!match) return time;
  const wall = civilOfMatch(match);
  const offset = offsetAtWall(zone, wall);
  if (offset === null) return time;
  const { utc } = timeFromCivil(wall, offset, { source: time.source });
  return { ...time, utc, offset: offsetText(offset), zone, inferred: true };
}

/** A record whose own time, and whose versions' times, are read in that zone. */
export function withZone(record: ImportedRecord, zone: string): ImportedRecord {
  const { props } = record;
  return {
    ...record,
    time: assumeZone(record.time, zone),
    end: assumeZone(record.end, zone),
    props: props.edits
      ? { ...props, edits: props.edits.map((edit) => ({ ...edit, time: assumeZone(edit.time, zone) })) }
      : props,
  };
}
