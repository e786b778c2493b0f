import { describe, expect, it } from "vitest";
import { findModelFor, type ModelFor } from "#models/catalogue.ts";
import { openTextEmbedder } from "#models/text/embed.ts";
import { distanceOf, embedAll, installedTextModels, openEmbeddingReference } from "./exact/reference.ts";
import { exactTexts } from "./exact/texts.ts";
import { ensureTestModel, testModelId, testModelsFolder } from "./model-cache.ts";

/** The bound that both references are held to; Python's is compared by `npm run bench -- exactness --python PATH`. */
async function compare(folder: string, model: ModelFor<"text-embedding">, texts: readonly string[]): Promise<void> {
  const embedder = await openTextEmbedder({ modelId: model.id, folder });
  const reference = await openEmbeddingReference(folder, model);
  try {
    const theirs: Float32Array[] = [];
    for (const text of texts) theirs.push(await reference.run(model.embedding.prefix.background + text));
    const { minCosine, off } = distanceOf(await embedAll(embedder, texts), theirs);
    expect(off.map((at) => texts[at]?.slice(0, 80))).toEqual([]);
    expect(minCosine).toBeGreaterThanOrEqual(0.9999);
  } finally {
    await reference.dispose();
    await embedder.dispose();
  }
}

describe("vectors equal those of transformers.js within 1e-5", () => {
  it("for 500 texts, easy and hard ones, with the recommended model", { timeout: 180_000 }, async (context) => {
    const found = await ensureTestModel();
    if ("missing" in found) return context.skip(found.missing);
    await compare(found.folder, findModelFor("text-embedding", testModelId), exactTexts(1));
  });

  it("for some of them with every other text model that is installed", { timeout: 180_000 }, async (context) => {
    const others = installedTextModels(testModelsFolder).filter(({ id }) => id !== testModelId);
    if (others.length === 0) return context.skip(`no other text model is installed in ${testModelsFolder}`);
    for (const model of others) await compare(testModelsFolder, model, exactTexts(2, 120).slice(60));
  });
});
