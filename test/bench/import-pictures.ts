import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { buildTiff, dms, tag, withExif } from "#test/importers/photos/exif-builder.ts";

const perFolder = 500;

/** A tree of small pictures, each with its own time and place. The pixels are the same: what is measured is reading. */
export async function writePictures(root: string, count: number): Promise<void> {
  const plain = await sharp({ create: { width: 320, height: 240, channels: 3, background: "#486" } })
    .jpeg({ quality: 60 })
    .toBuffer();
  const two = (n: number) => String(n).padStart(2, "0");
  for (let at = 0; at < count; at++) {
    const folder = join(root, `trip ${Math.floor(at / perFolder)}`);
    if (at % perFolder === 0) await mkdir(folder, { recursive: true });
    const time = new Date(Date.UTC(2010, 0, 1) + at * 3_600_000);
    const stamp = `${time.getUTCFullYear()}:${two(time.getUTCMonth() + 1)}:${two(time.getUTCDate())} ${two(time.getUTCHours())}:00:00`;
    const block = buildTiff({
      ifd0: { [tag.make]: { ascii: "Lumo" }, [tag.model]: { ascii: "L-2" } },
      exif: { [tag.dateTimeOriginal]: { ascii: stamp }, [tag.offsetTimeOriginal]: { ascii: "+02:00" } },
      gps: {
        [tag.gpsLatitudeRef]: { ascii: "N" },
        [tag.gpsLatitude]: dms(59, at % 60, at % 6_000),
        [tag.gpsLongitudeRef]: { ascii: "E" },
        [tag.gpsLongitude]: dms(18, (at * 7) % 60, (at * 13) % 6_000),
      },
    });
    await writeFile(join(folder, `IMG_${at}.jpg`), withExif(plain, block));
  }
}
