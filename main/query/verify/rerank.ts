import { z } from "zod";
import { type QueryPlan, type RecordId, UnderstoryError } from "#contract";
import { recordLine, zValues } from "#main/llm/relevance.ts";
import { type Candidate, candidateSettings } from "../candidates/candidates.ts";
import type { Rerank } from "../ports.ts";
import { evidenceOf } from "./evidence.ts";
import { logit, type Opinion, sigmoid } from "./opinion.ts";
import weightsFile from "./rerank-weights.json" with { type: "json" };

/**
 * Tier `reranked`: a cross-encoder reads the question together with each candidate. Its logits come from another world than
 * the archive's, so they are mixed with the first stage's calibrated ones instead of taking their place.
 */

const mixture = z.object({
  /** p = σ(bias + logit·logit(p₀) + score·s + z·z(s)); s: the cross-encoder's logit, z(s): standardised within the candidates. */
  bias: z.number(),
  logit: z.number(),
  score: z.number(),
  z: z.number(),
});
const fileSchema = z.object({
  fold: z.string(),
  date: z.string(),
  /** By catalogue id; `other` for models that were not measured. */
  models: z.record(z.string(), mixture).and(z.object({ other: mixture })),
});
export const rerankFile = fileSchema.parse(weightsFile);

/** Characters of a record that are handed over; the model cuts to its own window. */
const lineLength = 2_000;

/** p of the candidates with a cross-encoder's view in it. Throws what the model throws, and `inference_failed` when scores are missing. */
export async function rerankCandidates(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  rerank: Rerank,
  signal?: AbortSignal,
): Promise<Opinion> {
  const started = performance.now();
  const first = candidates.slice(0, candidateSettings.candidates);
  const texts = first.map((candidate) => recordLine(evidenceOf(candidate)).slice(0, lineLength));
  const { modelId, logits } =
    texts.length === 0
      ? { modelId: "none", logits: [] }
      : await rerank({ question: plan.question.slice(0, 1_000), texts }, signal);
  if (logits.length !== texts.length || logits.some((value) => !Number.isFinite(value))) {
    throw new UnderstoryError("inference_failed", "The reranker gave no score for some records.", {
      hint: "The answer stands as it was found without it.",
    });
  }
  const judged = mixed(first, logits, modelId);
  const detail = { model: modelId, ms: performance.now() - started, judged: judged.size };
  return { tier: "reranked", judged, rows: null, detail };
}

function mixed(first: readonly Candidate[], logits: readonly number[], modelId: string): Map<RecordId, number> {
  const weights = rerankFile.models[modelId.split("@")[0] ?? ""] ?? rerankFile.models.other;
  const standard = zValues(logits);
  return new Map(
    first.map(({ recordId, prior }, at) => [
      recordId,
      sigmoid(
        weights.bias +
          weights.logit * logit(prior) +
          weights.score * (logits[at] ?? 0) +
          weights.z * (standard[at] ?? 0),
      ),
    ]),
  );
}
