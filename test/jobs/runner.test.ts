import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Job, UnderstoryError } from "#contract";
import { createJobRunner, type JobHandler, type JobHandlers, type JobStore, type SavedJob } from "#main/jobs/index.ts";

/** Keeps jobs as a file would: as text. */
class TextStore implements JobStore {
  readonly saved = new Map<string, string>();
  history: string[] = [];
  async save(saved: SavedJob): Promise<void> {
    this.history.push(saved.job.state);
    this.saved.set(saved.job.id, JSON.stringify(saved));
  }
  async load(): Promise<SavedJob[]> {
    return [...this.saved.values()].map((text) => JSON.parse(text));
  }
}

const importJob = { kind: "import", key: "one", title: "Reading", input: { n: 1 } } as const;
const handler = (lane: JobHandler["lane"], run: JobHandler["run"]): JobHandler => ({ lane, run });
const untilStopped: JobHandler["run"] = (_input, { signal }) =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

async function started(handlers: JobHandlers, store = new TextStore()) {
  const runner = createJobRunner({ store, handlers });
  await runner.start();
  return { runner, store };
}

async function untilState(runner: { list(): Job[] }, id: string, state: Job["state"]): Promise<void> {
  while (runner.list().find((job) => job.id === id)?.state !== state) await wait(2);
}

describe("a job", () => {
  test("runs, tells its progress, and is kept at each change of state", async () => {
    const { runner, store } = await started({
      import: handler("import", async (input, { progress }) => {
        expect(input).toEqual({ n: 1 });
        progress({ done: 5, total: 10, records: 2 });
      }),
    });
    const job = await runner.enqueue(importJob);
    expect(await runner.settled(job.id)).toMatchObject({
      state: "done",
      error: null,
      progress: { done: 5, total: 10, unit: "bytes", records: 2, rate: null },
    });
    await runner.stop();
    expect(store.history).toEqual(["queued", "running", "done"]);
  });

  test("that throws has failed, with the shape of its error", async () => {
    const { runner } = await started({
      import: handler("import", async () => {
        throw new UnderstoryError("disk_full", "The disk is full.", { hint: "Make room." });
      }),
    });
    const job = await runner.settled((await runner.enqueue(importJob)).id);
    expect(job).toMatchObject({ state: "failed", error: { code: "disk_full", hint: "Make room." } });
    await expect(runner.pause(job.id)).rejects.toMatchObject({ code: "conflict" });
    await expect(runner.pause("nobody")).rejects.toMatchObject({ code: "job_not_found" });
  });

  test("asked for twice is one; after its end it is another, but derived work stays one job", async () => {
    let runs = 0;
    const count = async () => {
      runs++;
      await wait(20);
    };
    const { runner } = await started({ import: handler("import", count), "index-text": handler("index", count) });
    const [one, two] = await Promise.all([runner.enqueue(importJob), runner.enqueue(importJob)]);
    expect(two.id).toBe(one.id);
    await runner.settled(one.id);
    expect((await runner.enqueue(importJob)).id).not.toBe(one.id);

    runs = 0;
    const index = { kind: "index-text", key: "text", title: "Indexing", input: null } as const;
    const first = await runner.enqueue(index);
    await untilState(runner, first.id, "running");
    // New work came while it ran: it must run once more, and only once.
    for (let more = 0; more < 3; more++) expect((await runner.enqueue(index)).id).toBe(first.id);
    await runner.settled(first.id);
    await runner.stop();
    expect(runs).toBeGreaterThanOrEqual(2);
    expect(runner.list().filter(({ kind }) => kind === "index-text")).toHaveLength(1);
  });

  test("shares its lane with nobody, and lanes run beside each other", async () => {
    let inImport = 0;
    let most = 0;
    let indexRan = false;
    const { runner } = await started({
      import: handler("import", async () => {
        most = Math.max(most, ++inImport);
        while (!indexRan) await wait(2);
        inImport--;
      }),
      "index-text": handler("index", async () => {
        indexRan = true;
      }),
    });
    const jobs = [
      await runner.enqueue(importJob),
      await runner.enqueue({ ...importJob, key: "two" }),
      await runner.enqueue({ kind: "index-text", key: "x", title: "Indexing", input: null }),
    ];
    for (const { id } of jobs) expect(await runner.settled(id)).toMatchObject({ state: "done" });
    expect(most).toBe(1);
  });
});

describe("a stop", () => {
  test("to pause keeps the checkpoint; resuming goes on from it", async () => {
    const begun: unknown[] = [];
    const { runner } = await started({
      import: handler("import", async (input, context) => {
        begun.push(context.checkpoint);
        if (context.checkpoint !== null) return;
        await context.saveCheckpoint({ at: 7 });
        await untilStopped(input, context);
      }),
    });
    const { id } = await runner.enqueue(importJob);
    await untilState(runner, id, "running");
    await runner.pause(id);
    expect(runner.list()[0]?.state).toBe("paused");
    await runner.resume(id);
    expect(await runner.settled(id)).toMatchObject({ state: "done" });
    expect(begun).toEqual([null, { at: 7 }]);
  });

  test("to cancel ends it for good, running, waiting or paused", async () => {
    const abandoned: unknown[] = [];
    const { runner } = await started({
      import: {
        lane: "import",
        async run(input, context) {
          await context.saveCheckpoint("begun");
          await untilStopped(input, context);
        },
        async abandoned(_input, checkpoint) {
          abandoned.push(checkpoint);
        },
      },
    });
    const running = await runner.enqueue(importJob);
    const waiting = await runner.enqueue({ ...importJob, key: "two" });
    await untilState(runner, running.id, "running");
    await runner.cancel(waiting.id);
    await runner.cancel(running.id);
    const paused = await runner.enqueue({ ...importJob, key: "three" });
    await untilState(runner, paused.id, "running");
    await runner.pause(paused.id);
    await runner.cancel(paused.id);
    for (const { id } of [running, waiting, paused]) {
      expect(await runner.settled(id)).toMatchObject({ state: "cancelled", error: null });
    }
    expect(abandoned).toEqual(["begun"]);
  });
});

describe("after a restart", () => {
  test("what was running goes on from its checkpoint, what was paused stays paused", async () => {
    const store = new TextStore();
    const first = await started(
      {
        import: handler("import", async (input, context) => {
          await context.saveCheckpoint({ page: 3 });
          await untilStopped(input, context);
        }),
      },
      store,
    );
    const { id } = await first.runner.enqueue(importJob);
    while (!store.saved.get(id)?.includes("page")) await wait(2);
    // What a kill leaves behind: a job that is said to be running.
    const killed = new Map(store.saved);
    await first.runner.stop();
    expect(JSON.parse(store.saved.get(id) ?? "").job.state).toBe("queued");

    const after = new TextStore();
    for (const [key, value] of killed) after.saved.set(key, value);
    const seen: unknown[] = [];
    const { runner } = await started(
      { import: handler("import", async (_, { checkpoint }) => void seen.push(checkpoint)) },
      after,
    );
    expect(await runner.settled(id)).toMatchObject({ state: "done" });
    expect(seen).toEqual([{ page: 3 }]);
  });

  test("a job that nobody can do is refused at once, with its own error", async () => {
    const store = new TextStore();
    const { runner } = await started({ import: handler("import", untilStopped) }, store);
    await runner.enqueue(importJob);
    await runner.stop();
    await expect(started({}, store)).rejects.toMatchObject({ code: "internal", details: { kind: "import" } });
  });

  test("a job whose payload is spoilt has failed, the others go on", async () => {
    const store = new TextStore();
    const { runner } = await started({ import: handler("import", untilStopped) }, store);
    const { id } = await runner.enqueue(importJob);
    await runner.stop();
    store.saved.set(id, JSON.stringify({ ...JSON.parse(store.saved.get(id) ?? ""), payload: 5 }));
    const next = await started({ import: handler("import", async () => undefined) }, store);
    expect(next.runner.list()[0]).toMatchObject({ state: "failed" });
  });
});

describe("watching", () => {
  test("gives what is there, then changes, few while it runs, and always the end", async () => {
    const { runner } = await started({
      import: handler("import", async (_, { progress }) => {
        for (let done = 0; done <= 2000; done++) {
          progress({ done });
          if (done % 100 === 0) await wait(5);
        }
      }),
    });
    const controller = new AbortController();
    const collect = async (pause: number) => {
      const seen: Job[] = [];
      for await (const job of runner.watch(controller.signal)) {
        seen.push(job);
        if (job.state === "done") break;
        await wait(pause);
      }
      return seen;
    };
    const { id } = await runner.enqueue(importJob);
    const all = await Promise.all([collect(0), collect(0), collect(60)]);
    for (const seen of all) {
      expect(seen.at(-1)).toMatchObject({ id, state: "done", progress: { done: 2000 } });
      expect(seen.length).toBeLessThan(20);
    }
  });

  test("ends when it is not wanted any more", async () => {
    const { runner } = await started({ import: handler("import", untilStopped) });
    const controller = new AbortController();
    const ended = (async () => {
      for await (const _ of runner.watch(controller.signal));
    })();
    await wait(5);
    controller.abort();
    await ended;
    await runner.stop();
  });
});
