import { useEffect, useState } from "react";
import { type ErrorShape, fileStatuses, type ImportRun, type LedgerRow } from "#contract";
import { Button } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { client, shownError } from "../state/client.ts";
import { bytes, count, counted, ownMoment } from "../state/format.ts";
import { useImports } from "../state/imports.ts";
import { fileStates, rootName, runStates, runSummary } from "./words.ts";

const words = {
  title: "What came in so far",
  none: "No file with this state.",
  all: "All",
  more: "Show more",
  failedHelp: "A failed file changes nothing: its readable records are kept, and importing it again adds none twice.",
} as const;

const pageRows = 100;

/** What became of every file of one import. */
function Ledger({ run }: { run: ImportRun }) {
  const [status, setStatus] = useState<LedgerRow["status"] | "">("");
  const [rows, setRows] = useState<readonly LedgerRow[]>([]);
  const [total, setTotal] = useState<number | null>(null);
  const [limit, setLimit] = useState(pageRows);
  const [error, setError] = useState<ErrorShape | null>(null);
  const seen = JSON.stringify(run.counts);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `seen` asks again while the import goes on.
  useEffect(() => {
    const controller = new AbortController();
    client()
      .call(
        "imports.ledger",
        { importId: run.id, offset: 0, limit: Math.min(500, limit), ...(status === "" ? {} : { status }) },
        { signal: controller.signal },
      )
      .then(
        (ledger) => {
          setRows(ledger.rows);
          setTotal(ledger.total);
          setError(null);
        },
        (cause: unknown) => setError(shownError(cause)),
      );
    return () => controller.abort();
  }, [run.id, status, limit, seen]);

  return (
    <>
      <fieldset className="ledger__filter" aria-label="Show files that">
        <button type="button" className="chip" aria-pressed={status === ""} onClick={() => setStatus("")}>
          {words.all}
        </button>
        {fileStatuses.map((one) => (
          <button key={one} type="button" className="chip" aria-pressed={status === one} onClick={() => setStatus(one)}>
            {fileStates[one]}
          </button>
        ))}
      </fieldset>
      {error ? <ErrorNote error={error} /> : null}
      {status === "failed" && rows.length > 0 ? <p className="small quiet">{words.failedHelp}</p> : null}
      {total === 0 ? <p className="quiet">{words.none}</p> : null}
      <ul className="ledger">
        {rows.map((row) => (
          <li key={row.path} data-status={row.status}>
            <span className="ledger__state">{fileStates[row.status]}</span>
            <span className="ledger__path">
              {row.path}
              {row.reason ? <span className="ledger__reason">{row.reason}</span> : null}
            </span>
            <span className="ledger__numbers">
              {row.records > 0 ? counted(row.records, "record") : ""}
              {row.skipped > 0 ? `, ${count(row.skipped)} left out` : ""}
              <span className="quiet"> {bytes(row.bytes)}</span>
            </span>
          </li>
        ))}
      </ul>
      {total !== null && total > rows.length ? (
        <div>
          {rows.length < 500 ? (
            <Button tone="quiet" onClick={() => setLimit(500)}>
              {words.more}
            </Button>
          ) : (
            <p className="small quiet">The first 500 of {count(total)} files.</p>
          )}
        </div>
      ) : null}
    </>
  );
}

/** Every import that there was, the newest first. */
export function Runs() {
  const runs = useImports((imports) => imports.runs);
  if (!runs || runs.length === 0) return null;
  return (
    <section className="runs" aria-label={words.title}>
      <h2>{words.title}</h2>
      {[...runs]
        .sort((a, b) => b.id - a.id)
        .map((run) => (
          <div key={run.id} className="run">
            <div className="run__head">
              <span className="run__roots">{run.roots.map(rootName).join(", ")}</span>
              <span className="small quiet">
                {runStates[run.status]} · {ownMoment(run.finishedAt ?? run.startedAt)}
              </span>
            </div>
            <p className="run__summary">{runSummary(run)}</p>
            <Fold title="Every file" note={counted(run.counts.files, "file")}>
              <Ledger run={run} />
            </Fold>
          </div>
        ))}
    </section>
  );
}
