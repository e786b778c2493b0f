import { useEffect, useState } from "react";
import type { ImportRun, LedgerRow } from "#contract";
import { client } from "../state/client.ts";
import { counted } from "../state/format.ts";
import { useUi } from "../state/ui.ts";
import { byReason, type ReasonGroup } from "./words.ts";

const words = {
  failed: {
    title: "Could not be read",
    todo: "What could be read of them is kept. Save or export them anew and drop them again: nothing is added twice.",
  },
  skipped: {
    title: "Left out",
    todo: "They are untouched where they lie. If one of them matters, export it in another form and drop that.",
  },
  others: "and other reasons, under “Every file”.",
} as const;

/** Files looked at for their reasons, and reasons shown. */
const lookedAt = 500;
const shown = 4;

function Group({ status, run, files }: { status: "failed" | "skipped"; run: ImportRun; files: number }) {
  const [groups, setGroups] = useState<readonly ReasonGroup[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `files` asks again while the import goes on.
  useEffect(() => {
    const controller = new AbortController();
    client()
      .call("imports.ledger", { importId: run.id, offset: 0, limit: lookedAt, status }, { signal: controller.signal })
      .then((ledger: { rows: LedgerRow[] }) => setGroups(byReason(ledger.rows)), useUi.getState().report);
    return () => controller.abort();
  }, [run.id, status, files]);
  return (
    <div className={`problems problems--${status}`}>
      <h3>
        {words[status].title} <span className="quiet">{counted(files, "file")}</span>
      </h3>
      <ul>
        {groups.slice(0, shown).map((group) => (
          <li key={group.reason}>
            {group.reason}{" "}
            <span className="quiet small">
              {group.examples.join(", ")}
              {group.files > group.examples.length ? ` and ${group.files - group.examples.length} more` : ""}
            </span>
          </li>
        ))}
        {groups.length > shown ? <li className="quiet small">{words.others}</li> : null}
      </ul>
      <p className="small quiet">{words[status].todo}</p>
    </div>
  );
}

/** What did not come in, before anything else: why, which files, what to do. */
export function Problems({ run }: { run: ImportRun }) {
  const { failedFiles, skippedFiles } = run.counts;
  return (
    <>
      {failedFiles > 0 ? <Group status="failed" run={run} files={failedFiles} /> : null}
      {skippedFiles > 0 ? <Group status="skipped" run={run} files={skippedFiles} /> : null}
    </>
  );
}
