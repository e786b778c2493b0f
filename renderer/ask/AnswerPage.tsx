import { useMemo } from "react";
import type { AskResult, QueryPlan } from "#contract";
import { Button } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { type AskRun, useAsk } from "../state/ask.ts";
import { formatHash } from "../state/route.ts";
import { questionOf } from "../state/thread.ts";
import { Answer } from "./Answer.tsx";
import { Earlier } from "./Earlier.tsx";
import { Evidence } from "./Evidence.tsx";
import { LeftOut } from "./Folds.tsx";
import { PlanChips } from "./PlanChips.tsx";
import { QuestionBox } from "./QuestionBox.tsx";
import { evidenceLinks } from "./segments.ts";
import { stageWords, Trace } from "./Trace.tsx";
import { Verdicts } from "./Verdicts.tsx";

const words = {
  refining: "A better answer is being worked out…",
  cancelled: "Stopped.",
  again: "Ask again",
  stop: "Stop",
  helpTitle: "What may help",
  wider: "Take a limit away above and the question is asked again without it.",
  search: "Search the library for",
  near: "The nearest records are under “Left out”, with the reason why each was not enough.",
  first: "Looking",
  waiting: "The question is asked again as soon as the core answers.",
} as const;

/** "Searching the archive…": the stage after the last one that ended. */
function Working({ run }: { run: AskRun }) {
  const cancel = useAsk((ask) => ask.cancel);
  const order = Object.keys(stageWords);
  const last = run.stages.at(-1)?.stage;
  const next = Object.entries(stageWords)[last === undefined ? 0 : order.indexOf(last) + 1];
  const line = run.result ? words.refining : `${next?.[1].doing ?? words.first}…`;
  return (
    <div className="working" role="status">
      <span className="working__line" aria-hidden="true" />
      <span>{line}</span>
      <Button tone="quiet" onClick={cancel}>
        {words.stop}
      </Button>
    </div>
  );
}

/** An honest "no" is an answer. It says what was looked for and what can be tried. */
function NotFound({ result }: { result: AskResult }) {
  const { plan, leftOut } = result;
  const limited =
    plan.people.length + plan.windows.length + plan.places.length + plan.kinds.length + plan.sources.length > 0;
  const search = plan.terms.join(" ");
  if (!limited && search === "" && leftOut.length === 0) return null;
  return (
    <div className="not-found">
      <h2 className="evidence__title">{words.helpTitle}</h2>
      <ul>
        {limited ? <li>{words.wider}</li> : null}
        {search ? (
          <li>
            {words.search} <a href={formatHash({ place: "library", params: { q: search } })}>{search}</a>.
          </li>
        ) : null}
        {leftOut.length > 0 ? <li>{words.near}</li> : null}
      </ul>
    </div>
  );
}

/** From here on an answer is a text to read and not a line to see: it is set a size smaller. */
const longAnswer = 420;

function Result({ thread, run, result }: { thread: string; run: AskRun; result: AskResult }) {
  const links = useMemo(() => evidenceLinks(result), [result]);
  const records = useMemo(() => new Map(result.records.map((record) => [record.id, record])), [result]);
  const askAgain = (plan: QueryPlan) => void useAsk.getState().ask(thread, plan);
  return (
    <>
      <PlanChips plan={result.plan} asked={run.question} onChange={askAgain} />
      <div className={`answer-body ${run.stale ? "answer-body--stale" : ""}`} aria-busy={run.stale}>
        <Answer
          result={result}
          before={run.before}
          links={links}
          records={records}
          long={result.answer.length > longAnswer}
        />
        {result.outcome === "answered" ? <Verdicts thread={thread} result={result} target="answer" /> : null}
        {result.notes.length > 0 ? (
          <ul className="notes">
            {result.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        ) : null}
        {result.outcome === "not_found" ? <NotFound result={result} /> : null}
        <Evidence thread={thread} result={result} records={records} links={links} />
        <div className="folds">
          <LeftOut result={result} records={records} />
          <Trace result={result} records={records} />
        </div>
      </div>
    </>
  );
}

/** One question and its answer, like a page of a notebook. */
export function AnswerPage({ thread }: { thread: string }) {
  const run = useAsk((ask) => ask.runs.get(thread));
  const running = useAsk((ask) => ask.running === thread);
  const again = () => void useAsk.getState().askAgain(thread);

  return (
    <div className="answer-page">
      <div className="room answer-page__scroll">
        <article className="answer-page__column">
          <Earlier thread={thread} />
          <h1 className="answer-page__question">{questionOf(thread)}</h1>
          {run?.result ? <Result thread={thread} run={run} result={run.result} /> : null}
          {run && running && !run.result ? <Working run={run} /> : null}
          {run?.error?.code === "disconnected" && !run.result ? <p className="quiet">{words.waiting}</p> : null}
          {run?.error ? <ErrorNote error={run.error} onRetry={again} /> : null}
          {run?.cancelled ? (
            <p className="quiet">
              {words.cancelled}{" "}
              <Button tone="quiet" onClick={again}>
                {words.again}
              </Button>
            </p>
          ) : null}
        </article>
      </div>
      <div className="answer-page__next">
        {run && running && run.result ? <Working run={run} /> : null}
        <QuestionBox after={thread} />
      </div>
    </div>
  );
}
