import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, pipeline } from "@huggingface/transformers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listModels, modelPlaces, removeModel } from "#models/installed.ts";
import { batchLimits, groupByLength, openTextEmbedder, type TextEmbedder } from "#models/text/embed.ts";
import { openTokenizer } from "#native/tokenizer.ts";
import { ensureTestModel, testModelId } from "./model-cache.ts";

const found = await ensureTestModel();
const missing = "missing" in found ? found.missing : null;
const folder = "folder" in found ? found.folder : "";

const texts = [
  "",
  "ok",
  "The ferry leaves at seven from the north pier.",
  "Die Fähre legt um sieben Uhr am Nordanleger ab. Größe, Straße, naïve.",
  "👩‍👩‍👧 東京で会いましょう — see you!",
  "line one\nline two\ttabbed   spaced",
  "word ".repeat(120),
];

async function embed(embedder: TextEmbedder, list: readonly string[]): Promise<Float32Array[]> {
  const vectors = new Array<Float32Array>(list.length);
  for (const batch of embedder.batches(list, "background")) {
    const part = await embedder.run(batch);
    batch.positions.forEach((position, i) => {
      const vector = part[i];
      if (vector) vectors[position] = vector;
    });
  }
  return vectors;
}

const cosine = (a?: Float32Array, b?: Float32Array) => a?.reduce((sum, x, i) => sum + x * (b?.[i] ?? 0), 0) ?? 0;

describe("batches", () => {
  it("hold every text once and stay inside the limits", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 256 }), { maxLength: 200 }), (lengths) => {
        const batches = groupByLength(lengths.map((length) => new Array<number>(length).fill(1)));
        expect(batches.flatMap((batch) => batch.positions).sort((a, b) => a - b)).toEqual(lengths.map((_, i) => i));
        for (const { tokens } of batches) {
          const padded = tokens.length * Math.max(...tokens.map((ids) => ids.length));
          expect(tokens.length).toBeLessThanOrEqual(batchLimits.texts);
          expect(tokens.length === 1 || padded <= batchLimits.tokens).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("text embedding with the recommended model", () => {
  let embedder: TextEmbedder;
  beforeAll(async () => {
    if (!missing) embedder = await openTextEmbedder({ modelId: testModelId, folder });
  });
  afterAll(() => embedder?.dispose());

  it("equals the reference pipeline on the same file", async (context) => {
    if (missing) return context.skip(missing);
    // The reference looks for its files under names of its own.
    const layout = await mkdtemp(join(tmpdir(), "understory-reference-"));
    const { home } = modelPlaces(folder, testModelId);
    await cp(join(home, "model.onnx"), join(layout, "m", "onnx", "model.onnx"));
    for (const name of ["tokenizer.json", "tokenizer_config.json"]) await cp(join(home, name), join(layout, "m", name));
    await writeFile(join(layout, "m", "config.json"), JSON.stringify({ model_type: "bert" }));
    env.allowRemoteModels = false;
    env.localModelPath = layout;
    try {
      const reference = await pipeline("feature-extraction", "m", { dtype: "fp32", device: "cpu" });
      const ours = await embed(embedder, texts);
      for (const [i, text] of texts.entries()) {
        const output = await reference(text, { pooling: "mean", normalize: true });
        const expected = Array.from(output.data, Number);
        const worst = Math.max(...expected.map((value, d) => Math.abs(value - (ours[i]?.[d] ?? 9))));
        expect(worst, text).toBeLessThan(1e-5);
      }
      await reference.dispose();
    } finally {
      await rm(layout, { recursive: true, force: true });
    }
  });

  it("gives unit vectors for any text, the empty one too", async (context) => {
    if (missing) return context.skip(missing);
    for (const vector of await embed(embedder, [...texts, "\0", "\ud800", "a".repeat(5_000)])) {
      expect(vector).toHaveLength(embedder.dimension);
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it("does not depend on what stands beside a text in a batch", async (context) => {
    if (missing) return context.skip(missing);
    const together = await embed(embedder, texts);
    for (const [i, text] of texts.entries()) {
      const [alone] = await embed(embedder, [text]);
      expect(cosine(alone, together[i])).toBeGreaterThan(0.9999);
    }
  });

  it("cuts long texts by tokens and keeps the closing mark", async (context) => {
    if (missing) return context.skip(missing);
    const { home } = modelPlaces(folder, testModelId);
    const parts = ["tokenizer.json", "tokenizer_config.json"].map(async (name) =>
      JSON.parse(await readFile(join(home, name), "utf8")),
    );
    const [tokenizerJson, config] = await Promise.all(parts);
    const tokenizer = openTokenizer(tokenizerJson, config, 16);
    const closing = tokenizer.encode("").at(-1);
    const ids = tokenizer.encode("river ".repeat(100_000));
    expect(ids).toHaveLength(16);
    expect(ids.at(-1)).toBe(closing);
    expect(tokenizer.encode("river")).toHaveLength(3);
  });
});

describe("a model on the disk", () => {
  it("is missing, damaged and removed in plain words", async (context) => {
    if (missing) return context.skip(missing);
    const copy = await mkdtemp(join(tmpdir(), "understory-models-"));
    try {
      const open = () => openTextEmbedder({ modelId: testModelId, folder: copy });
      await expect(open()).rejects.toMatchObject({ code: "model_missing" });

      await cp(join(folder, testModelId), join(copy, testModelId), { recursive: true });
      expect(listModels(copy)[0]?.state).toBe("installed");
      const tokenizer = join(copy, testModelId, "tokenizer.json");
      const bytes = await readFile(tokenizer);
      bytes[200_000] = (bytes[200_000] ?? 0) ^ 1;
      await writeFile(tokenizer, bytes);
      await expect(open()).rejects.toMatchObject({ code: "model_damaged" });
      expect(listModels(copy)[0]?.state).toBe("damaged");
      await expect(open()).rejects.toMatchObject({ code: "model_missing" });

      const { freedBytes } = await removeModel({ id: testModelId, folder: copy });
      expect(freedBytes).toBeGreaterThan(20_000_000);
      expect(listModels(copy)[0]?.state).toBe("absent");
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });
});
