import { UnderstoryError } from "#contract";
import type { Original } from "#main/records/ports.ts";
import type { MediaService, OriginalInput, Rasters } from "#main/workers/media.worker.ts";
import type { Remote } from "#main/workers/service.ts";

/** Longest side of a small picture, pixels: what is kept, and what is made at once where none is kept yet. */
export const thumbnailSide = 512;

/**
 * Longest side of the pixels that models look at: what the fine print of a page needs. Models that see a square of 224
 * pixels get a small copy with the shorter side that they begin with: shrinking is done where pictures are decoded, and
 * not in the models' thread.
 */
const sides = { maxSide: 3_000, smallSide: 256 } as const;
const filmSides = { maxSide: 1_280, smallSide: 256 } as const;

/** Pictures out of one film that models look at. */
const framesOfFilm = 6;

interface Shown {
  readonly kind: "photo" | "video";
  readonly originals: readonly Original[];
}

/** A picture for models; `at`: seconds into a film, null for a photo. */
export interface Frame extends Rasters {
  readonly at: number | null;
}

/**
 * The picture of a record from the first of its originals that is still there.
 * Throws what the last one threw (`path_missing`, `damaged_file` …), or `not_found` when there is none.
 */
export const renderOriginal = (
  media: Remote<MediaService>,
  { kind, originals }: Shown,
  uploadKey: Uint8Array,
  maxSide: number,
  signal: AbortSignal,
) =>
  fromFirst(originals, uploadKey, signal, (place) => media.render({ ...place, kind, maxSide, format: "webp" }, signal));

/** The same as pixels: one picture, or some out of a film. Throws as `renderOriginal` does. */
export const rastersOriginal = (
  media: Remote<MediaService>,
  { kind, originals }: Shown,
  uploadKey: Uint8Array,
  signal: AbortSignal,
): Promise<readonly Frame[]> =>
  fromFirst(originals, uploadKey, signal, async (place) =>
    kind === "video"
      ? media.frames({ ...place, ...filmSides, count: framesOfFilm }, signal)
      : [{ at: null, ...(await media.raster({ ...place, ...sides }, signal)) }],
  );

async function fromFirst<T>(
  originals: readonly Original[],
  uploadKey: Uint8Array,
  signal: AbortSignal,
  read: (place: OriginalInput) => Promise<T>,
): Promise<T> {
  let failure: unknown = new UnderstoryError("not_found", "This record has no picture.");
  for (const { roots, location, sha256 } of originals) {
    if (location.role === "sidecar") continue;
    try {
      const { path, offset, bytes, part } = location;
      return await read({ roots, path, offset, bytes, ...(part === undefined ? {} : { part }), uploadKey, sha256 });
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}
