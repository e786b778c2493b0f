import { openApp } from "#main/app.ts";
import { threadSeconds } from "./thread-time.ts";

/** Imports one root through the whole product and tells its parent what it took: `import-child.ts ARCHIVE ROOT`. */

const [archiveDir = "", root = ""] = process.argv.slice(2);
const app = await openApp({ archiveDir, host: "browser", derive: false });
const { client } = app;
await client.call("archive.create", { name: "Bench", passphrase: "four lanterns on the quay" });

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const begun = { at: performance.now(), cpu: cpu(), threads: threadSeconds() };
const since = () => ({ seconds: (performance.now() - begun.at) / 1000, cpu: cpu() - begun.cpu });

const plan = await client.call("imports.plan", { paths: [root] });
const planned = since();
const run = await client.call("imports.run", { planId: plan.planId });
/** When so many records were in the store. */
const progress: { records: number; seconds: number }[] = [];
const watching = new AbortController();
for await (const job of client.stream("jobs.watch", {}, { signal: watching.signal })) {
  if (job.id !== run.jobId) continue;
  progress.push({ records: job.progress.records, seconds: since().seconds });
  if (["done", "failed", "cancelled"].includes(job.state)) break;
}
const stored = since();
/** Full text has every change. */
const searchable = await reached(({ indexes }) => indexes?.text.pending === 0);
const threads = Object.fromEntries(
  Object.entries(threadSeconds()).map(([name, seconds]) => [name, seconds - (begun.threads[name] ?? 0)]),
);
const searchablePeakMiB = process.resourceUsage().maxRSS / 1024;
/** No work is left: also what edges are made of, and the texts that models read. */
const complete = await reached((_status, jobs) => !jobs.some(({ state }) => state === "queued" || state === "running"));
const { counts } = await client.call("archive.status", {});
const { maxRSS } = process.resourceUsage();
process.send?.({
  planned,
  stored,
  searchable,
  complete,
  progress,
  threads,
  searchablePeakMiB,
  records: counts?.records ?? 0,
  peakMiB: maxRSS / 1024,
});
await app.close();
process.disconnect?.();

type Status = Awaited<ReturnType<typeof client.call<"archive.status">>>;
type Jobs = Awaited<ReturnType<typeof client.call<"jobs.list">>>["jobs"];

async function reached(there: (status: Status, jobs: Jobs) => boolean): Promise<{ seconds: number; cpu: number }> {
  for (;;) {
    const status = await client.call("archive.status", {});
    const { jobs } = await client.call("jobs.list", {});
    if (there(status, jobs)) return since();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
