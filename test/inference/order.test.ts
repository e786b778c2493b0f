import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { type InferenceService, serveInference } from "#main/inference/serve.ts";
import { connectService } from "#main/workers/service.ts";
import { scriptedVector } from "./script.ts";
import { first, modelsFor, picture, type Scripted, scripted } from "./scripted.ts";

let scene: Scripted;
afterEach(() => scene.end());

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);

describe("one call", () => {
  it("gives a vector for each text in order, however many there are, and none for none", async () => {
    scene = scripted();
    const texts = numbered("text ", 150);
    expect(await scene.inference.embed({ texts, priority: "background" })).toEqual(texts.map(scriptedVector));
    expect(await scene.inference.embed({ texts: [], priority: "question" })).toEqual([]);
  });

  it("serves every purpose", async () => {
    scene = scripted();
    const { inference } = scene;
    const raster = picture("a cup");
    const priority = "background";
    expect(await inference.rerank({ question: "cup", texts: ["a cup", "a cat"], priority })).toEqual([1, -1]);
    expect(await inference.readPicture({ raster, priority })).toMatchObject({ text: "a cup" });
    expect(await inference.lookAtPicture({ raster, priority })).toMatchObject({ tags: [{ label: "a cup" }] });
    expect(await inference.embedPicture({ raster, priority })).toEqual(scriptedVector("a cup"));
    expect(await inference.embedCaptions({ texts: ["a cup"], priority })).toEqual([scriptedVector("a cup")]);
    const { models, waiting } = await inference.stats();
    expect(models.map(({ inMemory, items }) => ({ inMemory, items }))).toEqual([
      { inMemory: true, items: 2 },
      ...Array(4).fill({ inMemory: true, items: 1 }),
    ]);
    expect(waiting).toEqual({ question: 0, background: 0 });
  });

  it("is answered the same through a port of another thread", async () => {
    scene = scripted();
    const { port1, port2 } = new MessageChannel();
    serveInference(port1, scene.inference);
    const remote = connectService<InferenceService>(port2, "inference");
    const model = await remote.model({ purpose: "text-embedding" });
    expect(model).toMatchObject({ purpose: "text-embedding", dimension: 4 });
    expect(await remote.embed({ texts: ["far"], priority: "question" })).toEqual([scriptedVector("far")]);
    const aborted = remote.embed({ texts: ["far"], priority: "question" }, AbortSignal.abort());
    await expect(aborted).rejects.toMatchObject({ code: "cancelled" });
    port2.close();
  });
});

describe("the order of work", () => {
  it("lets a question go before all background work that has not begun, and between the batches of what has", async () => {
    scene = scripted();
    const { inference } = scene;
    const running = inference.embed({ texts: ["gate:0", ...numbered("b", 5)], priority: "background" });
    await scene.reached("gate:0");
    const others = inference.embed({ texts: numbered("c", 3), priority: "background" });
    const question = inference.embed({ texts: ["q"], priority: "question" });
    scene.openGate(0);
    await Promise.all([running, others, question]);
    const ran = scene.log().filter((line) => !line.startsWith("open"));
    expect(ran).toEqual(["gate:0", "q", ...numbered("b", 5), ...numbered("c", 3)]);
  });

  it("lets a question about texts run while a picture is read", async () => {
    scene = scripted();
    const reading = scene.inference.readPicture({ raster: picture("gate:0"), priority: "background" });
    await scene.reached("gate:0");
    expect(await scene.inference.embed({ texts: ["q"], priority: "question" })).toHaveLength(1);
    scene.openGate(0);
    expect(await reading).toMatchObject({ text: "gate:0" });
  });

  it("opens a model once, however many ask for it at the same time", async () => {
    scene = scripted();
    const { inference } = scene;
    await Promise.all([
      ...numbered("t", 5).map((text) => inference.embed({ texts: [text], priority: "background" })),
      inference.model("text-embedding"),
      inference.embed({ texts: ["q"], priority: "question" }),
    ]);
    expect(scene.log().filter((line) => line.startsWith("open"))).toEqual([`open ${first("text-embedding").id}`]);
    expect(scene.copies()).toEqual({ now: 1, most: 1 });
  });
});

describe("cancelling", () => {
  it("drops what waits at once, and the rest of what runs; others go on", async () => {
    scene = scripted();
    const { inference } = scene;
    const stop = new AbortController();
    const running = inference.embed({ texts: ["gate:0", "never run"], priority: "background" }, stop.signal);
    await scene.reached("gate:0");
    const waiting = inference.embed({ texts: ["dropped"], priority: "background" }, stop.signal);
    const wanted = inference.embed({ texts: ["wanted"], priority: "background" });
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    scene.openGate(0);
    expect(await wanted).toEqual([scriptedVector("wanted")]);
    expect(scene.log()).not.toContain("never run");
    expect(scene.log()).not.toContain("dropped");
    expect((await inference.stats()).waiting).toEqual({ question: 0, background: 0 });
  });

  it("ends everything when the service closes", async () => {
    scene = scripted();
    const waiting = scene.inference.embed({ texts: ["gate:0", "more"], priority: "background" });
    waiting.catch(() => undefined);
    await scene.reached("gate:0");
    const closing = scene.inference.close();
    scene.openGate(0);
    await closing;
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    await expect(scene.inference.embed({ texts: ["late"], priority: "question" })).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});

describe("back-pressure", () => {
  it("lets callers of background work wait outside, loses none, and never holds up a question", async () => {
    scene = scripted({ waiting: 3 });
    const { inference } = scene;
    const held = inference.embed({ texts: ["gate:0"], priority: "background" });
    await scene.reached("gate:0");
    const stop = new AbortController();
    const calls = numbered("t", 6).map((text) => inference.embed({ texts: [text, text], priority: "background" }));
    const impatient = inference.embed({ texts: ["x"], priority: "background" }, stop.signal);
    stop.abort();
    await expect(impatient).rejects.toMatchObject({ code: "cancelled" });
    expect((await inference.stats()).waiting.background).toBe(7);
    const question = inference.embed({ texts: ["q"], priority: "question" });
    scene.openGate(0);
    await Promise.all([held, question, ...calls]);
    const ran = scene.log().filter((line) => !line.startsWith("open"));
    expect(ran).toEqual(["gate:0", "q", ...numbered("t", 6).flatMap((text) => [text, text])]);
  });

  it("lets a call in that is larger than the whole room", async () => {
    scene = scripted({ waiting: 3 });
    expect(await scene.inference.embed({ texts: numbered("t", 10), priority: "background" })).toHaveLength(10);
  });
});

describe("a machine that stays usable", () => {
  it("holds background work back on battery, says so, and answers questions all the same", async () => {
    let battery = true;
    scene = scripted({ powerMs: 5 }, { power: async () => battery });
    const { inference } = scene;
    const background = inference.embed({ texts: ["later"], priority: "background" });
    await expect.poll(async () => (await inference.stats()).paused, { timeout: 30_000 }).toBe("battery");
    expect(await inference.embed({ texts: ["now"], priority: "question" })).toHaveLength(1);
    expect(scene.log()).not.toContain("later");
    battery = false;
    expect(await background).toHaveLength(1);
    expect((await inference.stats()).paused).toBeNull();
  });

  it("works on battery when the person wants that, also when they say so while it waits", async () => {
    scene = scripted({}, { power: async () => true });
    const background = scene.inference.embed({ texts: ["later"], priority: "background" });
    await expect.poll(async () => (await scene.inference.stats()).paused, { timeout: 30_000 }).toBe("battery");
    await scene.set({ pauseOnBattery: false });
    expect(await background).toHaveLength(1);
  });

  it("asks for the power only while background work waits, and goes on when the system does not answer", async () => {
    let asked = 0;
    const power = async () => {
      asked += 1;
      throw new Error("no such file");
    };
    scene = scripted({ powerMs: 1 }, { power });
    await scene.inference.embed({ texts: ["q"], priority: "question" });
    expect(asked).toBe(0);
    expect(await scene.inference.embed({ texts: ["b"], priority: "background" })).toHaveLength(1);
    expect(asked).toBeGreaterThan(0);
  });

  it("does all background work also with a small share of the time", async () => {
    scene = scripted({}, { settings: { cpuShare: 0.1 } });
    const texts = numbered("t", 20);
    const background = scene.inference.embed({ texts, priority: "background" });
    const question = scene.inference.embed({ texts: ["q"], priority: "question" });
    expect(await question).toEqual([scriptedVector("q")]);
    expect(await background).toEqual(texts.map(scriptedVector));
  });
});

describe("which model answers", () => {
  it("is the one of the settings, and the older one by its key while it is still installed", async () => {
    scene = scripted();
    const { inference } = scene;
    const [one, two] = modelsFor("text-embedding");
    const before = await inference.model("text-embedding");
    const other = before?.modelId === `${one?.id}@1` ? two : one;
    await scene.set({ models: { "text-embedding": other?.id ?? null } });
    const after = await inference.model("text-embedding");
    expect(after?.modelId).not.toBe(before?.modelId);
    const old = inference.embed({ texts: ["old"], priority: "question", modelId: before?.modelId ?? "" });
    expect(await old).toHaveLength(1);
    const unknown = inference.embed({ texts: ["x"], priority: "question", modelId: "nobody@1" });
    await expect(unknown).rejects.toMatchObject({ code: "model_missing" });
  });

  it("is none when the purpose is switched off", async () => {
    scene = scripted();
    await scene.set({ models: { ocr: null } });
    expect(await scene.inference.model("ocr")).toBeNull();
    const reading = scene.inference.readPicture({ raster: picture("x"), priority: "background" });
    await expect(reading).rejects.toMatchObject({ code: "model_missing" });
  });

  it("is none here for purposes that are served elsewhere", async () => {
    scene = scripted();
    expect(await scene.inference.model("llm")).toBeNull();
    expect(await scene.inference.model("face-detection")).toBeNull();
  });
});
