import fc from "fast-check";
import { expect, test } from "vitest";
import { auditHash, auditStart } from "#main/records/audit.ts";
import { openStore } from "#main/records/store.ts";
import { openDatabase } from "#native/sqlite.ts";
import { archiveFiles, freshStore, importFiles, message } from "./fixtures.ts";

const files = () => {
  const made = archiveFiles();
  const store = openStore(made);
  importFiles(store, { "a.txt": [message("m:1"), message("m:2")] });
  store.writer.trash([1]);
  store.writer.restore([1]);
  store.writer.edit({ id: 2, version: 1, subject: null, text: "Ada's secret" });
  store.writer.audit("archive.export", { records: 2 });
  store.close();
  return made;
};

test("the audit log tells what was done, without content, in a chain that a verifier can walk by the rows alone", () => {
  const store = freshStore(files());
  const rows = store.writer.reader().auditRows(0, 100).rows.toReversed();
  expect(rows.map((row) => row.action)).toEqual([
    "import.begin",
    "import.finish",
    "record.trash",
    "record.restore",
    "record.edit",
    "archive.export",
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/secret|Mara|Text of/);
  let before = auditStart;
  for (const row of rows) {
    expect(row.prevHash).toBe(before);
    expect(row.hash).toBe(auditHash(row));
    before = row.hash;
  }
  expect(store.writer.verifyAudit()).toEqual({ ok: true, rows: 6, firstBad: null });
  expect(store.writer.reader().auditRows(0, 1, "record.edit")).toMatchObject({ total: 1, rows: [{ seq: 5 }] });
});

test("the audit log cannot be changed through SQL", () => {
  const made = files();
  const db = openDatabase({ path: made.recordsPath, key: made.key, cipher: made.cipher });
  expect(() => db.exec("UPDATE audit SET action = 'x'")).toThrow("append-only");
  expect(() => db.exec("DELETE FROM audit")).toThrow("append-only");
  db.close();
});

test("any row that is changed, taken out or cut off behind the triggers' back is found", () => {
  const made = files();
  const seqs = fc.integer({ min: 1, max: 6 });
  const changes = fc.oneof(
    fc
      .constantFrom(
        "action = action || 'x'",
        "details = '{}'",
        "details = 'no json'",
        "at = '1999'",
        "hash = 'ab'",
        "prev_hash = 'ab'",
      )
      .map((set) => (seq: number) => `UPDATE audit SET ${set} WHERE seq = ${seq}`),
    fc.constant((seq: number) => `DELETE FROM audit WHERE seq = ${seq}`),
    fc.constant((seq: number) => `DELETE FROM audit WHERE seq >= ${seq}`),
  );
  const store = freshStore(made);
  const db = openDatabase({ path: made.recordsPath, key: made.key, cipher: made.cipher });
  db.exec("DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete; CREATE TABLE saved AS SELECT * FROM audit");
  fc.assert(
    fc.property(seqs, changes, (seq, change) => {
      // What is set to its own value again (details of an empty row) is no change.
      db.exec(change(seq));
      expect(store.writer.verifyAudit()).toMatchObject({ ok: false, firstBad: seq });
      db.exec("DELETE FROM audit; INSERT INTO audit SELECT * FROM saved");
    }),
    { numRuns: 30 },
  );
  expect(store.writer.verifyAudit().ok).toBe(true);
  db.close();
});
