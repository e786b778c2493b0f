import type { QueryPlan, RecordId, StoredRecord } from "#contract";
import type { IndexReader, SchemaEdge } from "#main/indexes/ports.ts";
import { localDayOf, momentOf, saysItself, timeOf, type View, viewsOf } from "../../views/index.ts";
import { fold } from "../../views/language/index.ts";
import { keptBy, keptByLanguage } from "../kept-by.ts";
import { asksWhereabouts } from "../plan/places.ts";
import type { QueryPorts } from "../ports.ts";
import { asksPictures, listsPictures } from "../recall/pictures.ts";
import type { Recall, Scored } from "../recall/recall.ts";
import { graphSources, type SourceScores } from "./sources.ts";
import { stemsOfViews } from "./view-stems.ts";

/** Candidate construction (GraphMemix §1.2, §1.3). */
export const candidateSettings = {
  /** L: seeds of the frozen retrieval. */
  seeds: 24,
  /** M: candidates after expansion by H = 1 hop. */
  candidates: 48,
  /** A count has to see all that it counts, and where somebody was all that was said at the time. */
  counted: 200,
  /** Records that say the same word for word: a newsletter of every week is one thing said often. */
  copies: 2,
  /** |A_q|: the first records of the frozen retrieval, duplicates removed. */
  anchors: 10,
  /** k of the mutual nearest neighbours. */
  nearest: 8,
  /** Cosine below which nearest neighbours are only the least far. */
  leastSimilarity: 0.3,
  /** Records of the pool among which nearest neighbours are sought; over the whole archive each would be a scan. */
  semanticPool: 96,
  /** w of a semantic edge of cosine 1. */
  semanticWeight: 0.9,
} as const;

/** A record as the stages after retrieval read it. */
export interface Candidate extends Scored {
  /** From 1, in retrieval order and then expansion order. */
  readonly rank: number;
  readonly anchor: boolean;
  /** p of the frozen retrieval; `probability` may be a verifier's by now. */
  readonly prior: number;
  /** What else than retrieval found it, with that source's own score. */
  readonly sources: SourceScores;
  readonly record: StoredRecord;
  readonly views: readonly View[];
  readonly day: string | null;
  readonly moment: number | null;
  /** Stems of subject, text, attachments (their beginning) and metadata. */
  readonly stems: ReadonlySet<string>;
  /** Stems of an older record whose place it takes: what it says is said of that record's matter. */
  readonly inherited?: ReadonlySet<string>;
}

export interface CandidateSet {
  readonly candidates: readonly Candidate[];
  /** Records left out because they say, word for word, what candidates before them say. */
  readonly folded: readonly RecordId[];
  /** Edges between candidates, the strongest for each pair. */
  readonly edges: readonly SchemaEdge[];
}

/** @param question its vector, for the graphs that are searched by meaning */
export function gatherCandidates(
  plan: QueryPlan,
  recalled: Recall,
  ports: Pick<QueryPorts, "index" | "records" | "graphs">,
  question: Float32Array | null = null,
): CandidateSet {
  const seeds = recalled.ranked.slice(0, candidateSettings.seeds);
  const semantic = semanticEdges(recalled.ranked.slice(0, candidateSettings.semanticPool), ports.index);
  const rankOf = new Map(recalled.ranked.map(({ recordId }, at) => [recordId, at]));
  const fromSeeds = ports.index.edges(seeds.map(({ recordId }) => recordId));
  const around = [...fromSeeds, ...semantic];
  const anchored = seeds.slice(0, candidateSettings.anchors);
  const sources = graphSources(plan, anchored, question, ports);
  const first = [...new Set([...seeds.map(({ recordId }) => recordId), ...sources.keys()])];
  const rest = recalled.ranked.slice(candidateSettings.seeds).map(({ recordId }) => recordId);
  const ids = [...new Set([...first, ...expansion(seeds, around), ...rest])];
  const outside = new Map(
    recalled.score(ids.filter((id) => !rankOf.has(id))).map((scored) => [scored.recordId, scored]),
  );
  const scoredOf = (id: RecordId) => recalled.ranked[rankOf.get(id) ?? -1] ?? outside.get(id) ?? [];
  // What the expansion brings in is scored like all else, so the places behind the seeds go to the best of both.
  const behind = ids.slice(first.length).flatMap(scoredOf);
  behind.sort((a, b) => b.score - a.score || a.recordId - b.recordId);
  const scored = [...first.flatMap(scoredOf), ...behind];
  // Pictures of something are told with their number, and each of them is evidence.
  const all = plan.operation === "count" || asksWhereabouts(plan) || asksPictures(plan) || listsPictures(plan);
  const wanted = all ? candidateSettings.counted : candidateSettings.candidates;
  // Each of what is counted counts, and the latest of the same is the latest.
  const everyCopy = plan.operation === "count" || plan.operation === "latest";
  const candidates: Candidate[] = [];
  const folded: RecordId[] = [];
  const texts = new Map<string, number>();
  let anchors = 0;
  for (const [one, record] of inTurn(scored, () => wanted - candidates.length, ports)) {
    // Of what is looked at whatever it repeats, only the anchors must not be copies.
    const same = everyCopy && anchors === candidateSettings.anchors ? "" : saidIn(record);
    const copies = same === "" ? 0 : (texts.get(same) ?? 0);
    if (!everyCopy && copies >= candidateSettings.copies) {
      folded.push(one.recordId);
      continue;
    }
    const anchor = anchors < candidateSettings.anchors && rankOf.has(one.recordId) && copies === 0;
    if (anchor) anchors++;
    texts.set(same, copies + 1);
    candidates.push({
      ...one,
      ...readingOf(record, plan.language),
      prior: one.probability,
      rank: candidates.length + 1,
      anchor,
      sources: sources.get(one.recordId) ?? {},
      record,
    });
  }
  const inside = new Set(candidates.map(({ recordId }) => recordId));
  // Every edge touches a seed, which are known already, or one of the others.
  const known = new Set(seeds.map(({ recordId }) => recordId));
  const others = ports.index.edges([...inside].filter((id) => !known.has(id)));
  const edges = [...fromSeeds, ...others, ...semantic].filter(({ from, to }) => inside.has(from) && inside.has(to));
  return { candidates, folded, edges: strongest(edges) };
}

/** A record that comes in besides what was gathered; its rank is given by where it is put. */
export function candidateOf(scored: Scored, record: StoredRecord, language: QueryPlan["language"]): Candidate {
  return {
    ...scored,
    ...readingOf(record, language),
    prior: scored.probability,
    rank: 0,
    anchor: false,
    sources: {},
    record,
  };
}

/** Live records in the order of their scores, as many read at a time as are `missing` still, until none is. */
function* inTurn(
  scored: readonly Scored[],
  missing: () => number,
  ports: Pick<QueryPorts, "records">,
): Generator<[Scored, StoredRecord]> {
  for (let at = 0, page = missing(); page > 0 && at < scored.length; at += page, page = missing()) {
    const some = scored.slice(at, at + page);
    const records = new Map(
      ports.records.getMany(some.map(({ recordId }) => recordId)).map((record) => [record.id, record]),
    );
    for (const one of some) {
      const record = records.get(one.recordId);
      if (record && record.trashedAt === null) yield [one, record];
    }
  }
}

const viewsHeld = keptBy((record: StoredRecord) => record, viewsOf);

/** What it says word for word, whoever said it and when; empty for what has no words. */
const saidIn = keptBy(
  (record: StoredRecord) => record,
  (record): string =>
    viewsHeld(record)
      .filter(({ view }) => saysItself(view))
      .map((view) => fold(view.text).replace(/\W+/gu, " ").trim())
      .join("|"),
);

/** What the rules read of a record. The rounds of a question meet the same ones. */
const readingOf = keptByLanguage(
  (record: StoredRecord) => record,
  (record, language): Pick<Candidate, "views" | "day" | "moment" | "stems"> => {
    const views = viewsHeld(record);
    const time = timeOf(record);
    return {
      views,
      day: localDayOf(time),
      moment: momentOf(time),
      stems: stemsOfViews(views, language),
    };
  },
);

/** One hop from the seeds: by the seed's rank, then the stronger edge, then the id. */
function expansion(seeds: readonly Scored[], edges: readonly SchemaEdge[]): RecordId[] {
  const rank = new Map(seeds.map(({ recordId }, at) => [recordId, at]));
  const reached: { id: RecordId; rank: number; weight: number }[] = [];
  for (const { from, to, weight } of edges) {
    for (const [seed, id] of [
      [from, to],
      [to, from],
    ] as const) {
      const at = rank.get(seed);
      if (at !== undefined && !rank.has(id)) reached.push({ id, rank: at, weight });
    }
  }
  reached.sort((a, b) => a.rank - b.rank || b.weight - a.weight || a.id - b.id);
  return [...new Set(reached.map(({ id }) => id))];
}

/** i and j where each is among the other's k nearest (GraphMemix, mutual-kNN), within the pool. */
function semanticEdges(pool: readonly Scored[], index: IndexReader): SchemaEdge[] {
  const ids = pool.map(({ recordId }) => recordId);
  const cosines = index.similarities(ids);
  const rows = ids.map((_, at) => {
    const row = cosines.subarray(at * ids.length, (at + 1) * ids.length);
    row[at] = -1;
    return row;
  });
  const nearest = rows.map((row) => new Set(largest(row, candidateSettings.nearest)));
  const edges: SchemaEdge[] = [];
  for (const [a, from] of ids.entries()) {
    for (const b of nearest[a] ?? []) {
      const to = ids[b];
      const cosine = rows[a]?.[b] ?? 0;
      if (to === undefined || b <= a || !nearest[b]?.has(a) || cosine < candidateSettings.leastSimilarity) continue;
      edges.push({ from, to, relation: "semantic", weight: Math.min(0.99, cosine * candidateSettings.semanticWeight) });
    }
  }
  return edges;
}

/** Places of the `count` largest values, the largest first; of equal ones the earlier. */
function largest(values: Float32Array, count: number): number[] {
  const best: number[] = [];
  const least = () => values[best[count - 1] ?? 0] ?? 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (best.length === count && value <= least()) continue;
    let place = Math.min(best.length, count - 1);
    for (; place > 0 && (values[best[place - 1] ?? 0] ?? 0) < value; place--) best[place] = best[place - 1] ?? 0;
    best[place] = at;
  }
  return best;
}

function strongest(edges: readonly SchemaEdge[]): SchemaEdge[] {
  const best = new Map<string, SchemaEdge>();
  for (const edge of edges) {
    const key = edge.from < edge.to ? `${edge.from} ${edge.to}` : `${edge.to} ${edge.from}`;
    const known = best.get(key);
    if (!known || edge.weight > known.weight) best.set(key, edge);
  }
  return [...best.values()];
}
