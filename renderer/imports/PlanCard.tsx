import { useState } from "react";
import type { ImportPlan } from "#contract";
import { Button } from "../design/controls.tsx";
import { bytes, counted } from "../state/format.ts";
import { useImports } from "../state/imports.ts";
import { planLines } from "./words.ts";
import { ZoneField } from "./ZoneField.tsx";

const words = {
  nothing: "Nothing in it that Understory can read",
  run: "Read it in",
  no: "Not now",
  skipped: "Will be left out",
} as const;

/** What was found, in words, before anything is read in. */
export function PlanCard({ plan }: { plan: ImportPlan }) {
  const { run, discard } = useImports.getState();
  const [busy, setBusy] = useState(false);
  const { zoneQuestion } = plan;
  const [zone, setZone] = useState<string | null>(zoneQuestion?.guess ?? null);
  const lines = planLines(plan);
  return (
    <section className="import-card" aria-label="Plan">
      <h2 className="import-card__title">
        {lines.length === 0
          ? words.nothing
          : `${counted(plan.sources.length, "source")} in ${counted(plan.files, "file")}, ${bytes(plan.bytes)}`}
      </h2>
      <ul className="plan-lines">
        {lines.map((line) => (
          <li key={line.key}>
            <div className="plan-lines__what">
              {line.what} <span className="quiet">{line.detail}</span>
            </div>
            <div className="small quiet plan-lines__labels">
              {line.labels.slice(0, 4).join(", ")}
              {line.labels.length > 4 ? ` and ${line.labels.length - 4} more` : ""}
            </div>
          </li>
        ))}
      </ul>
      {plan.warnings.map((warning) => (
        <p key={warning} className="small import-card__warning">
          {warning}
        </p>
      ))}
      {plan.skipped.length > 0 ? (
        <details>
          <summary>
            {words.skipped}:{" "}
            {counted(
              plan.skipped.reduce((sum, row) => sum + row.files, 0),
              "file",
            )}
          </summary>
          <ul className="plan-skipped">
            {plan.skipped.map((row) => (
              <li key={row.reason}>
                {counted(row.files, "file")}: {row.reason}
                <div className="small quiet plan-lines__labels">{row.examples.join(", ")}</div>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {zoneQuestion && lines.length > 0 ? <ZoneField question={zoneQuestion} zone={zone} onChange={setZone} /> : null}
      <div className="import-card__buttons">
        {lines.length > 0 ? (
          <Button
            tone="primary"
            disabled={busy}
            onClick={() => {
              setBusy(true);
              void run(zone).finally(() => setBusy(false));
            }}
          >
            {words.run}
          </Button>
        ) : null}
        <Button disabled={busy} onClick={discard}>
          {words.no}
        </Button>
      </div>
    </section>
  );
}
