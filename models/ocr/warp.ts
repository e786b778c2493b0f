import type { Raster } from "#native/raster.ts";
import type { Quad } from "./geometry.ts";

/** A picture with its halves, quarters, … made when they are needed, so that shrinking by bilinear sampling does not alias. */
export interface Pyramid {
  readonly full: Raster;
  /** Scaled by 2^−level; the last level when there are no more. */
  level(level: number): { readonly raster: Raster; readonly scaleX: number; readonly scaleY: number };
}

export function openPyramid(full: Raster): Pyramid {
  const levels = [full];
  return {
    full,
    level(wanted) {
      let raster = full;
      for (let level = 1; level <= wanted && Math.min(raster.width, raster.height) > 1; level++) {
        const next = levels[level] ?? halved(raster);
        levels[level] = next;
        raster = next;
      }
      return { raster, scaleX: raster.width / full.width, scaleY: raster.height / full.height };
    },
  };
}

/** Mean of each 2 × 2 pixels. An odd last row or column is left out of the mean. */
function halved({ width, height, rgb }: Raster): Raster {
  const w = width >> 1;
  const h = height >> 1;
  const out = new Uint8Array(w * h * 3);
  const row = width * 3;
  const columns = w * 3;
  for (let y = 0; y < h; y++) {
    const upper = rgb.subarray(2 * y * row, (2 * y + 1) * row);
    const lower = rgb.subarray((2 * y + 1) * row, (2 * y + 2) * row);
    const target = out.subarray(y * columns, (y + 1) * columns);
    for (let o = 0, i = 0; o < columns; o += 3, i += 6) {
      target[o] = ((upper[i] ?? 0) + (upper[i + 3] ?? 0) + (lower[i] ?? 0) + (lower[i + 3] ?? 0) + 2) >> 2;
      target[o + 1] = ((upper[i + 1] ?? 0) + (upper[i + 4] ?? 0) + (lower[i + 1] ?? 0) + (lower[i + 4] ?? 0) + 2) >> 2;
      target[o + 2] = ((upper[i + 2] ?? 0) + (upper[i + 5] ?? 0) + (lower[i + 2] ?? 0) + (lower[i + 5] ?? 0) + 2) >> 2;
    }
  }
  return { width: w, height: h, rgb: out };
}

/** Where a strip goes: the plane of blue begins at `offset`, then green and red, each of `rows` × `stride` numbers. */
export interface StripTarget {
  readonly data: Float32Array;
  readonly offset: number;
  readonly stride: number;
}

/**
 * Cuts a quad out of a picture by perspective (Heckbert 1989, §2.2.3: unit square → quad) and straightens it to
 * `width` × `height` pixels, bilinear, edges repeated. Written as `value / 127.5 − 1`, planes B, G, R.
 */
export function cutStrip(pyramid: Pyramid, quad: Quad, width: number, height: number, target: StripTarget): void {
  const [p0, p1, p2, p3] = quad;
  const tall = Math.max(Math.hypot(p3.x - p0.x, p3.y - p0.y), Math.hypot(p2.x - p1.x, p2.y - p1.y));
  // At most √2 pixels of the level to one of the strip.
  const { raster, scaleX, scaleY } = pyramid.level(Math.max(0, Math.round(Math.log2(tall / height))));
  const { width: w, height: h, rgb } = raster;
  const x0 = p0.x * scaleX;
  const y0 = p0.y * scaleY;
  const dx1 = (p1.x - p2.x) * scaleX;
  const dy1 = (p1.y - p2.y) * scaleY;
  const dx2 = (p3.x - p2.x) * scaleX;
  const dy2 = (p3.y - p2.y) * scaleY;
  const sx = (p0.x - p1.x + p2.x - p3.x) * scaleX;
  const sy = (p0.y - p1.y + p2.y - p3.y) * scaleY;
  const det = dx1 * dy2 - dx2 * dy1;
  const g = det === 0 ? 0 : (sx * dy2 - dx2 * sy) / det;
  const k = det === 0 ? 0 : (dx1 * sy - sx * dy1) / det;
  const a = (p1.x - p0.x) * scaleX + g * p1.x * scaleX;
  const b = (p3.x - p0.x) * scaleX + k * p3.x * scaleX;
  const d = (p1.y - p0.y) * scaleY + g * p1.y * scaleY;
  const e = (p3.y - p0.y) * scaleY + k * p3.y * scaleY;

  const { data, offset, stride } = target;
  const plane = stride * height;
  const right = w - 1;
  const bottom = h - 1;
  for (let row = 0; row < height; row++) {
    const v = (row + 0.5) / height;
    let o = offset + row * stride;
    for (let column = 0; column < width; column++, o++) {
      const u = (column + 0.5) / width;
      const z = 1 / (g * u + k * v + 1);
      let x = (a * u + b * v + x0) * z - 0.5;
      let y = (d * u + e * v + y0) * z - 0.5;
      x = Math.min(Math.max(x, 0), right);
      y = Math.min(Math.max(y, 0), bottom);
      const left = x | 0;
      const top = y | 0;
      const fx = x - left;
      const fy = y - top;
      const i = (top * w + left) * 3;
      const next = left < right ? 3 : 0;
      const below = top < bottom ? w * 3 : 0;
      const w11 = (fx * fy) / 127.5;
      const w10 = fx / 127.5 - w11;
      const w01 = fy / 127.5 - w11;
      const w00 = 1 / 127.5 - w10 - w01 - w11;
      const j = i + below;
      // Indices are inside by the clamping above.
      const red = (rgb[i] ?? 0) * w00 + (rgb[i + next] ?? 0) * w10 + (rgb[j] ?? 0) * w01 + (rgb[j + next] ?? 0) * w11;
      const green =
        (rgb[i + 1] ?? 0) * w00 +
        (rgb[i + next + 1] ?? 0) * w10 +
        (rgb[j + 1] ?? 0) * w01 +
        (rgb[j + next + 1] ?? 0) * w11;
      const blue =
        (rgb[i + 2] ?? 0) * w00 +
        (rgb[i + next + 2] ?? 0) * w10 +
        (rgb[j + 2] ?? 0) * w01 +
        (rgb[j + next + 2] ?? 0) * w11;
      data[o] = blue - 1;
      data[o + plane] = green - 1;
      data[o + 2 * plane] = red - 1;
    }
  }
}
