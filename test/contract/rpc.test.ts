import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { api, type Handlers, type Job, type Method, UnderstoryError } from "#contract";
import { type Connection, transports } from "./transports.ts";

/** A core that only answers what these tests ask; anything else is a typed refusal. */
function smallCore() {
  const seen = { cancelled: 0, produced: 0, ended: 0 };
  const job = (done: number): Job => ({
    id: "j1",
    kind: "import",
    title: "Reading a mailbox",
    state: "running",
    progress: {
      done,
      total: null,
      unit: "records",
      rate: null,
      secondsLeft: null,
      note: null,
      records: done,
      files: 1,
    },
    error: null,
    createdAt: "2024-01-01T00:00:00Z",
    updatedAt: "2024-01-01T00:00:00Z",
  });
  const answers: Partial<Handlers> = {
    "audit.export": async () => ({ jsonl: "überall 🌿\n".repeat(3) }),
    "records.thumbnail": async ({ id }) => ({
      recordId: id,
      mime: "image/webp",
      width: 2,
      height: 1,
      bytes: Uint8Array.from({ length: 256 }, (_, i) => i),
    }),
    "records.get": async ({ id }) => {
      throw new UnderstoryError("not_found", `There is no record ${id}.`, {
        hint: "It may be erased.",
        details: { id },
      });
    },
    "archive.lock": (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          seen.cancelled += 1;
          reject(new DOMException("stop", "AbortError"));
        });
      }),
    "archive.closeSample": async () => {
      throw new Error("a bug");
    },
    "jobs.watch": async function* (_input, { signal }) {
      try {
        for (let i = 0; i < 1_000 && !signal.aborted; i++) {
          seen.produced += 1;
          yield job(i);
        }
      } finally {
        seen.ended += 1;
      }
    },
    "library.watch": async function* () {
      yield { seq: 1 };
      yield { seq: 2 };
      throw new UnderstoryError("worker_crashed", "The read worker stopped.");
    },
  };
  const refuse = async () => {
    throw new UnderstoryError("not_found", "This small core has no such answer.");
  };
  const all: object = Object.fromEntries(Object.keys(api).map((name) => [name, Reflect.get(answers, name) ?? refuse]));
  const isHandlers = (value: object): value is Handlers => Object.keys(api).every((name) => name in value);
  if (!isHandlers(all)) throw new Error("the small core is incomplete");
  return { handlers: all, seen };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

describe.each(Object.entries(transports))("the contract over %s", (_name, connect) => {
  let connection: Connection;
  let core: ReturnType<typeof smallCore>;
  beforeEach(async () => {
    core = smallCore();
    connection = await connect(core.handlers);
  });
  afterEach(() => connection.close());

  test("text and bytes arrive as they were", async () => {
    expect((await connection.client.call("audit.export", {})).jsonl).toBe("überall 🌿\n".repeat(3));
    const media = await connection.client.call("records.thumbnail", { id: 7 });
    expect(media.recordId).toBe(7);
    expect([...media.bytes]).toEqual(Array.from({ length: 256 }, (_, i) => i));
  });

  test("a typed error keeps code, message, hint and details", async () => {
    const error = await connection.client.call("records.get", { id: 3 }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UnderstoryError);
    expect(error).toMatchObject({
      code: "not_found",
      message: "There is no record 3.",
      hint: "It may be erased.",
      details: { id: 3 },
    });
  });

  test("a bug becomes `internal` and says that nothing was lost", async () => {
    await expect(connection.client.call("archive.closeSample", {})).rejects.toMatchObject({ code: "internal" });
  });

  test("wrong input is refused before the handler and names the field", async () => {
    const wrong = connection.client.call("records.get", { id: -1 });
    await expect(wrong).rejects.toMatchObject({ code: "bad_request", details: { method: "records.get", field: "id" } });
  });

  test("an unknown method is refused by name", async () => {
    const method: Method = JSON.parse('"archive.fly"');
    const client: { call(method: string, input: unknown): Promise<unknown> } = connection.client;
    await expect(client.call(method, {})).rejects.toMatchObject({ code: "unknown_method" });
  });

  test("many calls at once are each answered", async () => {
    const ids = Array.from({ length: 50 }, (_, i) => i + 1);
    const media = await Promise.all(ids.map((id) => connection.client.call("records.thumbnail", { id })));
    expect(media.map((one) => one.recordId)).toEqual(ids);
  });

  test("cancelling a call reaches the handler", async () => {
    const controller = new AbortController();
    const call = connection.client.call("archive.lock", {}, { signal: controller.signal });
    await settled();
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "cancelled" });
    await settled();
    expect(core.seen.cancelled).toBe(1);
  });

  test("a stream delivers every item in order, then ends", async () => {
    const done: number[] = [];
    for await (const job of connection.client.stream("jobs.watch", {})) done.push(job.progress.done);
    expect(done).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
    expect(core.seen.ended).toBe(1);
  });

  test("a slow reader holds the writer back", async () => {
    const items = connection.client.stream("jobs.watch", {})[Symbol.asyncIterator]();
    await items.next();
    await settled();
    expect(core.seen.produced).toBeLessThan(20);
    await items.return?.();
  });

  test("leaving a stream early stops its handler", async () => {
    for await (const job of connection.client.stream("jobs.watch", {})) if (job.progress.done === 3) break;
    await settled();
    expect(core.seen.ended).toBe(1);
    expect(core.seen.produced).toBeLessThan(1_000);
  });

  test("a stream that fails gives its items first, then the error", async () => {
    const seqs: number[] = [];
    const reading = (async () => {
      for await (const tick of connection.client.stream("library.watch", {})) seqs.push(tick.seq);
    })();
    await expect(reading).rejects.toMatchObject({ code: "worker_crashed" });
    expect(seqs).toEqual([1, 2]);
  });

  test("closing the line refuses what is open and cancels it in the core", async () => {
    const call = connection.client.call("archive.lock", {});
    await settled();
    connection.client.close();
    await expect(call).rejects.toMatchObject({ code: "disconnected" });
    await settled();
    expect(core.seen.cancelled).toBe(1);
    await expect(connection.client.call("audit.export", {})).rejects.toMatchObject({ code: "disconnected" });
  });
});
