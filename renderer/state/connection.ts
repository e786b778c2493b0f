import { create } from "zustand";
import { type Client, type ErrorShape, toErrorShape, UnderstoryError } from "#contract";
import { setClient } from "./client.ts";
import { useSession } from "./session.ts";

/** One line to the core: the client on it, and a promise that is kept when the line ends. */
export interface Line {
  readonly client: Client;
  readonly closed: Promise<void>;
}

export interface Connector {
  /** Opens a line; refused when the core is not there. */
  open(): Promise<Line>;
  /** Whether something answers at our address that no longer knows this window: the core was started anew. */
  isStranger(): Promise<boolean>;
}

interface Connection {
  /** `connecting` before the first line; `lost` from the end of one until the next. */
  state: "connecting" | "open" | "lost";
  /** Grows with every line that was opened: what watches the core starts again with it. */
  epoch: number;
  /** The core was started anew and needs this window to come by its link again. */
  stranger: boolean;
  /** Why the first line could not be opened. */
  error: ErrorShape | null;
  /** Tries at once instead of after the pause. */
  retry(): void;
}

/** Pauses between tries, in ms; the last one goes on. */
export const pauses: readonly number[] = [400, 800, 1600, 3200, 6400, 12_000];

/** A try that says neither yes nor no for so long, in ms, is given up: a socket may hang while a machine wakes up. */
export const patienceMs = 5_000;

let wake: (() => void) | null = null;

export const useConnection = create<Connection>(() => ({
  state: "connecting",
  epoch: 0,
  stranger: false,
  error: null,
  retry: () => wake?.(),
}));

/** A pause that a person, or the machine waking up, can cut short. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      wake = null;
      resolve();
    }
    wake = done;
  });
}

/** Opens a line within the patience; one that comes later is closed again. */
function openInTime(connector: Connector): Promise<Line> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new UnderstoryError("disconnected", "Understory's core does not answer."));
    }, patienceMs);
    connector.open().then(
      (line) => {
        clearTimeout(timer);
        if (late) line.client.close();
        else resolve(line);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Takes the line in use: what is shown is read again, as it may have changed meanwhile. */
async function take(line: Line): Promise<void> {
  setClient(line.client);
  const again = useConnection.getState().epoch > 0;
  useConnection.setState(({ epoch }) => ({ state: "open", epoch: epoch + 1, stranger: false, error: null }));
  await useSession.getState().refresh();
  if (again) useSession.setState(({ changes }) => ({ changes: changes + 1 }));
  await line.closed;
}

/** Keeps the window connected for as long as it lives: opens a line, and another whenever one ends. */
export async function keepConnected(connector: Connector, signal?: AbortSignal): Promise<void> {
  let tries = 0;
  while (!signal?.aborted) {
    try {
      const line = await openInTime(connector);
      tries = 0;
      await take(line);
      if (!signal?.aborted) useConnection.setState({ state: "lost" });
    } catch (error) {
      const stranger = await connector.isStranger().catch(() => false);
      useConnection.setState({ error: toErrorShape(error), stranger });
    }
    if (signal?.aborted) return;
    await pause(pauses[Math.min(tries++, pauses.length - 1)] ?? 0);
  }
}

/** A window that comes back to the front, or a machine that wakes up, does not wait out the pause. */
export function retryOnWaking(): void {
  const retry = () => useConnection.getState().retry();
  window.addEventListener("online", retry);
  window.addEventListener("focus", retry);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") retry();
  });
}
