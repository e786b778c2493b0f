import fc from "fast-check";
import { expect, test } from "vitest";
import { UnderstoryError } from "#contract";
import { jsonItems, parseJson } from "#main/importers/text/json.ts";
import { memoryEntry } from "../memory-tree.ts";

const items = (text: string | Uint8Array, paths: readonly string[], chunk?: number) =>
  Array.fromAsync(jsonItems(memoryEntry("a.json", text, chunk), paths));

test("streams the values that are asked for, with the way to them", async () => {
  const text = '{"name":"Kitchen","messages":[{"id":1},{"id":2}],"other":{"messages":[3]}}';
  for (const chunk of [1, 7, 1000]) {
    expect(await items(text, ["$.name", "$.messages.*"], chunk)).toEqual([
      { path: ["name"], value: "Kitchen" },
      { path: ["messages", 0], value: { id: 1 } },
      { path: ["messages", 1], value: { id: 2 } },
    ]);
  }
});

test("whole numbers that a double would round stay strings, others stay numbers", async () => {
  const text = '[{"id":175928847299117063,"small":9007199254740991,"minus":-9007199254740993,"float":1.5e300}]';
  const value = { id: "175928847299117063", small: 9007199254740991, minus: "-9007199254740993", float: 1.5e300 };
  expect(await items(text, ["$.*"])).toEqual([{ path: [0], value }]);
  expect(parseJson(text)).toEqual([value]);
});

test("a byte order mark is no fault; a cut file gives what stood before the cut, then says so", async () => {
  expect(await items("\ufeff[1,2]", ["$.*"])).toHaveLength(2);
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const { value } of jsonItems(memoryEntry("cut.json", '{"messages":[{"a":1},{"a":'), ["$.messages.*"])) {
      seen.push(value);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: "damaged_file", details: { path: "cut.json" } });
  expect(seen).toEqual([{ a: 1 }]);
});

test("what is nested without end is refused", async () => {
  await expect(items("[".repeat(1_000_000), ["$.*"])).rejects.toMatchObject({ code: "limit_exceeded" });
});

test("any JSON comes out as it went in, however it is cut", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (list, chunk) => {
        const text = JSON.stringify(list);
        const values = (await items(text, ["$.*"], chunk)).map(({ value }) => value);
        expect(JSON.stringify(values)).toBe(JSON.stringify(parseJson(text)));
      },
    ),
    { numRuns: 200 },
  ));

test("any bytes give values or a typed refusal", () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await items(bytes, ["$.*"]).catch((error: unknown) => expect(error).toBeInstanceOf(UnderstoryError));
    }),
    { numRuns: 500 },
  ));
