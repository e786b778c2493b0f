import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Outcome } from "./takeout-import.ts";

/** Starts the import of a Takeout in a process of its own and kills it at moments that a seed chooses. */

const child = fileURLToPath(new URL("./takeout-child.ts", import.meta.url));
const outcomeSchema = z.object({
  records: z.number(),
  identities: z.number(),
  kinds: z.record(z.string(), z.number()),
  ledger: z.array(z.string()),
  listing: z.string(),
  searchable: z.number(),
  imports: z.array(z.enum(["running", "paused", "interrupted", "done", "failed", "cancelled", "undone"])),
  damage: z.string().nullable(),
  digest: z.string(),
}) satisfies z.ZodType<Outcome>;

export interface Start {
  /** Null: it was killed. */
  readonly outcome: Outcome | null;
  /** From the first step to the last, ms. */
  readonly ms: number;
  readonly steps: number;
}

/** Kills with SIGKILL `killAfter` ms after the product's code is loaded, if it has not ended by then. Throws what the child printed when it fails. */
export async function startOnce(place: string, root: string, killAfter = Number.POSITIVE_INFINITY): Promise<Start> {
  const running = spawn(process.execPath, [child, place, root], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let faults = "";
  let began: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  running.stdout.on("data", (data: Buffer) => {
    output += data.toString();
    if (began !== null) return;
    began = performance.now();
    if (Number.isFinite(killAfter)) timer = setTimeout(() => running.kill("SIGKILL"), killAfter);
  });
  running.stderr.on("data", (data: Buffer) => {
    faults += data.toString();
  });
  const code = await new Promise<number | null>((resolve) => running.once("close", resolve));
  clearTimeout(timer);
  const ms = began === null ? 0 : performance.now() - began;
  const [dots = "", line] = output.split("\n");
  if (code === null) return { outcome: null, ms, steps: dots.length };
  if (code !== 0 || line === undefined) throw new Error(`The import ended with ${code}.\n${faults}`);
  return { outcome: outcomeSchema.parse(JSON.parse(line)), ms, steps: dots.length };
}

export interface Survivor {
  readonly kills: number;
  readonly outcome: Outcome;
}

/**
 * Archives below `folder` whose import is killed at random moments and begun again until it ends, one after the other
 * until there were `kills` kills. `usual`: how long an undisturbed import takes, ms; moments are chosen within it. An
 * archive is killed at most `mostAtOnce` times and then left to end.
 */
export async function* killed(
  folder: string,
  root: string,
  options: { kills: number; usual: number; random: () => number; mostAtOnce?: number },
): AsyncGenerator<Survivor> {
  const { usual, random, mostAtOnce = 5 } = options;
  for (let left = options.kills; left > 0; ) {
    const place = mkdtempSync(join(folder, "killed-"));
    for (let kills = 0; ; ) {
      const { outcome } = await startOnce(
        place,
        root,
        left > 0 && kills < mostAtOnce ? random() * usual : Number.POSITIVE_INFINITY,
      );
      if (outcome !== null) {
        if (kills > 0) yield { kills, outcome };
        break;
      }
      kills++;
      left--;
    }
  }
}
