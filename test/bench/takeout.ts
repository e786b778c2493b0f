import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "#main/sample/random.ts";
import { makeTakeout, writeTakeout } from "#test/ingest/takeout.ts";
import type { Outcome } from "#test/ingest/takeout-import.ts";
import { killed, startOnce } from "#test/ingest/takeout-kill.ts";
import { table } from "./table.ts";

/** A Takeout spread over three zips, imported by the whole product while it is killed with -9 again and again. */
export async function benchTakeout(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: "string", default: "20" },
      seed: { type: "string", default: "1" },
      mails: { type: "string", default: "300" },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "understory-takeout-"));
  try {
    const { root, paths } = writeTakeout(await makeTakeout(Number(values.mails)), folder, "parts");
    const { outcome: reference, ms: usual } = await startOnce(await mkdtemp(join(folder, "quiet-")), root);
    if (reference === null) throw new Error("The undisturbed import was killed by somebody else.");
    const rows = [rowOf("undisturbed", 0, reference, reference, paths)];
    const { next: random } = seededRandom(Number(values.seed), "kills");
    for await (const { kills, outcome } of killed(folder, root, { kills: Number(values.kills), usual, random })) {
      rows.push(rowOf(`archive ${rows.length}`, kills, outcome, reference, paths));
      console.log(`${rows.at(-1)?.join("  ")}`);
      tellDifference(reference.listing, outcome.listing);
    }
    const head = [
      "import",
      "kills",
      "records",
      "identities",
      "searchable",
      "files once",
      "listing",
      "digest",
      "imports",
    ];
    console.log(`undisturbed: ${(usual / 1000).toFixed(1)} s, seed ${values.seed}\n\n${table(head, rows)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first lines in which two listings differ. */
function tellDifference(expected: string, found: string): void {
  const [one, other] = [expected.split("\n"), found.split("\n")];
  const at = [...one.keys()].filter((line) => one[line] !== other[line]);
  if (at.length === 0 && one.length === other.length) return;
  console.log(`  ${at.length} of ${one.length} lines differ, ${other.length} were found`);
  for (const line of at.slice(0, 2))
    console.log(`  - ${one[line]?.slice(0, 1500)}\n  + ${other[line]?.slice(0, 1500)}`);
}

function rowOf(name: string, kills: number, one: Outcome, reference: Outcome, paths: readonly string[]) {
  const once = new Set(one.ledger).size === one.ledger.length && paths.every((path) => one.ledger.includes(path));
  return [
    name,
    kills,
    one.records,
    one.identities,
    one.searchable,
    once ? "yes" : "NO",
    one.listing === reference.listing ? "equal" : "DIFFERS",
    one.digest === reference.digest ? "equal" : "DIFFERS",
    one.imports.join(),
  ];
}
