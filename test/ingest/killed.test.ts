import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { runImport } from "#main/ingest/index.ts";
import { folderWith, temporaryFolder } from "./folders.ts";
import { openParts } from "./import-parts.ts";
import { makeZip } from "./zip-maker.ts";

const child = fileURLToPath(new URL("./import-child.ts", import.meta.url));

function mail(index: number): string {
  const day = 1 + (index % 28);
  return [
    `From sender@example.org Mon Jan ${String(day).padStart(2, " ")} 10:00:00 2024`,
    `From: Person ${index % 9} <person${index % 9}@example.org>`,
    "To: Owner <owner@example.org>",
    `Date: ${day} Jan 2024 10:${String(index % 60).padStart(2, "0")}:00 +0100`,
    `Subject: Letter ${index}`,
    `Message-ID: <letter-${index}@example.org>`,
    ...(index % 3 === 0 && index > 0 ? [`In-Reply-To: <letter-${index - 1}@example.org>`] : []),
    "",
    `This is letter number ${index}. ${"It goes on for a while. ".repeat(10)}`,
    "",
    "",
  ].join("\n");
}

const mailbox = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => mail(from + index)).join("");

const source = () =>
  folderWith({
    "Inbox.mbox": mailbox(0, 1000),
    "old/Archive.mbox": mailbox(900, 1500),
    "more.zip": makeZip([{ name: "Sent.mbox", content: mailbox(1500, 2000), deflate: true }]),
    "empty.mbox": "",
    "odd.xyz": "nobody reads this",
  });

/** Runs the child; kills it with SIGKILL a random moment after `steps` steps. Its digest, or null when it was killed. */
async function importOnce(archive: string, root: string, steps: number): Promise<string | null> {
  const running = spawn(process.execPath, [child, archive, root], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void running.kill("SIGKILL"));
  let output = "";
  let faults = "";
  running.stdout.on("data", (data: Buffer) => {
    output += data.toString();
    if (output.length >= steps) setTimeout(() => running.kill("SIGKILL"), Math.random() * 30);
  });
  running.stderr.on("data", (data: Buffer) => {
    faults += data.toString();
  });
  const code = await new Promise<number | null>((resolve) => running.once("close", resolve));
  if (code === null) return null;
  if (code !== 0) throw new Error(faults);
  return output.slice(output.indexOf("\n") + 1);
}

describe("an import into the real store", () => {
  // Five processes that load the whole core: slow where the machine is busy.
  test("killed with -9 three times at random moments ends as an undisturbed one", { timeout: 240_000 }, async () => {
    const root = source();
    const undisturbed = await importOnce(temporaryFolder(), root, Number.POSITIVE_INFINITY);
    const archive = temporaryFolder();
    for (let round = 0; round < 3; round++) {
      expect(await importOnce(archive, root, 1 + Math.floor(Math.random() * 4))).toBe(null);
    }
    expect(await importOnce(archive, root, Number.POSITIVE_INFINITY)).toBe(undisturbed);
    expect(undisturbed).toMatch(/^[0-9a-f]{64}$/);
  });

  test("twice changes nothing", async () => {
    const root = folderWith({ "a.mbox": mailbox(0, 50) });
    const { store, parser, close } = await openParts(temporaryFolder());
    const once = () =>
      runImport(
        { store, parser },
        { roots: [root], importId: null },
        {
          jobId: "job",
          signal: new AbortController().signal,
          checkpoint: null,
          saveCheckpoint: async () => undefined,
          progress: () => undefined,
        },
      );
    expect((await once()).records).toEqual({ imported: 50, updated: 0, duplicate: 0 });
    const digest = await store.contentDigest({});
    expect((await once()).records).toEqual({ imported: 0, updated: 0, duplicate: 50 });
    expect(await store.contentDigest({})).toBe(digest);
    await close();
  });
});
