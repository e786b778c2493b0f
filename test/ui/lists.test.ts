import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matching } from "../../renderer/design/picker.tsx";
import { readRange } from "../../renderer/state/pages.ts";

describe("a long list that is read as far as one scrolls", () => {
  it("gives exactly the rows that were asked for, in answers of 500 at most, and stops where the list ends", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2000), fc.nat(1500), fc.integer({ min: 1, max: 1500 }), async (total, from, length) => {
        const limits: number[] = [];
        const { rows } = await readRange(
          async (offset, limit) => {
            limits.push(limit);
            const rest = Math.max(0, Math.min(limit, total - offset));
            return { rows: Array.from({ length: rest }, (_, at) => offset + at), total };
          },
          from,
          from + length,
          new AbortController().signal,
        );
        const end = Math.min(total, from + length);
        expect(rows).toEqual(Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at));
        expect(Math.max(...limits)).toBeLessThanOrEqual(500);
      }),
    );
  });
});

describe("searching the people", () => {
  const people = [
    { key: "1", label: "Granny Pat", note: "9", also: ["+44 7700 900123"] },
    { key: "2", label: "Tom Ashworth", note: "7", also: ["tom@ashworth.example"] },
    { key: "3", label: "Ashley Tomson", note: "2" },
  ];
  const keys = (typed: string) => matching(people, typed).map(({ key }) => key);

  it("finds by any part of a name or an address, names that begin so first", () => {
    expect(keys("")).toEqual(["1", "2", "3"]);
    expect(keys("ash")).toEqual(["3", "2"]);
    expect(keys("ashworth TOM")).toEqual(["2"]);
    expect(keys("7700")).toEqual(["1"]);
    expect(keys("nobody")).toEqual([]);
  });
});
