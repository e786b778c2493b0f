import { MessageChannel } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnderstoryError } from "#contract";
import type { InferenceService } from "#main/workers/inference.worker.ts";
import { EmbedQueue } from "#main/workers/inference-queue.ts";
import { connectService, type Remote } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import type { TextEmbedder } from "#models/text/embed.ts";
import { ensureTestModel, testModelId } from "./model-cache.ts";

const signal = new AbortController().signal;

/** An embedder whose batches are single texts; it tells the order in which they run. */
function spyEmbedder(ran: string[]): TextEmbedder {
  const texts = new Map<number, string>();
  return {
    modelId: "spy",
    dimension: 1,
    batches: (list) =>
      list.map((text, position) => {
        const token = texts.size;
        texts.set(token, text);
        return { positions: [position], tokens: [[token]] };
      }),
    async run({ tokens }) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return tokens.map(([token = -1]) => {
        ran.push(texts.get(token) ?? "?");
        return Float32Array.of(token);
      });
    },
    async dispose() {},
  };
}

describe("the order of embedding", () => {
  it("lets a question wait for one batch at most", async () => {
    const ran: string[] = [];
    const embedder = spyEmbedder(ran);
    const queue = new EmbedQueue(async () => embedder);
    const background = queue.add(["b1", "b2", "b3", "b4"], "background", signal);
    await expect.poll(() => ran.length).toBeGreaterThan(0);
    const before = ran.length;
    await queue.add(["q"], "question", signal);
    expect(ran.indexOf("q")).toBeLessThanOrEqual(before + 1);
    expect(await background).toHaveLength(4);
  });

  it("drops what is cancelled and goes on with the rest", async () => {
    const ran: string[] = [];
    const embedder = spyEmbedder(ran);
    const queue = new EmbedQueue(async () => embedder);
    const controller = new AbortController();
    const first = queue.add(["a1", "a2", "a3"], "background", controller.signal);
    const second = queue.add(["b"], "background", signal);
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: "cancelled" });
    expect(await second).toHaveLength(1);
    expect(ran).not.toContain("a3");
  });

  it("tells a fault to the one who asked and serves the next", async () => {
    let broken = true;
    const embedder = spyEmbedder([]);
    const queue = new EmbedQueue(async () => {
      if (broken) throw new UnderstoryError("model_missing", "None.");
      return embedder;
    });
    await expect(queue.add(["a"], "question", signal)).rejects.toMatchObject({ code: "model_missing" });
    broken = false;
    expect(await queue.add(["a"], "question", signal)).toHaveLength(1);
  });
});

describe("the inference worker", async () => {
  const found = await ensureTestModel();
  const { port1, port2 } = new MessageChannel();
  let inference: Remote<InferenceService>;
  let stop: () => Promise<number>;
  beforeAll(() => {
    const worker = spawnWorker("inference", { workerData: { ports: [port2], idleMs: 50 }, transferList: [port2] });
    inference = connectService<InferenceService>(worker, "inference");
    stop = () => worker.terminate();
  });
  afterAll(async () => {
    await stop();
    port1.close();
  });

  it("says that no model is loaded", async () => {
    expect(await inference.current({})).toBeNull();
    await expect(inference.embed({ texts: ["a"], priority: "question" })).rejects.toMatchObject({
      code: "model_missing",
    });
    expect(await inference.embed({ texts: [], priority: "question" })).toEqual([]);
  });

  it("loads, answers on every port alike, sleeps when idle and wakes by itself", async (context) => {
    if ("missing" in found) return context.skip(found.missing);
    const loaded = await inference.load({ modelId: testModelId, folder: found.folder });
    expect(loaded).toEqual({ modelId: testModelId, dimension: 384 });
    const direct = connectService<InferenceService>(port1, "inference");
    expect(await direct.current({})).toEqual(loaded);

    const request = { texts: ["A text.", "", "Another one."], priority: "background" } as const;
    const [here, there] = await Promise.all([inference.embed(request), direct.embed(request)]);
    expect(there).toEqual(here);
    expect(here.map((vector) => vector.length)).toEqual([384, 384, 384]);

    await expect.poll(async () => (await inference.stats({})).inMemory, { timeout: 10_000 }).toBe(false);
    expect(await inference.current({})).toEqual(loaded);
    const [again] = await inference.embed({ texts: ["A text."], priority: "question" });
    expect(again?.slice(0, 8)).toEqual(here[0]?.slice(0, 8));

    await inference.unload({});
    expect(await inference.current({})).toBeNull();
    expect((await inference.stats({})).texts).toBe(7);
  });

  it("refuses a model that is not in the catalogue or not installed", async () => {
    await expect(inference.load({ modelId: "nothing", folder: "/none" })).rejects.toMatchObject({ code: "not_found" });
    await expect(inference.load({ modelId: testModelId, folder: "/none" })).rejects.toMatchObject({
      code: "model_missing",
    });
  });
});
