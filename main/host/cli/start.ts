import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UnderstoryError } from "#contract";
import { archivePlace, type CommonOptions, interruptible } from "./context.ts";
import { type ExitCode, exitCodes, jsonLine } from "./output.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const windowFolder = join(root, "dist", "renderer");

export interface ServeOptions extends CommonOptions {
  readonly port?: number;
}

/** `understory serve`: the window on the loopback address until Ctrl-C. Prints a link that lets one browser in, once. */
export async function serveWindow(options: ServeOptions, more: { open: boolean }): Promise<ExitCode> {
  await ensureWindow();
  const { signal, release } = interruptible();
  const [{ openApp }, { startHost }] = await Promise.all([import("#main/app.ts"), import("#main/host/node.ts")]);
  const app = await openApp({ archiveDir: archivePlace(options), host: "browser" });
  const host = await startHost({
    handlers: app.handlers,
    windowFolder,
    ...(options.port === undefined ? {} : { port: options.port }),
  }).catch(async (error: unknown) => {
    await app.close();
    throw portError(error, options.port);
  });
  try {
    const url = host.launchUrl();
    if (options.json) process.stdout.write(`${jsonLine({ url, origin: host.origin, pid: process.pid })}\n`);
    else process.stdout.write(`Understory is at ${url}\nThe link works once, on this machine only. Ctrl-C ends it.\n`);
    if (more.open) openBrowser(url);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return exitCodes.ok;
  } finally {
    release();
    await host.close();
    await app.close();
  }
}

function portError(error: unknown, port: number | undefined): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code !== "EADDRINUSE" && code !== "EACCES") return error;
  return new UnderstoryError(
    "conflict",
    `Port ${port} cannot be used: ${code === "EACCES" ? "not allowed" : "taken"}.`,
    {
      hint: "Leave --port out for a free one.",
    },
  );
}

/** `understory start`: the desktop program when Electron is there, else the window in the system's browser. */
export async function start(options: ServeOptions): Promise<ExitCode> {
  const electron = electronBinary();
  if (electron === null) {
    if (!options.json) process.stderr.write("Electron is not installed here: opening Understory in your browser.\n");
    return await serveWindow(options, { open: true });
  }
  await ensureWindow();
  await ensureDesktop();
  return await new Promise<ExitCode>((resolve, reject) => {
    const child = spawn(electron, [root], { stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code === 0 ? exitCodes.ok : exitCodes.failed));
  });
}

/** Path of Electron's program, or null when the package came without it. Asking the package itself would download it. */
function electronBinary(): string | null {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve("electron/package.json"));
    const path = join(folder, "dist", readFileSync(join(folder, "path.txt"), "utf8").trim());
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** Builds the window when it is missing or older than its sources. A packaged product has no sources and is left alone. */
async function ensureWindow(): Promise<void> {
  const built = join(windowFolder, "index.html");
  if (isFresh(built, ["renderer", "main/contract", "main/rpc"])) return;
  await build("Building the window", [
    join(root, "node_modules", "vite", "bin", "vite.js"),
    "build",
    "--logLevel",
    "warn",
  ]);
}

async function ensureDesktop(): Promise<void> {
  if (isFresh(join(root, "dist", "electron", "main.js"), ["electron", "main", "native", "models"])) return;
  await build("Building the desktop program", [join(root, "electron", "build.ts")]);
}

/** Whether a built file is there and newer than every source in these folders. */
function isFresh(built: string, folders: readonly string[]): boolean {
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0;
  return folders.every((folder) => {
    const path = join(root, folder);
    if (!existsSync(path)) return builtAt > 0;
    return readdirSync(path, { recursive: true, withFileTypes: true }).every(
      (entry) => !entry.isFile() || statSync(join(entry.parentPath, entry.name)).mtimeMs <= builtAt,
    );
  });
}

async function build(title: string, command: readonly string[]): Promise<void> {
  process.stderr.write(`${title} …\n`);
  const code = await new Promise<number | null>((resolve, reject) => {
    // What it prints goes to stderr: stdout belongs to the answer.
    const child = spawn(process.execPath, command, { cwd: root, stdio: ["ignore", process.stderr, process.stderr] });
    child.on("error", reject);
    child.on("exit", resolve);
  });
  if (code === 0) return;
  throw new UnderstoryError("internal", `${title} did not work (exit code ${code}).`, {
    hint: "Run npm install, then npm run build, and read what it says.",
  });
}

/** Opens the system's browser; that it cannot be opened is no fault, the link is printed. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command ?? "xdg-open", args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
