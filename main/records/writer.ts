import { UnderstoryError } from "#contract";
import type { ArchiveFiles, RecordWriter } from "./ports.ts";

/** Opens records.db for writing, brings it to the newest schema. One a process: the store worker. */
export function openRecordWriter(_files: ArchiveFiles): RecordWriter {
  throw new UnderstoryError("internal", "The writer is being built.");
}
