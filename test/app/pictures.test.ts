import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AskResult, Client } from "#contract";
import { type App, openApp } from "#main/app.ts";
import { linkModels } from "#test/models/model-cache.ts";
import { jpegOf, type Page } from "#test/models/ocr/pages.ts";

/** The whole way of a picture: dropped, looked at by real models in the background, found, asked for, cited. */

const ticket: Page = {
  width: 640,
  height: 360,
  text: "Harbour ferry\nKiel to Gothenburg\nCabin 4217",
  pieces: [
    { text: "Harbour ferry", x: 40, y: 80, size: 44 },
    { text: "Kiel to Gothenburg", x: 40, y: 180, size: 40 },
    { text: "Cabin 4217", x: 40, y: 280, size: 40 },
  ],
};
const sign: Page = { width: 480, height: 200, text: "Bakery", pieces: [{ text: "Bakery", x: 60, y: 120, size: 64 }] };

const passphrase = "seven quiet lanterns";
const models = ["minilm-l6-v2-int8", "pp-ocrv6-small"] as const;

let place: string;
let app: App | null = null;
let missing: string | null = null;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-pictures-"));
  await mkdir(join(place, "in"));
  missing = await linkModels(join(place, "models"), models);
  await writeFile(join(place, "in", "ticket.jpg"), await jpegOf(ticket));
  await writeFile(join(place, "in", "sign.jpg"), await jpegOf(sign));
  await writeFile(join(place, "in", "gone.jpg"), await jpegOf({ ...sign, paper: "#ddeeff" }));
}, 300_000);

afterAll(async () => {
  await app?.close();
  await rm(place, { recursive: true, force: true });
});

async function start(): Promise<Client> {
  await app?.close();
  app = await openApp({ archiveDir: join(place, "archive"), modelsDir: join(place, "models"), host: "browser" });
  return app.client;
}

async function quiet(client: Client): Promise<void> {
  for (let still = 0; still < 3; ) {
    const { jobs } = await client.call("jobs.list", {});
    const failed = jobs.find(({ state }) => state === "failed");
    if (failed) throw new Error(failed.error?.message);
    still = jobs.every(({ state }) => state === "done") ? still + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function importAll(client: Client): Promise<void> {
  const { planId } = await client.call("imports.plan", { paths: [join(place, "in")] });
  await client.call("imports.run", { planId });
  await quiet(client);
}

async function ask(client: Client, question: string): Promise<AskResult> {
  for await (const event of client.stream("ask.ask", { question })) {
    if (event.type === "result" && event.result) return event.result;
  }
  throw new Error("no result");
}

async function readings(client: Client): Promise<Map<string, string | undefined>> {
  const { records } = await client.call("records.page", {});
  return new Map(records.map((one) => [one.files[0]?.path ?? "", one.perceived?.ocr?.text]));
}

describe("a dropped picture", () => {
  test("is read in the background once a model for it is in use, found by its words, and answers with the place of the line", async (context) => {
    if (missing) return context.skip(missing);
    const client = await start();
    await client.call("archive.create", { name: "A", passphrase });
    await client.call("settings.set", { settings: { models: { ocr: null } } });
    await importAll(client);
    expect([...(await readings(client)).values()]).not.toContain(ticket.text);
    await rm(join(place, "in", "gone.jpg"));
    await client.call("settings.set", { settings: { models: {} } });
    await quiet(client);
    const read = await readings(client);
    expect(read.get("in/ticket.jpg") ?? read.get("ticket.jpg")).toBe(ticket.text);

    const { hits } = await client.call("library.search", { query: "gothenburg", filter: {} });
    expect(hits).toHaveLength(1);
    const result = await ask(client, "Which cabin do we have on the ferry to Gothenburg?");
    const citation = result.claims[0]?.citations.find(({ view }) => view === "ocr");
    expect(result.answer).toContain("4217");
    const { record } = await client.call("records.get", { id: citation?.recordId ?? 0 });
    const ocr = record.perceived?.ocr;
    expect(ocr?.text.slice(...(citation?.span ?? [0, 0]))).toBe(citation?.quote);
    const line = ocr?.lines.find(({ start, end }) => ocr.text.slice(start, end).includes("4217"));
    // The third line stands in the lower part of the picture, at its left.
    expect(line?.quad[1]).toBeGreaterThan(0.6);
    expect(line?.quad[0]).toBeLessThan(0.2);
  }, 120_000);

  test("whose file is gone is failed with its reason, and waits again when asked", async (context) => {
    if (missing || !app) return context.skip(missing ?? "no archive");
    const { client } = app;
    const { rows, total } = await client.call("views.failed", {});
    const { indexes } = await client.call("archive.status", {});
    const ocr = indexes?.views.find(({ purpose }) => purpose === "ocr");
    expect({ done: ocr?.done, pending: ocr?.pending, failed: ocr?.failed }).toEqual({
      done: 2,
      pending: 0,
      failed: total,
    });
    expect(rows).toMatchObject([{ purpose: "ocr", reason: expect.stringContaining("gone.jpg") }]);
    expect(await client.call("views.retry", { purpose: "image-tags" })).toEqual({ count: 0 });
    expect(await client.call("views.retry", {})).toEqual({ count: 1 });
    await quiet(client);
    expect((await client.call("views.failed", { purpose: "ocr" })).total).toBe(1);
  });

  test("is not looked at again after a restart, nor when it is imported again", async (context) => {
    if (missing || !app) return context.skip(missing ?? "no archive");
    const began = new Date().toISOString();
    const client = await start();
    await client.call("archive.unlock", { with: "passphrase", passphrase });
    await quiet(client);
    await importAll(client);
    const { jobs } = await client.call("jobs.list", {});
    const since = jobs.filter(({ kind, createdAt }) => kind === "perceive" && createdAt > began);
    expect(since.map(({ progress }) => progress.done)).toEqual(since.map(() => 0));
    expect(since).not.toEqual([]);
  });

  test("turned in its file is read upright again, and what was known of it stays", async (context) => {
    if (missing || !app) return context.skip(missing ?? "no archive");
    const { client } = app;
    const turned = await jpegOf(ticket, (x, y) => [ticket.height - y, x], {
      width: ticket.height,
      height: ticket.width,
    });
    await writeFile(join(place, "in", "ticket.jpg"), turned);
    await importAll(client);
    const { hits } = await client.call("library.search", { query: "gothenburg", filter: {} });
    expect(hits).toHaveLength(2);
  }, 120_000);

  test("keeps its text when the purpose is switched off, and a removed model is gone at once", async (context) => {
    if (missing || !app) return context.skip(missing ?? "no archive");
    const { client } = app;
    await client.call("settings.set", { settings: { models: { ocr: null } } });
    const off = await client.call("archive.status", {});
    expect(off.indexes?.views).toContainEqual({ purpose: "ocr", model: null, done: 0, pending: 0, failed: 0 });
    expect((await client.call("library.search", { query: "gothenburg", filter: {} })).hits).toHaveLength(2);
    await client.call("settings.set", { settings: { models: {} } });
    await quiet(client);
    await client.call("models.remove", { id: "pp-ocrv6-small" });
    const { models: left } = await client.call("models.list", {});
    expect(left.find(({ id }) => id === "pp-ocrv6-small")?.state).toBe("absent");
    expect((await ask(client, "Which cabin do we have on the ferry to Gothenburg?")).answer).toContain("4217");
  });
});
