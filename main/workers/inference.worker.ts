import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { UnderstoryError } from "#contract";
import { openTextEmbedder, type TextEmbedder } from "#models/text/embed.ts";
import { openers } from "../inference/openers.ts";
import { serveModels } from "../inference/thread.ts";
import { type EmbedPriority, EmbedQueue } from "./inference-queue.ts";
import { exposeService, type ServiceContext } from "./service.ts";

export type { EmbedPriority } from "./inference-queue.ts";

export interface LoadedModel {
  /** Identity of the vector space: the catalogue id, or `id+hash` when the weights are another build of the same model. */
  readonly modelId: string;
  readonly dimension: number;
}

export interface InferenceStats {
  readonly loaded: LoadedModel | null;
  /** Whether the model is in memory just now. */
  readonly inMemory: boolean;
  /** Texts embedded since the worker started. */
  readonly texts: number;
  readonly batches: number;
  /** Milliseconds spent in the model. */
  readonly busyMs: number;
  /** Requests not yet answered. */
  readonly waiting: { readonly question: number; readonly background: number };
}

/** The inference thread. One model in memory at a time; it is unloaded after some idle minutes and comes back by itself. */
export interface InferenceService {
  /** Reads, checks and opens an installed model. Throws `model_missing` or `model_damaged`. `folder` is the models folder. */
  load(input: { modelId: string; folder: string }): Promise<LoadedModel>;
  /** The model that `embed` answers with, or null when none was loaded. */
  current(input: Record<string, never>): Promise<LoadedModel | null>;
  /** One unit vector a text, in order. Questions go before background work. Throws `model_missing` when none was loaded. */
  embed(input: { texts: readonly string[]; priority: EmbedPriority }, context: ServiceContext): Promise<Float32Array[]>;
  unload(input: Record<string, never>): Promise<void>;
  stats(input: Record<string, never>): Promise<InferenceStats>;
}

/** What the worker is started with: further ports on which the same service answers, and how long a model may idle. */
export interface InferenceWorkerData {
  readonly ports?: readonly MessagePort[];
  readonly idleMs?: number;
}

const { ports = [], idleMs = 5 * 60_000 }: InferenceWorkerData = workerData ?? {};

/** What was asked for last; kept when the model itself is out of memory. */
let wanted: { modelId: string; folder: string; loaded: LoadedModel } | null = null;
let opened: Promise<TextEmbedder> | null = null;
let idleTimer: NodeJS.Timeout | undefined;

const queue = new EmbedQueue(() => {
  if (!wanted) {
    throw new UnderstoryError("model_missing", "No embedding model is loaded.", {
      hint: "Install one under Models; search by words works without it.",
    });
  }
  clearTimeout(idleTimer);
  idleTimer = setTimeout(() => void close(), idleMs);
  idleTimer.unref();
  opened ??= openTextEmbedder(wanted).catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
});

async function close(): Promise<void> {
  clearTimeout(idleTimer);
  await queue.idle();
  const embedder = opened;
  opened = null;
  await (await embedder?.catch(() => null))?.dispose();
}

/** Loads and unloads one after the other, so that never two models are open. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = turn.then(work, work);
  turn = next.catch(() => undefined);
  return next;
}

const service: InferenceService = {
  load: (input) =>
    inTurn(async () => {
      if (wanted?.modelId === input.modelId && wanted.folder === input.folder) return wanted.loaded;
      wanted = null;
      await close();
      const embedder = await openTextEmbedder(input);
      const loaded = { modelId: embedder.modelId, dimension: embedder.dimension };
      opened = Promise.resolve(embedder);
      wanted = { ...input, loaded };
      return loaded;
    }),
  current: async () => wanted?.loaded ?? null,
  embed: (input, { signal }) => queue.add(input.texts, input.priority, signal),
  unload: () =>
    inTurn(async () => {
      wanted = null;
      await close();
    }),
  stats: async () => ({
    loaded: wanted?.loaded ?? null,
    inMemory: opened !== null,
    texts: queue.texts,
    batches: queue.batches,
    busyMs: queue.busyMs,
    waiting: queue.waiting,
  }),
};

// A lane of `createInference`, or the embedding service of before.
if (parentPort && workerData?.lane !== undefined) serveModels(parentPort, openers);
else for (const port of [...(parentPort ? [parentPort] : []), ...ports]) exposeService<InferenceService>(port, service);
