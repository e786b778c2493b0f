import { expect, test } from "vitest";
import { freshStore, importFiles, message } from "./fixtures.ts";

test("contents are records without files and linked ids, but for those whose day only a folder may tell", () => {
  const store = freshStore();
  importFiles(store, {
    "a.txt": [message("m:1"), message("m:2", { replyTo: "m:1" }), message("m:3", { kind: "document", time: null })],
  });
  const reader = store.writer.reader();
  const whole = reader.getMany([3, 2, 1, 9]);
  const contents = reader.contents([3, 2, 1, 9]);
  expect(contents.map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(contents[0]).toEqual(whole[0]);
  expect(contents[1]).toEqual({ ...whole[1], files: [], replyTo: { identity: "m:1", id: null } });
  expect(contents[2]).toEqual({ ...whole[2], files: [] });
  expect(whole[1]?.replyTo).toEqual({ identity: "m:1", id: 1 });
});

test("photos of days come as ids in the order of the library; without a reading model none is legible", () => {
  const store = freshStore();
  const photo = (identity: string, local: string) => {
    const { time } = message(identity);
    return message(identity, { kind: "photo", time: time && { ...time, utc: null, local } });
  };
  importFiles(store, {
    "a.txt": [photo("p:1", "2024-05-02T10:00:00"), photo("p:2", "2024-05-03T10:00:00"), message("m:3")],
  });
  const reader = store.writer.reader();
  const listed = reader.list({ kinds: ["photo"], from: "2024-05-01", to: "2024-05-03" }, 0, 10).records;
  expect(reader.photos("2024-05-01", "2024-05-03", 10)).toEqual(listed.map(({ id }) => id));
  expect(reader.photos("2024-05-01", "2024-05-03", 10)).toHaveLength(2);
  expect(reader.photos("2024-05-01", "2024-05-03", 1)).toEqual([listed[0]?.id]);
  expect(reader.legible([1, 2])).toEqual(new Set());
  expect(reader.picturesRead()).toBe(false);
});
