/** A picture in memory: upright, sRGB, 3 bytes a pixel (R, G, B), rows from the top. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}
