import { Worker, type WorkerOptions } from "node:worker_threads";

/** The worker threads of the core. Each has its entry point `NAME.worker.ts` in this folder. */
export type WorkerName = "store" | "read" | "index" | "parse" | "document" | "media" | "inference" | "llm";

/** What a caller may set; the rest is the same for every worker. */
export type SpawnOptions = Pick<WorkerOptions, "workerData" | "transferList" | "resourceLimits">;

/** New objects of one thread; V8's own limit, times half a dozen threads, is a third of what an import takes. */
const youngMb = 12;
/**
 * What a thread may hold beyond that. Where V8 is told no limit it lets garbage stand until there is much of it: 100 MB more
 * in the thread that answers, for no quicker answer. With a million records it holds less than 200.
 */
const oldMb: Partial<Record<WorkerName, number>> = { read: 512 };

/**
 * Starts a worker thread. In development this module is TypeScript and so are the workers beside it; in the packaged
 * product all entry points of the bundle lie flat in one folder as JavaScript. The ending of this module's own URL
 * says which of the two it is.
 */
export function spawnWorker(name: WorkerName, options: SpawnOptions = {}): Worker {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new Worker(new URL(`./${name}.worker.${ending}`, import.meta.url), {
    ...options,
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMb,
      ...(oldMb[name] === undefined ? {} : { maxOldGenerationSizeMb: oldMb[name] }),
      ...options.resourceLimits,
    },
    name,
    // A parent's loader flags (a test runner's, a debugger's) are its own business.
    execArgv: [],
  });
}
