import type { Raster } from "./raster.ts";

/**
 * A fingerprint of what a picture looks like: equal or nearly so for re-encoded, resized and slightly cropped copies,
 * far apart for different pictures. DCT hash after C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash
 * Functions" (2010), §3.2.1: 32 × 32 greys, their two-dimensional DCT-II, the 8 × 8 lowest frequencies without the
 * constant ones, each a bit: above the median or not.
 */

/** Longest side, pixels, of the picture that is best given: more only costs time. */
export const hashSide = 128;

const side = 32;
const low = 8;

/** cos((2x + 1) u π / 2N) for u = 1…8. */
const cosines = Float64Array.from({ length: low * side }, (_, i) => {
  const u = Math.floor(i / side) + 1;
  return Math.cos(((2 * (i % side) + 1) * u * Math.PI) / (2 * side));
});

/** Mean luma (ITU-R BT.601) of the part of the picture under each of 32 × 32 cells. */
function greys({ width, height, rgb }: Raster): Float64Array {
  const cells = new Float64Array(side * side);
  for (let cy = 0; cy < side; cy++) {
    const top = Math.floor((cy * height) / side);
    const bottom = Math.max(top + 1, Math.floor(((cy + 1) * height) / side));
    for (let cx = 0; cx < side; cx++) {
      const left = Math.floor((cx * width) / side);
      const right = Math.max(left + 1, Math.floor(((cx + 1) * width) / side));
      let sum = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left, at = (y * width + left) * 3; x < right; x++, at += 3) {
          sum += 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
        }
      }
      cells[cy * side + cx] = sum / ((bottom - top) * (right - left));
    }
  }
  return cells;
}

/**
 * 64 bits of an upright picture of any size; 64 to 256 pixels a side are enough, more only cost time. A picture of one
 * colour has no frequencies: 0n, which says nothing about likeness.
 */
export function pictureHash(raster: Raster): bigint {
  if (raster.width < 1 || raster.height < 1) return 0n;
  const cells = greys(raster);
  const rows = new Float64Array(side * low);
  for (let y = 0; y < side; y++) {
    for (let u = 0; u < low; u++) {
      let sum = 0;
      for (let x = 0; x < side; x++) sum += (cells[y * side + x] ?? 0) * (cosines[u * side + x] ?? 0);
      rows[y * low + u] = sum;
    }
  }
  const frequencies = new Float64Array(low * low);
  for (let v = 0; v < low; v++) {
    for (let u = 0; u < low; u++) {
      let sum = 0;
      for (let y = 0; y < side; y++) sum += (rows[y * low + u] ?? 0) * (cosines[v * side + y] ?? 0);
      frequencies[v * low + u] = sum;
    }
  }
  const sorted = frequencies.toSorted();
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  // Below a grey level of one part in a thousand it is the noise of rounding.
  if ((sorted[63] ?? 0) - (sorted[0] ?? 0) < 1) return 0n;
  let hash = 0n;
  for (const value of frequencies) hash = (hash << 1n) | (value > median ? 1n : 0n);
  return hash;
}

/** Bits in which two hashes differ, 0–64. */
export function hashDistance(a: bigint, b: bigint): number {
  let count = 0;
  for (let rest = BigInt.asUintN(64, a ^ b); rest > 0n; rest &= rest - 1n) count++;
  return count;
}
