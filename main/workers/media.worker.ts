import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { limits, UnderstoryError } from "#contract";
import { EntryOpener } from "#main/ingest/open-entry.ts";
import { type RenderedPicture, rasterPicture, renderPicture, renderRaster } from "#native/images.ts";
import { hashSide, pictureHash } from "#native/picture-hash.ts";
import { type Raster, resizeRaster, sharedRaster } from "#native/raster.ts";
import { type VideoFrame, videoFrames } from "#native/video.ts";
import { exposeService, type ServiceContext } from "./service.ts";

/** Where an original lies. */
export interface OriginalInput {
  /** Roots of the import that brought the picture. */
  readonly roots: string | readonly string[];
  /** Path in the import's tree; a member of a zip is `zip/path`. */
  readonly path: string;
  /** Where in the file a message begins, and its length, bytes, when the original is a part of one. */
  readonly offset?: number | null;
  readonly bytes?: number | null;
  /** Which part of what stands there (`SourceLocation.part`); absent: all of it. */
  readonly part?: string;
  /** Key of uploaded files (`deriveUploadKey`), when the root is a folder of them. */
  readonly uploadKey?: Uint8Array;
  /** SHA-256 (hex) that the bytes must have; null or absent: whatever lies there. */
  readonly sha256?: string | null;
}

export interface RasterInput extends OriginalInput {
  /** Longest side of the result, pixels. */
  readonly maxSide: number;
  /** Shorter side of the small copy, pixels. */
  readonly smallSide: number;
}

/** A picture as pixels, and a smaller copy: models that see little are slow to shrink much. */
export interface Rasters {
  readonly raster: Raster;
  readonly small: Raster;
}

export interface FramesInput extends RasterInput {
  readonly count: number;
}

/**
 * The picture and its small copy, from one decoding, in memory that threads share: copying 20 MB twice on the way to the
 * models would stop the main thread.
 */
async function bothSizes(picture: Raster, smallSide: number): Promise<Rasters> {
  const { width, height } = picture;
  const scale = smallSide / Math.min(width, height);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const raster = sharedRaster(picture);
  return { raster, small: scale < 1 ? sharedRaster(await resizeRaster(picture, size)) : raster };
}

export interface RenderInput extends OriginalInput {
  /** Longest side of the result, pixels. */
  readonly maxSide: number;
  readonly format: "webp" | "jpeg";
  /** Of a film its first picture is shown. */
  readonly kind: "photo" | "video";
  /** 1–100. */
  readonly quality?: number;
}

/**
 * The picture thread: decoding blocks it (HEIC for about a second), so that it blocks nothing else. Two pictures are in
 * memory at a time.
 */
export interface MediaService {
  /**
   * Reads an original and makes it fit for a window: upright, sRGB, no metadata. A film has no hash (0n): many begin
   * with the same dark picture or title.
   * Throws `path_missing`, `path_unreadable`, `damaged_file`, `unsupported_format`, `limit_exceeded` or `cancelled`.
   */
  render(input: RenderInput, context: ServiceContext): Promise<Omit<RenderedPicture, "damaged">>;
  /** What a picture looks like that was rendered before: `hash` of `render`. Throws `damaged_file`, `unsupported_format`. */
  hash(input: { bytes: Uint8Array }, context: ServiceContext): Promise<bigint>;
  /** The same picture as pixels, for models. Throws as `render` does. */
  raster(input: RasterInput, context: ServiceContext): Promise<Rasters>;
  /** Up to `count` pictures out of a film, spread over its length, or its cover. Throws as `render` does. */
  frames(input: FramesInput, context: ServiceContext): Promise<readonly (Rasters & { readonly at: number })[]>;
}

/** Lets `free` holders in at a time, the others in the order in which they came. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

const gate = new Gate(2);

// libheif tells its troubles on standard output, which belongs to the answers of the command line; it throws them, too.
console.log = () => undefined;

/** The uploads' key is one for a whole session. The opener keeps the directories of zips that are asked for again and again. */
let opener: { readonly key: string; readonly entries: EntryOpener } | null = null;

function openerFor(uploadKey: Uint8Array | undefined): EntryOpener {
  const key = uploadKey === undefined ? "" : Buffer.from(uploadKey).toString("hex");
  if (opener?.key !== key) opener = { key, entries: new EntryOpener(uploadKey ?? null) };
  return opener.entries;
}

function stopWhenCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new UnderstoryError("cancelled", "The picture is not wanted any more.");
}

/** Bytes of an original. A file that is not the one that was imported any more is as good as missing. */
async function originalOf(input: OriginalInput, signal: AbortSignal): Promise<Uint8Array> {
  stopWhenCancelled(signal);
  if (input.part !== undefined) {
    const { path, offset = null, bytes = null, part } = input;
    return openerFor(input.uploadKey).openPart(input.roots, { path, offset, bytes, part }, input.sha256 ?? null);
  }
  const entry = await openerFor(input.uploadKey).open(input.roots, input.path);
  const bytes = await entry.readAll(limits.pictureBytes);
  if (input.sha256 && createHash("sha256").update(bytes).digest("hex") !== input.sha256) {
    throw new UnderstoryError("path_missing", `${input.path} has changed since it was imported.`, {
      hint: "What was read from it is kept. Import the folder again to take in the changed file.",
      details: { path: input.path },
    });
  }
  stopWhenCancelled(signal);
  return bytes;
}

/** ffmpeg reads a film by itself, and only from a file of its own. */
async function framesOf(
  input: Omit<FramesInput, "smallSide">,
  signal: AbortSignal,
): Promise<[VideoFrame, ...VideoFrame[]]> {
  stopWhenCancelled(signal);
  // What stands at the path of a part is the mailbox.
  const path = input.part === undefined ? await openerFor(input.uploadKey).diskPath(input.roots, input.path) : null;
  const reason = "it lies inside an archive, an upload or a mail";
  const found =
    path === null
      ? { frames: [], reason }
      : await videoFrames(path, { count: input.count, maxSide: input.maxSide, signal });
  const [first, ...rest] = found.frames;
  if (first) return [first, ...rest];
  throw new UnderstoryError("unsupported_format", `No picture can be taken out of this film: ${found.reason}.`, {
    hint: "The file itself is untouched, and what is known of its time and place is kept.",
    details: { path: input.path },
  });
}

const service: MediaService = {
  render: (input, { signal }) =>
    gate.through(async () => {
      const { maxSide, format, quality } = input;
      const options = { maxSide, format, ...(quality === undefined ? {} : { quality }) };
      if (input.kind === "video") {
        const [frame] = await framesOf({ ...input, count: 1 }, signal);
        return { ...(await renderRaster(frame.raster, options)), hash: 0n };
      }
      const made = await renderPicture(await originalOf(input, signal), options);
      return { bytes: made.bytes, width: made.width, height: made.height, mime: made.mime, hash: made.hash };
    }),
  hash: ({ bytes }) => gate.through(async () => pictureHash(await rasterPicture(bytes, { maxSide: hashSide }))),
  raster: (input, { signal }) =>
    gate.through(async () => {
      const bytes = await originalOf(input, signal);
      return bothSizes(await rasterPicture(bytes, { maxSide: input.maxSide }), input.smallSide);
    }),
  frames: (input, { signal }) =>
    gate.through(async () => {
      const frames = await framesOf(input, signal);
      return Promise.all(frames.map(async ({ at, raster }) => ({ at, ...(await bothSizes(raster, input.smallSide)) })));
    }),
};

if (parentPort) exposeService<MediaService>(parentPort, service);
