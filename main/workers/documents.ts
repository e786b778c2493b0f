import type { Worker } from "node:worker_threads";
import { UnderstoryError } from "#contract";
import type { DocumentReader, DocumentText } from "../importers/types.ts";
import { connectService, type Remote } from "./service.ts";
import { spawnWorker } from "./spawn.ts";
import { oneAtATime } from "./turn.ts";

/** What the document thread serves. */
export interface DocumentService {
  /** Answers as soon as the thread is up. */
  ready(input: Record<string, never>): Promise<void>;
  read(input: {
    readonly bytes: Uint8Array;
    readonly name: string | null;
    readonly mime: string | null;
  }): Promise<DocumentText>;
}

export interface DocumentReaderOptions {
  readonly spawn?: () => Worker;
  /** A document that takes longer is refused. */
  readonly limitMs?: number;
  /** An idle thread is ended after so long. */
  readonly idleMs?: number;
  /** Documents above this many bytes are refused without a look. */
  readonly maxBytes?: number;
}

/** Memory of the thread: a document that needs more kills it, not the import. */
const maxHeapMb = 512;
/** Longest start of a thread on a busy machine; it is no fault of the document. */
const startMs = 60_000;

interface Thread {
  readonly worker: Worker;
  readonly service: Remote<DocumentService>;
}

/**
 * Reads documents one at a time in a thread of its own, which is started when the first one comes. One that takes too
 * long is refused, and the thread is replaced. One that kills the thread is tried once more in a fresh one, for the
 * memory may have been spent by others before it; then it is refused too.
 */
export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader & { close(): Promise<void> } {
  const {
    spawn = () => spawnWorker("document", { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
    limitMs = 20_000,
    idleMs = 30_000,
    maxBytes = 128 * 1024 * 1024,
  } = options;
  let current: Thread | null = null;
  let idle: NodeJS.Timeout | undefined;
  const inTurn = oneAtATime();
  let waiting = 0;

  function thread(): Thread {
    if (current) return current;
    const worker = spawn();
    const started = { worker, service: connectService<DocumentService>(worker, "document") };
    const forget = () => {
      if (current === started) current = null;
    };
    worker.once("error", forget);
    worker.once("exit", forget);
    current = started;
    return started;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = current;
    current = null;
    await ended?.worker.terminate();
  }

  async function readOne(
    bytes: Uint8Array,
    about: { readonly name: string | null; readonly mime: string | null },
    signal: AbortSignal,
  ): Promise<DocumentText> {
    for (let attempt = 1; ; attempt++) {
      const { service } = thread();
      let stop = stopOn(signal, startMs);
      try {
        await Promise.race([service.ready({}), stop.reached]);
        stop.clear();
        stop = stopOn(signal, limitMs);
        const reading = service.read({ bytes, name: about.name, mime: about.mime });
        const ended = await Promise.race([reading, stop.reached]);
        if (typeof ended !== "string") return ended;
        await end();
        if (ended === "cancelled") throw cancelled();
        return refused(`Its text is not read: that took longer than ${Math.round(limitMs / 1000)} seconds.`);
      } catch (error) {
        if (signal.aborted) throw cancelled();
        await end();
        const died = error instanceof UnderstoryError && error.code === "worker_crashed";
        if (died && attempt === 1) continue;
        return refused(
          died
            ? "Its text is not read: it needs more memory than a document may have, or is made to break its reader."
            : `Its text is not read (${error instanceof Error ? error.message : String(error)}).`,
        );
      } finally {
        stop.clear();
      }
    }
  }

  return {
    async read(bytes, about, signal) {
      if (signal.aborted) throw cancelled();
      if (bytes.length > maxBytes) {
        return refused(`Its text is not read: it is larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`);
      }
      clearTimeout(idle);
      waiting++;
      try {
        return await inTurn(() => readOne(bytes, about, signal));
      } finally {
        if (--waiting === 0) idle = setTimeout(() => void end(), idleMs).unref();
      }
    },
    close: end,
  };
}

/** Comes true when the time is up or the import is stopped, whichever is first. */
function stopOn(signal: AbortSignal, limitMs: number): { reached: Promise<"late" | "cancelled">; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<"late" | "cancelled">();
  const abort = () => resolve("cancelled");
  const timer = setTimeout(() => resolve("late"), limitMs);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return {
    reached: promise,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    },
  };
}

const cancelled = () => new UnderstoryError("cancelled", "The import was stopped.");
const refused = (reason: string): DocumentText => ({ text: null, title: null, created: null, reason });
