import { createHash } from "node:crypto";
import type { Attachment, RecordProps, RecordTime } from "#contract";
import type { Database } from "#native/sqlite.ts";
import { canonicalJson } from "./canonical.ts";
import type { Content } from "./merge.ts";
import { contentOf, recordRows } from "./rows.ts";

const page = 500;

/**
 * SHA-256 (hex) over all live records in identity order: what they say, not where it stood. Paths, names and times of
 * files, folders and mailboxes, order inside a source, row ids, versions and dates of import are left out; lists count
 * as sets. Two archives have the same digest when they were fed the same things, however these were packed, named and
 * ordered.
 */
export function contentDigest(db: Database): string {
  const rows = recordRows(db);
  const digest = createHash("sha256");
  let after = "";
  for (;;) {
    const ids = rows.liveAfter(after, page);
    const last = ids.at(-1);
    if (!last) return digest.digest("hex");
    for (const record of rows.getMany(ids.map((one) => one.id))) {
      digest.update(`${record.identity} ${canonicalJson(comparable(contentOf(record)))}\n`);
    }
    after = last.identity;
  }
}

/** Containers whose keys are of the source itself and not of the place where its file lay. */
const lasting: ReadonlySet<string> = new Set(["chat", "calendar", "addressbook", "notebook"]);

/** A record's content so that it is equal for two that say the same. */
export function comparable(content: Content): object {
  const { container, sequence: _sequence, time, participants, props, ...said } = content;
  return {
    ...said,
    time: ownTime(time),
    container: container && lasting.has(container.kind) ? container.key : null,
    participants: asSet(participants),
    props: comparableProps(ownTime(time) === null ? withoutDoubt(props) : props),
  };
}

/** Without what copies of a file differ in: its name, its path, its times. */
function comparableProps({ name: _name, created, modified, attachments, alternates, ...props }: RecordProps): object {
  const lists = Object.entries({ ...props, alternates: alternates?.map(({ path: _path, ...one }) => one) })
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => [key, Array.isArray(value) && !ordered.has(key) ? asSet(value) : value]);
  const attached = attachments?.length ? { attachments: asSet(attachments.map(withoutPath)) } : {};
  return {
    ...Object.fromEntries(lists),
    ...attached,
    created: ownTime(created ?? null),
    modified: ownTime(modified ?? null),
  };
}

/** A date of the file is uncertain; the same file out of an archive that keeps no dates has none to be uncertain. */
function withoutDoubt({ flags, ...props }: RecordProps): RecordProps {
  return flags === undefined ? props : { ...props, flags: flags.filter((flag) => flag !== "date-uncertain") };
}

/** Lists whose order is part of what they say. */
const ordered: ReadonlySet<string> = new Set(["items", "track"]);

const withoutPath = ({ path: _path, ...attachment }: Attachment) => attachment;

/** Null for a time that is of the file and not of what is in it. */
function ownTime(time: RecordTime | null): RecordTime | null {
  return time && /^(?:file|folder)-/.test(time.source) ? null : time;
}

function asSet(list: readonly unknown[]): unknown[] {
  return [...new Set(list.map(canonicalJson))].sort();
}
