import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderWith } from "#test/ingest/folders.ts";
import { openParts, runImport } from "#test/ingest/import-parts.ts";
import { makeZip } from "#test/ingest/zip-maker.ts";

/** One archive of the real store, into which folders are imported one after the other; each test has chats of its own. */
let parts: Awaited<ReturnType<typeof openParts>>;
const folder = mkdtempSync(join(tmpdir(), "understory-again-"));
beforeAll(async () => {
  parts = await openParts(folder);
}, 60_000);
afterAll(async () => {
  await parts.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** How many records came in as new, by an import of these files. */
async function add(files: Readonly<Record<string, string | Uint8Array>>): Promise<number> {
  const result = await runImport(
    parts,
    { roots: [folderWith(files)], importId: null },
    {
      jobId: "job",
      signal: new AbortController().signal,
      checkpoint: null,
      saveCheckpoint: async () => undefined,
      progress: () => undefined,
    },
  );
  return result.records.imported;
}

const words = [
  "the boat leaves at nine",
  "ok",
  "bring the blue rope",
  "and bread",
  "who has the key?",
  "I do",
  "see you",
];
/** Lines of a chat of two, one a day of May and June 2024 from `from` on. */
function chat(count: number, people: readonly [string, string], more: { from?: number; about?: string } = {}): string {
  const { from = 0, about = "" } = more;
  return Array.from({ length: count }, (_, i) => {
    const at = new Date(Date.UTC(2024, 4, 1 + from + i, 8 + (i % 9), (i * 7) % 60));
    const date = at.toISOString().slice(0, 10).split("-").reverse().join(".");
    const text = `${words[(from + i) % words.length]}${about} ${from + i}`;
    return `${date}, ${at.toISOString().slice(11, 16)} - ${people[i % 2]}: ${text}\n`;
  }).join("");
}
const start = "01.05.2024, 07:00 - Messages and calls are end-to-end encrypted.\n";

describe("a chat exported again", () => {
  test("under another name, folder or wrapping brings nothing new", { timeout: 60_000 }, async () => {
    const text = start + chat(30, ["Ada Lund", "Me Myself"]);
    expect(await add({ "WhatsApp Chat with Ada Lund.txt": text })).toBe(31);
    const digest = await parts.store.contentDigest({});
    expect(await add({ "old phone/WhatsApp Chat with Ada Lund.txt": text })).toBe(0);
    expect(await parts.store.contentDigest({})).toBe(digest);
    expect(await add({ "my chats/ada.txt": text })).toBe(0);
    expect(await add({ "WhatsApp Chat with Ada from work.txt": text })).toBe(0);
    const zip = makeZip([{ name: "WhatsApp Chat with A.txt", content: text, deflate: true }]);
    expect(await add({ "export 3.zip": zip })).toBe(0);
  });

  test("after the contact was renamed, with more lines, brings only those", { timeout: 60_000 }, async () => {
    await add({
      "WhatsApp Chat with Eva Lund.txt": start + chat(20, ["Eva Lund", "Me Myself"], { about: " on Monday" }),
    });
    const later = start + chat(60, ["Eva Berg", "Me Myself"], { about: " on Monday" });
    expect(await add({ "WhatsApp Chat with Eva Berg.txt": later })).toBe(40);
  });

  test("and cut at the beginning, as long chats are, joins what is there", { timeout: 60_000 }, async () => {
    const lines = chat(60, ["Ole", "Me Myself"], { about: " for Ole" }).split("\n");
    await add({ "WhatsApp Chat with Ole.txt": start + lines.slice(0, 40).join("\n") });
    expect(await add({ "x/_chat.txt": lines.slice(30).join("\n") })).toBe(20);
  });
});

describe("different chats", () => {
  test("with the same people stay two", { timeout: 60_000 }, async () => {
    const people: [string, string] = ["Ada Lund", "Me Myself"];
    expect(await add({ "a/trip.txt": start + chat(20, people, { about: " on the trip" }) })).toBe(21);
    expect(await add({ "b/house.txt": start + chat(20, people, { about: " in the house" }) })).toBe(21);
  });

  test("that share a greeting sent to both in one minute stay two", { timeout: 60_000 }, async () => {
    const greeting = "31.12.2024, 23:59 - Me Myself: Happy new year to all of you!\n";
    await add({ "WhatsApp Chat with Ida.txt": greeting + chat(3, ["Ida", "Me Myself"], { from: 300 }) });
    expect(await add({ "WhatsApp Chat with Ben.txt": greeting })).toBe(1);
  });
});
