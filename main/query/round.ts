import type { QueryPlan, StageTrace } from "#contract";
import { type CandidateSet, gatherCandidates } from "./candidates/candidates.ts";
import { withPictures } from "./candidates/pictured.ts";
import { sessionOf, similarityOf } from "./candidates/similarity.ts";
import { type Checked, checkDraft } from "./check/check.ts";
import type { Further } from "./confirm.ts";
import { marksFor, weighFeedback } from "./converse/feedback.ts";
import type { ForestSolution } from "./forest/forest.ts";
import { gathers, selectForest, selectionFor } from "./forest/selection.ts";
import { joinRecalls } from "./join.ts";
import type { QueryPorts, QuestionVectors } from "./ports.ts";
import type { Draft } from "./read/draft.ts";
import { readAnswer } from "./read/read.ts";
import { rankerFile } from "./recall/calibrate.ts";
import { asksPictures, countsPictures, recallPictures } from "./recall/pictures.ts";
import { type Recall, recall, type Scored } from "./recall/recall.ts";
import { type Opinion, reordered } from "./verify/opinion.ts";
import { type Verified, verify } from "./verify/verify.ts";

/** One way through the stages, and what each of them gave. */
export interface Round {
  /** By which it was read and checked. */
  readonly plan: QueryPlan;
  readonly recalled: Recall;
  readonly set: CandidateSet;
  readonly verified: Verified;
  readonly solution: ForestSolution;
  readonly draft: Draft;
  readonly checked: Checked;
  /** What a second retrieval with the answer's own value found. */
  readonly further?: Further;
}

export interface Told {
  readonly size: number;
  readonly detail: Record<string, unknown>;
}
export type Timed = <T>(stage: StageTrace["stage"], inputSize: number, work: () => T, tell: (value: T) => Told) => T;

/** What is retrieved for one plan. */
export function retrieve(
  plan: QueryPlan,
  ports: QueryPorts,
  vectors: QuestionVectors,
  embedMs: number,
  timed: Timed,
): Recall {
  const marks = marksFor(plan, ports.records.feedback());
  return timed(
    "recall",
    plan.terms.length,
    () => weighFeedback(recalledFor(plan, ports, vectors), marks),
    (recalled) => ({
      size: recalled.ranked.length,
      detail: {
        sources: recalled.sources,
        known: recalled.known,
        vectors: vectors.text !== null,
        embedMs,
        ranker: rankerFile.name,
        asked: recalled.asked.terms.map(({ text, weight, known }) => ({ text, weight, known })),
        feedback: [...marks.values()],
        top: recalled.ranked.slice(0, traced).map(tracedScore),
      },
    }),
  );
}

function recalledFor(plan: QueryPlan, ports: QueryPorts, vectors: QuestionVectors): Recall {
  const ofPictures = () => recallPictures(plan, ports, recall({ ...plan, kinds: [] }, ports, vectors));
  if (asksPictures(plan)) return ofPictures();
  const found = recall(plan, ports, vectors);
  // What is counted may be said of the pictures rather than by them.
  return countsPictures(plan) ? joinRecalls(found, [ofPictures()]) : found;
}

/** Records of a retrieval whose scores are told feature by feature. */
const traced = 20;

const tracedScore = ({ recordId, score, probability, features, parts }: Scored) => ({
  recordId,
  score,
  probability,
  features,
  parts,
});

/** candidates → verify → forest → read → check over what was retrieved; each stage is timed and traced. */
export function conclude(
  plan: QueryPlan,
  found: Recall,
  ports: QueryPorts,
  timed: Timed,
  opinion: Opinion | null = null,
): Round {
  const { recalled, set } = timed(
    "candidates",
    found.ranked.length,
    () => {
      const gathered = withPictures(plan, found, gatherCandidates(plan, found, ports), ports);
      const { candidates } = gathered.set;
      return opinion === null
        ? gathered
        : { ...gathered, set: { ...gathered.set, candidates: reordered(candidates, opinion.judged) } };
    },
    ({ set: value }) => ({
      size: value.candidates.length,
      detail: {
        anchors: value.candidates.filter(({ anchor }) => anchor).map(({ recordId }) => recordId),
        edges: value.edges.length,
        folded: value.folded,
        candidates: value.candidates.map(({ recordId, rank, score, probability, anchor, day }) => ({
          recordId,
          rank,
          score,
          probability,
          anchor,
          day,
        })),
      },
    }),
  );
  const { candidates } = set;
  const verified = timed(
    "verify",
    candidates.length,
    () => verify(plan, candidates, set.edges, recalled, opinion),
    (value) => ({
      size: value.rows.filter(({ increment }) => increment > 0).length,
      detail: {
        rows: value.rows.filter(({ bestAnchorId }) => bestAnchorId !== null),
        conflicts: value.conflicts.map(({ kind, attribute, older, newer }) => ({ kind, attribute, older, newer })),
        tier: opinion?.tier ?? "instant",
        ...(opinion === null ? {} : { languageModel: opinion.detail }),
      },
    }),
  );
  const position = new Map(candidates.map(({ recordId }, at) => [recordId, at]));
  const trusted = verified.edges.filter(({ cost }) => cost !== null);
  const selection = selectionFor(opinion);
  const solution = timed(
    "forest",
    candidates.length,
    () =>
      selectForest(selection, {
        utilities: verified.utilities,
        edges: trusted.map(({ from, to, cost }) => ({
          a: position.get(from) ?? 0,
          b: position.get(to) ?? 0,
          cost: cost ?? 0,
        })),
        similarity: similarityOf(candidates, ports.index),
        session: sessionOf(candidates, ports.index),
        gathers: gathers(plan),
      }),
    (value) => ({
      size: value.chosen.length,
      detail: {
        selection,
        objective: value.objective,
        chosen: value.chosen.flatMap((at) => candidates[at]?.recordId ?? []),
        edges: verified.edges.map(({ from, to, relation, role, increment, cost }) => ({
          from,
          to,
          relation,
          role,
          increment,
          cost,
          inForest: value.edges.some((at) => trusted[at]?.from === from && trusted[at]?.to === to),
        })),
      },
    }),
  );
  const draft = timed(
    "read",
    candidates.length,
    () => readAnswer({ ...recalled, plan }, candidates, verified.conflicts, set.edges),
    (value) => ({
      size: value.claims.length,
      detail: { fits: value.fits, said: value.said, cosine: value.cosine, inTime: value.inTime },
    }),
  );
  const checked = timed(
    "check",
    draft.claims.length,
    () => checkDraft(plan, draft, candidates, recalled),
    (value) => ({
      size: value.claims.length,
      detail: { dropped: value.dropped, doubts: value.doubts, margin: value.margin, answered: value.answered },
    }),
  );
  return { plan, recalled, set, verified, solution, draft, checked };
}
