import { describe, expect, test } from "vitest";
import { joinLooks, joinReadings, meanVector } from "#main/app/frames.ts";
import type { PictureReading } from "#models/pictures/ports.ts";

function reading(...rows: readonly string[]): PictureReading {
  let start = 0;
  const lines = rows.map((row) => {
    const line = { start, end: start + row.length, quad: [0, 0, 1, 0, 1, 1, 0, 1], confidence: 0.9, at: null } as const;
    start = line.end + 1;
    return { ...line, quad: [...line.quad] as PictureReading["lines"][number]["quad"] };
  });
  return { text: rows.join("\n"), lines };
}

describe("what is found in the pictures of a film", () => {
  test("is one text in order of time, each line where it is seen first", () => {
    const joined = joinReadings([reading("EXIT", "Platform 4"), reading("Platform 4", "To Lübeck")], [1.5, 4.5]);
    expect(joined.text).toBe("EXIT\nPlatform 4\nTo Lübeck");
    expect(joined.lines.map(({ start, end, at }) => [joined.text.slice(start, end), at])).toEqual([
      ["EXIT", 1.5],
      ["Platform 4", 1.5],
      ["To Lübeck", 4.5],
    ]);
  });

  test("of a photo passes through unchanged", () => {
    const one = { ...reading("GATE SEAT", "14 18C"), text: "GATE SEAT 14 18C" };
    expect(joinReadings([one], [null])).toEqual(one);
    const look = { tags: [{ label: "espresso", score: 0.7 }], features: Float32Array.of(1, 0) };
    expect(joinLooks([look])).toEqual(look);
    expect(joinReadings([], [])).toEqual({ text: "", lines: [] });
  });

  test("counts every label at its best, and the middle of all features", () => {
    const joined = joinLooks([
      { tags: [{ label: "pier", score: 0.4 }], features: Float32Array.of(1, 0) },
      {
        tags: [
          { label: "gull", score: 0.9 },
          { label: "pier", score: 0.6 },
        ],
        features: Float32Array.of(0, 1),
      },
    ]);
    expect(joined.tags).toEqual([
      { label: "gull", score: 0.9 },
      { label: "pier", score: 0.6 },
    ]);
    expect(joined.features[0]).toBeCloseTo(Math.SQRT1_2);
    expect(meanVector([])).toEqual(new Float32Array(0));
  });
});
