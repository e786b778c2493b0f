import type { Transport } from "../wire.ts";

/** The part of a MessagePort that browsers, Node and Electron share, each with its own way to listen. */
export interface PortLike {
  postMessage(message: unknown): void;
  close(): void;
  start?(): void;
  on?(event: string, listener: (value: unknown) => void): unknown;
  addEventListener?(event: string, listener: (event: object) => void): void;
}

/** Electron's MessagePortMain and a browser's MessagePort hand over an event; Node's hands over the value itself. */
function payload(event: unknown): unknown {
  return typeof event === "object" && event !== null && "data" in event && "ports" in event ? event.data : event;
}

/** Transport over a MessagePort of a browser, of Node's worker_threads or of Electron's main process. */
export function messagePortTransport(port: PortLike): Transport {
  const closeListeners: (() => void)[] = [];
  let open = true;
  const closed = () => {
    if (!open) return;
    open = false;
    for (const listener of closeListeners) listener();
  };
  const listen = (event: string, listener: (value: unknown) => void) => {
    if (port.on) port.on(event, listener);
    else port.addEventListener?.(event, listener);
  };
  listen("close", closed);
  return {
    send(message) {
      if (open) port.postMessage(message);
    },
    onMessage(listener) {
      listen("message", (event) => listener(port.on ? payload(event) : Reflect.get(Object(event), "data")));
      port.start?.();
    },
    onClose: (listener) => void closeListeners.push(listener),
    close() {
      port.close();
      closed();
    },
  };
}
