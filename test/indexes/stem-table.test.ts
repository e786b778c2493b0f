import fc from "fast-check";
import { expect, it } from "vitest";
import { StemNames, StemTable } from "#main/indexes/stem-table.ts";
import { oneLetterOff } from "#main/query/recall/words.ts";
import { column, openDatabase } from "#native/sqlite.ts";
import { temporaryFiles } from "./fixture.ts";

it("visits every record each time, those too that there is no room for in memory", () => {
  const { indexPath, key, cipher } = temporaryFiles();
  const db = openDatabase({ path: indexPath, key, cipher, create: true });
  db.exec("CREATE TABLE terms (record_id INTEGER PRIMARY KEY, stems TEXT NOT NULL)");
  // A thousand stems of two bytes or so a record: some 500 of these records fill a MiB.
  db.exec(`WITH RECURSIVE record(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM record WHERE id < 700),
    stem(nth) AS (SELECT 0 UNION ALL SELECT nth + 1 FROM stem WHERE nth < 999)
    INSERT INTO terms SELECT id, (SELECT group_concat('s' || (nth * 7 + id), ' ') FROM stem) FROM record`);
  const ids = db.query("SELECT record_id FROM terms", (row) => column.number(row, "record_id")).all();

  const table = new StemTable(db, new StemNames(), 2 ** 20);
  const visited = () => {
    const counts = new Map<number, number>();
    table.visit(ids, ids.length, (id, _numbers, count) => counts.set(id, count));
    return counts;
  };
  const all = new Map(ids.map((id) => [id, 1_000]));
  expect(visited()).toEqual(all);
  expect(visited()).toEqual(all);
  db.close();
});

it("finds stems that begin and are as long as one", () => {
  const names = new StemNames();
  const numbers = ["boat", "boot", "bench", "coat", "b", `b${"o".repeat(300)}`].map((stem) => names.numberOf(stem));
  const like = (stem: string, least: number, most: number) =>
    [...names.beginningLike(stem, least, most)].map((number) => names.text(number)).sort();
  expect(like("bout", 4, 5)).toEqual(["bench", "boat", "boot"]);
  expect(like("b", 0, 1)).toEqual(["b"]);
  expect(like("bo", 290, 310)).toHaveLength(1);
  expect(names.find("coat")).toBe(numbers[3]);
  expect(names.find("goat")).toBeUndefined();
});

it("finds all stems that are one letter off, and few others", () => {
  const letters = fc.array(fc.constantFrom(..."abcdefgö7"), { minLength: 5, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 40 }), letters, (texts, asked) => {
      const names = new StemNames();
      const stem = asked.join("");
      for (const text of texts) names.numberOf(text.join(""));
      for (let at = 1; at < asked.length; at++) names.numberOf(stem.slice(0, at) + stem.slice(at + 1));
      const near = names.nearly(stem).map((number) => names.text(number));
      for (let number = 0; number < names.count; number++)
        if (oneLetterOff(stem, names.text(number))) expect(near).toContain(names.text(number));
    }),
  );
  const names = new StemNames();
  for (const text of ["garden", "gardner", "goldfish", "gravel", "harden"]) names.numberOf(text);
  expect(names.nearly("gardens").map((number) => names.text(number))).toEqual(["garden", "gardner"]);
});
