import type { Transport } from "../wire.ts";

/** Two ends of a pipe in one process. Values are cloned as on any other transport, and delivered later, never in the sender's call. */
export function memoryPair(): [Transport, Transport] {
  const messageListeners: [((message: unknown) => void)[], ((message: unknown) => void)[]] = [[], []];
  const closeListeners: (() => void)[] = [];
  let open = true;

  const close = () => {
    if (!open) return;
    open = false;
    queueMicrotask(() => {
      for (const listener of closeListeners) listener();
    });
  };
  const end = (mine: 0 | 1, other: 0 | 1): Transport => ({
    send(message) {
      if (!open) return;
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => {
        if (open) for (const listener of messageListeners[other]) listener(copy);
      });
    },
    onMessage: (listener) => void messageListeners[mine].push(listener),
    onClose: (listener) => void closeListeners.push(listener),
    close,
  });
  return [end(0, 1), end(1, 0)];
}
