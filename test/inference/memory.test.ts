import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { first, modelsFor, picture, type Scripted, scripted } from "./scripted.ts";

let scene: Scripted;
afterEach(() => scene.end());

const text = first("text-embedding");
const ocr = first("ocr");
const tags = first("image-tags");
const priority = "background" as const;
const embed = () => scene.inference.embed({ texts: ["t"], priority });
const read = () => scene.inference.readPicture({ raster: picture("t"), priority });
const look = () => scene.inference.lookAtPicture({ raster: picture("t"), priority });
const inMemory = async () =>
  (await scene.inference.stats()).models.filter((model) => model.inMemory).map((model) => model.id);

describe("the memory ceiling", () => {
  it("refuses a model that does not fit, with what it needs and what there is, and serves it when it may", async () => {
    scene = scripted({}, { settings: { memoryCeilingBytes: 200_000_000 } });
    await expect(read()).rejects.toMatchObject({
      code: "memory_short",
      message: expect.stringMatching(/345 MB.*200 MB/),
      hint: expect.stringContaining("ceiling"),
      details: { needBytes: ocr.memoryBytes, ceilingBytes: 200_000_000, usedBytes: 0 },
    });
    expect(await scene.inference.model("ocr")).toBeNull();
    const [status] = (await scene.inference.stats()).models;
    expect(status?.fault).toContain("200 MB");
    await scene.set({ memoryCeilingBytes: 2_000_000_000 });
    expect(await read()).toMatchObject({ text: "t" });
    expect((await scene.inference.stats()).models[0]?.fault).toBeNull();
  });

  it("closes idle models, the longest unused first, before it refuses", async () => {
    scene = scripted();
    await embed();
    await look();
    await read();
    await scene.set({ memoryCeilingBytes: ocr.memoryBytes + text.memoryBytes + tags.memoryBytes + 50_000_000 });
    expect(await inMemory()).toEqual([text.id, tags.id, ocr.id]);
    // The towers need room; text is the longest unused.
    await scene.inference.embedPicture({ raster: picture("t"), priority });
    expect(await inMemory()).not.toContain(text.id);
    expect(await inMemory()).toContain(ocr.id);
    expect(await embed()).toHaveLength(1);
  });

  it("never closes a model under a step", async () => {
    scene = scripted({}, { settings: { memoryCeilingBytes: ocr.memoryBytes + 10_000_000 } });
    const reading = scene.inference.readPicture({ raster: picture("gate:0"), priority });
    await scene.reached("gate:0");
    await expect(embed()).rejects.toMatchObject({ code: "memory_short" });
    scene.openGate(0);
    expect(await reading).toMatchObject({ text: "gate:0" });
    expect(await embed()).toHaveLength(1);
  });

  it("counts what is reserved for models opened elsewhere, and asks for it back when it is idle", async () => {
    scene = scripted({}, { settings: { memoryCeilingBytes: 600_000_000 } });
    await read();
    const kept = await scene.inference.reserve(500_000_000, "The language model");
    expect(await inMemory()).toEqual([]);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining("The language model 500 MB") });
    kept.release();
    await read();

    let asked = 0;
    await scene.inference.reserve(500_000_000, "The language model", async () => {
      asked += 1;
      return true;
    });
    await read();
    expect(asked).toBe(1);
    await expect(scene.inference.reserve(700_000_000, "A larger one")).rejects.toMatchObject({ code: "memory_short" });
  });

  it("goes by the measured size when that is larger than the catalogue's", async () => {
    const models = { [`${text.id}@${text.version}`]: [1, 900_000_000, 2] };
    const measured = JSON.stringify({ version: 1, models });
    scene = scripted({}, { measured, settings: { memoryCeilingBytes: 500_000_000 } });
    await expect(embed()).rejects.toMatchObject({ code: "memory_short", details: { needBytes: 900_000_000 } });
  });

  it("remembers what it has measured beside the models", async () => {
    scene = scripted();
    await embed();
    await scene.inference.close();
    const path = join(scene.folder, "measured.json");
    expect(existsSync(path)).toBe(true);
    const schema = z.object({ models: z.record(z.string(), z.array(z.number())) });
    const { models } = schema.parse(JSON.parse(readFileSync(path, "utf8")));
    expect(models[`${text.id}@${text.version}`]?.[0]).toBeGreaterThan(0);
  });

  it("does without a file of measures that makes no sense", async () => {
    scene = scripted({}, { measured: '{"version":1,"models":{"x":"big"}}' });
    expect(await embed()).toHaveLength(1);
  });
});

describe("idle models", () => {
  it("leave memory one by one, end their thread, and come back by themselves", async () => {
    scene = scripted({ idleMs: 30 });
    const model = await scene.inference.model("text-embedding");
    await expect.poll(inMemory, { timeout: 30_000 }).toEqual([]);
    expect(scene.log().at(-1)).toBe(`close ${text.id}`);
    expect(await scene.inference.model("text-embedding")).toEqual(model);
    expect(await embed()).toHaveLength(1);
    expect(scene.copies().most).toBe(1);
    expect((await scene.inference.stats()).replacedWorkers).toBe(0);
  });

  it("do not leave while a call waits", async () => {
    scene = scripted({ idleMs: 1 });
    const held = scene.inference.embed({ texts: ["gate:0", "more"], priority });
    await scene.reached("gate:0");
    await new Promise((resolve) => setTimeout(resolve, 20));
    scene.openGate(0);
    await held;
    expect(scene.log().slice(0, 3)).toEqual([`open ${text.id}`, "gate:0", "more"]);
  });

  it("leave at once when the settings name another", async () => {
    scene = scripted();
    await embed();
    const other = modelsFor("text-embedding").find((model) => model !== text);
    await scene.set({ models: { "text-embedding": other?.id ?? null } });
    expect(await inMemory()).toEqual([]);
    await embed();
    expect(await inMemory()).toEqual([other?.id]);
  });
});
