import { parentPort } from "node:worker_threads";
import { openers } from "../inference/openers.ts";
import { serveModels } from "../inference/thread.ts";

/** A thread with models: one lane of the inference service (`main/inference/`). */
if (parentPort) serveModels(parentPort, openers);
