import { UnderstoryError } from "#contract";
import type { ArchiveFiles, MediaWriter, RecordWriter, SavedJob } from "./ports.ts";

/** Everything that writes to records.db and media.db, over one connection. */
export interface Store {
  readonly writer: RecordWriter;
  readonly media: MediaWriter;
  saveJob(saved: SavedJob): void;
  loadJobs(): SavedJob[];
  /** SHA-256 (hex) over all live records in identity order: equal digests, equal archives. */
  contentDigest(): string;
  close(): void;
}

export function openStore(_files: ArchiveFiles): Store {
  throw new UnderstoryError("internal", "The store is being built.");
}
