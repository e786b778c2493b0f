import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { rasterPicture } from "#native/images.ts";
import { hashDistance, pictureHash } from "#native/picture-hash.ts";

/** A scene of soft and hard shapes, another one for each seed. */
async function scene(seed: number): Promise<Buffer> {
  let state = seed * 2_654_435_761 + 1;
  const next = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return ((state >>> 8) / 2 ** 24) * most;
  };
  const shapes = Array.from({ length: 14 }, () => {
    const colour = `rgb(${next(255)},${next(255)},${next(255)})`;
    return `<ellipse cx="${next(480)}" cy="${next(360)}" rx="${20 + next(150)}" ry="${20 + next(110)}" fill="${colour}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="480" height="360" fill="rgb(${next(255)},${next(255)},${next(255)})"/>${shapes.join("")}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const hashOf = async (bytes: Uint8Array) => pictureHash(await rasterPicture(bytes, { maxSide: 128 }));
const scenes = await Promise.all(Array.from({ length: 12 }, (_, seed) => scene(seed)));
const hashes = await Promise.all(scenes.map(hashOf));

const copies: readonly [string, (picture: Sharp) => Sharp, number][] = [
  ["re-encoded at low quality", (picture) => picture.jpeg({ quality: 25 }), 4],
  ["a third of its size", (picture) => picture.resize(160).jpeg(), 4],
  ["another shape of pixels in WebP", (picture) => picture.resize(333, 250).webp({ quality: 60 }), 4],
  ["a little brighter", (picture) => picture.linear(1.05, 8).jpeg(), 8],
  [
    "cropped by two in a hundred",
    (picture) => picture.extract({ left: 5, top: 4, width: 470, height: 352 }).jpeg(),
    14,
  ],
];

describe("a fingerprint of what a picture looks like", () => {
  test.each(copies)("copies stay near: %s", async (_what, change, most) => {
    for (const [i, bytes] of scenes.entries()) {
      const copy = await hashOf(await change(sharp(bytes)).toBuffer());
      expect(hashDistance(copy, hashes[i] ?? 0n)).toBeLessThanOrEqual(most);
    }
  });

  test("different pictures are far apart", () => {
    for (const [i, a] of hashes.entries()) {
      for (const b of hashes.slice(i + 1)) expect(hashDistance(a, b)).toBeGreaterThan(16);
    }
  });

  test("a picture of one colour says nothing", () => {
    expect(pictureHash({ width: 9, height: 7, rgb: new Uint8Array(9 * 7 * 3).fill(120) })).toBe(0n);
  });

  test("any pixels of any size give 64 bits; the distance is a metric", () => {
    const pixels = fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }))
      .chain(([width, height]) =>
        fc
          .uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 })
          .map((rgb) => ({ width, height, rgb })),
      );
    fc.assert(
      fc.property(pixels, pixels, (a, b) => {
        const [x, y] = [pictureHash(a), pictureHash(b)];
        expect(x).toBe(BigInt.asUintN(64, x));
        expect(hashDistance(x, x)).toBe(0);
        expect(hashDistance(x, y)).toBe(hashDistance(y, x));
        expect(hashDistance(x, y)).toBeLessThanOrEqual(64);
      }),
      { numRuns: 60 },
    );
  });
});
