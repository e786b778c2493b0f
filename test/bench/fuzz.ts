import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { FuzzJob, FuzzNews } from "./fuzz/fuzz.worker.ts";
import { table } from "./table.ts";

/**
 * `npm run bench -- fuzz [--seconds 600] [--seed 1] [--seeds FOLDER]`
 *
 * Broken inputs, made from sound ones by a seeded generator, through every importer and archive reader: how many were
 * tried, how many crashed (anything thrown), hung (no end within 20 s) or ran out of memory. Each is named by its number,
 * with which `--seed` makes it again.
 */
export async function benchFuzz(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "600" },
      seed: { type: "string", default: "1" },
      seeds: { type: "string" },
    },
  });
  const end = Date.now() + Number(values.seconds) * 1000;
  const now = new SharedArrayBuffer(8);
  const at = new Float64Array(now);
  const sum = { inputs: 0, lines: 0, bytes: 0, records: 0, faulty: 0, crashes: 0, hangs: 0, deaths: 0 };
  const claims = new Map<string, number>();
  const crashes = new Map<string, number>();
  let from = Number(values.seed) * 1_000_000_000;
  while (Date.now() < end) from = await run(from);
  const rows = [...claims].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, count]) => [id, String(count)]);
  console.log(table(["importer", "claims read"], rows));
  const summary = table(
    ["inputs", "lines", "MB", "records", "refused by the contract", "crashes", "hangs", "out of memory"],
    [[sum.inputs, sum.lines, Math.round(sum.bytes / 1e6), sum.records, sum.faulty, sum.crashes, sum.hangs, sum.deaths]],
  );
  console.log(`\n${summary}`);
  for (const [what, input] of crashes) console.log(`input ${input}: ${what}`);

  /** One thread until it hangs, dies or the time is over; gives the number to go on with. */
  async function run(first: number): Promise<number> {
    const job: FuzzJob = { from: first, seeds: values.seeds ?? null, now };
    const worker = new Worker(new URL("./fuzz/fuzz.worker.ts", import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    worker.on("message", (news: FuzzNews) => {
      if (news.type === "crash") {
        sum.crashes++;
        if (!crashes.has(news.what)) crashes.set(news.what, news.input);
        return;
      }
      for (const key of ["inputs", "lines", "bytes", "records", "faulty"] as const) sum[key] += news[key];
      for (const [id, count] of Object.entries(news.claims)) claims.set(id, (claims.get(id) ?? 0) + count);
    });
    let died = "";
    worker.on("error", (error) => {
      died = error.message;
    });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    let last = first;
    let since = Date.now();
    for (;;) {
      const over = await Promise.race([
        ended.then(() => true),
        new Promise<false>((resolve) => setTimeout(resolve, 250, false)),
      ]);
      const input = at[0] ?? first;
      if (over) {
        sum.deaths++;
        crashes.set(`the thread ended: ${died}`, input);
        return input + 1;
      }
      if (input !== last) [last, since] = [input, Date.now()];
      const hangs = Date.now() - since > 20_000;
      if (!hangs && Date.now() < end) continue;
      if (hangs) {
        sum.hangs++;
        crashes.set("no end within 20 s", input);
      }
      await worker.terminate();
      return input + 1;
    }
  }
}
