import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { type ModelPurpose, type ModelStatus, type Settings, UnderstoryError } from "#contract";
import { type CatalogueModel, derivedBy, findModel, isMeasured, loadCatalogue } from "./catalogue.ts";
import { lockIsHeld, withLock } from "./lock.ts";

/** The models folder of this person: `UNDERSTORY_MODELS`, or the platform's place for data of programs. Shared by all archives. */
export function modelsFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.UNDERSTORY_MODELS) return env.UNDERSTORY_MODELS;
  if (platform === "win32")
    return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "Understory", "models");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "Understory", "models");
  return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "understory", "models");
}

/** Where the parts of one model lie in a models folder. */
export function modelPlaces(folder: string, id: string) {
  return {
    /** Complete and checked, or not there. */
    home: join(folder, id),
    manifest: join(folder, id, "installed.json"),
    /** Unfinished downloads; kept for resuming. */
    staging: join(folder, ".staging", id),
    /** Complete and checked, the moment before it becomes `home`. */
    ready: join(folder, ".staging", `${id}.ready`),
    /** The last file that was not what the catalogue says. */
    quarantine: join(folder, ".quarantine", id),
    lock: join(folder, `.${id}.lock`),
  };
}

export const installedSchema = z.object({
  id: z.string(),
  version: z.string(),
  source: z.enum(["hub", "python", "npm", "maven", "local"]),
  /** False: a file is as published by others, not measured by us. */
  verified: z.boolean(),
  installedAt: z.string(),
  files: z.array(
    z.object({ name: z.string(), bytes: z.number().int().positive(), sha256: z.string(), verified: z.boolean() }),
  ),
});
export type Installed = z.infer<typeof installedSchema>;

/** SHA-256 of a file, lower-case hex, read in pieces. Throws `cancelled`. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    if (signal?.aborted) throw new UnderstoryError("cancelled", "Stopped while a model was being checked.");
    hash.update(chunk);
  }
  return hash.digest("hex");
}

/** Hash of bytes, lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The manifest of an installed model, or null when it is not (completely) there. Sizes are looked at, hashes are not. */
export function readInstalled(folder: string, model: CatalogueModel): Installed | null {
  const { home, manifest } = modelPlaces(folder, model.id);
  if (!existsSync(manifest)) return null;
  try {
    const installed = installedSchema.parse(JSON.parse(readFileSync(manifest, "utf8")));
    const whole = model.files.every(({ name }) => {
      const entry = installed.files.find((one) => one.name === name);
      return entry !== undefined && statSync(join(home, name)).size === entry.bytes;
    });
    return whole && installed.version === model.version ? installed : null;
  } catch {
    return null;
  }
}

/**
 * The files of an installed model in memory, each checked against its hash: what is given out is what was checked.
 * A file that is not what was installed puts the model into quarantine. Throws `model_missing` or `model_damaged`.
 */
export async function readModelFiles(
  folder: string,
  model: CatalogueModel,
): Promise<{ installed: Installed; files: ReadonlyMap<string, Uint8Array> }> {
  const installed = await needInstalled(folder, model);
  const files = new Map<string, Uint8Array>();
  for (const { name, sha256: expected } of installed.files) {
    const bytes = await readFile(join(modelPlaces(folder, model.id).home, name));
    if (sha256(bytes) !== expected) throw await quarantineModel(folder, model, `${name} has changed on the disk`);
    files.set(name, bytes);
  }
  return { installed, files };
}

async function needInstalled(folder: string, model: CatalogueModel): Promise<Installed> {
  const installed = readInstalled(folder, model);
  if (installed) return installed;
  if (existsSync(modelPlaces(folder, model.id).home)) {
    throw await quarantineModel(folder, model, "a file is missing or has another size");
  }
  throw new UnderstoryError("model_missing", `The model ${model.title} is not installed.`, {
    hint: `The rest works without it. Install it under Models, or with: understory models install ${model.id}`,
    details: { id: model.id },
  });
}

/** What this process has hashed already: path → state of the file then, and its hash. */
const hashed = new Map<string, { readonly state: string; readonly sha256: string }>();

/** A file that is written to gets another state; one that is put in its place has another inode. */
async function stateOf(path: string): Promise<string> {
  const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
  return [size, mtimeNs, ctimeNs, ino].join(" ");
}

/**
 * Checks the files of an installed model where they lie, without holding them in memory: for weights that are mapped by
 * the code that runs them. A file is hashed once a process, and again when it was touched. A file that is not what was
 * installed puts the model into quarantine. Throws `model_missing`, `model_damaged` or `cancelled`.
 */
export async function checkModelFiles(
  folder: string,
  model: CatalogueModel,
  options: { signal?: AbortSignal | undefined; again?: boolean } = {},
): Promise<{ installed: Installed; paths: ReadonlyMap<string, string> }> {
  const installed = await needInstalled(folder, model);
  const paths = new Map<string, string>();
  for (const { name, sha256: expected } of installed.files) {
    const path = join(modelPlaces(folder, model.id).home, name);
    const state = await stateOf(path);
    let known = hashed.get(path);
    if (options.again || known?.state !== state) {
      const found = await hashFile(path, options.signal);
      if (state !== (await stateOf(path)))
        throw await quarantineModel(folder, model, `${name} changed while it was read`);
      known = { state, sha256: found };
      hashed.set(path, known);
    }
    if (known.sha256 !== expected) throw await quarantineModel(folder, model, `${name} has changed on the disk`);
    paths.set(name, path);
  }
  return { installed, paths };
}

/** `checkModelFiles` for a model by id, with the key of what is derived with it (`derivedBy`). */
export async function checkedModelPaths(input: {
  modelId: string;
  folder: string;
  signal?: AbortSignal | undefined;
}): Promise<{ modelId: string; paths: ReadonlyMap<string, string> }> {
  const model = findModel(input.modelId);
  const { installed, paths } = await checkModelFiles(input.folder, model, { signal: input.signal });
  const weights = model.files.find((file) => file.role === "weights")?.name;
  const hash = installed.files.find((file) => file.name === weights)?.sha256 ?? "";
  return { modelId: derivedBy(model, hash), paths };
}

/** Puts an installed model out of use and gives the error that says so. */
export async function quarantineModel(folder: string, model: CatalogueModel, why: string): Promise<UnderstoryError> {
  const { home, quarantine } = modelPlaces(folder, model.id);
  await rm(quarantine, { recursive: true, force: true });
  await mkdir(dirname(quarantine), { recursive: true });
  await rename(home, quarantine).catch(() => rm(home, { recursive: true, force: true }));
  return damaged(model, why);
}

/** Puts one fetched file into quarantine and gives the error that says so. */
export async function quarantineFile(
  folder: string,
  model: CatalogueModel,
  path: string,
  why: string,
): Promise<UnderstoryError> {
  const { quarantine } = modelPlaces(folder, model.id);
  await rm(quarantine, { recursive: true, force: true });
  await mkdir(quarantine, { recursive: true });
  await rename(path, join(quarantine, "file")).catch(() => rm(path, { force: true }));
  return damaged(model, why);
}

function damaged(model: CatalogueModel, why: string): UnderstoryError {
  return new UnderstoryError("model_damaged", `The model ${model.title} cannot be used: ${why}.`, {
    hint: "It was set aside and your archive is not touched. Install the model again.",
    details: { id: model.id },
  });
}

/**
 * Every model of the catalogue with its state in this folder. Cheap: no file is hashed. `chosen` is the person's choice by
 * purpose (`Settings.models`).
 */
export function listModels(folder: string, chosen: Settings["models"] = {}): ModelStatus[] {
  return loadCatalogue().models.map((model) => {
    const places = modelPlaces(folder, model.id);
    const installed = readInstalled(folder, model) !== null;
    const broken =
      existsSync(places.home) || (existsSync(places.quarantine) && readdirSync(places.quarantine).length > 0);
    return {
      id: model.id,
      version: model.version,
      purpose: model.purpose,
      title: model.title,
      licence: model.licence.name,
      licenceUrl: model.licence.url,
      home: model.home,
      bytes: model.files.reduce((sum, file) => sum + file.bytes, 0),
      memoryBytes: model.memoryBytes,
      languages: model.languages,
      measured: isMeasured(model),
      why: model.why,
      sources: model.sources.map(({ kind, label }) => ({ kind, label })),
      state: installed ? "installed" : lockIsHeld(places.lock) ? "installing" : broken ? "damaged" : "absent",
      recommended: model.recommended,
      machineMemoryBytes: model.machineMemoryBytes,
      fits: totalmem() >= model.machineMemoryBytes,
      active: activeModel(folder, model.purpose, chosen)?.id === model.id,
    };
  });
}

/** Purposes that nobody gets without having chosen a model for them in the settings. */
const onlyByChoice: ReadonlySet<ModelPurpose> = new Set(["face-detection", "face-embedding"]);

/**
 * The model in use for a purpose: the one that was chosen, when it is installed, else the first installed one of the
 * catalogue, recommended ones before others. Null: none is installed, the purpose is switched off, or it is one about
 * faces and none was chosen.
 */
export function activeModel(
  folder: string,
  purpose: ModelPurpose,
  chosen: Settings["models"] = {},
): CatalogueModel | null {
  const wanted = chosen[purpose];
  if (wanted === null || (wanted === undefined && onlyByChoice.has(purpose))) return null;
  const installed = loadCatalogue().models.filter(
    (model) => model.purpose === purpose && readInstalled(folder, model) !== null,
  );
  const found = installed.find(({ id }) => id === wanted);
  if (found || onlyByChoice.has(purpose)) return found ?? null;
  return installed.find(({ recommended }) => recommended) ?? installed[0] ?? null;
}

/** Reads every file of an installed model and compares its hash. A wrong one puts the model into quarantine. Throws `model_missing`. */
export async function verifyModel({
  id,
  folder,
}: {
  id: string;
  folder: string;
}): Promise<{ ok: boolean; reason: string | null }> {
  try {
    await checkModelFiles(folder, findModel(id), { again: true });
    return { ok: true, reason: null };
  } catch (error) {
    if (error instanceof UnderstoryError && error.code === "model_damaged") return { ok: false, reason: error.message };
    throw error;
  }
}

/** Removes a model with all its unfinished and set-aside files; gives the bytes that this freed. */
export async function removeModel({ id, folder }: { id: string; folder: string }): Promise<{ freedBytes: number }> {
  findModel(id);
  const places = modelPlaces(folder, id);
  return withLock(places.lock, undefined, async () => {
    let freedBytes = 0;
    for (const path of [places.home, places.staging, places.ready, places.quarantine]) {
      freedBytes += await folderBytes(path);
      await rm(path, { recursive: true, force: true });
    }
    return { freedBytes };
  });
}

/** Bytes of all files below a folder; 0 when it is not there. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    sum += found?.size ?? 0;
  }
  return sum;
}
