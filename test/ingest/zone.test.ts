import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordTime } from "#contract";
import { isZone, offsetAtInstant, offsetAtWall } from "#main/importers/text/zone.ts";
import { assumeZone } from "#main/ingest/assume-zone.ts";
import { guessZone } from "#main/ingest/guess-zone.ts";

const wall = (local: string, more: Partial<RecordTime> = {}): RecordTime => ({
  utc: null,
  local,
  offset: null,
  zone: null,
  source: "message-header",
  precision: "minute",
  inferred: false,
  confidence: "normal",
  ...more,
});

describe("a wall clock without a zone", () => {
  test("is read in the zone that was named, and says that this was inferred", () => {
    expect(assumeZone(wall("2024-07-14T21:30"), "Europe/Berlin")).toMatchObject({
      utc: "2024-07-14T19:30:00Z",
      local: "2024-07-14T21:30",
      offset: "+02:00",
      zone: "Europe/Berlin",
      inferred: true,
      precision: "minute",
    });
    expect(assumeZone(wall("2024-01-14T21:30:05"), "America/St_Johns")).toMatchObject({ utc: "2024-01-15T01:00:05Z" });
  });

  test("stays as it is where the source says its zone, its instant, or only the day", () => {
    for (const time of [
      wall("2024-07-14T21:30", { offset: "+09:00", utc: "2024-07-14T12:30:00Z" }),
      wall("2024-07-14", { precision: "day" }),
      { ...wall(""), local: null, utc: "2024-07-14T12:30:00Z" },
    ]) {
      expect(assumeZone(time, "Europe/Berlin")).toEqual(time);
    }
    expect(assumeZone(null, "Europe/Berlin")).toBeNull();
  });

  test("is the first of two where clocks were put back, and one hour on where they were put forward", () => {
    const at = (hour: number, month: number, day: number) => ({ year: 2024, month, day, hour, minute: 30, second: 0 });
    expect(offsetAtWall("Europe/Berlin", at(2, 10, 27))).toBe(120);
    expect(offsetAtWall("Europe/Berlin", at(3, 10, 27))).toBe(60);
    expect(offsetAtWall("Europe/Berlin", at(2, 3, 31))).toBe(60);
    expect(offsetAtWall("Europe/Berlin", at(1, 13, 1))).toBeNull();
    expect(isZone("Europe/Berlin")).toBe(true);
    expect(isZone("Mars/Olympus")).toBe(false);
  });

  test("gives back the instant it was made from, but for the hour that stands twice", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000 }),
        fc.constantFrom("Europe/Lisbon", "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"),
        (seconds, zone) => {
          const offset = offsetAtInstant(zone, seconds * 1000);
          const [date, clock] = new Date((seconds + offset * 60) * 1000).toISOString().slice(0, 19).split("T");
          const [year = 0, month = 0, day = 0] = (date ?? "").split("-").map(Number);
          const [hour = 0, minute = 0, second = 0] = (clock ?? "").split(":").map(Number);
          const read = offsetAtWall(zone, { year, month, day, hour, minute, second }) ?? 0;
          expect(read).toBeGreaterThanOrEqual(offset);
          expect(offsetAtInstant(zone, (seconds + (offset - read) * 60) * 1000)).toBe(read);
        },
      ),
      { numRuns: 300 },
    ));
});

describe("the guess", () => {
  const none = { zones: new Map(), offsets: [] };
  test("is what the records name, else what their offsets fit over the year, else this machine's zone", () => {
    const named = new Map([
      ["Asia/Tokyo", 3],
      ["Europe/Rome", 20],
    ]);
    expect(guessZone({ ...none, zones: named }, "UTC")).toEqual({ guess: "Europe/Rome", basis: "archive" });
    const summer = { month: "2024-07", offset: "+02:00", records: 10 };
    const winter = { month: "2024-01", offset: "+01:00", records: 10 };
    expect(guessZone({ ...none, offsets: [summer, winter] }, "Europe/Vienna")).toEqual({
      guess: "Europe/Vienna",
      basis: "archive",
    });
    const { guess, basis } = guessZone({ ...none, offsets: [summer, winter] }, "Asia/Tokyo");
    expect([offsetAtInstant(guess, Date.UTC(2024, 6, 15)), offsetAtInstant(guess, Date.UTC(2024, 0, 15))]).toEqual([
      120, 60,
    ]);
    expect(basis).toBe("archive");
    expect(guessZone(none, "Asia/Tokyo")).toEqual({ guess: "Asia/Tokyo", basis: "machine" });
  });
});
