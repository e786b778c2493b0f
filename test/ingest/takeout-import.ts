import { join } from "node:path";
import { type ImportRun, type Job, UnderstoryError } from "#contract";
import { openApp } from "#main/app.ts";
import { allRecords, wholeLedger } from "#main/host/cli/whole.ts";
import { toNeutral } from "#main/ingest/index.ts";
import { unlockArchive } from "#main/records/archive.ts";
import { openStore } from "#main/records/store.ts";

/** The whole product, put over one archive and one import, and what it left behind. */

const passphrase = "nine ropes on the wall";

export interface Outcome {
  readonly records: number;
  /** Of different records; as many as there are records, when nothing came in twice. */
  readonly identities: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Paths of the ledger of the last import, in its order. */
  readonly ledger: readonly string[];
  /** Records and ledger in the neutral form, one a line. */
  readonly listing: string;
  /** Records in the full-text index. */
  readonly searchable: number;
  readonly imports: readonly ImportRun["status"][];
  /** What SQLite's own check finds wrong. */
  readonly damage: string | null;
  readonly digest: string;
}

export interface ImportOptions {
  /** Called at each step: the archive is open, the import has begun, something has moved on. */
  readonly step?: () => void;
  /** Imports all of it once more, even when the archive has it. */
  readonly again?: boolean;
}

/**
 * Makes the archive when there is none, begins the import when there is none, waits until nothing is left to do, and
 * closes everything. Called again after a crash it goes on as the product does when a person opens it again.
 */
export async function importWhole(place: string, root: string, options: ImportOptions = {}): Promise<Outcome> {
  const archiveDir = join(place, "archive");
  const step = options.step ?? (() => undefined);
  const app = await openApp({ archiveDir, modelsDir: join(place, "models"), host: "browser" });
  const { client } = app;
  let seen: Omit<Outcome, "digest" | "damage">;
  try {
    step();
    const { state } = await client.call("archive.status", {});
    if (state === "none") await client.call("archive.create", { name: "Quay", passphrase });
    else await client.call("archive.unlock", { with: "passphrase", passphrase });
    step();
    const begun = await client.call("imports.list", {});
    const { jobs } = await client.call("jobs.list", {});
    const known = begun.runs.some((run) => jobs.some((job) => job.id === run.jobId));
    if (!known || options.again) {
      const { planId } = await client.call("imports.plan", { paths: [root] });
      step();
      await client.call("imports.run", { planId });
    }
    step();
    await untilQuiet(client, step);
    const { runs } = await client.call("imports.list", {});
    const last = runs.reduce((newest, run) => (run.id > newest.id ? run : newest));
    const records = await allRecords(client);
    const ledger = await wholeLedger(client, last.id);
    const { indexes } = await client.call("archive.status", {});
    seen = {
      records: records.length,
      identities: new Set(records.map(({ identity }) => identity)).size,
      kinds: Object.fromEntries([...Map.groupBy(records, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length])),
      ledger: ledger.map(({ path }) => path),
      listing: [...toNeutral(records, ledger)].join("\n"),
      searchable: indexes?.text.done ?? 0,
      imports: runs.map(({ status }) => status),
    };
  } finally {
    await app.close();
  }
  const store = openStore(await unlockArchive(archiveDir, { with: "passphrase", passphrase }));
  try {
    return { ...seen, damage: store.integrity(), digest: store.contentDigest() };
  } finally {
    store.close();
  }
}

type Client = Awaited<ReturnType<typeof openApp>>["client"];
const busy = ({ state }: Job) => state === "queued" || state === "running";

/** Until no job waits or runs and every record is searchable. Throws the error of a job that failed. */
async function untilQuiet(client: Client, step: () => void): Promise<void> {
  let before = "";
  for (let still = 0; still < 3; ) {
    const { jobs } = await client.call("jobs.list", {});
    const failed = jobs.find(({ state }) => state === "failed");
    if (failed?.error) throw UnderstoryError.fromShape(failed.error);
    const { indexes } = await client.call("archive.status", {});
    still = jobs.some(busy) || indexes?.text.pending !== 0 ? 0 : still + 1;
    const now = jobs.map(({ id, state, progress }) => `${id} ${state} ${progress.done}`).join();
    if (now !== before) step();
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
