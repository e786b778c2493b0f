import type { QueryPlan, RecordId } from "#contract";
import { keptById } from "../kept-by.ts";
import { withinLimits } from "../plan/limits.ts";
import { type Asked, askedOf } from "../plan/terms.ts";
import type { Features, QueryPorts, QuestionVectors } from "../ports.ts";
import { partsOf, probabilityOf, profileFor, type Ranker, rankerFile, scoreOf } from "./calibrate.ts";
import type { FeatureReader } from "./features.ts";
import { liveOf } from "./live.ts";
import type { Ground } from "./pictures.ts";
import { poolOf } from "./pool.ts";
import type { Sight } from "./sight.ts";

/** One record of the frozen retrieval. */
export interface Scored {
  readonly recordId: RecordId;
  readonly score: number;
  /** Calibrated probability, 0–1. */
  readonly probability: number;
  readonly features: Features;
  /** What each feature adds to the score. */
  readonly parts: Readonly<Record<string, number>>;
}

export interface Recall {
  /** Best first; of equal ones the earlier. */
  readonly ranked: readonly Scored[];
  /** Scores records from outside the pool in the same way. */
  score(ids: readonly RecordId[]): Scored[];
  /** Idf share of the question's terms that occur anywhere in the archive. */
  readonly known: number;
  readonly sources: Readonly<Record<string, number>>;
  /** The question's words by their rarity here. */
  readonly asked: Asked;
  /** Stems of the question's words that are said within four turns of a record, with the distance's weight, 0–1. */
  around(id: RecordId): ReadonlyMap<string, number>;
  /** Pictures with a label that means what is asked for. */
  readonly seen: ReadonlyMap<RecordId, Sight>;
  /** For pictures: what each is believed to show, and by which record. Empty for other questions. */
  readonly grounds: ReadonlyMap<RecordId, Ground>;
}

/** Records that are handed on. */
const handedOn = 200;

/**
 * First stage: a pool from every source there is, scored by one linear ranker. Scores are fused, not ranks: reciprocal
 * rank fusion falls below BM25 alone where scores are at hand (recall study: RRF 59.4, BM25 65.2, R12 83.7).
 */
export function recall(plan: QueryPlan, ports: QueryPorts, vectors: QuestionVectors): Recall {
  const { ids, reader, sources, seen } = poolOf(plan, ports, vectors);
  const profile = profileFor(reader);
  const ranker = rankerFile.profiles[profile];
  // Which of two copies came in first must not matter.
  const momentOf = ({ recordId }: { recordId: RecordId }) => reader.item(recordId)?.moment ?? Number.MAX_SAFE_INTEGER;
  const bare = scoreAll(reader, ids, ranker)
    .sort((a, b) => b.score - a.score || momentOf(a) - momentOf(b) || a.recordId - b.recordId)
    .slice(0, handedOn);
  const tenth = bare[9]?.score;
  const calibrated = ({ recordId, score, features }: Bare): Scored => ({
    recordId,
    score,
    features,
    // Of most records nobody wants to know.
    get parts() {
      return partsOf(features, ranker);
    },
    probability: probabilityOf(score, tenth, ranker),
  });
  return {
    ranked: bare.map(calibrated),
    score: (more) => scoreAll(reader, withinLimits(plan, ports.records, liveOf(ports, more)), ranker).map(calibrated),
    known: reader.known,
    sources,
    asked: askedOf(plan, reader.rarity, ports.index.status().text.done),
    around: keptById((id) => reader.around(id)),
    seen,
    grounds: new Map(),
  };
}

type Bare = Pick<Scored, "recordId" | "score" | "features">;

function scoreAll(reader: FeatureReader, ids: readonly RecordId[], ranker: Ranker): Bare[] {
  return Array.from(reader.read(ids), ([recordId, features]) => ({
    recordId,
    score: scoreOf(features, ranker),
    features,
  }));
}
