import type { ModelKind } from "./thread.ts";

/** Bounds of the inference service. Every count is a count of work, not of time, so that a clock that jumps changes nothing. */
export interface InferenceLimits {
  /**
   * Longest time of one step by kind of model, milliseconds; whoever takes longer hangs. Generous: a slow machine under
   * load takes ten times what a quiet one does, and a wrong verdict costs more than a late one.
   */
  readonly stepMs: Readonly<Record<ModelKind, number>>;
  /** Longest time of opening a model: hashing and reading some hundred megabytes from a slow disk. */
  readonly openMs: number;
  /** A model that nobody has asked for this long leaves memory. */
  readonly idleMs: number;
  /** Background items (texts, pictures) that wait in a lane at a time; further callers wait outside. */
  readonly waiting: number;
  /** A model in whose last `within` steps its thread had to be replaced `most` times is out of use for this session. */
  readonly crashes: { readonly most: number; readonly within: number };
  /** How long a hung thread may take to end before another is started beside it. */
  readonly terminateMs: number;
  /** How often it is looked whether the machine still runs on battery, while background work waits. */
  readonly powerMs: number;
}

export const defaultLimits: InferenceLimits = {
  stepMs: { text: 60_000, rerank: 60_000, caption: 60_000, tags: 60_000, picture: 120_000, ocr: 300_000 },
  openMs: 180_000,
  idleMs: 5 * 60_000,
  waiting: 128,
  crashes: { most: 6, within: 24 },
  terminateMs: 2_000,
  powerMs: 30_000,
};

/** Texts that are tokenised in one step. */
export const textsAtATime = 64;

/** Most texts of a question that are tokenised and embedded in one step. */
export const textsAtOnce = 8;

/**
 * Padded tokens of one background batch. Measured (docs/inference.md): from 64 to 512 tokens the model does the same
 * number of texts in a second, so the batch is as small as is good for a question that comes in between.
 */
export const backgroundTokens = 128;

/** Pairs that the reranker scores, or captions that are embedded, in one step. */
export const pairsAtATime = 8;

/**
 * While a person asks again and again, background work takes this share of its time, for so many steps of a lane after each
 * question: most questions then find the lane and a processor free, and none has to wait longer than for one step.
 */
export const whileAsked = { share: 0.4, steps: 12 } as const;
