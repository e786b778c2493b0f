import type { ModelPurpose } from "#contract";
import type { PictureLook, PictureReading } from "#models/pictures/ports.ts";
import type { TextReading } from "#models/text/tokens.ts";
import type { Raster } from "#native/raster.ts";

/** What the rest of the core sees of all models: one typed port, whatever thread a model lives in. */

/** A model that is open, or can be opened at once. */
export interface LoadedModel {
  readonly purpose: ModelPurpose;
  /**
   * Key of everything that is derived with it: catalogue id and version, `id@version`, and the weights' hash when they are
   * another build than the measured one. Results of two keys are never compared with each other.
   */
  readonly modelId: string;
  /** Numbers of a vector; null where the model gives none. */
  readonly dimension: number | null;
}

/** `question`: a person waits; goes before everything else and is never throttled. */
export type Priority = "question" | "background";

/**
 * Every method throws `model_missing` (none in use for the purpose), `model_damaged`, `model_unsupported`, `memory_short`,
 * `inference_failed` (the worker crashed or hung twice on the same input) or `cancelled`.
 */
export interface Inference {
  /**
   * The model in use for a purpose, opened when it was not; null: none is installed or it is switched off, or it does not
   * load. Follows the settings: after `refresh` it may be another.
   */
  model(purpose: ModelPurpose): Promise<LoadedModel | null>;
  /**
   * Unit vectors in the order of `texts`. With `modelId` that very model answers (an index that still serves an older one).
   * `use`: with the model's prefix for what is asked or for what is kept; absent: as the priority says.
   */
  embed(
    input: { texts: readonly string[]; priority: Priority; modelId?: string; use?: Priority },
    signal?: AbortSignal,
  ): Promise<Float32Array[]>;
  /** As `embed`, with what the model knows of each token, from the same pass: for late interaction. */
  readTexts(
    input: { texts: readonly string[]; priority: Priority; modelId?: string },
    signal?: AbortSignal,
  ): Promise<TextReading[]>;
  /** Scores of (question, text) pairs by the cross-encoder, in order; logits, higher is better. */
  rerank(
    input: { question: string; texts: readonly string[]; priority: Priority },
    signal?: AbortSignal,
  ): Promise<number[]>;
  readPicture(input: { raster: Raster; priority: Priority }, signal?: AbortSignal): Promise<PictureReading>;
  lookAtPicture(input: { raster: Raster; priority: Priority }, signal?: AbortSignal): Promise<PictureLook>;
  /** Unit vector of a picture in the image–text space. */
  embedPicture(input: { raster: Raster; priority: Priority }, signal?: AbortSignal): Promise<Float32Array>;
  /** Unit vectors of texts in the image–text space. */
  embedCaptions(
    input: { texts: readonly string[]; priority: Priority; modelId?: string },
    signal?: AbortSignal,
  ): Promise<Float32Array[]>;
  /** Settings or installed models have changed: what is no longer in use is closed when it is idle. */
  refresh(): Promise<void>;
  /** Closes every copy of a model that is being removed; calls under way end first. */
  release(catalogueId: string): Promise<void>;
  stats(): Promise<InferenceStats>;
  close(): Promise<void>;
}

export interface InferenceStats {
  readonly models: readonly {
    readonly modelId: string;
    readonly purpose: ModelPurpose;
    /** Growth of the process when it was opened, bytes, measured. */
    readonly memoryBytes: number;
    readonly inMemory: boolean;
    readonly items: number;
    readonly busyMs: number;
    /** Id in the catalogue. */
    readonly id: string;
    /** Why it did not open or was taken out of use, when it was; goes when it works again. */
    readonly fault: string | null;
  }[];
  readonly waiting: Readonly<Record<Priority, number>>;
  /** Why background work waits ("battery"), or null. */
  readonly paused: string | null;
  readonly replacedWorkers: number;
}

/** Memory that is taken out of what open models may have together. */
export interface Reservation {
  release(): void;
}

/** The service itself, in the thread that owns the models' threads. */
export interface InferenceHost extends Inference {
  /**
   * Memory for a model that is opened elsewhere (the language model), bytes; idle models make room. `who` names it for a
   * person. `giveBack` is asked when another model needs the room: true when the memory is free now.
   * Throws `memory_short`.
   */
  reserve(bytes: number, who: string, giveBack?: () => Promise<boolean>): Promise<Reservation>;
}
