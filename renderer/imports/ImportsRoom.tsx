import { useEffect, useRef, useState } from "react";
import { Button } from "../design/controls.tsx";
import { ErrorNote, Progress } from "../design/feedback.tsx";
import { bytes, counted } from "../state/format.ts";
import { useImports } from "../state/imports.ts";
import { liveJobs, useJobs } from "../state/jobs.ts";
import { useSession } from "../state/session.ts";
import { BrowseDialog } from "./BrowseDialog.tsx";
import { takeFiles } from "./drop.ts";
import { JobCard } from "./JobCard.tsx";
import { PlanCard } from "./PlanCard.tsx";
import { Runs } from "./Runs.tsx";
import "./imports.css";

const words = {
  title: "Imports",
  lead: "Drop a folder, a mailbox, a chat export or a zip anywhere on this window. Understory first tells you what is in it; your files are only read, never changed.",
  files: "Choose files…",
  folder: "Choose a folder…",
  browse: "Browse this machine…",
  stop: "Stop",
  again: "Try something else",
  looking: "Looking at what was dropped",
  sending: "Handing it to Understory, on this machine",
  planning: "Finding out what it is…",
} as const;

function Choose() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [browsing, setBrowsing] = useState(false);
  const onFiles = (input: HTMLInputElement) => {
    if (input.files) takeFiles(input.files);
    input.value = "";
  };
  return (
    <div className="choose">
      <div className="choose__buttons">
        <Button tone="primary" onClick={() => setBrowsing(true)}>
          {words.browse}
        </Button>
        <Button onClick={() => folder.current?.click()}>{words.folder}</Button>
        <Button onClick={() => files.current?.click()}>{words.files}</Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={words.files}
        onChange={(event) => onFiles(event.currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        webkitdirectory=""
        aria-label={words.folder}
        onChange={(event) => onFiles(event.currentTarget)}
      />
      {browsing ? <BrowseDialog onClose={() => setBrowsing(false)} /> : null}
    </div>
  );
}

/** What is being made ready: looked at, sent, planned. */
function Next() {
  const phase = useImports((imports) => imports.phase);
  const discard = useImports((imports) => imports.discard);
  switch (phase.at) {
    case "idle":
      return <Choose />;
    case "planned":
      return <PlanCard plan={phase.plan} />;
    case "failed":
      return (
        <div className="import-card">
          <ErrorNote error={phase.error} />
          <div>
            <Button onClick={discard}>{words.again}</Button>
          </div>
        </div>
      );
    default: {
      const line =
        phase.at === "looking"
          ? `${words.looking}: ${counted(phase.files, "file")}`
          : phase.at === "sending"
            ? `${words.sending}: ${bytes(phase.sent)} of ${bytes(phase.bytes)}`
            : words.planning;
      const share = phase.at === "sending" && phase.bytes > 0 ? phase.sent / phase.bytes : null;
      return (
        <div className="import-card" role="status">
          <div className="import-card__head">
            <span>{line}</span>
            <Button tone="quiet" onClick={discard}>
              {words.stop}
            </Button>
          </div>
          <Progress label={line} share={share} />
          {phase.at === "sending" ? <p className="small quiet import-card__name">{phase.name}</p> : null}
        </div>
      );
    }
  }
}

/** Before: a plan in words. During: one bar. After: what became of every file. */
export function ImportsRoom() {
  const jobs = useJobs((state) => state.jobs);
  const changes = useSession((session) => session.changes);
  const error = useImports((imports) => imports.error);
  const live = liveJobs(jobs).filter((job) => job.kind !== "install-model");
  const liveCount = live.length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when records change and when work ends.
  useEffect(() => void useImports.getState().loadRuns(), [changes, liveCount]);

  return (
    <div className="room">
      <div className="room__column imports">
        <header>
          <h1 className="room__title">{words.title}</h1>
          <p className="room__lead">{words.lead}</p>
        </header>
        <Next />
        {live.map((job) => (
          <JobCard key={job.id} job={job} />
        ))}
        {error ? <ErrorNote error={error} onRetry={() => void useImports.getState().loadRuns()} /> : null}
        <Runs />
      </div>
    </div>
  );
}
