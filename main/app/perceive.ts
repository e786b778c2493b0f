import { UnderstoryError } from "#contract";
import type { Inference } from "#main/inference/ports.ts";
import type { JobContext } from "#main/jobs/index.ts";
import {
  type PendingPerception,
  type Perception,
  type PictureModel,
  type PicturePurpose,
  picturePurposes,
} from "#main/records/ports.ts";
import type { IndexService } from "#main/workers/index.worker.ts";
import type { MediaService } from "#main/workers/media.worker.ts";
import type { Remote } from "#main/workers/service.ts";
import type { StoreService } from "#main/workers/store.worker.ts";
import type { Raster } from "#native/raster.ts";
import { joinLooks, joinReadings, meanVector } from "./frames.ts";
import { type Frame, rastersOriginal } from "./originals.ts";

/** Pictures asked for at a time, and after how many the indexes and the window are told. */
const pendingAtATime = 8;
const tellEvery = 8;

/** Faults of a file that no second look mends; a person may ask for another look when the file is there again. */
const final: ReadonlySet<string> = new Set([
  "damaged_file",
  "unsupported_format",
  "limit_exceeded",
  "path_missing",
  "path_unreadable",
  "not_found",
]);
/** Faults of a single picture in a model; every other one is the model's own and ends the job. */
const ofPicture: ReadonlySet<string> = new Set(["inference_failed", "limit_exceeded"]);

export interface PerceiveOptions {
  readonly store: Remote<StoreService>;
  readonly index: Remote<IndexService>;
  readonly media: Remote<MediaService>;
  readonly inference: Inference;
  readonly uploadKey: Uint8Array;
  /** Key of the model that is in use for a purpose, without opening it; null: none. */
  readonly inUse: (purpose: PicturePurpose) => string | null;
  /** Something new is known of some records. */
  readonly tell: () => void;
}

type Decoded = { readonly frames: readonly Frame[] } | { readonly error: unknown };

/**
 * Shows every picture to the models that have not seen it: decoded once for all of them, the next one while the models
 * are at work. What is done is in the store, so a stop costs one picture at most.
 */
export async function perceive(options: PerceiveOptions, context: JobContext): Promise<void> {
  const { store, index, inUse, tell } = options;
  const { signal } = context;
  const models = picturePurposes.flatMap((purpose): PictureModel[] => {
    const model = inUse(purpose);
    return model === null ? [] : [{ purpose, model }];
  });
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    const pending = models.length === 0 ? [] : await store.pendingPerceptions({ models, limit: pendingAtATime });
    if (pending.length === 0) break;
    let next = decode(options, pending[0], signal);
    for (const [at, picture] of pending.entries()) {
      signal.throwIfAborted();
      const decoded = await next;
      next = decode(options, pending[at + 1], signal);
      await look(options, models, picture, decoded, signal);
      done += 1;
      context.progress({ unit: "pictures", done, note: picture.originals[0]?.location.path ?? null });
      if (done % tellEvery === 0) tell();
    }
  }
  const sight = models.find(({ purpose }) => purpose === "image-text-embedding");
  if (sight) {
    await store.retireVectors({ purpose: "image-text-embedding", keep: sight.model });
    await index.servePictures({ modelId: sight.model });
  }
  if (done > 0) tell();
}

async function decode(
  { media, uploadKey }: PerceiveOptions,
  picture: PendingPerception | undefined,
  signal: AbortSignal,
): Promise<Decoded> {
  if (!picture) return { error: null };
  try {
    return { frames: await rastersOriginal(media, picture, uploadKey, signal) };
  } catch (error) {
    return { error };
  }
}

async function look(
  { store, inference }: PerceiveOptions,
  models: readonly PictureModel[],
  { recordId, original, missing }: PendingPerception,
  decoded: Decoded,
  signal: AbortSignal,
): Promise<void> {
  for (const { purpose, model } of models) {
    if (!missing.includes(purpose)) continue;
    try {
      if ("error" in decoded) throw decoded.error;
      const perception = await perceptionOf(inference, purpose, model, decoded.frames, signal);
      await store.putPerception({ recordId, original, perception });
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof UnderstoryError ? error.code : "internal";
      // The model is gone, does not fit into memory, …: no other picture would fare better.
      if (!("error" in decoded) && !ofPicture.has(code)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      await store.failPerception({ recordId, original, purpose, model, reason, final: final.has(code) });
    }
  }
}

/** What one model finds in a picture, or in all the pictures of a film together. */
async function perceptionOf(
  inference: Inference,
  purpose: PicturePurpose,
  model: string,
  frames: readonly Frame[],
  signal: AbortSignal,
): Promise<Perception> {
  const each = async <T>(
    size: "raster" | "small",
    look: (input: { raster: Raster; priority: "background" }) => Promise<T>,
  ): Promise<T[]> => {
    const found: T[] = [];
    for (const frame of frames) found.push(await look({ raster: frame[size], priority: "background" }));
    return found;
  };
  switch (purpose) {
    case "ocr": {
      const readings = await each("raster", (input) => inference.readPicture(input, signal));
      return {
        purpose,
        model,
        reading: joinReadings(
          readings,
          frames.map(({ at }) => at),
        ),
      };
    }
    case "image-tags":
      return { purpose, model, ...joinLooks(await each("small", (input) => inference.lookAtPicture(input, signal))) };
    case "image-text-embedding":
      return {
        purpose,
        model,
        vector: meanVector(await each("small", (input) => inference.embedPicture(input, signal))),
      };
  }
}
