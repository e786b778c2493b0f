import { shownError } from "./client.ts";

/** Pause before a watch that broke is started again, in ms. */
const restartMs = 1500;

/**
 * Keeps a watch on the core running until it is stopped. One that breaks is started again; one whose connection ended
 * is not, as the next connection starts its own. Returns the way to stop.
 */
export function keepWatching(watch: (signal: AbortSignal) => Promise<void>): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    watch(signal).catch((error: unknown) => {
      const shape = shownError(error);
      if (!shape || shape.code === "disconnected" || signal.aborted) return;
      timer = setTimeout(start, restartMs);
    });
  };
  start();
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
