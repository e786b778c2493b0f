import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import type { Job } from "#contract";
import { openRecordReader } from "#main/records/reader.ts";
import { connectService } from "#main/workers/service.ts";
import type { StoreService } from "#main/workers/store.worker.ts";
import { archiveFiles, fileItems, message } from "./fixtures.ts";

test("the store worker commits, keeps jobs and thumbnails, and closes", async () => {
  const files = archiveFiles();
  const worker = new Worker(new URL("../../main/workers/store.worker.ts", import.meta.url));
  onTestFinished(async () => void (await worker.terminate()));
  const store = connectService<StoreService>(worker, "store");
  await expect(store.contentDigest({})).rejects.toEqual(expect.objectContaining({ code: "archive_locked" }));
  await store.open(files);

  const importId = await store.beginImport({ jobId: "j1", roots: ["/x"], files: [{ path: "a.txt", bytes: 1 }] });
  const items = fileItems("a.txt", [message("m:1"), message("m:2", { kind: "photo" })]);
  const batch = { importId, importer: "test", claim: "a.txt", items, cursor: 2, done: true };
  expect(await store.commit(batch)).toEqual({ imported: 2, updated: 0, duplicate: 0, recordIds: [1, 2] });
  expect(await store.checkpoint({ importId, claim: "a.txt" })).toEqual({ cursor: 2, done: true });
  await store.setImportStatus({ importId, status: "done" });
  await expect(store.erase([1])).rejects.toEqual(expect.objectContaining({ code: "conflict" }));

  expect(await store.pendingThumbnails({ limit: 5 })).toMatchObject([{ recordId: 2 }]);
  await store.failThumbnail({ recordId: 2, reason: "No decoder." });
  expect(await store.pendingThumbnails({ limit: 5 })).toEqual([]);

  const job: Job = {
    id: "j1",
    kind: "import",
    title: "Reading",
    state: "done",
    progress: { done: 1, total: 1, unit: "files", rate: null, secondsLeft: null, note: null, records: 2, files: 1 },
    error: null,
    createdAt: "2024-05-01T10:00:00.000Z",
    updatedAt: "2024-05-01T10:00:00.000Z",
  };
  await store.saveJob({ job: { ...job, state: "running" }, payload: { importId } });
  await store.saveJob({ job, payload: { importId } });
  expect(await store.loadJobs({})).toEqual([{ job, payload: { importId } }]);
  expect(await store.verifyAudit({})).toMatchObject({ ok: true });

  const reader = openRecordReader(files);
  expect(reader.counts()).toMatchObject({ records: 2, byKind: { message: 1, photo: 1 } });
  reader.close();
  await store.close({});
});
