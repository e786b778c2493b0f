import { execFileSync, fork, spawnSync } from "node:child_process";
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import PostalMime from "postal-mime";
import { z } from "zod";
import { splitMessages } from "./import-bound.ts";
import { mailsOf, writeMails } from "./import-mails.ts";
import { writePictures } from "./import-pictures.ts";
import { table } from "./table.ts";

/**
 * How fast things come in, through the whole product: plan, parse thread, store (ledger, de-duplication, change log,
 * checkpoints), full text. Beside it in the same run `notmuch new` on the same messages and a bare parsing loop.
 * Processor seconds tell more than the clock where a machine is shared.
 */

const spanSchema = z.object({ seconds: z.number(), cpu: z.number() });
const resultSchema = z.object({
  planned: spanSchema,
  stored: spanSchema,
  searchable: spanSchema,
  complete: spanSchema,
  progress: z.array(z.object({ records: z.number(), seconds: z.number() })),
  /** Processor seconds until searchable, by thread. */
  threads: z.record(z.string(), z.number()),
  searchablePeakMiB: z.number(),
  records: z.number(),
  peakMiB: z.number(),
});
type Result = z.infer<typeof resultSchema>;
interface Row {
  readonly name: string;
  readonly things: number;
  readonly seconds: number;
  readonly cpu: number | null;
}

export async function benchImport(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      messages: { type: "string", default: "100000" },
      pictures: { type: "string", default: "20000" },
      "cpu-prof": { type: "string" },
      mail: { type: "string" },
    },
  });
  const place = await mkdtemp(join(tmpdir(), "understory-import-"));
  try {
    if (Number(values.messages) > 0) await mails(place, Number(values.messages), values);
    if (Number(values.pictures) > 0) await pictures(place, Number(values.pictures), values["cpu-prof"]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** `mail`: a folder of messages to take instead of made-up ones. */
async function mails(
  place: string,
  messages: number,
  { mail, "cpu-prof": profiles }: { mail?: string; "cpu-prof"?: string },
): Promise<void> {
  const root = join(place, "mail");
  mkdirSync(root);
  const mbox = join(root, "harbour.mbox");
  const maildir = join(place, "maildir");
  await writeMails(mbox, maildir, messages, mail === undefined ? undefined : await mailsOf(mail));
  const bound = await parserLoop(mbox);
  const notmuch = notmuchNew(place, maildir, messages);
  const ours = await imported(join(place, "archive-mail"), root, profiles);
  const searchable = row("searchable by full text", messages, ours.searchable);
  const complete = row("all other facts worked out", messages, ours.complete);
  const rows = [
    row("into the store", messages, ours.stored),
    searchable,
    complete,
    bound,
    ...(notmuch ? [notmuch] : []),
  ];
  print(rows, "messages", searchable, notmuch, bound);
  if (ours.records !== messages) console.log(`${ours.records} records, attachments among them.`);
  if (!notmuch) console.log("notmuch is not installed here (Debian: notmuch): not measured.");
  tell(ours);
}

async function pictures(place: string, count: number, profiles: string | undefined): Promise<void> {
  const root = join(place, "pictures");
  await writePictures(root, count);
  const ours = await imported(join(place, "archive-pictures"), root, profiles);
  const searchable = row("searchable by full text", ours.records, ours.searchable);
  print([row("into the store", ours.records, ours.stored), searchable], "pictures", searchable, null, null);
  tell(ours);
}

const row = (name: string, things: number, { seconds, cpu }: { seconds: number; cpu: number }): Row => ({
  name,
  things,
  seconds,
  cpu,
});

function print(rows: readonly Row[], things: string, ours: Row, notmuch: Row | null, bound: Row | null): void {
  const rate = (one: Row) => one.things / one.seconds;
  const times = (other: Row | null) => (other ? `${(rate(ours) / rate(other)).toFixed(2)} ×` : "–");
  console.log(
    table(
      ["", things, "s", "a second", "CPU s", "a CPU second"],
      rows.map((one) => [
        one.name,
        one.things,
        one.seconds.toFixed(1),
        Math.round(rate(one)),
        one.cpu?.toFixed(1) ?? "–",
        one.cpu ? Math.round(one.things / one.cpu) : "–",
      ]),
    ),
  );
  if (notmuch || bound)
    console.log(`Searchable, beside notmuch: ${times(notmuch)}; beside the bare loop: ${times(bound)}`);
}

/** Peak memory, and how much longer the last tenth of the records took than the first. */
function tell({ progress, planned, peakMiB, searchablePeakMiB, threads, records }: Result): void {
  const at = (share: number) => progress.find((one) => one.records >= records * share)?.seconds ?? 0;
  const first = at(0.1) - planned.seconds;
  const last = at(1) - at(0.9);
  console.log(
    `Planned after ${planned.seconds.toFixed(1)} s. Peak memory ${Math.round(peakMiB)} MiB, all threads; ${Math.round(searchablePeakMiB)} MiB until searchable.`,
  );
  const each = Object.entries(threads).flatMap(([name, seconds]) =>
    seconds >= 0.05 ? [`${name} ${((seconds * 1000) / records).toFixed(3)}`] : [],
  );
  if (each.length > 0) console.log(`CPU ms a record until searchable: ${each.join(", ")}.`);
  console.log(`Last tenth into the store beside the first: ${(last / first).toFixed(2)} ×\n`);
}

function imported(archive: string, root: string, profiles: string | undefined): Promise<Result> {
  const execArgv = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
  // As the product starts: compiled sources are kept, and no thread strips types.
  const env = { ...process.env, NODE_COMPILE_CACHE: fileURLToPath(new URL("../../.cache/compiled", import.meta.url)) };
  const child = fork(fileURLToPath(new URL("./import-child.ts", import.meta.url)), [archive, root], { execArgv, env });
  return new Promise((resolve, reject) => {
    child.once("message", (message) => {
      const parsed = resultSchema.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else reject(parsed.error);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The import ended with ${code}.`)));
  });
}

async function parserLoop(mbox: string): Promise<Row> {
  const begun = { at: performance.now(), cpu: process.cpuUsage() };
  let things = 0;
  for await (const message of splitMessages(createReadStream(mbox, { highWaterMark: 1 << 20 }))) {
    await PostalMime.parse(message);
    things++;
  }
  const { user, system } = process.cpuUsage(begun.cpu);
  const seconds = (performance.now() - begun.at) / 1000;
  return { name: "bare loop: postal-mime", things, seconds, cpu: (user + system) / 1e6 };
}

function notmuchNew(place: string, maildir: string, things: number): Row | null {
  const probe = spawnSync("notmuch", ["--version"]);
  if (probe.status !== 0) return null;
  const config = join(place, "notmuch-config");
  writeFileSync(
    config,
    `[database]\npath=${maildir}\n[user]\nname=Bench\nprimary_email=bench@example.org\n[new]\ntags=unread\n[search]\n[maildir]\nsynchronize_flags=false\n`,
  );
  const begun = performance.now();
  const env = { ...process.env, NOTMUCH_CONFIG: config };
  const before = childrenCpu();
  execFileSync("notmuch", ["new", "--quiet"], { env, stdio: ["ignore", "ignore", "inherit"] });
  const after = childrenCpu();
  const cpu = before === null || after === null ? null : after - before;
  return { name: "notmuch new", things, seconds: (performance.now() - begun) / 1000, cpu };
}

/** Processor seconds of all ended children, as Linux tells; null elsewhere. */
function childrenCpu(): number | null {
  if (process.platform !== "linux") return null;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ");
  return (Number(fields?.[13]) + Number(fields?.[14])) / 100;
}
