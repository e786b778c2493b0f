import { readFileSync, statSync } from "node:fs";
import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A holder touches its lock this often; one that was not touched for `staleMs` belongs to a process that is gone. */
const beatMs = 2_000;
const staleMs = 15_000;

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, it is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isStale(touchedMs: number, owner: string): boolean {
  const pid = Number(owner);
  return Date.now() - touchedMs > staleMs || (Number.isInteger(pid) && pid > 0 && !alive(pid));
}

/** Whether a living process holds this lock just now. */
export function lockIsHeld(path: string): boolean {
  try {
    return !isStale(statSync(path).mtimeMs, readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

async function create(path: string): Promise<boolean> {
  try {
    const handle = await open(path, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes a lock whose holder was killed. Of several that see it, one does it; the guard lives for that moment only. */
async function clearStale(path: string): Promise<void> {
  const guard = `${path}.guard`;
  if (!(await create(guard))) {
    const found = await stat(guard).catch(() => null);
    if (found && Date.now() - found.mtimeMs > staleMs) await rm(guard, { force: true });
    return;
  }
  try {
    if (!lockIsHeld(path)) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

/** Runs `work` while no other process (and no other call of this one) holds the lock file; waits its turn. */
export async function withLock<T>(path: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  for (;;) {
    signal?.throwIfAborted();
    if (await create(path)) break;
    // A lock that was made this instant may have no owner written yet: its time says that it is fresh.
    const owner = await readFile(path, "utf8").catch(() => null);
    if (owner !== null && !lockIsHeld(path)) await clearStale(path);
    else await sleep(100, undefined, signal ? { signal } : {});
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}
