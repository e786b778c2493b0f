import type { AskEvent, AskResult, QueryPlan } from "#contract";
import { UnderstoryError } from "#contract";
import { compose, indexNotes } from "./compose.ts";
import { type PeopleIndex, peopleIndex } from "./plan/people.ts";
import { planQuestion } from "./plan/plan.ts";
import type { QueryPorts } from "./ports.ts";
import { phrases } from "./read/phrases.ts";
import { conclude } from "./round.ts";
import { walkRounds } from "./rounds.ts";
import { Tracer } from "./trace.ts";
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
 * plan → recall → candidates → verify → forest → read → check. Every stage is traced as it ends; then one result. While the
 * check has doubts, further rounds are made and the better one counts.
 */
export async function* ask(input: AskInput, ports: QueryPorts, signal?: AbortSignal): AsyncGenerator<AskEvent> {
  const tracer = new Tracer(signal);
  const counts = ports.records.counts();
  const plan = tracer.timed(
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
  yield* tracer.news();
  const { best, told: rounds, notes: missing } = yield* walkRounds(plan, ports, tracer, signal);
  const told = (result: AskResult, more: readonly string[]): AskResult => ({
    ...result,
    notes: [...new Set([...result.notes, ...missing, ...indexNotes(plan, ports), ...more])],
  });
  const instant = told(compose(plan, best, ports, tracer.stages, rounds), []);
  const judge = ports.judge ?? null;
  yield { type: "result", final: judge === null, result: instant };
  if (judge === null) return;

  // The slow second opinion: the answer stands already and is refined in place.
  try {
    const started = performance.now();
    const model = await judge(signal);
    const judged = await judgeFirst(best.plan, best.set.candidates, model, signal);
    const detail = { model: model.modelId, ms: performance.now() - started, judged: judged.size };
    const refined = conclude(best.plan, best.recalled, ports, tracer.timed, { judged, detail });
    yield* tracer.news();
    yield {
      type: "result",
      final: true,
      result: { ...told(compose(plan, refined, ports, tracer.stages, rounds), []), tier: "verified" },
    };
  } catch (error) {
    if (signal?.aborted) throw error;
    const why = error instanceof UnderstoryError ? error.message : "It failed.";
    yield { type: "result", final: true, result: told(instant, [phrases[plan.language].notJudged(why)]) };
  }
}
