import { lazy, Suspense } from "react";
import { Dialog } from "../design/dialog.tsx";
import { closePane, useRoute } from "../state/route.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { useMedia } from "./media.ts";

const RecordPane = lazy(() => import("../record/RecordPane.tsx").then((room) => ({ default: room.RecordPane })));

/** Right: the record that is open. Beside the main column where there is room, else a sheet over it. */
export function Pane() {
  const open = useRoute((route) => route.params.open);
  const sheet = useMedia("(max-width: 1080px)");
  if (open === undefined || !/^[1-9]\d{0,14}$/.test(open)) return null;
  const content = (
    <ErrorBoundary key={open}>
      <Suspense fallback={null}>
        <RecordPane id={Number(open)} />
      </Suspense>
    </ErrorBoundary>
  );
  return sheet ? (
    <Dialog label="Record" className="dialog--sheet" onClose={closePane}>
      {content}
    </Dialog>
  ) : (
    <aside className="pane" aria-label="Record">
      {content}
    </aside>
  );
}
