import sharp from "sharp";

/** A picture in memory: upright, sRGB, 3 bytes a pixel (R, G, B), rows from the top. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** The same picture in memory that threads share: handing it to one of them copies nothing. */
export function sharedRaster({ width, height, rgb }: Raster): Raster {
  const shared = new Uint8Array(new SharedArrayBuffer(rgb.length));
  shared.set(rgb);
  return { width, height, rgb: shared };
}

/** `lanczos` for shrinking and enlarging well; `bicubic` and `bilinear` sample at points, as the pictures of some models were made. */
export type Resampling = "lanczos" | "bicubic" | "bilinear";

/** The picture stretched to a size. */
export async function resizeRaster(
  raster: Raster,
  size: { width: number; height: number },
  resampling: Resampling = "lanczos",
): Promise<Raster> {
  const { width, height } = size;
  if (width === raster.width && height === raster.height) return raster;
  const source = sharp(raster.rgb, { raw: { width: raster.width, height: raster.height, channels: 3 } });
  const resized =
    resampling === "lanczos"
      ? source.resize({ width, height, fit: "fill", kernel: "lanczos3" })
      : source.affine([width / raster.width, 0, 0, height / raster.height], { interpolator: resampling });
  const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

/** A part of a picture. It must lie inside. */
export function cropRaster(raster: Raster, box: { left: number; top: number; width: number; height: number }): Raster {
  const { left, top, width, height } = box;
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * raster.width + left) * 3;
    rgb.set(raster.rgb.subarray(from, from + width * 3), y * width * 3);
  }
  return { width, height, rgb };
}
