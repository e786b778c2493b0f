import type { Job } from "#contract";

const isOver = (job: Job): boolean => job.state === "done" || job.state === "failed" || job.state === "cancelled";

/** Updates of one job that a watcher gets at most: five a second, and every change of state it has not seen replaced. */
const pauseMs = 200;

interface Watcher {
  /** The newest state of each job that the watcher has not seen. */
  readonly pending: Map<string, Job>;
  wake: () => void;
}

/** Sends jobs to any number of watchers. A slow one misses states in between, never the last, and holds nobody up. */
export class JobFeed {
  readonly #watchers = new Set<Watcher>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  publish(job: Job): void {
    for (const watcher of this.#watchers) {
      watcher.pending.set(job.id, job);
      watcher.wake();
    }
  }

  /** First `current`, then updates until `signal` aborts or the consumer stops. */
  async *watch(current: readonly Job[], signal?: AbortSignal): AsyncIterable<Job> {
    const watcher: Watcher = { pending: new Map(current.map((job) => [job.id, job])), wake: () => undefined };
    const seen = new Map<string, { at: number; state: Job["state"] }>();
    const dueAt = (job: Job): number => {
      const last = seen.get(job.id);
      return last === undefined || last.state !== job.state ? 0 : last.at + pauseMs;
    };
    this.#watchers.add(watcher);
    const stop = () => watcher.wake();
    signal?.addEventListener("abort", stop);
    try {
      while (!signal?.aborted) {
        const now = this.#now();
        let soonest = Number.POSITIVE_INFINITY;
        let ready: Job | null = null;
        for (const job of watcher.pending.values()) {
          const due = dueAt(job);
          if (due <= now) {
            ready = job;
            break;
          }
          soonest = Math.min(soonest, due);
        }
        if (ready === null) {
          await sleep(watcher, soonest - now);
          continue;
        }
        watcher.pending.delete(ready.id);
        if (isOver(ready)) seen.delete(ready.id);
        else seen.set(ready.id, { at: now, state: ready.state });
        yield ready;
      }
    } finally {
      this.#watchers.delete(watcher);
      signal?.removeEventListener("abort", stop);
    }
  }
}

/** Until the watcher is woken, at most `ms`. */
function sleep(watcher: Watcher, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    watcher.wake = () => {
      clearTimeout(timer);
      watcher.wake = () => undefined;
      resolve();
    };
  });
}
