import { toErrorShape } from "#contract";

/** Pause before a watch that ended is started again, in ms. */
const restartMs = 1500;

/**
 * Keeps a watch on the core running until it is stopped. One that ends or breaks is started again; one whose connection
 * ended is not, as the next connection starts its own. Returns the way to stop.
 */
export function keepWatching(watch: (signal: AbortSignal) => Promise<void>): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = () => {
    if (!signal.aborted) timer = setTimeout(start, restartMs);
  };
  function start(): void {
    watch(signal).then(again, (error: unknown) => {
      if (toErrorShape(error).code !== "disconnected") again();
    });
  }
  start();
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
