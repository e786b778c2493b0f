import { type ArchiveStatus, type Client, type Job, UnderstoryError } from "#contract";
import { defaultArchiveDir } from "#main/app/places.ts";
import type { AppOptions } from "#main/app.ts";
import { type ExitCode, jsonLine, Progress } from "./output.ts";
import { givenPassphrase, needPassphrase } from "./passphrase.ts";

/** Options that every command has. */
export interface CommonOptions {
  readonly archive?: string;
  readonly passphraseFile?: string;
  readonly json?: true;
}

/** What a command works with. It sees the archive through the contract's client and in no other way. */
export interface CommandContext {
  readonly client: Client;
  readonly progress: Progress;
  /** Aborted by the first Ctrl-C; what is committed by then is kept. */
  readonly signal: AbortSignal;
  /** Prints a result: one line of JSON, or lines for a person. */
  print(value: unknown, lines: () => readonly string[]): void;
}

/** How far a command needs the archive: as it lies there, open when a passphrase is at hand, or open. */
export type Need = "closed" | "open-if-given" | "open";

/** Where the archive lies: `--archive`, UNDERSTORY_ARCHIVE, or the platform's place for data of programs. */
export function archivePlace(options: CommonOptions): string {
  return options.archive ?? defaultArchiveDir();
}

/** Opens the product in this process, unlocks the archive as far as is needed, runs the command and closes everything. */
export async function withArchive(
  options: CommonOptions,
  need: Need,
  command: (context: CommandContext) => Promise<ExitCode>,
  more: Partial<AppOptions> = {},
): Promise<ExitCode> {
  // Loaded only now, so that help and usage errors come at once.
  const { openApp } = await import("#main/app.ts");
  const app = await openApp({ archiveDir: archivePlace(options), host: "browser", ...more });
  const { signal, release } = interruptible();
  const progress = new Progress({ quiet: options.json === true && !process.stderr.isTTY });
  try {
    if (need !== "closed") await unlock(app.client, options, need);
    return await command({
      client: app.client,
      progress,
      signal,
      print: (value, lines) => {
        progress.clear();
        process.stdout.write(`${options.json ? jsonLine(value) : lines().join("\n")}\n`);
      },
    });
  } finally {
    progress.clear();
    release();
    await app.close();
  }
}

async function unlock(client: Client, options: CommonOptions, need: Need): Promise<ArchiveStatus["state"]> {
  const { state, path } = await client.call("archive.status", {});
  if (state === "none" && need === "open") {
    throw new UnderstoryError("no_archive", `There is no archive at ${path}.`, {
      hint: "Make one with: understory init. For another place: --archive DIR.",
      details: { path },
    });
  }
  if (state !== "locked") return state;
  const passphrase = need === "open" ? await needPassphrase(options, { twice: false }) : await givenPassphrase(options);
  if (passphrase === null) return state;
  await client.call("archive.unlock", { with: "passphrase", passphrase });
  return "open";
}

/** Ctrl-C asks politely the first time; the second time the process ends as it would by itself. */
export function interruptible(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return {
    signal: controller.signal,
    release() {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}

const isOver = (job: Job): boolean => job.state === "done" || job.state === "failed" || job.state === "cancelled";

/**
 * Shows jobs until `jobId` is over, and with `rest` until no job is left to do. Gives the job. Throws the job's own error
 * when it failed, and `cancelled` after Ctrl-C (the job is then kept and goes on at the next start).
 */
export async function followJob(
  { client, progress, signal }: CommandContext,
  jobId: string,
  options: { rest: boolean },
): Promise<Job> {
  const watching = new AbortController();
  const either = AbortSignal.any([signal, watching.signal]);
  let last: Job | null = null;
  try {
    for await (const job of client.stream("jobs.watch", {}, { signal: either })) {
      if (!isOver(job)) progress.show(job);
      if (job.id === jobId) last = job;
      if (!last || !isOver(last)) continue;
      if (last.state !== "done" || !options.rest || (await nothingLeft(client))) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    watching.abort();
    progress.clear();
  }
  if (signal.aborted || !last || !isOver(last)) {
    throw new UnderstoryError("cancelled", "Stopped.", {
      hint: "What was read is kept. The rest goes on when the archive is opened the next time.",
    });
  }
  if (last.error) throw UnderstoryError.fromShape(last.error);
  if (last.state === "cancelled") throw new UnderstoryError("cancelled", `${last.title}: cancelled.`);
  return last;
}

/** Whether all jobs are over. Asked twice: the end of one job may start another. */
async function nothingLeft(client: Client): Promise<boolean> {
  for (let look = 0; look < 2; look++) {
    const { jobs } = await client.call("jobs.list", {});
    if (jobs.some((job) => job.state === "queued" || job.state === "running")) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/** Plans and runs one import and waits for it; with `rest` also for the indexes. Throws `nothing_to_import` for no file at all. */
export async function runImport(context: CommandContext, paths: string[], options: { rest: boolean; zone?: string }) {
  const { client } = context;
  const plan = await client.call("imports.plan", { paths }, { signal: context.signal });
  const { zone } = options;
  const started = await client.call("imports.run", { planId: plan.planId, ...(zone === undefined ? {} : { zone }) });
  await followJob(context, started.jobId, options);
  const { runs } = await client.call("imports.list", {});
  return { plan, run: runs.find((run) => run.id === started.id) ?? started };
}
