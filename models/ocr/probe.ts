import type { Raster } from "#native/raster.ts";

/** What `probePicture` shows. Digits, because every recogniser knows them, whatever its script. */
export const probeText = "2407 1536";

/** Rows of 5 bits, from the top. */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  "0": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
  "3": [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
  "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
  "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
  "6": [0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
  "7": [0b11111, 0b00001, 0b00010, 0b00010, 0b00100, 0b00100, 0b00100],
};
const pixel = 5;
const margin = 24;

/** A picture with `probeText` in dark squares on white, drawn without a font. */
export function probePicture(): Raster {
  const width = probeText.length * 6 * pixel + 2 * margin;
  const height = 7 * pixel + 2 * margin;
  const rgb = new Uint8Array(width * height * 3).fill(245);
  for (const [position, letter] of [...probeText].entries()) {
    for (const [row, bits] of (glyphs[letter] ?? []).entries()) {
      for (let column = 0; column < 5; column++) {
        if (((bits >> (4 - column)) & 1) === 0) continue;
        for (let dy = 0; dy < pixel; dy++) {
          const y = margin + row * pixel + dy;
          const x = margin + (position * 6 + column) * pixel;
          rgb.fill(30, (y * width + x) * 3, (y * width + x + pixel) * 3);
        }
      }
    }
  }
  return { width, height, rgb };
}
