import { UnderstoryError } from "#contract";
import type { Entry, ImportedItem } from "./types.ts";

type FileItem = Extract<ImportedItem, { type: "file" }>;

/** How a file of a claim ended: a sentence for what was skipped, failed, or came in with a warning. */
export function fileEnd(path: string, status: FileItem["status"], reason: string | null = null, skipped = 0): FileItem {
  return { type: "file", path, status, reason, skipped };
}

/** The folder of a path; "" at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A file inside a file, in memory, for what reads files: it stands at `path`. */
export function innerEntry(path: string, name: string, bytes: Uint8Array, joined = path): Entry {
  return {
    path,
    joined,
    name,
    bytes: bytes.length,
    modified: null,
    head: async () => bytes.subarray(0, 4096),
    async *stream({ start = 0, end = bytes.length } = {}) {
      yield bytes.subarray(start, end);
    },
    async readAll(cap) {
      if (bytes.length > cap) throw new UnderstoryError("limit_exceeded", `${name} is larger than ${cap} bytes.`);
      return bytes;
    },
  };
}
