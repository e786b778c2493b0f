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
