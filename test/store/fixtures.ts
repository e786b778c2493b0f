import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ImportedRecord, RecordTime } from "#contract";
import type { ImportedItem } from "#main/importers/types.ts";
import { filesOf } from "#main/records/archive.ts";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { openStore, type Store } from "#main/records/store.ts";

/** scrypt at its lowest allowed cost, so that tests do not wait. */
export const cheap = { N: 2 ** 14, r: 8, p: 1 };

/** A folder that is gone after the test. */
export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "understory-store-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

export function archiveFiles(): ArchiveFiles {
  return filesOf(folder(), new Uint8Array(randomBytes(32)), "aegis");
}

/** A fresh store that is closed after the test. */
export function freshStore(files: ArchiveFiles = archiveFiles()): Store {
  const store = openStore(files);
  onTestFinished(() => store.close());
  return store;
}

export function utc(text: string): RecordTime {
  return {
    utc: text,
    local: null,
    offset: null,
    zone: null,
    source: "header:Date",
    precision: "second",
    inferred: false,
    confidence: "normal",
  };
}

export function message(identity: string, rest: Partial<ImportedRecord> = {}): ImportedRecord {
  return {
    identity,
    kind: "message",
    nativeId: null,
    subject: null,
    text: `Text of ${identity}`,
    author: { name: "Mara Lindqvist", address: "mara@example.org", role: "author", owner: false },
    participants: [],
    time: utc("2024-05-01T10:00:00Z"),
    end: null,
    place: null,
    container: { key: "chat:walks", title: "Walks", kind: "chat" },
    thread: null,
    sequence: null,
    replyTo: null,
    partOf: null,
    files: [{ path: "chat.txt", offset: null, bytes: null, role: null }],
    props: {},
    ...rest,
  };
}

/** Items of one file: its records, then its end. */
export function fileItems(path: string, records: readonly ImportedRecord[]): ImportedItem[] {
  return [
    ...records.map(
      (record, cursor): ImportedItem => ({
        type: "record",
        record: { ...record, files: [{ path, offset: cursor, bytes: 1, role: null }] },
        cursor,
      }),
    ),
    { type: "file", path, status: "imported", reason: null, skipped: 0 },
  ];
}

/** Imports whole files, one claim each, in batches of `size`; gives the import's id. */
export function importFiles(
  store: Store,
  files: Readonly<Record<string, readonly ImportedRecord[]>>,
  size = 1_000,
  roots: readonly string[] = ["/home/mara/export"],
  importer = "test",
): number {
  const { writer } = store;
  const paths = Object.keys(files);
  const importId = writer.beginImport({ jobId: "job", roots, files: paths.map((path) => ({ path, bytes: 10 })) });
  for (const [path, records] of Object.entries(files)) {
    const items = fileItems(path, records);
    for (let at = 0; at < items.length; at += size) {
      const batch = items.slice(at, at + size);
      const done = at + size >= items.length;
      writer.commit({ importId, importer, claim: path, items: batch, cursor: at + batch.length, done });
    }
  }
  writer.setImportStatus(importId, "done");
  return importId;
}
