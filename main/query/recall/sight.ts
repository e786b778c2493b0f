import type { RecordId } from "#contract";
import type { IndexReader } from "#main/indexes/ports.ts";

/** What a model saw on a picture that fits the question. */
export interface Sight {
  readonly label: string;
  /** Likeness of the label to the question, weighed by how sure the model was of it, 0–1. */
  readonly score: number;
}

/** How near a label has to be to the question, how many of them count, and how many pictures are taken. */
const limits = { cosine: 0.4, labels: 12, leastSure: 0.2, tagged: 40 } as const;

/** Pictures with a label that means what the question says, surest first. */
export function picturesLike(question: Float32Array | null, index: IndexReader): Map<RecordId, Sight> {
  const labels = question === null ? [] : index.labelsLike(question, limits.cosine).slice(0, limits.labels);
  const near = new Map(labels.map(({ label, similarity }) => [label, similarity]));
  const tagged = index.tagged([...near.keys()], limits.tagged).filter(({ score }) => score >= limits.leastSure);
  return new Map(
    tagged.map(({ recordId, label, score }) => [
      recordId,
      { label, score: (near.get(label) ?? 0) * (0.5 + score / 2) },
    ]),
  );
}
