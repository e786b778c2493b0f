import { describe, expect, test } from "vitest";
import type { LedgerRow, StoredRecord } from "#contract";
import { toNeutral } from "#main/ingest/index.ts";
import { lineRecord } from "./lines-importer.ts";

function stored(id: number, more: Partial<StoredRecord> = {}): StoredRecord {
  const { replyTo: _, partOf: __, ...record } = lineRecord("a.lines", id, `text ${id}`);
  return {
    ...record,
    id,
    source: "lines",
    contentHash: "",
    replyTo: null,
    partOf: null,
    version: 1,
    importedAt: "2030-01-01T00:00:00Z",
    trashedAt: null,
    ...more,
  };
}

const linesOf = (records: readonly StoredRecord[], ledger: readonly LedgerRow[] = []) =>
  [...toNeutral(records, ledger)].map((line) => JSON.parse(line));

describe("the neutral form", () => {
  test("says what the source gave and leaves out what it did not", () => {
    expect(linesOf([stored(1, { sequence: null })])).toEqual([
      { type: "record", ref: "1", kind: "note", id: "1", text: "text 1", files: [{ path: "a.lines" }] },
    ]);
  });

  test("keeps values that only look empty", () => {
    const time = {
      utc: "2024-01-01T00:00:00Z",
      local: null,
      offset: null,
      zone: null,
      source: "header:Date",
      precision: "second",
      inferred: false,
      confidence: "normal",
    } as const;
    const [line] = linesOf([
      stored(1, {
        time,
        place: { lat: 0, lon: -12.5, alt: 0, name: null, confidence: "normal" },
        files: [{ path: "a", offset: 0, bytes: 7, role: null }],
        props: { rating: 0 },
      }),
    ]);
    expect(line).toMatchObject({
      time: { utc: "2024-01-01T00:00:00Z", inferred: false },
      place: { lat: 0, lon: -12.5, alt: 0 },
      files: [{ path: "a", offset: 0, bytes: 7 }],
      rating: 0,
    });
    expect(line.place).not.toHaveProperty("name");
  });

  test("points from answers and parts to their records, or names what is not there", () => {
    const [one, two] = linesOf([
      stored(2, { replyTo: { id: 1, identity: "mail:a@b" }, partOf: { id: 1, identity: "x", role: "attached" } }),
      stored(3, { replyTo: { id: null, identity: "mail:gone@b" } }),
    ]);
    expect(one).toMatchObject({ replyTo: "1", partOf: { ref: "1", role: "attached" } });
    expect(two).toMatchObject({ replyTo: "gone@b" });
  });

  test("gives a chat in the order in which it is shown", () => {
    const container = { key: "chat", title: "Chat", kind: "chat" } as const;
    const records = [
      stored(1, { container, sequence: 9 }),
      stored(2),
      stored(3, { container, sequence: 1 }),
      stored(4, { container, sequence: 5 }),
    ];
    expect(linesOf(records).map(({ ref }) => ref)).toEqual(["3", "2", "4", "1"]);
  });

  test("depends on nothing of this import or this machine", () => {
    const [text] = toNeutral([stored(1)], []);
    expect(text).not.toContain("2030");
  });

  test("has a line for each file of the ledger", () => {
    const row: LedgerRow = {
      importId: 7,
      path: "a.jpg",
      status: "skipped",
      reason: "The file is empty.",
      importer: null,
      bytes: 0,
      records: 0,
      skipped: 0,
    };
    expect(linesOf([], [row])).toEqual([
      {
        type: "file",
        path: "a.jpg",
        status: "skipped",
        reason: "The file is empty.",
        records: 0,
        skipped: 0,
        importer: null,
      },
    ]);
  });
});
