import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Json, openParts, runImport } from "./import-parts.ts";

/** Imports a folder into an archive and prints a dot for each step and then the digest: `import-child.ts ARCHIVE ROOT`. Made to be killed and started again. */

const [archive = "", root = ""] = process.argv.slice(2);
const kept = join(archive, "checkpoint.json");
const { store, parser, close } = await openParts(archive);

await runImport(
  { store, parser },
  { roots: [root], importId: null },
  {
    jobId: "job-1",
    signal: new AbortController().signal,
    checkpoint: existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : null,
    async saveCheckpoint(checkpoint: Json) {
      writeFileSync(`${kept}.new`, JSON.stringify(checkpoint));
      renameSync(`${kept}.new`, kept);
    },
    progress: () => void process.stdout.write("."),
  },
);
process.stdout.write(`\n${await store.contentDigest({})}`);
await close();
