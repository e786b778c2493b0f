import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerRow, StoredRecord } from "#contract";
import { toNeutral } from "#main/ingest/neutral.ts";
import { type CommandContext, runImport, withArchive } from "./context.ts";
import { type ExitCode, exitCodes } from "./output.ts";

/**
 * `understory inspect`: imports each folder, one after the other, into an archive that lives in a temporary folder under
 * a passphrase that nobody learns, and prints what came of it as JSON Lines: the records that are there at the end, and
 * the ledger of the last import. The archive is removed whatever happens.
 */
export async function inspect(folders: readonly string[]): Promise<ExitCode> {
  const place = await mkdtemp(join(tmpdir(), "understory-inspect-"));
  try {
    const options = { archive: join(place, "archive"), json: true } as const;
    const more = { derive: false, modelsDir: join(place, "models") };
    return await withArchive(options, "closed", (context) => run(folders, context), more);
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function run(folders: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { client } = context;
  await client.call("archive.create", { name: "Inspection", passphrase: randomBytes(32).toString("base64url") });
  let importId = 0;
  for (const folder of folders) importId = (await runImport(context, [folder], { rest: false })).run.id;
  context.progress.clear();
  for (const line of toNeutral(await allRecords(context), await wholeLedger(context, importId))) {
    if (!process.stdout.write(`${line}\n`)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
  return exitCodes.ok;
}

async function allRecords({ client }: CommandContext): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { records: StoredRecord[]; next: number | null } = await client.call("records.page", {
      after,
      limit: 500,
    });
    all.push(...page.records);
    after = page.next;
  }
  return all;
}

async function wholeLedger({ client }: CommandContext, importId: number): Promise<LedgerRow[]> {
  const all: LedgerRow[] = [];
  for (;;) {
    const { rows, total } = await client.call("imports.ledger", { importId, offset: all.length, limit: 500 });
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return all;
  }
}
