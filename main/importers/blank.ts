import type { ImportedRecord } from "#contract";

/** A record of which nothing is known yet: what a source says is written over it. */
export function blankRecord(): Omit<ImportedRecord, "identity" | "kind" | "files"> {
  return {
    nativeId: null,
    subject: null,
    text: null,
    author: null,
    participants: [],
    time: null,
    end: null,
    place: null,
    container: null,
    thread: null,
    sequence: null,
    replyTo: null,
    partOf: null,
    props: {},
  };
}
