import { join, sep } from "node:path";
import { type SourceLocation, UnderstoryError } from "#contract";
import type { Entry } from "#main/importers/types.ts";
import { archiveKind, atRandom, listArchive, nestedBytes } from "./archives.ts";
import { DiskEntry, type DiskPath, readFolder, statOf } from "./disk.ts";
import { type BaseEntry, damaged, HeadCache, type TreeShared, unreadable } from "./entry.ts";
import { joinSplit, splitOf } from "./split.ts";
import { rootOnDisk, rootPrefixes } from "./tree.ts";
import { isUploadFolder, readUpload } from "./uploads.ts";

const keptArchives = 4;

/**
 * Opens single originals again, long after their import, by the roots of the import and the path in its tree. Keeps the
 * directories of the last few zips and uploads, for a grid of thumbnails asks for many members of one.
 */
export class EntryOpener {
  readonly #uploadKey: Uint8Array | null;
  readonly #shared: TreeShared = { heads: new HeadCache(64), onRead: () => undefined };
  readonly #listings = new Map<string, Map<string, BaseEntry>>();

  /** `uploadKey` comes from `deriveUploadKey`. */
  constructor(uploadKey: Uint8Array | null = null) {
    this.#uploadKey = uploadKey;
  }

  /** Throws `path_missing` when the original is not there any more, `path_unreadable`, `damaged_file`. */
  async open(roots: string | readonly string[], path: string): Promise<Entry> {
    const all = typeof roots === "string" ? [roots] : roots;
    const prefixes = rootPrefixes(all);
    for (const [index, root] of all.entries()) {
      const prefix = prefixes[index] ?? "";
      if (!path.startsWith(prefix)) continue;
      const entry = await this.#below(rootOnDisk(root), path, prefix);
      if (entry) return entry;
    }
    throw new UnderstoryError("path_missing", `${path} is not where it was imported from.`, {
      hint: "What was read from it is kept. If it lies on a drive or a share, connect it.",
      details: { path },
    });
  }

  /** Where an original lies as a file of its own; null inside a zip or an upload. Throws as `open` does. */
  async diskPath(roots: string | readonly string[], path: string): Promise<string | null> {
    const entry = await this.open(roots, path);
    return entry instanceof DiskEntry ? entry.onDisk : null;
  }

  /**
   * The bytes of a file inside a message (`SourceLocation.part`). `sha256` (hex): what they must be, or null.
   * Throws as `open` does; `path_missing` also when the message holds it no more.
   */
  async openPart(
    roots: string | readonly string[],
    place: Pick<SourceLocation, "path" | "offset" | "bytes" | "part">,
    sha256: string | null,
  ): Promise<Uint8Array> {
    // Loaded when it is needed: the thread that starts the others never reads a message itself.
    const { readPart } = await import("#main/importers/mail/open-part.ts");
    const found = await readPart(await this.open(roots, place.path), place, sha256);
    if (found !== null) return found;
    throw new UnderstoryError(
      "path_missing",
      `Part ${place.part} of a message in ${place.path} is not there any more.`,
      {
        hint: "What was read from it is kept. If the mailbox was changed since, import it again.",
        details: { path: place.path },
      },
    );
  }

  async #below(root: string, path: string, prefix: string): Promise<BaseEntry | null> {
    const parts = path.slice(prefix.length).split("/");
    if (!statOf(root).isDirectory()) return this.#file(root, prefix + (parts[0] ?? ""), parts.slice(1));
    if (await isUploadFolder(root)) {
      const key = this.#uploadKey;
      if (!key) throw unreadable("The upload", new Error("its key was not given"));
      const listing = await this.#listing(`${root}:${prefix}`, () => readUpload(root, key, this.#shared, prefix));
      return this.#inListing(listing, prefix, parts);
    }
    let disk: DiskPath = root;
    for (const [index, part] of parts.entries()) {
      const member = memberOf(disk, part);
      if (!member) return null;
      disk = member.disk;
      if (member.kind === "folder") continue;
      return this.#file(disk, prefix + parts.slice(0, index + 1).join("/"), parts.slice(index + 1));
    }
    return null;
  }

  async #file(disk: DiskPath, path: string, rest: readonly string[]): Promise<BaseEntry | null> {
    const stat = statOf(disk);
    if (!stat.isFile()) return null;
    const entry = new DiskEntry({ path, bytes: stat.size, modified: Math.round(stat.mtimeMs) }, disk, this.#shared);
    if (rest.length === 0) return entry;
    const split = splitOf(disk);
    if (split?.role === "main") {
      const whole = joinSplit(path, split.parts, this.#shared);
      return this.#inArchive(whole, rest, `${disk}:${whole.stamp}`);
    }
    return this.#inArchive(entry, rest, `${disk}:${entry.stamp}`);
  }

  async #inArchive(archive: BaseEntry, rest: readonly string[], key: string): Promise<BaseEntry | null> {
    const kind = archiveKind(archive.name, await archive.head());
    if (kind === null) return null;
    const listing = await this.#listing(key, async () => {
      const random = await atRandom(archive, this.#shared, nestedBytes);
      return (await listArchive(kind, random, this.#shared)).members;
    });
    return this.#inListing(listing, `${archive.path}/`, rest, key);
  }

  /** The entry itself, or a member of a zip that stands in the listing. */
  async #inListing(
    listing: ReadonlyMap<string, BaseEntry>,
    prefix: string,
    parts: readonly string[],
    key = "",
  ): Promise<BaseEntry | null> {
    for (let length = parts.length; length > 0; length--) {
      const entry = listing.get(prefix + parts.slice(0, length).join("/"));
      if (!entry) continue;
      return length === parts.length ? entry : this.#inArchive(entry, parts.slice(length), `${key}/${entry.path}`);
    }
    return null;
  }

  async #listing(key: string, read: () => Promise<readonly BaseEntry[]>): Promise<ReadonlyMap<string, BaseEntry>> {
    const known = this.#listings.get(key);
    if (known) return known;
    const made = new Map((await read()).map((entry) => [entry.path, entry]));
    const oldest = this.#listings.keys().next();
    if (this.#listings.size >= keptArchives && !oldest.done) this.#listings.delete(oldest.value);
    this.#listings.set(key, made);
    return made;
  }
}

/** One original. For many of one import keep an `EntryOpener`. */
export function openEntry(
  roots: string | readonly string[],
  path: string,
  options: { uploadKey?: Uint8Array } = {},
): Promise<Entry> {
  return new EntryOpener(options.uploadKey ?? null).open(roots, path);
}

/** A member of a folder by its NFC name, which may be NFD on disk. */
function memberOf(folder: DiskPath, name: string) {
  if (name === "" || name === "." || name === ".." || name.includes(sep) || name.includes("\0")) return null;
  if (typeof folder === "string") {
    try {
      const disk = join(folder, name);
      const stat = statOf(disk);
      if (stat.isFile()) return { disk, kind: "file" } as const;
      if (stat.isDirectory()) return { disk, kind: "folder" } as const;
    } catch {
      // Not under this very name: the folder's list knows the others.
    }
  }
  try {
    return readFolder(folder).find((member) => member.name === name) ?? null;
  } catch (error) {
    throw damaged(name, "its folder cannot be opened.", error);
  }
}
