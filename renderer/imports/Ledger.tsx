import { useCallback, useState } from "react";
import { fileStatuses, type ImportRun, type LedgerRow } from "#contract";
import { ErrorNote } from "../design/feedback.tsx";
import { MoreRows } from "../design/MoreRows.tsx";
import { client } from "../state/client.ts";
import { bytes, count, counted } from "../state/format.ts";
import { type ReadRows, usePages } from "../state/pages.ts";
import { fileStates } from "./words.ts";

const words = {
  none: "No file with this state.",
  all: "All",
} as const;

/** How many files of a run ended in a state; null where the run does not say. */
function filesIn({ counts }: ImportRun, status: LedgerRow["status"]): number | null {
  return status === "skipped" ? counts.skippedFiles : status === "failed" ? counts.failedFiles : null;
}

/** What became of every file of one import, as far down as one scrolls. */
export function Ledger({ run }: { run: ImportRun }) {
  const [status, setStatus] = useState<LedgerRow["status"] | "">("");
  const read: ReadRows<LedgerRow> = useCallback(
    (offset, limit, signal) =>
      client().call(
        "imports.ledger",
        { importId: run.id, offset, limit, ...(status === "" ? {} : { status }) },
        { signal },
      ),
    [run.id, status],
  );
  // The counts change while the import goes on: the rows that are shown are then read again.
  const { rows, total, error, more } = usePages(read, `${run.id} ${status}`, JSON.stringify(run.counts));

  return (
    <>
      <fieldset className="ledger__filter" aria-label="Show files that">
        <button type="button" className="chip" aria-pressed={status === ""} onClick={() => setStatus("")}>
          {words.all}
        </button>
        {fileStatuses
          .filter((one) => filesIn(run, one) !== 0)
          .map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={status === one}
              onClick={() => setStatus(one)}
            >
              {fileStates[one]}
            </button>
          ))}
      </fieldset>
      {error ? <ErrorNote error={error} /> : null}
      {rows?.length === 0 ? <p className="quiet">{words.none}</p> : null}
      <ul className="ledger">
        {rows?.map((row) => (
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
      {rows ? <MoreRows left={total - rows.length} what="file" onMore={more} /> : null}
    </>
  );
}
