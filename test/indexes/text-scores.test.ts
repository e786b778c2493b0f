import fc from "fast-check";
import { expect, test } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { searchText } from "#main/indexes/text.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { openDatabase } from "#native/sqlite.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

const words = ["ferry", "ferries", "cellar", "radio", "garden", "gardens", "tide"];

test("scores summed word by word are those of FTS5, whatever was asked before", () => {
  const files = temporaryFiles();
  const source = new MemorySource();
  const writer = openIndexWriter(files, source);
  for (let id = 1; id <= 60; id++) {
    const said = words.filter((_, at) => (id * (at + 3)) % 5 < 2);
    source.put(recordOf({ id, subject: said[0] ?? null, text: `${said.join(" and ")} ${"then ".repeat(id % 7)}` }));
  }
  while (writer.advance(100) > 0);
  const reader = openIndexReader(files, () => source.lastSeq());
  const db = openDatabase({ path: files.indexPath, key: files.key, cipher: files.cipher, readonly: true });
  const terms = fc.uniqueArray(fc.constantFrom(...words, "ferry garden"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 70 }), fc.boolean(), (asked, limit, open) => {
      const match = reader.expression(asked, open ? { prefixes: ["gard"] } : {}) ?? "";
      const [found, wanted] = [reader.searchText(match, limit), searchText(db, match, limit)];
      expect(found.map(({ recordId }) => recordId)).toEqual(wanted.map(({ recordId }) => recordId));
      for (const [at, { score }] of wanted.entries()) expect(found[at]?.score).toBeCloseTo(score, 12);
    }),
  );
  source.put(recordOf({ id: 61, text: "The ferry came late" }));
  source.trash(1, true);
  source.put(recordOf({ id: 2, text: `The ferry came ${"very ".repeat(40)} late` }));
  while (writer.advance(100) > 0);
  for (const [at, { recordId, score }] of searchText(db, '"ferry"', 100).entries()) {
    expect(reader.searchText('"ferry"', 100)[at]?.recordId).toBe(recordId);
    expect(reader.searchText('"ferry"', 100)[at]?.score).toBeCloseTo(score, 12);
  }
  expect(reader.countText('"ferry"', 20_000)).toBe(searchText(db, '"ferry"', 100).length);
  db.close();
  reader.close();
  writer.close();
});
