import type { LanguageModel } from "#main/llm/ports.ts";
import type { LlmService, LoadedLlm } from "#main/workers/llm.worker.ts";
import type { Remote } from "#main/workers/service.ts";

/** A loaded model of the worker as the tasks see it. */
export function languageModel(worker: Remote<LlmService>, loaded: LoadedLlm): LanguageModel {
  return {
    modelId: loaded.modelId,
    contextTokens: loaded.contextTokens,
    parameters: loaded.parameters,
    generate: (input, signal) => worker.generate(input, signal),
    score: async (input, signal) => worker.score(input, signal),
    choose: async (input, signal) => worker.choose(input, signal),
    count: async (input, signal) => worker.count(input, signal),
  };
}
