import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { openers } from "../inference/openers.ts";
import { serveModels } from "../inference/thread.ts";

/** What a lane starts its thread with. */
export interface InferenceWorkerData {
  /** Long work in the background: whoever else wants the processor goes first. */
  readonly gentle: boolean;
}

/**
 * Linux has a priority for each thread (setpriority(2), *Notes*), and the threads that this one starts inherit it. Elsewhere
 * a priority is the whole process's and is left alone.
 */
function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A system that does not allow it: the work is done at the priority of all.
  }
}

/** A thread with models: one lane of the inference service (`main/inference/`). */
const data: InferenceWorkerData | null = workerData;
if (data?.gentle) giveWay();
if (parentPort) serveModels(parentPort, openers);
