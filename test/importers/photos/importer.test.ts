import { readFileSync } from "node:fs";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { type ImportedRecord, importedRecordSchema } from "#contract";
import { photosImporter, readPicture } from "#main/importers/photos/index.ts";
import type { ImportedItem } from "#main/importers/types.ts";
import { importAll, memoryEntry, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";
import { irot, withProperties } from "#test/media/heif-boxes.ts";
import { buildTiff, dms, type ExifBlock, tag, withExif, withXmp, xmpPacket } from "./exif-builder.ts";

const plain = await sharp({ create: { width: 40, height: 24, channels: 3, background: "#a62" } })
  .jpeg()
  .toBuffer();
const heic = readFileSync(new URL("../../fixtures/heic/exif-turned.heic", import.meta.url));
const context = { signal: new AbortController().signal };

const jpeg = (block: ExifBlock) => withExif(plain, buildTiff(block));
/** A picture that no other equals: same pixels, its own comment. */
const distinct = (word: string) => jpeg({ exif: { [tag.userComment]: { bytes: Buffer.from(`ASCII\0\0\0${word}`) } } });

async function recordOf(name: string, bytes: Uint8Array): Promise<ImportedRecord> {
  const result = await readPicture(memoryEntry(name, bytes), context);
  if ("failed" in result) throw new Error(result.failed);
  return importedRecordSchema.parse(result.record);
}

const filesOf = (items: readonly ImportedItem[]) =>
  Object.fromEntries(items.flatMap((item) => (item.type === "file" ? [[item.path, item]] : [])));

describe("one picture", () => {
  test("a JPEG with everything", async () => {
    const bytes = jpeg({
      ifd0: {
        [tag.make]: { ascii: "Lumo " },
        [tag.model]: { ascii: "L-2" },
        [tag.orientation]: { short: 6 },
        [tag.imageDescription]: { ascii: "Großmutter am See" },
      },
      exif: {
        [tag.dateTimeOriginal]: { ascii: "2024:07:14 21:30:15" },
        [tag.offsetTimeOriginal]: { ascii: "+02:00" },
        [tag.userComment]: { bytes: Buffer.from("ASCII\0\0\0Found in the blue box.") },
      },
      gps: {
        [tag.gpsLatitudeRef]: { ascii: "S" },
        [tag.gpsLatitude]: dms(33, 51, 2448),
        [tag.gpsLongitudeRef]: { ascii: "E" },
        [tag.gpsLongitude]: dms(151, 12, 5508),
        [tag.gpsAltitudeRef]: { bytes: [1], type: 1 },
        [tag.gpsAltitude]: { rationals: [[125, 10]] },
      },
    });
    const record = await recordOf("album/IMG_1.jpg", bytes);
    expect(record).toMatchObject({
      kind: "photo",
      nativeId: null,
      subject: "Großmutter am See",
      text: "Found in the blue box.",
      time: { utc: "2024-07-14T19:30:15.000Z", offset: "+02:00" },
      place: { alt: -12.5, confidence: "normal" },
      files: [{ path: "album/IMG_1.jpg", bytes: bytes.length, role: null }],
      props: { size: { width: 24, height: 40 }, camera: { make: "Lumo", model: "L-2" }, mime: "image/jpeg" },
    });
    expect(record.place?.lat).toBeCloseTo(-33.8568, 6);
    expect(record.place?.lon).toBeCloseTo(151.2153, 6);
    expect(record.identity).toMatch(/^photo:[0-9a-f]{64}$/);
    expect(record.props.extra?.raw).toMatchObject({ "exif:OffsetTimeOriginal": "+02:00", "exif:GPSLatitudeRef": "S" });
  });

  test("HEIC: size as its own boxes turn it, time from its EXIF item", async () => {
    const time = { utc: "2023-05-06T05:08:09.000Z", offset: "+02:00" };
    expect(await recordOf("a.heic", heic)).toMatchObject({ time, props: { size: { width: 64, height: 32 } } });
    const turned = await recordOf("a.heic", withProperties(heic, [irot(3)]));
    expect(turned).toMatchObject({ time, props: { size: { width: 32, height: 64 }, mime: "image/heic" } });
  });

  test("EXIF in PNG and WebP is read too", async () => {
    const exif = { IFD2: { DateTimeOriginal: "2021:03:04 05:06:07" } };
    for (const format of ["png", "webp"] as const) {
      const bytes = await sharp(plain).withExif(exif).toFormat(format).toBuffer();
      expect(await recordOf(`a.${format}`, bytes)).toMatchObject({ time: { local: "2021-03-04T05:06:07" } });
    }
  });

  test("a place without letters is not sure; 0/0, NaN and the pair 0, 0 are none", async () => {
    const at = async (gps: ExifBlock["gps"]) => (await recordOf("a.jpg", jpeg(gps ? { gps } : {}))).place;
    const north = { [tag.gpsLatitudeRef]: { ascii: "N" }, [tag.gpsLongitudeRef]: { ascii: "E" } };
    expect(await at({ [tag.gpsLatitude]: dms(10, 30, 0), [tag.gpsLongitude]: dms(20, 0, 0) })).toMatchObject({
      lat: 10.5,
      lon: 20,
      confidence: "low",
    });
    const broken = {
      rationals: [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    } as const;
    expect(await at({ ...north, [tag.gpsLatitude]: broken, [tag.gpsLongitude]: broken })).toBeNull();
    expect(await at({ ...north, [tag.gpsLatitude]: dms(0, 0, 0), [tag.gpsLongitude]: dms(0, 0, 0) })).toBeNull();
    expect(await at({ ...north, [tag.gpsLatitude]: dms(0, 0, 0), [tag.gpsLongitude]: dms(9, 0, 0) })).toMatchObject({
      lat: 0,
    });
    expect(await at({ ...north, [tag.gpsLatitude]: dms(95, 0, 0), [tag.gpsLongitude]: dms(9, 0, 0) })).toBeNull();
  });

  test("XMP: title, description, keywords, rating, place, people; attributes and elements are equal", async () => {
    const bytes = withXmp(
      plain,
      `exif:GPSLatitude="60,30.0N" exif:GPSLongitude="68,0.0W" xmp:Rating="4" exif:DateTimeOriginal="2020-05"`,
      `<dc:title><rdf:Alt><rdf:li xml:lang="fr">Le port</rdf:li><rdf:li xml:lang="x-default">The harbour &amp; we</rdf:li></rdf:Alt></dc:title>
       <dc:subject><rdf:Bag><rdf:li>boats</rdf:li><rdf:li>fog</rdf:li></rdf:Bag></dc:subject>
       <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Before the ferry left.</rdf:li></rdf:Alt></dc:description>`,
    );
    expect(await recordOf("a.jpg", bytes)).toMatchObject({
      subject: "The harbour & we",
      text: "Before the ferry left.",
      place: { lat: 60.5, lon: -68, confidence: "normal" },
      time: { local: "2020-05", precision: "month", source: "xmp:exif:DateTimeOriginal" },
      props: { labels: ["boats", "fog"], rating: 4 },
    });
  });

  test("what cameras write by themselves is no title", async () => {
    for (const words of [
      "OLYMPUS DIGITAL CAMERA         ",
      "SONY DSC",
      "oznorWO",
      "   ",
      "L-2",
      "IMG_7",
      "0f3a".repeat(10),
    ]) {
      const ifd0 = { [tag.imageDescription]: { ascii: words }, [tag.model]: { ascii: "L-2" } };
      expect(await recordOf("IMG_7.jpg", jpeg({ ifd0 }))).toMatchObject({ subject: null, text: null });
    }
  });

  test("a screenshot is marked by its name or by what iOS writes", async () => {
    const comment = Buffer.from("ASCII\0\0\0Screenshot");
    const ios = jpeg({ exif: { [tag.userComment]: { bytes: comment } } });
    expect((await recordOf("IMG_1.PNG", ios)).props.flags).toContain("screenshot");
    const mac = await recordOf("Screenshot 2023-11-02 at 09.08.07.png", plain);
    expect(mac).toMatchObject({ time: { local: "2023-11-02T09:08:07" }, props: { flags: ["screenshot"] }, text: null });
  });

  test("a name that lies is told, and the content counts", async () => {
    const png = await sharp(plain).png().toBuffer();
    const result = await readPicture(memoryEntry("photo.jpg", png), context);
    expect(result).toMatchObject({ record: { props: { mime: "image/png" } }, warning: expect.stringContaining("PNG") });
  });

  test("a cut picture is kept and marked; one without a header or metadata fails with a reason", async () => {
    const block = { exif: { [tag.dateTimeOriginal]: { ascii: "2024:03:06 09:30:00" } } };
    const whole = jpeg(block);
    const cut = await readPicture(memoryEntry("cut.jpg", whole.subarray(0, -20)), context);
    expect(cut).toMatchObject({ record: { time: { local: "2024-03-06T09:30:00" }, props: { flags: ["damaged"] } } });
    expect("record" in cut && cut.warning).toMatch(/cut off/);
    const headless = withExif(Buffer.from([0xff, 0xd8, 0xff, 0xd9]), buildTiff(block));
    expect(await readPicture(memoryEntry("a.jpg", headless), context)).toMatchObject({
      record: { time: { local: "2024-03-06T09:30:00" } },
    });
    expect(await readPicture(memoryEntry("a.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xd9])), context)).toHaveProperty(
      "failed",
    );
    expect(await readPicture(memoryEntry("a.jpg", Buffer.from("<html>")), context)).toHaveProperty("failed");
  });

  test("an EXIF block cut or changed at any byte, a picture cut anywhere: a record or a reason, never a throw", async () => {
    const block: ExifBlock = {
      ifd0: { [tag.make]: { ascii: "Lumo" }, [tag.imageDescription]: { ascii: "Words of a person" } },
      exif: {
        [tag.dateTimeOriginal]: { ascii: "2024:07:14 21:30:15" },
        [tag.userComment]: { bytes: Buffer.from("ASCII\0\0\0hello") },
      },
      gps: {
        [tag.gpsLatitudeRef]: { ascii: "N" },
        [tag.gpsLatitude]: dms(1, 2, 3),
        [tag.gpsTimeStamp]: dms(1, 2, 300),
      },
    };
    const bytes = fc
      .tuple(fc.boolean(), fc.boolean(), fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }))
      .map(([littleEndian, cutBlock, end, changes]) => {
        const tiff = buildTiff({ ...block, littleEndian });
        for (const [at, value] of changes) tiff[at % tiff.length] = value;
        if (cutBlock) return withExif(plain, tiff.subarray(0, end % tiff.length));
        const whole = withExif(plain, tiff);
        return whole.subarray(0, end % (whole.length + 1));
      });
    const chunk = fc.integer({ min: 1, max: 4096 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, fc.uint8Array({ maxLength: 400 })), chunk, async (content, size) => {
        const result = await readPicture(memoryEntry("a.jpg", content, size), context);
        if ("failed" in result) expect(result.failed).toMatch(/a\.jpg/);
        else expect(JSON.stringify(importedRecordSchema.parse(result.record))).not.toMatch(/NaN|Infinity/);
      }),
      { numRuns: 300 },
    );
  });

  test("a directory that names the same megabytes over and over costs no more than one that names them once", async () => {
    const [entries, bytes] = [2000, 500_000];
    const table = 8 + 2 + entries * 12 + 4;
    const tiff = Buffer.alloc(table + bytes, "A");
    tiff.write("MM\0*\0\0\0\b", "latin1");
    tiff.writeUInt16BE(entries, 8);
    for (let at = 10; at < table - 4; at += 12) {
      tiff.writeUInt16BE(tag.imageDescription, at);
      tiff.writeUInt16BE(2, at + 2);
      tiff.writeUInt32BE(bytes, at + 4);
      tiff.writeUInt32BE(table, at + 8);
    }
    const result = await readPicture(memoryEntry("a.tif", tiff), context);
    expect(result).toMatchObject({ record: { subject: null, props: { flags: ["damaged"] } } });
  });

  test("any XMP gives a record", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), fc.nat(), async (words, end) => {
        const packet = xmpPacket(`xmp:Rating="${words}"`, `<dc:title>${words}</dc:title>`);
        const bytes = withXmp(plain, packet.slice(0, end % packet.length), words);
        expect(await readPicture(memoryEntry("a.jpg", bytes), context)).toHaveProperty("record");
      }),
      { numRuns: 100 },
    );
  });
});

describe("a folder of pictures", () => {
  const takeout = (title: string, timestamp: string, more: object = {}) =>
    JSON.stringify({ title, photoTakenTime: { timestamp, formatted: "?" }, ...more });

  test("one claim a folder, every file in the ledger once, pictures recognised by content where names say nothing", async () => {
    const tree = memoryTree({
      "trip/IMG_1.jpg": distinct("one"),
      "trip/IMG_2.JPG": distinct("two"),
      "trip/scan": distinct("three"),
      "trip/notes.txt": "no picture",
      "trip/readme": "no picture either",
      "IMG_9.jpg": distinct("nine"),
      "other/page.jpg": "<html>not a picture</html>",
    });
    const claims = await Array.fromAsync(photosImporter.recognise(tree));
    expect(claims.map(({ primary, companions }) => [primary, ...companions])).toEqual([
      ["IMG_9.jpg"],
      ["other/page.jpg"],
      ["trip/IMG_1.jpg", "trip/IMG_2.JPG", "trip/scan"],
    ]);
    const items = await importAll(photosImporter, tree);
    const ledger = items.flatMap((item) => (item.type === "file" ? [`${item.path}: ${item.status}`] : []));
    expect(ledger.sort()).toEqual([
      "IMG_9.jpg: imported",
      "other/page.jpg: failed",
      "trip/IMG_1.jpg: imported",
      "trip/IMG_2.JPG: imported",
      "trip/scan: imported",
    ]);
    expect(recordsOf(items).map((record) => record.container)).toEqual([
      null,
      ...Array(3).fill({ key: "folder:trip", title: "trip", kind: "folder" }),
    ]);
  });

  test("sidecars describe their picture: Takeout, .xmp, Apple's .AAE", async () => {
    const tree = memoryTree({
      "Album/IMG_1.jpg": distinct("one"),
      "Album/IMG_1.jpg.supplemental-metadata.json": takeout("IMG_1: the true name.jpg", "1623110400", {
        description: "On the pier.",
        geoData: { latitude: 0, longitude: 0, altitude: 0 },
        geoDataExif: { latitude: -33.8568, longitude: 151.2153, altitude: 5 },
        people: [{ name: "Mara" }],
        favorited: true,
      }),
      "Album/metadata.json": JSON.stringify({ title: "Summer", description: "By the sea" }),
      "Album/IMG_2.jpg": distinct("two"),
      "Album/IMG_2.jpg.xmp": xmpPacket(
        `exif:GPSLatitude="60.5" exif:GPSLatitudeRef="N" exif:GPSLongitude="68" exif:GPSLongitudeRef="W"`,
      ),
      "Album/IMG_2.AAE": "<plist/>",
    });
    const items = await importAll(photosImporter, tree);
    const [first, second] = recordsOf(items);
    expect(first).toMatchObject({
      time: { utc: "2021-06-08T00:00:00.000Z", zone: "Australia/Sydney", offset: "+10:00", inferred: true },
      text: "On the pier.\n\none",
      place: { lat: -33.8568, lon: 151.2153 },
      participants: [{ name: "Mara" }],
      props: {
        name: "IMG_1: the true name.jpg",
        albums: [{ name: "Summer", description: "By the sea" }],
        flags: ["starred"],
      },
    });
    expect(first?.files.at(1)).toMatchObject({ role: "sidecar" });
    expect(second).toMatchObject({ place: { lat: 60.5, lon: -68 } });
    expect(
      Object.values(filesOf(items))
        .map(({ path, status }) => `${path}: ${status}`)
        .sort(),
    ).toEqual([
      "Album/IMG_1.jpg.supplemental-metadata.json: imported",
      "Album/IMG_1.jpg: imported",
      "Album/IMG_2.AAE: skipped",
      "Album/IMG_2.jpg.xmp: imported",
      "Album/IMG_2.jpg: imported",
      "Album/metadata.json: imported",
    ]);
  });

  test("a year folder is no album; a sidecar that is none is told", async () => {
    const items = await importAll(
      photosImporter,
      memoryTree({
        "Photos from 2024/a.jpg": distinct("a"),
        "Photos from 2024/a.jpg.json": takeout("a.jpg", "-86400"),
        "Photos from 2024/b.jpg": distinct("b"),
        "Photos from 2024/b.jpg.json": "[".repeat(5000),
        "Photos from 2024/metadata.json": JSON.stringify({ title: "Photos from 2024" }),
      }),
    );
    const [a] = recordsOf(items);
    expect(a?.props.albums).toBeUndefined();
    expect(a?.time?.utc).toBe("1969-12-31T00:00:00.000Z");
    expect(filesOf(items)["Photos from 2024/b.jpg.json"]).toMatchObject({
      status: "skipped",
      reason: expect.any(String),
    });
  });

  test("an edited copy is a part of its original and has its time", async () => {
    const items = await importAll(
      photosImporter,
      memoryTree({
        "P/Café-modifié.jpg": distinct("copy"),
        "P/Café.jpg": distinct("original"),
        "P/Café.jpg.json": takeout("Café.jpg", "1709280000"),
      }),
    );
    const [original, copy] = recordsOf(items);
    expect(original?.partOf).toBeNull();
    expect(copy?.partOf).toEqual({ identity: original?.identity, role: "edited" });
    expect(copy?.time).toEqual(original?.time);
  });

  test("reading goes on after the cursor with the same records, and no ledger row is lost", async () => {
    const files = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`f/${name}.jpg`, distinct(name)]));
    const tree = memoryTree({ ...files, "f/c.jpg.json": takeout("c", "1709280000") });
    const [claim] = await Array.fromAsync(photosImporter.recognise(tree));
    if (!claim) throw new Error("nothing was claimed");
    const from = (resume: string | number | null) =>
      Array.fromAsync(photosImporter.read(claim, readContext(tree, { resume })));
    const all = await from(null);
    for (const [i, item] of all.entries()) {
      if (item.type !== "record") continue;
      const rest = await from(item.cursor);
      expect(recordsOf(rest)).toEqual(recordsOf(all.slice(i + 1)));
      const rows = { ...filesOf(all.slice(0, i + 1)), ...filesOf(rest) };
      expect(rows).toEqual(filesOf(all));
    }
  });

  test("cancelling is the one throw", async () => {
    const tree = memoryTree({ "f/a.jpg": distinct("a") });
    const [claim] = await Array.fromAsync(photosImporter.recognise(tree));
    if (!claim) throw new Error("nothing was claimed");
    const reading = photosImporter.read(claim, readContext(tree, { signal: AbortSignal.abort() }));
    await expect(Array.fromAsync(reading)).rejects.toMatchObject({ code: "cancelled" });
  });
});
