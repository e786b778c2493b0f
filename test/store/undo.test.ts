import { describe, expect, test } from "vitest";
import type { Store } from "#main/records/store.ts";
import { freshStore, importFiles, message } from "./fixtures.ts";

function undo(store: Store, importId: number, limit = 2): number {
  let done = 0;
  for (let after: number | null = 0; after !== null; ) {
    const step: { done: number; next: number | null } = store.writer.undoImport({ importId, after, limit });
    done += step.done;
    after = step.next;
  }
  return done;
}

const live = (store: Store) => store.writer.reader().liveIds(0, 100);
const all = ["m:1", "m:2", "m:3", "m:4", "m:5"].map((identity) => message(identity));

describe("undoing an import", () => {
  test("puts its records into the trash and says so; importing again brings them back", () => {
    const store = freshStore();
    const importId = importFiles(store, { "a.txt": all });
    const reader = store.writer.reader();
    const digest = store.contentDigest();
    expect(reader.undoPreview(importId)).toEqual({ trash: 5, stay: 0 });
    expect(undo(store, importId)).toBe(5);
    expect(live(store)).toEqual([]);
    expect(reader.importRuns()[0]).toMatchObject({ id: importId, status: "undone" });
    expect(reader.auditRows(0, 1).rows[0]).toMatchObject({ action: "import.undo", details: { importId, trashed: 5 } });
    const again = importFiles(store, { "a.txt": all });
    expect(live(store)).toEqual([1, 2, 3, 4, 5]);
    expect(store.contentDigest()).toBe(digest);
    expect(reader.importRuns()[0]?.counts).toMatchObject({ imported: 5, duplicate: 0 });
    expect(reader.undoPreview(again)).toEqual({ trash: 5, stay: 0 });
    expect(reader.get(1)?.files).toHaveLength(1);
  });

  test("keeps what another import brought too, from other places or from the same", () => {
    const store = freshStore();
    const first = importFiles(store, { "a.txt": all });
    const elsewhere = importFiles(store, { "b.txt": all.slice(0, 2) }, 9, ["/elsewhere"]);
    importFiles(store, { "a.txt": all.slice(0, 3) });
    const reader = store.writer.reader();
    expect(reader.undoPreview(first)).toEqual({ trash: 2, stay: 3 });
    undo(store, first);
    expect(live(store)).toEqual([1, 2, 3]);
    expect(reader.get(1)?.files.map(({ path }) => path)).toEqual(["b.txt", "a.txt"]);
    undo(store, elsewhere);
    expect(live(store)).toEqual([1, 2, 3]);
    expect(reader.get(1)?.files.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  test("takes back what only it said about records that stay", () => {
    const store = freshStore();
    const [one = message("m:1")] = all;
    importFiles(store, { "a.txt": [{ ...one, props: { labels: ["inbox"] } }] });
    const digest = store.contentDigest();
    const second = importFiles(
      store,
      { "b.txt": [{ ...one, text: `${one.text} and more`, props: { labels: ["walks"] } }] },
      9,
      ["/b"],
    );
    const reader = store.writer.reader();
    expect(reader.get(1)).toMatchObject({ text: "Text of m:1 and more", props: { labels: ["inbox", "walks"] } });
    expect(reader.ledger(second, 0, 9).rows[0]?.reason).toBe("1 known already; new about it: 1 changed text, 1 label.");
    undo(store, second);
    expect(reader.get(1)).toMatchObject({ text: "Text of m:1", version: 3, props: { labels: ["inbox"] } });
    expect(store.contentDigest()).toBe(digest);
  });

  test("leaves what a person put into the trash there, and comes to the same end when a step is done twice", () => {
    const store = freshStore();
    const importId = importFiles(store, { "a.txt": all });
    store.writer.trash([1]);
    store.writer.undoImport({ importId, after: 0, limit: 2 });
    undo(store, importId);
    const reader = store.writer.reader();
    expect(reader.counts()).toMatchObject({ records: 0, trashed: 5 });
    expect(reader.changesSince(0, 99).filter(({ op }) => op === "trash")).toHaveLength(5);
    importFiles(store, { "a.txt": all });
    expect(live(store)).toEqual([2, 3, 4, 5]);
    expect(store.writer.verifyAudit().ok).toBe(true);
    expect(store.integrity()).toBeNull();
  });

  test("of a record that a person took out of the trash since is not made good by another import", () => {
    const store = freshStore();
    const importId = importFiles(store, { "a.txt": all });
    undo(store, importId);
    store.writer.restore([2]);
    store.writer.trash([2]);
    importFiles(store, { "a.txt": all });
    expect(live(store)).toEqual([1, 3, 4, 5]);
  });
});
