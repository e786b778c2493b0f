import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useEffect, useState } from "react";
import { Dialog } from "../design/dialog.tsx";
import { closePane, useRoute } from "../state/route.ts";
import { paneWidths, useUi } from "../state/ui.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { useMedia } from "./media.ts";

const RecordPane = lazy(() => import("../record/RecordPane.tsx").then((room) => ({ default: room.RecordPane })));

/** Pixels that an arrow key moves the pane's edge. */
const keyStep = 24;

/** The pane's left edge: pulled with the pointer or moved with the arrow keys. */
function PaneEdge() {
  const width = useUi((ui) => ui.paneWidth);
  const setWidth = useUi((ui) => ui.setPaneWidth);
  const [pulling, setPulling] = useState(false);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowLeft") setWidth(width + keyStep);
    else if (event.key === "ArrowRight") setWidth(width - keyStep);
    else if (event.key === "Home") setWidth(paneWidths.least);
    else if (event.key === "End") setWidth(paneWidths.most);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPointerDown(event: PointerEvent) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setPulling(true);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is a widget; hr is not.
    <div
      className={`pane__edge ${pulling ? "is-pulled" : ""}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the record"
      aria-valuemin={paneWidths.least}
      aria-valuemax={paneWidths.most}
      aria-valuenow={width}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => pulling && setWidth(window.innerWidth - event.clientX)}
      onPointerUp={() => setPulling(false)}
      onPointerCancel={() => setPulling(false)}
    />
  );
}

/** The record that the pane shows: the one that the address opens, else the one that is pinned. */
function useOpenRecord(): { id: number; cite: string } | null {
  const { open, cite = "" } = useRoute((route) => route.params);
  const pinned = useUi((ui) => ui.panePinned);
  const kept = useUi((ui) => ui.keptRecord);
  const id = open !== undefined && /^[1-9]\d{0,14}$/.test(open) ? Number(open) : null;
  useEffect(() => {
    if (id !== null) useUi.setState({ keptRecord: { id, cite } });
  }, [id, cite]);
  if (id !== null) return { id, cite };
  return pinned ? kept : null;
}

/** Right: the record that is open. Beside the main column where there is room, else a sheet over it. */
export function Pane() {
  const record = useOpenRecord();
  const asked = useRoute((route) => route.params.open !== undefined);
  const width = useUi((ui) => ui.paneWidth);
  const sheet = useMedia("(max-width: 1080px)");
  if (!record) return null;
  const content = (
    <ErrorBoundary key={record.id}>
      <Suspense fallback={null}>
        <RecordPane id={record.id} cite={record.cite} sheet={sheet} />
      </Suspense>
    </ErrorBoundary>
  );
  if (!sheet) {
    return (
      <aside className="pane" aria-label="Record" style={{ width: `min(${width}px, 50vw)` }}>
        <PaneEdge />
        {content}
      </aside>
    );
  }
  // A sheet covers the place: what is pinned there would stand in the way.
  return asked ? (
    <Dialog label="Record" className="dialog--sheet" onClose={closePane}>
      {content}
    </Dialog>
  ) : null;
}
