import type { ArchiveFiles, RecordWriter } from "./ports.ts";
import { openStore } from "./store.ts";

/** Opens records.db for writing and brings it to the newest schema. One a process: the store worker. */
export function openRecordWriter(files: ArchiveFiles): RecordWriter {
  return openStore(files).writer;
}
