import { UnderstoryError } from "#contract";
import type { ArchiveFiles, RecordReader } from "./ports.ts";

/** Opens records.db for reading only. */
export function openRecordReader(_files: ArchiveFiles): RecordReader {
  throw new UnderstoryError("internal", "The reader is being built.");
}
