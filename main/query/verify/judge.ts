import { z } from "zod";
import type { QueryPlan, RecordId } from "#contract";
import type { LanguageModel } from "#main/llm/ports.ts";
import { questionLikelihoods, relevanceDepth, zValues } from "#main/llm/relevance.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { evidenceOf } from "./evidence.ts";
import weightsFile from "./judge-weights.json" with { type: "json" };

/**
 * A language model's second opinion on the first ranks: how likely it finds the question after each record. It orders and
 * calibrates the first ten; which records are looked at it does not change (measured: no gain in recall).
 */

const modelSchema = z.object({
  /** p = σ(bias + logit·logit(p₀) + likelihood·L + z·z(L)); L: mean log-probability of the question's tokens, z within the ten. */
  bias: z.number(),
  logit: z.number(),
  likelihood: z.number(),
  z: z.number(),
});
const fileSchema = z.object({
  fold: z.string(),
  date: z.string(),
  questions: z.number().int(),
  /** Log loss of the first stage and of the mixture, each conversation by a fit of the others. */
  logLoss: z.object({ before: z.number(), after: z.number() }),
  /** By catalogue id; `other` for models that were not measured. */
  models: z.record(z.string(), modelSchema),
});
export const judgeFile = fileSchema.parse(weightsFile);

/**
 * Probability of each of the first candidates by record, with the model's opinion in it. Their order is half the first
 * stage's and half the likelihood's (z-values within the ten); the calibrated probabilities are given out in that order
 * (measured: log loss .230 → .200, MRR 68.0 → 68.5; ordered by the calibrated values themselves MRR falls to 65.1).
 */
export async function judgeFirst(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  model: LanguageModel,
  signal?: AbortSignal,
): Promise<Map<RecordId, number>> {
  const first = candidates.slice(0, relevanceDepth);
  const input = {
    question: plan.question.slice(0, 1_000),
    records: first.map(evidenceOf),
    priority: "question",
  } as const;
  const likelihoods = await questionLikelihoods(model, input, signal);
  const weights = judgeFile.models[model.modelId.split("@")[0] ?? ""] ?? judgeFile.models.other;
  if (!weights) return new Map();
  const z = zValues(likelihoods);
  const scores = zValues(first.map(({ score }) => score));
  const order = first
    .map((_, at) => at)
    .sort((a, b) => (scores[b] ?? 0) + (z[b] ?? 0) - (scores[a] ?? 0) - (z[a] ?? 0));
  const probabilities = first
    .map(({ probability }, at) => {
      const p = Math.min(0.999, Math.max(0.001, probability));
      const logit = Math.log(p / (1 - p));
      const sum =
        weights.bias + weights.logit * logit + weights.likelihood * (likelihoods[at] ?? 0) + weights.z * (z[at] ?? 0);
      return 1 / (1 + Math.exp(-sum));
    })
    .sort((a, b) => b - a);
  return new Map(order.map((at, place) => [first[at]?.recordId ?? 0, probabilities[place] ?? 0]));
}
