import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client, RecordSummary } from "#contract";
import { type App, openApp } from "#main/app.ts";

/** A watched folder, on a real disk: what is new comes in by itself, what goes is only marked. */

let place: string;
let folder: string;
let app: App | null = null;
let client: Client;
let importId = 0;

const mail = (id: string, text: string) =>
  `From: Nadia <nadia@boat.example>\nTo: juno@boat.example\nSubject: ${id}\nDate: Tue, 4 Jul 2023 09:00:00 +0200\nMessage-ID: <${id}@boat.example>\n\n${text}\n`;

async function start(): Promise<void> {
  await app?.close();
  app = await openApp({
    archiveDir: join(place, "archive"),
    modelsDir: join(place, "models"),
    host: "browser",
    settleMs: 150,
  });
  client = app.client;
}

async function until<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("It did not come to be.");
}

const records = async (): Promise<readonly RecordSummary[]> =>
  (await client.call("library.list", { filter: {}, offset: 0, limit: 100 })).records;
const named = (subject: string) => async () => (await records()).find((record) => record.subject === subject);
const runNow = async () => (await client.call("imports.list", {})).runs.find(({ id }) => id === importId);
/** The watch has looked once more: its import has ended, and nothing waits. */
const ended = () =>
  until(async () => {
    const { jobs } = await client.call("jobs.list", {});
    return jobs.every(({ state }) => state === "done") && (await runNow())?.status === "done";
  });

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-watch-"));
  folder = join(place, "mail");
  await mkdir(folder);
  await writeFile(join(folder, "one.eml"), mail("one", "The impeller was changed."));
  await start();
  await client.call("archive.create", { name: "Boat", passphrase: "seven quiet lanterns" });
  const plan = await client.call("imports.plan", { paths: [folder] });
  importId = (await client.call("imports.run", { planId: plan.planId })).id;
  await until(named("one"));
  await ended();
}, 60_000);
afterAll(async () => {
  await app?.close();
  await rm(place, { recursive: true, force: true });
});

describe("a watched folder", () => {
  test("is off by default", async () => {
    expect((await runNow())?.watched).toBe(false);
    await writeFile(join(folder, "unseen.eml"), mail("unseen", "Nobody looks."));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await named("unseen")()).toBeUndefined();
  });

  test("is read when it is first watched, and again when something new lies in it", { timeout: 60_000 }, async () => {
    await client.call("imports.watch", { importId, on: true });
    expect((await runNow())?.watched).toBe(true);
    await until(named("unseen"));
    await ended();
    await mkdir(join(folder, "more"));
    await writeFile(join(folder, "more", "two.eml"), mail("two", "Berth 14."));
    await until(named("two"));
    await ended();
    const { rows } = await client.call("imports.ledger", { importId, offset: 0, limit: 100 });
    expect(rows.map(({ path, status }) => [path, status])).toEqual([
      ["more/two.eml", "imported"],
      ["one.eml", "imported"],
      ["unseen.eml", "imported"],
    ]);
  });

  test("a file that moves is the same record in another place; one that goes is marked, its record stays", {
    timeout: 60_000,
  }, async () => {
    const before = await until(named("one"));
    await rename(join(folder, "one.eml"), join(folder, "more", "engine.eml"));
    const provenance = await until(async () => {
      const detail = await client.call("records.get", { id: before.id });
      return detail.provenance.some(({ missingSince }) => missingSince !== null) && detail.provenance;
    });
    expect(provenance.map(({ location, missingSince }) => [location.path, missingSince !== null]).sort()).toEqual([
      ["more/engine.eml", false],
      ["one.eml", true],
    ]);
    expect((await records()).filter(({ subject }) => subject === "one")).toHaveLength(1);
    await ended();
    await rm(join(folder, "unseen.eml"));
    const unseen = await until(named("unseen"));
    await until(async () => {
      const detail = await client.call("records.get", { id: unseen.id });
      return detail.provenance.every(({ missingSince }) => missingSince !== null);
    });
    expect(await named("unseen")()).toBeDefined();
  });

  test("what changed while the archive was shut is read when it is opened; off means off", {
    timeout: 60_000,
  }, async () => {
    await ended();
    await app?.close();
    app = null;
    await writeFile(join(folder, "three.eml"), mail("three", "Red lantern."));
    await start();
    await client.call("archive.unlock", { with: "passphrase", passphrase: "seven quiet lanterns" });
    await until(named("three"));
    await ended();
    await client.call("imports.watch", { importId, on: false });
    await writeFile(join(folder, "four.eml"), mail("four", "Nobody looks."));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await named("four")()).toBeUndefined();
  });
});
