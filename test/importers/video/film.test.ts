import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ImportedRecord, importedRecordSchema } from "#contract";
import { aviDate } from "#main/importers/video/avi.ts";
import { placeOfIso6709 } from "#main/importers/video/facts.ts";
import { readFilm, readFilmFacts } from "#main/importers/video/index.ts";
import { memoryEntry } from "#test/importers/memory-tree.ts";
import { appleMeta, box, chunk, element, film, ftyp, mvhd, since1904, trak, userText } from "./film-builder.ts";

const context = { signal: new AbortController().signal };

async function recordOf(name: string, bytes: Uint8Array): Promise<ImportedRecord> {
  const result = await readFilm(memoryEntry(name, bytes), context);
  if ("failed" in result) throw new Error(result.failed);
  return importedRecordSchema.parse(result.record);
}

describe("MP4, QuickTime, 3GP", () => {
  test("Apple's key with its offset comes before the instant of the header; place, camera, turned size, length", async () => {
    const bytes = film(
      mvhd(since1904("2023-06-18T14:42:11Z"), 3),
      trak(1920, 1080, true),
      appleMeta({
        "com.apple.quicktime.creationdate": "2023-06-18T15:42:08+0100",
        "com.apple.quicktime.location.ISO6709": "+51.5074-000.1278+011.000/",
        "com.apple.quicktime.make": "Apple",
        "com.apple.quicktime.model": "iPhone 12",
      }),
    );
    expect(await recordOf("IMG_7.MOV", bytes)).toMatchObject({
      kind: "video",
      identity: expect.stringMatching(/^video:[0-9a-f]{64}$/),
      time: { utc: "2023-06-18T14:42:08.000Z", offset: "+01:00", source: "quicktime:creationdate", inferred: false },
      place: { lat: 51.5074, lon: -0.1278, alt: 11 },
      props: {
        size: { width: 1080, height: 1920 },
        duration: 3,
        camera: { make: "Apple", model: "iPhone 12" },
        mime: "video/quicktime",
      },
    });
  });

  test("0 is no time: neither 1904 nor 1970; an instant alone keeps its zone unknown", async () => {
    expect((await recordOf("a.mp4", film(mvhd(0), trak(4, 4)))).time).toBeNull();
    expect((await recordOf("a.mp4", film(mvhd(since1904("2022-09-14T00:12:09Z")), trak(4, 4)))).time).toMatchObject({
      utc: "2022-09-14T00:12:09.000Z",
      local: null,
      offset: null,
      source: "mvhd:creation_time",
    });
  });

  test("the zone comes from the place, or from the clock in the name; marked as inferred", async () => {
    const created = mvhd(since1904("2021-09-11T17:30:15Z"));
    const placed = film(created, trak(4, 4), box("udta", userText("\u00a9xyz", "+33.3531-111.8628/")));
    expect((await recordOf("PXL_20210911_173015204.mp4", placed)).time).toMatchObject({
      utc: "2021-09-11T17:30:15.000Z",
      local: "2021-09-11T10:30:15",
      zone: "America/Phoenix",
      inferred: true,
    });
    expect((await recordOf("VID_20210911_193013.mp4", film(created, trak(4, 4)))).time).toMatchObject({
      utc: "2021-09-11T17:30:15.000Z",
      offset: "+02:00",
      inferred: true,
    });
  });

  test("a wall clock written where UTC belongs is not taken for an instant", async () => {
    const created = mvhd(since1904("2021-07-04T12:00:00Z"));
    const camera = film(created, trak(4, 4), box("udta", box("FIRM", Buffer.from("HD5.02"))));
    expect((await recordOf("GOPR0001.MP4", camera)).time).toMatchObject({
      utc: null,
      local: "2021-07-04T12:00:00",
      confidence: "low",
    });
    const inTokyo = film(created, trak(4, 4), box("udta", userText("\u00a9xyz", "+35.6+139.7/")));
    expect((await recordOf("VID_20210704_120000.mp4", inTokyo)).time).toMatchObject({
      utc: "2021-07-04T03:00:00.000Z",
      local: "2021-07-04T12:00:00",
      inferred: true,
    });
  });

  test("of a large film with its table at the end only some kilobytes are read for the facts", async () => {
    const moov = box("moov", mvhd(since1904("2022-09-14T00:12:09Z")), trak(640, 480));
    const head = ftyp();
    const size = 4 * 1024 ** 3;
    const mdat = Buffer.from([0, 0, 0, 1, ...Buffer.from("mdat"), 0, 0, 0, 0, 0, 0, 0, 0]);
    mdat.writeBigUInt64BE(BigInt(size - head.length - moov.length), 8);
    const start = Buffer.concat([head, mdat, Buffer.alloc(4096)]).subarray(0, 4096);
    let read = 0;
    const entry = {
      ...memoryEntry("long.mp4", start),
      bytes: size,
      head: async () => start,
      async *stream({ start: from = 0, end = size } = {}) {
        read += end - from;
        const piece = Buffer.alloc(end - from);
        const at = from - (size - moov.length);
        moov.copy(piece, Math.max(0, -at), Math.max(0, at));
        yield piece;
      },
    };
    expect(await readFilmFacts(entry, context.signal)).toMatchObject({
      size: { width: 640, height: 480 },
      damaged: null,
    });
    expect(read).toBeLessThan(1024 * 1024);
  });

  test("a recording that was cut off is kept and marked", async () => {
    const cut = film(mvhd(1), trak(4, 4)).subarray(0, 40);
    expect(await readFilm(memoryEntry("a.mp4", cut), context)).toMatchObject({
      record: { props: { flags: ["damaged"] } },
      warning: expect.stringContaining("moov"),
    });
    expect(await readFilm(memoryEntry("a.mp4", "<html>no film at all</html>"), context)).toHaveProperty("failed");
  });
});

test("Matroska: DateUTC from 2001, size, length, tags", async () => {
  const date = Buffer.alloc(8);
  date.writeBigInt64BE(BigInt(Date.UTC(2020, 1, 2, 3, 4, 5) - Date.UTC(2001, 0, 1)) * 1_000_000n);
  const length = Buffer.alloc(8);
  length.writeDoubleBE(2500);
  const info = element("1549a966", Buffer.concat([element("4461", date), element("4489", length)]));
  const video = element(
    "e0",
    Buffer.concat([element("b0", Buffer.from([2, 128])), element("ba", Buffer.from([1, 224]))]),
  );
  const tracks = element("1654ae6b", element("ae", Buffer.concat([element("83", Buffer.from([1])), video])));
  const bytes = Buffer.concat([
    element("1a45dfa3", element("4282", Buffer.from("webm"))),
    element("18538067", Buffer.concat([info, tracks])),
  ]);
  expect(await recordOf("a.webm", bytes)).toMatchObject({
    kind: "video",
    time: { utc: "2020-02-02T03:04:05.000Z", source: "matroska:DateUTC" },
    props: { size: { width: 640, height: 480 }, duration: 2.5, mime: "video/webm" },
  });
});

test("AVI: IDIT is the camera's wall clock", async () => {
  const avih = Buffer.alloc(56);
  avih.writeUInt32LE(40_000, 0);
  avih.writeUInt32LE(50, 16);
  avih.writeUInt32LE(320, 32);
  avih.writeUInt32LE(240, 36);
  const list = Buffer.concat([
    Buffer.from("hdrl"),
    chunk("avih", avih),
    chunk("IDIT", Buffer.from("Mon Mar 10 15:04:43 2003\n\0")),
  ]);
  const bytes = chunk("RIFF", Buffer.concat([Buffer.from("AVI "), chunk("LIST", list)]));
  expect(await recordOf("MVI_1.AVI", bytes)).toMatchObject({
    time: { local: "2003-03-10T15:04:43", utc: null, source: "avi:IDIT" },
    props: { size: { width: 320, height: 240 }, duration: 2 },
  });
  expect(aviDate("2005/08/17 11:42")).toBe("2005:08:17 11:42");
  expect(aviDate("Mon Foo 10 15:04:43 2003")).toBeNull();
});

test("voice notes are sounds with a length", async () => {
  const frames = Buffer.concat([Buffer.from("#!AMR\n"), ...Array.from({ length: 50 }, () => Buffer.alloc(32, 0x3c))]);
  expect(await recordOf("note.amr", frames)).toMatchObject({
    kind: "audio",
    props: { duration: 1, mime: "audio/amr" },
  });
  const page = Buffer.alloc(64);
  page.write("OggS", "latin1");
  page.write("OpusHead", 28, "latin1");
  page.writeUInt16LE(312, 38);
  const last = Buffer.alloc(28);
  last.write("OggS", "latin1");
  last.writeBigInt64LE(96_312n, 6);
  const opus = Buffer.concat([page, last]);
  expect(await recordOf("PTT-20200101-WA0001.opus", opus)).toMatchObject({ kind: "audio", props: { duration: 2 } });
  const m4a = Buffer.concat([ftyp("M4A "), box("moov", mvhd(0, 7))]);
  expect(await recordOf("memo.m4a", m4a)).toMatchObject({ kind: "audio", props: { duration: 7, mime: "audio/mp4" } });
});

test("ISO 6709 in degrees, minutes and seconds; 0, 0 and nonsense are no place", () => {
  expect(placeOfIso6709("+40.20361-075.00417/")).toMatchObject({ lat: 40.20361, lon: -75.00417, alt: null });
  expect(placeOfIso6709("-3351.408+15112.918+12.5/")?.lat).toBeCloseTo(-33.8568, 5);
  expect(placeOfIso6709("+401213-0750015CRSWGS_84/")?.lat).toBeCloseTo(40.203611, 5);
  for (const text of ["+00.0000+000.0000/", "+95.0+010.0/", "north", ""]) expect(placeOfIso6709(text)).toBeNull();
});

test("any bytes behind any beginning, cut and changed anywhere: a record or a reason, never a throw", async () => {
  const whole = film(
    mvhd(since1904("2022-09-14T00:12:09Z")),
    trak(4, 4),
    appleMeta({ "com.apple.quicktime.location.ISO6709": "+51.5074-000.1278/" }),
    box("udta", userText("\u00a9day", "2012-03-04"), box("loci", Buffer.alloc(30))),
  );
  const starts = [
    whole,
    Buffer.from("1a45dfa3", "hex"),
    element("18538067", element("1549a966", element("4489", Buffer.alloc(8, 65)))),
    Buffer.from("RIFF\0\0\0\0AVI LIST"),
    Buffer.from("RIFF\0\0\0\0WAVEfmt "),
    Buffer.from("OggS"),
    Buffer.from("#!AMR\n"),
    Buffer.from("ID3"),
    Buffer.from("fLaC"),
    Buffer.from([0xff, 0xfb, 0x90, 0x64]),
    ftyp(),
  ];
  const bytes = fc
    .tuple(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      fc.nat(),
    )
    .map(([start, rest, changes, end]) => {
      const all = Buffer.concat([start, rest]);
      for (const [at, value] of changes) all[at % all.length] = value;
      return all.subarray(0, 1 + (end % all.length));
    });
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const result = await readFilm(memoryEntry("a.bin", content), context);
      if ("failed" in result) expect(result.failed).toMatch(/a\.bin/);
      else expect(JSON.stringify(importedRecordSchema.parse(result.record))).not.toMatch(/NaN|Infinity/);
    }),
    { numRuns: 400 },
  );
});
