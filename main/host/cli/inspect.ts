import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toNeutral } from "#main/ingest/neutral.ts";
import { type CommandContext, runImport, withArchive } from "./context.ts";
import { type ExitCode, exitCodes } from "./output.ts";
import { allRecords, wholeLedger } from "./whole.ts";

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
  for (const line of toNeutral(await allRecords(client), await wholeLedger(client, importId))) {
    if (!process.stdout.write(`${line}\n`)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
  return exitCodes.ok;
}
