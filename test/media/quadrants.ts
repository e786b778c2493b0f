import sharp from "sharp";

/** The test picture: 64 × 32, red top left, green top right, blue bottom left, white bottom right. */
export const corners = ["red", "green", "blue", "white"] as const;
type Corner = (typeof corners)[number];

const colours: Readonly<Record<Corner, readonly [number, number, number]>> = {
  red: [220, 20, 20],
  green: [20, 180, 20],
  blue: [20, 20, 220],
  white: [240, 240, 240],
};

/** Pixels of the test picture so stored that EXIF orientation 1–8 shows it upright (TIFF 6.0, tag 274). */
export function storedFor(orientation: number): { data: Buffer; width: number; height: number } {
  const swapped = orientation >= 5;
  const [width, height] = swapped ? [32, 64] : [64, 32];
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      // Where the stored pixel is seen: rows and columns of the stored picture named as in the standard.
      const [down = 0, right = 0] =
        {
          1: [row / height, column / width],
          2: [row / height, 1 - (column + 1) / width],
          3: [1 - (row + 1) / height, 1 - (column + 1) / width],
          4: [1 - (row + 1) / height, column / width],
          5: [column / width, row / height],
          6: [column / width, 1 - (row + 1) / height],
          7: [1 - (column + 1) / width, 1 - (row + 1) / height],
          8: [1 - (column + 1) / width, row / height],
        }[orientation] ?? [];
      const corner = corners[(down < 0.5 ? 0 : 2) + (right < 0.5 ? 0 : 1)] ?? "red";
      data.set(colours[corner], (row * width + column) * 3);
    }
  }
  return { data, width, height };
}

/** The test picture encoded, without any metadata. */
export async function encodedFor(orientation: number, format: "jpeg" | "png" | "webp" | "tiff" | "avif" | "gif") {
  const { data, width, height } = storedFor(orientation);
  return sharp(data, { raw: { width, height, channels: 3 } })
    .toFormat(format, { quality: 95, ...(format === "tiff" ? { compression: "none" } : {}) })
    .toBuffer();
}

/** Nearest colour name in the four corners of an encoded picture: top left, top right, bottom left, bottom right. */
export async function cornersOf(picture: Uint8Array): Promise<Corner[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): Corner => {
    const pixel = data.subarray((y * info.width + x) * info.channels);
    const distance = (name: Corner) => colours[name].reduce((sum, c, i) => sum + Math.abs(c - (pixel[i] ?? 0)), 0);
    return [...corners].sort((a, b) => distance(a) - distance(b))[0] ?? "red";
  };
  const [right, bottom] = [info.width - 6, info.height - 6];
  return [at(5, 5), at(right, 5), at(5, bottom), at(right, bottom)];
}
