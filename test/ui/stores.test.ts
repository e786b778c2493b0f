import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AskEvent, type AskResult, emptyPlan, type Input, UnderstoryError } from "#contract";
import { isOpen, useAsk } from "../../renderer/state/ask.ts";
import { setClient } from "../../renderer/state/client.ts";
import { chunkBytes, useImports } from "../../renderer/state/imports.ts";
import { pageSize, useLibrary } from "../../renderer/state/library.ts";
import { threadAfter } from "../../renderer/state/thread.ts";
import { scriptedClient, untilAborted } from "./client.ts";
import { summary } from "./records.ts";

function result(answer: string): AskResult {
  return {
    outcome: "answered",
    tier: "instant",
    plan: emptyPlan("q"),
    answer,
    claims: [{ id: "a", text: answer, citations: [], standing: "current" }],
    forest: { nodes: [], edges: [], objective: 0 },
    conflicts: [],
    leftOut: [],
    records: [],
    trace: [],
    rounds: [],
    notes: [],
  };
}

/** Lets what is already under way come to rest. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("asking", () => {
  beforeEach(() => useAsk.getState().forget());

  it("shows the first answer at once and remembers its sentences when a better one comes", async () => {
    async function* events(): AsyncGenerator<AskEvent> {
      yield { type: "stage", trace: { stage: "plan", round: 1, ms: 1, inputSize: 1, outputSize: 1, detail: {} } };
      yield { type: "result", final: false, result: result("In July.") };
      yield { type: "result", final: true, result: result("In July 2024.") };
    }
    setClient(scriptedClient({}, { "ask.ask": events }));
    await useAsk.getState().ask("When?");
    const run = useAsk.getState().runs.get("When?");
    expect(run?.stages).toHaveLength(1);
    expect(run?.result?.answer).toBe("In July 2024.");
    expect(run?.before).toEqual(["In July."]);
    expect(run?.final).toBe(true);
    expect(useAsk.getState().running).toBeNull();
  });

  it("says that it was stopped, and not that something failed, when the person cancels", async () => {
    setClient(
      scriptedClient(
        {},
        {
          // biome-ignore lint/correctness/useYield: it never comes to an item.
          "ask.ask": async function* (_input, signal) {
            await untilAborted(signal);
          },
        },
      ),
    );
    const asking = useAsk.getState().ask("When?");
    await settle();
    useAsk.getState().cancel();
    await asking;
    expect(useAsk.getState().runs.get("When?")).toMatchObject({ cancelled: true, error: null });
  });

  it("left for another question before its answer is there, it is asked anew as it was corrected when one comes back", async () => {
    async function* answer(input: Input<"ask.ask">, signal?: AbortSignal): AsyncGenerator<AskEvent> {
      if (input.question === "When?" && input.plan?.kinds[0] === "photo" && asked.length < 3)
        await untilAborted(signal);
      yield { type: "result", final: true, result: result(`About ${input.question}`) };
    }
    const scripted = scriptedClient({}, { "ask.ask": answer });
    const { asked } = scripted;
    setClient(scripted);
    const ask = useAsk.getState();
    await ask.ask("When?");
    expect(isOpen("When?")).toBe(false);
    const corrected = { ...emptyPlan("When?"), kinds: ["photo" as const] };
    const left = ask.ask("When?", corrected);
    expect(isOpen("When?")).toBe(false);
    await ask.ask("Who?");
    await left;
    expect(useAsk.getState().runs.get("When?")).toMatchObject({ stale: true, cancelled: false, error: null });
    expect(isOpen("When?")).toBe(true);
    await ask.askAgain("When?");
    expect(asked.at(-1)?.input).toMatchObject({ plan: corrected });
    expect(useAsk.getState().runs.get("When?")).toMatchObject({ stale: false, final: true });
    expect(isOpen("When?")).toBe(false);
  });

  it("keeps what went wrong with its question", async () => {
    setClient(
      scriptedClient(
        {},
        {
          // biome-ignore lint/correctness/useYield: it fails before an item.
          "ask.ask": async function* () {
            throw new UnderstoryError("archive_locked", "The archive is locked.", { hint: "Open it." });
          },
        },
      ),
    );
    await useAsk.getState().ask("When?");
    expect(useAsk.getState().runs.get("When?")?.error).toMatchObject({ code: "archive_locked", hint: "Open it." });
  });
});

describe("asking on", () => {
  beforeEach(() => useAsk.getState().forget());
  const first = "Who came?";
  const thread = threadAfter(first, "and why?");

  function client(carried: AskResult["plan"]["carried"]) {
    async function* answer(input: { question: string }): AsyncGenerator<AskEvent> {
      const plan = { ...emptyPlan(input.question), carried: input.question === first ? [] : carried };
      yield { type: "result", final: true, result: { ...result(`About ${input.question}`), plan } };
    }
    const scripted = scriptedClient({}, { "ask.ask": answer });
    setClient(scripted);
    return scripted;
  }

  it("asks the question before first where it is not known, and hands it on with what it cites", async () => {
    const { asked } = client(["terms"]);
    await useAsk.getState().ask(thread);
    expect(asked.map(({ input }) => input)).toMatchObject([
      { question: first },
      { question: "and why?", after: { plan: { question: first }, citedRecords: [] } },
    ]);
    expect([...useAsk.getState().runs.keys()]).toEqual([first, thread]);
    await useAsk.getState().ask(threadAfter(thread, "who else?"));
    expect(asked).toHaveLength(3);
  });

  it("a question that leaned on nothing begins a thread of its own", async () => {
    client([]);
    await useAsk.getState().ask(thread);
    expect([...useAsk.getState().runs.keys()]).toEqual([first, "and why?"]);
    expect(useAsk.getState().running).toBeNull();
  });

  it("a corrected plan is asked as it is, and the answer before stays until the new one is there", async () => {
    const { asked } = client(["terms"]);
    await useAsk.getState().ask(thread);
    const corrected = { ...emptyPlan("and why?"), kinds: ["photo" as const], carried: ["terms" as const] };
    const asking = useAsk.getState().ask(thread, corrected);
    expect(useAsk.getState().runs.get(thread)).toMatchObject({ stale: true, result: { plan: { kinds: ["photo"] } } });
    await asking;
    expect(useAsk.getState().runs.get(thread)?.stale).toBe(false);
    expect(asked.at(-1)?.input).toMatchObject({ plan: corrected });
    expect(asked.at(-1)?.input).not.toHaveProperty("after");
  });
});

describe("the library", () => {
  it("fetches a page once, and gives up the fetches of pages that were scrolled past", async () => {
    const given: number[] = [];
    const client = scriptedClient({
      "library.days": async () => ({ days: [{ day: "2024-07-14", count: 5 * pageSize }] }),
      "library.list": async ({ offset = 0 }, signal) => {
        if (offset === 0) return { records: [summary(1)], total: 5 * pageSize };
        try {
          return await untilAborted(signal);
        } finally {
          given.push(offset);
        }
      },
    });
    setClient(client);
    const library = useLibrary.getState();
    await library.load({});
    library.want([0, 1]);
    await settle();
    library.want([0, 3]);
    await settle();
    expect(given).toEqual([pageSize]);
    expect(useLibrary.getState().pages.get(0)).toHaveLength(1);
    expect(useLibrary.getState().error).toBeNull();
    expect(client.asked.filter(({ method }) => method === "library.list")).toHaveLength(3);
    library.want([]);
  });
});

describe("files that only the browser holds", () => {
  const planned = {
    planId: "p",
    roots: [],
    sources: [],
    files: 2,
    bytes: 0,
    skipped: [],
    warnings: [],
    zoneQuestion: null,
  };

  it("go a few at once, each one's chunks in order, and only what has arrived is counted", async () => {
    const under = new Map<string, number>();
    const offsets = new Map<string, number[]>();
    let most = 0;
    const client = scriptedClient({
      "uploads.begin": async () => ({ uploadId: "u" }),
      "uploads.chunk": async ({ path, offset }) => {
        under.set(path, (under.get(path) ?? 0) + 1);
        expect(under.get(path)).toBe(1);
        most = Math.max(most, under.size);
        offsets.set(path, [...(offsets.get(path) ?? []), offset]);
        await settle();
        under.delete(path);
        return {};
      },
      "uploads.finish": async () => ({ path: "/incoming/u" }),
      "imports.plan": async () => planned,
    });
    setClient(client);
    const sent: number[] = [];
    const stop = useImports.subscribe(({ phase }) => {
      if (phase.at === "sending") sent.push(phase.sent);
    });
    async function* dropped() {
      for (const name of ["a", "b", "c", "d", "e", "a"]) {
        yield { path: name, file: new File([new Uint8Array(2 * chunkBytes + 1)], name) };
      }
    }
    await useImports.getState().sendFiles(dropped());
    stop();
    expect(most).toBe(4);
    const whole = [0, chunkBytes, 2 * chunkBytes];
    expect(offsets.get("b")).toEqual(whole);
    expect(offsets.get("a")).toEqual([...whole, ...whole]);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
    expect(sent.at(-1)).toBe(6 * (2 * chunkBytes + 1));
  });

  it("are thrown away on the host when the person stops, and nothing is planned", async () => {
    const client = scriptedClient({
      "uploads.begin": async () => ({ uploadId: "u" }),
      "uploads.chunk": async (_input, signal) => untilAborted(signal),
      "uploads.discard": async () => ({}),
    });
    setClient(client);
    async function* dropped() {
      for (const name of ["a", "b", "c"]) yield { path: name, file: new File(["x"], name) };
    }
    const sending = useImports.getState().sendFiles(dropped());
    await settle();
    useImports.getState().discard();
    await sending;
    expect(useImports.getState().phase).toEqual({ at: "idle" });
    expect(client.asked.map(({ method }) => method)).not.toContain("imports.plan");
    expect(client.asked.at(-1)).toEqual({ method: "uploads.discard", input: { uploadId: "u" } });
  });

  it("are sent in order in chunks, planned where they arrived, and thrown away when that fails", async () => {
    let refuse = false;
    const client = scriptedClient({
      "uploads.begin": async () => ({ uploadId: "u" }),
      "uploads.chunk": async () => {
        if (refuse) throw new UnderstoryError("disk_full", "The disk is full.");
        return {};
      },
      "uploads.finish": async () => ({ path: "/incoming/u" }),
      "uploads.discard": async () => ({}),
      "imports.plan": async () => planned,
    });
    setClient(client);
    async function* dropped() {
      yield { path: "Mail/Inbox.mbox", file: new File([new Uint8Array(chunkBytes + 3)], "Inbox.mbox") };
      yield { path: "Mail/empty.txt", file: new File([], "empty.txt") };
    }
    await useImports.getState().sendFiles(dropped());
    expect(useImports.getState().phase).toEqual({ at: "planned", plan: planned });
    const chunks = z
      .array(z.object({ path: z.string(), offset: z.number(), last: z.boolean() }))
      .parse(client.asked.flatMap(({ method, input }) => (method === "uploads.chunk" ? [input] : [])));
    expect(chunks).toHaveLength(3);
    expect(chunks.filter(({ path }) => path === "Mail/Inbox.mbox")).toMatchObject([
      { offset: 0, last: false },
      { offset: chunkBytes, last: true },
    ]);
    expect(chunks.filter(({ path }) => path === "Mail/empty.txt")).toMatchObject([{ offset: 0, last: true }]);

    refuse = true;
    await useImports.getState().sendFiles(dropped());
    expect(useImports.getState().phase).toMatchObject({ at: "failed", error: { code: "disk_full" } });
    expect(client.asked.at(-1)?.method).toBe("uploads.discard");
  });

  it("dropped while the import before is being started are planned, and that plan stays", async () => {
    const start = Promise.withResolvers<void>();
    setClient(
      scriptedClient({
        "uploads.begin": async () => ({ uploadId: "u" }),
        "uploads.chunk": async () => ({}),
        "uploads.finish": async () => ({ path: "/uploads/u" }),
        "imports.plan": async ({ paths }) => ({ ...planned, planId: paths[0] ?? "" }),
        "imports.run": async () => {
          await start.promise;
          return {
            id: 1,
            jobId: "1",
            roots: ["first"],
            startedAt: "2024-05-01T09:00:00Z",
            finishedAt: null,
            status: "running",
            watched: false,
            counts: { imported: 0, updated: 0, duplicate: 0, skippedFiles: 0, failedFiles: 0, files: 0 },
          };
        },
        "imports.list": async () => ({ runs: [] }),
      }),
    );
    async function* dropped() {
      yield { path: "a", file: new File(["x"], "a") };
    }
    await useImports.getState().planPaths(["first"]);
    const running = useImports.getState().run(null);
    await useImports.getState().sendFiles(dropped());
    start.resolve();
    expect(await running).toBe(true);
    expect(useImports.getState().phase).toMatchObject({ at: "planned", plan: { planId: "/uploads/u" } });
  });
});
