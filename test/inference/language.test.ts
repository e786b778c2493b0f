import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { defaultSettings, type Settings } from "#contract";
import { connectLanguage, createLanguage, serveLanguage } from "#main/inference/language.ts";
import { modelsFor, pretendInstalled } from "./scripted.ts";

const ask = { turns: [{ role: "user", text: "hello" }], texts: ["abc"], priority: "question" } as const;

function language(options: { crashes?: number; settings?: Partial<Settings>; installed?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "understory-language-"));
  const models = modelsFor("llm").slice(0, options.installed ?? 1);
  for (const model of models) pretendInstalled(folder, model);
  const cells = new SharedArrayBuffer(8);
  const view = new Int32Array(cells);
  view[0] = options.crashes ?? 0;
  const held: string[] = [];
  let settings: Settings = { ...defaultSettings, ...options.settings };
  const host = createLanguage({
    modelsDir: folder,
    settings: () => settings,
    memory: {
      async reserve(_bytes, who) {
        held.push(who);
        return { release: () => void held.splice(held.indexOf(who), 1) };
      },
    },
    spawn: () => new Worker(new URL("./language.worker.ts", import.meta.url), { workerData: { cells }, execArgv: [] }),
  });
  onTestFinished(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    host,
    models,
    held,
    loads: () => Atomics.load(view, 1),
    async set(changes: Partial<Settings>) {
      settings = { ...settings, ...changes };
      await host.refresh();
    },
  };
}

test("the language model is opened by the first call, once, and its memory counts until it is closed", async () => {
  const { host, held, loads, models } = language();
  expect(loads()).toBe(0);
  const [one, other] = await Promise.all([host.model(), host.model()]);
  expect(one.modelId).toBe(other.modelId);
  expect(await one.score(ask)).toEqual([Float64Array.of(-3)]);
  expect([loads(), held]).toEqual([1, [models[0]?.title]]);
  await host.close();
  expect(held).toEqual([]);
});

test("a crash in the middle of a call costs nothing: a new thread answers it", async () => {
  const { host, held, loads } = language({ crashes: 1 });
  const model = await host.model();
  expect(await model.score(ask)).toEqual([Float64Array.of(-3)]);
  expect([loads(), held.length]).toEqual([2, 1]);
});

test("a call that crashes twice is refused with its reason, and the next one is answered", async () => {
  const { host } = language({ crashes: 2 });
  const model = await host.model();
  await expect(model.score(ask)).rejects.toMatchObject({ code: "inference_failed" });
  expect(await model.score(ask)).toEqual([Float64Array.of(-3)]);
});

test("tasks are those of the model in use, as the person has changed them; none without a model", async () => {
  const { host, set, models } = language({ installed: 2 });
  const own = [...host.tasks()];
  await set({ llmTasks: { relevance: true, reader: false } });
  expect(host.tasks().has("relevance")).toBe(true);
  expect(host.tasks().has("reader")).toBe(false);
  await set({ models: { llm: null } });
  expect([...host.tasks()]).toEqual([]);
  await expect(host.model()).rejects.toMatchObject({ code: "model_missing" });
  await set({ models: { llm: models[1]?.id ?? null }, llmTasks: {} });
  expect((await host.model()).modelId).toBe(`${models[1]?.id}@1`);
  expect(own).toEqual([...host.tasks()].filter((task) => own.includes(task)));
});

test("a model that is removed is closed first", async () => {
  const { host, held, models } = language();
  await host.model();
  await host.release(models[0]?.id ?? "");
  expect(held).toEqual([]);
});

test("another thread reaches it through a port, streams too", async () => {
  const { host } = language();
  const { port1, port2 } = new MessageChannel();
  serveLanguage(port1, host);
  const remote = connectLanguage(port2);
  expect(await remote.tasks()).toEqual([...host.tasks()]);
  const model = await remote.model();
  expect(await model.count({ texts: ["four"] })).toEqual([4]);
  let said = "";
  for await (const piece of model.generate({ ...ask, maxTokens: 4 })) said += piece;
  expect(said).toBe("hello");
  port1.close();
});
