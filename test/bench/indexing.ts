import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import type { Client } from "#contract";
import { openApp } from "#main/app.ts";
import { unlockArchive } from "#main/records/archive.ts";
import { openDatabase } from "#native/sqlite.ts";
import { enlarge } from "./enlarged.ts";
import { ask, idle } from "./sample.ts";
import { median, table } from "./table.ts";

/**
 * Indexing a big import while a question is asked each second: does a request fail, is the host's thread ever blocked, do
 * the finished indexes equal those of a quiet run, and what does kill -9 in the middle cost?
 */

const passphrase = "four lanterns on the quay";
const questions = [
  "Who wrote about tags?",
  "When did Carl Worth write about notmuch?",
  "photos of a church",
  "What is the bug with threads?",
  "pictures from October 2008",
  "Which patch changes the build?",
];

interface Run {
  readonly seconds: number;
  readonly latencies: number[];
  readonly failures: string[];
  /** Longest delay of the main thread, ms, and its 99th percentile. */
  readonly blocked: { most: number; p99: number };
  readonly digest: Digest;
}

interface Digest {
  readonly records: number;
  readonly chunks: number;
  readonly texts: string;
  readonly vectors: string;
  readonly perceptions: number;
  readonly perceived: string;
}

export async function benchIndexing(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mail: { type: "string" },
      photos: { type: "string" },
      models: { type: "string" },
      mails: { type: "string", default: "5000" },
      pictures: { type: "string", default: "500" },
      "no-kill": { type: "boolean", default: false },
    },
  });
  const { mail, photos, models } = values;
  if (!mail || !photos || !models) {
    console.log(
      "npm run bench -- indexing --mail FOLDER --photos FOLDER --models FOLDER [--mails N] [--pictures N] [--no-kill]",
    );
    process.exitCode = 2;
    return;
  }
  const place = await mkdtemp(join(tmpdir(), "understory-indexing-"));
  try {
    const data = join(place, "data");
    await enlarge({ mail, photos }, data, { mails: Number(values.mails), pictures: Number(values.pictures) });
    const busy = await run(join(place, "busy"), models, data, true);
    console.log(`asked each second: ${Math.round(busy.seconds)} s`);
    const quiet = await run(join(place, "quiet"), models, data, false);
    report(busy, quiet);
    if (!values["no-kill"]) await killed(join(place, "killed"), models, data, quiet.digest);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function report(busy: Run, quiet: Run): void {
  const row = (name: string, one: Run) => [
    name,
    one.digest.records,
    one.digest.chunks,
    one.digest.perceptions,
    Math.round(one.seconds),
    one.latencies.length,
    one.failures.length,
    one.latencies.length === 0 ? "–" : Math.round(median(one.latencies)),
    one.latencies.length === 0 ? "–" : Math.round(Math.max(...one.latencies)),
    one.blocked.p99.toFixed(0),
    one.blocked.most.toFixed(0),
  ];
  console.log(
    table(
      [
        "run",
        "records",
        "chunks",
        "looks at pictures",
        "s",
        "questions",
        "failed",
        "ms a question",
        "most",
        "main thread p99 ms",
        "most",
      ],
      [row("asked each second", busy), row("quiet", quiet)],
    ),
  );
  for (const failure of busy.failures.slice(0, 5)) console.log(`  ${failure}`);
  for (const part of ["texts", "vectors", "perceived"] as const) {
    console.log(`${part} equal: ${busy.digest[part] === quiet.digest[part] ? "yes" : "NO"}`);
  }
}

async function begin(archive: string, models: string) {
  const app = await openApp({ archiveDir: join(archive, "archive"), modelsDir: models, host: "browser" });
  const { state } = await app.client.call("archive.status", {});
  if (state === "none") await app.client.call("archive.create", { name: "Bench", passphrase });
  else await app.client.call("archive.unlock", { with: "passphrase", passphrase });
  return app;
}

async function importAll(client: Client, data: string): Promise<void> {
  const plan = await client.call("imports.plan", { paths: [data] });
  await client.call("imports.run", { planId: plan.planId });
}

async function run(archive: string, models: string, data: string, asking: boolean): Promise<Run> {
  const app = await begin(archive, models);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  await importAll(app.client, data);
  const latencies: number[] = [];
  const failures: string[] = [];
  let over = false;
  const asked: Promise<void>[] = [];
  const askOne = async (question: string) => {
    const start = performance.now();
    await ask(app.client, question)
      .then(() => latencies.push(performance.now() - start))
      .catch((error: unknown) => failures.push(`${question}: ${error instanceof Error ? error.message : error}`));
  };
  const asker = (async () => {
    for (let at = 0; asking && !over; at++) {
      asked.push(askOne(questions[at % questions.length] ?? ""));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  })();
  await idle(app.client);
  over = true;
  await asker;
  await Promise.all(asked);
  const seconds = (performance.now() - started) / 1_000;
  const blocked = { most: delay.max / 1e6, p99: delay.percentile(99) / 1e6 };
  delay.disable();
  await app.close();
  return { seconds, latencies, failures, blocked, digest: await digestOf(archive) };
}

/** Everything derived, by identity of the record, in an order that does not depend on that of the work. */
async function digestOf(archive: string): Promise<Digest> {
  const files = await unlockArchive(join(archive, "archive"), { with: "passphrase", passphrase });
  const open = (path: string) => openDatabase({ path, key: files.key, cipher: files.cipher, readonly: true });
  const [index, media, records] = [open(files.indexPath), open(files.mediaPath), open(files.recordsPath)];
  const identity = new Map(
    records.query("SELECT id, identity FROM record", (row) => [Number(row.id), String(row.identity)] as const).all(),
  );
  const of = (rows: readonly string[]) =>
    createHash("sha256")
      .update([...rows].sort().join("\n"))
      .digest("hex");
  const hex = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value));
  const name = (id: unknown) => identity.get(Number(id)) ?? "";
  const texts = index
    .query("SELECT rowid AS id, subject, body, people, extra FROM text", (row) =>
      [name(row.id), row.subject, row.body, row.people, row.extra].join("\u0001"),
    )
    .all();
  const vectors = index
    .query(
      "SELECT c.record_id AS id, c.view, c.start, v.codes FROM vector v JOIN chunk c ON c.id = v.chunk_id",
      (row) => [name(row.id), row.view, row.start, hex(row.codes)].join("\u0001"),
    )
    .all();
  const perceptions = media
    .query("SELECT record_id AS id, purpose, model, status, value, vector FROM perception", (row) =>
      [name(row.id), row.purpose, row.model, row.status, row.value, hex(row.vector)].join("\u0001"),
    )
    .all();
  for (const db of [index, media, records]) db.close();
  return {
    records: identity.size,
    chunks: vectors.length,
    texts: of(texts),
    vectors: of(vectors),
    perceptions: perceptions.length,
    perceived: of(perceptions),
  };
}

/** Kills the whole program in the middle of its looking at pictures and counts what is there before and after. */
async function killed(archive: string, models: string, data: string, quiet: Digest): Promise<void> {
  const child = fork(new URL("./indexing-child.ts", import.meta.url), [archive, models, data], { stdio: "inherit" });
  let told = 0;
  child.on("message", (message) => {
    told = Number(message);
    if (told >= 20) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("exit", resolve));
  const before = await digestOf(archive);
  const app = await begin(archive, models);
  await idle(app.client);
  await app.close();
  const after = await digestOf(archive);
  console.log(
    `kill -9 after ${told} looks at pictures were told: ${before.perceptions} were kept; at the end ${after.perceptions} of ${quiet.perceptions}`,
  );
  for (const part of ["texts", "vectors", "perceived"] as const) {
    console.log(`  ${part} equal to the quiet run: ${after[part] === quiet[part] ? "yes" : "NO"}`);
  }
}

/** In the child: imports everything and tells how many looks at pictures are done. */
export async function indexInChild(archive: string, models: string, data: string): Promise<void> {
  const app = await begin(archive, models);
  await importAll(app.client, data);
  for (;;) {
    const { indexes } = await app.client.call("archive.status", {});
    const done = (indexes?.views ?? []).filter(({ purpose }) => purpose !== "text-embedding");
    process.send?.(done.reduce((sum, one) => sum + one.done, 0));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
