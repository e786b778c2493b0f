import type { Settings } from "#contract";
import type { Priority } from "./ports.ts";

/** Longest wait for the system's word about its power; then it counts as not on battery. */
const answerMs = 10_000;

/**
 * When background work may run, over all lanes: not while a question is being answered, and not on battery when the person
 * said so. The power is looked at only while background work waits.
 */
export class Governor {
  readonly #settings: () => Settings;
  readonly #power: () => Promise<boolean>;
  readonly #powerMs: number;
  readonly #wake: () => void;
  /** Calls under way and waiting. */
  readonly calls: Record<Priority, number> = { question: 0, background: 0 };
  /** Questions so far. */
  questions = 0;
  #onBattery: boolean | null = null;
  #fresh = false;
  #asking = false;

  constructor(options: {
    settings: () => Settings;
    power: () => Promise<boolean>;
    powerMs: number;
    /** Called when what was refused may be allowed now. */
    wake: () => void;
  }) {
    this.#settings = options.settings;
    this.#power = options.power;
    this.#powerMs = options.powerMs;
    this.#wake = options.wake;
  }

  enter(priority: Priority): void {
    this.calls[priority] += 1;
    if (priority === "question") this.questions += 1;
  }

  leave(priority: Priority): void {
    this.calls[priority] -= 1;
    if (priority === "question" && this.calls.question === 0) this.#wake();
  }

  /** Why background work waits; null when it does not, or waits only for its turn. */
  get paused(): string | null {
    return this.calls.background > 0 && this.#settings().pauseOnBattery && this.#onBattery === true ? "battery" : null;
  }

  /** Asked before every background step. */
  mayRunBackground(): boolean {
    if (this.calls.question > 0) return false;
    if (!this.#settings().pauseOnBattery) return true;
    if (!this.#fresh) this.#look();
    return this.#onBattery === false;
  }

  #look(): void {
    if (this.#asking) return;
    this.#asking = true;
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), answerMs).unref();
    });
    const answer = Promise.race([this.#power(), late]).catch(() => false);
    void answer.then((onBattery) => {
      this.#onBattery = onBattery;
      this.#asking = false;
      this.#fresh = true;
      setTimeout(() => {
        this.#fresh = false;
        this.#wake();
      }, this.#powerMs).unref();
      this.#wake();
    });
  }
}
