import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { buildTiff, dms, tag, withExif } from "#test/importers/photos/exif-builder.ts";
import { writeFiles } from "./folders.ts";
import { chat, contacts, diary, keep, mailbox, places } from "./takeout-texts.ts";
import { makeZip } from "./zip-maker.ts";

/**
 * A made-up Google Takeout as it comes down: three zips, and what belongs together spread over them. The same on every
 * run, byte for byte.
 */
export interface Takeout {
  /** Files by their paths (`Takeout/…`), one map a zip. */
  readonly parts: readonly Readonly<Record<string, Uint8Array>>[];
  /** Mails, chat messages, notes and pictures (an edited copy, that of a note and a scan too), each once however often it lies there. */
  readonly count: {
    readonly mails: number;
    readonly messages: number;
    readonly notes: number;
    readonly photos: number;
  };
}

/** How the same files lie on the disk: as they came, unpacked, or packed again as one. */
export type Packing = "parts" | "folder" | "zip";

const stem = "takeout-20240601T080000Z";
const day = 86_400;
const photoCount = 40;

export async function makeTakeout(mails = 300): Promise<Takeout> {
  const parts: Record<string, Uint8Array>[] = [{}, {}, {}];
  const put = (part: number, path: string, content: string | Uint8Array) => {
    const files = parts[part % parts.length];
    if (files) files[`Takeout/${path}`] = Buffer.from(content);
  };
  put(0, "archive_browser.html", "<html><title>Your archive</title></html>");
  put(1, "Mail/All mail Including Spam and Trash.mbox", mailbox(mails));
  await putPhotos(put);
  for (const [at, files] of [chat, keep].entries()) {
    // What is spread most: each file of a folder in the part after that of its neighbour.
    for (const [index, [path, content]] of Object.entries(files).entries()) put(at + index, path, content);
  }
  put(2, "Keep/whiteboard.jpg", await jpeg(90, null));
  // Nothing tells when it was taken: on a disk it has the date of its file, in these zips none.
  put(2, "Drive/scan.jpg", await jpeg(91, null));
  put(2, "Location History (Timeline)/Records.json", places);
  put(0, "Contacts/All Contacts/All Contacts.vcf", contacts);
  put(1, "Calendar/Home.ics", diary);
  return { parts, count: { mails, messages: 12, notes: 4, photos: photoCount + 3 } };
}

/** Writes it below a folder and gives what is to be imported, and the path that each of its files has in a ledger. */
export function writeTakeout({ parts }: Takeout, folder: string, packing: Packing): { root: string; paths: string[] } {
  const root = join(folder, packing);
  mkdirSync(root, { recursive: true });
  const all = Object.assign({}, ...parts);
  if (packing === "folder") {
    writeFiles(root, all);
    return { root, paths: Object.keys(all) };
  }
  const zips =
    packing === "zip"
      ? [[`${stem}-001.zip`, all] as const]
      : parts.map((files, index) => [`${stem}-00${index + 1}.zip`, files] as const);
  const paths: string[] = [];
  for (const [name, files] of zips) {
    const members = Object.keys(files);
    writeFileSync(
      join(root, name),
      makeZip(members.map((path) => ({ name: path, content: files[path] ?? "", deflate: !path.endsWith(".jpg") }))),
    );
    paths.push(...members.map((path) => `${name}/${path}`));
  }
  return { root, paths };
}

type Put = (part: number, path: string, content: string | Uint8Array) => void;

/** Pictures of a year folder and of an album; no sidecar lies in the zip of its picture. */
async function putPhotos(put: Put): Promise<void> {
  const year = "Google Photos/Photos from 2021";
  const album = "Google Photos/Ferry days";
  const sidecar = (part: number, place: string, name: string, title: string, taken: number) =>
    put(part, `${place}/${`${name}.supplemental-metadata`.slice(0, 46)}.json`, photoFacts(title, taken));
  put(0, `${album}/metadata.json`, JSON.stringify({ title: "Ferry days", description: "Two weeks of timetables." }));
  for (let index = 0; index < photoCount; index++) {
    // One name so long that its sidecar's is cut.
    const name =
      index === 7 ? "Evening_walk_round_the_old_harbour_wall.jpg" : `IMG_${String(2000 + index).padStart(4, "0")}.jpg`;
    const taken = Date.UTC(2021, 5, 1, 9) / 1000 + index * day;
    const bytes = await jpeg(index, exifOf(index, taken));
    // A few pictures lie in the album only, some in both.
    const places = index % 10 === 9 ? [album] : index % 4 === 0 ? [year, album] : [year];
    for (const [at, place] of places.entries()) {
      put(index + at, `${place}/${name}`, bytes);
      sidecar(index + at + 1, place, name, name, taken);
    }
  }
  // It shares the sidecar of its original.
  put(1, `${year}/IMG_2002-edited.jpg`, await jpeg(77, exifOf(2, Date.UTC(2021, 5, 3, 9) / 1000)));
}

function photoFacts(title: string, taken: number): string {
  const time = (seconds: number) => ({ timestamp: String(seconds), formatted: "as the account's language writes it" });
  return JSON.stringify({
    title,
    description: taken % (5 * day) < day ? `The quay, ${title}` : "",
    creationTime: time(taken + 3600),
    photoTakenTime: time(taken),
    geoData: { latitude: 54.32, longitude: 10.14, altitude: 3, latitudeSpan: 0, longitudeSpan: 0 },
    people: taken % (3 * day) < day ? [{ name: "Wanda Krol" }] : [],
    favorited: taken % (7 * day) < day,
    url: "https://photos.example.org/one",
    googlePhotosOrigin: { mobileUpload: { deviceType: "ANDROID_PHONE" } },
  });
}

function exifOf(index: number, taken: number) {
  const wall = new Date((taken + 7200) * 1000).toISOString().slice(0, 19).replaceAll("-", ":").replace("T", " ");
  return {
    ifd0: { [tag.make]: { ascii: "Lumo" }, [tag.model]: { ascii: "L-2" } },
    exif: {
      [tag.dateTimeOriginal]: { ascii: wall },
      ...(index % 2 === 0 ? { [tag.offsetTimeOriginal]: { ascii: "+02:00" } } : {}),
    },
    ...(index % 3 === 0
      ? {
          gps: {
            [tag.gpsLatitudeRef]: { ascii: "N" },
            [tag.gpsLatitude]: dms(54, 19, 1200 + index),
            [tag.gpsLongitudeRef]: { ascii: "E" },
            [tag.gpsLongitude]: dms(10, 8, 2400),
          },
        }
      : {}),
  };
}

/** A small picture of its own: bands whose colours follow from the index. */
async function jpeg(index: number, exif: Parameters<typeof buildTiff>[0] | null): Promise<Buffer> {
  const [width, height] = [96, 64];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    pixels[at] = (x * (1 + (index % 5)) + index * 31) % 256;
    pixels[at + 1] = (y * (1 + (index % 7)) + index * 17) % 256;
    pixels[at + 2] = ((x >> (1 + (index % 4))) * 40 + (y >> (1 + (index % 3))) * 25) % 256;
  }
  const plain = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
  return exif === null ? plain : withExif(plain, buildTiff(exif));
}
