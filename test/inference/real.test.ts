import { cpSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { defaultSettings } from "#contract";
import { createInference } from "#main/inference/inference.ts";
import { findModel } from "#models/catalogue.ts";
import { modelPlaces } from "#models/installed.ts";
import { openTextEmbedder } from "#models/text/embed.ts";
import { ensureTestModel, testModelId } from "#test/models/model-cache.ts";

/** The service with the real text embedding model in its real thread. */
const found = await ensureTestModel();
const folder = mkdtempSync(join(tmpdir(), "understory-real-"));
if ("folder" in found)
  cpSync(modelPlaces(found.folder, testModelId).home, join(folder, testModelId), { recursive: true });

const threads: Worker[] = [];
const inference = createInference({
  modelsDir: folder,
  settings: () => ({ ...defaultSettings, memoryCeilingBytes: 4_000_000_000 }),
  spawn() {
    const worker = new Worker(new URL("../../main/workers/inference.worker.ts", import.meta.url), { execArgv: [] });
    threads.push(worker);
    return worker;
  },
});
afterAll(async () => {
  await inference.close();
  rmSync(folder, { recursive: true });
});

const texts = [
  "The ferry leaves at seven from the north pier.",
  "",
  "word ".repeat(300),
  "👩‍👩‍👧 東京で会いましょう — see you!",
  ...Array.from({ length: 24 }, (_, i) => `Line ${i} of a list ${"that goes on ".repeat(i % 9)}`),
];

function largestDifference(a: readonly Float32Array[], b: readonly Float32Array[]): number {
  expect(a.length).toBe(b.length);
  return Math.max(...a.flatMap((vector, i) => Array.from(vector, (x, d) => Math.abs(x - (b[i]?.[d] ?? Number.NaN)))));
}

describe("results of the service", () => {
  it("are those of the model alone, whatever the batch, the priority and the neighbours", async (context) => {
    if ("missing" in found) return context.skip(found.missing);
    const alone = await openTextEmbedder({ modelId: testModelId, folder });
    const expected: Float32Array[] = [];
    for (const text of texts) {
      for (const batch of alone.batches([text], "background")) expected.push(...(await alone.run(batch)));
    }
    await alone.dispose();

    const [together, ...singles] = await Promise.all([
      inference.embed({ texts, priority: "background" }),
      ...texts.slice(0, 8).map((text) => inference.embed({ texts: [text], priority: "question" })),
    ]);
    expect(largestDifference(together, expected)).toBeLessThanOrEqual(1e-5);
    expect(largestDifference(singles.flat(), expected.slice(0, 8))).toBeLessThanOrEqual(1e-5);
    expect(await inference.model("text-embedding")).toMatchObject({ dimension: 384 });
  });

  it("are the same from a thread that had to be replaced in the middle of its work", async (context) => {
    if ("missing" in found) return context.skip(found.missing);
    const quiet = await inference.embed({ texts, priority: "background" });
    const running = inference.embed({ texts, priority: "background" });
    await inference.embed({ texts: ["A question."], priority: "question" });
    await threads.at(-1)?.terminate();
    expect(largestDifference(await running, quiet)).toBe(0);
    expect((await inference.stats()).replacedWorkers).toBe(1);
  });

  it("come from memory when the files are gone, and a truncated file is told as damage", async (context) => {
    if ("missing" in found) return context.skip(found.missing);
    const weights = findModel(testModelId).files.find(({ role }) => role === "weights")?.name ?? "";
    truncateSync(join(modelPlaces(folder, testModelId).home, weights), 1000);
    expect(await inference.embed({ texts: ["still here"], priority: "question" })).toHaveLength(1);
    await threads.at(-1)?.terminate();
    await expect(inference.embed({ texts: ["x"], priority: "question" })).rejects.toMatchObject({
      code: "model_damaged",
    });
    expect(await inference.model("text-embedding")).toBeNull();
    expect((await inference.stats()).models[0]?.fault).toMatch(/size|changed|missing/);
  });
});
