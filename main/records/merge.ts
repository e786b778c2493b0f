import {
  type Attachment,
  type Container,
  type ImportedRecord,
  type Party,
  type Place,
  type RecordProps,
  type RecordTime,
  recordPropsSchema,
} from "#contract";
import { canonicalJson } from "./canonical.ts";
import { sortAt } from "./normalise.ts";
import { betterName } from "./people.ts";

/**
 * Pure: what becomes of a record about which more than one source speaks.
 *
 * Sources speak in no order: `merge` is a join (commutative, associative, idempotent, up to the order inside lists), so
 * the same sources give the same record whichever was imported first. Only a source that says something else than it
 * said before, at the same place, is later than itself: `replace`.
 */

/** The part of a record that a source may say anew. */
export type Content = Omit<ImportedRecord, "identity" | "files">;

/** Kinds that their sources revise under the same identity. A picture's identity is its bytes: other bytes, another record. */
const revisable: ReadonlySet<Content["kind"]> = new Set([
  "message",
  "email",
  "event",
  "contact",
  "note",
  "transaction",
]);

/** Flags that tell of a fault of one copy: a copy without any goes before one with. */
const faults: ReadonlySet<string> = new Set([
  "damaged",
  "missing-media",
  "charset-guessed",
  "header-unreadable",
  "date-uncertain",
]);

/** Where a time can come from, the worst first; the first line that fits counts. */
const timeSources: readonly { readonly from: string; readonly is: (time: RecordTime) => boolean }[] = [
  { from: "the file, as copying left it", is: ({ source }) => /^file-time/.test(source) },
  { from: "a name", is: ({ source }) => /^(?:file|folder)-name/.test(source) },
  { from: "those who passed it on", is: ({ source }) => /^(?:separator|header:Received)/.test(source) },
  { from: "the message it was sent with", is: ({ source }) => source === "message" },
  {
    from: "the thing itself, without a zone",
    is: ({ source, utc, offset }) => !/^sidecar/.test(source) && utc === null && offset === null,
  },
  { from: "a file beside it", is: ({ source }) => /^sidecar/.test(source) },
  { from: "the thing itself", is: () => true },
];
const precisions: readonly RecordTime["precision"][] = ["year", "month", "day", "minute", "second", "ms"];

/** Containers, the least telling first: where a person spoke goes before where a file lay. */
const containerKinds: readonly Container["kind"][] = [
  "folder",
  "album",
  "mailbox",
  "notebook",
  "addressbook",
  "calendar",
  "chat",
];

type Parent = NonNullable<Content["partOf"]>;
type Key = string | number | boolean;
type Order<T> = (a: T, b: T) => number;

/** By these keys in turn, the larger better; equal ones by their whole value, so that no two different values are equal. */
const byKeys =
  <T>(...keys: ((value: T) => Key)[]): Order<T> =>
  (a, b) => {
    for (const key of [...keys, canonicalJson]) {
      const [x, y] = [key(a), key(b)];
      if (x !== y) return x > y ? 1 : -1;
    }
    return 0;
  };

/** How each field that holds one value chooses between two that differ, the more telling key first. */
const precedence = {
  time: byKeys<RecordTime>(
    (time) => time.confidence === "normal",
    (time) => timeSources.findIndex(({ is }) => is(time)),
    (time) => !time.inferred,
    (time) => time.offset !== null,
    (time) => precisions.indexOf(time.precision),
    // The earliest: a copy can only be later.
    (time) => -sortAt(time),
  ),
  place: byKeys<Place>(
    ({ confidence }) => confidence === "normal",
    ({ lat }) => lat !== null,
    ({ name }) => name !== null,
    ({ alt }) => alt !== null,
  ),
  container: byKeys<Container>(({ kind }) => containerKinds.indexOf(kind)),
  // In code-unit order a text comes after all that it only continues: the longer goes before its beginning.
  text: byKeys<string>((text) => text),
  party: byKeys<Party>(
    ({ address }) => address !== null,
    (party) => partyKey(party),
  ),
  attachment: byKeys<Attachment>(
    ({ missing }) => !missing,
    ({ sha256 }) => sha256 !== null,
    ({ text }) => text !== null,
    ({ bytes }) => bytes ?? -1,
  ),
  // One parent has to be named first; the others are kept beside it.
  parent: (a: Parent, b: Parent) => (canonicalJson(a) <= canonicalJson(b) ? 1 : -1),
  number: byKeys<number>((value) => value),
  any: byKeys<unknown>(),
} as const;

/** The better of two values; a missing or empty one never wins. */
function better<T>(order: Order<T>, a: T | null, b: T | null): T | null {
  if (isEmpty(a)) return isEmpty(b) ? null : b;
  if (isEmpty(b)) return a;
  return order(a, b) >= 0 ? a : b;
}

function isEmpty(value: unknown): value is null {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** What two sources say together. */
export function merge(a: Content, b: Content): Content {
  const first = standing(a, b);
  const said = first === 0 ? joined(a, b) : first > 0 ? a : b;
  return {
    ...said,
    participants: unitedParties(a.participants, b.participants),
    container: better(precedence.container, a.container, b.container),
    // The export that reaches back further counts further.
    sequence: better(precedence.number, a.sequence, b.sequence),
    // Once an item of its own, never a mere part again.
    partOf: a.partOf && b.partOf && better(precedence.parent, a.partOf, b.partOf),
    props: unitedProps(said.props, a.props, b.props),
  };
}

/**
 * Whether one of two sources goes before the other in all that holds one value: the one that says it was revised later,
 * then the one without a fault. 0: each field chooses by itself.
 */
function standing(a: Content, b: Content): number {
  const keys = ({ kind, props }: Content): Key[] => [
    kind,
    (revisable.has(kind) && (props.modified?.utc ?? props.modified?.local)) || "",
    !hasFault(props),
  ];
  const [x, y] = [keys(a), keys(b)];
  const at = x.findIndex((key, index) => key !== y[index]);
  return at < 0 ? 0 : (x[at] ?? 0) > (y[at] ?? 0) ? 1 : -1;
}

const hasFault = ({ flags }: RecordProps) => flags?.some((flag) => faults.has(flag)) ?? false;

/** Field by field. */
function joined(a: Content, b: Content): Content {
  const same = a.author && b.author && partyKey(a.author) === partyKey(b.author);
  return {
    ...a,
    nativeId: better(precedence.text, a.nativeId, b.nativeId),
    subject: better(precedence.text, a.subject, b.subject),
    text: better(precedence.text, a.text, b.text),
    author: same ? unitedParty(a.author, b.author) : better(precedence.party, a.author, b.author),
    time: better(precedence.time, a.time, b.time),
    end: better(precedence.time, a.end, b.end),
    place: better(precedence.place, a.place, b.place),
    thread: better(precedence.text, a.thread, b.thread),
    replyTo: better(precedence.text, a.replyTo, b.replyTo),
    props: joinedProps(a.props, b.props),
  };
}

function joinedProps(a: RecordProps, b: RecordProps): RecordProps {
  const props = { ...a };
  for (const key of propNames) choose(props, key, a[key], b[key]);
  const times = ["created", "modified"] as const;
  for (const key of times) {
    const best = better(precedence.time, a[key] ?? null, b[key] ?? null);
    if (best !== null) props[key] = best;
  }
  return props;
}

const propNames = recordPropsSchema.keyof().options;

function choose<K extends keyof RecordProps>(
  into: RecordProps,
  key: K,
  a: RecordProps[K] | undefined,
  b: RecordProps[K] | undefined,
): void {
  const order: Order<unknown> = typeof a === "number" && typeof b === "number" ? numbers : precedence.any;
  const best = better(order, a ?? null, b ?? null);
  if (best !== null) into[key] = best;
}

const numbers: Order<unknown> = (a, b) => Number(a) - Number(b);

/** Lists and tables are united, whoever goes first: nobody's label is lost. */
function unitedProps(said: RecordProps, a: RecordProps, b: RecordProps): RecordProps {
  const props = { ...said };
  const unite = <K extends "labels" | "links" | "albums" | "reactions" | "edits" | "alternates">(
    key: K,
    list: RecordProps[K],
  ): void => {
    if (!isEmpty(list)) props[key] = list;
  };
  unite("labels", [...new Set([...(a.labels ?? []), ...(b.labels ?? [])])]);
  unite("links", [...new Set([...(a.links ?? []), ...(b.links ?? [])])]);
  unite(
    "albums",
    united(a.albums, b.albums, ({ name }) => name),
  );
  unite(
    "reactions",
    united(a.reactions, b.reactions, ({ emoji, by }) => canonicalJson([emoji, by])),
  );
  unite("edits", united(a.edits, b.edits, canonicalJson));
  unite(
    "alternates",
    united(a.alternates, b.alternates, ({ role, subject, bytes }) => canonicalJson([role, subject, bytes])),
  );
  const attachments = unitedAttachments(a.attachments ?? [], b.attachments ?? []);
  if (attachments.length > 0) props.attachments = attachments;
  // A fault goes with the copy that has it; all else that was flagged holds for all copies.
  const both = [...(a.flags ?? []), ...(b.flags ?? [])];
  const faulty = said === a ? a.flags : said === b ? b.flags : both;
  const flags = new Set([
    ...both.filter((flag) => !faults.has(flag)),
    ...(faulty ?? []).filter((flag) => faults.has(flag)),
  ]);
  if (flags.size > 0 || props.flags) props.flags = [...flags];
  if (a.extra && b.extra) {
    const extra: Record<string, unknown> = { ...a.extra };
    for (const [key, value] of Object.entries(b.extra)) {
      extra[key] = key in extra ? better(precedence.any, extra[key], value) : value;
    }
    props.extra = extra;
  } else if (a.extra ?? b.extra) props.extra = { ...a.extra, ...b.extra };
  return props;
}

/** Those of `a` in their order, then those that only `b` has; of two with one key the better. */
function united<T>(
  a: readonly T[] | undefined,
  b: readonly T[] | undefined,
  key: (one: T) => string,
  combine: (x: T, y: T) => T = (x, y) => better<T>(precedence.any, x, y) ?? x,
): T[] {
  const all = new Map<string, T>();
  for (const one of [...(a ?? []), ...(b ?? [])]) {
    const known = all.get(key(one));
    all.set(key(one), known === undefined ? one : combine(known, one));
  }
  return [...all.values()];
}

/** By name, the second of one name apart from the first. Media that is there goes before media that is only named. */
function unitedAttachments(a: readonly Attachment[], b: readonly Attachment[]): Attachment[] {
  // "Something was here" without a name stands for any file: it is no item of its own, and counts only where no file is.
  const isBlank = ({ missing, name }: Attachment) => missing && name === null;
  const numbered = (list: readonly Attachment[]) => {
    const seen = new Map<string | null, number>();
    return list
      .filter((one) => !isBlank(one))
      .map((one) => {
        const number = seen.get(one.name) ?? 0;
        seen.set(one.name, number + 1);
        return { one, key: canonicalJson([one.name, number]) };
      });
  };
  const files = united(
    numbered(a),
    numbered(b),
    ({ key }) => key,
    (x, y) => ({ key: x.key, one: better(precedence.attachment, x.one, y.one) ?? x.one }),
  ).map(({ one }) => one);
  if (files.some(({ missing }) => !missing)) return files;
  const [some, others] = [a.filter(isBlank), b.filter(isBlank)];
  const most = Math.max(some.length, others.length);
  const blanks = Array.from({ length: most }, (_, at) =>
    better(precedence.attachment, some[at] ?? null, others[at] ?? null),
  );
  return [...files, ...blanks.filter((one) => one !== null)];
}

function partyKey({ address, name }: Party): string {
  return address?.trim().toLowerCase() || `name:${name?.trim() ?? ""}`;
}

function unitedParty(a: Party | null, b: Party | null): Party | null {
  if (!a || !b) return a ?? b;
  return {
    name: isEmpty(a.name) || isEmpty(b.name) ? better(precedence.text, a.name, b.name) : betterName(a.name, b.name),
    address: better(precedence.text, a.address, b.address),
    role: better(precedence.text, a.role, b.role),
    owner: a.owner || b.owner,
  };
}

/** By address; a mention without a role goes into the one with. */
function unitedParties(a: readonly Party[], b: readonly Party[]): Party[] {
  const all = united(
    a,
    b,
    (party) => canonicalJson([partyKey(party), party.role]),
    (x, y) => unitedParty(x, y) ?? x,
  );
  const named = new Set(all.filter(({ role }) => role !== null).map(partyKey));
  return all.filter((party) => party.role !== null || !named.has(partyKey(party)));
}

/**
 * What a place says now instead of what it said before: the later non-empty value wins and an empty one never erases (an
 * export without media does not take media away). A time or place of low confidence does not replace a sure one.
 */
export function replace(before: Content, said: Content): Content {
  const surer = <T extends RecordTime | Place>(kept: T | null, news: T | null) =>
    news && (news.confidence === "normal" || kept?.confidence !== "normal") ? news : kept;
  const full = <T>(kept: T, news: T) => (isEmpty(news) ? kept : news);
  const { flags: _flags, ...props } = before.props;
  for (const key of propNames) overwrite(props, key, said.props[key]);
  const { labels, links, albums, extra } = unitedProps(said.props, before.props, said.props);
  return {
    kind: said.kind,
    nativeId: full(before.nativeId, said.nativeId),
    subject: full(before.subject, said.subject),
    text: full(before.text, said.text),
    author: full(before.author, said.author),
    participants: full(before.participants, said.participants),
    time: surer(before.time, said.time),
    end: surer(before.end, said.end),
    place: surer(before.place, said.place),
    container: full(before.container, said.container),
    thread: full(before.thread, said.thread),
    sequence: full(before.sequence, said.sequence),
    replyTo: full(before.replyTo, said.replyTo),
    partOf: before.partOf && said.partOf,
    props: {
      ...props,
      ...(labels && { labels }),
      ...(links && { links }),
      ...(albums && { albums }),
      ...(extra && { extra }),
      ...(said.props.attachments?.length && { attachments: laterAttachments(before.props, said.props.attachments) }),
    },
  };
}

function overwrite<K extends keyof RecordProps>(into: RecordProps, key: K, value: RecordProps[K] | undefined): void {
  if (!isEmpty(value)) into[key] = value;
}

/** The later list; for media that is missing now, what was there. */
function laterAttachments(before: RecordProps, said: readonly Attachment[]): Attachment[] {
  return said.map((one) => {
    const kept = one.missing && before.attachments?.find(({ name, missing }) => name === one.name && !missing);
    return kept || one;
  });
}
