import { readFileSync } from "node:fs";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { UnderstoryError } from "#contract";
import { pictureFormats, probePicture, renderPicture, sniffPicture } from "#native/images.ts";
import { buildTiff, tag, withExif } from "#test/importers/photos/exif-builder.ts";
import { imir, irot, withProperties } from "./heif-boxes.ts";
import { corners, cornersOf, encodedFor } from "./quadrants.ts";

/** 64 × 32, EXIF orientation 6, no irot: made with heif-enc from the test picture. */
const heic = readFileSync(new URL("../fixtures/heic/exif-turned.heic", import.meta.url));
const whole = { maxSide: 512, format: "webp", quality: 95 } as const;
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

async function withOrientation(format: "jpeg" | "png" | "webp" | "tiff", orientation: number): Promise<Uint8Array> {
  const plain = await encodedFor(orientation, format);
  if (format === "jpeg") return withExif(plain, buildTiff({ ifd0: { [tag.orientation]: { short: orientation } } }));
  return sharp(plain)
    .keepExif()
    .withMetadata({ orientation })
    .toFormat(format, { quality: 95, ...(format === "tiff" ? { compression: "none" } : {}) })
    .toBuffer();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "shown";
  } catch (error) {
    return error instanceof UnderstoryError ? error.code : `not typed: ${String(error)}`;
  }
}

describe("every picture ends upright", () => {
  for (const format of ["jpeg", "png", "webp", "tiff"] as const) {
    test.each(orientations)(`${format}, EXIF orientation %i`, async (orientation) => {
      const bytes = await withOrientation(format, orientation);
      expect(await probePicture(bytes)).toMatchObject({ format, width: 64, height: 32, orientation });
      const shown = await renderPicture(bytes, whole);
      expect(shown).toMatchObject({ width: 64, height: 32, damaged: false });
      expect(await cornersOf(shown.bytes)).toEqual(corners);
    });
  }

  test("HEIC is not turned by its EXIF orientation, which only informs", async () => {
    expect(await probePicture(heic)).toMatchObject({ format: "heic", width: 64, height: 32, orientation: 1 });
    const shown = await renderPicture(heic, whole);
    expect(shown).toMatchObject({ width: 64, height: 32 });
    expect(await cornersOf(shown.bytes)).toEqual(corners);
  });

  test("HEIC is turned once by irot, whatever EXIF says", async () => {
    const turned = withProperties(heic, [irot(3)]);
    expect(await probePicture(turned)).toMatchObject({ width: 32, height: 64, orientation: 1 });
    const shown = await renderPicture(turned, whole);
    expect(shown).toMatchObject({ width: 32, height: 64 });
    expect(await cornersOf(shown.bytes)).toEqual(["blue", "red", "white", "green"]);
  });

  test("HEIC is mirrored by imir, then turned: in the order of its properties", async () => {
    const mirrored = await renderPicture(withProperties(heic, [imir(1)]), whole);
    expect(await cornersOf(mirrored.bytes)).toEqual(["green", "red", "white", "blue"]);
    const both = await renderPicture(withProperties(heic, [imir(1), irot(2)]), whole);
    expect(await cornersOf(both.bytes)).toEqual(["blue", "white", "red", "green"]);
  });

  test("AVIF", async () => {
    const shown = await renderPicture(await encodedFor(1, "avif"), whole);
    expect(await cornersOf(shown.bytes)).toEqual(corners);
  });
});

describe("the result is fit for a window", () => {
  test.each(["webp", "jpeg"] as const)("%s carries no orientation and no other metadata", async (format) => {
    const made = await renderPicture(await withOrientation("jpeg", 6), { ...whole, format });
    const { orientation, exif, xmp, icc } = await sharp(made.bytes).metadata();
    expect({ orientation, exif, xmp, icc }).toEqual({});
    expect(sniffPicture(made.bytes)).toBe(format);
    expect(made.mime).toBe(`image/${format}`);
  });

  test("it is scaled into a square of maxSide and never enlarged", async () => {
    const bytes = await encodedFor(1, "png");
    expect(await renderPicture(bytes, { ...whole, maxSide: 32 })).toMatchObject({ width: 32, height: 16 });
    expect(await renderPicture(bytes, { ...whole, maxSide: 500 })).toMatchObject({ width: 64, height: 32 });
  });

  test("transparent parts are white in a JPEG", async () => {
    const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: "#0000" } })
      .png()
      .toBuffer();
    const { bytes } = await renderPicture(clear, { ...whole, format: "jpeg" });
    expect(await cornersOf(bytes)).toEqual(["white", "white", "white", "white"]);
  });

  test("an animation shows its first frame", async () => {
    const frame = (background: string) => ({ create: { width: 40, height: 40, channels: 3, background } }) as const;
    const pages = await Promise.all(["#dc1414", "#1414dc"].map((one) => sharp(frame(one)).png().toBuffer()));
    const animation = await sharp(pages, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await probePicture(animation)).toMatchObject({ format: "gif", width: 40, height: 40, pages: 2 });
    const shown = await renderPicture(animation, whole);
    expect(shown.height).toBe(40);
    expect(await cornersOf(shown.bytes)).toEqual(["red", "red", "red", "red"]);
  });
});

describe("broken and hostile pictures", () => {
  test("a cut JPEG is shown as far as it goes, and marked", async () => {
    const noise = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 120, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer();
    expect(await renderPicture(noise.subarray(0, noise.length / 2), whole)).toMatchObject({
      width: 400,
      damaged: true,
    });
  });

  test("what is no picture is unsupported, a picture without pixels is damaged", async () => {
    expect(await codeOf(renderPicture(Buffer.from("<!doctype html><p>Not a photo"), whole))).toBe("unsupported_format");
    expect(await codeOf(renderPicture(Buffer.alloc(0), whole))).toBe("unsupported_format");
    expect(await codeOf(renderPicture((await encodedFor(1, "jpeg")).subarray(0, 30), whole))).toBe("damaged_file");
    expect(await codeOf(renderPicture(heic.subarray(0, 200), whole))).toBe("damaged_file");
  });

  test("a picture with too many pixels is refused before it is decoded", async () => {
    const png = await encodedFor(1, "png");
    // Width in the header chunk; its checksum is not looked at before the size.
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    expect(["limit_exceeded", "damaged_file"]).toContain(await codeOf(renderPicture(png, whole)));
    const huge = Buffer.from(heic);
    const primarySize = huge.lastIndexOf("ispe") + 8;
    huge.writeUInt32BE(40_000, primarySize);
    huge.writeUInt32BE(40_000, primarySize + 4);
    expect(await codeOf(renderPicture(huge, whole))).toBe("limit_exceeded");
  });

  test("any bytes give a picture or a typed refusal", async () => {
    const pictures = [heic, await encodedFor(1, "avif"), await encodedFor(1, "jpeg"), await encodedFor(1, "webp")];
    const starts = fc.constantFrom(...pictures);
    const broken = fc
      .tuple(starts, fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }))
      .map(([bytes, end, changes]) => {
        const copy = Buffer.from(bytes.subarray(0, 12 + (end % bytes.length)));
        for (const [at, value] of changes) copy[12 + (at % copy.length)] = value;
        return copy;
      });
    const typed = ["shown", "damaged_file", "unsupported_format", "limit_exceeded"];
    await fc.assert(
      fc.asyncProperty(fc.oneof(broken, fc.uint8Array({ maxLength: 300 })), async (bytes) => {
        expect(typed).toContain(await codeOf(probePicture(bytes)));
        expect(typed).toContain(await codeOf(renderPicture(bytes, { ...whole, maxSide: 64 })));
      }),
      { numRuns: 120 },
    );
  }, 30_000);
});

test("formats are told by content", async () => {
  expect(sniffPicture(heic)).toBe("heic");
  for (const format of pictureFormats.filter((one) => one !== "heic" && one !== "raw")) {
    expect(sniffPicture(await encodedFor(1, format))).toBe(format);
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => [...pictureFormats, null].includes(sniffPicture(bytes))),
  );
});
