import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const bin = fileURLToPath(new URL("../../main/host/bin.js", import.meta.url));

/** Starts the real program as a person would; no terminal, and nothing of this machine's own archive. */
export function startUnderstory(args: readonly string[], env: Record<string, string> = {}) {
  const { UNDERSTORY_ARCHIVE: _, UNDERSTORY_PASSPHRASE: __, ...clean } = process.env;
  return spawn(process.execPath, [bin, ...args], { env: { ...clean, ...env }, stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs it to its end. */
export function understory(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = startUnderstory(args, env);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
