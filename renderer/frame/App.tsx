import { lazy, Suspense, useEffect } from "react";
import { EmptyState, ErrorNote, Notices } from "../design/feedback.tsx";
import { useAsk } from "../state/ask.ts";
import { useConnection } from "../state/connection.ts";
import { forgetDrafts } from "../state/drafts.ts";
import { watchJobs } from "../state/jobs.ts";
import { forgetThumbnails } from "../state/media.ts";
import { useRoute } from "../state/route.ts";
import { useSession, watchChanges } from "../state/session.ts";
import { useUi } from "../state/ui.ts";
import { ConnectionLine, Unreachable } from "./ConnectionLine.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { useKeys } from "./keys.ts";
import { Pane } from "./Pane.tsx";
import { BottomBar, Rail } from "./Rail.tsx";
import { StatusLine } from "./StatusLine.tsx";
import "./frame.css";

const AskRoom = lazy(() => import("../ask/AskRoom.tsx").then((room) => ({ default: room.AskRoom })));
const LibraryRoom = lazy(() => import("../library/LibraryRoom.tsx").then((room) => ({ default: room.LibraryRoom })));
const PeopleRoom = lazy(() => import("../people/PeopleRoom.tsx").then((room) => ({ default: room.PeopleRoom })));
const ImportsRoom = lazy(() => import("../imports/ImportsRoom.tsx").then((room) => ({ default: room.ImportsRoom })));
const PrivacyRoom = lazy(() => import("../privacy/PrivacyRoom.tsx").then((room) => ({ default: room.PrivacyRoom })));
const ModelsRoom = lazy(() => import("../models/ModelsRoom.tsx").then((room) => ({ default: room.ModelsRoom })));
const RecordPage = lazy(() => import("../record/RecordPage.tsx").then((room) => ({ default: room.RecordPage })));
const FirstRun = lazy(() => import("../firstrun/FirstRun.tsx").then((room) => ({ default: room.FirstRun })));
const Palette = lazy(() => import("./Palette.tsx").then((room) => ({ default: room.Palette })));
const DropTarget = lazy(() => import("../imports/DropTarget.tsx").then((room) => ({ default: room.DropTarget })));

function Room() {
  const { place, id } = useRoute();
  switch (place) {
    case "library":
      return <LibraryRoom />;
    case "people":
      return <PeopleRoom />;
    case "imports":
      return <ImportsRoom />;
    case "privacy":
      return <PrivacyRoom />;
    case "models":
      return <ModelsRoom />;
    case "record":
      return id === null ? null : <RecordPage key={id} id={id} />;
    default:
      return <AskRoom />;
  }
}

/** The window with an archive open. */
function Frame() {
  const collapsed = useUi((ui) => ui.railCollapsed);
  const paletteOpen = useUi((ui) => ui.paletteOpen);
  const place = useRoute((route) => route.place);
  const archivePath = useSession((session) => session.status?.path);
  const error = useSession((session) => session.error);
  const epoch = useConnection((connection) => connection.epoch);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another connection or archive needs watches of its own.
  useEffect(() => {
    const stopJobs = watchJobs();
    const stopChanges = watchChanges();
    return () => {
      stopJobs();
      stopChanges();
    };
  }, [archivePath, epoch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another archive means other pictures and answers.
  useEffect(() => {
    return () => {
      forgetThumbnails();
      forgetDrafts();
      useUi.setState({ keptRecord: null });
      useAsk.getState().forget();
    };
  }, [archivePath]);
  useKeys();

  return (
    <div className={`frame ${collapsed ? "frame--slim" : ""}`}>
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Rail />
      <main className="main" id="main" tabIndex={-1}>
        {error ? (
          <div className="main__lost">
            <ErrorNote error={error} onRetry={() => void useSession.getState().refresh()} />
          </div>
        ) : null}
        <ErrorBoundary key={place}>
          <Suspense fallback={<h1 className="visually-hidden">Understory</h1>}>
            <Room />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Pane />
      <StatusLine />
      <ConnectionLine />
      <BottomBar />
      <Suspense fallback={null}>
        {paletteOpen ? <Palette /> : null}
        <DropTarget />
      </Suspense>
      <Notices />
    </div>
  );
}

/** Before anything is known: only a heading for those who hear the page. */
function Opening() {
  return (
    <main aria-busy="true">
      <h1 className="visually-hidden">Opening Understory</h1>
    </main>
  );
}

export function App() {
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const unreachable = useConnection((connection) => connection.error !== null);
  const recoveryCode = useSession((session) => session.recoveryCode);

  if (status?.state === "open" && recoveryCode === null) return <Frame />;
  if (status) {
    return (
      <>
        <ErrorBoundary>
          <Suspense fallback={<Opening />}>
            <FirstRun />
          </Suspense>
        </ErrorBoundary>
        <ConnectionLine />
        <Notices />
      </>
    );
  }
  if (error) {
    return (
      <main>
        <h1 className="visually-hidden">Understory</h1>
        <EmptyState title="Understory cannot be opened">
          <ErrorNote error={error} onRetry={() => void useSession.getState().refresh()} />
        </EmptyState>
      </main>
    );
  }
  return unreachable ? <Unreachable /> : <Opening />;
}
