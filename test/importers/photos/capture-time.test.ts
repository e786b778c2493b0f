import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordTimeSchema } from "#contract";
import { captureTime, type TimeSources } from "#main/importers/photos/capture-time.ts";
import { isScreenshotPath, timeInFileName } from "#main/importers/photos/file-name-time.ts";
import { localIso } from "#main/importers/photos/wall-time.ts";

const now = Date.UTC(2026, 5, 1);
const noExif: TimeSources["exif"] = {
  original: null,
  originalSubSec: null,
  originalOffset: null,
  digitized: null,
  digitizedSubSec: null,
  digitizedOffset: null,
  modified: null,
  modifiedSubSec: null,
  modifiedOffset: null,
  gpsUtc: null,
};

function timeOf(sources: Partial<Omit<TimeSources, "exif">> & { exif?: Partial<TimeSources["exif"]> }) {
  const none = {
    xmp: [],
    iptc: { date: null, time: null },
    container: [],
    xmpCreated: null,
    duration: null,
    place: null,
    sidecarUtc: null,
    fileName: "IMG_1234.jpg",
    fileTime: null,
  };
  return captureTime({ ...none, ...sources, exif: { ...noExif, ...sources.exif } }, now);
}

describe("which time is the capture time", () => {
  test("an offset counts for the date of its own tag only", () => {
    const exif = {
      original: "2024:07:14 21:30:15",
      originalSubSec: "25 ",
      originalOffset: "+02:00",
      modified: "2025:01:01 00:00:00",
      modifiedOffset: "-08:00",
    };
    expect(timeOf({ exif })).toEqual({
      utc: "2024-07-14T19:30:15.250Z",
      local: "2024-07-14T21:30:15.250",
      offset: "+02:00",
      zone: null,
      source: "exif:DateTimeOriginal",
      precision: "ms",
      inferred: false,
      confidence: "normal",
    });
    const blank = timeOf({ exif: { ...exif, originalOffset: "   :  " } });
    expect(blank).toMatchObject({ utc: null, offset: null, local: "2024-07-14T21:30:15.250" });
  });

  test("GPS time settles the zone to a quarter hour, marked as inferred", () => {
    const gpsUtc = Date.UTC(2024, 0, 18, 6, 50, 39);
    const exif = { original: "2024:01:18 12:35:40", gpsUtc };
    expect(timeOf({ exif })).toMatchObject({ utc: "2024-01-18T06:50:40.000Z", offset: "+05:45", inferred: true });
    const otherDay = timeOf({ exif: { ...exif, gpsUtc: gpsUtc + 26 * 3_600_000 } });
    expect(otherDay).toMatchObject({ utc: null, offset: null, inferred: false });
    const skewed = timeOf({ exif: { ...exif, gpsUtc: gpsUtc + 7 * 60_000 } });
    expect(skewed).toMatchObject({ offset: null });
  });

  test("XMP with the same clock reading lends its offset, marked as inferred", () => {
    const xmp = [{ field: "exif:DateTimeOriginal", value: "2014-09-21T16:00:56.000+02:00" }];
    const time = timeOf({ exif: { original: "2014:09:21 16:00:56" }, xmp });
    expect(time).toMatchObject({ source: "exif:DateTimeOriginal", offset: "+02:00", inferred: true });
    expect(timeOf({ exif: { original: "2014:09:21 16:00:57" }, xmp })).toMatchObject({ offset: null });
  });

  test("when a sidecar tells another moment, its instant counts, marked", () => {
    const time = timeOf({ exif: { original: "2003:07:01 12:00:05" }, sidecarUtc: Date.UTC(2024, 6, 1) });
    expect(time).toMatchObject({
      source: "sidecar:photoTakenTime",
      utc: "2024-07-01T00:00:00.000Z",
      confidence: "low",
    });
  });

  test("the order is original, digitized, XMP, IPTC, GPS, sidecar, name, modified, file", () => {
    const all = {
      exif: {
        original: "2011:01:01 01:01:01",
        originalOffset: "+01:00",
        digitized: "2012:01:01 01:01:01",
        digitizedOffset: "+01:00",
        modified: "2018:01:01 01:01:01",
        gpsUtc: Date.UTC(2015, 1, 1),
      },
      xmp: [{ field: "photoshop:DateCreated", value: "2013-01" }],
      iptc: { date: "20140101", time: null },
      sidecarUtc: Date.UTC(2016, 1, 1),
      fileName: "IMG_20170101_010101.jpg",
      fileTime: Date.UTC(2019, 1, 1),
    };
    const seen: (string | undefined)[] = [];
    const without: ((from: typeof all) => object)[] = [
      (from) => ({ exif: { ...from.exif, original: "    :  :     :  :  " } }),
      (from) => ({ exif: { ...from.exif, digitized: "0000:00:00 00:00:00" } }),
      () => ({ xmp: [] }),
      () => ({ iptc: { date: "99999999", time: null } }),
      (from) => ({ exif: { ...from.exif, gpsUtc: null } }),
      () => ({ sidecarUtc: 0 }),
      () => ({ fileName: "IMG_20171301_010101.jpg" }),
      (from) => ({ exif: { ...from.exif, modified: null } }),
      () => ({ fileTime: null }),
    ];
    let sources = all;
    for (const drop of without) {
      seen.push(timeOf(sources)?.source);
      sources = { ...sources, ...drop(sources) };
    }
    expect(seen).toEqual([
      "exif:DateTimeOriginal",
      "exif:DateTimeDigitized",
      "xmp:photoshop:DateCreated",
      "iptc:DateCreated",
      "exif:GPSDateTime",
      "sidecar:photoTakenTime",
      "file-name",
      "exif:ModifyDate",
      "file-time",
    ]);
    expect(timeOf(sources)).toBeNull();
  });

  test("a sidecar's instant gives an EXIF clock without a zone its offset", () => {
    const sidecarUtc = Date.UTC(2024, 6, 1, 10, 0, 5);
    expect(timeOf({ exif: { original: "2024:07:01 12:00:05" }, sidecarUtc })).toMatchObject({
      source: "exif:DateTimeOriginal",
      local: "2024-07-01T12:00:05",
      offset: "+02:00",
      inferred: true,
    });
    const offset = { original: "2024:07:01 12:00:05", originalOffset: "+03:00" };
    expect(timeOf({ exif: offset, sidecarUtc })).toMatchObject({ utc: "2024-07-01T09:00:05.000Z", inferred: false });
  });

  test("times before 1970 are ordinary", () => {
    expect(timeOf({ sidecarUtc: Date.UTC(1904, 5, 3, 12) })).toMatchObject({ utc: "1904-06-03T12:00:00.000Z" });
  });

  test("the future is never taken; a camera without a set clock is marked", () => {
    expect(timeOf({ exif: { original: "2050:12:31 00:00:00" } })).toBeNull();
    expect(timeOf({ exif: { original: "2000:01:01 00:00:00" } })).toMatchObject({ confidence: "low" });
    const better = timeOf({ exif: { original: "1980:01:01 00:00:00" }, fileName: "20190704_101112.jpg" });
    expect(better).toMatchObject({ source: "file-name", confidence: "normal" });
    expect(timeOf({ exif: { modified: "2012:05:06 17:18:19" } })).toMatchObject({ confidence: "low" });
    expect(timeOf({ fileTime: Date.UTC(2020, 1, 1) })).toMatchObject({ source: "file-time", confidence: "low" });
  });

  test("dates are read leniently, impossible ones are none", () => {
    const local = (original: string) => timeOf({ exif: { original } })?.local ?? null;
    expect(local("2021-09-08T07:06:05")).toBe("2021-09-08T07:06:05");
    expect(local("2021/09/08 07:06")).toBe("2021-09-08T07:06");
    expect(local("2021:09:08   :  :  ")).toBe("2021-09-08");
    expect(local("2024:02:30 10:00:00")).toBeNull();
    expect(local("2021:09:08 24:00:00")).toBe(null);
    expect(local("")).toBeNull();
  });

  test("any strings give a time that the contract knows, or none", () => {
    const text = fc.option(
      fc.oneof(
        fc.string(),
        fc.stringMatching(/^[0-9]{4}[:-][01][0-9][:-][0-3][0-9][ T][0-2][0-9]:[0-5][0-9]:[0-5][0-9]$/),
      ),
      { nil: null },
    );
    const offset = fc.option(fc.stringMatching(/^[+-][012][0-9]:[0-9]{2}$/), { nil: null });
    fc.assert(
      fc.property(text, text, offset, fc.option(fc.integer(), { nil: null }), (original, subSec, zone, gpsUtc) => {
        const time = timeOf({ exif: { original, originalSubSec: subSec, originalOffset: zone, gpsUtc } });
        if (time === null) return;
        recordTimeSchema.parse(time);
        if (time.utc && time.local && time.offset) {
          const [hours = 0, minutes = 0] = time.offset.slice(1).split(":").map(Number);
          const east = (hours * 60 + minutes) * (time.offset.startsWith("-") ? -1 : 1);
          const shifted = new Date(Date.parse(time.utc) + east * 60_000).toISOString();
          expect(shifted.startsWith(time.local)).toBe(true);
        }
      }),
    );
  });
});

describe("times in file names", () => {
  test.each([
    ["IMG_20190704_101112.jpg", "2019-07-04T10:11:12", false],
    ["PANO_20190704_101112.jpg", "2019-07-04T10:11:12", false],
    ["20190704_101112.jpg", "2019-07-04T10:11:12", false],
    ["PXL_20240302_080000123.jpg", "2024-03-02T08:00:00.123", true],
    ["IMG-20150101-WA0001.jpg", "2015-01-01", false],
    ["signal-2021-03-04-050607.jpg", "2021-03-04T05:06:07", false],
    ["photo_12@24-12-2023_18-30-00.jpg", "2023-12-24T18:30:00", false],
    ["FB_IMG_1562234567890.jpg", "2019-07-04T10:02:47.890", true],
    ["mmexport1562234567890.jpg", "2019-07-04T10:02:47.890", true],
    ["1562234567890.jpg", "2019-07-04T10:02:47.890", true],
    ["Screenshot_20240107-121212_Gardener.jpg", "2024-01-07T12:12:12", false],
    ["Screenshot 2023-11-02 at 09.08.07.png", "2023-11-02T09:08:07", false],
    ["Screenshot 2023-11-02 at 9.08.07\u202fPM.png", "2023-11-02T21:08:07", false],
    ["Bildschirmfoto 2023-11-02 um 09.08.07.png", "2023-11-02T09:08:07", false],
    ["Capture d’écran 2023-11-02 à 09.08.07.png", "2023-11-02T09:08:07", false],
    ["スクリーンショット 2023-11-02 9.08.07.png", "2023-11-02T09:08:07", false],
  ])("%s", (name, local, utc) => {
    const named = timeInFileName(name, now);
    expect(named && { local: localIso(named.wall), utc: named.utc }).toEqual({ local, utc });
  });

  test.each([
    "IMG_1234.jpg",
    "DSC01234.jpg",
    "mmexport117703-39-44.jpg",
    "IMG_20191304_101112.jpg",
    "IMG_20190231_101112.jpg",
    "9999999999999.jpg",
    "1000000000000.jpg",
    "a".repeat(5000),
  ])("%s tells none", (name) => {
    expect(timeInFileName(name, now)).toBeNull();
  });

  test("screenshots are told by name or folder", () => {
    const shots = [
      "Screenshot (3).png",
      "a/Screen Shot 2020.png",
      "Pictures/Screenshots/IMG_1.png",
      "Снимок экрана 1.png",
    ];
    expect(shots.every(isScreenshotPath)).toBe(true);
    expect(["IMG_1.png", "Screening.png", "my screenshot.png"].some(isScreenshotPath)).toBe(false);
  });
});
