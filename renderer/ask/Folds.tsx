import type { AskResult, RecordSummary, StageTrace } from "#contract";
import { Fold } from "../design/Fold.tsx";
import { KindIcon } from "../design/KindIcon.tsx";
import { count, counted, moment, recordTitle } from "../state/format.ts";
import { openRecord } from "../state/route.ts";

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

/** What was looked at and not used, with the reason. */
export function LeftOut({ result, records }: { result: AskResult; records: ReadonlyMap<number, RecordSummary> }) {
  const rows = result.leftOut.flatMap((row) => {
    const record = records.get(row.recordId);
    return record ? [{ ...row, record }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Fold title="Left out" note={counted(rows.length, "record")}>
      {[...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, same]) => (
        <section key={reason} className="left-out">
          <h3 className="left-out__reason">{reason}</h3>
          <ul>
            {same.map(({ record }) => (
              <li key={record.id}>
                <button type="button" className="line-button" onClick={() => openRecord(record.id)}>
                  <KindIcon kind={record.kind} />
                  <span className="line-button__text">{recordTitle(record)}</span>
                  <span className="quiet small">{moment(record.time)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Fold>
  );
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${count(Math.round(ms))} ms`;
}

/** How the answer was found: stages, time, sizes. */
export function Trace({ result }: { result: AskResult }) {
  const total = result.trace.reduce((sum, stage) => sum + stage.ms, 0);
  if (result.trace.length === 0) return null;
  return (
    <Fold title="How this was found" note={milliseconds(total)}>
      <p className="small quiet">{tierWords[result.tier]}</p>
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
          {result.trace.map((stage, index) => (
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
    </Fold>
  );
}
