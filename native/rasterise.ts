import sharp from "sharp";

/** How a drawing is to be rendered. `width` and `height` are pixels; the drawing is stretched to them. */
export interface RasterOptions {
  readonly width: number;
  readonly height: number;
  readonly format: "jpeg" | "png";
  /** JPEG quality, 1–100. PNG is written with a palette and ignores it. */
  readonly quality?: number;
}

/**
 * Renders an SVG drawing of our own to a JPEG or PNG file's bytes, without metadata. The same drawing gives the same
 * bytes with the same sharp build. Never give it an SVG that came from outside.
 */
export async function rasteriseSvg(svg: string, options: RasterOptions): Promise<Uint8Array> {
  const image = sharp(Buffer.from(svg, "utf8"), { limitInputPixels: 40_000_000 })
    .resize(options.width, options.height, { fit: "fill" })
    .flatten({ background: "#ffffff" });
  return options.format === "png"
    ? image.png({ compressionLevel: 9, palette: true, colours: 128, dither: 0 }).toBuffer()
    : image.jpeg({ quality: options.quality ?? 80, chromaSubsampling: "4:2:0" }).toBuffer();
}
