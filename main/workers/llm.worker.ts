import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { UnderstoryError } from "#contract";
import type { GenerateInput, Priority, Turn } from "#main/llm/ports.ts";
import { findModelFor } from "#models/catalogue.ts";
import { checkedModelPaths } from "#models/installed.ts";
import { type OpenLlama, openLlama } from "#native/llama.ts";
import { chooseWith, countWith, generateWith, scoreWith } from "./llm-engine.ts";
import { exposeService, type ServiceContext } from "./service.ts";
import { TurnQueue } from "./turn-queue.ts";

export interface LlmLoadInput {
  /** Catalogue id. */
  readonly modelId: string;
  /** The models folder. */
  readonly folder: string;
  /** The catalogue's when absent. */
  readonly contextTokens?: number;
  /** By the machine when absent. */
  readonly threads?: number;
  readonly gpu?: "auto" | "off";
  /** Most memory that it may take, bytes. */
  readonly ceilingBytes?: number;
}

export interface LoadedLlm {
  /** Key of what is derived with it (`derivedBy`). */
  readonly modelId: string;
  readonly parameters: number;
  readonly contextTokens: number;
  readonly threads: number;
  /** `metal`, `vulkan`, `cuda`, or null on the processor. */
  readonly gpu: string | null;
  /** Growth of the process when it was opened, bytes. */
  readonly memoryBytes: number;
}

export interface LlmStats {
  readonly loaded: LoadedLlm | null;
  readonly inMemory: boolean;
  /** Tokens since the model was opened; `reused`: tokens of prompts that were still in the context. */
  readonly tokens: { readonly read: number; readonly written: number; readonly reused: number };
  readonly waiting: Readonly<Record<Priority, number>>;
}

/**
 * The language model's thread. One model in memory, which leaves it after some idle minutes and comes back by itself. One
 * call at a time; questions go before background work. Calls throw `model_missing` when nothing was loaded.
 */
export interface LlmService {
  /**
   * Checks and opens an installed model in place of the one before. Throws `model_missing`, `model_damaged`,
   * `model_unsupported` or `memory_short`.
   */
  load(input: LlmLoadInput, context: ServiceContext): Promise<LoadedLlm>;
  generate(input: GenerateInput, context: ServiceContext): AsyncIterable<string>;
  score(
    input: { readonly turns: readonly Turn[]; readonly texts: readonly string[]; readonly priority: Priority },
    context: ServiceContext,
  ): Promise<Float64Array[]>;
  choose(
    input: { readonly turns: readonly Turn[]; readonly answers: readonly string[]; readonly priority: Priority },
    context: ServiceContext,
  ): Promise<number[]>;
  count(input: { readonly texts: readonly string[] }, context: ServiceContext): Promise<number[]>;
  unload(input: Record<string, never>): Promise<void>;
  stats(input: Record<string, never>): Promise<LlmStats>;
}

export interface LlmWorkerData {
  readonly ports?: readonly MessagePort[];
  readonly idleMs?: number;
}

const { ports = [], idleMs = 5 * 60_000 }: LlmWorkerData = workerData ?? {};

const queue = new TurnQueue();
/** What was asked for last; kept when the model itself is out of memory. */
let wanted: { input: LlmLoadInput; loaded: LoadedLlm } | null = null;
let opened: OpenLlama | null = null;
let idleTimer: NodeJS.Timeout | undefined;
let usedAt = 0;
const never = new AbortController().signal;

async function open(input: LlmLoadInput, signal: AbortSignal): Promise<LoadedLlm> {
  const { llm, files } = findModelFor("llm", input.modelId);
  const { modelId, paths } = await checkedModelPaths({ modelId: input.modelId, folder: input.folder, signal });
  const weights = files.find(({ role }) => role === "weights")?.name ?? "";
  const before = process.memoryUsage.rss();
  const llama = await openLlama(paths.get(weights) ?? "", {
    contextTokens: input.contextTokens ?? llm.context,
    threads: input.threads ?? null,
    gpu: input.gpu ?? "auto",
    signal,
    ceilingBytes: input.ceilingBytes,
  });
  opened = llama;
  const { contextTokens, threads, gpu } = llama;
  const memoryBytes = Math.max(0, process.memoryUsage.rss() - before);
  return { modelId, parameters: llm.parameters, contextTokens, threads, gpu, memoryBytes };
}

async function close(): Promise<void> {
  const llama = opened;
  opened = null;
  await llama?.dispose();
}

/** The open model, in its turn: opened again when it had been idle. */
async function model(signal: AbortSignal): Promise<OpenLlama> {
  clearTimeout(idleTimer);
  if (!wanted) {
    throw new UnderstoryError("model_missing", "No language model is loaded.", {
      hint: "Install one under Models; answers work without it.",
    });
  }
  if (!opened) await open(wanted.input, signal);
  if (!opened) throw new UnderstoryError("internal", "The language model was opened and is not there.");
  return opened;
}

/** After a call: the model leaves memory when nothing is asked of it for a while. */
function rest(): void {
  clearTimeout(idleTimer);
  usedAt = performance.now();
  const leave = async () => {
    // A call may have come in while this waited for its turn.
    if (performance.now() - usedAt >= idleMs - 1) await close();
  };
  idleTimer = setTimeout(() => void queue.run("background", never, leave), idleMs);
  idleTimer.unref();
}

/** One call to the model when its turn comes. */
function call<T>(priority: Priority, signal: AbortSignal, work: (llama: OpenLlama) => T | Promise<T>): Promise<T> {
  return queue.run(priority, signal, async () => work(await model(signal))).finally(rest);
}

const service: LlmService = {
  load: (input, { signal }) =>
    queue.run("question", signal, async () => {
      if (wanted && JSON.stringify(wanted.input) === JSON.stringify(input)) return wanted.loaded;
      wanted = null;
      await close();
      const loaded = await open(input, signal);
      wanted = { input, loaded };
      rest();
      return loaded;
    }),
  async *generate(input, { signal }) {
    const release = await queue.take(input.priority, signal);
    try {
      yield* generateWith(await model(signal), input, signal);
    } finally {
      release();
      rest();
    }
  },
  async score({ turns, texts, priority }, { signal }) {
    const scores: Float64Array[] = [];
    // A turn for each text: a question waits for one of them. What they have in common stays in the context.
    for (const text of texts) {
      const [score] = await call(priority, signal, (llama) => scoreWith(llama, { turns, texts: [text] }, signal));
      if (score) scores.push(score);
    }
    return scores;
  },
  choose: (input, { signal }) => call(input.priority, signal, (llama) => chooseWith(llama, input, signal)),
  count: ({ texts }, { signal }) => call("question", signal, (llama) => countWith(llama, texts)),
  unload: () =>
    queue.run("question", never, async () => {
      wanted = null;
      clearTimeout(idleTimer);
      await close();
    }),
  stats: async () => ({
    loaded: wanted?.loaded ?? null,
    inMemory: opened !== null,
    tokens: opened ? { ...opened.meter } : { read: 0, written: 0, reused: 0 },
    waiting: queue.waiting,
  }),
};

for (const port of [...(parentPort ? [parentPort] : []), ...ports]) exposeService<LlmService>(port, service);
