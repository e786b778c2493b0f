import { UnderstoryError } from "#contract";
import type { OnnxSession } from "#native/onnx.ts";
import { type Raster, resizeRaster } from "#native/raster.ts";
import type { Quad } from "./geometry.ts";
import { type RegionOptions, textRegions } from "./regions.ts";

export interface DetectorOptions extends RegionOptions {
  /** The shorter side of what the network sees is at least this, the longer at most that; pixels, multiples of 32. */
  readonly least: number;
  readonly most: number;
}

export interface Detector {
  /** Regions of text in pixels of the raster. */
  find(raster: Raster): Promise<Quad[]>;
}

const multiple = 32;
/** Beyond this, letters only become blurred. */
const mostEnlarged = 3;

/** What the network sees of a picture: enlarged or shrunk, then rounded so that no side changes by more than 16 pixels. */
export function detectorSize(
  { width, height }: { width: number; height: number },
  { least, most }: Pick<DetectorOptions, "least" | "most">,
): { width: number; height: number } {
  const enlarged = Math.min(mostEnlarged, Math.max(1, least / Math.min(width, height)));
  const scale = Math.min(enlarged, most / Math.max(width, height));
  const side = (pixels: number) => Math.max(multiple, Math.round((pixels * scale) / multiple) * multiple);
  return { width: side(width), height: side(height) };
}

export function makeDetector(session: OnnxSession, options: DetectorOptions): Detector {
  const input = session.inputNames[0] ?? "";
  const output = session.outputNames[0] ?? "";
  return {
    async find(raster) {
      const { width, height } = detectorSize(raster, options);
      const data = planes(await resizeRaster(raster, { width, height }));
      const found = (await session.run({ [input]: { data, dims: [1, 3, height, width] } }))[output];
      if (!(found?.data instanceof Float32Array) || found.data.length !== width * height) {
        throw new UnderstoryError("model_damaged", "The detector does not give a number for each pixel.");
      }
      const scaleX = raster.width / width;
      const scaleY = raster.height / height;
      return textRegions({ data: found.data, width, height }, options).map(([a, b, c, d]): Quad => {
        const onPicture = ({ x, y }: Quad[0]) => ({ x: x * scaleX, y: y * scaleY });
        return [onPicture(a), onPicture(b), onPicture(c), onPicture(d)];
      });
    },
  };
}

/** Planes B, G, R of `value / 127.5 − 1`. */
function planes({ width, height, rgb }: Raster): Float32Array {
  const plane = width * height;
  const data = new Float32Array(3 * plane);
  for (let i = 0, o = 0; o < plane; i += 3, o++) {
    data[o] = (rgb[i + 2] ?? 0) / 127.5 - 1;
    data[o + plane] = (rgb[i + 1] ?? 0) / 127.5 - 1;
    data[o + 2 * plane] = (rgb[i] ?? 0) / 127.5 - 1;
  }
  return data;
}
