import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Job } from "#contract";
import {
  createParseService,
  type ImportContext,
  type ImportPorts,
  type ParsePort,
  runImport,
} from "#main/ingest/index.ts";
import { JobStop } from "#main/jobs/index.ts";
import { createParser } from "#main/workers/parser.ts";
import { plainDocuments } from "../importers/memory-tree.ts";
import { folderWith, writeFiles } from "./folders.ts";
import { linesImporter } from "./lines-importer.ts";
import { MemoryStore } from "./memory-store.ts";

const threaded = createParser(() => new Worker(new URL("./lines.worker.ts", import.meta.url), { execArgv: [] }));
afterAll(() => threaded.close());

/** The same parser without a thread, for tests that need none. */
function direct(): ParsePort {
  const service = createParseService([linesImporter], plainDocuments);
  const never = new AbortController().signal;
  return {
    plan: (input, signal = never) => service.plan(input, { signal }),
    read: (input, signal = never) => service.read(input, { signal }),
    restart: async () => undefined,
  };
}

function contextOf(controller = new AbortController()): ImportContext & { last: Partial<Job["progress"]> } {
  const context = {
    jobId: "job",
    signal: controller.signal,
    checkpoint: null as ImportContext["checkpoint"],
    last: {} as Partial<Job["progress"]>,
    async saveCheckpoint(checkpoint: ImportContext["checkpoint"]) {
      context.checkpoint = checkpoint;
    },
    progress(update: Partial<Job["progress"]>) {
      context.last = update;
    },
  };
  return context;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");
const run = (store: MemoryStore, root: string, more: Partial<ImportPorts> = {}, context = contextOf()) =>
  runImport({ store, parser: direct(), ...more }, { roots: [root], importId: null }, context);

describe("an import", () => {
  test("brings in every record, and every file ends in the ledger once", async () => {
    const folder = folderWith({
      "a.lines": "one\nmedia pic.media\ntwo",
      "pic.media": "p",
      "more.media": "m",
      "odd.xyz": "?",
      "empty.lines": "",
    });
    const store = new MemoryStore();
    const context = contextOf();
    const outcome = await run(store, folder, {}, context);
    expect(outcome).toMatchObject({ importId: 1, status: "done", records: { imported: 3, updated: 0, duplicate: 0 } });
    expect(outcome.paths.toSorted()).toEqual([...store.files.keys()].sort());
    expect(store.texts()).toEqual(["media pic.media", "one", "two"]);
    expect([...store.ledger.keys()].sort()).toEqual([...store.files.keys()].sort());
    expect(store.ledger.get("pic.media")).toMatchObject({ status: "skipped", importer: "lines" });
    expect(store.ledger.get("more.media")).toMatchObject({ status: "imported" });
    expect(store.statuses).toEqual(["running", "done"]);
    expect(context.checkpoint).toEqual({ importId: 1 });
    expect(context.last).toMatchObject({ unit: "bytes", done: 25, total: 25, records: 3, files: 5 });
  });

  test("works through a worker thread", async () => {
    const folder = folderWith({ "a.lines": numbered(450), "b/c.lines": "last" });
    const store = new MemoryStore();
    await run(store, folder, { parser: threaded });
    expect(store.records.size).toBe(451);
    expect(Math.max(...store.batches.map(({ items }) => items.length))).toBeLessThanOrEqual(201);
  });

  test("again brings nothing new", async () => {
    const folder = folderWith({ "a.lines": numbered(5) });
    const store = new MemoryStore();
    await run(store, folder);
    const again = await run(store, folder);
    expect(again.records).toEqual({ imported: 0, updated: 0, duplicate: 5 });
  });

  test("leaves a faulty record out and says so in the file's row", async () => {
    const store = new MemoryStore();
    await run(store, folderWith({ "a.lines": "one\n!faulty\ntwo" }));
    expect(store.texts()).toEqual(["one", "two"]);
    expect(store.ledger.get("a.lines")).toMatchObject({
      status: "imported",
      reason: expect.stringMatching(/1 records.*identity/),
    });
  });

  test("takes NUL and half characters out of texts", async () => {
    const store = new MemoryStore();
    await run(store, folderWith({ "a.lines": "nul\u0000 in it" }));
    expect(store.texts()).toEqual(["nul in it"]);
  });

  test("goes on after an importer that throws; its file is failed, what it read stays", async () => {
    const store = new MemoryStore();
    await run(store, folderWith({ "a.lines": "one\n!throw\ntwo", "b.lines": "three" }));
    expect(store.texts()).toEqual(["one", "three"]);
    expect(store.ledger.get("a.lines")).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/cannot be read/),
    });
    expect(store.statuses.at(-1)).toBe("done");
  });
});

describe("a parser that dies", () => {
  test("once is started again and reads on", async () => {
    const folder = folderWith({ "z.lines": "end" });
    const marker = join(folder, "..", `marker-${process.pid}-${Date.now()}`);
    writeFiles(folder, { "a.lines": `one\n!exit-once ${marker}\ntwo` });
    const store = new MemoryStore();
    await run(store, folder, { parser: threaded });
    expect(store.texts()).toEqual([`!exit-once ${marker}`, "end", "one", "two"].sort());
    expect(store.ledger.get("a.lines")).toMatchObject({ status: "imported" });
  });

  test.each(["!exit", "!hang", "!wait"])("by %s every time costs its file, not the import", async (fault) => {
    const store = new MemoryStore();
    const folder = folderWith({ "a.lines": `${numbered(200)}\n${fault}\nlost`, "b.lines": "kept" });
    await run(store, folder, { parser: threaded, silenceMs: 2000 });
    expect(store.records.size).toBe(201);
    expect(store.texts()).toContain("kept");
    expect(store.ledger.get("a.lines")).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/second try/),
    });
    expect(store.statuses.at(-1)).toBe("done");
  });
});

describe("a stop", () => {
  test.each([
    ["pause", "paused"],
    ["cancel", "cancelled"],
    ["shutdown", "interrupted"],
  ] as const)("to %s leaves the import %s, and going on completes it", async (reason, status) => {
    const folder = folderWith({ "a.lines": numbered(1000), "b.lines": numbered(3) });
    const store = new MemoryStore();
    const controller = new AbortController();
    store.onCommit = ({ importer, claim }) => {
      if (importer === "lines" && claim === "a.lines" && store.records.size >= 400)
        controller.abort(new JobStop(reason));
    };
    const context = contextOf(controller);
    expect(await run(store, folder, {}, context)).toMatchObject({ status });
    expect(store.records.size).toBeLessThan(1000);
    expect(store.statuses.at(-1)).toBe(status);

    store.onCommit = () => undefined;
    const goingOn = { ...contextOf(), checkpoint: context.checkpoint };
    const outcome = await run(store, folder, {}, goingOn);
    expect(outcome).toMatchObject({ importId: 1, status: "done", records: { duplicate: 0 } });
    expect(store.records.size).toBe(1003);
  });

  test("does not wait for a parser that hangs", async () => {
    const folder = folderWith({ "a.lines": "one\n!wait" });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new JobStop("cancel")), 50);
    expect(await run(new MemoryStore(), folder, {}, contextOf(controller))).toMatchObject({ status: "cancelled" });
  });
});

describe("going on", () => {
  test("skips what is done and reads a file that has changed from its beginning", async () => {
    const folder = folderWith({ "a.lines": numbered(300), "b.lines": numbered(300), "c.lines": "c" });
    const store = new MemoryStore();
    store.failAfter = 3;
    const context = contextOf();
    await expect(run(store, folder, {}, context)).rejects.toMatchObject({ code: "disk_full" });
    expect(store.statuses.at(-1)).toBe("failed");

    store.failAfter = Number.POSITIVE_INFINITY;
    writeFileSync(join(folder, "b.lines"), `new beginning\n${numbered(300)}`);
    utimesSync(join(folder, "b.lines"), 1, 1);
    const before = store.batches.length;
    await run(store, folder, {}, { ...contextOf(), checkpoint: context.checkpoint });
    expect(store.batches.slice(before).some(({ claim }) => claim === "a.lines")).toBe(false);
    expect(store.texts()).toContain("new beginning");
    expect(store.texts()).toContain("c");
  });

  test("never gives a file the row 'imported' when it had another before the interruption", async () => {
    const folder = folderWith({ "a.lines": `media x.media\n${numbered(600)}`, "x.media": "x" });
    const store = new MemoryStore();
    store.failAfter = 1;
    const context = contextOf();
    await run(store, folder, {}, context).catch(() => undefined);
    store.failAfter = Number.POSITIVE_INFINITY;
    await run(store, folder, {}, { ...contextOf(), checkpoint: context.checkpoint });
    expect(store.ledger.get("x.media")).toMatchObject({ status: "skipped" });
  });

  test("from any interruption ends with the same records as an undisturbed run", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 450 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
        async (sizes, failures) => {
          const folder = folderWith(Object.fromEntries(sizes.map((size, index) => [`${index}.lines`, numbered(size)])));
          const undisturbed = new MemoryStore();
          await run(undisturbed, folder);
          const disturbed = new MemoryStore();
          let checkpoint: ImportContext["checkpoint"] = null;
          for (const more of [...failures, Number.POSITIVE_INFINITY]) {
            disturbed.failAfter = disturbed.batches.length + more;
            const context = { ...contextOf(), checkpoint };
            await run(disturbed, folder, {}, context).catch(() => undefined);
            checkpoint = { importId: 1 };
          }
          expect(disturbed.imports).toBe(1);
          expect(disturbed.records).toEqual(undisturbed.records);
          expect(disturbed.ledger).toEqual(undisturbed.ledger);
          const committed = disturbed.batches.flatMap(({ items }) => items.filter(({ type }) => type === "record"));
          expect(committed).toHaveLength(undisturbed.records.size);
        },
      ),
      { numRuns: 25 },
    );
  });
});

test("a root that is gone refuses the import before it begins", async () => {
  const store = new MemoryStore();
  await expect(run(store, "/nowhere/at/all")).rejects.toMatchObject({ code: "path_missing" });
  expect(store.imports).toBe(0);
});
