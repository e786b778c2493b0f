import { UnderstoryError } from "#contract";
import type {
  DocumentReader,
  Entry,
  Folders,
  ImportedItem,
  Importer,
  ReadContext,
  SourceTree,
} from "#main/importers/types.ts";

const encoder = new TextEncoder();

/** An entry over bytes in memory; `chunk` bounds the pieces in which it streams. */
export function memoryEntry(path: string, content: Uint8Array | string, chunk = 64 * 1024): Entry {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const normal = path.normalize("NFC");
  return {
    path: normal,
    joined: normal,
    name: normal.split("/").at(-1) ?? normal,
    bytes: bytes.length,
    modified: null,
    head: async () => bytes.subarray(0, 4096),
    async *stream(range = {}) {
      const end = Math.min(range.end ?? bytes.length, bytes.length);
      for (let at = range.start ?? 0; at < end; at += chunk) yield bytes.subarray(at, Math.min(at + chunk, end));
    },
    async readAll(cap) {
      if (bytes.length > cap) throw new UnderstoryError("limit_exceeded", `${normal} is larger than ${cap} bytes.`);
      return bytes;
    },
  };
}

/** A tree over bytes in memory, in the order of the real one. */
export function memoryTree(files: Readonly<Record<string, Uint8Array | string>> | readonly Entry[]): SourceTree {
  const list = Array.isArray(files)
    ? [...files]
    : Object.entries(files).map(([path, content]) => memoryEntry(path, content));
  const entries: readonly Entry[] = list.sort((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const folders: Folders = {
    get: (path) => byPath.get(path),
    inFolder: (folder) => entries.filter((entry) => folderOf(entry.path) === folder),
    below: (folder) => (folder === "" ? entries : entries.filter((entry) => entry.path.startsWith(`${folder}/`))),
  };
  return { entries, ...folders, joined: folders };
}

/** Knows plain text only, so that an importer's test needs no thread. */
export const plainDocuments: DocumentReader = {
  async read(bytes) {
    return { text: new TextDecoder().decode(bytes), title: null, created: null, reason: null };
  },
};

/** What an importer reads with, from the start, in an archive that knows nothing. */
export function readContext(tree: SourceTree, more: Partial<ReadContext> = {}): ReadContext {
  return {
    tree,
    signal: new AbortController().signal,
    resume: null,
    siblings: [],
    documents: plainDocuments,
    knownContainer: null,
    ...more,
  };
}

/** All claims of an importer, then all items of the claims, as one import would get them. */
export async function importAll(importer: Importer, tree: SourceTree): Promise<ImportedItem[]> {
  const claims = await Array.fromAsync(importer.recognise(tree));
  const items: ImportedItem[] = [];
  for (const claim of claims) {
    const siblings = claims.filter((other) => other !== claim);
    for await (const item of importer.read(claim, readContext(tree, { siblings }))) items.push(item);
  }
  return items;
}

/** The records among items. */
export function recordsOf(items: readonly ImportedItem[]) {
  return items.flatMap((item) => (item.type === "record" ? [item.record] : []));
}

/** The ledger lines among items. */
export function filesOf(items: readonly ImportedItem[]) {
  return items.flatMap((item) => (item.type === "file" ? [item] : []));
}
