import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AskResult, Client, Job } from "#contract";
import { type App, openApp } from "#main/app.ts";
import { type Connection, transports } from "./transports.ts";

/** The real core behind each transport: the same archive life, call by call. */

const chat = [
  "12/03/2023, 19:04 - Juno: The boat house costs 420 euros for the weekend.",
  "12/03/2023, 19:05 - Nadia: Good. I have paid the deposit of 90 euros.",
  "14/03/2023, 08:11 - Juno: Bring the red lantern, please.",
].join("\n");

async function untilQuiet(client: Client, jobId: string): Promise<Job> {
  let last: Job | null = null;
  for await (const job of client.stream("jobs.watch", {})) {
    if (job.id === jobId) last = job;
    const { jobs } = await client.call("jobs.list", {});
    if (last?.state === "done" && jobs.every(({ state }) => state === "done")) return last;
    if (job.error) throw new Error(job.error.message);
  }
  throw new Error("the jobs ended without an end");
}

async function ask(client: Client, question: string) {
  const stages: string[] = [];
  let result: AskResult | null = null;
  for await (const event of client.stream("ask.ask", { question })) {
    if (event.type === "stage") stages.push(event.trace.stage);
    else result = event.result;
  }
  if (!result) throw new Error("no result");
  return { stages, result };
}

describe.each(Object.entries(transports))("a real archive over %s", (_name, connect) => {
  let place: string;
  let app: App;
  let connection: Connection;
  let client: Client;

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), "understory-contract-"));
    await mkdir(join(place, "in"));
    await writeFile(join(place, "in", "WhatsApp Chat with Juno.txt"), `${chat}\n`);
    app = await openApp({ archiveDir: join(place, "archive"), modelsDir: join(place, "models"), host: "browser" });
    connection = await connect(app.handlers);
    client = connection.client;
  });
  afterAll(async () => {
    await connection?.close();
    await app?.close();
    await rm(place, { recursive: true, force: true });
  });

  test("nothing can be read before there is an archive", async () => {
    expect(await client.call("archive.status", {})).toMatchObject({ state: "none", counts: null });
    await expect(client.call("library.days", { filter: {} })).rejects.toMatchObject({ code: "archive_locked" });
    await expect(client.call("archive.create", { name: "A", passphrase: "short" })).rejects.toMatchObject({
      code: "weak_passphrase",
    });
  });

  test("made, filled, watched, searched and asked", async () => {
    const { recoveryCode } = await client.call("archive.create", { name: "A", passphrase: "seven quiet lanterns" });
    expect(recoveryCode).toMatch(/^[0-9A-Z-]{30,}$/);
    const plan = await client.call("imports.plan", { paths: [join(place, "in")] });
    expect(plan.sources).toMatchObject([{ importer: "whatsapp", files: 1 }]);
    const run = await client.call("imports.run", { planId: plan.planId });
    expect((await untilQuiet(client, run.jobId)).progress.records).toBe(3);
    const { rows } = await client.call("imports.ledger", { importId: run.id });
    expect(rows).toMatchObject([{ status: "imported", records: 3 }]);

    const found = await client.call("library.search", { query: "lantern", filter: {} });
    expect(found.hits.map(({ passage }) => passage)).toEqual(["Bring the red lantern, please."]);
    const { stages, result } = await ask(client, "How much does the boat house cost?");
    expect(stages).toEqual(["plan", "recall", "candidates", "verify", "forest", "read", "check"]);
    expect(result.outcome).toBe("answered");
    expect(result.answer).toContain("420");
    const [citation] = result.claims[0]?.citations ?? [];
    const { record } = await client.call("records.get", { id: citation?.recordId ?? 0 });
    expect(record.text?.slice(citation?.span?.[0] ?? 0, citation?.span?.[1] ?? 0)).toBe(citation?.quote);
  });

  test("asked on, judged, and the judgement taken back and given again", async () => {
    const { result } = await ask(client, "How much does the boat house cost?");
    const citedRecords = result.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId));
    const after = { plan: result.plan, citedRecords };
    const plans = [];
    for await (const event of client.stream("ask.ask", { question: "and in 2019?", after }))
      if (event.type === "result") plans.push(event.result.plan);
    expect(plans.at(-1)).toMatchObject({
      question: "How much does the boat house cost in 2019?",
      carried: ["terms", "answerType"],
    });

    const said = { plan: result.plan, verdict: "helpful" as const, records: citedRecords.slice(0, 1), whole: false };
    const { id } = await client.call("ask.feedback", said);
    expect((await ask(client, "How much does the boat house cost?")).result.feedback).toMatchObject([
      { feedbackId: id, verdict: "helpful", likeness: 1 },
    ]);
    await client.call("ask.takeBackFeedback", { id });
    expect((await client.call("ask.feedbackList", {})).feedback).toEqual([]);
    await expect(client.call("ask.takeBackFeedback", { id })).rejects.toMatchObject({ code: "not_found" });
    await client.call("ask.feedback", said);
    expect((await client.call("ask.feedbackList", {})).feedback).toMatchObject([said]);
  });

  test("edited, trashed, erased: what is gone is gone from search and answers, and the log tells of it", async () => {
    const { hits } = await client.call("library.search", { query: "boat house", filter: {} });
    const id = hits[0]?.record.id ?? 0;
    const edited = await client.call("records.edit", {
      id,
      version: 1,
      subject: null,
      text: "The boat house costs 470 euros.",
    });
    expect(edited.record.version).toBe(2);
    await expect(client.call("records.edit", { id, version: 1, subject: null, text: "x" })).rejects.toMatchObject({
      code: "conflict",
    });
    expect((await ask(client, "How much does the boat house cost?")).result.answer).toContain("470");
    await expect(client.call("records.erase", { ids: [id] })).rejects.toMatchObject({ code: "conflict" });
    await client.call("records.trash", { ids: [id] });
    await client.call("records.erase", { ids: [id] });
    await expect(client.call("records.get", { id })).rejects.toMatchObject({ code: "not_found" });
    expect((await client.call("library.search", { query: "boat house", filter: {} })).hits).toEqual([]);
    // What was said of it is gone with it.
    expect((await client.call("ask.feedbackList", {})).feedback).toEqual([]);
    expect((await ask(client, "How much does the boat house cost?")).result.answer).not.toMatch(/4[27]0/);
    const { rows } = await client.call("audit.list", {});
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["archive.create", "import.finish", "record.edit", "record.trash", "record.erase"]),
    );
    expect(await client.call("audit.verify", {})).toMatchObject({ ok: true, firstBad: null });
  });

  test("locked and opened again, with the passphrase only", async () => {
    await client.call("archive.lock", {});
    await expect(
      client.call("archive.unlock", { with: "passphrase", passphrase: "wrong words" }),
    ).rejects.toMatchObject({
      code: "wrong_passphrase",
    });
    await client.call("archive.unlock", { with: "passphrase", passphrase: "seven quiet lanterns" });
    expect((await client.call("archive.status", {})).counts?.records).toBe(2);
  });
});
