import type { LanguageModel } from "#main/llm/ports.ts";
import { verifyTasks } from "#main/query/ports.ts";
import { verifyWithModel } from "#main/query/verify/model.ts";
import { rerankCandidates } from "#main/query/verify/rerank.ts";
import { chooseWith, countWith, generateWith, scoreWith } from "#main/workers/llm-engine.ts";
import { findModelFor } from "#models/catalogue.ts";
import { checkedModelPaths } from "#models/installed.ts";
import { openReranker } from "#models/text/rerank.ts";
import { openLlama } from "#native/llama.ts";
import type { Opine } from "./forest.ts";

/** The tiers beyond the instant one, opened for a bench. */

export interface OpenTier {
  readonly name: string;
  readonly opine: Opine;
  dispose(): Promise<void>;
}

/** Tier `reranked` by an installed cross-encoder. */
export async function openRerankedTier(modelId: string, folder: string): Promise<OpenTier> {
  const reranker = await openReranker({ modelId, folder });
  return {
    name: `reranked by ${modelId}`,
    opine: (plan, { candidates }) =>
      rerankCandidates(plan, candidates, async ({ question, texts }) => ({
        modelId: reranker.modelId,
        logits: await reranker.score(question, texts),
      })),
    dispose: () => reranker.dispose(),
  };
}

/** Tier `verified` by an installed language model: both verifiers, or query likelihood when it is small. */
export async function openVerifiedTier(modelId: string, folder: string): Promise<OpenTier> {
  const { llm } = findModelFor("llm", modelId);
  const { paths } = await checkedModelPaths({ modelId, folder });
  const llama = await openLlama(paths.get("model.gguf") ?? "", { contextTokens: 8192, threads: 1, gpu: "off" });
  // One call at a time: the two verifiers are asked side by side and answered one after the other.
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = before.then(work, work);
    before = mine.catch(() => null);
    return mine;
  };
  const model: LanguageModel = {
    modelId,
    contextTokens: llama.contextTokens,
    parameters: llm.parameters,
    async *generate(input, signal) {
      yield await inTurn(async () => {
        let text = "";
        for await (const piece of generateWith(llama, input, signal)) text += piece;
        return text;
      });
    },
    score: (input, signal) => inTurn(() => scoreWith(llama, input, signal)),
    choose: (input, signal) => inTurn(() => chooseWith(llama, input, signal)),
    count: async ({ texts }) => countWith(llama, texts),
  };
  const tasks = new Set(verifyTasks);
  return {
    name: `verified by ${modelId}`,
    opine: (plan, set) => verifyWithModel(plan, set, model, tasks),
    dispose: () => llama.dispose(),
  };
}
