import { describe, expect, test } from "vitest";
import { type ImportedRecord, UnderstoryError } from "#contract";
import { openRecordReader } from "#main/records/reader.ts";
import { archiveFiles, freshStore, importFiles, message, utc } from "./fixtures.ts";

const ledgerOf = (store: ReturnType<typeof freshStore>, importId: number) =>
  Object.fromEntries(
    store.writer
      .reader()
      .ledger(importId, 0, 100)
      .rows.map((row) => [row.path, row.status]),
  );

describe("a commit", () => {
  test("gives back what the importer said", () => {
    const store = freshStore();
    const record = message("m:1", {
      kind: "photo",
      subject: "Bog",
      participants: [{ name: "Juno", address: "+49 170 1234567", role: "to", owner: true }],
      place: { lat: 59.3, lon: 18.1, alt: null, name: "Tyresta", confidence: "normal" },
      props: { labels: ["walk"], size: { width: 40, height: 30 }, extra: { "x-odd": [1, "two"] } },
      replyTo: "m:0",
      sequence: 4,
    });
    importFiles(store, { "a.txt": [record] });
    const [stored] = store.writer.reader().getMany([1]);
    expect(stored).toMatchObject({
      ...record,
      files: [{ path: "a.txt", offset: 0, bytes: 1, role: null }],
      id: 1,
      source: "test",
      version: 1,
      trashedAt: null,
      replyTo: { id: null, identity: "m:0" },
    });
  });

  test("resolves references that come later", () => {
    const store = freshStore();
    importFiles(store, { "a.txt": [message("m:2", { replyTo: "m:1" }), message("m:1")] });
    expect(store.writer.reader().get(1)?.replyTo).toEqual({ id: 2, identity: "m:1" });
    expect(store.writer.reader().thread(2, 10)).toEqual([1, 2]);
  });

  test("of the same things again adds nothing and no change", () => {
    const store = freshStore();
    const files = { "a.txt": [message("m:1"), message("m:2")], "b.txt": [message("m:3")] };
    importFiles(store, files);
    const reader = store.writer.reader();
    const before = { seq: reader.lastSeq(), digest: store.contentDigest() };
    const again = importFiles(store, files, 1);
    expect({ seq: reader.lastSeq(), digest: store.contentDigest() }).toEqual(before);
    expect(ledgerOf(store, again)).toEqual({ "a.txt": "duplicate", "b.txt": "duplicate" });
    expect(reader.importRuns()[0]?.counts).toMatchObject({ imported: 0, updated: 0, duplicate: 3, files: 2 });
  });

  test("of changed content keeps the old version and unites labels", () => {
    const store = freshStore();
    importFiles(store, { "a.txt": [message("m:1", { text: "old", subject: "Kept", props: { labels: ["a"] } })] });
    const second = importFiles(store, {
      "a.txt": [message("m:1", { text: "new", subject: null, props: { labels: ["b"] } })],
    });
    const detail = store.writer.reader().detail(1);
    expect(detail.record).toMatchObject({ text: "new", subject: "Kept", version: 2, props: { labels: ["a", "b"] } });
    expect(detail.versions).toMatchObject([
      { version: 2, by: "import", text: "new" },
      { version: 1, by: "import", text: "old" },
    ]);
    expect(ledgerOf(store, second)).toEqual({ "a.txt": "updated" });
  });

  test("of two copies that differ does not flip between them", () => {
    const store = freshStore();
    const files = {
      "inbox.mbox": [message("m:1", { text: "Hello", props: { labels: ["inbox"] } })],
      "all.mbox": [message("m:1", { text: "Hello, edited", props: { labels: ["all"] } })],
    };
    importFiles(store, files);
    const before = store.writer.reader().lastSeq();
    importFiles(store, files);
    expect(store.writer.reader().lastSeq()).toBe(before);
    expect(
      store.writer
        .reader()
        .get(1)
        ?.files.map((file) => file.path),
    ).toEqual(["all.mbox", "inbox.mbox"]);
  });

  test("of a value that breaks the contract skips that entry and goes on", () => {
    const store = freshStore();
    const bad: ImportedRecord = message("m:1", {
      place: { lat: 400, lon: 0, alt: null, name: null, confidence: "normal" },
    });
    const id = importFiles(store, { "a.txt": [bad, message("m:2")] });
    expect(store.writer.reader().counts().records).toBe(1);
    expect(store.writer.reader().ledger(id, 0, 10).rows[0]).toMatchObject({ records: 1, skipped: 1 });
  });

  test("for an unknown import is refused and stores nothing", () => {
    const store = freshStore();
    const batch = { importId: 9, importer: "test", claim: "a", cursor: null, done: false };
    const item = { type: "record", record: message("m:1"), cursor: 0 } as const;
    expect(() => store.writer.commit({ ...batch, items: [item] })).toThrow(UnderstoryError);
    expect(store.writer.reader().counts().records).toBe(0);
  });

  test("is seen at once by a reader on another connection", () => {
    const files = archiveFiles();
    const store = freshStore(files);
    const reader = openRecordReader(files);
    expect(reader.list({}, 0, 10).total).toBe(0);
    importFiles(store, { "a.txt": [message("m:1")] });
    expect(reader.list({}, 0, 10)).toMatchObject({ total: 1, records: [{ id: 1, author: "Mara Lindqvist" }] });
    reader.close();
  });
});

describe("the ledger", () => {
  test("ends companions as their claim ends, and counts a file once", () => {
    const store = freshStore();
    const { writer } = store;
    const run = () => {
      const paths = ["c/chat.txt", "c/photo.jpg"];
      const importId = writer.beginImport({
        jobId: "j",
        roots: ["/x"],
        files: paths.map((path) => ({ path, bytes: 1 })),
      });
      const record = message("m:1", { files: [{ path: "c/chat.txt", offset: 0, bytes: 5, role: null }] });
      const claim = { importId, importer: "test", claim: "c/chat.txt" };
      const end = { type: "file", status: "imported", reason: null, skipped: 0 } as const;
      writer.commit({ ...claim, items: [{ ...end, path: "c/photo.jpg" }], cursor: 1, done: false });
      writer.commit({
        ...claim,
        items: [
          { type: "record", record, cursor: 2 },
          { ...end, path: "c/chat.txt" },
        ],
        cursor: 2,
        done: true,
      });
      return importId;
    };
    expect(ledgerOf(store, run())).toEqual({ "c/chat.txt": "imported", "c/photo.jpg": "imported" });
    expect(ledgerOf(store, run())).toEqual({ "c/chat.txt": "duplicate", "c/photo.jpg": "duplicate" });
  });

  test("keeps the reason of skipped and failed files", () => {
    const store = freshStore();
    const { writer } = store;
    const files = ["a.bin", "b.eml"].map((path) => ({ path, bytes: 3 }));
    const importId = writer.beginImport({ jobId: "j", roots: ["/x"], files });
    writer.ledgerSkip(importId, [{ path: "a.bin", bytes: 3, reason: "Nobody reads this." }]);
    const item = { type: "file", path: "b.eml", status: "failed", reason: "Cut off.", skipped: 1 } as const;
    writer.commit({ importId, importer: "mail", claim: "b.eml", items: [item], cursor: null, done: true });
    expect(writer.reader().ledger(importId, 0, 10, "failed").rows).toMatchObject([
      { path: "b.eml", reason: "Cut off.", importer: "mail" },
    ]);
    expect(writer.reader().importRuns()[0]?.counts).toMatchObject({ skippedFiles: 1, failedFiles: 1, files: 2 });
    expect(writer.checkpoint(importId, "b.eml")).toEqual({ cursor: null, done: true });
  });
});

describe("the timeline", () => {
  test("has the newest local day first, inside a day the oldest first, no time last, and no parts", () => {
    const store = freshStore();
    importFiles(store, {
      "a.txt": [
        message("late", { time: utc("2024-05-02T20:00:00Z") }),
        message("early", { time: utc("2024-05-02T08:00:00Z") }),
        message("none", { time: null }),
        message("part", { partOf: { identity: "early", role: "attachment" } }),
        message("before", {
          // Still the first of May where it was written.
          time: { ...utc("2024-05-02T02:00:00Z"), local: "2024-05-01T19:00:00", offset: "-07:00" },
        }),
      ],
    });
    const reader = store.writer.reader();
    const order = reader.list({}, 0, 10).records.map((one) => reader.get(one.id)?.identity);
    expect(order).toEqual(["early", "late", "before", "none"]);
    expect(reader.days({})).toEqual([
      { day: "2024-05-02", count: 2 },
      { day: "2024-05-01", count: 1 },
      { day: null, count: 1 },
    ]);
    expect(reader.list({ from: "2024-05-02", kinds: ["message", "photo"] }, 1, 1)).toMatchObject({
      total: 2,
      records: [{ id: 1 }],
    });
    expect(reader.inWindow("2024-05-01", "2024-05-01", 10)).toEqual([4, 5]);
  });

  test("filters by person and container", () => {
    const store = freshStore();
    const juno = { name: "Juno", address: "JUNO@example.org", role: "author", owner: false } as const;
    importFiles(store, {
      "a.txt": [
        message("m:1", { author: juno }),
        message("m:2", { container: { key: "chat:two", title: null, kind: "chat" } }),
        message("m:3", { author: { ...juno, name: "Juno Aalto", address: "juno@example.org" } }),
      ],
    });
    const reader = store.writer.reader();
    const person = reader.people().find((one) => one.name === "Juno Aalto");
    expect(person).toMatchObject({ records: 2, addresses: ["JUNO@example.org"] });
    expect(reader.list({ personId: person?.id }, 0, 10).total).toBe(2);
    expect(reader.list({ containerKey: "chat:two" }, 0, 10).records).toMatchObject([{ id: 2 }]);
    expect(reader.byPerson(person?.id ?? 0, 10)).toEqual([3, 1]);
    expect(reader.personIdsOf([1, 3]).get(3)).toEqual([person?.id]);
  });

  test("knows a record's neighbours in its chat by sequence, and in its mail thread by time", () => {
    const store = freshStore();
    const mail = (identity: string, time: string) =>
      message(identity, { kind: "email", thread: "t", time: utc(time), container: null });
    importFiles(store, {
      "a.txt": [3, 1, 2, 5, 4].map((sequence) => message(`m:${sequence}`, { sequence })),
      "b.mbox": [mail("b", "2024-02-02T00:00:00Z"), mail("a", "2024-01-01T00:00:00Z")],
    });
    const reader = store.writer.reader();
    const around = (id: number) => reader.neighbours(id, 2).map((one) => [reader.get(one.id)?.identity, one.distance]);
    expect(around(1)).toEqual([
      ["m:1", -2],
      ["m:2", -1],
      ["m:4", 1],
      ["m:5", 2],
    ]);
    expect(around(6)).toEqual([["a", -1]]);
  });
});

test("a reader that is told to leave links alone names what a record answers, without looking for its id", () => {
  const files = archiveFiles();
  const store = freshStore(files);
  importFiles(store, { "a.txt": [message("m:1"), message("m:2", { replyTo: "m:1" })] });
  for (const linked of [true, false]) {
    const reader = openRecordReader(files, { linked });
    expect(reader.getMany([2])[0]?.replyTo).toEqual({ identity: "m:1", id: linked ? 1 : null });
    reader.close();
  }
});
