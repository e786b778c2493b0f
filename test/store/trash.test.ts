import { existsSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openMediaReader } from "#main/records/media.ts";
import { openDatabase } from "#native/sqlite.ts";
import { archiveFiles, freshStore, importFiles, message } from "./fixtures.ts";

const code = (expected: string) => expect.objectContaining({ code: expected });

describe("the trash", () => {
  test("hides a record and its parts everywhere, and gives them back", () => {
    const store = freshStore();
    importFiles(store, {
      "a.txt": [
        message("mail"),
        message("picture", { kind: "photo", partOf: { identity: "mail", role: "attachment" } }),
        message("other"),
      ],
    });
    const { writer } = store;
    const reader = writer.reader();
    const before = store.contentDigest();
    writer.trash([1]);
    expect(reader.liveIds(0, 10)).toEqual([3]);
    expect(reader.list({}, 0, 10).total).toBe(1);
    expect(reader.list({ trashed: true }, 0, 10).records).toMatchObject([{ id: 1, trashed: true }]);
    expect(reader.counts()).toMatchObject({ records: 1, trashed: 2 });
    expect(reader.people()).toMatchObject([{ records: 1 }]);
    expect(reader.get(1)?.trashedAt).not.toBeNull();
    writer.restore([1]);
    expect(store.contentDigest()).toBe(before);
    expect(reader.changesSince(3, 10).map((change) => [change.op, change.recordId])).toEqual([
      ["trash", 1],
      ["trash", 2],
      ["restore", 1],
      ["restore", 2],
    ]);
    expect(() => writer.trash([3, 99])).toThrow(code("not_found"));
    expect(reader.live([3])).toEqual(new Set([3]));
  });

  test("keeps what is in it through another import, changed or not", () => {
    const store = freshStore();
    importFiles(store, { "a.txt": [message("m:1")] });
    store.writer.trash([1]);
    const seq = store.writer.reader().lastSeq();
    importFiles(store, { "a.txt": [message("m:1")] });
    importFiles(store, { "a.txt": [message("m:1", { text: "changed" })] });
    const reader = store.writer.reader();
    expect(reader.get(1)).toMatchObject({ text: "changed", version: 2 });
    expect(reader.get(1)?.trashedAt).not.toBeNull();
    expect(reader.lastSeq()).toBe(seq);
  });
});

describe("erasing", () => {
  test("is refused outside the trash", () => {
    const store = freshStore();
    importFiles(store, { "a.txt": [message("m:1"), message("m:2")] });
    store.writer.trash([1]);
    expect(() => store.writer.erase([1, 2])).toThrow(code("conflict"));
    expect(store.writer.reader().get(1)).not.toBeNull();
  });

  test("leaves no trace in any page, log or table, and the record never comes back", () => {
    const files = archiveFiles();
    const store = freshStore(files);
    const { writer, media } = store;
    const secret = "the cormorant dries its wings";
    const hidden = message("m:secret", {
      kind: "photo",
      subject: `${secret} subject`,
      text: `${secret} `.repeat(2_000),
      author: { name: "Ada Cormorant", address: "cormorant@example.org", role: "author", owner: false },
      container: { key: "chat:cormorant", title: "Cormorant", kind: "chat" },
      props: { labels: ["cormorant"] },
    });
    importFiles(store, { "a.txt": [message("m:1"), hidden, message("m:3")] });
    media.putThumbnail({
      recordId: 2,
      mime: "image/webp",
      width: 4,
      height: 3,
      bytes: new TextEncoder().encode("cormorant pixels ".repeat(500)),
    });
    writer.edit({ id: 2, version: 1, subject: "cormorant edited", text: "cormorant again" });
    const pages = () => {
      const all = [files.recordsPath, files.mediaPath].map((path) => {
        const db = openDatabase({ path, key: files.key, cipher: files.cipher });
        const bytes = Buffer.from(db.pages());
        db.close();
        return bytes;
      });
      return Buffer.concat(all).toString("latin1").toLowerCase();
    };
    expect(pages()).toContain("cormorant");
    writer.trash([2]);
    writer.erase([2]);
    expect(pages()).not.toContain("cormorant");
    for (const path of [`${files.recordsPath}-wal`, `${files.mediaPath}-wal`]) {
      expect(existsSync(path) ? statSync(path).size : 0).toBe(0);
    }

    const reader = writer.reader();
    expect(reader.get(2)).toBeNull();
    expect(reader.people().map((person) => person.name)).toEqual(["Mara Lindqvist"]);
    expect(reader.changesSince(0, 100).at(-1)).toMatchObject({ op: "erase", recordId: 2 });
    const again = importFiles(store, { "secret.txt": [hidden], "both.txt": [hidden, message("m:4")] });
    expect(reader.idByIdentity("m:secret")).toBeNull();
    expect(reader.idByIdentity("m:4")).toBe(4);
    expect(reader.ledger(again, 0, 10).rows).toMatchObject([
      { path: "both.txt", status: "imported" },
      { path: "secret.txt", status: "skipped", reason: expect.stringContaining("deleted for good") },
    ]);
    expect(pages()).not.toContain("cormorant");
  });
});

describe("an edit", () => {
  test("keeps the version before it and is refused on an old one", () => {
    const store = freshStore();
    importFiles(store, { "a.txt": [message("m:1", { text: "as imported" })] });
    store.writer.edit({ id: 1, version: 1, subject: "Title", text: "as edited" });
    expect(() => store.writer.edit({ id: 1, version: 1, subject: null, text: "late" })).toThrow(code("conflict"));
    expect(() => store.writer.edit({ id: 7, version: 1, subject: null, text: "" })).toThrow(code("not_found"));
    const detail = store.writer.reader().detail(1);
    expect(detail.record).toMatchObject({ subject: "Title", text: "as edited", version: 2 });
    expect(detail.versions).toMatchObject([
      { version: 2, by: "person" },
      { version: 1, by: "import", text: "as imported" },
    ]);
  });

  test("stands until the source itself says something else", () => {
    const store = freshStore();
    const original = message("m:1", { text: "as imported" });
    importFiles(store, { "a.txt": [original] });
    store.writer.edit({ id: 1, version: 1, subject: null, text: "as edited" });
    const reader = store.writer.reader();
    importFiles(store, { "a.txt": [original] });
    expect(reader.get(1)).toMatchObject({ text: "as edited", version: 2 });
    importFiles(store, { "b.txt": [{ ...original, props: { labels: ["walk"] } }] });
    expect(reader.get(1)).toMatchObject({ text: "as edited", version: 3, props: { labels: ["walk"] } });
    importFiles(store, { "a.txt": [{ ...original, text: "changed at the source" }] });
    expect(reader.get(1)).toMatchObject({ text: "changed at the source", version: 4 });
    expect(reader.detail(1).versions.map((version) => version.text)).toContain("as edited");
  });
});

describe("thumbnails", () => {
  test("wait, are kept, fail, and are tried again", () => {
    const files = archiveFiles();
    const store = freshStore(files);
    const { writer, media } = store;
    const picture = (identity: string) => message(identity, { kind: "photo", props: { mime: "image/jpeg" } });
    importFiles(store, {
      "p.jpg": [picture("p:1"), picture("p:2"), message("m")],
      "v.mp4": [message("v", { kind: "video" })],
    });
    expect(media.pendingThumbnails(2)).toMatchObject([
      { recordId: 4, kind: "video", mime: null },
      { recordId: 2, mime: "image/jpeg", originals: [{ roots: ["/home/mara/export"], location: { path: "p.jpg" } }] },
    ]);
    const bytes = new Uint8Array([1, 2, 3]);
    media.putThumbnail({ recordId: 2, mime: "image/webp", width: 2, height: 1, bytes });
    media.putThumbnail({ recordId: 77, mime: "image/webp", width: 2, height: 1, bytes });
    media.failThumbnail(4, "No decoder.");
    expect(media.pendingThumbnails(9).map((one) => one.recordId)).toEqual([1]);
    expect(media.retryFailed(1)).toBe(0);
    expect(media.retryFailed(3)).toBe(1);
    expect(media.pendingThumbnails(9).map((one) => one.recordId)).toEqual([4, 1]);
    const reader = openMediaReader(files);
    expect(reader.thumbnail(2)).toMatchObject({ mime: "image/webp", width: 2, height: 1, bytes: Buffer.from(bytes) });
    expect(reader.having([1, 2, 4, 77])).toEqual(new Set([2]));
    reader.close();
    expect(
      writer
        .reader()
        .summaries([2, 1])
        .map((one) => one.hasThumbnail),
    ).toEqual([true, false]);
    writer.trash([1]);
    expect(media.pendingThumbnails(9).map((one) => one.recordId)).toEqual([4]);
  });
});
