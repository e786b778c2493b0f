import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { modelPlaces } from "#models/installed.ts";
import { scriptedVector } from "./script.ts";
import { first, picture, pretendInstalled, type Scripted, scripted } from "./scripted.ts";

let scene: Scripted;
afterEach(() => scene.end());

const background = "background" as const;
const id = first("text-embedding").id;
/** Hanging shows in a moment: four ticks of a quarter. */
const short = { text: 1000, rerank: 1000, caption: 1000, tags: 1000, picture: 1000, ocr: 1000 };
const embed = (...texts: string[]) => scene.inference.embed({ texts, priority: background });
const fault = async () => (await scene.inference.stats()).models.find((model) => model.id === id)?.fault ?? null;
const replaced = async () => (await scene.inference.stats()).replacedWorkers;

describe("a thread that crashes", () => {
  it("is replaced and its batch done again; what came before is not", async () => {
    scene = scripted();
    const texts = ["before", "exit-once:0", "after"];
    expect(await embed(...texts)).toEqual(texts.map(scriptedVector));
    expect(scene.log().filter((line) => line === "before")).toHaveLength(1);
    expect(scene.log().filter((line) => line === "exit-once:0")).toHaveLength(2);
    expect(await replaced()).toBe(1);
    expect(await fault()).toBeNull();
  });

  it.each([
    ["ends itself", "exit", /ended with code 3/],
    ["leaves a rejection that nobody handles", "reject", /nobody listens/],
  ])("twice on the same input, because it %s, fails that call alone and says why", async (_what, command, reason) => {
    scene = scripted();
    const bad = embed("before", command);
    const good = embed("good");
    const question = scene.inference.embed({ texts: ["q"], priority: "question" });
    await expect(bad).rejects.toMatchObject({ code: "inference_failed", message: expect.stringMatching(reason) });
    await expect(bad).rejects.toMatchObject({ message: expect.stringContaining("text-embedding") });
    expect(await good).toEqual([scriptedVector("good")]);
    expect(await question).toEqual([scriptedVector("q")]);
    expect(await replaced()).toBe(2);
  });

  it("costs nothing in the other lane", async () => {
    scene = scripted();
    const reading = scene.inference.readPicture({ raster: picture("gate:0"), priority: background });
    await scene.reached("gate:0");
    await expect(embed("exit")).rejects.toMatchObject({ code: "inference_failed" });
    scene.openGate(0);
    expect(await reading).toMatchObject({ text: "gate:0" });
  });

  it("again and again puts the model out of use for this session; the others work on", async () => {
    scene = scripted({ crashes: { most: 4, within: 10 } });
    await expect(embed("exit")).rejects.toMatchObject({ code: "inference_failed" });
    await expect(embed("exit")).rejects.toMatchObject({ code: "model_damaged" });
    await expect(embed("good")).rejects.toMatchObject({ code: "model_damaged" });
    expect(await fault()).toMatch(/out of use.*4 times.*code 3/);
    expect(await scene.inference.model("text-embedding")).toBeNull();
    const raster = picture("a cup");
    expect(await scene.inference.readPicture({ raster, priority: background })).toMatchObject({ text: "a cup" });

    await scene.inference.refresh();
    expect(await scene.inference.model("text-embedding")).toBeNull();
    pretendInstalled(scene.folder, first("text-embedding"), "2026-02-02T00:00:00Z");
    await scene.inference.refresh();
    expect(await embed("good")).toEqual([scriptedVector("good")]);
  });

  it("rarely does not", async () => {
    scene = scripted({ crashes: { most: 4, within: 6 } });
    for (let round = 0; round < 3; round++) {
      await expect(embed("exit")).rejects.toMatchObject({ code: "inference_failed" });
      await embed("a", "b", "c", "d", "e", "f");
    }
    expect(await fault()).toBeNull();
  });
});

describe("a thread that hangs", () => {
  it.each([
    ["in a loop that never gives the thread back", "spin"],
    ["on a promise that never settles", "never"],
  ])("%s is replaced; waiting calls go on by themselves", async (_what, command) => {
    scene = scripted({ stepMs: short });
    const bad = embed(command);
    const good = embed("good");
    await expect(bad).rejects.toMatchObject({
      code: "inference_failed",
      message: expect.stringContaining("no answer"),
    });
    expect(await good).toEqual([scriptedVector("good")]);
    expect(await replaced()).toBe(2);
  });

  it("and does not end when it is told to, is left alone and another one is started", async () => {
    scene = scripted({ stepMs: short, terminateMs: 1 });
    await expect(embed("spin")).rejects.toMatchObject({ code: "inference_failed" });
    expect(await embed("good")).toEqual([scriptedVector("good")]);
  });

  it("is not one that only waits in the queue", async () => {
    scene = scripted({ stepMs: { ...short, ocr: 60_000 } });
    const { inference } = scene;
    const held = inference.readPicture({ raster: picture("gate:0"), priority: background });
    await scene.reached("gate:0");
    const waiting = inference.lookAtPicture({ raster: picture("a cup"), priority: background });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    scene.openGate(0);
    await held;
    expect(await waiting).toMatchObject({ tags: [{ label: "a cup" }] });
    expect(await replaced()).toBe(0);
  });
});

describe("a model that refuses", () => {
  it("an input fails that call with its reason and keeps its thread", async () => {
    scene = scripted();
    await expect(embed("throw")).rejects.toMatchObject({
      code: "inference_failed",
      message: expect.stringContaining("the network does not like it"),
    });
    expect(await embed("good")).toHaveLength(1);
    expect(await replaced()).toBe(0);
  });

  it("to open is no model, and says why until it is installed again", async () => {
    scene = scripted();
    scene.opening(2);
    expect(await scene.inference.model("text-embedding")).toBeNull();
    expect(await fault()).toContain("its weights are odd");
    await expect(embed("x")).rejects.toMatchObject({ code: "model_damaged" });
    expect(scene.log().filter((line) => line.startsWith("open"))).toHaveLength(1);
    scene.opening(0);
    pretendInstalled(scene.folder, first("text-embedding"), "2026-02-02T00:00:00Z");
    await scene.inference.refresh();
    expect(await scene.inference.model("text-embedding")).not.toBeNull();
    expect(await fault()).toBeNull();
  });

  it("and takes its thread with it when it opens, is tried once more and then given up", async () => {
    scene = scripted();
    scene.opening(1);
    await expect(embed("x")).rejects.toMatchObject({ code: "inference_failed" });
    expect(scene.log().filter((line) => line.startsWith("open"))).toHaveLength(2);
    scene.opening(0);
    expect(await embed("x")).toHaveLength(1);
  });
});

describe("a model that is removed while it is in use", () => {
  it("ends what has begun, refuses the rest, and is closed when the removal begins", async () => {
    scene = scripted();
    const { inference } = scene;
    const begun = embed("gate:0", "its second batch");
    await scene.reached("gate:0");
    const question = inference.embed({ texts: ["q"], priority: "question" });
    const waiting = embed("too late");
    const releasing = inference.release(id);
    await expect(waiting).rejects.toMatchObject({ code: "model_missing" });
    await expect(embed("new")).rejects.toMatchObject({ code: "model_missing" });
    scene.openGate(0);
    expect(await begun).toHaveLength(2);
    expect(await question).toHaveLength(1);
    await releasing;
    expect(scene.log().at(-1)).toBe(`close ${id}`);
    expect(await inference.model("text-embedding")).toBeNull();

    rmSync(modelPlaces(scene.folder, id).home, { recursive: true });
    await inference.refresh();
    const next = await inference.model("text-embedding");
    expect(next).not.toBeNull();
    expect(next?.modelId).not.toContain(id);
  });

  it("ends what has begun also while background work is held back", async () => {
    let battery = false;
    scene = scripted({ powerMs: 1 }, { power: async () => battery });
    const begun = embed("gate:0", "its second batch");
    await scene.reached("gate:0");
    battery = true;
    await expect.poll(async () => (await scene.inference.stats()).paused, { timeout: 30_000 }).toBeNull();
    const releasing = scene.inference.release(id);
    scene.openGate(0);
    expect(await begun).toHaveLength(2);
    await releasing;
  });
});
