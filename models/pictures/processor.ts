import { z } from "zod";
import { UnderstoryError } from "#contract";
import { cropRaster, type Raster, type Resampling, resizeRaster } from "#native/raster.ts";
import { tensorOf } from "./input.ts";

/** What a `preprocessor_config.json` of the CLIP and SigLIP families says; defaults are those of transformers.js. */
const sideSchema = z.number().int().min(8).max(1024);
const exactSchema = z.object({ width: sideSchema, height: sideSchema });
const channelsSchema = z.tuple([z.number(), z.number(), z.number()]);
const configSchema = z.object({
  do_resize: z.boolean().default(true),
  size: z.union([exactSchema, z.object({ shortest_edge: sideSchema }), sideSchema]),
  /** Numbers as in Pillow. */
  resample: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(2),
  do_center_crop: z.boolean().default(false),
  crop_size: z.union([exactSchema, sideSchema]).optional(),
  do_rescale: z.boolean().default(true),
  rescale_factor: z
    .number()
    .positive()
    .default(1 / 255),
  do_normalize: z.boolean().default(false),
  image_mean: channelsSchema.default([0, 0, 0]),
  image_std: channelsSchema.default([1, 1, 1]),
});

export interface PictureProcessor {
  /** `pixel_values`, `1 × 3 × height × width`, planes R, G, B. */
  process(raster: Raster): Promise<{ data: Float32Array; dims: [1, 3, number, number] }>;
}

const resamplings: Readonly<Record<1 | 2 | 3, Resampling>> = { 1: "lanczos", 2: "bilinear", 3: "bicubic" };
/** Longer pictures lose their ends: the middle is all that a model looks at, and stretching them costs memory. */
const mostAspect = 8;

/** Makes the processor that a model's configuration describes. Throws `model_unsupported` for one of another kind. */
export function makeProcessor(json: unknown): PictureProcessor {
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) {
    throw new UnderstoryError(
      "model_unsupported",
      `The model's picture settings are of a kind that is not known here: ${z.prettifyError(parsed.error).split("\n")[0]}`,
    );
  }
  const config = parsed.data;
  const crop = typeof config.crop_size === "number" ? square(config.crop_size) : config.crop_size;
  const factor = config.do_rescale ? config.rescale_factor : 1;
  // (value × factor − mean) / std, written for values as they are.
  const mean = config.do_normalize ? config.image_mean : ([0, 0, 0] as const);
  const std = config.do_normalize ? config.image_std : ([1, 1, 1] as const);
  const normalisation = {
    mean: triple((c) => (mean[c] ?? 0) / factor),
    std: triple((c) => (std[c] ?? 1) / factor),
    channels: "rgb",
  } as const;
  return {
    async process(raster) {
      let picture = middle(raster);
      if (config.do_resize)
        picture = await resizeRaster(picture, sizeFor(picture, config.size), resamplings[config.resample]);
      if (config.do_center_crop && crop) picture = centreCrop(picture, crop);
      return { data: tensorOf(picture, normalisation), dims: [1, 3, picture.height, picture.width] };
    },
  };
}

const square = (side: number) => ({ width: side, height: side });
const triple = (value: (channel: number) => number): [number, number, number] => [value(0), value(1), value(2)];

function middle(raster: Raster): Raster {
  const width = Math.min(raster.width, raster.height * mostAspect);
  const height = Math.min(raster.height, raster.width * mostAspect);
  if (width === raster.width && height === raster.height) return raster;
  const left = Math.floor((raster.width - width) / 2);
  return cropRaster(raster, { left, top: Math.floor((raster.height - height) / 2), width, height });
}

/** Size after scaling; a number alone is both the shortest and the longest side, as in the reference. */
function sizeFor(
  { width, height }: Raster,
  size: z.infer<typeof configSchema>["size"],
): { width: number; height: number } {
  if (typeof size !== "number" && "width" in size) return size;
  const scale =
    typeof size === "number" ? size / Math.max(width, height) : size.shortest_edge / Math.min(width, height);
  // Two decimals first, so that 223.99999 is 224.
  const side = (pixels: number) => Math.max(1, Math.floor(Number((pixels * scale).toFixed(2))));
  return { width: side(width), height: side(height) };
}

/** The middle of a picture; where it is smaller than the crop, black is put around it. */
function centreCrop(raster: Raster, { width, height }: { width: number; height: number }): Raster {
  if (raster.width === width && raster.height === height) return raster;
  const rgb = new Uint8Array(width * height * 3);
  const left = Math.floor(Math.abs(raster.width - width) / 2) * Math.sign(raster.width - width);
  const top = Math.floor(Math.abs(raster.height - height) / 2) * Math.sign(raster.height - height);
  const columns = Math.min(width, raster.width);
  for (let y = 0; y < Math.min(height, raster.height); y++) {
    const from = ((y + Math.max(0, top)) * raster.width + Math.max(0, left)) * 3;
    const to = ((y + Math.max(0, -top)) * width + Math.max(0, -left)) * 3;
    rgb.set(raster.rgb.subarray(from, from + columns * 3), to);
  }
  return { width, height, rgb };
}
