import { UnderstoryError } from "#contract";

export type TurnPriority = "question" | "background";

/** One thing at a time: questions before background work, each in order of arrival. */
export class TurnQueue {
  readonly #waiting: Record<TurnPriority, (() => void)[]> = { question: [], background: [] };
  #taken = false;
  #idle: (() => void)[] = [];

  get waiting(): Record<TurnPriority, number> {
    return { question: this.#waiting.question.length, background: this.#waiting.background.length };
  }

  /** Runs `work` when its turn comes. Rejected with `cancelled` when the signal aborts before. */
  async run<T>(priority: TurnPriority, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.take(priority, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a turn and gives what ends it. */
  take(priority: TurnPriority, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting[priority];
      const withdraw = () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(new UnderstoryError("cancelled", "The language model was stopped."));
      };
      const begin = () => {
        signal.removeEventListener("abort", withdraw);
        this.#taken = true;
        let ended = false;
        resolve(() => {
          if (ended) return;
          ended = true;
          this.#taken = false;
          // Messages come in first: a question that has just arrived is seen before the next turn is given.
          setImmediate(() => this.#next());
        });
      };
      queue.push(begin);
      if (signal.aborted) withdraw();
      else {
        signal.addEventListener("abort", withdraw, { once: true });
        this.#next();
      }
    });
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#next();
    });
  }

  #next(): void {
    if (this.#taken) return;
    const begin = this.#waiting.question.shift() ?? this.#waiting.background.shift();
    if (begin) begin();
    else for (const resolve of this.#idle.splice(0)) resolve();
  }
}
