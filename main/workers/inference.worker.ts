export type EmbedPriority = "question" | "background";

export interface LoadedModel {
  /** Identity of the vector space: the catalogue id, or `id+hash` when the weights are another build of the same model. */
  readonly modelId: string;
  readonly dimension: number;
}

export interface InferenceStats {
  readonly loaded: LoadedModel | null;
  /** Texts embedded since the worker started. */
  readonly texts: number;
  readonly batches: number;
  /** Milliseconds spent in the model. */
  readonly busyMs: number;
  readonly waiting: { readonly question: number; readonly background: number };
}

/** The inference thread. One model in memory at a time; it is unloaded after some idle minutes and comes back by itself. */
export interface InferenceService {
  /** Reads, checks and opens an installed model. Throws `model_missing` or `model_damaged`. `folder` is the models folder. */
  load(input: { modelId: string; folder: string }): Promise<LoadedModel>;
  /** The model that `embed` answers with, or null when none was loaded. */
  current(input: Record<string, never>): Promise<LoadedModel | null>;
  /** One unit vector a text, in order. Questions go before background work. Throws `model_missing` when none was loaded. */
  embed(input: { texts: readonly string[]; priority: EmbedPriority }): Promise<Float32Array[]>;
  unload(input: Record<string, never>): Promise<void>;
  stats(input: Record<string, never>): Promise<InferenceStats>;
}
