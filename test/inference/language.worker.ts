import { parentPort, workerData } from "node:worker_threads";
import type { LlmService } from "#main/workers/llm.worker.ts";
import { exposeService } from "#main/workers/service.ts";

/**
 * A language model's thread for tests. `cells[0]`: how many more calls end the thread in their middle; `cells[1]`: times a
 * model was loaded.
 */
const cells = new Int32Array(workerData.cells);

const service: LlmService = {
  async load({ modelId }) {
    Atomics.add(cells, 1, 1);
    return { modelId: `${modelId}@1`, parameters: 1, contextTokens: 64, threads: 1, gpu: null, memoryBytes: 1 };
  },
  async *generate({ turns }) {
    yield turns[0]?.text ?? "";
  },
  async score({ texts }) {
    if (Atomics.sub(cells, 0, 1) > 0) process.exit(1);
    return texts.map((text) => Float64Array.of(-text.length));
  },
  choose: async ({ answers }) => answers.map(() => 1 / answers.length),
  count: async ({ texts }) => texts.map(({ length }) => length),
  unload: async () => {},
  stats: async () => ({
    loaded: null,
    inMemory: true,
    tokens: { read: 0, written: 0, reused: 0 },
    waiting: { question: 0, background: 0 },
  }),
};

if (parentPort) exposeService<LlmService>(parentPort, service);
