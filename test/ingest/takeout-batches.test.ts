import { expect, test } from "vitest";
import type { Importer } from "#main/importers/types.ts";
import { createParseService, type ReadBatch } from "#main/ingest/index.ts";
import { folderWith } from "./folders.ts";
import { lineRecord, linesImporter } from "./lines-importer.ts";

/** Batches of a file with so many messages of three records each; only the third of them moves the cursor. */
async function batches(messages: number, cursorOf: (message: number) => number): Promise<ReadBatch[]> {
  const importer: Importer = {
    ...linesImporter,
    async *read({ primary }) {
      for (let message = 0; message < messages; message++) {
        for (let part = 0; part < 3; part++) {
          const record = lineRecord(primary, message * 3 + part, "a line");
          yield { type: "record", record, cursor: cursorOf(part < 2 ? message : message + 1) };
        }
      }
    },
  };
  const none = { read: async () => ({ text: null, title: null, created: null, reason: null }) };
  const parser = createParseService([importer], none);
  const signal = new AbortController().signal;
  const roots = [folderWith({ "a.lines": "x" })];
  const [planned] = (await parser.plan({ roots }, { signal })).claims;
  if (!planned) throw new Error("nothing was recognised");
  const input = { roots, importer: "lines", claim: planned.claim, resume: 0, knownContainer: null };
  return Array.fromAsync(parser.read(input, { signal }));
}

const recordsIn = (all: readonly ReadBatch[]) =>
  all.flatMap(({ items }) => items.flatMap((item) => (item.type === "record" ? [item.record.identity] : [])));

test("a message and its files are never parted: going on after a batch reads none of it again", async () => {
  const all = await batches(500, (message) => message);
  expect(all.length).toBeGreaterThan(2);
  for (const { items } of all.slice(0, -1)) expect(items.length % 3).toBe(0);
  expect(new Set(recordsIn(all)).size).toBe(1500);
});

test("a cursor that never moves holds nothing back for ever", async () => {
  const all = await batches(500, () => 0);
  expect(all.length).toBeGreaterThan(2);
  expect(recordsIn(all)).toHaveLength(1500);
});
