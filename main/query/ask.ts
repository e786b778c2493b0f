import type { AskEvent, AskResult, QueryPlan, StageTrace } from "#contract";
import { UnderstoryError } from "#contract";
import { rewrite } from "./check/check.ts";
import { compose, indexNotes } from "./compose.ts";
import { embedQuestion } from "./embed.ts";
import { type PeopleIndex, peopleIndex } from "./plan/people.ts";
import { planQuestion } from "./plan/plan.ts";
import type { QueryPorts } from "./ports.ts";
import { phrases } from "./read/phrases.ts";
import { runRound, type Told } from "./round.ts";
import { judgeFirst } from "./verify/judge.ts";

export interface AskInput {
  readonly question: string;
  /** A corrected plan stands in for the planner's. */
  readonly plan?: QueryPlan | undefined;
  /** Local day on which the question is asked. */
  readonly today: string;
  /** Known names; made from the store when absent. */
  readonly people?: PeopleIndex;
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
