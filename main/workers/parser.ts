import type { Worker } from "node:worker_threads";
import type { ParseService } from "../ingest/parse.ts";
import type { ParsePort } from "../ingest/ports.ts";
import { connectService, endService, type Remote } from "./service.ts";
import { spawnWorker } from "./spawn.ts";

/** Memory of the parse thread: a file that needs more kills the thread, not the product. */
const maxHeapMb = 1536;

export interface Parser extends ParsePort {
  /** Ends the thread. */
  close(): Promise<void>;
}

/** An idle thread keeps the whole tree of its last plan in memory; after so long it is ended. */
const idleMs = 60_000;

/**
 * The parse worker behind a port that outlives it: started when it is first needed, and again after a `restart`, a
 * death or a long idleness. A call that was running when it died is refused with `worker_crashed`.
 */
export function createParser(
  spawn: () => Worker = () => spawnWorker("parse", { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
): Parser {
  let current: { worker: Worker; service: Remote<ParseService> } | null = null;

  function service(): Remote<ParseService> {
    if (current) return current.service;
    const worker = spawn();
    const started = { worker, service: connectService<ParseService>(worker, "parse") };
    const forget = () => {
      if (current === started) current = null;
    };
    worker.once("error", forget);
    worker.once("exit", forget);
    current = started;
    return started.service;
  }

  let calls = 0;
  let idle: NodeJS.Timeout | undefined;

  function begin(): void {
    calls++;
    clearTimeout(idle);
  }

  function end(): void {
    calls--;
    if (calls === 0 && current) idle = setTimeout(() => void retire(), idleMs).unref();
  }

  /** Takes the thread out of service; the next call starts another. */
  function release(): Worker | null {
    clearTimeout(idle);
    const running = current;
    current = null;
    return running?.worker ?? null;
  }

  async function retire(): Promise<void> {
    const worker = release();
    if (worker) await endService(worker);
  }

  return {
    async plan(input, signal) {
      begin();
      try {
        return await service().plan(input, signal);
      } finally {
        end();
      }
    },
    async *read(input, signal) {
      begin();
      try {
        yield* service().read(input, signal);
      } finally {
        end();
      }
    },
    async restart() {
      // It hangs or has died: asking it would be no use.
      await release()?.terminate();
      await service().ready({});
    },
    close: retire,
  };
}
