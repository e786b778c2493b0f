import type { TokenPair } from "#native/tokenizer.ts";
import { findModelFor, type ModelFor } from "../catalogue.ts";
import { batchLimits, dependsOnBatch, groupRows, oneByOne, trialTexts } from "./batches.ts";
import { failed, openTextNetwork, type TextNetwork, tryOut } from "./network.ts";

/** A cross-encoder: it reads a question and a text together (Nogueira and Cho 2019) and says how well they fit. */
export interface TextReranker {
  /** Identity of the scores (`derivedBy`): those of two models are never compared. */
  readonly modelId: string;
  /**
   * One logit a text, in the order of `texts`, higher is better; what a text gets does not depend on the others. Texts are
   * cut to the model's window, the question only when it alone fills half of it. Throws `inference_failed`.
   */
  score(question: string, texts: readonly string[]): Promise<number[]>;
  dispose(): Promise<void>;
}

/**
 * Opens an installed reranker; its files are checked against their hashes and the network is tried out. Throws
 * `model_missing`, `model_unsupported` or `model_damaged` (the model is then in quarantine). `model` stands for the
 * catalogue's entry of this id.
 */
export async function openReranker(input: {
  modelId: string;
  folder: string;
  model?: ModelFor<"reranker">;
}): Promise<TextReranker> {
  const model = input.model ?? findModelFor("reranker", input.modelId);
  const network = await openTextNetwork(input.folder, model, model.reranker);
  const scoresOf = (pairs: readonly TokenPair[]) => scorePairs(network, model, pairs);
  const limits = await tryOut(network, async () => {
    const pair = network.tokenizer.pairWith(trialTexts[1]);
    const pairs = trialTexts.map((text) => pair(text));
    const depends = await dependsOnBatch(pairs, async (rows) => (await scoresOf(rows)).map((score) => [score]));
    return depends ? oneByOne : batchLimits;
  });
  return {
    modelId: network.modelId,
    async score(question, texts) {
      const pair = network.tokenizer.pairWith(question);
      const pairs = texts.map((text) => pair(text));
      const scores = new Array<number>(texts.length);
      for (const { positions, rows } of groupRows(pairs, ({ ids }) => ids.length, limits)) {
        const found = await scoresOf(rows);
        positions.forEach((position, at) => {
          scores[position] = found[at] ?? Number.NEGATIVE_INFINITY;
        });
      }
      return scores;
    },
    dispose: () => network.dispose(),
  };
}

async function scorePairs(
  network: TextNetwork,
  { title }: ModelFor<"reranker">,
  pairs: readonly TokenPair[],
): Promise<number[]> {
  const { data, dims } = await network.run(pairs, 2);
  if (dims[1] !== 1) throw failed(title, "does not give one score a pair");
  if (!data.every(Number.isFinite)) throw failed(title, "gives scores that are no numbers");
  return [...data];
}
