import { describe, expect, test } from "vitest";
import { freshStore, importFiles, message } from "./fixtures.ts";

const part = (of: string) => message("file:logo", { kind: "document", partOf: { identity: of, role: "attachment" } });

/** Two mails that bring the same file: ids 1 and 3, the file is 2. */
function twoMails() {
  const store = freshStore();
  importFiles(store, { "a.eml": [message("mail:a"), part("mail:a")], "b.eml": [message("mail:b"), part("mail:b")] });
  const reader = store.writer.reader();
  const related = (id: number) =>
    reader
      .detail(id)
      .related.filter(({ relation }) => relation.startsWith("attachment"))
      .map((one) => [one.relation, one.record.id]);
  return { store, writer: store.writer, reader, related };
}

describe("a file that came with two mails", () => {
  test("is one record that both show and that shows both", () => {
    const { reader, related } = twoMails();
    expect(reader.counts().records).toBe(3);
    expect(related(1)).toEqual([["attachment", 2]]);
    expect(related(3)).toEqual([["attachment", 2]]);
    expect(related(2)).toEqual([
      ["attachment_of", 1],
      ["attachment_of", 3],
    ]);
  });

  test("goes to the trash with the last of them, and comes back with the first", () => {
    const { writer, reader } = twoMails();
    writer.trash([1]);
    expect(reader.liveIds(0, 9)).toEqual([2, 3]);
    writer.trash([3]);
    expect(reader.liveIds(0, 9)).toEqual([]);
    writer.restore([3]);
    expect(reader.liveIds(0, 9)).toEqual([2, 3]);
    writer.restore([1]);
    expect(reader.liveIds(0, 9)).toEqual([1, 2, 3]);
    writer.trash([1, 3]);
    expect(reader.liveIds(0, 9)).toEqual([]);
  });

  test("stays while one of them is not erased, and then belongs to that one", () => {
    const { writer, reader, related } = twoMails();
    writer.trash([1, 3]);
    writer.erase([1]);
    expect(reader.get(2)?.partOf).toMatchObject({ identity: "mail:b", id: 3 });
    writer.restore([3]);
    expect(related(2)).toEqual([["attachment_of", 3]]);
    writer.trash([3]);
    writer.erase([3]);
    expect(reader.get(2)).toBeNull();
  });

  test("and by itself stays when both mails go", () => {
    const { store, writer, reader, related } = twoMails();
    importFiles(store, { "logo.png": [message("file:logo", { kind: "document" })] });
    expect(reader.get(2)?.partOf).toBeNull();
    expect(related(2)).toEqual([
      ["attachment_of", 1],
      ["attachment_of", 3],
    ]);
    expect(related(1)).toEqual([["attachment", 2]]);
    writer.trash([1, 3]);
    expect(reader.liveIds(0, 9)).toEqual([2]);
  });
});

test("a file that thousands of mails bring costs each of them little", () => {
  const store = freshStore();
  const mails = Array.from({ length: 600 }, (_, at) => [message(`mail:${at}`), part(`mail:${at}`)]).flat();
  importFiles(store, { "all.mbox": mails });
  const reader = store.writer.reader();
  const logo = reader.idByIdentity("file:logo") ?? 0;
  expect(reader.get(logo)?.version).toBe(1);
  expect(reader.detail(logo).related).toHaveLength(51);
});
