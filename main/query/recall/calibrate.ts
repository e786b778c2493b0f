import { z } from "zod";
import { keptBy } from "../kept-by.ts";
import { type FeatureName, type Features, featureNames } from "../ports.ts";
import type { TableName } from "./evidence.ts";
import weightsFile from "./weights.json" with { type: "json" };

const ranker = z.object({
  /** What these weights were fitted on, where it is not what the whole file says. */
  fold: z.string().optional(),
  /** Linear weights over raw features. */
  weights: z.partialRecord(z.enum(featureNames), z.number()),
  /** p = σ(a·(s − s₁₀) + b), Platt's scaling of the score over that of the tenth record: better calibrated than the score itself. */
  platt: z.object({ a: z.number(), b: z.number() }),
  /** Stands in for s₁₀ where fewer than ten records were found. */
  baseline: z.number(),
  /** Measured when it was fitted, in per cent. */
  figures: z.record(z.string(), z.number()).optional(),
});
const fileSchema = z.object({
  name: z.string(),
  /** What the weights were fitted on. */
  fold: z.string(),
  date: z.string(),
  /** By what is there: nothing but words and structure; one encoder; three, each in the forms it is best at. */
  profiles: z.object({ lexical: ranker, quick: ranker, thorough: ranker }),
  notFound: z.object({
    /** A record around which less than this share of the question's words (by idf) is said is no answer, unless its meaning is near. */
    coverage: z.number(),
    /** Cosine from which likeness of meaning lowers that share. */
    cosine: z.number(),
  }),
});

export const rankerFile = fileSchema.parse(weightsFile);
export type Ranker = z.infer<typeof ranker>;
export type ProfileName = keyof typeof rankerFile.profiles;

const thorough: readonly TableName[] = ["said", "context", "e5"];

/** The best profile whose evidence is there. */
export function profileFor(evidence: { has(table: TableName): boolean }): ProfileName {
  if (thorough.every((table) => evidence.has(table))) return "thorough";
  return evidence.has("said") ? "quick" : "lexical";
}

const weighed = keptBy(
  (ranker: Ranker) => ranker,
  ({ weights }) =>
    featureNames.flatMap((name) => {
      const weight = weights[name satisfies FeatureName] ?? 0;
      return weight === 0 ? [] : [{ name, weight }];
    }),
);

/** Linear score. */
export function scoreOf(features: Features, ranker: Ranker): number {
  let score = 0;
  for (const { name, weight } of weighed(ranker)) score += weight * features[name];
  return score;
}

/** What each feature adds to the score; those that add nothing are left out. */
export function partsOf(features: Features, ranker: Ranker): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const { name, weight } of weighed(ranker)) {
    const part = weight * features[name];
    if (part !== 0) parts[name] = part;
  }
  return parts;
}

/** p_i(q): probability that a record supports the answer; `tenth` is the score of the tenth record, if there is one. */
export function probabilityOf(score: number, tenth: number | undefined, { platt, baseline }: Ranker): number {
  return 1 / (1 + Math.exp(-(platt.a * (score - (tenth ?? baseline)) + platt.b)));
}
