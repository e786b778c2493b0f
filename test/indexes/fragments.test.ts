import { describe, expect, it } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { search } from "#main/query/search.ts";
import { archiveOf } from "../query/archive.ts";
import { MemorySource, recordOf, stemsOf, temporaryFiles } from "./fixture.ts";

function indexed(...records: Parameters<typeof recordOf>[0][]) {
  const source = new MemorySource();
  const files = temporaryFiles();
  for (const record of records) source.put(recordOf(record));
  const writer = openIndexWriter(files, source);
  const follow = () => {
    while (writer.advance(50) > 0);
  };
  follow();
  return { source, follow, writer, reader: openIndexReader(files, () => source.lastSeq()) };
}

const picture = (id: number, read: string) => ({
  id,
  kind: "photo" as const,
  perceived: {
    tags: null,
    ocr: {
      model: "reader@1",
      text: read,
      lines: [
        {
          start: 0,
          end: read.length,
          quad: [0, 0, 1, 0, 1, 1, 0, 1] as [number, number, number, number, number, number, number, number],
          confidence: 1,
          at: null,
        },
      ],
    },
  },
});

describe("fragments of numbers and names", () => {
  const archive = () =>
    indexed(
      picture(1, "Parkplatz\nM-AB 1234"),
      { id: 2, kind: "email", text: "Your order no. 4711-0815-XK is on its way, write to help@shop.example" },
      { id: 3, kind: "document", props: { name: "scan_20210305_invoice.pdf" }, text: "Total 12 EUR" },
      { id: 4, text: "Nothing of the kind" },
    );
  type Reader = ReturnType<typeof archive>["reader"];
  const find = (reader: Reader, text: string) => reader.searchFragments(text, 9).map(({ recordId }) => recordId);

  it.each([
    ["AB 123", [1]],
    ["mab12", [1]],
    ["ab-1234", [1]],
    ["what was the plate AB 123", [1]],
    ["977 0815 1234", []],
    ["0815", [2]],
    ["110815xk", [2]],
    ["shop.exam", [2]],
    ["0305_inv", [3]],
    ["kind", []],
    ["zz9", []],
    ["12", []],
    ['"', []],
  ])("%s", (text, expected) => {
    expect(find(archive().reader, text)).toEqual(expected);
  });

  it("are the last resort of the library search, with their place marked", () => {
    const { ports } = archiveOf([
      { kind: "photo", props: { name: "scan.jpg" }, text: "Parkplatz: M-AB 1234, second row" },
      { text: "the number 123 alone" },
    ]);
    const found = search({ query: "b-123", filter: {}, limit: 5 }, ports);
    expect(found.total).toBe(1);
    const [hit] = found.hits;
    expect(hit?.marks.map(([start, end]) => hit.passage.slice(start, end))).toEqual(["B 123"]);
    expect(search({ query: "b-123", filter: { kinds: ["email"] }, limit: 5 }, ports).hits).toEqual([]);
    expect(search({ query: "123", filter: {}, limit: 5 }, ports).hits).toHaveLength(2);
  });

  it("go with their record", () => {
    const { source, follow, writer, reader } = archive();
    expect(find(reader, "AB 123")).toEqual([1]);
    source.erase(1);
    follow();
    expect(find(reader, "AB 123")).toEqual([]);
    writer.close();
    reader.close();
  });
});

describe("scripts without blanks", () => {
  const archive = () =>
    indexed(
      { id: 1, text: "昨日は東京都の美術館でピカソの絵を見ました。" },
      { id: 2, text: "我们去年夏天在北京爬了长城，天气很热。" },
      { id: 3, text: "เมื่อวานเราไปเที่ยวทะเลที่ภูเก็ต" },
      { id: 4, text: "新しいiPhone用ケースを買った" },
      { id: 5, text: "京都に住んでいます" },
      { id: 6, text: "The cat is called 猫" },
    );
  const find = (terms: string[]) => {
    const { reader } = archive();
    return reader
      .searchText(reader.expression(terms) ?? '""', 9)
      .map(({ recordId }) => recordId)
      .sort();
  };

  it.each([
    ["Japanese, inside a run", ["美術館"], [1]],
    ["Japanese with voiced kana", ["ピカソ"], [1]],
    ["half-width kana", ["ﾋﾟｶｿ"], [1]],
    ["a word that is part of another", ["京都"], [1, 5]],
    ["one letter", ["猫"], [6]],
    ["Chinese", ["长城"], [2]],
    ["a Chinese question, by its words", ["去年夏天北京的天气"], [2]],
    ["Thai", ["ภูเก็ต"], [3]],
    ["a Latin word between", ["iphone"], [4]],
    ["nothing of it", ["大阪"], []],
  ])("%s", (_, terms, expected) => {
    expect(find(terms)).toEqual(expected);
  });

  it("marks what was found", () => {
    const { reader } = archive();
    const { passage, marks } = reader.passage(reader.expression(["美術館"], { all: true }) ?? "", 1);
    expect(marks.map(([start, end]) => passage.slice(start, end))).toEqual(["美術館"]);
  });

  it("gives pairs of letters as stems", () => {
    const { reader } = archive();
    expect(stemsOf(reader, [2]).get(2)?.includes("长城")).toBe(true);
    expect(stemsOf(reader, [6]).get(6)?.includes("猫")).toBe(true);
  });
});

describe("days that only a name tells", () => {
  const file = (path: string) => ({ path, offset: null, bytes: null, role: null });
  it.each([
    ["IMG_20190704_101500.jpg", "2019-07-04", "4 July 2019"],
    ["Screenshot 2021-03-05 at 10.png", "2021-03-05", "5 March 2021"],
    ["2019-07 Urlaub/strand.jpg", "2019-07-01", "July 2019"],
    ["Rechnung 3.5.2021.pdf", "2021-05-03", "3 May 2021"],
    ["IMG_20191304.jpg", null, null],
    ["order 120190704.pdf", null, null],
    ["2019-07-04-01.jpg", "2019-07-04", "4 July 2019"],
  ])("%s", (path, day, words) => {
    const { reader } = indexed({ id: 1, kind: "document", files: [file(path)] });
    expect(reader.items([1]).get(1)?.day).toBe(day);
    const [number = "", month = "x"] = words?.split(" ") ?? [];
    const found = reader.searchText(reader.expression([month, number], { all: true }) ?? "", 9).length;
    expect(found).toBe(words === null ? 0 : 1);
    reader.close();
  });

  it("never stand against a record's own time, and tell nothing of a chat", () => {
    const { reader } = indexed(
      { id: 1, kind: "photo", at: "2020-01-01T10:00:00", files: [file("IMG_20190704.jpg")] },
      { id: 2, kind: "message", text: "hello", files: [file("export 2024-01-01.txt")] },
    );
    expect(reader.items([1, 2]).get(1)?.day).toBe("2020-01-01");
    expect(reader.items([1, 2]).get(2)?.day).toBe(null);
    reader.close();
  });
});
