import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { placesImporter } from "#main/importers/places/index.ts";
import { coordinatesOf, fromE7, instantOf } from "#main/importers/places/shapes.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const read = async (files: Record<string, string | Uint8Array>) => importAll(placesImporter, memoryTree(files));
const records = async (content: unknown, name = "x.json") =>
  recordsOf(await read({ [name]: typeof content === "string" ? content : JSON.stringify(content) }));
const track = (found: Awaited<ReturnType<typeof records>>) =>
  found.flatMap(({ props }) => props.track ?? []).map(({ utc }) => utc);

describe("coordinates and moments", () => {
  it("reads every spelling, mends what overflowed, refuses what is off the globe", () => {
    expect(coordinatesOf("geo:48.2082,16.3738")).toEqual({ lat: 48.2082, lon: 16.3738 });
    expect(coordinatesOf("-34.6°, -58.38°")).toEqual({ lat: -34.6, lon: -58.38 });
    expect(coordinatesOf({ latLng: "1.5°, 2.5°" })).toEqual({ lat: 1.5, lon: 2.5 });
    expect(coordinatesOf("nowhere")).toBeNull();
    expect(fromE7(424_000_000, 3_442_567_296)).toEqual({ lat: 42.4, lon: -85.24 });
    expect(fromE7(4_294_967_295, 0)).toEqual({ lat: -1e-7, lon: 0 });
    expect(fromE7(2_000_000_000, 0)).toBeNull();
    expect(instantOf("2024-08-05T07:30:00.000+02:00")).toEqual({ ms: Date.UTC(2024, 7, 5, 5, 30), offset: 120 });
    expect(instantOf("1480580096000")).toEqual({ ms: 1_480_580_096_000, offset: null });
    expect(instantOf("2024-08-05T07:30:00")).toBeNull();
  });
});

describe("Google's location histories", () => {
  const ios = [
    {
      startTime: "2024-08-05T09:20:00.000+02:00",
      endTime: "2024-08-05T11:00:00.000+02:00",
      visit: { hierarchyLevel: "0", topCandidate: { placeLocation: "geo:48.22,16.39", semanticType: "Home" } },
    },
    {
      startTime: "2024-08-05T09:40:00.000+02:00",
      endTime: "2024-08-05T10:40:00.000+02:00",
      visit: { hierarchyLevel: "1", topCandidate: { placeLocation: "geo:48.23,16.40" } },
    },
    {
      startTime: "2024-08-05T09:00:00.000+02:00",
      endTime: "2024-08-05T09:20:00.000+02:00",
      activity: {
        start: "geo:48.2,16.3",
        end: "geo:48.22,16.39",
        distanceMeters: "1890.5",
        topCandidate: { type: "cycling" },
      },
    },
    {
      startTime: "2024-08-05T06:00:00.000Z",
      endTime: "2024-08-05T08:00:00.000Z",
      timelinePath: [
        { point: "geo:48.2,16.3", durationMinutesOffsetFromStartTime: "55" },
        { point: "geo:48.21,16.31", durationMinutesOffsetFromStartTime: "70" },
      ],
    },
  ];

  it("reads an iPhone's: visits in visits, moves, path points as minutes, all as strings", async () => {
    const found = await records(ios);
    expect(found.map(({ props, time }) => [props.what, props.level, time?.utc, time?.offset])).toEqual([
      ["visit", 0, "2024-08-05T07:20:00Z", "+02:00"],
      ["visit", 1, "2024-08-05T07:40:00Z", "+02:00"],
      ["move", undefined, "2024-08-05T07:00:00Z", "+02:00"],
      ["path", undefined, "2024-08-05T06:55:00Z", null],
    ]);
    expect(track(found)).toEqual(["2024-08-05T06:55:00Z", "2024-08-05T07:10:00Z"]);
  });

  it("reads an Android's under any name, with the offset that stands beside, and only positions of its signals", async () => {
    const found = await records(
      {
        rawSignals: [
          { position: { LatLng: "1°, 2°", timestamp: "2024-09-01T11:30:00.000-03:00" } },
          { activityRecord: {} },
        ],
        semanticSegments: [
          {
            startTime: "2024-09-01T10:00:00.000-03:00",
            endTime: "2024-09-01T12:00:00.000-03:00",
            startTimeTimezoneUtcOffsetMinutes: -180,
            visit: { hierarchyLevel: 0, topCandidate: { placeLocation: { latLng: "-34.6°, -58.38°" } } },
          },
          {
            startTime: "2024-09-01T12:00:00.000-03:00",
            timelinePath: [{ point: "3°, 4°", time: "2024-09-01T12:05:00.000-03:00" }],
          },
        ],
        userLocationProfile: { frequentPlaces: [{ placeLocation: "1°, 2°" }] },
      },
      "Vos trajets.json",
    );
    expect(found.map(({ props, time }) => [props.what, time?.offset])).toEqual([
      ["visit", "-03:00"],
      ["path", null],
    ]);
    expect(track(found)).toEqual(["2024-09-01T14:30:00Z", "2024-09-01T15:05:00Z"]);
  });

  it("reads Records.json into tracks of a day, each point once, and counts what has no place", async () => {
    const point = (timestamp: string, more: object = {}) => ({ timestamp, latitudeE7: 1, longitudeE7: 2, ...more });
    const items = await read({
      "Records.json": JSON.stringify({
        locations: [
          point("2024-01-02T23:00:00Z"),
          point("2024-01-02T01:00:00.250Z"),
          point("2024-01-02T01:00:00.250Z"),
          point("2024-01-03T00:00:00Z"),
          { timestampMs: "1", accuracy: 3 },
        ],
      }),
      "Settings.json": '{"createdTime":"2013-01-01T00:00:00Z","deviceSettings":[]}',
    });
    const found = recordsOf(items);
    expect(found.map(({ props }) => props.track?.length)).toEqual([2, 1]);
    expect(found[0]).toMatchObject({
      kind: "location",
      time: { utc: "2024-01-02T01:00:00.250Z" },
      end: { utc: "2024-01-02T23:00:00Z" },
    });
    expect(filesOf(items).map(({ path, status, skipped }) => [path, status, skipped])).toEqual([
      ["Records.json", "imported", 1],
      ["Settings.json", "skipped", 0],
    ]);
  });

  it("cuts a day of very many points by the clock", async () => {
    const locations = Array.from({ length: 12_000 }, (_, at) => ({
      timestampMs: String(1_700_000_000_000 + at * 2_000),
      latitudeE7: at,
      longitudeE7: at,
    }));
    const found = await records({ locations });
    expect(found.length).toBeLessThan(10);
    expect(new Set(track(found)).size).toBe(12_000);
    expect(new Set(found.map(({ identity }) => identity)).size).toBe(found.length);
  });

  it("reads the old semantic history with visits in visits", async () => {
    const found = await records({
      timelineObjects: [
        {
          placeVisit: {
            location: { latitudeE7: 10, longitudeE7: 20, name: "Mill" },
            duration: { startTimestamp: "2020-01-01T10:00:00Z", endTimestamp: "2020-01-01T12:00:00Z" },
            childVisits: [
              {
                location: { latitudeE7: 11, longitudeE7: 21, name: "Door" },
                duration: { startTimestampMs: "1577876400000" },
              },
            ],
          },
        },
        {
          activitySegment: {
            startLocation: { latitudeE7: 1, longitudeE7: 2 },
            endLocation: { latitudeE7: 3, longitudeE7: 4 },
            duration: { startTimestamp: "2020-01-01T12:00:00Z" },
            activityType: "WALKING",
          },
        },
        { other: 1 },
      ],
    });
    expect(found.map(({ subject, props }) => [subject, props.what, props.level])).toEqual([
      ["Mill", "visit", 0],
      ["Door", "visit", 1],
      [null, "move", undefined],
    ]);
  });

  it("keeps what stands before a break, and knows a longer export's records again", async () => {
    const whole = JSON.stringify(ios);
    const items = await read({ "a.json": whole.slice(0, whole.length - 150) });
    expect(recordsOf(items).map(({ props }) => props.what)).toEqual(["visit", "visit", "move"]);
    expect(filesOf(items)[0]?.status).toBe("imported");
    const again = await records(ios, "renamed.json");
    expect(recordsOf(items).every((record) => again.some(({ identity }) => identity === record.identity))).toBe(true);
  });
});

describe("GPX and KML", () => {
  it("reads tracks by day and waypoints", async () => {
    const found = await records(
      `<?xml version="1.0"?><!-- made by hand --><gpx version="1.1"><wpt lat="1" lon="2"><name>Well</name><desc>deep</desc></wpt>
       <trk><name>Ridge</name><trkseg><trkpt lat="47.1" lon="8.2"><ele>500</ele><time>2024-05-01T10:00:00Z</time></trkpt>
       <trkpt lat="47.2" lon="8.3"><time>2024-05-01T10:01:00Z</time></trkpt><trkpt lat="47.2" lon="8.3"/></trkseg></trk></gpx>`,
      "a.gpx",
    );
    expect(found.map(({ subject, text, props }) => [subject, text, props.what])).toEqual([
      ["Well", "deep", "point"],
      ["Ridge", null, "path"],
    ]);
    expect(track(found)).toEqual(["2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z"]);
  });

  it("reads places, visits, moves and tracks of KML, longitude first", async () => {
    const found = await records(
      `<kml xmlns:gx="g"><Document><name>Map</name><Placemark><name>Inn</name><description><![CDATA[<b>warm</b>]]></description><Point><coordinates>8.2,47.1,3</coordinates></Point></Placemark>
       <Placemark><TimeSpan><begin>2024-05-01T10:00:00Z</begin><end>2024-05-01T11:00:00Z</end></TimeSpan><LineString><coordinates>8,47 9,48</coordinates></LineString></Placemark>
       <Placemark><gx:Track><when>2024-05-02T10:00:00Z</when><gx:coord>8 47 0</gx:coord></gx:Track></Placemark></Document></kml>`,
      "a.kml",
    );
    expect(found.map(({ subject, text, props, place }) => [subject, text, props.what, place?.lat])).toEqual([
      ["Inn", "warm", "point", 47.1],
      [null, null, "move", 47],
      [null, null, "path", 47],
    ]);
  });
});

describe("any bytes", () => {
  it("give records or a reason", async () => {
    const key = fc.constantFrom(
      "startTime",
      "endTime",
      "visit",
      "activity",
      "timelinePath",
      "topCandidate",
      "placeLocation",
      "point",
      "locations",
      "latitudeE7",
      "longitudeE7",
      "timestampMs",
      "timestamp",
      "position",
      "LatLng",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("geo:1,2", "2024-01-01T00:00:00Z", "9", -1, 1e300, null, 0, 2 ** 40),
        fc.dictionary(key, tie("any"), { maxKeys: 4 }),
        fc.array(tie("any"), { maxLength: 3 }),
      ),
    })).any;
    const shell = fc.constantFrom(
      '{"locations":[{"latitudeE7":1},',
      '{"semanticSegments":[',
      '{"timelineObjects":[',
      '[{"startTime":"","endTime":"","visit":1},',
      "<gpx><trk><trkpt lat='",
      "<kml><Placemark><Point><coordinates>",
    );
    await fc.assert(
      fc.asyncProperty(
        shell,
        fc.oneof(
          value.map((one) => JSON.stringify(one)),
          fc.string(),
        ),
        fc.constantFrom("]", "]}", ""),
        async (start, middle, end) => {
          const items = await read({ "x.json": start + middle + end });
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).success).toBe(true);
          expect(filesOf(items)).toHaveLength(1);
        },
      ),
      { numRuns: 300 },
    );
    const comments = await read({
      "x.kml": `${"<!---->".repeat(600)}<k`,
      "deep.json": `{"locations":[{"timestamp":${"[".repeat(50_000)}`,
    });
    expect(recordsOf(comments)).toEqual([]);
  });
});
