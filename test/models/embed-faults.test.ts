import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ModelFor } from "#models/catalogue.ts";
import { modelPlaces, readInstalled } from "#models/installed.ts";
import { openTextEmbedder } from "#models/text/embed.ts";
import { dimension, idOf, installSmallEncoder, smallEncoder, smallTokenizer, stateOf } from "./exact/small-network.ts";

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "understory-text-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(root, "m"));
});

const open = (model: ModelFor<"text-embedding">) => openTextEmbedder({ modelId: model.id, folder, model });

/** By hand: rows of the table, pooled. */
function expected(tokens: readonly string[], pooling: "mean" | "cls"): number[] {
  const rows = ["[CLS]", ...tokens, "[SEP]"].map((token) => stateOf(idOf(token)));
  const kept = pooling === "cls" ? rows.slice(0, 1) : rows;
  const sum = Array.from({ length: dimension }, (_, d) => kept.reduce((all, row) => all + (row[d] ?? 0), 0));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

async function vectorsOf(model: ModelFor<"text-embedding">, texts: readonly string[], use: "question" | "background") {
  const embedder = await open(model);
  try {
    const batches = embedder.batches(texts, use);
    const vectors = new Array<number[]>(texts.length);
    for (const batch of batches) {
      for (const [at, vector] of (await embedder.run(batch)).entries())
        vectors[batch.positions[at] ?? -1] = [...vector];
    }
    return { vectors, batches };
  } finally {
    await embedder.dispose();
  }
}

const closeTo = (found: readonly number[] | undefined, wanted: readonly number[]) => {
  expect(found).toHaveLength(wanted.length);
  for (const [at, value] of wanted.entries()) expect(found?.[at]).toBeCloseTo(value, 5);
};

describe("a small text model", () => {
  it.each(["mean", "cls"] as const)("pools by %s as its entry asks", async (pooling) => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder() }, { pooling });
    const { vectors } = await vectorsOf(model, ["river boats", "cake"], "background");
    closeTo(vectors[0], expected(["river", "boat", "##s"], pooling));
    closeTo(vectors[1], expected(["cake"], pooling));
  });

  it("puts the prefix of the use before a text", async () => {
    const prefix = { question: "boat ", background: "" };
    const model = await installSmallEncoder(folder, { weights: smallEncoder() }, { prefix });
    closeTo((await vectorsOf(model, ["river"], "question")).vectors[0], expected(["boat", "river"], "mean"));
    closeTo((await vectorsOf(model, ["river"], "background")).vectors[0], expected(["river"], "mean"));
  });

  it("is cut to its window, the closing mark kept", async () => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder() });
    const { vectors } = await vectorsOf(model, ["river ".repeat(40)], "background");
    closeTo(vectors[0], expected(new Array<string>(14).fill("river"), "mean"));
  });

  it("takes texts together, or one by one when the company would change them", async () => {
    const texts = ["river", "boats", "cake cake cake", "a"];
    const alike = await installSmallEncoder(folder, { weights: smallEncoder() });
    expect((await vectorsOf(alike, texts, "background")).batches).toHaveLength(1);
    const shared = await installSmallEncoder(folder, { weights: smallEncoder({ shared: true }) });
    const { vectors, batches } = await vectorsOf(shared, texts, "background");
    expect(batches).toHaveLength(texts.length);
    for (const [at, text] of texts.entries()) {
      expect((await vectorsOf(shared, [text], "background")).vectors[0]).toEqual(vectors[at]);
    }
  });
});

describe("a text model that is not what it should be", () => {
  const quarantined = (model: ModelFor<"text-embedding">) => readInstalled(folder, model) === null;

  it.each([
    ["is no JSON", "{"],
    ["is a list", "[]"],
    ["has no vocabulary", JSON.stringify({ ...smallTokenizer(), model: { type: "WordPiece" } })],
    ["is of an unknown kind", JSON.stringify({ ...smallTokenizer(), model: { type: "Fancy", vocab: {} } })],
    ["is empty", "{}"],
  ])("is set aside when its tokenizer %s", async (_, tokeniser) => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder(), tokeniser });
    await expect(open(model)).rejects.toMatchObject({ code: "model_damaged", message: /tokenizer/ });
    expect(quarantined(model)).toBe(true);
  });

  it("is set aside when its entry names no tokenizer", async () => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder() });
    const files = model.files.filter(({ role }) => role === "weights");
    await expect(open({ ...model, files })).rejects.toMatchObject({ code: "model_damaged", message: /tokenizer/ });
  });

  it("is unsupported, and kept, when it needs an operator that is not known", async () => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder({ unknown: true }) });
    await expect(open(model)).rejects.toMatchObject({ code: "model_unsupported" });
    expect(quarantined(model)).toBe(false);
  });

  it("is set aside when the network is cut off", async () => {
    const weights = smallEncoder();
    const model = await installSmallEncoder(folder, { weights: weights.subarray(0, weights.length - 40) });
    await expect(open(model)).rejects.toMatchObject({ code: "model_damaged" });
    expect(quarantined(model)).toBe(true);
  });

  it("is set aside when a file was cut after it was installed", async () => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder() });
    await writeFile(join(modelPlaces(folder, model.id).home, "model.onnx"), smallEncoder().subarray(0, 100));
    await expect(open(model)).rejects.toMatchObject({ code: "model_damaged" });
    await expect(open(model)).rejects.toMatchObject({ code: "model_missing" });
  });

  it("is set aside when its vectors have another length", async () => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder({ size: 3 }) });
    await expect(open(model)).rejects.toMatchObject({ code: "model_damaged", message: /4 numbers/ });
    expect(quarantined(model)).toBe(true);
  });

  it("is set aside when it misses its probe", async () => {
    const probe = [{ a: "river", b: "cake", cosine: -0.99 }];
    const model = await installSmallEncoder(folder, { weights: smallEncoder() }, { probe });
    await expect(open(model)).rejects.toMatchObject({ code: "model_damaged", message: /-0\.990/ });
  });

  it("never gives a vector with a number that is none: that text fails, others do not", async () => {
    const model = await installSmallEncoder(folder, { weights: smallEncoder({ broken: true }) });
    const embedder = await open(model);
    const run = async (text: string) => {
      const [batch] = embedder.batches([text], "background");
      return batch ? embedder.run(batch) : [];
    };
    await expect(run("broken boat")).rejects.toMatchObject({ code: "inference_failed" });
    expect(await run("boat")).toHaveLength(1);
    await embedder.dispose();
  });
});
