import { readFileSync } from "node:fs";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { UnderstoryError } from "#contract";
import { rasterPicture, renderPicture } from "#native/images.ts";
import { cropRaster, type Raster, resizeRaster } from "#native/raster.ts";
import { buildTiff, tag, withExif } from "#test/importers/photos/exif-builder.ts";
import { corners, cornersOf, encodedFor } from "./quadrants.ts";

const heic = readFileSync(new URL("../fixtures/heic/exif-turned.heic", import.meta.url));
const whole = { maxSide: 512 };
const asPng = ({ rgb, width, height }: Raster) =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
const plain = (background: string, width = 20, height = 10) =>
  sharp({ create: { width, height, channels: 4, background } });

describe("a picture as pixels is what is shown", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("upright, EXIF orientation %i", async (orientation) => {
    const exif = buildTiff({ ifd0: { [tag.orientation]: { short: orientation } } });
    const raster = await rasterPicture(withExif(await encodedFor(orientation, "jpeg"), exif), whole);
    expect(raster).toMatchObject({ width: 64, height: 32, originalWidth: 64, originalHeight: 32, damaged: false });
    expect(await cornersOf(await asPng(raster))).toEqual(corners);
  });

  test.each(["png", "webp", "tiff", "avif", "gif"] as const)("%s gives three bytes a pixel", async (format) => {
    const raster = await rasterPicture(await encodedFor(1, format), whole);
    expect(raster.rgb).toHaveLength(64 * 32 * 3);
    expect(await cornersOf(await asPng(raster))).toEqual(corners);
  });

  test("HEIC by its own boxes, exactly as it is rendered", async () => {
    const raster = await rasterPicture(heic, whole);
    const shown = await renderPicture(heic, { maxSide: 512, format: "webp", quality: 100 });
    expect([raster.width, raster.height]).toEqual([shown.width, shown.height]);
    expect(await cornersOf(await asPng(raster))).toEqual(await cornersOf(shown.bytes));
  });

  test("transparent parts are white; grey, 16 bits and inks become three bytes", async () => {
    const clear = await rasterPicture(await plain("#0000").png().toBuffer(), whole);
    expect([...clear.rgb.subarray(0, 3)]).toEqual([255, 255, 255]);
    const grey = await plain("#808080").greyscale().png().toBuffer();
    const deep = await plain("#804020").toColourspace("rgb16").png().toBuffer();
    const inks = await plain("#804020").flatten().toColourspace("cmyk").jpeg({ quality: 100 }).toBuffer();
    for (const bytes of [grey, deep, inks]) {
      const raster = await rasterPicture(bytes, whole);
      expect(raster.rgb).toHaveLength(20 * 10 * 3);
      expect(Math.abs((raster.rgb[0] ?? 0) - 128)).toBeLessThan(30);
    }
  });

  test("a colour profile is followed", async () => {
    const wide = await plain("#00ff00").flatten().withIccProfile("p3").png().toBuffer();
    const raster = await rasterPicture(wide, whole);
    const [red, green, blue] = raster.rgb;
    // Pure sRGB green again, not the paler number that stands in the file.
    expect([red, green, blue].map((value) => Math.round((value ?? 0) / 16))).toEqual([0, 16, 0]);
  });

  test("a large one is made smaller and says how large it was", async () => {
    const raster = await rasterPicture(await plain("#123", 900, 300).png().toBuffer(), { maxSide: 90 });
    expect(raster).toMatchObject({ width: 90, height: 30, originalWidth: 900, originalHeight: 300 });
  });

  test("100 megapixels are read", async () => {
    const huge = await plain("#456", 12_500, 8_000).flatten().jpeg({ quality: 30 }).toBuffer();
    expect(await rasterPicture(huge, { maxSide: 1000 })).toMatchObject({
      width: 1000,
      height: 640,
      originalWidth: 12_500,
    });
  }, 30_000);

  test("a cut one is read as far as it goes, and what is none is refused", async () => {
    const noise = {
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 120, sigma: 40 },
      },
    } as const;
    const jpeg = await sharp(noise).jpeg().toBuffer();
    expect(await rasterPicture(jpeg.subarray(0, jpeg.length / 2), whole)).toMatchObject({ width: 300, damaged: true });
    await expect(rasterPicture(Buffer.from("no picture"), whole)).rejects.toThrow(UnderstoryError);
  });
});

describe("parts and sizes", () => {
  const pixels: Raster = { width: 8, height: 6, rgb: Uint8Array.from({ length: 144 }, (_, i) => i) };
  test("a part has the pixels that stand there", () => {
    const box = fc.record({
      left: fc.nat(7),
      top: fc.nat(5),
      width: fc.integer({ min: 1, max: 8 }),
      height: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(box, ({ left, top, ...size }) => {
        const width = Math.min(size.width, 8 - left);
        const height = Math.min(size.height, 6 - top);
        const part = cropRaster(pixels, { left, top, width, height });
        expect(part.rgb).toHaveLength(width * height * 3);
        expect(part.rgb.at(-1)).toBe(pixels.rgb[((top + height - 1) * 8 + left + width - 1) * 3 + 2]);
      }),
    );
  });
  test("stretching has the size that was asked for", async () => {
    const grown = await resizeRaster(pixels, { width: 31, height: 7 });
    expect([grown.width, grown.height, grown.rgb.length]).toEqual([31, 7, 31 * 7 * 3]);
    expect(await resizeRaster(pixels, { width: 8, height: 6 })).toBe(pixels);
  });
});
