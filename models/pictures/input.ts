import { cropRaster, type Raster, resizeRaster } from "#native/raster.ts";

/** The middle of a picture as a square of `size` pixels, its shorter side scaled to `resize` before. */
export async function centreSquare(
  raster: Raster,
  { resize, size }: { resize: number; size: number },
): Promise<Raster> {
  const scale = resize / Math.min(raster.width, raster.height);
  const width = Math.max(size, Math.round(raster.width * scale));
  const height = Math.max(size, Math.round(raster.height * scale));
  // Only the middle is scaled: the ends of a panorama are never seen.
  const kept = {
    width: Math.min(raster.width, Math.max(1, Math.round((size / width) * raster.width))),
    height: Math.min(raster.height, Math.max(1, Math.round((size / height) * raster.height))),
  };
  const left = Math.floor((raster.width - kept.width) / 2);
  const top = Math.floor((raster.height - kept.height) / 2);
  return resizeRaster(cropRaster(raster, { left, top, ...kept }), { width: size, height: size });
}

/**
 * The whole picture squeezed into a square of `size` pixels, each the mean of the four around its place: for pictures that
 * are little larger than that. In the thread itself, where a library's call would cost more than its work.
 */
export function squeezed({ width, height, rgb }: Raster, size: number): Raster {
  const out = new Uint8Array(size * size * 3);
  const left = new Int32Array(size);
  const right = new Int32Array(size);
  for (let x = 0; x < size; x++) {
    const at = ((x + 0.5) * width) / size - 0.5;
    left[x] = 3 * Math.max(0, Math.floor(at));
    right[x] = 3 * Math.min(width - 1, Math.max(0, Math.floor(at) + 1));
  }
  for (let y = 0, o = 0; y < size; y++) {
    const at = ((y + 0.5) * height) / size - 0.5;
    const upper = Math.max(0, Math.floor(at)) * width * 3;
    const lower = Math.min(height - 1, Math.max(0, Math.floor(at) + 1)) * width * 3;
    for (let x = 0; x < size; x++) {
      const [l, r] = [left[x] ?? 0, right[x] ?? 0];
      for (let c = 0; c < 3; c++, o++) {
        const sum =
          (rgb[upper + l + c] ?? 0) + (rgb[upper + r + c] ?? 0) + (rgb[lower + l + c] ?? 0) + (rgb[lower + r + c] ?? 0);
        out[o] = (sum + 2) >> 2;
      }
    }
  }
  return { width: size, height: size, rgb: out };
}

export interface Normalisation {
  /** Of values 0–255, by channel R, G, B. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  readonly channels: "rgb" | "bgr";
}

/** `3 × height × width` numbers, `(value − mean) / std`; mean and std go with the colour, `channels` with the order. */
export function tensorOf({ width, height, rgb }: Raster, { mean, std, channels }: Normalisation): Float32Array {
  const plane = width * height;
  const data = new Float32Array(3 * plane);
  for (let c = 0; c < 3; c++) {
    const from = channels === "rgb" ? c : 2 - c;
    const scale = 1 / (std[from] ?? 1);
    const shift = mean[from] ?? 0;
    for (let i = from, o = c * plane; i < rgb.length; i += 3, o++) data[o] = ((rgb[i] ?? 0) - shift) * scale;
  }
  return data;
}

/** The vector at unit length; zeros stay zeros. A number that is none throws. */
export function unit(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  if (!Number.isFinite(square)) throw new RangeError("The vector holds what is no number.");
  const scale = 1 / Math.max(Math.sqrt(square), 1e-12);
  return vector.map((value) => value * scale);
}
