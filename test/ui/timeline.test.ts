import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { justify } from "../../renderer/library/justify.ts";
import { blockOf, blockSize, buildBlocks, groupRecords, monthsOf } from "../../renderer/library/rows.ts";
import { summary } from "./records.ts";

const dayCounts = fc.array(
  fc.record({
    day: fc.constantFrom("2024-07-14", "2024-07-01", "2023-12-31", null),
    count: fc.integer({ min: 1, max: 400 }),
  }),
  { maxLength: 30 },
);

describe("layout of the timeline from day counts alone", () => {
  it("covers every record once, in order, in blocks that are small enough to measure", () => {
    fc.assert(
      fc.property(dayCounts, (days) => {
        const blocks = buildBlocks(days);
        let next = 0;
        for (const block of blocks) {
          expect(block.start).toBe(next);
          expect(block.end - block.start).toBeGreaterThan(0);
          expect(block.end - block.start).toBeLessThanOrEqual(blockSize);
          next = block.end;
        }
        expect(next).toBe(days.reduce((sum, day) => sum + day.count, 0));
        expect(blocks.filter((block) => block.part === 0)).toHaveLength(days.length);
      }),
    );
  });

  it("finds the block of any record", () => {
    fc.assert(
      fc.property(dayCounts, fc.nat(), (days, seed) => {
        const blocks = buildBlocks(days);
        const total = blocks.at(-1)?.end ?? 0;
        expect(blockOf(blocks, total)).toBe(-1);
        if (total === 0) return;
        const index = seed % total;
        const block = blocks[blockOf(blocks, index)];
        expect(block && index >= block.start && index < block.end).toBe(true);
      }),
    );
  });

  it("adds days up to months, and keeps records without a time apart", () => {
    const months = monthsOf([
      { day: "2024-07-14", count: 2 },
      { day: "2024-07-01", count: 3 },
      { day: "2023-12-31", count: 1 },
      { day: null, count: 4 },
    ]);
    expect(months).toEqual([
      { month: "2024-07", count: 5, start: 0 },
      { month: "2023-12", count: 1, start: 5 },
      { month: null, count: 4, start: 6 },
    ]);
  });
});

describe("photos set edge to edge", () => {
  const photos = fc.array(fc.tuple(fc.integer({ min: 1, max: 6000 }), fc.integer({ min: 1, max: 6000 })), {
    minLength: 1,
    maxLength: 40,
  });

  it("fills every row but the last exactly, loses none, and never overflows", () => {
    fc.assert(
      fc.property(photos, fc.integer({ min: 200, max: 1600 }), (sizes, width) => {
        const items = sizes.map(([w, h], index) => ({
          record: summary(index + 1, { kind: "photo", size: { width: w, height: h } }),
          index,
        }));
        const rows = justify(items, width, 168, 4);
        expect(rows.flatMap((row) => row.photos.map((photo) => photo.index))).toEqual(items.map((item) => item.index));
        rows.forEach((row, at) => {
          const used = row.photos.reduce((sum, photo) => sum + photo.width, 4 * (row.photos.length - 1));
          expect(used).toBeLessThanOrEqual(width + 0.01);
          if (at < rows.length - 1) expect(used).toBeCloseTo(width, 3);
        });
      }),
    );
  });

  const set = (ratios: readonly number[], width: number) =>
    justify(
      ratios.map((ratio, index) => ({
        record: summary(index + 1, { kind: "photo", size: { width: Math.round(ratio * 1000), height: 1000 } }),
        index,
      })),
      width,
      168,
      4,
    );

  it("keeps heights near the wish on a wide window, whatever shapes come", () => {
    const shapes = fc.array(fc.constantFrom(3 / 4, 9 / 16, 1, 4 / 3, 3 / 2, 16 / 9), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(shapes, fc.integer({ min: 800, max: 1400 }), (ratios, width) => {
        for (const { height } of set(ratios, width)) {
          expect(height).toBeGreaterThan(168 * 0.6);
          expect(height).toBeLessThan(168 * 1.6);
        }
      }),
    );
  });

  it("leaves no photo alone in a last row when two fuller rows can be had", () => {
    expect(set([1.5, 1.5, 1.5, 1.5, 1.5], 1000).map((row) => row.photos.length)).not.toContain(1);
  });

  it("shows a lone photo larger than one in a crowd", () => {
    expect(set([0.75], 1100)[0]?.height).toBeGreaterThan(168 * 1.3);
  });
});

describe("neighbours inside a day", () => {
  it("gathers pictures into one grid and messages of one chat into one excerpt, in the order of the day", () => {
    const photo = { kind: "photo", hasThumbnail: true } as const;
    const groups = groupRecords(
      [
        summary(1, photo),
        summary(2, photo),
        summary(3),
        summary(4),
        summary(5, { containerTitle: "Juno" }),
        summary(6, { kind: "email", subject: "The boiler" }),
        summary(7, photo),
      ],
      100,
    );
    expect(groups.map((group) => (group.type === "single" ? 1 : group.items.length))).toEqual([2, 2, 1, 1, 1]);
    expect(groups.map((group) => group.type)).toEqual(["photos", "chat", "chat", "single", "photos"]);
    const last = groups.at(-1);
    expect(last?.type === "photos" && last.items[0]?.index).toBe(106);
  });
});
