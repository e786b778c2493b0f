import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Attachment, ImportedRecord, Party, RecordFlag, RecordTime } from "#contract";
import { comparable } from "#main/records/digest.ts";
import { type Content, merge } from "#main/records/merge.ts";
import { openStore } from "#main/records/store.ts";
import { archiveFiles, importFiles, message, utc } from "./fixtures.ts";

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const word = fc.constantFrom("", "a", "ab", "b", "Juno", "Juno Aalto", "ü");

const time: fc.Arbitrary<RecordTime> = fc.record({
  utc: maybe(fc.constantFrom("2024-05-01T10:00:00Z", "2024-05-01T10:00:01Z", "2020-01-01T00:00:00Z")),
  local: maybe(fc.constantFrom("2024-05-01T12:00:00", "2024-05-01")),
  offset: maybe(fc.constantFrom("+02:00", "-07:00")),
  zone: fc.constant(null),
  source: fc.constantFrom(
    "exif:DateTimeOriginal",
    "sidecar:photoTakenTime",
    "header:Date",
    "message",
    "file-name",
    "file-time",
  ),
  precision: fc.constantFrom("ms", "second", "day", "year"),
  inferred: fc.boolean(),
  confidence: fc.constantFrom("normal", "low"),
});
const party: fc.Arbitrary<Party> = fc.record({
  name: maybe(word),
  address: maybe(fc.constantFrom("juno@example.org", "JUNO@example.org", "mara@example.org")),
  role: maybe(fc.constantFrom("to", "cc", "member")),
  owner: fc.boolean(),
});
const attachment: fc.Arbitrary<Attachment> = fc.record({
  name: maybe(fc.constantFrom("a.jpg", "b.pdf")),
  path: maybe(word),
  mime: fc.constant(null),
  bytes: maybe(fc.nat(3)),
  sha256: maybe(fc.constantFrom("00", "11")),
  text: maybe(word),
  inline: fc.boolean(),
  missing: fc.boolean(),
});
const flag: fc.Arbitrary<RecordFlag> = fc.constantFrom("damaged", "missing-media", "starred", "edited");
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 });

const content: fc.Arbitrary<Content> = fc.record({
  kind: fc.constantFrom("message", "photo", "event"),
  nativeId: maybe(word),
  subject: maybe(word),
  text: maybe(word),
  author: maybe(party),
  participants: few(party),
  time: maybe(time),
  end: maybe(time),
  place: maybe(
    fc.record({
      lat: maybe(fc.constantFrom(1, 2)),
      lon: maybe(fc.constantFrom(1, 2)),
      alt: maybe(fc.constantFrom(1, 2)),
      name: maybe(word),
      confidence: fc.constantFrom("normal", "low"),
    }),
  ),
  container: maybe(
    fc
      .constantFrom("chat" as const, "mailbox" as const, "folder" as const)
      .chain((kind) => word.map((name) => ({ key: `${kind}:${name}`, title: null, kind }))),
  ),
  thread: maybe(word),
  sequence: maybe(fc.nat(3)),
  replyTo: maybe(word),
  partOf: maybe(fc.record({ identity: word, role: fc.constantFrom("attachment", "inside") })),
  props: fc.record(
    {
      name: word,
      labels: few(word),
      links: few(word),
      flags: few(flag),
      albums: few(fc.record({ name: word, description: maybe(word) })),
      reactions: few(fc.record({ emoji: fc.constantFrom("👍", "❤"), by: maybe(word), count: maybe(fc.nat(2)) })),
      attachments: few(attachment),
      rating: fc.integer({ min: -1, max: 5 }),
      duration: fc.nat(3),
      created: time,
      modified: time,
      items: few(fc.record({ text: word, checked: fc.boolean() })),
      extra: fc.dictionary(fc.constantFrom("x", "y"), word),
    },
    { requiredKeys: [] },
  ),
});

/** Null, "" and [] say the same: nothing. The order of what is united says nothing either. */
function said(one: Content): unknown {
  const { sequence, container } = one;
  const all = { ...comparable(one), sequence, container };
  return JSON.parse(
    JSON.stringify(all, (_key, value) => (value === "" || (Array.isArray(value) && value.length === 0) ? null : value)),
    (_key, value) => value ?? undefined,
  );
}
/** A content as a join has it: itself, said twice. */
const settled = (one: Content) => merge(one, one);

describe("the merging of what sources say", () => {
  test("is commutative, associative and idempotent", () => {
    fc.assert(
      fc.property(content, content, content, (x, y, z) => {
        const [a, b, c] = [settled(x), settled(y), settled(z)];
        expect(said(merge(a, b))).toEqual(said(merge(b, a)));
        expect(said(merge(merge(a, b), c))).toEqual(said(merge(a, merge(b, c))));
        expect(said(merge(a, a))).toEqual(said(a));
        expect(said(merge(merge(a, b), b))).toEqual(said(merge(a, b)));
      }),
      { numRuns: 250 },
    );
  });

  const base = message("m:1", { text: "Hello" });
  const photo = (source: string, rest: Partial<RecordTime> = {}) => ({
    ...base,
    time: { ...utc("2024-05-01T10:00:00Z"), source, ...rest },
  });
  const wall = { utc: null, local: "2024-05-01T12:00:00", offset: null };
  const order = [
    photo("file-time", { confidence: "low" }),
    photo("file-time"),
    photo("file-name", wall),
    photo("message"),
    photo("exif:DateTimeOriginal", wall),
    photo("sidecar:photoTakenTime"),
    photo("exif:DateTimeOriginal", { offset: "+02:00", local: "2024-05-01T12:00:00" }),
  ];
  test.each(
    order.slice(1).map((better, at) => [better.time.source, order[at]?.time.source, better, order[at]] as const),
  )("takes a time from %s over one from %s", (_a, _b, better, worse) => {
    expect(merge(worse ?? base, better).time).toEqual(better.time);
    expect(merge(better, worse ?? base).time).toEqual(better.time);
  });

  test("takes the longer text over its beginning, the later revision over the earlier, the whole copy over the damaged", () => {
    expect(merge(base, { ...base, text: "Hello, and more" }).text).toBe("Hello, and more");
    const revised = {
      ...base,
      text: "Good day",
      props: { modified: utc("2024-06-01T00:00:00Z"), flags: ["edited" as const] },
    };
    expect(merge(base, revised)).toMatchObject({ text: "Good day", props: { flags: ["edited"] } });
    const damaged = { ...base, text: "Hello, and \ufffd", props: { flags: ["damaged" as const, "starred" as const] } };
    expect(merge(base, damaged)).toMatchObject({ text: "Hello", props: { flags: ["starred"] } });
  });

  test("unites labels and people, keeps media that only one copy has, and prefers the chat to the folder", () => {
    const jpg = {
      name: "a.jpg",
      path: null,
      mime: null,
      bytes: 3,
      sha256: "00",
      text: null,
      inline: false,
      missing: false,
    };
    const a = {
      ...base,
      container: { key: "f", title: null, kind: "folder" as const },
      props: { labels: ["inbox"], attachments: [{ ...jpg, missing: true, bytes: null, sha256: null }] },
    };
    const b = { ...base, props: { labels: ["walks"], attachments: [jpg] } };
    expect(merge(a, b)).toMatchObject({
      container: { key: "chat:walks" },
      props: { labels: ["inbox", "walks"], attachments: [jpg] },
    });
  });
});

test("any contents of a few records, imported from several places in any order, give the same archive", () => {
  const copies: fc.Arbitrary<ImportedRecord[]> = fc.array(
    fc.record({ number: fc.nat(2), content }).map(({ number, content: one }) => ({
      ...one,
      identity: `m:${number}`,
      kind: "message",
      files: [{ path: "x", offset: null, bytes: null, role: null }],
    })),
    { minLength: 1, maxLength: 8 },
  );
  const digestOf = (records: readonly ImportedRecord[]) => {
    const store = openStore(archiveFiles());
    for (const [at, record] of records.entries()) importFiles(store, { [`${at}.txt`]: [record] }, 9, [`/${at}`]);
    const digest = store.contentDigest();
    const seq = store.writer.reader().lastSeq();
    for (const [at, record] of records.entries()) importFiles(store, { [`${at}.txt`]: [record] }, 9, [`/${at}`]);
    expect([store.contentDigest(), store.writer.reader().lastSeq()]).toEqual([digest, seq]);
    store.close();
    return digest;
  };
  fc.assert(
    fc.property(copies, fc.infiniteStream(fc.nat()), (records, ranks) => {
      const shuffled = records
        .map((record) => ({ record, rank: ranks.next().value ?? 0 }))
        .sort((a, b) => a.rank - b.rank);
      expect(digestOf(shuffled.map(({ record }) => record))).toBe(digestOf(records));
    }),
    { numRuns: 6, endOnFailure: true },
  );
});
