import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { appleDate, csvRows, readAlbumNames, readDetails } from "#main/importers/photos/apple.ts";
import { isScreenshotPath } from "#main/importers/photos/file-name-time.ts";
import { photosImporter } from "#main/importers/photos/index.ts";
import { isYearFolder } from "#main/importers/photos/year-folder.ts";
import { rasterPicture } from "#native/images.ts";
import { filesOf, importAll, memoryEntry, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";
import { appleMeta, film, mvhd, since1904, trak } from "#test/importers/video/film-builder.ts";
import { buildTiff, tag, withExif, withXmp } from "./exif-builder.ts";

const plain = await sharp({ create: { width: 40, height: 24, channels: 3, background: "#a62" } })
  .jpeg()
  .toBuffer();
const still = (time: string, word = time) =>
  withExif(
    plain,
    buildTiff({
      exif: {
        [tag.dateTimeOriginal]: { ascii: time },
        [tag.userComment]: { bytes: Buffer.from(`ASCII\0\0\0${word}`) },
      },
    }),
  );
const clip = (utc: string, seconds = 2) => film(mvhd(since1904(utc), seconds), trak(4, 4));
const records = async (files: Record<string, Uint8Array | string>) =>
  recordsOf(await importAll(photosImporter, memoryTree(files)));

/** An Apple maker note with a content identifier. */
function keyed(time: string, key: string): Buffer {
  const note = Buffer.concat([
    Buffer.from("Apple iOS\0\0\x01MM", "latin1"),
    Buffer.from([0, 1, 0, 0x11, 0, 2, 0, 0, 0, key.length + 1, 0, 0, 0, 32, 0, 0, 0, 0]),
    Buffer.from(`${key}\0`),
  ]);
  return withExif(plain, buildTiff({ exif: { [tag.dateTimeOriginal]: { ascii: time }, 37500: { bytes: note } } }));
}

describe("one shot, several files", () => {
  const key = "5F1B2A3C-0001-4D2E-9F00-ABCDEF012345";
  const live = (id: string) =>
    film(
      mvhd(since1904("2023-01-01T00:00:00Z"), 3),
      trak(4, 4),
      appleMeta({ "com.apple.quicktime.content.identifier": id }),
    );

  test("a Live Photo is one record by Apple's key, whatever the names say", async () => {
    for (const name of ["IMG_1.MOV", "IMG_1_HEVC.MOV", "clip 7.MOV"]) {
      const found = await records({ "f/IMG_1.JPG": keyed("2023:06:18 15:42:08", key), [`f/${name}`]: live(key) });
      expect(found).toHaveLength(1);
      expect(found[0]?.props).toMatchObject({ flags: ["live"], alternates: [{ role: "live", path: `f/${name}` }] });
    }
    const other = { "f/IMG_1.JPG": keyed("2023:06:18 15:42:08", key), "f/IMG_1.MOV": live(key.replace("5F", "77")) };
    expect(await records(other)).toHaveLength(2);
  });

  test("without keys, a name pairs only with a time within seconds and a short film", async () => {
    const files = (utc: string, seconds?: number) => ({
      "f/IMG_2.JPG": still("2023:06:18 15:42:08"),
      "f/IMG_2.MP4": clip(utc, seconds),
    });
    expect(await records(files("2023-06-18T13:42:10Z"))).toHaveLength(1);
    expect(await records(files("2023-06-18T13:49:10Z"))).toHaveLength(2);
    expect(await records(files("2023-06-18T13:42:10Z", 60))).toHaveLength(2);
  });

  test("a motion photo's clip is an alternate only when a film begins there", async () => {
    const inside = clip("2023-06-18T13:42:10Z");
    const attributes = (offset: number) =>
      `xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${offset}"`;
    const described = withXmp(plain, attributes(inside.length));
    const [motion] = await records({ "f/MVIMG_1.jpg": Buffer.concat([described, inside]) });
    expect(motion?.props).toMatchObject({
      flags: ["motion"],
      alternates: [{ role: "motion", path: "f/MVIMG_1.jpg", offset: described.length, bytes: inside.length }],
    });
    const [stripped] = await records({ "f/MVIMG_1.jpg": described });
    expect(stripped?.props.alternates).toBeUndefined();
  });

  test("an edit is proven by stem and time; the same stem at another time is a picture of its own", async () => {
    const found = await records({
      "f/IMG_3.JPG": still("2023:06:18 15:42:08"),
      "f/IMG_3~2.JPG": still("2023:06:18 15:42:08", "brighter"),
      "f/IMG_3_edited.JPG": still("2024:01:01 00:00:01"),
    });
    const part = (name: string) => found.find((one) => one.files[0]?.path === `f/${name}`)?.partOf;
    expect(part("IMG_3~2.JPG")).toMatchObject({ role: "edited" });
    expect(part("IMG_3_edited.JPG")).toBeNull();
  });

  test("RAW and JPEG of one moment are one group; a RAW file is shown by its preview, turned", async () => {
    const tiff = buildTiff({
      ifd0: { [tag.orientation]: { short: 6 }, 50706: { bytes: [1, 4, 0, 0], type: 1 } },
      exif: { [tag.dateTimeOriginal]: { ascii: "2023:06:18 15:42:08" } },
    });
    const dng = Buffer.concat([tiff, plain]);
    const [raw, jpeg] = (await records({ "f/A1.DNG": dng, "f/A1.JPG": still("2023:06:18 15:42:08") })).toSorted((a) =>
      a.props.mime === "image/x-raw" ? -1 : 1,
    );
    expect(raw?.props).toMatchObject({ size: { width: 24, height: 40 }, mime: "image/x-raw" });
    expect(raw?.props.group).toBe(jpeg?.props.group);
    expect(raw?.props.group).toMatch(/^shot:/);
    expect(await rasterPicture(dng, { maxSide: 100 })).toMatchObject({ width: 24, height: 40 });
  });

  test("small copies and recipes belong to their film or picture", async () => {
    const items = await importAll(
      photosImporter,
      memoryTree({
        "f/MVI_1.MP4": clip("2023-06-18T13:42:10Z"),
        "f/MVI_1.THM": plain,
        "f/MVI_1.LRV": clip("2023-06-18T13:42:10Z"),
        "f/A.JPG": still("2023:06:18 15:42:08"),
        "f/A.JPG.pp3": "[Version]",
      }),
    );
    expect(recordsOf(items)).toHaveLength(2);
    expect(filesOf(items).filter(({ status }) => status === "skipped")).toHaveLength(3);
    expect(filesOf(items)).toHaveLength(5);
  });
});

describe("exports in several parts", () => {
  const sidecar = (timestamp: string) => JSON.stringify({ title: "x", photoTakenTime: { timestamp } });
  const inPart = (part: string, path: string, content: Uint8Array | string) => ({
    ...memoryEntry(`${part}/${path}`, content),
    joined: path,
  });
  const unpacked = (entries: readonly ReturnType<typeof inPart>[]) => {
    const tree = memoryTree(entries);
    const at = (entry: { joined: string }) => entry.joined.slice(0, entry.joined.lastIndexOf("/"));
    const joined = {
      get: (path: string) => entries.find((entry) => entry.joined === path),
      inFolder: (folder: string) => entries.filter((entry) => at(entry) === folder),
      below: (folder: string) => entries.filter((entry) => entry.joined.startsWith(`${folder}/`)),
    };
    return { ...tree, joined };
  };

  test("sidecar, album and edited copy in other zips are found", async () => {
    const folder = "Takeout/Google Photos/Regatta";
    const tree = unpacked([
      inPart("t-001.zip", `${folder}/boat.jpg`, plain),
      inPart("t-002.zip", `${folder}/boat.jpg.supplemental-metadata.json`, sidecar("1709280000")),
      inPart("t-003.zip", `${folder}/boat-modificato.jpg`, withXmp(plain, 'xmp:Rating="3"')),
      inPart("t-003.zip", `${folder}/metadati.json`, JSON.stringify({ title: "Regatta" })),
    ]);
    const items = await importAll(photosImporter, tree);
    const found = recordsOf(items);
    expect(found).toHaveLength(2);
    for (const record of found) {
      expect(record).toMatchObject({
        time: { utc: "2024-03-01T08:00:00.000Z" },
        container: { key: "folder:regatta" },
        props: { albums: [{ name: "Regatta" }] },
      });
    }
    expect(found.map((one) => one.partOf?.role)).toEqual([undefined, "edited"]);
    expect(filesOf(items)).toHaveLength(4);
  });

  test("a description in a neighbouring folder counts when it is the only one; two that differ are told", async () => {
    const files = {
      "T/Album/only.jpg": plain,
      "T/Photos from 2024/only.jpg.json": sidecar("1709280000"),
      "T/Photos from 2024/other.jpg": withXmp(plain, 'xmp:Rating="3"'),
    };
    const one = (await records(files)).find((record) => record.files[0]?.path.endsWith("only.jpg"));
    expect(one?.time?.utc).toBe("2024-03-01T08:00:00.000Z");
    const items = await importAll(photosImporter, memoryTree({ ...files, "T/More/only.jpg.json": sidecar("5") }));
    const row = filesOf(items).find(({ path }) => path === "T/Album/only.jpg");
    expect(row?.reason).toMatch(/different times/);
  });

  test("iCloud's lists: times, favourites, albums; what was deleted is left out; names of two pictures are told", async () => {
    const header = "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate";
    const date = '"Friday August 4,2023 2:29 PM GMT"';
    const items = await importAll(
      photosImporter,
      memoryTree({
        "iCloud Photos Part 1 of 2/Photos/a.jpg": plain,
        "iCloud Photos Part 1 of 2/Photos/gone.jpg": still("2020:01:01 00:00:01"),
        "iCloud Photos Part 1 of 2/Photos/twice.jpg": still("2020:01:01 00:00:02"),
        "iCloud Photos Part 1 of 2/Photos/Photo Details.csv": `${header}\na.jpg,x,yes,no,no,${date},1,${date}\ngone.jpg,y,no,no,yes,${date},1,${date}\n`,
        "iCloud Photos Part 1 of 2/Alben/Sommer.csv": "Images\na.jpg\ntwice.jpg\n",
        "iCloud Photos Part 2 of 2/Photos/twice.jpg": still("2020:01:01 00:00:03"),
        "iCloud Photos Part 2 of 2/Photos/Photo Details-1.csv": `${header}\n`,
      }),
    );
    const at = (name: string) => recordsOf(items).filter((one) => one.files[0]?.path.endsWith(name));
    expect(at("/a.jpg")[0]).toMatchObject({
      time: { utc: "2023-08-04T14:29:00.000Z", precision: "minute" },
      props: { flags: ["starred"], albums: [{ name: "Sommer" }] },
    });
    expect(at("gone.jpg")).toHaveLength(0);
    expect(at("twice.jpg").map((one) => one.props.albums)).toEqual([undefined, undefined]);
    expect(filesOf(items).find(({ path }) => path.endsWith("1 of 2/Photos/twice.jpg"))?.reason).toMatch(/Sommer/);
  });

  test("of a photo library only the originals come in", async () => {
    const items = await importAll(
      photosImporter,
      memoryTree({
        "Mine.photoslibrary/originals/A/A1.jpg": plain,
        "Mine.photoslibrary/resources/derivatives/A1_thumb.jpg": plain,
        "Mine.photoslibrary/database/Photos.sqlite": "SQLite format 3",
      }),
    );
    expect(recordsOf(items)).toMatchObject([{ container: { title: "Mine" } }]);
    expect(filesOf(items).filter(({ status }) => status === "skipped")).toHaveLength(2);
  });
});

test("year folders are told by structure in many languages, albums stay", () => {
  for (const title of ["Photos from 2024", "Fotos von 2019", "Foto's uit 2020", "2021 年の写真", "Фото за 2018 год"]) {
    expect(isYearFolder(title)).toBe(true);
  }
  for (const title of ["Italy 2019", "Summer", "2020", "Wedding of Anna and Ben 2019"])
    expect(isYearFolder(title)).toBe(false);
});

test("screenshots are told by what systems call them", () => {
  for (const name of [
    "Skärmavbild 2023-01-01 kl. 10.00.00.png",
    "Zrzut ekranu 1.png",
    "스크린샷 2023.png",
    "螢幕截圖.png",
  ]) {
    expect(isScreenshotPath(name)).toBe(true);
  }
  expect(isScreenshotPath("capture of a flag.jpg")).toBe(false);
});

test("CSV and Apple's dates: any text gives rows, a date, or none", () => {
  expect(csvRows('a,"b ""c"", d"\r\n\r\n"x\ny",z')).toEqual([
    ["a", 'b "c", d'],
    ["x\ny", "z"],
  ]);
  expect(appleDate("Friday August 4,2023 2:29 PM GMT")).toBe(Date.UTC(2023, 7, 4, 14, 29));
  expect(appleDate("Friday February 31,2023 2:29 PM GMT")).toBeNull();
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const written = csvRows(text).map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(","));
      expect(csvRows(written.join("\n"))).toEqual(csvRows(text));
      readDetails(`imgName,originalCreationDate\n${text}`);
      readAlbumNames(text);
      const at = appleDate(text);
      expect(at === null || Number.isFinite(at)).toBe(true);
    }),
  );
});
