import { expect, it } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

it("reads one state of the index while it stands still, and what was written meanwhile afterwards", () => {
  const files = temporaryFiles();
  const source = new MemorySource();
  const writer = openIndexWriter(files, source);
  const write = (id: number) => {
    source.put(recordOf({ id, text: "The ferry is late" }));
    while (writer.advance(10) > 0);
  };
  write(1);
  const reader = openIndexReader(files, () => source.lastSeq());
  const found = () => reader.searchText('"ferry"', 10).map(({ recordId }) => recordId);
  reader.still(() => {
    expect(found()).toEqual([1]);
    write(2);
    expect(found()).toEqual([1]);
    reader.still(() => expect(reader.present([1, 2])).toEqual([1]));
  });
  expect(found()).toEqual([1, 2]);
  expect(() =>
    reader.still(() => {
      throw new Error("stopped");
    }),
  ).toThrow("stopped");
  write(3);
  expect(reader.present([1, 2, 3])).toEqual([1, 2, 3]);
  reader.close();
  writer.close();
});
