import type { Job } from "#contract";
import { Button } from "../design/controls.tsx";
import { Progress } from "../design/feedback.tsx";
import { client } from "../state/client.ts";
import { bytes, timeLeft } from "../state/format.ts";
import { attempt } from "../state/ui.ts";

const words = {
  pause: "Pause",
  resume: "Go on",
  stop: "Stop",
  queued: "Waiting for its turn",
  paused: "Paused. What has arrived is kept.",
} as const;

/** "12 MB of 23 MB · about 10 seconds left" */
export function installLine({
  state,
  progress: { done, total, secondsLeft },
}: Pick<Job, "state" | "progress">): string {
  if (state === "queued") return words.queued;
  const parts = [total === null ? bytes(done) : `${bytes(done)} of ${bytes(total)}`];
  if (state === "paused") parts.push(words.paused);
  else if (secondsLeft !== null) parts.push(`${timeLeft(secondsLeft)} left`);
  return parts.join(" · ");
}

/** A model on its way: how much of it has come, and the means to hold it up. */
export function InstallProgress({ job, title }: { job: Job; title: string }) {
  const { done, total, note } = job.progress;
  const act = (method: "jobs.pause" | "jobs.resume" | "jobs.cancel") =>
    void attempt(() => client().call(method, { jobId: job.id }));
  return (
    <div className="model__progress">
      <Progress label={job.title} share={total ? Math.min(1, done / total) : job.state === "running" ? null : 0} />
      <div className="model__progress-line">
        <p className="small quiet">
          {installLine(job)}
          {note && job.state === "running" ? <span className="model__note"> · {note}</span> : null}
        </p>
        <span className="model__actions">
          {job.state === "paused" ? (
            <Button tone="quiet" aria-label={`${words.resume} installing ${title}`} onClick={() => act("jobs.resume")}>
              {words.resume}
            </Button>
          ) : (
            <Button tone="quiet" aria-label={`${words.pause} installing ${title}`} onClick={() => act("jobs.pause")}>
              {words.pause}
            </Button>
          )}
          <Button tone="quiet" aria-label={`${words.stop} installing ${title}`} onClick={() => act("jobs.cancel")}>
            {words.stop}
          </Button>
        </span>
      </div>
    </div>
  );
}
