import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listModels, modelPlaces, removeModel } from "#models/installed.ts";
import { batchLimits, groupByLength, openTextEmbedder, type TextEmbedder } from "#models/text/embed.ts";
import { openTokenizer } from "#native/tokenizer.ts";
import { distanceOf, embedAll } from "./exact/reference.ts";
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

  it("gives unit vectors for any text, the empty one too", async (context) => {
    if (missing) return context.skip(missing);
    for (const vector of await embedAll(embedder, [...texts, "\0", "\ud800", "a".repeat(5_000)])) {
      expect(vector).toHaveLength(embedder.dimension);
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it("does not depend on what stands beside a text in a batch", async (context) => {
    if (missing) return context.skip(missing);
    const together = await embedAll(embedder, texts);
    for (const [i, text] of texts.entries())
      expect(distanceOf(await embedAll(embedder, [text]), together.slice(i)).off).toEqual([]);
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
