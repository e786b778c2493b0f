import { create } from "zustand";
import type { Job } from "#contract";
import { client } from "./client.ts";
import { useSession } from "./session.ts";
import { keepWatching } from "./watch.ts";

interface Jobs {
  jobs: ReadonlyMap<string, Job>;
}

export const useJobs = create<Jobs>(() => ({ jobs: new Map() }));

export function isLive(job: Job): boolean {
  return job.state === "running" || job.state === "paused" || job.state === "queued";
}

/** Work under way, oldest first. */
export function liveJobs(jobs: ReadonlyMap<string, Job>): Job[] {
  return [...jobs.values()].filter(isLive).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** Whether records are being read in right now. */
export function useImporting(): boolean {
  return useJobs(({ jobs }) => [...jobs.values()].some((job) => job.kind === "import" && isLive(job)));
}

function put(...changed: Job[]): void {
  useJobs.setState(({ jobs }) => {
    const next = new Map(jobs);
    for (const job of changed) next.set(job.id, job);
    return { jobs: next };
  });
}

/** Follows all long work while an archive is open. Returns the way to stop. */
export function watchJobs(): () => void {
  const stop = keepWatching(async (signal) => {
    const { jobs } = await client().call("jobs.list", {}, { signal });
    useJobs.setState({ jobs: new Map(jobs.map((job) => [job.id, job])) });
    for await (const job of client().stream("jobs.watch", {}, { signal })) {
      const before = useJobs.getState().jobs.get(job.id);
      put(job);
      // An ended job changes counts that the status holds.
      if (!isLive(job) && before?.state !== job.state) void useSession.getState().refresh();
    }
  });
  return () => {
    stop();
    useJobs.setState({ jobs: new Map() });
  };
}
