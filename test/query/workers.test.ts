import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AskEvent } from "#contract";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { openStore } from "#main/records/store.ts";
import type { IndexService } from "#main/workers/index.worker.ts";
import type { ReadService } from "#main/workers/read.worker.ts";
import { connectService } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import { imported } from "./archive.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Store with two records in this thread, index and reading in worker threads of their own, as the product runs them. */
async function started() {
  const folder = mkdtempSync(join(tmpdir(), "understory-workers-"));
  const files: ArchiveFiles = {
    recordsPath: join(folder, "records.db"),
    indexPath: join(folder, "index.db"),
    mediaPath: join(folder, "media.db"),
    cipher: "aegis",
    key: new Uint8Array(32).fill(7),
  };
  const store = openStore(files);
  const importId = store.writer.beginImport({ jobId: "test", roots: ["test"], files: [] });
  const items = [
    imported({ by: "Ana", chat: "Home", at: "2024-05-01T10:00:00", text: "The spare key hangs behind the piano" }),
    imported({ by: "Ben", chat: "Home", at: "2024-05-01T10:01:00", text: "Found it" }),
  ].map((record, cursor) => ({ type: "record" as const, record, cursor }));
  store.writer.commit({ importId, importer: "test", claim: "c", items, cursor: null, done: true });
  const threads = [spawnWorker("index"), spawnWorker("read")] as const;
  const index = connectService<IndexService>(threads[0], "index");
  const read = connectService<ReadService>(threads[1], "read");
  ends.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => store.close(),
    ...threads.map((thread) => () => thread.terminate()),
  );
  return { files, index, read };
}

describe("the index and read workers", () => {
  it("follow the change log, answer with a stream of stages, and say when the archive is not open", async () => {
    const { files, index, read } = await started();
    await expect(index.advance({ limit: 10 })).rejects.toMatchObject({ code: "archive_locked" });
    await expect(read.people({})).rejects.toMatchObject({ code: "archive_locked" });
    await index.open(files);
    await read.open(files);
    expect(await index.advance({ limit: 10 })).toBe(0);
    expect(await index.status({ modelId: null })).toMatchObject({ text: { done: 2, pending: 0 } });
    expect((await read.status({})).counts.records).toBe(2);
    expect((await read.search({ query: "piano", filter: {}, limit: 5, meaning: false })).total).toBe(1);
    const events: AskEvent[] = [];
    for await (const event of read.ask({ question: "Where is the spare key?", meaning: false })) events.push(event);
    expect(events.filter(({ type }) => type === "stage").length).toBeGreaterThanOrEqual(7);
    const last = events.at(-1);
    expect(last?.type === "result" ? last.result.answer : null).toContain("behind the piano");
    await read.close({});
    await index.close({});
    await expect(read.people({})).rejects.toMatchObject({ code: "archive_locked" });
  });
});
