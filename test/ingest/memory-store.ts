import { type ImportRun, UnderstoryError } from "#contract";
import type { ImportStore } from "#main/ingest/index.ts";
import type { CommitBatch, CommitResult } from "#main/records/ports.ts";

/** A store that keeps what it is given, for tests of ingest alone. */
export class MemoryStore implements ImportStore {
  readonly records = new Map<string, string>();
  readonly ledger = new Map<string, { status: string; reason: string | null; importer: string | null }>();
  readonly files = new Map<string, number>();
  readonly batches: CommitBatch[] = [];
  readonly statuses: ImportRun["status"][] = [];
  readonly #checkpoints = new Map<string, { cursor: CommitBatch["cursor"]; done: boolean }>();
  imports = 0;
  /** Refuses commits from then on, as a full disk does. */
  failAfter = Number.POSITIVE_INFINITY;
  /** Told before each commit. */
  onCommit: (batch: CommitBatch) => void = () => undefined;

  async beginImport(input: Parameters<ImportStore["beginImport"]>[0]): Promise<number> {
    for (const { path, bytes } of input.files) this.files.set(path, bytes);
    return ++this.imports;
  }

  async planFiles({ files }: Parameters<ImportStore["planFiles"]>[0]): Promise<void> {
    for (const { path, bytes } of files) this.files.set(path, bytes);
  }

  async containerHolding(): Promise<string | null> {
    return null;
  }

  async ledgerSkip({ rows }: Parameters<ImportStore["ledgerSkip"]>[0]): Promise<void> {
    for (const { path, reason } of rows) this.ledger.set(path, { status: "skipped", reason, importer: null });
  }

  async commit(batch: CommitBatch): Promise<CommitResult> {
    this.onCommit(batch);
    if (this.batches.length >= this.failAfter) throw new UnderstoryError("disk_full", "The disk is full.");
    const result = { imported: 0, updated: 0, duplicate: 0, recordIds: [] };
    for (const item of batch.items) {
      if (item.type === "file") {
        this.ledger.set(item.path, { status: item.status, reason: item.reason, importer: batch.importer });
        continue;
      }
      const { identity } = item.record;
      const content = JSON.stringify(item.record);
      const known = this.records.get(identity);
      result[known === undefined ? "imported" : known === content ? "duplicate" : "updated"]++;
      this.records.set(identity, content);
    }
    this.#checkpoints.set(`${batch.importId}:${batch.claim}`, { cursor: batch.cursor, done: batch.done });
    this.batches.push(batch);
    return result;
  }

  async checkpoint({ importId, claim }: Parameters<ImportStore["checkpoint"]>[0]) {
    return this.#checkpoints.get(`${importId}:${claim}`) ?? { cursor: null, done: false };
  }

  async setImportStatus({ status }: Parameters<ImportStore["setImportStatus"]>[0]): Promise<void> {
    this.statuses.push(status);
  }

  texts(): string[] {
    return [...this.records.values()].map((content) => String(JSON.parse(content).text)).sort();
  }
}
