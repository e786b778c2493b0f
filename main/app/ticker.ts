/** Tells many listeners that something has changed; a slow listener gets one tick for many changes. */
export interface Ticker {
  tick(): void;
  /** One item at once, then one whenever something has changed since the last; ends when the signal aborts. */
  watch(signal: AbortSignal): AsyncGenerator<number, void, undefined>;
}

/** @param quietMs least time between two ticks of one listener. */
export function createTicker(quietMs: number): Ticker {
  let seq = 1;
  const wakers = new Set<() => void>();
  return {
    tick() {
      seq += 1;
      for (const wake of wakers) wake();
    },
    async *watch(signal) {
      let seen = 0;
      while (!signal.aborted) {
        if (seen !== seq) {
          seen = seq;
          yield seq;
          await pause(quietMs, signal);
          continue;
        }
        await new Promise<void>((resolve) => {
          const wake = () => {
            wakers.delete(wake);
            signal.removeEventListener("abort", wake);
            resolve();
          };
          wakers.add(wake);
          signal.addEventListener("abort", wake, { once: true });
        });
      }
    },
  };
}

/** Waits, or returns at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
