import type { Job } from "#contract";
import { Button } from "../design/controls.tsx";
import { Progress } from "../design/feedback.tsx";
import { client } from "../state/client.ts";
import { bytes, count, counted, timeLeft } from "../state/format.ts";
import { attempt } from "../state/ui.ts";

const words = {
  pause: "Pause",
  resume: "Go on",
  cancel: "Stop",
  queued: "Waiting for its turn",
  paused: "Paused. What came in is kept.",
} as const;

function amount(value: number, unit: Job["progress"]["unit"]): string {
  return unit === "bytes" ? bytes(value) : count(Math.round(value));
}

/** "12 MB of 40 MB · 1,204 records · 3.1 MB a second · about 10 seconds left" */
function progressLine({ state, progress }: Job): string {
  if (state === "queued") return words.queued;
  const { done, total, unit, rate, secondsLeft, records } = progress;
  const parts = [
    total === null
      ? `${amount(done, unit)} ${unit === "bytes" ? "" : unit}`.trim()
      : `${amount(done, unit)} of ${amount(total, unit)}${unit === "bytes" ? "" : ` ${unit}`}`,
  ];
  if (unit !== "records" && records > 0) parts.push(counted(records, "record"));
  if (state === "paused") parts.push(words.paused);
  else {
    if (rate !== null) parts.push(`${amount(rate, unit)} a second`);
    if (secondsLeft !== null) parts.push(`${timeLeft(secondsLeft)} left`);
  }
  return parts.join(" · ");
}

/** One piece of long work: one bar, a rate, a time left. */
export function JobCard({ job }: { job: Job }) {
  const { done, total, note } = job.progress;
  const act = (method: "jobs.pause" | "jobs.resume" | "jobs.cancel") =>
    void attempt(() => client().call(method, { jobId: job.id }));
  return (
    <section className="import-card" aria-label={job.title}>
      <div className="import-card__head">
        <h2 className="import-card__title">{job.title}</h2>
        <div className="import-card__buttons">
          {job.state === "paused" ? (
            <Button onClick={() => act("jobs.resume")}>{words.resume}</Button>
          ) : (
            <Button onClick={() => act("jobs.pause")}>{words.pause}</Button>
          )}
          <Button tone="quiet" onClick={() => act("jobs.cancel")}>
            {words.cancel}
          </Button>
        </div>
      </div>
      <Progress label={job.title} share={total === null ? null : total === 0 ? 1 : Math.min(1, done / total)} />
      <p className="small quiet">{progressLine(job)}</p>
      {note ? <p className="small quiet import-card__name">{note}</p> : null}
    </section>
  );
}
