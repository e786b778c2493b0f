import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Job, type JobKind, jobSchema, toErrorShape, UnderstoryError } from "#contract";
import {
  type JobHandler,
  type JobHandlers,
  type JobPayload,
  JobStop,
  type JobStore,
  type Json,
  type Lane,
  lanes,
  type StopReason,
  stopReason,
} from "./ports.ts";
import { JobFeed } from "./watch.ts";

const payloadSchema = z.object({ key: z.string(), input: z.json(), checkpoint: z.json() });
const units: Readonly<Record<JobKind, Job["progress"]["unit"]>> = {
  import: "bytes",
  "undo-import": "records",
  "index-text": "records",
  "index-vectors": "records",
  thumbnails: "pictures",
  perceive: "pictures",
  "install-model": "bytes",
};
/** Jobs that are over and still listed. */
const keptOver = 200;

export interface EnqueueInput {
  readonly kind: JobKind;
  /** With `kind` it makes the job unique while it is not over. */
  readonly key: string;
  /** For a person. */
  readonly title: string;
  readonly input: Json;
  /** Chosen by the caller when something must know it before; else made here. */
  readonly id?: string;
}

export interface JobRunner {
  /**
   * Loads what was kept; jobs that were running when the process died run again. Call once, before anything else.
   * Throws `internal` when a job that is not over has no handler.
   */
  start(): Promise<void>;
  /**
   * A new job, or the one of the same kind and key that is not over. In the lanes of derived data (index, media) one job
   * a key does all the work there ever is: over, it is queued again; running, it runs once more, for there may be new
   * work behind its back.
   */
  enqueue(input: EnqueueInput): Promise<Job>;
  /** Newest first. */
  list(): Job[];
  /** Whether a job of this key waits, runs or is paused. */
  isLive(key: string): boolean;
  /** Each throws `job_not_found`, and `conflict` when the job is over. */
  pause(jobId: string): Promise<void>;
  resume(jobId: string): Promise<void>;
  cancel(jobId: string): Promise<void>;
  /** All jobs, then their changes, at most five a second each; the last state always comes. */
  watch(signal?: AbortSignal): AsyncIterable<Job>;
  /** Resolves with the job when it is done, failed or cancelled. */
  settled(jobId: string): Promise<Job>;
  /** Stops what runs at its next safe point; it goes on at the next start. */
  stop(): Promise<void>;
}

interface Entry {
  job: Job;
  payload: JobPayload;
  /** Set while it runs. */
  run: { readonly controller: AbortController; readonly ended: Promise<void> } | null;
  rerun: boolean;
  waiting: ((job: Job) => void)[];
}

const isOver = ({ state }: Job): boolean => state === "done" || state === "failed" || state === "cancelled";

export function createJobRunner(options: { store: JobStore; handlers: JobHandlers; now?: () => number }): JobRunner {
  const { store, handlers, now = Date.now } = options;
  const entries = new Map<string, Entry>();
  const busy = new Set<Lane>();
  const feed = new JobFeed(now);
  let stopped = false;
  let saving: Promise<void> = Promise.resolve();

  const timestamp = () => new Date(now()).toISOString();

  /** Saves follow each other: an older state never replaces a newer one. */
  function save(entry: Entry): Promise<void> {
    const saved = { job: entry.job, payload: entry.payload };
    const result = saving.then(() => store.save(saved));
    saving = result.catch(() => undefined);
    return result;
  }

  function update(entry: Entry, change: Partial<Job>): void {
    entry.job = { ...entry.job, ...change, updatedAt: timestamp() };
    feed.publish(entry.job);
  }

  async function setState(entry: Entry, state: Job["state"], error: Job["error"] = null): Promise<void> {
    const idle = state === "running" ? {} : { rate: null, secondsLeft: null };
    update(entry, { state, error, progress: { ...entry.job.progress, ...idle } });
    if (isOver(entry.job)) {
      for (const resolve of entry.waiting.splice(0)) resolve(entry.job);
      forgetOldest();
    }
    await save(entry);
  }

  function forgetOldest(): void {
    const over = [...entries.values()].filter(({ job }) => isOver(job));
    for (const { job } of over.slice(0, Math.max(0, over.length - keptOver))) entries.delete(job.id);
  }

  function handlerOf(kind: JobKind): JobHandler {
    const handler = handlers[kind];
    if (handler) return handler;
    throw new UnderstoryError("internal", `Nothing in this version of Understory can do a job of the kind "${kind}".`, {
      hint: "Your archive is not changed. Open it with the version that made the job, or with a newer one.",
      details: { kind },
    });
  }

  /** Starts the oldest queued job of each free lane. */
  function schedule(): void {
    if (stopped) return;
    for (const lane of lanes) {
      if (busy.has(lane)) continue;
      const next = [...entries.values()].find(
        ({ job, run }) => job.state === "queued" && run === null && handlers[job.kind]?.lane === lane,
      );
      if (!next) continue;
      busy.add(lane);
      const controller = new AbortController();
      const ended = perform(next, handlerOf(next.job.kind), controller).finally(() => {
        next.run = null;
        busy.delete(lane);
        schedule();
      });
      next.run = { controller, ended };
    }
  }

  /** Runs a job to its end or to a stop. Never rejects: what goes wrong stands in the job. */
  async function perform(entry: Entry, handler: JobHandler, controller: AbortController): Promise<void> {
    let failure: unknown = null;
    try {
      await setState(entry, "running");
      await handler.run(entry.payload.input, {
        jobId: entry.job.id,
        signal: controller.signal,
        checkpoint: entry.payload.checkpoint,
        saveCheckpoint: (checkpoint) => {
          entry.payload = { ...entry.payload, checkpoint };
          return save(entry);
        },
        progress: (change) => update(entry, { progress: { ...entry.job.progress, ...change } }),
      });
    } catch (error) {
      failure = error ?? new Error("unknown fault");
    }
    const stop = stopReason(controller.signal);
    await finish(entry, stop, failure).catch((error: unknown) =>
      update(entry, { state: "failed", error: toErrorShape(error) }),
    );
  }

  async function finish(entry: Entry, stop: StopReason | null, failure: unknown): Promise<void> {
    if (stop === "pause") return setState(entry, "paused");
    if (stop === "shutdown") return setState(entry, "queued");
    if (stop === "cancel") return setState(entry, "cancelled");
    if (failure !== null) return setState(entry, "failed", toErrorShape(failure));
    if (entry.rerun) {
      entry.rerun = false;
      return setState(entry, "queued");
    }
    return setState(entry, "done");
  }

  function find(jobId: string): Entry {
    const entry = entries.get(jobId);
    if (!entry) throw new UnderstoryError("job_not_found", "There is no such job.", { details: { jobId } });
    return entry;
  }

  function findActive(jobId: string): Entry {
    const entry = find(jobId);
    if (!isOver(entry.job)) return entry;
    throw new UnderstoryError("conflict", `"${entry.job.title}" is over already.`, {
      hint: "Nothing was changed.",
      details: { jobId, state: entry.job.state },
    });
  }

  /** Asks a running job to stop and waits until it has; a job that waits changes at once. */
  async function halt(entry: Entry, reason: "pause" | "cancel", state: "paused" | "cancelled"): Promise<void> {
    if (!entry.run) {
      const { input, checkpoint } = entry.payload;
      if (reason === "cancel" && checkpoint !== null) await handlers[entry.job.kind]?.abandoned?.(input, checkpoint);
      return setState(entry, state);
    }
    entry.rerun = false;
    entry.run.controller.abort(new JobStop(reason));
    await entry.run.ended;
  }

  return {
    async start() {
      for (const saved of await store.load()) {
        const job = jobSchema.parse(saved.job);
        const payload = payloadSchema.safeParse(saved.payload);
        const entry: Entry = {
          job,
          payload: payload.success ? payload.data : { key: job.id, input: null, checkpoint: null },
          run: null,
          rerun: false,
          waiting: [],
        };
        if (!isOver(job)) {
          handlerOf(job.kind);
          if (!payload.success) {
            const error = new UnderstoryError("internal", `What "${job.title}" needs to go on cannot be read.`, {
              hint: "What it has done is kept. Start it again.",
            });
            await setState(entry, "failed", error.toShape());
          } else if (job.state === "running") {
            entry.job = { ...job, state: "queued" };
          }
        }
        entries.set(job.id, entry);
      }
      forgetOldest();
      schedule();
    },

    async enqueue({ kind, key, title, input, id = randomUUID() }) {
      const { lane } = handlerOf(kind);
      const derived = lane === "index" || lane === "media";
      for (const entry of entries.values()) {
        if (entry.job.kind !== kind || entry.payload.key !== key) continue;
        if (isOver(entry.job)) {
          if (!derived) continue;
          entry.payload = { key, input, checkpoint: null };
          await setState(entry, "queued");
          schedule();
        } else if (derived && entry.run) entry.rerun = true;
        return entry.job;
      }
      const at = timestamp();
      const entry: Entry = {
        job: {
          id,
          kind,
          title,
          state: "queued",
          progress: {
            done: 0,
            total: null,
            unit: units[kind],
            rate: null,
            secondsLeft: null,
            note: null,
            records: 0,
            files: 0,
          },
          error: null,
          createdAt: at,
          updatedAt: at,
        },
        payload: { key, input, checkpoint: null },
        run: null,
        rerun: false,
        waiting: [],
      };
      entries.set(entry.job.id, entry);
      feed.publish(entry.job);
      try {
        await save(entry);
      } catch (error) {
        // A job that is not kept would be lost by the next crash: better refused now.
        entries.delete(entry.job.id);
        update(entry, { state: "failed", error: toErrorShape(error) });
        throw error;
      }
      schedule();
      return entry.job;
    },

    isLive: (key) => [...entries.values()].some(({ job, payload }) => payload.key === key && !isOver(job)),
    list: () => [...entries.values()].map(({ job }) => job).reverse(),
    pause: async (jobId) => halt(findActive(jobId), "pause", "paused"),
    cancel: async (jobId) => halt(findActive(jobId), "cancel", "cancelled"),

    async resume(jobId) {
      const entry = findActive(jobId);
      if (entry.job.state !== "paused") return;
      await setState(entry, "queued");
      schedule();
    },

    watch: (signal) =>
      feed.watch(
        [...entries.values()].map(({ job }) => job),
        signal,
      ),

    settled(jobId) {
      const entry = find(jobId);
      if (isOver(entry.job)) return Promise.resolve(entry.job);
      return new Promise((resolve) => {
        entry.waiting.push(resolve);
      });
    },

    async stop() {
      stopped = true;
      const running = [...entries.values()].flatMap(({ run }) => (run ? [run] : []));
      for (const { controller } of running) controller.abort(new JobStop("shutdown"));
      await Promise.all(running.map(({ ended }) => ended));
      await saving;
    },
  };
}
