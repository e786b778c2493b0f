import { UnderstoryError } from "#contract";
import type { EmbedBatch, TextEmbedder } from "#models/text/embed.ts";

export type EmbedPriority = "question" | "background";

interface Job {
  readonly texts: readonly string[];
  readonly priority: EmbedPriority;
  readonly signal: AbortSignal;
  readonly vectors: Float32Array[];
  /** Null until its turn comes: tokenising is work too. */
  batches: EmbedBatch[] | null;
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Embedding jobs in the order they are run: all questions first, then background work, each in order of arrival. Between
 * two batches the choice is made anew, so a question waits for one batch at most.
 */
export class EmbedQueue {
  readonly #open: () => Promise<TextEmbedder>;
  readonly #jobs: Record<EmbedPriority, Job[]> = { question: [], background: [] };
  #working: Promise<void> | null = null;
  texts = 0;
  batches = 0;
  busyMs = 0;

  /** `open` gives the embedder, opening it when needed; it is asked before every batch. */
  constructor(open: () => Promise<TextEmbedder>) {
    this.#open = open;
  }

  get waiting(): { question: number; background: number } {
    return { question: this.#jobs.question.length, background: this.#jobs.background.length };
  }

  /** Vectors in the order of `texts`. Rejected with `cancelled` when the signal aborts before its last batch. */
  add(texts: readonly string[], priority: EmbedPriority, signal: AbortSignal): Promise<Float32Array[]> {
    if (texts.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const vectors = new Array<Float32Array>(texts.length);
      this.#jobs[priority].push({ texts, priority, signal, vectors, batches: null, resolve, reject });
      this.#working ??= this.#work().finally(() => {
        this.#working = null;
      });
    });
  }

  /** Resolves when nothing is running or waiting. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    for (;;) {
      const job = this.#jobs.question[0] ?? this.#jobs.background[0];
      if (!job) return;
      try {
        if (job.signal.aborted) throw new UnderstoryError("cancelled", "The embedding was cancelled.");
        if (await this.#step(job)) {
          this.#leave(job);
          job.resolve(job.vectors);
        }
      } catch (error) {
        this.#leave(job);
        job.reject(error);
      }
      // Lets messages in: a question that has just arrived is seen before the next batch.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Runs the job's next batch; true when it was the last. */
  async #step(job: Job): Promise<boolean> {
    const embedder = await this.#open();
    const started = performance.now();
    job.batches ??= embedder.batches(job.texts, job.priority);
    const batch = job.batches.shift();
    if (batch) {
      const vectors = await embedder.run(batch);
      batch.positions.forEach((position, i) => {
        const vector = vectors[i];
        if (vector) job.vectors[position] = vector;
      });
      this.texts += vectors.length;
      this.batches += 1;
    }
    this.busyMs += performance.now() - started;
    return job.batches.length === 0;
  }

  #leave(job: Job): void {
    const jobs = this.#jobs[job.priority];
    jobs.splice(jobs.indexOf(job), 1);
  }
}
