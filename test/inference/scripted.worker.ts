import { appendFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { serveModels } from "#main/inference/thread.ts";
import type { Raster } from "#native/raster.ts";
import { cells, type ScriptedData, scriptedVector } from "./script.ts";

/**
 * A thread with models that do what their input says (`script.ts`). What they have done is written to a file, so that it
 * outlives a crash.
 */

const { state, log }: ScriptedData = workerData;

function obey(input: string): void {
  appendFileSync(log, `${input}\n`);
  const [command, argument = ""] = input.split(":");
  if (command === "exit") process.exit(3);
  if (command === "exit-once" && Atomics.add(state, cells.firsts + Number(argument), 1) === 0) process.exit(3);
  if (command === "throw") throw new Error("the network does not like it");
  if (command === "reject") {
    void Promise.reject(new Error("nobody listens"));
    Atomics.wait(state, cells.never, 0, 20);
  }
  if (command === "spin") for (;;) Math.sqrt(Date.now());
  if (command === "gate") Atomics.wait(state, cells.gates + Number(argument), 0);
}

async function run(input: string): Promise<void> {
  obey(input);
  if (input.startsWith("reject") || input.startsWith("never")) await new Promise(() => undefined);
}

/** Opening says so in the log, and counts how many copies of the model there are. */
function opened(modelId: string) {
  appendFileSync(log, `open ${modelId}\n`);
  const command = Atomics.load(state, cells.opening);
  if (command === 1) process.exit(4);
  if (command === 2) throw new Error("its weights are odd");
  const copies = Atomics.add(state, cells.copies, 1) + 1;
  Atomics.store(state, cells.mostCopies, Math.max(Atomics.load(state, cells.mostCopies), copies));
  return {
    modelId: `${modelId}@1`,
    dimension: 4,
    async dispose() {
      appendFileSync(log, `close ${modelId}\n`);
      Atomics.sub(state, cells.copies, 1);
    },
  };
}

const textOf = (raster: Raster): string => new TextDecoder().decode(raster.rgb);

if (parentPort) {
  serveModels(parentPort, {
    text: async ({ modelId }) => ({
      ...opened(modelId),
      batches: (texts) =>
        texts.map((text, position) => ({ positions: [position], tokens: [[...new TextEncoder().encode(text)]] })),
      async run({ tokens }) {
        const texts = tokens.map((ids) => new TextDecoder().decode(Uint8Array.from(ids)));
        for (const text of texts) await run(text);
        return texts.map(scriptedVector);
      },
      async read({ tokens }) {
        const texts = tokens.map((ids) => new TextDecoder().decode(Uint8Array.from(ids)));
        for (const text of texts) await run(text);
        return texts.map((text) => ({
          vector: scriptedVector(text),
          words: [text],
          states: scriptedVector(text),
        }));
      },
    }),
    rerank: async ({ modelId }) => ({
      ...opened(modelId),
      async score(question, texts) {
        for (const text of texts) await run(text);
        return texts.map((text) => (text.includes(question) ? 1 : -1));
      },
    }),
    caption: async ({ modelId }) => ({ ...opened(modelId), embed: async (texts) => texts.map(scriptedVector) }),
    picture: async ({ modelId }) => ({
      ...opened(modelId),
      embed: async (raster) => scriptedVector(textOf(raster)),
    }),
    tags: async ({ modelId }) => ({
      ...opened(modelId),
      async look(raster) {
        await run(textOf(raster));
        return { tags: [{ label: textOf(raster), score: 1 }], features: scriptedVector(textOf(raster)) };
      },
    }),
    ocr: async ({ modelId }) => ({
      ...opened(modelId),
      async read(raster) {
        await run(textOf(raster));
        return { text: textOf(raster), lines: [] };
      },
    }),
  });
}
