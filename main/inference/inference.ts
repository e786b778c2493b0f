import { totalmem } from "node:os";
import type { Worker } from "node:worker_threads";
import { type ModelPurpose, type Settings, UnderstoryError } from "#contract";
import { type CatalogueModel, derivedBy, loadCatalogue } from "#models/catalogue.ts";
import { activeModel, readInstalled } from "#models/installed.ts";
import type { EmbedBatch } from "#models/text/embed.ts";
import type { Raster } from "#native/raster.ts";
import { spawnWorker } from "../workers/spawn.ts";
import { cutBatch, placeFound, slices } from "./batches.ts";
import { Governor } from "./governor.ts";
import { cancelled, Lane, type StepWork, type Ticket } from "./lane.ts";
import { defaultLimits, type InferenceLimits, pairsAtATime, textsAtATime, textsAtOnce } from "./limits.ts";
import { ModelMemory } from "./memory.ts";
import type { InferenceHost, LoadedModel, Priority } from "./ports.ts";
import { kinds, type LaneName, Slot, slotKey } from "./slot.ts";
import type { ModelKind } from "./thread.ts";

export interface InferenceOptions {
  readonly modelsDir: string;
  /** Read at the start and at each `refresh`. */
  readonly settings: () => Settings;
  /** Whether the machine runs on battery. */
  readonly power?: () => Promise<boolean>;
  /** For tests: another thread with models. */
  readonly spawn?: (lane: LaneName) => Worker;
  readonly limits?: Partial<InferenceLimits>;
}

/** The kind of model that says whether a purpose can be served. */
const kindOf: Readonly<Partial<Record<ModelPurpose, ModelKind>>> = {
  "text-embedding": "text",
  reranker: "rerank",
  "image-text-embedding": "caption",
  ocr: "ocr",
  "image-tags": "tags",
};

type Thread = Parameters<StepWork<unknown>>[0];
type Step = <T>(work: (thread: Thread, key: string) => Promise<T>) => Promise<T>;

/**
 * All inference of the core but the language model's. It lives on the main thread and only routes: models are in the
 * threads of its lanes, which start when they are first needed.
 */
export function createInference(options: InferenceOptions): InferenceHost {
  const folder = options.modelsDir;
  const limits: InferenceLimits = { ...defaultLimits, ...options.limits };
  let settings = options.settings();
  const memory = new ModelMemory({ folder, ceiling: () => settings.memoryCeilingBytes ?? totalmem() / 3 });
  const governor: Governor = new Governor({
    settings: () => settings,
    power: options.power ?? (async () => false),
    powerMs: limits.powerMs,
    wake: () => {
      for (const lane of Object.values(lanes)) lane.wake();
    },
  });
  const laneOf = (name: LaneName) =>
    new Lane({
      name,
      folder,
      limits,
      memory,
      governor,
      spawn: () => options.spawn?.(name) ?? spawnWorker("inference", { workerData: { gentle: name === "pictures" } }),
      share: () => settings.cpuShare,
    });
  const lanes: Readonly<Record<LaneName, Lane>> = { text: laneOf("text"), pictures: laneOf("pictures") };
  const slots = new Map<string, Slot>();
  /** Ids of models that are being, or were, removed. */
  const released = new Set<string>();
  let active = new Map<ModelPurpose, CatalogueModel | null>();
  let order = 0;
  let closed = false;

  function activeFor(purpose: ModelPurpose): CatalogueModel | null {
    let model = active.get(purpose);
    if (model === undefined) {
      model = activeModel(folder, purpose, settings.models);
      active.set(purpose, model);
    }
    return model && released.has(model.id) ? null : model;
  }

  /** The installed model of this purpose whose results have this key. */
  function installedAs(purpose: ModelPurpose, modelId: string): CatalogueModel | null {
    const found = loadCatalogue().models.find((model) => {
      if (model.purpose !== purpose || released.has(model.id) || !modelId.startsWith(`${model.id}@`)) return false;
      const weights = model.files.find(({ role }) => role === "weights");
      const build = readInstalled(folder, model)?.files.find(({ name }) => name === weights?.name);
      return build !== undefined && derivedBy(model, build.sha256) === modelId;
    });
    return found ?? null;
  }

  function slotOf(kind: ModelKind, model: CatalogueModel): Slot {
    const key = slotKey(kind, model);
    let slot = slots.get(key);
    if (!slot) {
      slot = new Slot({
        kind,
        model,
        installedAt: readInstalled(folder, model)?.installedAt ?? "",
        limits,
        dispose: (one) => lanes[kinds[kind].lane].dispose(one),
        bytes: (one) => memory.measured(one.key),
      });
      slots.set(key, slot);
    }
    return slot;
  }

  function needSlot(kind: ModelKind, modelId: string | undefined): Slot {
    const { purpose } = kinds[kind];
    const inUse = activeFor(purpose);
    const known = modelId === undefined || (inUse && slots.get(slotKey(kind, inUse))?.loaded?.modelId === modelId);
    const model = known ? inUse : installedAs(purpose, modelId);
    if (!model) throw missing(purpose, modelId);
    return slotOf(kind, model);
  }

  interface Request {
    readonly priority: Priority;
    /** Texts or pictures of the call. */
    readonly items: number;
    readonly modelId?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }

  /** One call: waits for room, finds its model, and does its steps in the lane. */
  async function call<T>(kind: ModelKind, request: Request, body: (step: Step) => Promise<T>): Promise<T> {
    const { priority, items, modelId, signal } = request;
    if (closed) throw cancelled();
    const lane = lanes[kinds[kind].lane];
    const number = ++order;
    governor.enter(priority);
    let leaveLane = () => {};
    let slot: Slot | null = null;
    try {
      const entered = lane.enter(priority, items, signal);
      // Without a wait the call is in its queue before the caller goes on: what comes after it finds it there.
      leaveLane = entered instanceof Promise ? await entered : entered;
      slot = needSlot(kind, modelId);
      const { key } = slot;
      slot.enter(priority);
      if (slot.fault) throw slot.fault;
      const ticket: Ticket = { slot, priority, order: number, signal, started: false };
      const result = await body((work) => lane.step(ticket, (thread) => work(thread, key)));
      slot.items += items;
      return result;
    } catch (error) {
      if (slot) note(slot, error);
      throw error;
    } finally {
      slot?.leave(priority);
      leaveLane();
      governor.leave(priority);
    }
  }

  function note(slot: Slot, error: unknown): void {
    if (!(error instanceof UnderstoryError) || error.code === "cancelled") return;
    slot.lastFault = error.message;
    if (error.code === "model_damaged" || error.code === "model_unsupported") slot.fault = error;
    // Its files are gone or set aside: another model may be the one in use now.
    if (error.code === "model_damaged" || error.code === "model_missing") active = new Map();
  }

  /** A question of few texts in one step; others in steps that a question can wait for. */
  async function ofTexts<Found>(
    input: { texts: readonly string[]; priority: Priority; modelId?: string; use?: Priority },
    signal: AbortSignal | undefined,
    atOnce: (thread: Thread, input: { key: string; texts: readonly string[]; use: Priority }) => Promise<Found[]>,
    run: (thread: Thread, input: { key: string; batch: EmbedBatch }) => Promise<Found[]>,
  ): Promise<Found[]> {
    const { texts, priority, modelId, use = priority } = input;
    if (texts.length === 0) return [];
    return call("text", { priority, items: texts.length, modelId, signal }, async (step) => {
      if (priority === "question" && texts.length <= textsAtOnce)
        return step((thread, key) => atOnce(thread, { key, texts, use }));
      const batches: EmbedBatch[] = [];
      for (const { start, part } of slices(texts, textsAtATime)) {
        const split = await step((thread, key) => thread.split({ key, texts: part, use }));
        for (const batch of split) batches.push(...cutBatch(batch, start, priority));
      }
      const results = new Array<Found>(texts.length);
      for (const batch of batches) {
        placeFound(results, batch.positions, await step((thread, key) => run(thread, { key, batch })));
      }
      return results;
    });
  }

  async function picture<T>(
    kind: ModelKind,
    { raster, priority }: { raster: Raster; priority: Priority },
    signal: AbortSignal | undefined,
    work: (thread: Thread, input: { key: string; raster: Raster }) => Promise<T>,
  ): Promise<T> {
    return call(kind, { priority, items: 1, signal }, (step) => step((thread, key) => work(thread, { key, raster })));
  }

  /** Ends what a model has begun, refuses what waits for it, closes and forgets it. */
  async function retire(slot: Slot): Promise<void> {
    const lane = lanes[kinds[slot.kind].lane];
    slot.leaving = true;
    lane.refuseWaiting(slot, missing(slot.purpose, undefined));
    lane.wake();
    await slot.drained();
    await slot.close();
    slots.delete(slot.key);
  }

  /** Closes idle models that are not the ones in use any more, and forgets those that were installed anew. */
  async function sweep(): Promise<void> {
    for (const slot of [...slots.values()]) {
      const installedAt = readInstalled(folder, slot.model)?.installedAt ?? "";
      if (installedAt !== slot.installedAt) await retire(slot);
      else if (activeFor(slot.purpose) !== slot.model && slot.mayClose(false)) await slot.close();
    }
  }

  return {
    async model(purpose): Promise<LoadedModel | null> {
      const kind = kindOf[purpose];
      const model = kind && activeFor(purpose);
      if (!kind || !model || closed) return null;
      const slot = slotOf(kind, model);
      if (slot.fault) return null;
      if (slot.loaded) return slot.loaded;
      // A step that does nothing opens the model.
      await call(kind, { priority: "question", items: 0 }, (step) => step(async () => null)).catch(() => null);
      return slot.loaded;
    },

    embed: (input, signal) =>
      ofTexts(
        input,
        signal,
        (thread, one) => thread.embedAtOnce(one),
        (thread, one) => thread.embed(one),
      ),

    readTexts: (input, signal) =>
      ofTexts(
        input,
        signal,
        (thread, one) => thread.readTextAtOnce(one),
        (thread, one) => thread.readText(one),
      ),

    async rerank({ question, texts, priority }, signal) {
      if (texts.length === 0) return [];
      return call("rerank", { priority, items: texts.length, signal }, async (step) => {
        const scores: number[] = [];
        for (const { part } of slices(texts, pairsAtATime)) {
          scores.push(...(await step((thread, key) => thread.rerank({ key, question, texts: part }))));
        }
        return scores;
      });
    },

    readPicture: (input, signal) => picture("ocr", input, signal, (thread, one) => thread.read(one)),
    lookAtPicture: (input, signal) => picture("tags", input, signal, (thread, one) => thread.look(one)),
    embedPicture: (input, signal) => picture("picture", input, signal, (thread, one) => thread.picture(one)),

    async embedCaptions({ texts, priority, modelId }, signal) {
      if (texts.length === 0) return [];
      return call("caption", { priority, items: texts.length, modelId, signal }, async (step) => {
        const vectors: Float32Array[] = [];
        for (const { part } of slices(texts, pairsAtATime)) {
          vectors.push(...(await step((thread, key) => thread.captions({ key, texts: part }))));
        }
        return vectors;
      });
    },

    reserve: (bytes, who, giveBack) => memory.reserve(bytes, who, giveBack),

    async refresh() {
      settings = options.settings();
      active = new Map();
      released.clear();
      await sweep();
      for (const lane of Object.values(lanes)) lane.wake();
    },

    async release(catalogueId) {
      released.add(catalogueId);
      await Promise.all([...slots.values()].filter(({ model }) => model.id === catalogueId).map(retire));
    },

    async stats() {
      return {
        models: [...slots.values()].map((slot) => ({
          id: slot.model.id,
          modelId: slot.loaded?.modelId ?? `${slot.model.id}@${slot.model.version}`,
          purpose: slot.purpose,
          memoryBytes: memory.measured(slot.key),
          inMemory: slot.inMemory,
          items: slot.items,
          busyMs: Math.round(slot.busyMs),
          fault: slot.fault?.message ?? slot.lastFault,
        })),
        waiting: { ...governor.calls },
        paused: governor.paused,
        replacedWorkers: lanes.text.replaced + lanes.pictures.replaced,
      };
    },

    async close() {
      closed = true;
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
      await memory.settled();
    },
  };
}

function missing(purpose: ModelPurpose, modelId: string | undefined): UnderstoryError {
  const which = modelId === undefined ? `No model for ${purpose}` : `No model ${modelId} for ${purpose}`;
  return new UnderstoryError("model_missing", `${which} is installed and in use.`, {
    hint: "Install one under Models, or switch its purpose on; search by words works without it.",
    details: { purpose },
  });
}
