import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openApp } from "#main/app.ts";
import { createArchive, unlockArchive } from "#main/records/archive.ts";
import { openStore } from "#main/records/store.ts";

const passphrase = "seven quiet lanterns";

test("an import whose process died before its job was kept goes on when the archive is opened", async () => {
  const place = await mkdtemp(join(tmpdir(), "understory-lost-"));
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));
  const folder = join(place, "mail");
  const archiveDir = join(place, "archive");
  await mkdir(folder);
  const letter =
    "From: Nadia <nadia@boat.example>\nDate: Tue, 4 Jul 2023 09:00:00 +0200\nMessage-ID: <one@boat.example>\n\nHi.\n";
  await writeFile(join(folder, "one.eml"), letter);

  await createArchive(archiveDir, { name: "Boat", passphrase, cost: { N: 2 ** 14, r: 8, p: 1 } });
  const store = openStore(await unlockArchive(archiveDir, { with: "passphrase", passphrase }));
  const importId = store.writer.beginImport({ jobId: "lost", roots: [folder], files: [] });
  store.close();

  const app = await openApp({ archiveDir, host: "browser", derive: false });
  onTestFinished(() => app.close());
  await app.client.call("archive.unlock", { with: "passphrase", passphrase });
  const ended = async () => (await app.client.call("imports.list", {})).runs.find(({ id }) => id === importId);
  await expect.poll(ended, { timeout: 20_000 }).toMatchObject({ jobId: "lost", status: "done" });
  expect((await ended())?.counts).toMatchObject({ imported: 1, files: 1 });
  expect((await app.client.call("jobs.list", {})).jobs).toContainEqual(expect.objectContaining({ id: "lost" }));
});
