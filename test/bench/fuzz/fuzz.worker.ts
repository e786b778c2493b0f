import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { importedRecordSchema, UnderstoryError } from "#contract";
import { readDocument } from "#main/documents/index.ts";
import { importers } from "#main/importers/register.ts";
import type { DocumentReader } from "#main/importers/types.ts";
import { openTree } from "#main/ingest/index.ts";
import { memoryTree, readContext } from "#test/importers/memory-tree.ts";
import { mutate, randomFrom } from "./mutate.ts";
import { allSeeds, type Seed } from "./seeds.ts";

/** Feeds broken trees to every importer that claims them, one a number, and tells what escaped. */

export interface FuzzJob {
  readonly from: number;
  readonly seeds: string | null;
  /** Number of the input at work, for whoever watches. */
  readonly now: SharedArrayBuffer;
}

export type FuzzNews =
  | {
      readonly type: "count";
      readonly inputs: number;
      readonly lines: number;
      readonly bytes: number;
      readonly records: number;
      readonly faulty: number;
      readonly claims: Readonly<Record<string, number>>;
    }
  | { readonly type: "crash"; readonly input: number; readonly what: string };

const { from, seeds, now }: FuzzJob = workerData;
const at = new Float64Array(now);
const trees = allSeeds(seeds);
const place = mkdtempSync(join(tmpdir(), "understory-fuzz-"));
process.once("exit", () => rmSync(place, { recursive: true, force: true }));

const documents: DocumentReader = {
  read: (bytes, about) => readDocument(bytes, about),
};

const tell = (news: FuzzNews) => parentPort?.postMessage(news);
const crash = (input: number, where: string, error: unknown) => {
  const stack =
    error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" | ") : String(error);
  tell({ type: "crash", input, what: `${where}: ${stack}` });
};

/** The tree of an input: a seed with one to all of its files broken, sometimes renamed. */
function treeOf(input: number): Seed {
  const random = randomFrom(input);
  const seed = Object.entries(trees[random(trees.length)] ?? {});
  const chosen = random(seed.length);
  return Object.fromEntries(
    seed.map(([path, content], index) => {
      const broken = index === chosen || random(4) === 0 ? mutate(content, random) : content;
      return [random(50) === 0 ? `x${path}` : path, broken];
    }),
  );
}

async function tryOne(input: number, count: { records: number; faulty: number; claims: Record<string, number> }) {
  const content = treeOf(input);
  const tree = memoryTree(content);
  for (const importer of importers) {
    try {
      for await (const claim of importer.recognise(tree)) {
        count.claims[importer.id] = (count.claims[importer.id] ?? 0) + 1;
        for await (const item of importer.read(claim, readContext(tree, { documents }))) {
          if (item.type !== "record") continue;
          count.records++;
          if (!importedRecordSchema.safeParse(item.record).success) count.faulty++;
        }
      }
    } catch (error) {
      crash(input, importer.id, error);
    }
  }
  const archives = Object.entries(content).filter(([path]) => /\.(?:zip|tar|tgz|gz|jex)$/i.test(path));
  for (const [path, bytes] of archives) {
    const file = join(place, path.replaceAll("/", "-"));
    writeFileSync(file, bytes);
    try {
      const opened = await openTree([file]);
      for (const entry of opened.entries)
        await entry.readAll(1_000_000).catch((error: unknown) => {
          if (!(error instanceof UnderstoryError)) throw error;
        });
    } catch (error) {
      if (!(error instanceof UnderstoryError)) crash(input, "tree", error);
    }
    rmSync(file);
  }
  return content;
}

process.on("unhandledRejection", (error) => crash(at[0] ?? 0, "unhandled", error));

for (let input = from; ; ) {
  const count = { records: 0, faulty: 0, claims: {} };
  let [inputs, lines, bytes] = [0, 0, 0];
  const until = Date.now() + 500;
  while (Date.now() < until) {
    at[0] = input;
    const content = await tryOne(input, count);
    for (const one of Object.values(content)) {
      const text = Buffer.from(one);
      bytes += text.length;
      lines += text.toString("latin1").split("\n").length;
    }
    inputs++;
    input++;
  }
  tell({ type: "count", inputs, lines, bytes, ...count });
}
