import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, filesOf } from "#main/records/archive.ts";
import { openStore } from "#main/records/store.ts";
import { folder, freshStore } from "./fixtures.ts";
import { loopBatch, loopBatches, loopSize } from "./loop-batches.ts";

function run(script: string, ...args: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("a process that is killed", () => {
  test("leaves whole batches, a checkpoint that tells them, and goes on to the same archive", async () => {
    const files = filesOf(folder(), new Uint8Array(32).fill(7), "aegis");
    const first = openStore(files);
    const roots = ["/loop"];
    const importId = first.writer.beginImport({ jobId: "j", roots, files: [{ path: "loop.txt", bytes: 1 }] });
    first.close();
    const args = [files.recordsPath.slice(0, -"/records.db".length), "07".repeat(32), String(importId)];

    for (const after of [2, 11, 20]) {
      const child = run("./commit-loop.ts", ...args);
      const exit = once(child, "exit");
      let lines = 0;
      for await (const _line of createInterface({ input: child.stdout })) {
        lines += 1;
        if (lines === after) child.kill("SIGKILL");
      }
      await exit;
      const store = openStore(files);
      const reader = store.writer.reader();
      expect(store.integrity()).toBeNull();
      const { cursor } = store.writer.checkpoint(importId, "loop.txt");
      expect(reader.counts().records).toBe(Number(cursor) * loopSize);
      expect(reader.lastSeq()).toBe(Number(cursor) * loopSize);
      expect(reader.importRuns()[0]).toMatchObject({
        status: "interrupted",
        counts: { imported: Number(cursor) * loopSize, updated: 0, duplicate: 0 },
      });
      expect(store.writer.verifyAudit().ok).toBe(true);
      store.close();
    }

    await once(run("./commit-loop.ts", ...args), "exit");
    const resumed = freshStore(files);
    const straight = freshStore();
    const id = straight.writer.beginImport({ jobId: "j", roots, files: [{ path: "loop.txt", bytes: 1 }] });
    for (let at = 0; at < loopBatches; at++) straight.writer.commit(loopBatch(id, at));
    expect(resumed.contentDigest()).toBe(straight.contentDigest());
    expect(resumed.writer.reader().importRuns()[0]?.counts.imported).toBe(loopBatches * loopSize);
  });

  test("frees the archive's lock, and holds it before", async () => {
    const dir = folder();
    const child = run("./hold-lock.ts", dir);
    await once(child.stdout, "data");
    expect(() => acquireLock(dir)).toThrow(expect.objectContaining({ code: "archive_in_use" }));
    child.kill("SIGKILL");
    await once(child, "exit");
    const lock = acquireLock(dir);
    expect(() => acquireLock(dir)).toThrow(expect.objectContaining({ code: "archive_in_use" }));
    lock.release();
    acquireLock(dir).release();
  });
});
