import type { LlmTask, QueryPlan, RecordId } from "#contract";
import type { Embedder, IndexReader, TokenReading } from "#main/indexes/ports.ts";
import type { LanguageModel } from "#main/llm/ports.ts";
import type { RecordReader } from "#main/records/ports.ts";
import type { Sessions } from "./recall/sessions.ts";

/** What the stages may read. Nothing here can write. */
export interface QueryPorts {
  readonly records: Pick<
    RecordReader,
    | "getMany"
    | "contents"
    | "summaries"
    | "live"
    | "inWindow"
    | "byPerson"
    | "personIdsOf"
    | "list"
    | "photos"
    | "legible"
    | "picturesRead"
    | "counts"
    | "lastSeq"
    | "still"
    | "people"
    | "feedback"
  >;
  readonly index: IndexReader;
  /** Null: no embedding model installed. */
  readonly embedder: Embedder | null;
  /** Opens the language model that looks over the first ranks; null or absent: a person has not asked for that. Throws when it does not open. */
  readonly judge?: ((signal?: AbortSignal) => Promise<LanguageModel>) | null;
  /** What that model may do here; absent: judge by query likelihood alone. */
  readonly judgeTasks?: ReadonlySet<VerifyTask>;
  /** Opens the language model that says the answer out of the records found; null or absent: a person has not asked for that. */
  readonly reader?: ((signal?: AbortSignal) => Promise<LanguageModel>) | null;
  /** A cross-encoder; null or absent: none is installed. */
  readonly rerank?: Rerank | null;
  /** Where records stand, as one question has met them; absent: each retrieval looks for itself. */
  readonly sessions?: Sessions;
  /** What is known between records beyond the index's own edges; absent until it has been worked out. */
  readonly graphs?: GraphPorts;
}

/** Tasks of a language model in verification. */
export const verifyTasks = ["relevance", "verifier", "chain"] as const satisfies readonly LlmTask[];
export type VerifyTask = (typeof verifyTasks)[number];

/**
 * Scores of (question, text) pairs, in the order of `texts`: logits, higher is better. Throws `model_missing`, `model_damaged`,
 * `memory_short`, `inference_failed` or `cancelled`.
 */
export type Rerank = (
  input: { readonly question: string; readonly texts: readonly string[] },
  signal?: AbortSignal,
) => Promise<{ readonly modelId: string; readonly logits: readonly number[] }>;

/** An edge of one of the relation graphs (MAGMA §2.1), seen from the record that was asked for. */
export interface GraphEdge {
  readonly from: RecordId;
  readonly to: RecordId;
  /** 0–1: how sure the tie is. */
  readonly weight: number;
}

/** A topic with its archived records (GAM §3.4). */
export interface TopicHit {
  readonly topicId: number;
  /** Cosine of the topic to the question, or what takes its place, 0–1. */
  readonly score: number;
  readonly records: readonly RecordId[];
  /** First-order neighbours among topics, with the confidence of the relation, 0–1. */
  readonly neighbours: readonly {
    readonly topicId: number;
    readonly confidence: number;
    readonly records: readonly RecordId[];
  }[];
}

/** A frame that fits the question, and the records that it cites (MIRIX §4.6). */
export interface FrameHit {
  readonly frameId: number;
  /** 0–1. */
  readonly score: number;
  readonly records: readonly RecordId[];
}

/** Read-only, synchronous, bounded by `limit`; each is absent while its graph has not been made. */
export interface GraphPorts {
  /** Causes and effects of records: `from` is the cause. */
  readonly causal?: (ids: readonly RecordId[], limit: number) => readonly GraphEdge[];
  /** Records that share an entity with these. */
  readonly entity?: (ids: readonly RecordId[], limit: number) => readonly GraphEdge[];
  readonly topics?: (plan: QueryPlan, question: Float32Array | null, limit: number) => readonly TopicHit[];
  readonly frames?: (plan: QueryPlan, question: Float32Array | null, limit: number) => readonly FrameHit[];
}

/** The question in the spaces that are searched; null where no model answers. */
export interface QuestionVectors {
  readonly text: Float32Array | null;
  /** Only what is asked to be seen on a picture, in the space of `text`; null where no picture is asked for. */
  readonly seen: Float32Array | null;
  readonly picture: Float32Array | null;
  /** The question by each further encoder that serves (`IndexStatus.serving.encoders`), by its model key. */
  readonly more?: ReadonlyMap<string, Float32Array>;
  /** The question's tokens by encoders whose tokens are kept, by model key. */
  readonly tokens?: ReadonlyMap<string, TokenReading>;
  /** Words of the question that the archive does not have, by the model of `text`: for `IndexReader.wordsLike`. */
  readonly words?: ReadonlyMap<string, Float32Array>;
}

/** Numbers that the ranker works with, by name (`weights.json`). */
export type Features = Readonly<Record<FeatureName, number>>;

export const featureNames = [
  "near",
  "cov",
  "cov_all",
  "soft",
  "soft_near",
  "reply",
  "bm",
  "bm_smax",
  "spk",
  "subject",
  "win",
  "when_temp",
  "first",
  "prevq",
  "asks",
  "brief",
  "shows",
  "names",
  "what_names",
  "where_names",
  "name_names",
  "cos",
  "cos_smax",
  "cos_common",
  "context",
  "context_smax",
  "e5",
  "e5_common",
  "late_rare",
  "late_near",
] as const;
export type FeatureName = (typeof featureNames)[number];
