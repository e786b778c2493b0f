import type { AskEvent, Claim, QueryPlan, RoundTrace } from "#contract";
import { fold, stem } from "../views/language/index.ts";
import { bridged, type Rewrite, rewritesOf } from "./check/rewrite.ts";
import { confirmingPlan, furtherOf, withFurther } from "./confirm.ts";
import { embedQuestion } from "./embed.ts";
import { joinRecalls } from "./join.ts";
import { saidBy } from "./plan/terms.ts";
import type { QueryPorts } from "./ports.ts";
import { quoted } from "./read/say.ts";
import { conclude, type Round, retrieve } from "./round.ts";
import type { Tracer } from "./trace.ts";

/** Retrievals that one answer may make, the first among them (MIRIX §4.7). */
export const retrievalLimit = 5;

/** Cosine from which a word of the archive may stand for one of the question. */
const leastLike = 0.5;

export interface Rounds {
  /** The one whose answer is given. */
  readonly best: Round;
  readonly told: readonly RoundTrace[];
  /** What was missing, for a person. */
  readonly notes: readonly string[];
}

/**
 * The plan's own round, and others while something is doubted: an intersection or a comparison is always looked at once
 * more by its parts. Ends when a round convinces, when nothing is left to try, or after five retrievals. An answer that is
 * there before all is tried is yielded as `show` tells it; what follows stands in its place.
 */
export async function* walkRounds(
  plan: QueryPlan,
  ports: QueryPorts,
  tracer: Tracer,
  signal: AbortSignal | undefined,
  show: (rounds: Rounds) => AskEvent,
): AsyncGenerator<AskEvent, Rounds> {
  const told: RoundTrace[] = [];
  const note = (rewrite: RoundTrace["rewrite"], change: string, retrievals: number, made: Round) => {
    const { answered, doubts } = made.checked;
    told.push({ round: told.length + 1, rewrite, change, retrievals, answered, doubts: [...doubts], chosen: false });
  };
  const started = performance.now();
  const { vectors, notes } = await embedQuestion(plan, ports, signal);
  const recalled = retrieve(plan, ports, vectors, performance.now() - started, tracer.timed);
  const first = conclude(plan, recalled, ports, tracer.timed);
  note("first", "", 1, first);
  const made: Round[] = [first];
  let [best, retrievals] = [0, 1];
  let shown: Round | null = null;
  const standingNow = (): Rounds => ({
    best: made[best] ?? first,
    told: told.map((one, at) => ({ ...one, chosen: at === best })),
    notes,
  });

  const known = {
    plan,
    doubts: first.checked.doubts,
    asked: recalled.asked,
    candidates: first.set.candidates,
    nearest: (words: readonly string[]) => ports.index.wordsLike(words, leastLike),
  };
  for (const rewrite of rewritesOf(known)) {
    const standing = made[best];
    const enough = standing === undefined || (standing.checked.doubts.length === 0 && rewrite.name !== "split");
    if (enough) break;
    if (retrievals + rewrite.retrievals.length > retrievalLimit) continue;
    // An answer that is there is shown before it is looked at again.
    if (made.length === 1 && first.checked.answered) {
      yield show(standingNow());
      shown = first;
    }
    yield* tracer.news();
    await tracer.breathe();
    tracer.round = told.length + 1;
    const round = await runRewrite(rewrite, first, ports, tracer, signal);
    retrievals += rewrite.retrievals.length;
    note(rewrite.name, rewrite.change, rewrite.retrievals.length, round);
    made.push(round);
    if (isBetter(plan, round, standing)) best = made.length - 1;
  }
  const found = standingNow();
  const answer = found.best;
  const confirming = retrievals < retrievalLimit ? confirmingPlan(answer) : null;
  // Who else says so only adds to the answer: it need not be waited for.
  if (confirming !== null && shown !== answer) yield show(found);
  if (confirming !== null || shown !== null) yield* tracer.news();
  if (confirming === null) return found;
  return { ...found, best: await confirmed(answer, confirming, ports, tracer, signal) };
}

/** The answer's round, with what the one more retrieval adds to it. */
async function confirmed(
  round: Round,
  plan: QueryPlan,
  ports: QueryPorts,
  tracer: Tracer,
  signal: AbortSignal | undefined,
): Promise<Round> {
  await tracer.breathe();
  const started = performance.now();
  const { vectors } = await embedQuestion(plan, ports, signal);
  const again = retrieve(plan, ports, vectors, performance.now() - started, tracer.timed);
  return withFurther(round, furtherOf(round, again, plan, ports));
}

async function runRewrite(
  rewrite: Rewrite,
  first: Round,
  ports: QueryPorts,
  tracer: Tracer,
  signal: AbortSignal | undefined,
): Promise<Round> {
  const recalls = [];
  for (const retrieval of rewrite.retrievals) {
    const started = performance.now();
    const { vectors } = await embedQuestion(retrieval, ports, signal);
    recalls.push(retrieve(retrieval, ports, vectors, performance.now() - started, tracer.timed));
  }
  const [own, ...rest] = rewrite.joined ? [first.recalled, ...recalls] : recalls;
  if (own === undefined) return first;
  const round = conclude(rewrite.plan, joinRecalls(own, rest), ports, tracer.timed);
  return rewrite.bridge === undefined ? round : overBridge(rewrite, round, ports);
}

/** The sentence that led to the answer stands beside it, as a claim of its own; without it the answer would hang in the air. */
function overBridge(rewrite: Rewrite, round: Round, ports: QueryPorts): Round {
  const { bridge } = rewrite;
  const answer = round.checked.claims[0]?.citations[0]?.recordId;
  if (bridge === undefined || !round.checked.answered) return round;
  const { recordId, quote } = bridge.citation;
  const standing =
    bridged(rewrite, answer) && ports.records.live([recordId]).has(recordId) && saysName(bridge.name, answer, round);
  if (!standing) {
    const doubt = { kind: "unsupported", text: "the same record was met again", blocking: true } as const;
    return { ...round, checked: { ...round.checked, answered: false, doubts: [...round.checked.doubts, doubt] } };
  }
  const id = `c${round.checked.claims.length + 1}`;
  const claim: Claim = { id, text: `${quoted(quote)}.`, citations: [bridge.citation], standing: "current" };
  return { ...round, checked: { ...round.checked, claims: [...round.checked.claims, claim] } };
}

/** Whoever was found on the way is named by the record that answers, or in the talk that it stands in. */
function saysName(name: string, answer: number | undefined, { set, recalled }: Round): boolean {
  const found = set.candidates.find(({ recordId }) => recordId === answer);
  const root = stem(fold(name));
  return found !== undefined && (found.stems.has(root) || recalled.around(found.recordId).has(root));
}

/**
 * Which of two rounds is the better one: one that answers; then the one with fewer doubts; of an intersection or comparison
 * the one whose cited records together say more of what is asked; then the one whose answer's record says more of it. The
 * earlier one where all is equal.
 */
export function isBetter(plan: QueryPlan, one: Round, other: Round): boolean {
  const several = plan.operation === "intersection" || plan.operation === "compare";
  // A plain no is told of what was asked, not of a rewriting.
  if (!one.checked.answered) return false;
  const criteria = (round: Round) => [
    round.checked.answered ? 1 : 0,
    -round.checked.doubts.filter(({ blocking }) => blocking).length,
    -round.checked.doubts.length,
    several ? saidTogether(round) : 0,
    round.checked.margin,
  ];
  const [a, b] = [criteria(one), criteria(other)];
  for (const [at, value] of a.entries()) {
    const difference = value - (b[at] ?? 0);
    if (Math.abs(difference) > 1e-9) return difference > 0;
  }
  return false;
}

/** Share of what is asked that the cited records say between them, 0–1. */
function saidTogether({ checked, set, recalled }: Round): number {
  const cited = new Set(checked.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
  const stems = new Set(
    set.candidates.filter(({ recordId }) => cited.has(recordId)).flatMap((candidate) => [...candidate.stems]),
  );
  return saidBy(recalled.asked, stems, new Map());
}
