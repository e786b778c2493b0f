import { readFileSync, statSync } from "node:fs";
import { mkdir, open, readFile, rm, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A holder touches its lock this often, ms; one that has not changed for `staleMs` while we looked has lost its holder. */
const beatMs = 2_000;
const staleMs = 15_000;

/** Lock → its time when it was seen first with that time, and when that was by our own steady clock, ms. */
const seen = new Map<string, { touchedMs: number; since: number }>();

/**
 * How long a lock has not changed under our eyes, ms. The times of files are compared with each other and never with the
 * clock, which may jump.
 */
function stillFor(path: string): number {
  const touchedMs = statSync(path).mtimeMs;
  const now = performance.now();
  const before = seen.get(path);
  if (before?.touchedMs === touchedMs) return now - before.since;
  seen.set(path, { touchedMs, since: now });
  return 0;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, it is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether a living process holds this lock just now, as far as one look and earlier ones tell. */
export function lockIsHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    // A holder that was killed; or its number belongs to another process by now, and nobody touches the lock any more.
    if (Number.isInteger(pid) && pid > 0 && !alive(pid)) return false;
    return stillFor(path) <= staleMs;
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
    const there = await readFile(guard, "utf8").catch(() => null);
    if (there !== null && !lockIsHeld(guard)) await rm(guard, { force: true });
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
    // A lock that was made this instant may have no owner written yet: it counts as held.
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
    seen.delete(path);
    await rm(path, { force: true });
  }
}
