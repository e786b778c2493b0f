import { fork } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MessageChannel } from "node:worker_threads";
import { z } from "zod";
import type { AskResult } from "#contract";
import { expression } from "#main/indexes/text.ts";
import type { InferenceService } from "#main/inference/serve.ts";
import type { ArchiveFiles } from "#main/records/ports.ts";
import type { ReadService } from "#main/workers/read.worker.ts";
import { connectService, exposeService, type Remote } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import { column, openDatabase } from "#native/sqlite.ts";
import {
  filesOf,
  isMade,
  makeSpeedArchive,
  people,
  seeded,
  speedFolder,
  speedModel,
  speedReading,
  speedVector,
  vocabulary,
  zipfWord,
} from "./speed-archive.ts";
import { table } from "./table.ts";

/**
 * How fast a question is answered over an archive of a given size, through the product's read worker: p50 and p95 by stage,
 * to the first result and to the end, search as you type, and memory. Beside it in the same run what bounds it: FTS5's own
 * bm25 query with the same terms, and sqlite-vec's scan over the same vectors. The question's vector is given, not computed:
 * a sentence encoder takes some 7 ms more.
 */

const sizes = ["10000", "100000"];
const asked = 120;
const aims: Readonly<Record<string, { instant: number; memory: number; typed: number }>> = {
  100000: { instant: 60, memory: 300, typed: 30 },
  1000000: { instant: 200, memory: 900, typed: 90 },
};

const spread = z.object({ p50: z.number(), p95: z.number() });
const figures = z.object({
  records: z.number(),
  stages: z.record(z.string(), spread),
  first: spread,
  final: spread,
  cpu: spread,
  rounds: z.number(),
  answered: z.number(),
  typed: spread,
  fts: spread,
  flat: spread,
  memory: z.object({ open: z.number(), after: z.number() }),
  slowest: z.array(z.object({ question: z.string(), ms: z.number(), rounds: z.number() })),
});
type Figures = z.infer<typeof figures>;

export async function benchAskSpeed(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { records: { type: "string", default: sizes.join(",") }, slowest: { type: "boolean", default: false } },
  });
  const found: Figures[] = [];
  for (const size of values.records.split(",").map(Number)) {
    if (!Number.isInteger(size) || size < 1) throw new Error("--records takes whole numbers with commas between");
    if (!isMade(speedFolder(size))) await inChild("make", size);
    found.push(figures.parse(await inChild("ask", size)));
  }
  report(found, values.slowest);
}

/** Each size in a process of its own, so that its memory is its own. */
async function inChild(work: "make" | "ask", size: number): Promise<unknown> {
  const child = fork(new URL("./ask-speed-child.ts", import.meta.url), [work, String(size)], { stdio: "inherit" });
  let result: unknown;
  child.on("message", (message) => {
    result = message;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${work} ${size} ended with ${code}`);
  return result;
}

function report(found: readonly Figures[], slowest: boolean): void {
  const text = ({ p50, p95 }: { p50: number; p95: number }) => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
  const rows: [string, (one: Figures) => string][] = [
    ["first result", (one) => text(one.first)],
    ["final", (one) => text(one.final)],
    ["processor time of a question", (one) => text(one.cpu)],
    ...[...new Set(found.flatMap(({ stages }) => Object.keys(stages)))].map(
      (stage): [string, (one: Figures) => string] => [
        `  ${stage}`,
        ({ stages }) => (stages[stage] ? text(stages[stage]) : "–"),
      ],
    ),
    ["search as you type", (one) => text(one.typed)],
    ["bound: FTS5 bm25, same terms, 200", (one) => text(one.fts)],
    ["bound: sqlite-vec int8 scan, 100", (one) => text(one.flat)],
    [
      "first result as a multiple of FTS5's, of the scan's",
      (one) => `${(one.first.p50 / one.fts.p50).toFixed(0)}, ${(one.first.p50 / one.flat.p50).toFixed(2)} (p50)`,
    ],
    ["memory MB, archive open / after all", ({ memory }) => `${memory.open.toFixed(0)} / ${memory.after.toFixed(0)}`],
    ["rounds a question, answered", (one) => `${one.rounds.toFixed(2)}, ${one.answered} of ${asked}`],
    [
      "aim: instant p95, typed p95, memory",
      ({ records }) => {
        const aim = aims[String(records)];
        return aim ? `${aim.instant}, ${aim.typed}, ${aim.memory}` : "–";
      },
    ],
  ];
  console.log(`\n${asked} questions, p50 / p95 in ms\n`);
  console.log(
    table(
      ["", ...found.map(({ records }) => `${records.toLocaleString("en")} records`)],
      rows.map(([name, value]) => [name, ...found.map(value)]),
    ),
  );
  if (slowest)
    for (const one of found.flatMap((size) => size.slowest))
      console.log(`${one.ms.toFixed(0).padStart(6)} ms, ${one.rounds} rounds: ${one.question}`);
  const last = found.at(-1);
  if (last) console.log(`\ninstant p95 ${last.first.p95.toFixed(1)} ms at ${last.records} records`);
}

/** In the child. */
export async function speedChild([work, size]: readonly string[]): Promise<void> {
  const records = Number(size);
  if (work === "make") makeSpeedArchive(records, (line) => process.stderr.write(`  ${line}\n`));
  else {
    const result = await measure(records);
    await new Promise<void>((resolve) => process.send?.(result, () => resolve()));
    process.exit(0);
  }
}

async function measure(records: number): Promise<Figures> {
  const files = filesOf(speedFolder(records));
  const { port1, port2 } = new MessageChannel();
  exposeService<InferenceService>(port1, {
    model: async () => ({ purpose: "text-embedding", modelId: speedModel, dimension: 384 }),
    embed: async ({ texts }) => texts.map(speedVector),
    readTexts: async ({ texts }) => texts.map(speedReading),
    rerank: async () => [],
    embedCaptions: async () => [],
  });
  const thread = spawnWorker("read", { workerData: { inferencePort: port2 }, transferList: [port2] });
  const read = connectService<ReadService>(thread, "read");
  await read.open(files);
  const questions = questionsOf(records);
  const ask = (question: string) => askOnce(read, question);
  // What is held in memory is read once the archive is open, and the first questions warm the page cache: a program that runs
  // all day has that behind it.
  await settled();
  for (const { text } of questions.slice(0, 10)) await ask(text);
  const memory = { open: megabytes(), after: 0 };
  const runs: Awaited<ReturnType<typeof askOnce>>[] = [];
  for (const { text } of questions) runs.push(await ask(text));
  const typed: number[] = [];
  for (const { words } of questions.slice(0, 40)) {
    const line = words.slice(0, 2).join(" ");
    for (let end = 3; end <= line.length; end++) {
      const start = performance.now();
      await read.search({ query: line.slice(0, end), filter: {}, limit: 30, meaning: false });
      typed.push(performance.now() - start);
    }
  }
  memory.after = megabytes();
  await read.close({});
  await thread.terminate();
  const stages: Record<string, number[]> = {};
  for (const { result } of runs) {
    const own: Record<string, number> = {};
    for (const { stage, ms } of result.trace) own[stage] = (own[stage] ?? 0) + ms;
    for (const [stage, ms] of Object.entries(own)) stages[stage] = [...(stages[stage] ?? []), ms];
  }
  return {
    records,
    stages: Object.fromEntries(Object.entries(stages).map(([stage, values]) => [stage, spreadOf(values)])),
    first: spreadOf(runs.map(({ first }) => first)),
    final: spreadOf(runs.map(({ final }) => final)),
    cpu: spreadOf(runs.map(({ cpu }) => cpu)),
    rounds: runs.reduce((sum, { result }) => sum + result.rounds.length, 0) / runs.length,
    answered: runs.filter(({ result }) => result.outcome === "answered").length,
    typed: spreadOf(typed),
    ...bounds(records, questions),
    memory,
    slowest: runs
      .map(({ final, result }, at) => ({
        question: questions[at]?.text ?? "",
        ms: final,
        rounds: result.rounds.length,
      }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 8),
  };
}

/** Resolves when the process has had hardly anything to do for two seconds. */
async function settled(): Promise<void> {
  for (let idle = 0; idle < 4; ) {
    const before = process.cpuUsage();
    await delay(500);
    const { user, system } = process.cpuUsage(before);
    idle = user + system < 50_000 ? idle + 1 : 0;
  }
}

const megabytes = () => process.memoryUsage.rss() / 1e6;

async function askOnce(
  read: Remote<ReadService>,
  question: string,
): Promise<{ first: number; final: number; cpu: number; result: AskResult }> {
  const start = performance.now();
  const before = process.cpuUsage();
  let first = 0;
  let result: AskResult | null = null;
  for await (const event of read.ask({ question, meaning: true })) {
    if (event.type !== "result") continue;
    if (first === 0) first = performance.now() - start;
    result = event.result;
  }
  if (result === null) throw new Error(`No answer to: ${question}`);
  const used = process.cpuUsage(before);
  return { first, final: performance.now() - start, cpu: (used.user + used.system) / 1_000, result };
}

interface Question {
  readonly text: string;
  readonly words: readonly string[];
}

/** Questions of every shape, of words as rare and common as a person's are: some with a name, a time or a kind. */
export function questionsOf(seed: number): Question[] {
  const random = seeded(seed + 1);
  const known = new Set(vocabulary.slice(0, 50));
  const word = (): string => {
    const one = zipfWord(random);
    return known.has(one) ? word() : one;
  };
  const name = () => people[Math.floor(random() ** 2 * people.length)]?.split(" ")[0] ?? "";
  const year = () => 2013 + Math.floor(random() * 10);
  const shapes: ((words: readonly string[]) => string)[] = [
    ([a, b]) => `When did ${name()} ${a} the ${b}?`,
    ([a, b]) => `How much did the ${a} ${b} cost?`,
    ([a, b, c]) => `What did ${name()} say about the ${a} ${b} and the ${c}?`,
    ([a, b]) => `Who brought the ${a} to the ${b}?`,
    ([a]) => `Show me photos of the ${a} from July ${year()}`,
    ([a, b]) => `Where is the ${a} of the ${b}?`,
    ([a, b]) => `Did ${name()} ever ${a} a ${b}?`,
    ([a]) => `How many mails about the ${a} did I get in ${year()}?`,
    ([a, b]) => `List all ${a} that ${name()} and ${name()} both ${b}`,
    ([a, b, c]) => `Which ${a} was cheaper, the ${b} or the ${c}?`,
    ([a, b, c]) => `Why was the ${a} ${b} ${c} last summer?`,
    ([a, b, c]) => `What is the ${a} number of the ${b} ${c}?`,
  ];
  return Array.from({ length: asked }, (_, at) => {
    const words = [word(), word(), word()];
    return { text: shapes[at % shapes.length]?.(words) ?? "", words };
  });
}

/** What FTS5 and sqlite-vec take alone on the same machine in the same run. */
function bounds(records: number, questions: readonly Question[]): Pick<Figures, "fts" | "flat"> {
  const files = filesOf(speedFolder(records));
  const db = openDatabase({ path: files.indexPath, key: files.key, cipher: files.cipher, readonly: true });
  const fts: number[] = [];
  const search = db.query(
    "SELECT rowid FROM text WHERE text MATCH ? ORDER BY bm25(text) LIMIT 200",
    (row) => row.rowid,
  );
  for (const { words } of questions) {
    const match = expression(words);
    if (match === null) continue;
    const start = performance.now();
    search.all(match);
    fts.push(performance.now() - start);
  }
  const flatPath = join(speedFolder(records), "flat.db");
  if (!existsSync(flatPath)) fillFlat(flatPath, files, db);
  db.close();
  const flat: number[] = [];
  const scan = openDatabase({
    path: flatPath,
    key: files.key,
    cipher: files.cipher,
    readonly: true,
    vectors: true,
    cacheMiB: 512,
  });
  const nearest = scan.query(
    "SELECT rowid FROM flat WHERE e MATCH vec_int8(?) AND k = 100 ORDER BY distance",
    (row) => row.rowid,
  );
  for (const { text } of questions.slice(0, 40)) {
    const vector = speedVector(text);
    const most = vector.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0);
    const codes = Int8Array.from(vector, (value) => Math.round((127 * value) / most));
    const start = performance.now();
    nearest.all(new Uint8Array(codes.buffer));
    flat.push(performance.now() - start);
  }
  scan.close();
  return { fts: spreadOf(fts), flat: spreadOf(flat.slice(5)) };
}

/** The vectors of the index once more, as sqlite-vec keeps them. */
function fillFlat(path: string, { key, cipher }: ArchiveFiles, index: ReturnType<typeof openDatabase>): void {
  rmSync(path, { force: true });
  const db = openDatabase({ path, key, cipher, create: true, vectors: true });
  db.exec("CREATE VIRTUAL TABLE flat USING vec0(e int8[384])");
  const insert = db.command("INSERT INTO flat(rowid, e) VALUES (?, vec_int8(?))");
  const rows = index.query("SELECT id, codes FROM vector ORDER BY id", (row) => ({
    id: column.number(row, "id"),
    codes: column.blob(row, "codes"),
  }));
  db.transaction(() => {
    for (const { id, codes } of rows.iterate()) insert.run(BigInt(id), codes);
  });
  db.truncateLog();
  db.close();
}

function spreadOf(values: readonly number[]): { p50: number; p95: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
