/** Speed over the last seconds, and the time left that follows from it. */
export class RateMeter {
  readonly #now: () => number;
  readonly #window: number;
  #samples: { at: number; done: number }[] = [];

  /** `now` and `window` in ms. */
  constructor(now: () => number, window = 15_000) {
    this.#now = now;
    this.#window = window;
  }

  /** Work that was done before this run, or by skipping: it says nothing about speed. */
  restart(done: number): void {
    this.#samples = [{ at: this.#now(), done }];
  }

  /**
   * `done` units are done of `total`. Rate in units a second and seconds left, both null until three seconds are
   * measured: the first moments would promise anything.
   */
  measure(done: number, total: number | null): { rate: number | null; secondsLeft: number | null } {
    const at = this.#now();
    const last = this.#samples.at(-1);
    // A sample every quarter of a second is enough, however often the caller asks.
    if (last === undefined || at - last.at >= 250) this.#samples.push({ at, done });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= this.#window) this.#samples.shift();
    const first = this.#samples[0];
    if (first === undefined || at - first.at < 3000) return { rate: null, secondsLeft: null };
    const rate = ((done - first.done) * 1000) / (at - first.at);
    if (rate <= 0 || total === null) return { rate: Math.max(0, rate), secondsLeft: null };
    return { rate, secondsLeft: Math.ceil(Math.max(0, total - done) / rate) };
  }
}
