import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBoundaries } from "#main/llm/boundary.ts";
import type { GenerateInput, LanguageModel } from "#main/llm/ports.ts";
import { questionLikelihood } from "#main/llm/relevance.ts";
import { verifyNodes } from "#main/llm/verifier.ts";
import type { LlmService } from "#main/workers/llm.worker.ts";
import { connectService, endService, type Remote } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import { TurnQueue } from "#main/workers/turn-queue.ts";
import { checkedModelPaths } from "#models/installed.ts";
import { ensureModel } from "#test/models/model-cache.ts";
import { evidence } from "./scripted.ts";
import { languageModel } from "./worker-model.ts";

const id = "smollm2-135m";
let folder = "";
let missing: string | null = null;
let worker: Worker;
let remote: Remote<LlmService>;
let model: LanguageModel;

beforeAll(async () => {
  worker = spawnWorker("llm", { workerData: { idleMs: 1_000 } });
  remote = connectService<LlmService>(worker, "language model");
  const found = await ensureModel(id);
  if ("missing" in found) missing = found.missing;
  else {
    folder = found.folder;
    model = languageModel(remote, await remote.load({ modelId: id, folder, contextTokens: 1024, gpu: "off" }));
  }
});
afterAll(() => endService(worker));

const ask = (text: string, more: Partial<GenerateInput> = {}): GenerateInput => ({
  turns: [{ role: "user", text }],
  maxTokens: 5,
  priority: "question",
  ...more,
});
async function answer(input: GenerateInput, signal?: AbortSignal): Promise<string> {
  let text = "";
  for await (const piece of model.generate(input, signal)) text += piece;
  return text;
}

describe("the language model's thread", () => {
  test("says what it loaded", async ({ skip }) => {
    if (missing) return skip(missing);
    const { loaded, inMemory } = await remote.stats({});
    expect(loaded).toMatchObject({ modelId: `${id}@1`, contextTokens: 1024, gpu: null });
    expect(loaded?.threads).toBeGreaterThanOrEqual(1);
    expect(typeof inMemory).toBe("boolean");
  });

  test("streams, counts, scores and chooses", async ({ skip }) => {
    if (missing) return skip(missing);
    expect((await answer(ask("Say hello."))).length).toBeGreaterThan(0);
    expect(await model.count({ texts: ["", "hello there"] })).toEqual([0, 2]);
    const turns = [{ role: "user", text: "The sky is" }] as const;
    const [likely, unlikely] = await model.score({
      turns,
      texts: ["The sky is blue.", "Zebra."],
      priority: "question",
    });
    const mean = (tokens: Float64Array = new Float64Array(1)) =>
      tokens.reduce((sum, one) => sum + one, 0) / tokens.length;
    expect(mean(likely)).toBeGreaterThan(mean(unlikely));
    const chances = await model.choose({ turns, answers: ["blue", "xylophone"], priority: "question" });
    expect(chances[0]).toBeGreaterThan(0.5);
    expect((chances[0] ?? 0) + (chances[1] ?? 0)).toBeCloseTo(1);
  });

  test("leaves memory when idle and comes back by itself, with the same answers", async ({ skip }) => {
    if (missing) return skip(missing);
    const first = await answer(ask("Name a fruit."));
    await expect.poll(async () => (await remote.stats({})).inMemory, { timeout: 10_000 }).toBe(false);
    expect(await answer(ask("Name a fruit."))).toBe(first);
  });

  test("a stopped stream ends at once and makes room for the next", async ({ skip }) => {
    if (missing) return skip(missing);
    const controller = new AbortController();
    const endless = answer(ask("Tell a very long story.", { maxTokens: 900 }), controller.signal);
    setTimeout(() => controller.abort(), 50);
    await expect(endless).rejects.toMatchObject({ code: "cancelled" });
    expect(await answer(ask("Hello"))).not.toBe("");
  });

  test("a consumer that leaves a stream stops it", async ({ skip }) => {
    if (missing) return skip(missing);
    for await (const _ of model.generate(ask("Tell a very long story.", { maxTokens: 900 }))) break;
    expect(await answer(ask("Hello"))).not.toBe("");
  });

  test("a person's question goes before background work that waits longer", async ({ skip }) => {
    if (missing) return skip(missing);
    const order: string[] = [];
    const texts = ["one", "two", "three", "four", "five", "six"];
    const turns = [{ role: "user", text: "Count." }] as const;
    const background = model.score({ turns, texts, priority: "background" }).then(() => order.push("background"));
    const question = answer(ask("Hi", { maxTokens: 1 })).then(() => order.push("question"));
    await Promise.all([background, question]);
    expect(order).toEqual(["question", "background"]);
  });

  test("tasks run on a real model: likelihood, a list of scores, boundaries", async ({ skip }) => {
    if (missing) return skip(missing);
    const record = evidence(1, "The boat to the island leaves at seven in the morning.");
    const of = (question: string) => questionLikelihood(model, { question, record, priority: "background" });
    expect(await of("When does the boat to the island leave?")).toBeGreaterThan(await of("Purple seldom xylophone?"));
    const candidates = [{ ...record, modalities: ["text"], place: null, retrieval: 0.5, ocr: null }];
    const verified = await verifyNodes(model, {
      question: "When does the boat leave?",
      candidates,
      priority: "background",
    });
    for (const score of verified.value.scores.values()) expect([0, 1, 2, 3, 4, 5]).toContain(score);
    const records = [record, evidence(2, "Bo sold the car."), evidence(3, "For 900.")];
    const { value } = await findBoundaries(model, { records, fallback: [], priority: "background" });
    for (const begin of value.begins) expect([2, 3]).toContain(begin);
  });

  test("unloaded, or another kind of model asked for, it says so", async ({ skip }) => {
    if (missing) return skip(missing);
    const wrong = { modelId: "minilm-l6-v2-int8", folder };
    await expect(remote.load(wrong)).rejects.toMatchObject({ code: "bad_request" });
    await expect(remote.load({ modelId: id, folder: join(folder, "none") })).rejects.toMatchObject({
      code: "model_missing",
    });
    const short = remote.load({ modelId: id, folder, gpu: "off", ceilingBytes: 50_000_000 });
    await expect(short).rejects.toMatchObject({ code: "memory_short" });
    await expect(model.count({ texts: ["x"] })).rejects.toMatchObject({ code: "model_missing" });
    await remote.unload({});
    expect(await remote.stats({})).toMatchObject({ loaded: null, inMemory: false });
  });
});

describe("turns", () => {
  test("questions first, each kind in order; a withdrawn one never begins", async () => {
    const queue = new TurnQueue();
    const order: string[] = [];
    const { signal } = new AbortController();
    const withdrawn = new AbortController();
    const add = (name: string, priority: "question" | "background", by = signal) =>
      queue.run(priority, by, async () => void order.push(name));
    const release = await queue.take("background", signal);
    const all = [add("b1", "background"), add("q1", "question"), add("b2", "background"), add("q2", "question")];
    const gone = add("gone", "question", withdrawn.signal);
    withdrawn.abort();
    await expect(gone).rejects.toMatchObject({ code: "cancelled" });
    expect(queue.waiting).toEqual({ question: 2, background: 2 });
    release();
    release();
    await Promise.all(all);
    expect(order).toEqual(["q1", "q2", "b1", "b2"]);
  });

  test("work that fails makes room", async () => {
    const queue = new TurnQueue();
    const { signal } = new AbortController();
    await expect(queue.run("question", signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await queue.run("question", signal, async () => 1)).toBe(1);
  });
});

describe("llama.cpp opens no connection and writes nothing into its package", () => {
  test.each(["node", "electron"])("under %s", async (kind) => {
    if (missing) return console.warn(missing);
    const { paths } = await checkedModelPaths({ modelId: id, folder });
    const home = fileURLToPath(new URL("../../node_modules/node-llama-cpp", import.meta.url));
    const before = await stateOf(home);
    const script = fileURLToPath(new URL("./open-child.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, kind, paths.get("model.gguf") ?? ""]);
    expect(JSON.parse(stdout).text.length).toBeGreaterThan(0);
    expect(await stateOf(home)).toEqual(before);
  });
});

/** Names, sizes and times of all files outside `dist`, where nothing would be put. */
async function stateOf(home: string): Promise<string[]> {
  const files = await readdir(home, { recursive: true, withFileTypes: true });
  const states = files
    .filter((file) => file.isFile() && !file.parentPath.includes("dist"))
    .map(async (file) => {
      const path = join(file.parentPath, file.name);
      const { size, mtimeMs } = await stat(path);
      return `${path} ${size} ${mtimeMs}`;
    });
  return (await Promise.all(states)).sort();
}
