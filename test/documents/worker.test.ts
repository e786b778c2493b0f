import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDocumentReader } from "#main/workers/documents.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import { docx, paragraph, pdf } from "./make.ts";

const never = new AbortController().signal;
const noBytes = new Uint8Array(1);
const about = (name: string) => ({ name, mime: null });

/** A reader over a thread that does what the documents' names say, and how many threads it took. */
function hostileReader(limitMs = 500) {
  let threads = 0;
  const reader = createDocumentReader({
    limitMs,
    spawn() {
      threads++;
      const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 32 } };
      return new Worker(new URL("./hostile.worker.ts", import.meta.url), options);
    },
  });
  onTestFinished(() => reader.close());
  return { read: (name: string, signal = never) => reader.read(noBytes, about(name), signal), threads: () => threads };
}

describe("the document thread", () => {
  test("reads what it is given, by the real readers", async () => {
    const reader = createDocumentReader();
    onTestFinished(() => reader.close());
    const bytes = new Uint8Array(docx(paragraph("Hello")));
    expect(await reader.read(bytes, about("a.docx"), never)).toMatchObject({ text: "Hello", reason: null });
    // The bytes are still the caller's.
    expect(bytes.length).toBeGreaterThan(0);
  });

  test("reads the first page of a PDF whose others are damaged, and lives on", async () => {
    let threads = 0;
    const reader = createDocumentReader({
      spawn() {
        threads++;
        return spawnWorker("document");
      },
    });
    onTestFinished(() => reader.close());
    // A bracket that nothing opened, after the page objects of the second and the third page; no other byte moves.
    let page = 0;
    const damaged = pdf([["first"], ["second"], ["third"]])
      .toString("latin1")
      .replace(/(\/Contents \d+ 0 R>>)\nendobj/g, (whole, end: string) => (++page === 1 ? whole : `${end})endobj`));
    const read = await reader.read(Buffer.from(damaged, "latin1"), about("a.pdf"), never);
    expect(read.text).toContain("first");
    expect(read.reason).toMatch(/2 of its 3 pages/);
    expect((await reader.read(pdf([["whole"]]), about("b.pdf"), never)).text).toContain("whole");
    expect(threads).toBe(1);
  });

  test("that hangs is ended; the document is refused and the next one is read", async () => {
    const { read, threads } = hostileReader();
    const [first, second] = await Promise.all([read("endless.pdf"), read("fine.pdf")]);
    expect(first).toEqual({ text: null, title: null, created: null, reason: expect.stringMatching(/longer than/) });
    expect(second.text).toBe("text of fine.pdf");
    expect(threads()).toBe(2);
  });

  test.each(["deadly.pdf", "hungry.pdf"])("that dies of %s tries it once more, then refuses it", async (name) => {
    const { read, threads } = hostileReader(20_000);
    expect(await read(name)).toMatchObject({ text: null, reason: expect.stringMatching(/memory|break/) });
    expect(threads()).toBe(2);
    expect((await read("fine.pdf")).text).toBe("text of fine.pdf");
  });

  test("is ended when the import is stopped", async () => {
    const { read } = hostileReader(20_000);
    const stop = new AbortController();
    const reading = read("endless.pdf", stop.signal);
    stop.abort();
    await expect(reading).rejects.toMatchObject({ code: "cancelled" });
    await expect(read("fine.pdf", stop.signal)).rejects.toMatchObject({ code: "cancelled" });
  });

  test("is not started for a document that is too large", async () => {
    const reader = createDocumentReader({ maxBytes: 10, spawn: () => expect.unreachable() });
    expect(await reader.read(new Uint8Array(11), about("a.pdf"), never)).toMatchObject({
      reason: expect.stringMatching(/larger/),
    });
  });
});
