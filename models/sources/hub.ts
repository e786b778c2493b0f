import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Build } from "../catalogue.ts";
import { hashFile, quarantineFile } from "../installed.ts";
import { download, type Fetch, WrongFileError } from "./https.ts";
import type { HubSource } from "./schema.ts";
import type { FetchContext, StagedFile } from "./source.ts";

/** Brings all files of a model from a model hub. Files that an earlier attempt completed are not fetched again. */
export async function fetchFromHub(
  source: HubSource,
  context: FetchContext,
  options: { fetch: Fetch; base: string; pauses?: readonly number[] },
): Promise<StagedFile[]> {
  const { model, staging } = context;
  const wanted = source.files.map(({ name, path, other }) => {
    const measured = model.files.find((file) => file.name === name);
    if (!measured) throw new Error(`the catalogue knows no file ${name}`);
    const known = measured.sha256 === null ? null : { bytes: measured.bytes, sha256: measured.sha256, verified: true };
    const build: Build | null = other ?? known;
    if (!build) throw new Error(`the catalogue knows no hash of ${name}`);
    return { name, url: `${options.base}/${path}`, build };
  });
  const total = wanted.reduce((sum, { build }) => sum + build.bytes, 0);

  let before = 0;
  for (const { name, url, build } of wanted) {
    const path = join(staging, name);
    const done = await stat(path).catch(() => null);
    if (done?.size !== build.bytes || (await hashFile(path)) !== build.sha256) {
      try {
        await download({
          url,
          path,
          build,
          fetch: options.fetch,
          signal: context.signal,
          onBytes: (bytes) => context.onProgress(before + bytes, total, `Downloading ${name}`),
          ...(options.pauses ? { pauses: options.pauses } : {}),
        });
      } catch (error) {
        if (error instanceof WrongFileError) {
          throw await quarantineFile(context.folder, model, `${path}.part`, `${name}: ${error.message}`);
        }
        throw error;
      }
    }
    before += build.bytes;
    context.onProgress(before, total, `Checked ${name}`);
  }
  return wanted.map(({ name, build }) => ({ name, build }));
}
