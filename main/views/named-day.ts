import type { RecordKind, StoredRecord } from "#contract";
import { makeDay } from "./language/index.ts";
import { timeOf } from "./time.ts";

/** A day that only a name tells: "IMG_20190704", "Screenshot 2021-03-05", "2019-07 Urlaub", "Rechnung 03.05.2021". */
export interface NamedDay {
  /** `YYYY-MM-DD`; of a month its first. */
  readonly day: string;
  readonly precision: "day" | "month";
}

/** Files whose name says something of what is in them; a mailbox or a chat export is named after the day it was made. */
const kinds: ReadonlySet<RecordKind> = new Set(["photo", "video", "audio", "document", "note"]);

const year = "(?<year>(?:19|20)\\d\\d)";
const month = "(?<month>0[1-9]|1[0-2])";
const day = "(?<day>0[1-9]|[12]\\d|3[01])";
const patterns = [
  new RegExp(`(?<!\\d)${year}([-_. ]?)${month}\\2${day}(?!\\d)`, "u"),
  new RegExp(
    `(?<!\\d)${day.replace("0[1-9]", "0?[1-9]")}\\.${month.replace("0[1-9]", "0?[1-9]")}\\.${year}(?!\\d)`,
    "u",
  ),
  new RegExp(`(?<!\\d)${year}[-_.]${month}(?![\\d]|[-_.]\\d)`, "u"),
];

/** The day in the name of a record without a time of its own: its name's, its file's, its folders', its albums'. */
export function namedDay(record: StoredRecord): NamedDay | null {
  if (timeOf(record) !== null || !kinds.has(record.kind)) return null;
  const places = record.files.flatMap(({ path }) => path.split(/[\\/]/).reverse().slice(0, 3));
  const names = [record.props.name ?? "", ...places, ...(record.props.albums ?? []).map(({ name }) => name)];
  for (const name of names) {
    const found = dayIn(name);
    if (found) return found;
  }
  return null;
}

function dayIn(name: string): NamedDay | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(name)?.groups;
    if (!groups) continue;
    const made = makeDay(Number(groups.year), Number(groups.month), Number(groups.day ?? 1));
    if (made !== null) return { day: made, precision: groups.day === undefined ? "month" : "day" };
  }
  return null;
}
