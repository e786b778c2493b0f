import { type AskResult, howFound, type RecordSummary, type RoundTrace, type StageTrace } from "#contract";
import { Button } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { KindIcon } from "../design/KindIcon.tsx";
import { count, counted, recordTitle } from "../state/format.ts";
import { openRecord } from "../state/route.ts";
import { saveFile } from "../state/save.ts";

/** What each stage does, for a person. */
export const stageWords: Readonly<Record<StageTrace["stage"], { doing: string; done: string }>> = {
  plan: { doing: "Reading the question", done: "Read the question" },
  recall: { doing: "Searching the archive", done: "Searched the archive" },
  candidates: { doing: "Following connections", done: "Followed connections" },
  verify: { doing: "Weighing what was found", done: "Weighed what was found" },
  forest: { doing: "Growing the evidence", done: "Grew the evidence" },
  read: { doing: "Writing the answer", done: "Wrote the answer" },
  check: { doing: "Checking every sentence", done: "Checked every sentence" },
};

const tierWords: Readonly<Record<AskResult["tier"], string>> = {
  instant: "Instant: no language model was used.",
  reranked: "Reranked: a reading model ordered the findings.",
  verified: "Verified: a local language model read the findings.",
};

const rewriteWords: Readonly<Record<RoundTrace["rewrite"], string>> = {
  first: "As the question was understood",
  split: "Each part for itself",
  nearest_words: "With words that mean nearly the same",
  second_hop: "By way of what the question describes",
  wider_time: "With the days around",
  fewer_filters: "Without limits",
};

const words = {
  title: "How this was found",
  ranked: "Ranked first",
  save: "Save how this was found",
  saved: "The file holds this answer’s quotes, and is not encrypted.",
} as const;

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${count(Math.round(ms))} ms`;
}

function Stages({ stages, total }: { stages: readonly StageTrace[]; total: number }) {
  return (
    <table className="trace">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">Time</th>
          <th scope="col">
            <span className="visually-hidden">Share</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {stages.map((stage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stage may run twice and the list only grows.
          <tr key={index}>
            <th scope="row">{stageWords[stage.stage].done}</th>
            <td>{count(stage.inputSize)}</td>
            <td>{count(stage.outputSize)}</td>
            <td>{milliseconds(stage.ms)}</td>
            <td>
              <svg width="80" height="6" aria-hidden="true">
                <rect width={Math.max(1, (80 * stage.ms) / Math.max(total, 0.001))} height="6" rx="1" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One way that was tried, and what came of it. */
function Round({ round, stages, total }: { round: RoundTrace; stages: readonly StageTrace[]; total: number }) {
  const why = round.doubts.map(({ text }) => text).join("; ");
  const outcome = round.chosen && round.answered ? "this answer" : round.answered ? "answered" : "no answer";
  return (
    <section className="trace-round">
      <h3 className="left-out__reason">
        {rewriteWords[round.rewrite]}
        {round.change ? ` (${round.change})` : ""}: {outcome}
        {why ? `, ${why}` : ""}
      </h3>
      <Stages stages={stages} total={total} />
    </section>
  );
}

const leadersShown = 5;

/** The first of the evidence with its probability: what the ranker thought, in one number each. */
function Leaders({ result, records }: { result: AskResult; records: ReadonlyMap<number, RecordSummary> }) {
  const rows = [
    ...result.forest.nodes.map(({ recordId, utility }) => ({ recordId, utility })),
    ...result.leftOut.map(({ recordId, utility }) => ({ recordId, utility })),
  ]
    .sort((a, b) => b.utility - a.utility)
    .flatMap((row) => {
      const record = records.get(row.recordId);
      return record ? [{ ...row, record }] : [];
    })
    .slice(0, leadersShown);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3 className="left-out__reason">{words.ranked}</h3>
      <ul>
        {rows.map(({ record, utility }) => (
          <li key={record.id}>
            <button type="button" className="line-button" onClick={() => openRecord(record.id)}>
              <KindIcon kind={record.kind} />
              <span className="line-button__text">{recordTitle(record)}</span>
              <span className="quiet small">{Math.round(100 * utility)} %</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How the answer was found: every way that was tried with its stages, times and sizes; to keep as a file. */
export function Trace({ result, records }: { result: AskResult; records: ReadonlyMap<number, RecordSummary> }) {
  const { trace, rounds } = result;
  if (trace.length === 0) return null;
  const total = trace.reduce((sum, stage) => sum + stage.ms, 0);
  const tried = rounds.length > 1 ? `${counted(rounds.length, "way")} tried, ` : "";
  const save = () =>
    saveFile("understory-how-found.json", `${JSON.stringify(howFound(result), null, 2)}\n`, "application/json");
  return (
    <Fold title={words.title} note={`${tried}${milliseconds(total)}`}>
      <p className="small quiet">{tierWords[result.tier]}</p>
      {rounds.length > 1 ? (
        rounds.map((round) => (
          <Round
            key={round.round}
            round={round}
            stages={trace.filter((stage) => stage.round === round.round)}
            total={total}
          />
        ))
      ) : (
        <Stages stages={trace} total={total} />
      )}
      <Leaders result={result} records={records} />
      <div className="trace-save small quiet">
        <Button tone="quiet" onClick={save}>
          {words.save}
        </Button>
        <span>{words.saved}</span>
      </div>
    </Fold>
  );
}
