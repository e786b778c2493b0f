import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { RecordId, StoredRecord } from "#contract";
import type { IndexReader } from "#main/indexes/ports.ts";
import type { RecordSource } from "#main/indexes/writer.ts";
import type { ArchiveFiles, Change } from "#main/records/ports.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFiles(): Pick<ArchiveFiles, "indexPath" | "key" | "cipher"> {
  const folder = mkdtempSync(join(tmpdir(), "understory-index-"));
  folders.push(folder);
  return { indexPath: join(folder, "index.db"), key: new Uint8Array(32).fill(7), cipher: "aegis" };
}

/** Stems of records, as words. */
export function stemsOf(
  reader: Pick<IndexReader, "visitStems" | "stems">,
  ids: readonly RecordId[],
): Map<RecordId, string[]> {
  const found = new Map<RecordId, string[]>();
  reader.visitStems(ids, (id, numbers, count) =>
    found.set(
      id,
      Array.from(numbers.subarray(0, count), (number) => reader.stems.text(number)),
    ),
  );
  return found;
}

export type RecordDraft = Partial<StoredRecord> & { id: RecordId };

/** A record with everything empty but what is given. `at`: wall clock like `2024-07-14T09:00:00`. */
export function recordOf(draft: RecordDraft & { at?: string; by?: string }): StoredRecord {
  const { at, by, ...rest } = draft;
  return {
    identity: `test:${rest.id}`,
    kind: "message",
    nativeId: null,
    subject: null,
    text: null,
    author:
      by === undefined ? null : { name: by, address: `${by.toLowerCase()}@example.org`, role: "author", owner: false },
    participants: [],
    time:
      at === undefined
        ? null
        : {
            utc: null,
            local: at,
            offset: null,
            zone: null,
            source: "test",
            precision: "second",
            inferred: false,
            confidence: "normal",
          },
    end: null,
    place: null,
    container: null,
    thread: null,
    sequence: null,
    files: [{ path: `file-${rest.id}`, offset: null, bytes: null, role: null }],
    props: {},
    source: "test",
    contentHash: String(rest.id),
    replyTo: null,
    partOf: null,
    version: 1,
    importedAt: "2024-08-01T00:00:00Z",
    trashedAt: null,
    ...rest,
  };
}

/** A change log over records in memory: what the index follows, without the store. */
export class MemorySource implements RecordSource {
  readonly records = new Map<RecordId, StoredRecord>();
  readonly changes: Change[] = [];

  put(record: StoredRecord): void {
    this.records.set(record.id, record);
    this.#log(record.id, "put");
  }

  trash(id: RecordId, trashed: boolean): void {
    const record = this.records.get(id);
    if (!record) return;
    this.records.set(id, { ...record, trashedAt: trashed ? "2024-08-02T00:00:00Z" : null });
    this.#log(id, trashed ? "trash" : "restore");
  }

  erase(id: RecordId): void {
    this.records.delete(id);
    this.#log(id, "erase");
  }

  #log(recordId: RecordId, op: Change["op"]): void {
    this.changes.push({ seq: this.changes.length + 1, recordId, op });
  }

  getMany(ids: readonly RecordId[]): StoredRecord[] {
    return ids.flatMap((id) => this.records.get(id) ?? []);
  }

  changesSince(seq: number, limit: number): Change[] {
    return this.changes.filter((change) => change.seq > seq).slice(0, limit);
  }

  lastSeq(): number {
    return this.changes.length;
  }
}
