import { createHash } from "node:crypto";
import { baseName, folderOf } from "../files.ts";
import type { Entry, SourceTree } from "../types.ts";

/** Where the files of messages lie in what was dropped. */

/** SHA-1 of `HomeDomain-Library/SMS/sms.db`: the name of the database in a phone's backup. */
export const backupName = "3d0d7e5fb2ce288813306e4d4636395e047a3d28";

/** Folders beside the database that are its own: attachments, stickers, previews. */
const ownFolders = ["Attachments", "StickerCache", "Caches", "NickNameCache", "Parts"];

/** The folder of a backup whose files are named by hashes; null when this database does not stand in one. */
export function backupFolder(entry: Entry): string | null {
  if (baseName(entry.joined).toLowerCase() !== backupName) return null;
  const folder = folderOf(entry.joined);
  return baseName(folder).toLowerCase() === "3d" ? folderOf(folder) : folder;
}

/** `Attachments/…` or `StickerCache/…` of a path as a phone or a Mac writes it: the part that stays when folders move. */
function suffixOf(filename: string): string | null {
  const parts = filename.normalize("NFC").split("/");
  const at = parts.findLastIndex((part) => ownFolders.includes(part));
  return at < 0 ? null : parts.slice(at).join("/").toLowerCase();
}

/** Names that a file of a phone may have in its backup: SHA-1 of its domain and path. */
export function backupNames(filename: string): string[] {
  const path = /(?:^~|^\/var\/mobile|^\/private\/var\/mobile)\/(.+)$/s.exec(filename)?.[1] ?? null;
  if (path === null) return [];
  return ["MediaDomain", "HomeDomain"].map((domain) => createHash("sha1").update(`${domain}-${path}`).digest("hex"));
}

/** Entries of one database's tree by what its rows call them. */
export class MessageFiles {
  readonly #bySuffix = new Map<string, Entry>();
  readonly #byHash = new Map<string, Entry>();

  constructor(entries: Iterable<Entry>) {
    for (const entry of entries) {
      const suffix = suffixOf(entry.joined);
      if (suffix !== null) this.#bySuffix.set(suffix, entry);
      if (/^[0-9a-f]{40}$/i.test(entry.name)) this.#byHash.set(entry.name.toLowerCase(), entry);
    }
  }

  find(filename: string): Entry | undefined {
    const suffix = suffixOf(filename);
    const plain = suffix === null ? undefined : this.#bySuffix.get(suffix);
    if (plain !== undefined || this.#byHash.size === 0) return plain;
    return backupNames(filename)
      .map((name) => this.#byHash.get(name))
      .find((entry) => entry !== undefined);
  }
}

/** Entries that a database outside a backup takes with it: its logs, and the folders beside it. */
export function filesBeside(entry: Entry, tree: SourceTree): Entry[] {
  const folder = folderOf(entry.joined);
  const within = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  const logs = ["-wal", "-shm", "-journal"].map((end) => tree.joined.get(`${entry.joined}${end}`));
  const own = ownFolders.flatMap((name) => tree.joined.below(within(name)));
  return [...logs, ...own].filter((found) => found !== undefined);
}

/** Attachment folders that lie elsewhere: `…/Attachments/0a/10/ID/FILE`. */
export function strayAttachments(tree: SourceTree): Entry[] {
  return tree.entries.filter((entry) => /(?:^|\/)Attachments\/[0-9a-f]{2}\/\d{2}\/[^/]+\/[^/]+$/i.test(entry.joined));
}

/** The same file under the name that its message gives it: a backup's own names tell nothing. */
export function renamed(entry: Entry, name: string): Entry {
  if (entry.name === name) return entry;
  return {
    path: entry.path,
    joined: entry.joined,
    name,
    bytes: entry.bytes,
    modified: entry.modified,
    head: () => entry.head(),
    stream: (range) => entry.stream(range),
    readAll: (cap) => entry.readAll(cap),
  };
}
