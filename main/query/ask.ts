import type { AskEvent, AskResult, Claim, QueryPlan, RecordId } from "#contract";
import { UnderstoryError } from "#contract";
import type { Candidate, CandidateSet } from "./candidates/candidates.ts";
import { compose, indexNotes } from "./compose.ts";
import { withFurther } from "./confirm.ts";
import { marksFor, tellFeedback } from "./converse/feedback.ts";
import { type Asking, understand } from "./converse/understand.ts";
import { readOnce } from "./once.ts";
import { boundedPlan } from "./plan/bounded.ts";
import type { QueryPorts } from "./ports.ts";
import { type Phrases, phrases } from "./read/phrases.ts";
import { readWithModel } from "./read/with-model.ts";
import { Sessions } from "./recall/sessions.ts";
import { conclude, type Round } from "./round.ts";
import { type Rounds, walkRounds } from "./rounds.ts";
import { Tracer } from "./trace.ts";
import { verifyWithModel } from "./verify/model.ts";
import type { Opinion } from "./verify/opinion.ts";
import { rerankCandidates } from "./verify/rerank.ts";

export type AskInput = Asking;

/**
 * plan → recall → candidates → verify → forest → read → check. Every stage is traced as it ends. While the check has doubts,
 * further rounds are made and the better one counts. Each result stands in the place of the one before it; the last is final.
 * Every event is waited for until it has been taken: a result comes before the stages that led to it, which it tells of itself.
 */
export async function* ask(input: AskInput, own: QueryPorts, signal?: AbortSignal): AsyncGenerator<AskEvent> {
  const ports: QueryPorts = { ...own, records: readOnce(own.records), sessions: new Sessions(own.index) };
  const tracer = new Tracer(ports, signal);
  const plan = tracer.timed(
    "plan",
    input.question.length,
    () => boundedPlan(understand(input, ports.records)),
    (made) => ({
      size: made.terms.length,
      detail: { corrected: input.plan !== undefined, carried: made.carried, plan: made },
    }),
  );
  yield* tracer.news();
  const marks = marksFor(plan, ports.records.feedback());
  const told = (result: AskResult, more: readonly string[]): AskResult => {
    const weighed = tellFeedback(result, marks);
    return { ...weighed, notes: [...new Set([...weighed.notes, ...more, ...indexNotes(plan, ports, result.outcome)])] };
  };
  let shown = false;
  const show = (so: Rounds): AskEvent => {
    shown = true;
    return {
      type: "result",
      final: false,
      result: told(compose(plan, so.best, ports, tracer.stages, so.told), so.notes),
    };
  };
  const { best, told: rounds, notes: missing } = yield* walkRounds(plan, ports, tracer, signal, show);
  // What follows is done to the round whose answer is given.
  tracer.round = rounds.findIndex(({ chosen }) => chosen) + 1 || 1;
  const instant = told(compose(plan, best, ports, tracer.stages, rounds), missing);
  const later = secondOpinions(ports);
  const reader = best.checked.answered ? (ports.reader ?? null) : null;
  const last = later.length === 0 && reader === null;
  if (!shown || !last) yield { type: "result", final: false, result: instant };
  if (!shown) yield* tracer.news();
  if (last) {
    yield { type: "result", final: true, result: instant };
    return;
  }

  // Slow second opinions: the answer stands already and is refined in place.
  let stands = instant;
  let round = best;
  const judged = new Map<RecordId, number>();
  for (const [at, { give, failed }] of later.entries()) {
    try {
      const given = await give(best.plan, best.set, signal);
      for (const [id, probability] of given.judged) judged.set(id, probability);
      const opined = conclude(best.plan, best.recalled, ports, tracer.timed, { ...given, judged });
      const refined = best.further === undefined ? opined : withFurther(opined, best.further);
      round = refined;
      const { notes } = stands;
      stands = { ...told(compose(plan, refined, ports, tracer.stages, rounds), notes), tier: given.tier };
    } catch (error) {
      const why = failureOf(error, signal);
      stands = { ...stands, notes: [...stands.notes, failed(phrases[plan.language], why)] };
    }
    yield* tracer.news();
    yield { type: "result", final: at === later.length - 1 && reader === null, result: stands };
  }
  if (reader === null) return;

  // The same records, said by a language model; the rules' answer stands until a sentence of it does.
  const words = phrases[plan.language];
  try {
    const model = await reader(signal);
    const read = (claims: readonly Claim[]): AskResult => {
      const said = { ...round, checked: { ...round.checked, claims } };
      return { ...told(compose(plan, said, ports, tracer.stages, rounds), stands.notes), tier: "verified" };
    };
    for await (const { claims, final } of readWithModel(round.plan, recordsRead(round), model, signal)) {
      if (claims.length > 0) yield { type: "result", final, result: read(claims) };
      else if (final)
        yield {
          type: "result",
          final,
          result: { ...stands, notes: [...stands.notes, words.notRead(words.nothingStood)] },
        };
    }
  } catch (error) {
    const why = failureOf(error, signal);
    yield { type: "result", final: true, result: { ...stands, notes: [...stands.notes, words.notRead(why)] } };
  }
}

/** Why a model gave nothing, for a person. A question that was withdrawn ends with the error itself. */
function failureOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) throw error;
  return error instanceof UnderstoryError ? error.message : "It failed.";
}

/** What the answer cites first, then the best of the others. */
function recordsRead({ checked, set }: Round): Candidate[] {
  const cited = new Set(checked.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const first = set.candidates.filter(({ recordId }) => cited.has(recordId));
  return [...first, ...set.candidates.filter(({ recordId }) => !cited.has(recordId))];
}

interface SecondOpinion {
  give(plan: QueryPlan, set: CandidateSet, signal?: AbortSignal): Promise<Opinion>;
  failed(words: Phrases, why: string): string;
}

/** The tiers that are there beyond the instant one, the quicker first. */
function secondOpinions({ rerank, judge, judgeTasks }: QueryPorts): SecondOpinion[] {
  const found: SecondOpinion[] = [];
  if (rerank) {
    found.push({
      give: (plan, { candidates }, signal) => rerankCandidates(plan, candidates, rerank, signal),
      failed: (words, why) => words.notReranked(why),
    });
  }
  if (judge) {
    found.push({
      give: async (plan, set, signal) =>
        verifyWithModel(plan, set, await judge(signal), judgeTasks ?? new Set(["relevance"]), signal),
      failed: (words, why) => words.notJudged(why),
    });
  }
  return found;
}
