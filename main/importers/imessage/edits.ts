import type { RecordTime } from "#contract";
import { timeFromInstant } from "../text/time.ts";
import { appleEpoch, entryOf, readPlist } from "./plist.ts";
import { typedstreamText } from "./typedstream.ts";

/** What `message_summary_info` says about a message that was edited or taken back. */
export interface Edits {
  /** Older versions, oldest first. */
  readonly older: readonly { readonly time: RecordTime | null; readonly text: string }[];
  /** The newest version, in case the message itself has no text. */
  readonly newest: string | null;
  /** Parts that were taken back. */
  readonly unsent: number;
}

const none: Edits = { older: [], newest: null, unsent: 0 };
const maxVersions = 200;

/** Reads `ec` (versions of each part: `d` seconds since 2001, `t` typedstream) and `rp` (parts taken back). */
export function readEdits(summary: Uint8Array | null): Edits {
  if (summary === null) return none;
  const plist = readPlist(summary);
  const retracted = entryOf(plist, "rp");
  const parts = entryOf(plist, "ec");
  const older: { time: RecordTime | null; text: string }[] = [];
  const newest: string[] = [];
  for (const versions of parts instanceof Map ? parts.values() : []) {
    if (!Array.isArray(versions)) continue;
    const read = versions.slice(0, maxVersions).flatMap((version) => {
      const [bytes, at] = [entryOf(version, "t"), entryOf(version, "d")];
      const text = bytes instanceof Uint8Array ? typedstreamText(bytes) : typeof bytes === "string" ? bytes : null;
      if (text === null) return [];
      const options = { source: "message_summary_info", precision: "second" } as const;
      return [{ text, time: typeof at === "number" ? timeFromInstant((at + appleEpoch) * 1000, options) : null }];
    });
    const last = read.pop();
    if (last !== undefined) newest.push(last.text);
    older.push(...read);
  }
  const unsent = Array.isArray(retracted) ? retracted.length : 0;
  return { older, newest: newest.length > 0 ? newest.join("\n") : null, unsent };
}
