import type { Job, JobKind } from "#contract";

/** One job runs at a time in each lane; lanes run beside each other. */
export const lanes = ["import", "index", "meaning", "media", "pictures", "model"] as const;
export type Lane = (typeof lanes)[number];

/** Values that survive being kept as text. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What is kept beside a job so that it can go on after a restart. */
export interface JobPayload {
  /** With the kind it makes a job unique: while one is not over, asking for it again gives the same. */
  readonly key: string;
  /** What the handler was asked to do; the handler parses it. */
  readonly input: Json;
  /** What the handler saved last, or null. */
  readonly checkpoint: Json;
}

export interface SavedJob {
  readonly job: Job;
  /** A `JobPayload`; unknown because it comes from a file. */
  readonly payload: unknown;
}

/** Where jobs are kept; a job saved again replaces its earlier state. */
export interface JobStore {
  save(saved: SavedJob): Promise<void>;
  load(): Promise<readonly SavedJob[]>;
}

/** Why a running handler is asked to stop: the reason of its signal. A job that is stopped goes on from its checkpoint. */
export type StopReason = "pause" | "cancel" | "shutdown";

export class JobStop extends Error {
  override readonly name = "AbortError";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The job was asked to stop: ${reason}.`);
    this.reason = reason;
  }
}

/** Why `signal` was aborted; null while it was not. */
export function stopReason(signal: AbortSignal): StopReason | null {
  if (!signal.aborted) return null;
  return signal.reason instanceof JobStop ? signal.reason.reason : "cancel";
}

export interface JobContext {
  readonly jobId: string;
  /** Aborted with a `JobStop`. A handler stops at its next safe point, and throws or returns. */
  readonly signal: AbortSignal;
  /** What `saveCheckpoint` was given last, in this run or one before. */
  readonly checkpoint: Json;
  saveCheckpoint(checkpoint: Json): Promise<void>;
  /** Cheap: may be called for every batch. */
  progress(update: Partial<Job["progress"]>): void;
}

export interface JobHandler {
  readonly lane: Lane;
  /** Resolves when the work is done; throws an UnderstoryError when it failed. */
  run(input: Json, context: JobContext): Promise<void>;
  /** Told when a job is cancelled that is not running but has begun: it may have something to close. */
  abandoned?(input: Json, checkpoint: Json): Promise<void>;
}

export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;
