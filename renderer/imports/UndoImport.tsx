import { useEffect, useState } from "react";
import type { ImportRun } from "#contract";
import { Button } from "../design/controls.tsx";
import { AskDialog } from "../design/dialog.tsx";
import { client } from "../state/client.ts";
import { useUi } from "../state/ui.ts";
import { undoSummary } from "./words.ts";

const words = {
  counting: "Counting what it brought…",
  after: "From the trash you can put back what you want. Importing the same files again brings everything back.",
  keep: "Keep it",
  undo: "Undo import",
} as const;

/** Asks before an import is taken back, with what will happen to its records. */
export function UndoImport({ run, title, onClose }: { run: ImportRun; title: string; onClose: () => void }) {
  const [preview, setPreview] = useState<{ trash: number; stay: number } | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    client()
      .call("imports.undoPreview", { importId: run.id }, { signal: controller.signal })
      .then(setPreview, useUi.getState().report);
    return () => controller.abort();
  }, [run.id]);
  return (
    <AskDialog
      title={`Undo the import of ${title}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.keep}</Button>
          <Button
            tone="danger"
            disabled={busy || preview === null}
            onClick={() => {
              setBusy(true);
              client().call("imports.undo", { importId: run.id }).catch(useUi.getState().report).finally(onClose);
            }}
          >
            {words.undo}
          </Button>
        </>
      }
    >
      <p role="status">{preview ? undoSummary(preview) : words.counting}</p>
      <p>{words.after}</p>
    </AskDialog>
  );
}
