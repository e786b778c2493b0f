import { stat } from "node:fs/promises";
import { freemem } from "node:os";
import type { Llama, LlamaModel, Token } from "node-llama-cpp";
import { UnderstoryError } from "#contract";
import type { GrammarSchema } from "./grammar.ts";
import { withoutFork } from "./llama-electron.ts";

/** Tokens of one model's vocabulary. */
export type Tokens = readonly Token[];

export interface ChatTurn {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

export interface OpenLlamaOptions {
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number;
  /** Null: the physical cores but one, so that the machine stays usable; at least one. */
  readonly threads: number | null;
  /** `auto`: Metal or Vulkan (or CUDA, when a person has installed its build) where there is one. */
  readonly gpu: "auto" | "off";
  readonly signal?: AbortSignal | undefined;
  /** Most memory that it may take, bytes, when that is less than what the machine has free. */
  readonly ceilingBytes?: number | undefined;
}

export interface GenerateOptions {
  /** Most tokens of the answer; prompt and answer must fit into the context. */
  readonly maxTokens: number;
  /** 0: always the likeliest token, the same text each time. Above, `seed` makes it repeatable. */
  readonly temperature: number;
  readonly seed: number;
  /** Holds the answer to this shape: it is JSON of it, unless `maxTokens` cuts it off. */
  readonly schema?: GrammarSchema | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An open language model with one sequence: one call at a time, the next only when the last has ended. An aborted call is
 * rejected with `cancelled` at once; the few tokens that are being read are read to their end before the next call begins.
 */
export interface OpenLlama {
  readonly contextTokens: number;
  readonly threads: number;
  /** `metal`, `vulkan`, `cuda`, or null on the processor. */
  readonly gpu: string | null;
  /** People's text: what looks like a mark of the chat template stays text. */
  tokenise(text: string): Tokens;
  /** The conversation by the model's own chat template, up to where its next answer begins. Only the template's marks are marks. */
  render(turns: readonly ChatTurn[]): Tokens;
  /** Streams the answer to a prompt. What the context still holds of its beginning is not read again. */
  generate(prompt: Tokens, options: GenerateOptions): AsyncGenerator<string, void, void>;
  /** Natural logarithms of the probabilities of the tokens of `continuation` after `prefix`, one a token. */
  logLikelihood(prefix: Tokens, continuation: Tokens, signal?: AbortSignal): Promise<Float64Array>;
  /** Tokens read and written since it was opened, and how many of the prompts' tokens were still there. */
  readonly meter: { readonly read: number; readonly written: number; readonly reused: number };
  dispose(): Promise<void>;
}

/** Networks in GGUF that give vectors and write nothing. */
const encoders = /^(bert|nomic-bert|nomic-bert-moe|jina-bert-v2|jina-bert-v3|t5encoder|clip|modern-bert|neo-bert)$/;
/** Buffers for computing and the tokeniser, beside weights and context, bytes. */
const workingBytes = 120_000_000;

/** One runtime a thread and kind of machine; it stays, models come and go. */
const runtimes = new Map<string, Promise<Llama>>();
/** What llama.cpp complained about last: the only place where it says why a file does not load. */
let complaints: string[] = [];

async function runtime(gpu: "auto" | "off"): Promise<Llama> {
  const { getLlama, LlamaLogLevel } = await import("node-llama-cpp");
  let one = runtimes.get(gpu);
  if (!one) {
    // Never builds, never downloads, writes nothing: a build that is not there is an error.
    one = withoutFork(() =>
      getLlama({
        gpu: gpu === "auto" ? "auto" : false,
        build: "never",
        usePrebuiltBinaries: true,
        skipDownload: true,
        progressLogs: false,
        logLevel: LlamaLogLevel.error,
        logger: (_level, message) => {
          complaints = [...complaints.slice(-19), message.trim()];
        },
      }),
    );
    runtimes.set(gpu, one);
    one.catch(() => runtimes.delete(gpu));
  }
  try {
    return await one;
  } catch (cause) {
    throw new UnderstoryError("model_unsupported", "Language models do not run on this machine.", {
      hint: "There is no build of llama.cpp for it. Everything else works without a language model.",
      cause,
    });
  }
}

/**
 * Opens a GGUF file. Throws `model_missing`, `model_damaged`, `model_unsupported` (another kind of network), `memory_short`
 * (with what it needs and what is free) or `cancelled`.
 */
export async function openLlama(path: string, options: OpenLlamaOptions): Promise<OpenLlama> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile())
    throw new UnderstoryError("model_missing", "The file of the language model is not there.", { details: { path } });
  const { readGgufFileInfo, GgufInsights, JinjaTemplateChatWrapper, GeneralChatWrapper } = await import(
    "node-llama-cpp"
  );
  const { LlamaSequence } = await import("./llama-sequence.ts");
  const llama = await runtime(options.gpu);
  const info = await readGgufFileInfo(path, { sourceType: "filesystem", logWarnings: false }).catch(
    (cause: unknown) => {
      throw damaged(path, "it is no GGUF file, or its beginning is damaged", cause);
    },
  );
  const architecture = String(info.metadata.general?.architecture ?? "unknown");
  if (encoders.test(architecture)) throw unsupported(path, architecture);

  const insights = await GgufInsights.from(info, llama);
  const contextTokens = Math.min(options.contextTokens, insights.trainContextSize ?? options.contextTokens);
  if (llama.gpu === false) {
    const weights = await insights.estimateModelResourceRequirements({ gpuLayers: 0, useMmap: false });
    const context = insights.estimateContextResourceRequirements({
      contextSize: contextTokens,
      modelGpuLayers: 0,
      batchSize,
    });
    const needed = weights.cpuRam + context.cpuRam + workingBytes;
    const free = freeBytes((await llama.getRamState()).free);
    const available = Math.min(free, options.ceilingBytes ?? free);
    if (needed > available) throw memoryShort(path, needed, available);
  }

  const threads = options.threads ?? Math.max(1, llama.cpuMathCores - 1);
  complaints = [];
  let model: LlamaModel | null = null;
  try {
    model = await llama.loadModel({
      modelPath: path,
      ...(llama.gpu === false ? { gpuLayers: 0 } : {}),
      // Weights are repacked for the processor: a mapped file would be in memory twice.
      useMmap: llama.gpu === false ? false : "auto",
      ...(options.signal ? { loadSignal: options.signal } : {}),
    });
    const context = await model.createContext({
      contextSize: contextTokens,
      threads,
      batchSize,
      // Models with sliding windows could not take up a prefix again without it.
      swaFullCache: true,
      failedCreationRemedy: false,
      ...(options.signal ? { createSignal: options.signal } : {}),
    });
    const template: unknown = info.metadata.tokenizer?.chat_template;
    const wrapper =
      typeof template === "string" && template.length > 0
        ? new JinjaTemplateChatWrapper({ template, reasoning: false })
        : new GeneralChatWrapper();
    return new LlamaSequence({ llama, model, context, wrapper, threads });
  } catch (cause) {
    await model?.dispose();
    throw await loadFailure(path, architecture, cause, options.signal);
  }
}

/** Tokens in one call of llama.cpp, at most. */
const batchSize = 512;

/** Memory that a model may take: what the system gives away without swapping, within a container's limit. */
function freeBytes(llamaFree: number): number {
  if (process.platform === "linux") return process.availableMemory();
  // Elsewhere Node counts only pages that are empty, not those that can be had.
  return Math.max(freemem(), llamaFree);
}

const damaged = (path: string, why: string, cause: unknown) =>
  new UnderstoryError("model_damaged", `The language model cannot be used: ${why}.`, {
    hint: "Your archive is not touched. Install the model again.",
    details: { path },
    cause,
  });

const unsupported = (path: string, architecture: string, cause?: unknown) =>
  new UnderstoryError(
    "model_unsupported",
    `The file is a model of the kind "${architecture}", which cannot be run here.`,
    {
      hint: "Install one of the language models of the catalogue.",
      details: { path, architecture },
      ...(cause === undefined ? {} : { cause }),
    },
  );

function memoryShort(path: string, neededBytes: number, availableBytes: number | null): UnderstoryError {
  const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  const free = availableBytes === null ? "less is free" : `${gb(availableBytes)} are free`;
  return new UnderstoryError("memory_short", `The language model needs ${gb(neededBytes)} of memory, and ${free}.`, {
    hint: "Close other programs, or choose a smaller language model under Models. Answers work without one.",
    details: { path, neededBytes, availableBytes },
  });
}

async function loadFailure(path: string, architecture: string, cause: unknown, signal: AbortSignal | undefined) {
  if (signal?.aborted) return new UnderstoryError("cancelled", "Opening the language model was cancelled.");
  const { InsufficientMemoryError } = await import("node-llama-cpp");
  const said = [...complaints, cause instanceof Error ? cause.message : String(cause)].join("\n");
  if (cause instanceof InsufficientMemoryError) {
    return memoryShort(path, (await stat(path)).size + workingBytes, null);
  }
  if (/unknown (model )?architecture|unsupported|not supported/i.test(said))
    return unsupported(path, architecture, cause);
  return damaged(path, "llama.cpp refuses its weights, so the file is cut off or changed", cause);
}
