import { readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { UnderstoryError } from "#contract";
import { openMediaReader } from "#main/records/media.ts";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { mediaMigrations, recordsMigrations } from "#main/records/schema.ts";
import { openStore } from "#main/records/store.ts";
import { openRecordWriter } from "#main/records/writer.ts";
import { column, migrate, openDatabase, schemaVersion } from "#native/sqlite.ts";
import { archiveFiles, freshStore, importFiles, message } from "./fixtures.ts";

const code = (expected: string) => expect.objectContaining({ code: expected });

describe("migrations", () => {
  test.each([
    ["records", recordsMigrations],
    ["media", mediaMigrations],
  ])("of %s.db lead from an empty file through every version", (_name, steps) => {
    const { recordsPath: path, key } = archiveFiles();
    for (let version = 1; version <= steps.length; version++) {
      const db = openDatabase({ path, key, cipher: "aegis", create: true });
      migrate(db, steps.slice(0, version));
      expect(schemaVersion(db, version)).toBe(version);
      expect(db.integrity()).toBeNull();
      db.close();
    }
  });

  test("leave nothing of a step that fails", () => {
    const { recordsPath: path, key } = archiveFiles();
    const db = openDatabase({ path, key, cipher: "aegis", create: true });
    const steps = ["CREATE TABLE one (x) STRICT", "CREATE TABLE kept (x INTEGER) STRICT"];
    expect(() => migrate(db, steps)).toThrow();
    expect(schemaVersion(db, 2)).toBe(0);
    db.close();
  });

  test("refuse a newer schema and touch nothing", () => {
    const files = archiveFiles();
    const store = openStore(files);
    importFiles(store, { "a.txt": [message("m:1")] });
    store.close();
    const db = openDatabase({ path: files.recordsPath, key: files.key, cipher: files.cipher });
    db.exec(`PRAGMA user_version = ${recordsMigrations.length + 1}`);
    db.truncateLog();
    db.close();
    const before = readFileSync(files.recordsPath);
    expect(() => openRecordWriter(files)).toThrow(code("archive_newer"));
    expect(() => openRecordReader(files)).toThrow(code("archive_newer"));
    expect(readFileSync(files.recordsPath).equals(before)).toBe(true);
  });
});

/** Reads everything there is. */
function readAll(files: ReturnType<typeof archiveFiles>): string {
  const store = openStore(files);
  try {
    const reader = store.writer.reader();
    const all = reader.getMany(reader.liveIds(0, 10_000));
    const listed = reader.list({}, 0, 10_000);
    const problem = store.integrity();
    if (problem) throw new UnderstoryError("archive_damaged", `records.db: ${problem}`);
    return JSON.stringify([all, listed, reader.people()]);
  } finally {
    store.close();
  }
}

describe("a damaged records.db", () => {
  test("is refused, or says what it said before: never something else", () => {
    const files = archiveFiles();
    const store = openStore(files);
    importFiles(store, { "a.txt": Array.from({ length: 120 }, (_, at) => message(`m:${at}`)) });
    store.close();
    const whole = readFileSync(files.recordsPath);
    const said = readAll(files);
    const positions = [0, 17, 40, 99, 4_095, 4_096, 9_000, 30_000, whole.length >> 1, whole.length - 1];
    let refused = 0;
    for (const position of positions) {
      const bent = Buffer.from(whole);
      bent[position] = (bent[position] ?? 0) ^ 0x10;
      writeFileSync(files.recordsPath, bent);
      let answer = said;
      try {
        answer = readAll(files);
      } catch (error) {
        expect(error).toMatchObject({ code: "archive_damaged", message: expect.stringContaining("records.db") });
        refused += 1;
      }
      expect(answer === said).toBe(true);
    }
    expect(refused).toBeGreaterThanOrEqual(positions.length - 2);
    writeFileSync(files.recordsPath, whole.subarray(0, whole.length - 5_000));
    expect(() => readAll(files)).toThrow(code("archive_damaged"));
    writeFileSync(files.recordsPath, whole);
    expect(readAll(files) === said).toBe(true);
  });

  test("that is no archive at all, or of another key, is refused and left as it is", () => {
    const files = archiveFiles();
    const letter = "Dear Mara, this is a letter and no database. ".repeat(200);
    writeFileSync(files.recordsPath, letter);
    expect(() => openStore(files)).toThrow(code("archive_damaged"));
    expect(() => openRecordReader(files)).toThrow(code("archive_damaged"));
    expect(readFileSync(files.recordsPath, "utf8")).toBe(letter);

    const other = archiveFiles();
    const store = openStore(other);
    store.close();
    const size = statSync(other.recordsPath).size;
    expect(() => openStore({ ...other, key: new Uint8Array(32) })).toThrow(code("archive_damaged"));
    expect(statSync(other.recordsPath).size).toBe(size);
    openStore(other).close();
  });

  test("that is absent is told by the reader", () => {
    expect(() => openRecordReader(archiveFiles())).toThrow(code("no_archive"));
  });

  test("does not matter for a lost media.db: it is made again", () => {
    const files = archiveFiles();
    expect(openMediaReader(files).thumbnail(1)).toBeNull();
    freshStore(files);
    const media = openMediaReader(files);
    expect(media.having([1]).size).toBe(0);
    media.close();
  });
});

describe("a cipher", () => {
  test.each(["aegis", "chacha20"] as const)("%s is kept by all files of an archive", (cipher) => {
    const files: ArchiveFiles = { ...archiveFiles(), cipher };
    const store = openStore(files);
    importFiles(store, { "a.txt": [message("m:1", { text: "The heron came back." })] });
    store.close();
    const reader = openRecordReader(files);
    expect(reader.get(1)?.text).toBe("The heron came back.");
    reader.close();
    const other: ArchiveFiles = { ...files, cipher: cipher === "aegis" ? "chacha20" : "aegis" };
    expect(() => openRecordReader(other)).toThrow(code("archive_damaged"));
    // Byte 20 of a SQLite file stands in the clear and counts what nonce and tag take of each page.
    for (const path of [files.recordsPath, files.mediaPath]) {
      expect(readFileSync(path)[20]).toBe(cipher === "aegis" ? 64 : 32);
    }
  });
});

describe("a full disk", () => {
  test("keeps every committed batch and stores nothing of the one that did not fit", () => {
    const files = archiveFiles();
    const store = openStore(files, { maxPages: 120 });
    const { writer } = store;
    const importId = writer.beginImport({ jobId: "j", roots: ["/x"], files: [{ path: "a.txt", bytes: 1 }] });
    const batch = (at: number) => ({
      importId,
      importer: "test",
      claim: "a.txt",
      cursor: at + 1,
      done: false,
      items: Array.from({ length: 20 }, (_, index) => ({
        type: "record" as const,
        record: message(`m:${at}:${index}`, { text: "kettle ".repeat(100) }),
        cursor: at + 1,
      })),
    });
    let committed = 0;
    let refusal: unknown;
    while (refusal === undefined) {
      try {
        writer.commit(batch(committed));
        committed += 1;
      } catch (error) {
        refusal = error;
      }
    }
    expect(refusal).toBeInstanceOf(UnderstoryError);
    expect(refusal).toEqual(code("disk_full"));
    store.close();

    const roomy = freshStore(files);
    expect(roomy.integrity()).toBeNull();
    expect(roomy.writer.reader().counts().records).toBe(committed * 20);
    expect(roomy.writer.checkpoint(importId, "a.txt").cursor).toBe(committed);
    expect(roomy.writer.commit(batch(committed)).imported).toBe(20);
  });
});

test("a file of the archive holds nothing readable", () => {
  const files = archiveFiles();
  const store = openStore(files);
  importFiles(store, { "a.txt": [message("m:1", { text: "a very readable sentence" })] });
  const log = readFileSync(`${files.recordsPath}-wal`);
  store.close();
  const bytes = Buffer.concat([log, readFileSync(files.recordsPath), readFileSync(files.mediaPath)]);
  for (const plain of ["readable sentence", "Mara", "CREATE TABLE", "SQLite format"]) {
    expect(bytes.includes(plain)).toBe(false);
  }
});

test("a column of the wrong type is damage, not a wrong value", () => {
  const { recordsPath: path, key } = archiveFiles();
  const db = openDatabase({ path, key, cipher: "aegis", create: true });
  const bad = db.query("SELECT 'seven' AS n", (row) => column.number(row, "n"));
  expect(() => bad.get()).toThrow(code("archive_damaged"));
  db.close();
});
