import type { Embedder, IndexReader } from "#main/indexes/ports.ts";
import type { LanguageModel } from "#main/llm/ports.ts";
import type { RecordReader } from "#main/records/ports.ts";

/** What the stages may read. Nothing here can write. */
export interface QueryPorts {
  readonly records: Pick<
    RecordReader,
    | "getMany"
    | "summaries"
    | "live"
    | "inWindow"
    | "byPerson"
    | "personIdsOf"
    | "list"
    | "counts"
    | "lastSeq"
    | "people"
  >;
  readonly index: IndexReader;
  /** Null: no embedding model installed. */
  readonly embedder: Embedder | null;
  /** Opens the language model that looks over the first ranks; null or absent: a person has not asked for that. Throws when it does not open. */
  readonly judge?: ((signal?: AbortSignal) => Promise<LanguageModel>) | null;
}

/** The question in the spaces that are searched; null where no model answers. */
export interface QuestionVectors {
  readonly text: Float32Array | null;
  /** Only what is asked to be seen on a picture, in the space of `text`; null where no picture is asked for. */
  readonly seen: Float32Array | null;
  readonly picture: Float32Array | null;
}

/** Numbers that the ranker works with, by name (`weights.json`). */
export type Features = Readonly<Record<FeatureName, number>>;

export const featureNames = [
  "near",
  "cov",
  "bm",
  "bm_smax",
  "spk",
  "win",
  "when_temp",
  "first",
  "prevq",
  "cos",
  "cos_smax",
  "cos_prev",
] as const;
export type FeatureName = (typeof featureNames)[number];
