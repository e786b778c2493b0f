import { useEffect, useState } from "react";
import type { ImportRun } from "#contract";
import { Button, Check } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { client } from "../state/client.ts";
import { counted, ownMoment } from "../state/format.ts";
import { useImports } from "../state/imports.ts";
import { useSession } from "../state/session.ts";
import { attempt, useUi } from "../state/ui.ts";
import { Ledger } from "./Ledger.tsx";
import { Problems } from "./Problems.tsx";
import { UndoImport } from "./UndoImport.tsx";
import { canUndo, canWatch, droppedName, isDropped, rootNames, runStates, runSummary } from "./words.ts";

const words = {
  title: "What came in so far",
  sample: "Sample household",
  undo: "Undo import",
  watch: "Keep watching this folder",
  watchHint:
    "What is new or changed there is read once it has settled. Files that go are only marked; what was read stays.",
} as const;

/** What a person would call the run: the folders' names; for files dropped into the window, theirs. */
function useRunTitle(run: ImportRun): string {
  const sample = useSession((session) => session.status?.sample === true);
  const [first, setFirst] = useState<string | null>(null);
  const dropped = !sample && run.roots.some(isDropped);
  // While it runs, no file may have come to its end yet: asked again when the run does.
  const { status } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status is what the ledger's first row depends on.
  useEffect(() => {
    if (!dropped) return;
    const controller = new AbortController();
    client()
      .call("imports.ledger", { importId: run.id, offset: 0, limit: 1 }, { signal: controller.signal })
      .then(({ rows }) => setFirst(rows[0]?.path ?? null), useUi.getState().report);
    return () => controller.abort();
  }, [run.id, dropped, status]);
  if (sample) return words.sample;
  return dropped ? droppedName(first, run.counts.files) : rootNames(run.roots);
}

async function watchFolder(importId: number, on: boolean): Promise<void> {
  if (await attempt(() => client().call("imports.watch", { importId, on }))) await useImports.getState().loadRuns();
}

function Run({ run }: { run: ImportRun }) {
  const title = useRunTitle(run);
  const [undoing, setUndoing] = useState(false);
  const sample = useSession((session) => session.status?.sample === true);
  return (
    <article className="run" aria-label={title}>
      <div className="run__head">
        <h3 className="run__roots" title={run.roots.some(isDropped) ? undefined : run.roots.join("\n")}>
          {title}
        </h3>
        <span className="small quiet">
          {runStates[run.status]} · {ownMoment(run.finishedAt ?? run.startedAt)}
        </span>
      </div>
      <p className="run__summary">{runSummary(run)}</p>
      <Problems run={run} />
      <Fold title="Every file" note={counted(run.counts.files, "file")}>
        <Ledger run={run} />
      </Fold>
      {canWatch(run) && !sample ? (
        <Check
          label={words.watch}
          hint={words.watchHint}
          checked={run.watched}
          onChange={(on) => void watchFolder(run.id, on)}
        />
      ) : null}
      {canUndo(run) ? (
        <div>
          <Button tone="quiet" onClick={() => setUndoing(true)}>
            {words.undo}
          </Button>
        </div>
      ) : null}
      {undoing ? <UndoImport run={run} title={title} onClose={() => setUndoing(false)} /> : null}
    </article>
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
          <Run key={run.id} run={run} />
        ))}
    </section>
  );
}
