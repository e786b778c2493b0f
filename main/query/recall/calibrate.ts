import { z } from "zod";
import { type FeatureName, type Features, featureNames } from "../ports.ts";
import weightsFile from "./weights.json" with { type: "json" };

const ranker = z.object({
  /** Linear weights over raw features. */
  weights: z.partialRecord(z.enum(featureNames), z.number()),
  /** p = σ(a·(s − s₁₀) + b), Platt's scaling of the score over that of the tenth record: better calibrated than the bare score. */
  platt: z.object({ a: z.number(), b: z.number() }),
  /** Stands in for s₁₀ where fewer than ten records were found. */
  baseline: z.number(),
});
const fileSchema = z.object({
  name: z.string(),
  fold: z.string(),
  date: z.string(),
  /** Without and with an embedding model. */
  lexical: ranker,
  vectors: ranker,
  notFound: z.object({
    /** A record around which less than this share of the question's words (by idf) is said is no answer, unless its meaning is near. */
    coverage: z.number(),
    /** Cosine from which likeness of meaning lowers that share. */
    cosine: z.number(),
  }),
});

export const rankerFile = fileSchema.parse(weightsFile);
export type Ranker = z.infer<typeof ranker>;

export function rankerFor(vectors: boolean): Ranker {
  return vectors ? rankerFile.vectors : rankerFile.lexical;
}

/** Linear score and its parts by feature. */
export function scoreOf(features: Features, { weights }: Ranker): { score: number; parts: Record<string, number> } {
  const parts: Record<string, number> = {};
  let score = 0;
  for (const name of featureNames) {
    const part = (weights[name satisfies FeatureName] ?? 0) * features[name];
    if (part === 0) continue;
    parts[name] = part;
    score += part;
  }
  return { score, parts };
}

/** p_i(q): probability that a record supports the answer; `tenth` is the score of the tenth record, if there is one. */
export function probabilityOf(score: number, tenth: number | undefined, { platt, baseline }: Ranker): number {
  return 1 / (1 + Math.exp(-(platt.a * (score - (tenth ?? baseline)) + platt.b)));
}
