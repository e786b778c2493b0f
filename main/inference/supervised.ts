import type { Worker } from "node:worker_threads";
import { UnderstoryError } from "#contract";
import { connectService, endService, type Remote } from "../workers/service.ts";
import type { ModelThread } from "./thread.ts";

/** The thread under a call has crashed or hung: the call may be tried again in another. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/**
 * A time limit is counted in so many ticks: a machine that sleeps, or a main thread that is held up, then costs one tick
 * and not the whole limit.
 */
const ticks = 4;

/** A worker thread with models, watched: calls are refused with `Stopped` when it crashes, ends or takes too long. */
export class SupervisedThread {
  readonly #worker: Worker;
  readonly #remote: Remote<ModelThread>;
  readonly #calls = new Set<(reason: Stopped) => void>();
  readonly #lost: () => void;
  /** Why it can be called no more. */
  #stopped: string | null = null;

  /** `lost` is called once when the thread has crashed, ended by itself or hung. */
  constructor(worker: Worker, name: string, lost: () => void) {
    this.#worker = worker;
    this.#lost = lost;
    worker.once("error", (error) => this.#stop(`it crashed (${error instanceof Error ? error.message : error})`));
    worker.once("exit", (code) => this.#stop(`its thread ended with code ${code}`));
    this.#remote = connectService<ModelThread>(worker, `inference (${name})`);
  }

  /** Throws `Stopped`, or what the thread itself answers with. `limitMs` null: as long as the thread lives. */
  call<T>(limitMs: number | null, work: (thread: Remote<ModelThread>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#stopped !== null) return reject(new Stopped(this.#stopped));
      let passed = 0;
      const clock =
        limitMs === null
          ? undefined
          : setInterval(() => {
              passed += 1;
              if (passed === ticks) this.#stop(`it gave no answer within ${Math.round(limitMs / 1000)} s`);
            }, limitMs / ticks);
      const end = (settle: () => void) => {
        clearInterval(clock);
        this.#calls.delete(refuse);
        settle();
      };
      const refuse = (reason: Stopped) => end(() => reject(reason));
      this.#calls.add(refuse);
      (async () => work(this.#remote))().then(
        (value) => end(() => resolve(value)),
        (error: unknown) => {
          const died = error instanceof UnderstoryError && error.code === "worker_crashed";
          end(() => reject(died ? new Stopped(this.#stopped ?? error.message) : error));
        },
      );
    });
  }

  /** Ends the thread; one that does not end within `patienceMs` is left to end when it can. */
  async terminate(patienceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.#worker.terminate(), patience]);
    clearTimeout(timer);
  }

  /** Lets what runs in the thread end, then ends it. No call may follow. */
  async end(): Promise<void> {
    this.#stopped ??= "it was ended";
    await endService(this.#worker);
  }

  #stop(reason: string): void {
    if (this.#stopped !== null) return;
    this.#stopped = reason;
    this.#lost();
    for (const refuse of this.#calls) refuse(new Stopped(reason));
  }
}
