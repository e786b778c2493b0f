import type { RecordSummary, RecordTime } from "#contract";

/** A wall time without a zone, as a camera writes it. */
export function wallTime(local: string): RecordTime {
  return {
    utc: null,
    local,
    offset: null,
    zone: null,
    source: "exif:DateTimeOriginal",
    precision: "second",
    inferred: false,
    confidence: "normal",
  };
}

/** A record as a list shows it; every field can be set. */
export function summary(id: number, fields: Partial<RecordSummary> = {}): RecordSummary {
  return {
    id,
    kind: "message",
    source: "whatsapp",
    subject: null,
    snippet: `words of ${id}`,
    author: "Mara",
    time: wallTime("2024-07-14T21:30:15"),
    containerTitle: "Family",
    place: null,
    hasThumbnail: false,
    size: null,
    attachments: 0,
    trashed: false,
    ...fields,
  };
}
