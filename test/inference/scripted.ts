import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect } from "vitest";
import { defaultSettings, type Settings } from "#contract";
import { createInference, type InferenceOptions } from "#main/inference/inference.ts";
import type { InferenceLimits } from "#main/inference/limits.ts";
import type { InferenceHost } from "#main/inference/ports.ts";
import { type CatalogueModel, loadCatalogue } from "#models/catalogue.ts";
import { type Installed, modelPlaces } from "#models/installed.ts";
import type { Raster } from "#native/raster.ts";
import { cells, type ScriptedData } from "./script.ts";

/** Writes a manifest and one-byte files: installed for everything that does not read them. */
export function pretendInstalled(folder: string, model: CatalogueModel, installedAt = "2026-01-01T00:00:00Z"): void {
  const { home, manifest } = modelPlaces(folder, model.id);
  mkdirSync(home, { recursive: true });
  for (const { name } of model.files) writeFileSync(join(home, name), "x");
  const installed: Installed = {
    id: model.id,
    version: model.version,
    source: "local",
    verified: true,
    installedAt,
    files: model.files.map(({ name, sha256 }) => ({
      name,
      bytes: 1,
      sha256: sha256 ?? "0".repeat(64),
      verified: true,
    })),
  };
  writeFileSync(manifest, JSON.stringify(installed));
}

/** The first models of a purpose in the catalogue. */
export function modelsFor(purpose: CatalogueModel["purpose"]): CatalogueModel[] {
  return loadCatalogue().models.filter((model) => model.purpose === purpose);
}

export function first(purpose: CatalogueModel["purpose"]): CatalogueModel {
  const models = modelsFor(purpose);
  const model = models.find(({ recommended }) => recommended) ?? models[0];
  if (!model) throw new Error(`The catalogue has no model for ${purpose}.`);
  return model;
}

export const picture = (text: string): Raster => ({ width: 1, height: 1, rgb: new TextEncoder().encode(text) });

export interface Scripted {
  readonly inference: InferenceHost;
  readonly folder: string;
  /** Changes settings and brings them into force. */
  set(changes: Partial<Settings>): Promise<void>;
  /** What the models were given, in order; opening and closing too. */
  log(): string[];
  /** Resolves when a model was given this. */
  reached(line: string): Promise<void>;
  openGate(gate: number): void;
  /** 0: models open; 1: the thread ends while they open; 2: opening throws. */
  opening(command: 0 | 1 | 2): void;
  copies(): { now: number; most: number };
  end(): Promise<void>;
}

/** The service with scripted models for every purpose, all pretended to be installed. */
export function scripted(
  limits: Partial<InferenceLimits> = {},
  more: Pick<InferenceOptions, "power"> & {
    settings?: Partial<Settings>;
    /** Content of the file with the measured growth of earlier runs. */
    measured?: string;
  } = {},
): Scripted {
  const folder = mkdtempSync(join(tmpdir(), "understory-inference-"));
  for (const purpose of ["text-embedding", "reranker", "image-text-embedding", "image-tags", "ocr"] as const) {
    for (const model of modelsFor(purpose)) pretendInstalled(folder, model);
  }
  if (more.measured !== undefined) writeFileSync(join(folder, "measured.json"), more.measured);
  const state = new Int32Array(new SharedArrayBuffer(4 * cells.size));
  const log = join(folder, "log.txt");
  const data: ScriptedData = { state, log };
  let settings: Settings = { ...defaultSettings, memoryCeilingBytes: 8_000_000_000, ...more.settings };
  const inference = createInference({
    modelsDir: folder,
    settings: () => settings,
    ...(more.power ? { power: more.power } : {}),
    spawn: () => new Worker(new URL("./scripted.worker.ts", import.meta.url), { workerData: data, execArgv: [] }),
    limits,
  });
  const lines = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  const openGate = (gate: number) => {
    Atomics.store(state, cells.gates + gate, 1);
    Atomics.notify(state, cells.gates + gate);
  };
  return {
    inference,
    folder,
    async set(changes) {
      settings = { ...settings, ...changes };
      await inference.refresh();
    },
    reached: (line) => expect.poll(lines, { timeout: 30_000 }).toContain(line),
    log: lines,
    openGate,
    opening: (command) => void Atomics.store(state, cells.opening, command),
    copies: () => ({ now: Atomics.load(state, cells.copies), most: Atomics.load(state, cells.mostCopies) }),
    async end() {
      for (let gate = 0; gate < cells.firsts; gate++) openGate(gate);
      await inference.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
