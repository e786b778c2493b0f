import { Download, ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { AuditRow, Output } from "#contract";
import { Button } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { useAnswer } from "../state/answer.ts";
import { client } from "../state/client.ts";
import { count, counted, ownMoment } from "../state/format.ts";
import { saveFile } from "../state/save.ts";
import { useSession } from "../state/session.ts";
import { attempt } from "../state/ui.ts";

const words = {
  lead: "Everything that was done to the archive, in order. The log names numbers and counts, never content. Each line is chained to the one before, so a line that was changed or taken out would show.",
  verify: "Check the chain",
  export: "Save as a file",
  older: "Older",
  newer: "Newer",
  filter: "Show",
  all: "Everything",
} as const;

const pageRows = 50;

/** Actions by which the log can be filtered. */
const actions: readonly { action: string; label: string }[] = [
  { action: "import.finish", label: "Imports" },
  { action: "record.edit", label: "Edits" },
  { action: "record.trash", label: "Trashed" },
  { action: "record.restore", label: "Restored" },
  { action: "record.erase", label: "Deleted for good" },
  { action: "feedback.give", label: "Said of answers" },
  { action: "archive.unlock", label: "Unlocked" },
];

function details(row: AuditRow): string {
  return Object.entries(row.details)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function Verdict({ verdict }: { verdict: Output<"audit.verify"> }) {
  return (
    <p className={verdict.ok ? "verdict" : "verdict verdict--bad"} role="status">
      {verdict.ok
        ? `The chain is whole: ${counted(verdict.rows, "line")} checked.`
        : `The chain is broken at line ${count(verdict.firstBad ?? 0)}. Lines before it are sound; those from there on may have been changed outside Understory.`}
    </p>
  );
}

export function AuditLog() {
  const changes = useSession((session) => session.changes);
  const [action, setAction] = useState("");
  const [offset, setOffset] = useState(0);
  const [verdict, setVerdict] = useState<Output<"audit.verify"> | null>(null);
  const { answer: page, error } = useAnswer(
    (signal) =>
      client().call("audit.list", { offset, limit: pageRows, ...(action === "" ? {} : { action }) }, { signal }),
    `${action}/${offset}/${changes}`,
  );

  return (
    <>
      <p className="room__lead">{words.lead}</p>
      <div className="trash__bar">
        <Button onClick={() => void attempt(async () => setVerdict(await client().call("audit.verify", {})))}>
          <ShieldCheck size={16} aria-hidden />
          {words.verify}
        </Button>
        <Button
          onClick={() =>
            void attempt(async () =>
              saveFile("understory-audit.jsonl", (await client().call("audit.export", {})).jsonl, "application/jsonl"),
            )
          }
        >
          <Download size={16} aria-hidden />
          {words.export}
        </Button>
        <label className="trash__actions small">
          {words.filter}
          <select
            className="input audit__select"
            value={action}
            onChange={(event) => {
              setAction(event.target.value);
              setOffset(0);
            }}
          >
            <option value="">{words.all}</option>
            {actions.map((one) => (
              <option key={one.action} value={one.action}>
                {one.label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {verdict ? <Verdict verdict={verdict} /> : null}
      {error ? <ErrorNote error={error} /> : null}
      {page ? (
        <>
          <ol className="audit">
            {page.rows.map((row) => (
              <li key={row.seq}>
                <span className="audit__seq">{count(row.seq)}</span>
                <span className="audit__when">{ownMoment(row.at)}</span>
                <span className="audit__action">{row.action}</span>
                <span className="audit__details">{details(row)}</span>
              </li>
            ))}
          </ol>
          {page.total > pageRows ? (
            <div className="trash__bar">
              <Button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageRows))}>
                {words.newer}
              </Button>
              <Button disabled={offset + pageRows >= page.total} onClick={() => setOffset(offset + pageRows)}>
                {words.older}
              </Button>
              <span className="small quiet">
                {count(offset + 1)}–{count(Math.min(page.total, offset + pageRows))} of {count(page.total)}
              </span>
            </div>
          ) : null}
        </>
      ) : null}
    </>
  );
}
