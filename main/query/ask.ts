import type { AskEvent, AskResult, Conflict, EvidenceForest, ForestEdge, QueryPlan, StageTrace } from "#contract";
import { UnderstoryError } from "#contract";
import { rankerFile } from "./calibrate.ts";
import { type CandidateSet, gatherCandidates } from "./candidates.ts";
import { type Checked, checkDraft, rewrite } from "./check.ts";
import type { Draft } from "./draft.ts";
import { type ForestSolution, forestSettings, serialise, solveForest } from "./forest.ts";
import { judgeFirst, reordered } from "./judge.ts";
import { type PeopleIndex, peopleIndex } from "./people.ts";
import { phrases } from "./phrases.ts";
import { asksPictures, recallPictures } from "./pictures.ts";
import { planQuestion } from "./plan.ts";
import type { QueryPorts, QuestionVectors } from "./ports.ts";
import { readAnswer } from "./read.ts";
import { type Recall, recall } from "./recall.ts";
import { type Verified, verify } from "./verify.ts";

export interface AskInput {
  readonly question: string;
  /** A corrected plan stands in for the planner's. */
  readonly plan?: QueryPlan | undefined;
  /** Local day on which the question is asked. */
  readonly today: string;
  /** Known names; made from the store when absent. */
  readonly people?: PeopleIndex;
}

/** Left-out candidates that are told, and records that one answer names at most. */
const leftOutLimit = 20;

interface Round {
  readonly plan: QueryPlan;
  readonly recalled: Recall;
  readonly set: CandidateSet;
  readonly verified: Verified;
  readonly solution: ForestSolution;
  readonly draft: Draft;
  readonly checked: Checked;
}

/**
 * plan → recall → candidates → verify → forest → read → check. Every stage is traced as it ends; then one result. When the
 * check has doubts and the plan has filters to drop, one more round is made and the better one counts.
 */
export async function* ask(input: AskInput, ports: QueryPorts, signal?: AbortSignal): AsyncGenerator<AskEvent> {
  const trace: StageTrace[] = [];
  const timed = <T>(stage: StageTrace["stage"], inputSize: number, work: () => T, tell: (value: T) => Told): T => {
    if (signal?.aborted) throw new UnderstoryError("cancelled", "The question was withdrawn.");
    const start = performance.now();
    const value = work();
    const { size, detail } = tell(value);
    trace.push({ stage, ms: performance.now() - start, inputSize, outputSize: size, detail });
    return value;
  };
  let sent = 0;
  function* news(): Generator<AskEvent> {
    for (; sent < trace.length; sent++) {
      const one = trace[sent];
      if (one) yield { type: "stage", trace: one };
    }
  }

  const counts = ports.records.counts();
  const plan = timed(
    "plan",
    input.question.length,
    () =>
      input.plan ??
      planQuestion(input.question, {
        today: input.today,
        firstDay: counts.firstDay,
        lastDay: counts.lastDay,
        people: input.people ?? peopleIndex(ports.records.people()),
      }),
    (made) => ({ size: made.terms.length, detail: { corrected: input.plan !== undefined, plan: made } }),
  );
  yield* news();
  const start = performance.now();
  const { vectors, notes: missing } = await embedQuestion(plan, ports, signal);
  const embedMs = performance.now() - start;

  let round = runRound(plan, ports, vectors, embedMs, timed);
  yield* news();
  const next = round.checked.answered ? null : rewrite(plan);
  if (next !== null) {
    const second = runRound(next, ports, vectors, 0, timed);
    yield* news();
    if (second.checked.answered) round = second;
  }
  const told = (result: AskResult, more: readonly string[]): AskResult => ({
    ...result,
    notes: [...new Set([...result.notes, ...missing, ...indexNotes(plan, ports), ...more])],
  });
  const instant = told(compose(plan, round, ports, trace), []);
  const judge = ports.judge ?? null;
  yield { type: "result", final: judge === null, result: instant };
  if (judge === null) return;

  // The slow second opinion: the answer stands already and is refined in place.
  try {
    const started = performance.now();
    const model = await judge(signal);
    const judged = await judgeFirst(round.plan, round.set.candidates, model, signal);
    const detail = { model: model.modelId, ms: performance.now() - started, judged: judged.size };
    const refined = runRound(round.plan, ports, vectors, 0, timed, { judged, detail });
    yield* news();
    yield {
      type: "result",
      final: true,
      result: { ...told(compose(plan, refined, ports, trace), []), tier: "verified" },
    };
  } catch (error) {
    if (signal?.aborted) throw error;
    const why = error instanceof UnderstoryError ? error.message : "It failed.";
    yield { type: "result", final: true, result: told(instant, [phrases[plan.language].notJudged(why)]) };
  }
}

/** What a language model thinks of the first ranks, and how that came about. */
interface Opinion {
  readonly judged: ReadonlyMap<number, number>;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface Told {
  readonly size: number;
  readonly detail: Record<string, unknown>;
}
type Timed = <T>(stage: StageTrace["stage"], inputSize: number, work: () => T, tell: (value: T) => Told) => T;

/** Without a model, or when it fails, full text and structure answer alone; the result says so. */
async function embedQuestion(
  plan: QueryPlan,
  { embedder, index }: QueryPorts,
  signal: AbortSignal | undefined,
): Promise<{ vectors: QuestionVectors; notes: string[] }> {
  const none = { text: null, seen: null, picture: null };
  const notes = [phrases[plan.language].noModel];
  if (embedder === null) return { vectors: none, notes };
  // Only vectors of the same model can be compared: the question is put to the one whose vectors are there.
  const { serving } = index.status();
  const question = plan.question.slice(0, 2_000);
  // "Photos of a cup of coffee": a label is compared with the cup of coffee, not with the asking.
  const sight = asksPictures(plan) ? plan.terms.join(" ").slice(0, 500) : null;
  try {
    const [text, seen, picture] = await Promise.all([
      serving.text === null ? null : embedder.question(question, serving.text, signal),
      serving.text === null || sight === null ? null : embedder.question(sight, serving.text, signal),
      serving.picture === null ? null : embedder.picture(sight ?? question, serving.picture, signal),
    ]);
    return { vectors: { text, seen, picture }, notes: serving.text !== null && text === null ? notes : [] };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { vectors: none, notes };
  }
}

function runRound(
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

function compose(plan: QueryPlan, round: Round, ports: QueryPorts, trace: StageTrace[]): AskResult {
  const { verified, checked, draft } = round;
  const found = [...(draft.conflicts ?? []), ...verified.conflicts];
  const answered = checked.answered;
  const claims = answered ? [...checked.claims] : [];
  const { forest, chosen } = answered
    ? forestOf(round)
    : { forest: { nodes: [], edges: [], objective: 0 }, chosen: new Set<number>() };
  const conflicts = answered
    ? found
        .filter((one, at) => found.findIndex((other) => samePair(one, other)) === at)
        .filter(({ older, newer }) => chosen.has(older.recordId) || chosen.has(newer.recordId))
        .map(({ kind, attribute, older, newer }) => ({ kind, attribute, older, newer }))
    : [];
  const leftOut = round.set.candidates
    .filter(({ recordId }) => !chosen.has(recordId))
    .slice(0, leftOutLimit)
    .map(({ recordId, probability }) => ({ recordId, utility: probability, reason: reasonFor(round, recordId) }));
  const named = new Set([
    ...claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)),
    ...forest.nodes.map(({ recordId }) => recordId),
    ...conflicts.flatMap(({ older, newer }) => [older.recordId, newer.recordId]),
    ...leftOut.map(({ recordId }) => recordId),
  ]);
  return {
    outcome: answered ? "answered" : "not_found",
    tier: "instant",
    plan,
    answer: answered ? claims.map(({ text }) => text).join(" ") : notFound(plan, ports),
    claims,
    forest,
    conflicts,
    leftOut,
    records: ports.records.summaries([...named]),
    trace,
    notes: uncertainTimes(round, claims),
  };
}

const samePair = (a: Conflict, b: Conflict): boolean =>
  a.older.recordId === b.older.recordId && a.newer.recordId === b.newer.recordId;

function uncertainTimes(round: Round, claims: AskResult["claims"]): string[] {
  const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const low = round.set.candidates.some(
    ({ recordId, record }) => cited.has(recordId) && record.time?.confidence === "low",
  );
  return low ? [phrases[round.plan.language].lowTime] : [];
}

function indexNotes(plan: QueryPlan, { index }: QueryPorts): string[] {
  const { pending } = index.status().text;
  return pending > 0 ? [phrases[plan.language].indexing(pending)] : [];
}

/** The chosen records and all that claims cite, as trees; conflicts and repetitions as edges beside them. */
function forestOf({ set, verified, solution, checked }: Round): { forest: EvidenceForest; chosen: Set<number> } {
  const { candidates } = set;
  const position = new Map(candidates.map(({ recordId }, at) => [recordId, at]));
  const cited = checked.claims.flatMap(({ citations }) =>
    citations.flatMap(({ recordId }) => position.get(recordId) ?? []),
  );
  const chosen = [...new Set([...solution.chosen, ...cited])].sort((a, b) => a - b);
  const inside = new Set(chosen.flatMap((at) => candidates[at]?.recordId ?? []));
  const trusted = verified.edges.filter(({ cost }) => cost !== null);
  const inForest = new Set<ForestEdge>(solution.edges.flatMap((at) => trusted[at] ?? []));
  const treeEdges = [...inForest].map(({ from, to }) => ({ a: position.get(from) ?? 0, b: position.get(to) ?? 0 }));
  const nodes = serialise(verified.utilities, chosen, treeEdges).flatMap(({ position: at, parent, tree, depth }) => {
    const candidate = candidates[at];
    if (!candidate) return [];
    const { recordId, rank, probability, parts } = candidate;
    const above = parent === null ? null : (candidates[parent]?.recordId ?? null);
    return [{ recordId, rank, utility: probability, parts: { ...parts }, parent: above, tree, depth }];
  });
  const edges = verified.edges
    .filter((edge) => inForest.has(edge) || (edge.cost === null && inside.has(edge.from) && inside.has(edge.to)))
    .map((edge) => ({ ...edge, inForest: inForest.has(edge) }));
  return { forest: { nodes, edges, objective: solution.objective }, chosen: inside };
}

function reasonFor({ verified, solution, set }: Round, recordId: number): string {
  const row = verified.rows.find((one) => one.recordId === recordId);
  if (row?.role === "redundant") return "says the same as a record that is shown";
  const at = set.candidates.findIndex((one) => one.recordId === recordId);
  if (at >= forestSettings.size) return "ranked below the ten records that are looked at closely";
  return solution.chosen.includes(at) ? "not needed for the answer" : "too unlikely to be worth a tree of its own";
}

function notFound(plan: QueryPlan, ports: QueryPorts): string {
  const words = phrases[plan.language];
  if (ports.records.counts().records === 0) return words.emptyArchive;
  if (plan.terms.length === 0 && plan.windows.length === 0 && plan.people.length === 0 && plan.kinds.length === 0)
    return words.noWords;
  const asked = [
    ...plan.terms,
    ...plan.people.map(({ name }) => name),
    ...plan.windows.slice(0, 1).map(({ text }) => text),
  ];
  return words.notFound(`“${asked.slice(0, 8).join(" ").slice(0, 120)}”`);
}
