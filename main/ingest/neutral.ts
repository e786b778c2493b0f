import type { LedgerRow, Party, StoredRecord } from "#contract";

/**
 * The neutral form: one JSON object a line, one line a record and one a file of the ledger. It depends on nothing but
 * the records: no time of the import, no path of this machine. Fields that the source does not give are left out.
 */
export function* toNeutral(records: readonly StoredRecord[], ledger: Iterable<LedgerRow>): Iterable<string> {
  const texts = readTexts(records);
  for (const record of asShown(records)) yield JSON.stringify(recordLine(record, texts));
  for (const row of ledger) yield JSON.stringify(fileLine(row));
}

/**
 * Texts of files by the SHA-256 of their bytes: a file that was sent with a message and also lies somewhere by itself is
 * one record, and no part of the message any more.
 */
function readTexts(records: readonly StoredRecord[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { identity, kind, text } of records) {
    if (kind === "document" && text !== null) texts.set(withoutNameSpace(identity), text);
  }
  return texts;
}

/** Records of one chat in the order in which its source shows them, at the places that its records have; the others stay. */
function asShown(records: readonly StoredRecord[]): StoredRecord[] {
  const shown = [...records];
  const places = Map.groupBy(records.keys(), (at) => {
    const { container, sequence } = records[at] ?? {};
    return container?.kind === "chat" && sequence !== null ? container.key : null;
  });
  for (const [key, at] of places) {
    if (key === null) continue;
    const sorted = at
      .flatMap((place) => records[place] ?? [])
      .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0) || a.id - b.id);
    for (const [index, place] of at.entries()) {
      const record = sorted[index];
      if (record) shown[place] = record;
    }
  }
  return shown;
}

/** Without what is null, undefined, "" or []: the neutral form reads them all as "not given". */
function given<T extends object>(fields: T): Partial<T> {
  const kept = Object.entries(fields).filter(
    ([, value]) =>
      value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as Partial<T>;
}

/** Without the name space that the store puts before a native id: `mail:<id>` → `<id>`. */
const withoutNameSpace = (identity: string): string => identity.slice(identity.indexOf(":") + 1);

const partyOf = ({ name, address, role, owner }: Party) => given({ name, address, role, owner: owner || null });

function recordLine(record: StoredRecord, texts: ReadonlyMap<string, string>): object {
  const { props, container, replyTo, partOf, author } = record;
  return {
    type: "record",
    ref: String(record.id),
    kind: record.kind,
    ...given({
      id: record.nativeId,
      subject: record.subject,
      text: record.text,
      author: author && partyOf(author),
      participants: record.participants.map(partyOf),
      time: record.time && given(record.time),
      end: record.end && given(record.end),
      created: props.created && given(props.created),
      modified: props.modified && given(props.modified),
      place: record.place && given(record.place),
      container: container?.key,
      containerName: container?.title,
      thread: record.thread,
      replyTo: replyTo && (replyTo.id === null ? withoutNameSpace(replyTo.identity) : String(replyTo.id)),
      partOf: partOf && { ref: partOf.id === null ? partOf.identity : String(partOf.id), role: partOf.role },
      name: props.name,
      direction: props.direction,
      labels: props.labels,
      albums: props.albums?.map(given),
      attachments: props.attachments?.map((one) =>
        given({
          ...one,
          text: one.text ?? texts.get(one.sha256 ?? ""),
          inline: one.inline || null,
          missing: one.missing || null,
        }),
      ),
      links: props.links,
      flags: props.flags,
      reactions: props.reactions?.map(given),
      forwardedFrom: props.forwardedFrom,
      edits: props.edits?.map(given),
      alternates: props.alternates?.map(given),
      group: props.group,
      size: props.size,
      camera: props.camera && given(props.camera),
      rating: props.rating,
      duration: props.duration,
      instances: props.instances?.map(given),
      contact: props.contact && given(props.contact),
      items: props.items,
      what: props.what,
      level: props.level,
      track: props.track,
      extra: props.extra,
    }),
    files: record.files.map(given),
  };
}

function fileLine({ path, status, reason, records, skipped, importer }: LedgerRow): object {
  return { type: "file", path, status, reason, records, skipped, importer };
}
