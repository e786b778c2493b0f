import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { loadCatalogue } from "#models/catalogue.ts";
import { installModel } from "#models/fetcher.ts";

let asked: Promise<{ folder: string } | { missing: string }> | null = null;

/** Id of the model that tests use. */
export const testModelId = loadCatalogue().models.find((model) => model.recommended)?.id ?? "";

/**
 * A models folder with the recommended text embedding model, fetched once through the real fetcher into `.cache/models`
 * (or `UNDERSTORY_TEST_MODELS`), or the reason why there is none. A test without it says so:
 *
 *     const model = await ensureTestModel();
 *     if ("missing" in model) return context.skip(model.missing);
 */
export function ensureTestModel(): Promise<{ folder: string } | { missing: string }> {
  asked ??= fetchOnce();
  return asked;
}

async function fetchOnce(): Promise<{ folder: string } | { missing: string }> {
  const folder = process.env.UNDERSTORY_TEST_MODELS ?? fileURLToPath(new URL("../../.cache/models", import.meta.url));
  try {
    await mkdir(folder, { recursive: true });
    await installModel({ id: testModelId, folder, consent: true, sources: ["python"] });
    return { folder };
  } catch (error) {
    const missing = `no embedding model: ${error instanceof Error ? error.message : String(error)}`;
    console.warn(missing);
    return { missing };
  }
}
