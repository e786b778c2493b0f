import { describe, expect, test } from "vitest";
import { openMediaReader } from "#main/records/media.ts";
import { perceptionAttempts } from "#main/records/perception.ts";
import type { Perception, PictureModel } from "#main/records/ports.ts";
import { openStore, type Store } from "#main/records/store.ts";
import { openDatabase } from "#native/sqlite.ts";
import { archiveFiles, freshStore, importFiles, message } from "./fixtures.ts";

const ocr: PictureModel = { purpose: "ocr", model: "reader@1" };
const tags: PictureModel = { purpose: "image-tags", model: "tagger@1" };
const sight: PictureModel = { purpose: "image-text-embedding", model: "sight@1" };

const digest = (letter: string) => letter.repeat(64);
const photo = (letter: string, rest = {}) =>
  message(`photo:${digest(letter)}`, { kind: "photo", text: null, props: { mime: "image/jpeg" }, ...rest });

const reads = (text: string, model = ocr.model): Perception => ({
  purpose: "ocr",
  model,
  reading: { text, lines: [{ start: 0, end: text.length, quad: [0, 0, 1, 0, 1, 1, 0, 1], confidence: 0.9, at: null }] },
});
const sees = (label: string): Perception => ({
  purpose: "image-tags",
  model: tags.model,
  tags: [{ label, score: 0.8 }],
  features: Float32Array.of(0.6, 0.8),
});
const looksLike = (model: string, ...vector: number[]): Perception => ({
  purpose: "image-text-embedding",
  model,
  vector: Float32Array.from(vector),
});

function pictures(store: Store = freshStore()) {
  importFiles(store, { "a.jpg": [photo("a")], "b.jpg": [photo("b")], "chat.txt": [message("m:1")] });
  const waiting = (...models: PictureModel[]) =>
    store.media.pendingPerceptions(models, 9).map(({ recordId, missing }) => ({ recordId, missing }));
  return { store, waiting, reader: store.writer.reader() };
}

describe("what a model found in a picture", () => {
  test("waits for every model that has not looked, with the place and the hash of the bytes to look at", () => {
    const { store, waiting } = pictures();
    expect(waiting(ocr, tags)).toEqual([
      { recordId: 2, missing: ["ocr", "image-tags"] },
      { recordId: 1, missing: ["ocr", "image-tags"] },
    ]);
    const [first] = store.media.pendingPerceptions([ocr], 1);
    expect(first).toMatchObject({
      original: `photo:${digest("b")}`,
      originals: [{ sha256: digest("b"), location: { path: "b.jpg" } }],
    });
    store.media.putPerception({ recordId: 2, original: `photo:${digest("b")}`, perception: reads("Platform 4") });
    expect(waiting(ocr, tags)).toEqual([
      { recordId: 2, missing: ["image-tags"] },
      { recordId: 1, missing: ["ocr", "image-tags"] },
    ]);
  });

  test("comes with the record, and the change log tells of it", () => {
    const { store, reader } = pictures();
    const before = reader.lastSeq();
    store.media.putPerception({ recordId: 1, original: `photo:${digest("a")}`, perception: reads("Platform 4") });
    store.media.putPerception({ recordId: 1, original: `photo:${digest("a")}`, perception: sees("espresso") });
    expect(reader.changesSince(before, 9).map(({ recordId, op }) => ({ recordId, op }))).toEqual([
      { recordId: 1, op: "put" },
      { recordId: 1, op: "put" },
    ]);
    const perceived = {
      ocr: { model: "reader@1", text: "Platform 4" },
      tags: { model: "tagger@1", tags: [{ label: "espresso", score: 0.8 }] },
    };
    expect(reader.get(1)).toMatchObject({ perceived });
    expect(reader.getMany([3, 1])[1]).toMatchObject({ perceived });
    expect(reader.detail(1).record).toMatchObject({ perceived });
    expect(reader.get(2)).not.toHaveProperty("perceived");
  });

  test("of text is replaced by another model's; vectors of the old one stay until all have the new", () => {
    const files = archiveFiles();
    const { store, reader } = pictures(freshStore(files));
    const original = `photo:${digest("a")}`;
    store.media.putPerception({ recordId: 1, original, perception: reads("Platforn 4") });
    store.media.putPerception({ recordId: 1, original, perception: reads("Platform 4", "reader@2") });
    expect(reader.get(1)?.perceived?.ocr).toMatchObject({ model: "reader@2", text: "Platform 4" });

    store.media.putPerception({ recordId: 1, original, perception: looksLike("sight@1", 1, 0) });
    store.media.putPerception({ recordId: 1, original, perception: looksLike("sight@2", 0, 1) });
    const media = openMediaReader(files);
    const models = () => media.pictureVectors(1).map(({ model }) => model);
    expect(media.pictureVectors(1)).toEqual([
      { model: "sight@1", vector: Float32Array.of(1, 0) },
      { model: "sight@2", vector: Float32Array.of(0, 1) },
    ]);
    store.media.retireVectors("image-text-embedding", "sight@2");
    expect(models()).toEqual(["sight@2"]);
    media.close();
  });

  test("that failed is tried again, then given up with its reason, until a person asks", () => {
    const files = archiveFiles();
    const { store, waiting } = pictures(freshStore(files));
    const fail = (final: boolean) =>
      store.media.failPerception({
        recordId: 1,
        original: `photo:${digest("a")}`,
        ...ocr,
        reason: "The file is not there.",
        final,
      });
    for (let attempt = 1; attempt < perceptionAttempts; attempt++) {
      fail(false);
      expect(waiting(ocr).map(({ recordId }) => recordId)).toContain(1);
    }
    fail(false);
    expect(waiting(ocr).map(({ recordId }) => recordId)).toEqual([2]);
    expect(store.media.perceptionProgress([ocr])).toEqual([{ ...ocr, done: 0, pending: 1, failed: 1 }]);
    const media = openMediaReader(files);
    expect(media.failedViews({ offset: 0, limit: 9 })).toEqual({
      total: 1,
      rows: [{ recordId: 1, ...ocr, reason: "The file is not there.", attempts: perceptionAttempts }],
    });
    expect(media.failedViews({ purpose: "image-tags", offset: 0, limit: 9 }).total).toBe(0);
    media.close();
    expect(store.media.retryPerceptions("image-tags")).toBe(0);
    expect(store.media.retryPerceptions(null)).toBe(1);
    expect(waiting(ocr).map(({ recordId }) => recordId)).toEqual([2, 1]);
    fail(true);
    expect(waiting(ocr).map(({ recordId }) => recordId)).toEqual([2]);
  });

  test("is looked for again when the bytes are others, and late results of the old bytes are not kept", () => {
    const { store, waiting, reader } = pictures();
    const shared = (note: string) =>
      message("chat:7/beach.jpg", {
        kind: "photo",
        text: note,
        files: [{ path: "beach.jpg", offset: null, bytes: 1, role: null }],
      });
    importFiles(store, { "beach.jpg": [shared("first")] });
    const [first] = store.media.pendingPerceptions([ocr], 1);
    const [recordId, original] = [first?.recordId ?? 0, first?.original ?? ""];
    store.media.putPerception({ recordId, original, perception: reads("Strandbad") });
    expect(waiting(ocr).map((one) => one.recordId)).not.toContain(recordId);
    importFiles(store, { "beach.jpg": [shared("turned upright")] });
    expect(waiting(ocr)[0]).toEqual({ recordId, missing: ["ocr"] });
    store.media.putPerception({ recordId, original, perception: reads("late") });
    // What is known of the old bytes stays until the new ones are looked at.
    expect(reader.get(recordId)?.perceived?.ocr?.text).toBe("Strandbad");
    const [again] = store.media.pendingPerceptions([ocr], 1);
    store.media.putPerception({ recordId, original: again?.original ?? "", perception: reads("Strandbad Wannsee") });
    expect(reader.get(recordId)?.perceived?.ocr?.text).toBe("Strandbad Wannsee");
  });

  test("goes with the record when it is erased, and leaves no trace", () => {
    const files = archiveFiles();
    const { store } = pictures(freshStore(files));
    store.media.putPerception({
      recordId: 1,
      original: `photo:${digest("a")}`,
      perception: reads("the cormorant dries its wings ".repeat(300)),
    });
    const pages = () => {
      const db = openDatabase({ path: files.mediaPath, key: files.key, cipher: files.cipher });
      const bytes = Buffer.from(db.pages()).toString("latin1");
      db.close();
      return bytes;
    };
    expect(pages()).toContain("cormorant");
    store.writer.trash([1]);
    store.writer.erase([1]);
    expect(pages()).not.toContain("cormorant");
  });

  test("is told to the change log again when a crash lost that step", () => {
    const files = archiveFiles();
    const { store } = pictures(openStore(files));
    store.media.putPerception({ recordId: 1, original: `photo:${digest("a")}`, perception: reads("Platform 4") });
    store.close();
    const db = openDatabase({ path: files.recordsPath, key: files.key, cipher: files.cipher });
    db.exec("DELETE FROM change WHERE seq = (SELECT max(seq) FROM change)");
    db.close();
    const again = freshStore(files);
    const reader = again.writer.reader();
    expect(reader.changesSince(0, 99).at(-1)).toMatchObject({ recordId: 1, op: "put" });
    expect(reader.get(1)?.perceived?.ocr?.text).toBe("Platform 4");
  });

  test("of a record in the trash is kept for its restoring", () => {
    const { store, reader } = pictures();
    store.writer.trash([1]);
    const before = reader.lastSeq();
    store.media.putPerception({ recordId: 1, original: `photo:${digest("a")}`, perception: reads("Platform 4") });
    expect(reader.lastSeq()).toBe(before);
    store.writer.restore([1]);
    expect(reader.get(1)?.perceived?.ocr?.text).toBe("Platform 4");
    expect(store.media.perceptionProgress([ocr, sight])).toEqual([
      { ...ocr, done: 1, pending: 1, failed: 0 },
      { ...sight, done: 0, pending: 2, failed: 0 },
    ]);
  });
});
