import type { QueryPlan, StageTrace } from "#contract";
import { type CandidateSet, gatherCandidates } from "./candidates/candidates.ts";
import { type Checked, checkDraft } from "./check/check.ts";
import { type ForestSolution, forestSettings, solveForest } from "./forest/forest.ts";
import type { QueryPorts, QuestionVectors } from "./ports.ts";
import type { Draft } from "./read/draft.ts";
import { readAnswer } from "./read/read.ts";
import { rankerFile } from "./recall/calibrate.ts";
import { asksPictures, recallPictures } from "./recall/pictures.ts";
import { type Recall, recall } from "./recall/recall.ts";
import { reordered } from "./verify/judge.ts";
import { type Verified, verify } from "./verify/verify.ts";

/** One way through the stages, and what each of them gave. */
export interface Round {
  readonly plan: QueryPlan;
  readonly recalled: Recall;
  readonly set: CandidateSet;
  readonly verified: Verified;
  readonly solution: ForestSolution;
  readonly draft: Draft;
  readonly checked: Checked;
}

/** What a language model thinks of the first ranks, and how that came about. */
export interface Opinion {
  readonly judged: ReadonlyMap<number, number>;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Told {
  readonly size: number;
  readonly detail: Record<string, unknown>;
}
export type Timed = <T>(stage: StageTrace["stage"], inputSize: number, work: () => T, tell: (value: T) => Told) => T;

/** recall → candidates → verify → forest → read → check of one plan; each stage is timed and traced. */
export function runRound(
  plan: QueryPlan,
  ports: QueryPorts,
  vectors: QuestionVectors,
  embedMs: number,
  timed: Timed,
  opinion: Opinion | null = null,
): Round {
  const recalled = timed(
    "recall",
    plan.terms.length,
    () =>
      asksPictures(plan)
        ? recallPictures(plan, ports, recall({ ...plan, kinds: [] }, ports, vectors))
        : recall(plan, ports, vectors),
    ({ ranked, sources, known }) => ({
      size: ranked.length,
      detail: { sources, known, vectors: vectors.text !== null, embedMs, ranker: rankerFile.name },
    }),
  );
  const set = timed(
    "candidates",
    recalled.ranked.length,
    () => {
      const gathered = gatherCandidates(plan, recalled, ports);
      return opinion === null ? gathered : { ...gathered, candidates: reordered(gathered.candidates, opinion.judged) };
    },
    (value) => ({
      size: value.candidates.length,
      detail: {
        anchors: value.candidates.filter(({ anchor }) => anchor).map(({ recordId }) => recordId),
        edges: value.edges.length,
      },
    }),
  );
  const { candidates } = set;
  const verified = timed(
    "verify",
    candidates.length,
    () => verify(plan, candidates, set.edges, recalled),
    (value) => ({
      size: value.rows.filter(({ increment }) => increment > 0).length,
      detail: {
        rows: value.rows.filter(({ bestAnchorId }) => bestAnchorId !== null),
        conflicts: value.conflicts.length,
        ...(opinion === null ? {} : { languageModel: opinion.detail }),
      },
    }),
  );
  const position = new Map(candidates.map(({ recordId }, at) => [recordId, at]));
  const trusted = verified.edges.filter(({ cost }) => cost !== null);
  const solution = timed(
    "forest",
    candidates.length,
    () =>
      solveForest(
        verified.utilities,
        trusted.map(({ from, to, cost }) => ({
          a: position.get(from) ?? 0,
          b: position.get(to) ?? 0,
          cost: cost ?? 0,
        })),
        // Instant tier: edges order and group, they do not exchange records.
        { ...forestSettings, swaps: false },
      ),
    (value) => ({ size: value.chosen.length, detail: { objective: value.objective, edges: value.edges.length } }),
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
      detail: { dropped: value.dropped, doubts: value.doubts },
    }),
  );
  return { plan, recalled, set, verified, solution, draft, checked };
}
