import { Pause, Play } from "lucide-react";
import { useEffect } from "react";
import type { Job, ModelPurpose, ViewProgress } from "#contract";
import { IconButton } from "../design/controls.tsx";
import { client } from "../state/client.ts";
import { count, counted, timeLeft } from "../state/format.ts";
import { liveJobs, useJobs } from "../state/jobs.ts";
import { useSession } from "../state/session.ts";
import { attempt } from "../state/ui.ts";

const words = { quiet: "Everything is up to date" } as const;

/** "Reading 3 mailboxes · 41 % · about 2 minutes left" */
export function jobLine(job: Job): string {
  const { done, total, secondsLeft, records } = job.progress;
  const parts = [job.title];
  if (job.state === "queued") parts.push("waiting");
  else if (job.state === "paused") parts.push("paused");
  if (total) parts.push(`${Math.floor((done / total) * 100)} %`);
  else if (records > 0) parts.push(`${count(records)} records`);
  if (job.state === "running" && secondsLeft !== null) parts.push(`${timeLeft(secondsLeft)} left`);
  return parts.join(" · ");
}

/** "12 pictures still to look at": views that a model will derive when it may go on; null: there are none. */
export function waitingViews(views: readonly Pick<ViewProgress, "purpose" | "model" | "pending">[]): string | null {
  const most = (purposes: readonly ModelPurpose[]) =>
    Math.max(
      0,
      ...views.filter((one) => one.model !== null && purposes.includes(one.purpose)).map((one) => one.pending),
    );
  const pictures = most(["ocr", "image-tags", "image-text-embedding"]);
  if (pictures > 0) return `${counted(pictures, "picture")} still to look at`;
  const records = most(["text-embedding"]);
  return records > 0 ? `${counted(records, "record")} still to read for meaning` : null;
}

function pauseOrResume(job: Job): void {
  const method = job.state === "paused" ? "jobs.resume" : "jobs.pause";
  void attempt(() => client().call(method, { jobId: job.id }));
}

/** Pause between two reads of what is still to do while no work on it is under way, ms. */
const catchUpMs = 3_000;

/** Work that waits (for power, for its turn) tells nothing when it is done elsewhere: how it stands is asked for. */
function useCatchingUp(waiting: boolean): void {
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => void useSession.getState().refresh(), catchUpMs);
    return () => clearInterval(timer);
  }, [waiting]);
}

/** What is being worked on, quietly. It is always there, so that nothing jumps when work begins. */
export function StatusLine() {
  const live = liveJobs(useJobs((state) => state.jobs));
  const indexes = useSession((session) => session.status?.indexes);
  const job = live.find((one) => one.state === "running") ?? live[0];

  let text: string = words.quiet;
  if (job) text = live.length > 1 ? `${jobLine(job)} · ${live.length - 1} more waiting` : jobLine(job);
  else if (indexes && indexes.text.pending > 0) text = `Indexing · ${counted(indexes.text.pending, "record")} to go`;
  else if (indexes) text = waitingViews(indexes.views) ?? words.quiet;
  useCatchingUp(!job && text !== words.quiet);
  return (
    <footer className={text === words.quiet ? "status-line status-line--quiet" : "status-line"}>
      <span className="status-line__text">{text}</span>
      {job ? (
        <IconButton
          className="status-line__button"
          label={job.state === "paused" ? "Resume this work" : "Pause this work"}
          onClick={() => pauseOrResume(job)}
        >
          {job.state === "paused" ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        </IconButton>
      ) : null}
    </footer>
  );
}
