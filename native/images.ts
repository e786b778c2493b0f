import type { Sharp } from "sharp";
import { limits, UnderstoryError } from "#contract";
import { heifFacts } from "./heif.ts";
import { type PictureFormat, sniffPicture } from "./picture-format.ts";
import { hashSide, pictureHash } from "./picture-hash.ts";
import type { Raster } from "./raster.ts";
import { rawPreview } from "./raw-preview.ts";

/**
 * The one place that decodes pictures. Everything else of the format is told by content, never by a name.
 * sharp decodes all but HEIC, which its binaries leave out; that comes through libheif compiled to WebAssembly,
 * which blocks its thread for about a second per 12 megapixels: call `renderPicture` from a worker.
 */

export { type PictureFormat, pictureFormats, pictureMimes, sniffPicture } from "./picture-format.ts";

type SharpModule = typeof import("sharp")["default"];
let sharp: SharpModule;

/** The decoders are loaded with the first picture: a thread that only reads mail does without their 40 MB. */
async function ready(): Promise<void> {
  if (sharp !== undefined) return;
  const { default: loaded } = await import("sharp");
  // The machine is shared with the store and the models: one thread a picture, and no cache of pictures seen once.
  loaded.concurrency(1);
  loaded.cache(false);
  sharp = loaded;
}

/** WebAssembly memory ends at 2 GB; this leaves room for the planes beside 4 bytes a pixel. */
const heicPixels = 120_000_000;
const timeoutSeconds = 60;

export interface PictureFacts {
  readonly format: PictureFormat;
  /** Pixels as shown: after EXIF orientation, or after irot/imir for HEIF. */
  readonly width: number;
  readonly height: number;
  /** EXIF orientation 1–8 that showing has to apply; always 1 for HEIF, whose boxes are part of the image. */
  readonly orientation: number;
  /** Frames of an animation or pages of a TIFF; 1 for a plain picture. */
  readonly pages: number;
}

export interface RenderOptions {
  /** Longest side of the result in pixels; a smaller picture is not enlarged. */
  readonly maxSide: number;
  readonly format: "webp" | "jpeg";
  /** 1–100. */
  readonly quality?: number;
}

export interface RenderedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly mime: "image/webp" | "image/jpeg";
  /** What it looks like, for finding copies (`pictureHash`); 0n says nothing. */
  readonly hash: bigint;
  /** A part of the original could not be decoded; what could be is shown. */
  readonly damaged: boolean;
}

function tooLarge(why: string): UnderstoryError {
  return new UnderstoryError("limit_exceeded", `The picture is too large to be decoded: ${why}.`, {
    hint: "The file itself is untouched. Open it in a picture program.",
  });
}

/** The decoder's words as one of our codes. */
function asTyped(error: unknown): UnderstoryError {
  if (error instanceof UnderstoryError) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (/pixel limit|too large|timeout|exceeds/i.test(words)) return tooLarge(words.split("\n")[0] ?? words);
  return new UnderstoryError("damaged_file", `The picture cannot be decoded: ${words.split("\n")[0]}.`, {
    hint: "The file itself is untouched; its date and place are kept where they could be read.",
    cause: error,
  });
}

function formatOf(bytes: Uint8Array): PictureFormat {
  if (bytes.length > limits.pictureBytes) throw tooLarge(`${bytes.length} bytes`);
  const format = sniffPicture(bytes);
  if (format === null) {
    throw new UnderstoryError("unsupported_format", "The content is not a picture in a known format.", {
      hint: "JPEG, PNG, HEIC, AVIF, WebP, GIF, TIFF and RAW files with a preview can be shown.",
    });
  }
  return format;
}

/** The picture inside a RAW file. Throws `unsupported_format` when there is none. */
function previewOf(raw: Uint8Array): Uint8Array {
  const preview = rawPreview(raw);
  if (preview !== null) return preview;
  throw new UnderstoryError("unsupported_format", "The RAW file carries no preview that can be shown.", {
    hint: "Its date and place are kept. Open it in a program that develops RAW files.",
  });
}

/**
 * `unlimited` lifts libvips' bound on the number of decoder warnings, so that a picture with many broken blocks is
 * still shown; the caps on bytes, pixels and time stay.
 */
const source = (bytes: Uint8Array, wanted: "whole" | "what-is-left") =>
  sharp(bytes, {
    limitInputPixels: limits.picturePixels,
    sequentialRead: true,
    ...(wanted === "whole" ? { failOn: "error" } : { failOn: "none", unlimited: true }),
  });

/**
 * Format and size from the header. The first part of a file is enough for most JPEGs.
 * Throws `damaged_file`, `unsupported_format` or `limit_exceeded`, nothing else.
 */
export async function probePicture(bytes: Uint8Array): Promise<PictureFacts> {
  const format = formatOf(bytes);
  try {
    if (format === "heic" || format === "avif") {
      const { width, height } = heifFacts(bytes);
      return { format, width, height, orientation: 1, pages: 1 };
    }
    await ready();
    const shown = format === "raw" ? previewOf(bytes) : bytes;
    const { autoOrient, orientation, pages } = await source(shown, "what-is-left").metadata();
    return { format, ...autoOrient, orientation: orientation ?? 1, pages: pages ?? 1 };
  } catch (error) {
    throw asTyped(error);
  }
}

/** Pixels of a HEIC's primary image, turned by its boxes. */
async function decodeHeic(bytes: Uint8Array): Promise<Sharp> {
  const shown = heifFacts(bytes);
  if (shown.width * shown.height > heicPixels) throw tooLarge(`${shown.width} × ${shown.height} pixels`);
  const { default: heicDecode } = await import("heic-decode");
  const images = await heicDecode.all({ buffer: bytes });
  try {
    // Top-level images come in file order and may be thumbnails or depth maps of the primary one.
    const primary = images.find((one) => one.width === shown.width && one.height === shown.height) ?? images[0];
    if (!primary) throw new UnderstoryError("damaged_file", "The HEIC file holds no image.");
    const { data, width, height } = await primary.decode();
    return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: limits.picturePixels });
  } finally {
    images.dispose();
  }
}

/** Upright, in sRGB, at most `maxSide` pixels wide and high. */
function shownWithin(input: Sharp, maxSide: number): Sharp {
  return input
    .timeout({ seconds: timeoutSeconds })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb");
}

async function encode(input: Sharp, options: RenderOptions): Promise<Omit<RenderedPicture, "damaged">> {
  const { maxSide, format, quality = 80 } = options;
  const { data, info } = await shownWithin(input, maxSide)
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  // The original is decoded once: its file and its hash are both made of these pixels.
  const shown = () => sharp(data, { raw: { width, height, channels } });
  // Metadata is left out by default, so no Orientation tag can turn the result a second time.
  const encoded =
    format === "jpeg"
      ? shown().flatten({ background: "#fff" }).jpeg({ quality })
      : shown().webp({ quality, effort: 3 });
  const hash = pictureHash(await pixelsOf(shownWithin(shown(), hashSide)));
  return { bytes: new Uint8Array(await encoded.toBuffer()), width, height, mime: `image/${format}`, hash };
}

/** Decodes by content: HEIC by its own way, the rest whole and, when that fails, as far as it goes. */
async function decoded<T>(
  given: Uint8Array,
  show: (picture: Sharp) => Promise<T>,
): Promise<{ result: T; damaged: boolean }> {
  const format = formatOf(given);
  await ready();
  try {
    const bytes = format === "raw" ? previewOf(given) : given;
    if (format === "heic") return { result: await show(await decodeHeic(bytes)), damaged: false };
    try {
      return { result: await show(source(bytes, "whole")), damaged: false };
    } catch (error) {
      if (asTyped(error).code === "limit_exceeded") throw error;
      return { result: await show(source(bytes, "what-is-left")), damaged: true };
    }
  } catch (error) {
    throw asTyped(error);
  }
}

/**
 * The picture upright, in sRGB, at most `maxSide` pixels wide and high, first frame only, without metadata.
 * A cut or partly broken picture is shown as far as it goes, with `damaged` set.
 * Throws `damaged_file`, `unsupported_format` or `limit_exceeded`, nothing else.
 */
export async function renderPicture(bytes: Uint8Array, options: RenderOptions): Promise<RenderedPicture> {
  const { result, damaged } = await decoded(bytes, (picture) => encode(picture, options));
  return { ...result, damaged };
}

/** Pixels as a picture file. */
export async function renderRaster({ rgb, width, height }: Raster, options: RenderOptions) {
  await ready();
  return encode(sharp(rgb, { raw: { width, height, channels: 3 } }), options);
}

export interface RasterPicture extends Raster {
  /** A part of the original could not be decoded; what could be is there. */
  readonly damaged: boolean;
  /** Pixels of the original as shown. */
  readonly originalWidth: number;
  readonly originalHeight: number;
}

/**
 * What `renderPicture` shows, as pixels for a model: transparent parts on white, grey as three equal channels.
 * A smaller picture is not enlarged. Throws what `renderPicture` throws.
 */
export async function rasterPicture(bytes: Uint8Array, { maxSide }: { maxSide: number }): Promise<RasterPicture> {
  const { result, damaged } = await decoded(bytes, (picture) => pixelsOf(shownWithin(picture, maxSide)));
  const { width, height } = await probePicture(bytes);
  return { ...result, damaged, originalWidth: width, originalHeight: height };
}

/** Transparent parts on white, grey as three equal channels. */
async function pixelsOf(shown: Sharp): Promise<Raster> {
  const { data, info } = await shown
    .flatten({ background: "#fff" })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { rgb: threeChannels(data, info.channels), width: info.width, height: info.height };
}

/** Grey is repeated; a fourth channel is left out. */
function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const pixels = data.length / channels;
  const rgb = new Uint8Array(pixels * 3);
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 3; c++) rgb[3 * i + c] = data[channels * i + (channels > 2 ? c : 0)] ?? 0;
  }
  return rgb;
}
