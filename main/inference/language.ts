import type { MessagePort, Worker } from "node:worker_threads";
import { type LlmTask, llmTasks, type Settings, UnderstoryError } from "#contract";
import { type LanguageModel, listwiseParameters } from "#main/llm/ports.ts";
import { findModelFor, type ModelFor } from "#models/catalogue.ts";
import { activeModel } from "#models/installed.ts";
import type { LlmService } from "../workers/llm.worker.ts";
import { connectService, endService, exposeService, type Remote, type ServiceContext } from "../workers/service.ts";
import { spawnWorker } from "../workers/spawn.ts";
import { oneAtATime } from "../workers/turn.ts";
import type { InferenceHost, Reservation } from "./ports.ts";

/** The language model that is in use, opened when it is first asked. */
export interface Language {
  /** Tasks it may be given: those that it is known to be good for, as the person has changed them, and large enough for. Empty without a model. */
  tasks(): ReadonlySet<LlmTask>;
  /** Throws `model_missing`, `model_damaged`, `model_unsupported`, `memory_short` or `cancelled`. */
  model(signal?: AbortSignal): Promise<LanguageModel>;
}

export interface LanguageHost extends Language {
  /** Settings or installed models have changed. */
  refresh(): Promise<void>;
  /** Closes a model that is being removed. */
  release(catalogueId: string): Promise<void>;
  close(): Promise<void>;
}

export interface LanguageOptions {
  readonly modelsDir: string;
  /** Read at the start and at each `refresh`. */
  readonly settings: () => Settings;
  /** Its memory counts with that of the other models. */
  readonly memory: Pick<InferenceHost, "reserve">;
  /** For tests: another thread. */
  readonly spawn?: () => Worker;
}

/** Weights below which a model is not given a task, whatever is switched on: it would only spend time. */
const leastParameters: Partial<Record<LlmTask, number>> = {
  verifier: listwiseParameters,
  chain: listwiseParameters,
};

interface Running {
  readonly worker: Worker;
  readonly remote: Remote<LlmService>;
  dead: boolean;
}

interface Open {
  readonly id: string;
  readonly model: LanguageModel;
  readonly memory: Reservation;
}

/**
 * Owns the language model's thread: started by the first call, replaced when it crashes, its call then made once more.
 */
export function createLanguage(options: LanguageOptions): LanguageHost {
  const folder = options.modelsDir;
  let settings = options.settings();
  let running: Running | null = null;
  let open: Open | null = null;
  const inTurn = oneAtATime();

  function active(): ModelFor<"llm"> | null {
    const model = activeModel(folder, "llm", settings.models);
    return model && findModelFor("llm", model.id);
  }

  function thread(): Remote<LlmService> {
    if (running && !running.dead) return running.remote;
    const worker = options.spawn?.() ?? spawnWorker("llm");
    const fresh: Running = { worker, remote: connectService<LlmService>(worker, "language model"), dead: false };
    const die = () => {
      fresh.dead = true;
      if (running === fresh) forget();
    };
    worker.once("error", die);
    worker.once("exit", die);
    running = fresh;
    return fresh.remote;
  }

  /** The thread is gone, and with it the memory. */
  function forget(): void {
    open?.memory.release();
    open = null;
  }

  async function unload(): Promise<void> {
    const wasOpen = open;
    open = null;
    if (running && !running.dead) await running.remote.unload({});
    wasOpen?.memory.release();
  }

  /** For a model that needs the room: an idle language model gives its own. */
  async function giveBack(): Promise<boolean> {
    if (!running || running.dead || !open) return true;
    const { waiting } = await running.remote.stats({});
    if (waiting.question + waiting.background > 0) return false;
    await unload();
    return true;
  }

  function load(signal: AbortSignal | undefined): Promise<LanguageModel> {
    return inTurn(async () => {
      const entry = active();
      if (!entry) {
        throw new UnderstoryError("model_missing", "No language model is in use.", {
          hint: "Install one under Models; answers work without it.",
        });
      }
      if (open?.id === entry.id && running && !running.dead) return open.model;
      await unload();
      const memory = await options.memory.reserve(entry.memoryBytes, entry.title, giveBack);
      try {
        const input = { modelId: entry.id, folder, gpu: settings.gpu };
        const { modelId, contextTokens, parameters } = await thread().load(input, signal);
        open = { id: entry.id, memory, model: { modelId, contextTokens, parameters, ...calls } };
        return open.model;
      } catch (error) {
        memory.release();
        throw error;
      }
    });
  }

  /** A call that a crash of the thread cut off is made once more in a new one. */
  async function once<T>(
    signal: AbortSignal | undefined,
    call: (remote: Remote<LlmService>) => Promise<T>,
  ): Promise<T> {
    await load(signal);
    try {
      return await call(thread());
    } catch (error) {
      if (!(error instanceof UnderstoryError) || error.code !== "worker_crashed" || signal?.aborted) throw error;
    }
    await load(signal);
    try {
      return await call(thread());
    } catch (error) {
      if (!(error instanceof UnderstoryError) || error.code !== "worker_crashed") throw error;
      throw new UnderstoryError("inference_failed", "The language model stopped twice at the same task.", {
        hint: "Answers go on without it. Choose a smaller model under Models if it happens again.",
        cause: error,
      });
    }
  }

  const calls: Pick<LanguageModel, "generate" | "score" | "choose" | "count"> = {
    async *generate(input, signal) {
      await load(signal);
      yield* thread().generate(input, signal);
    },
    score: (input, signal) => once(signal, (remote) => remote.score(input, signal)),
    choose: (input, signal) => once(signal, (remote) => remote.choose(input, signal)),
    count: (input, signal) => once(signal, (remote) => remote.count(input, signal)),
  };

  return {
    tasks() {
      const model = active();
      if (!model) return new Set();
      const { parameters, tasks } = model.llm;
      const able = (task: LlmTask) => parameters >= (leastParameters[task] ?? 0);
      return new Set(llmTasks.filter((task) => able(task) && (settings.llmTasks[task] ?? tasks.includes(task))));
    },
    model: load,
    async refresh() {
      settings = options.settings();
      if (open && active()?.id !== open.id) await inTurn(unload);
    },
    async release(id) {
      if (open?.id === id) await inTurn(unload);
    },
    async close() {
      await inTurn(async () => {
        const ending = running;
        running = null;
        forget();
        if (ending && !ending.dead) await endService(ending.worker);
      });
    },
  };
}

/** What crosses a port: the model's facts once, then its calls. */
export interface LanguageService extends Omit<LlmService, "load" | "unload" | "stats"> {
  tasks(input: Record<string, never>): Promise<readonly LlmTask[]>;
  use(
    input: Record<string, never>,
    context: ServiceContext,
  ): Promise<Pick<LanguageModel, "modelId" | "contextTokens" | "parameters">>;
}

/** Serves the language model to another thread; `connectLanguage` is the other end. */
export function serveLanguage(port: MessagePort, language: Language): void {
  exposeService<LanguageService>(port, {
    tasks: async () => [...language.tasks()],
    async use(_input, { signal }) {
      const { modelId, contextTokens, parameters } = await language.model(signal);
      return { modelId, contextTokens, parameters };
    },
    async *generate(input, { signal }) {
      yield* (await language.model(signal)).generate(input, signal);
    },
    score: async (input, { signal }) => (await language.model(signal)).score(input, signal),
    choose: async (input, { signal }) => (await language.model(signal)).choose(input, signal),
    count: async (input, { signal }) => (await language.model(signal)).count(input, signal),
  });
}

export function connectLanguage(port: MessagePort): {
  tasks(): Promise<readonly LlmTask[]>;
  model(signal?: AbortSignal): Promise<LanguageModel>;
} {
  const remote = connectService<LanguageService>(port, "language model");
  return {
    tasks: () => remote.tasks({}),
    async model(signal) {
      const facts = await remote.use({}, signal);
      return {
        ...facts,
        generate: (input, after) => remote.generate(input, after),
        score: (input, after) => remote.score(input, after),
        choose: (input, after) => remote.choose(input, after),
        count: (input, after) => remote.count(input, after),
      };
    },
  };
}
