import { UnderstoryError } from "#contract";
import type { Original } from "#main/records/ports.ts";
import type { MediaService } from "#main/workers/media.worker.ts";
import type { Remote } from "#main/workers/service.ts";

/** Longest side of a small picture, pixels: what is kept, and what is made at once where none is kept yet. */
export const thumbnailSide = 512;

/**
 * The picture of a record from the first of its originals that is still there.
 * Throws what the last one threw (`path_missing`, `damaged_file` …), or `not_found` when there is none.
 */
export async function renderOriginal(
  media: Remote<MediaService>,
  originals: readonly Original[],
  uploadKey: Uint8Array,
  maxSide: number,
  signal: AbortSignal,
) {
  let failure: unknown = new UnderstoryError("not_found", "This record has no picture.");
  for (const { roots, location } of originals) {
    if (location.role === "sidecar") continue;
    try {
      return await media.render({ roots, path: location.path, uploadKey, maxSide, format: "webp" }, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}
