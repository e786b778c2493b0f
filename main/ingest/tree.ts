import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { limits, UnderstoryError } from "#contract";
import type { Entry, Folders, SourceTree } from "#main/importers/types.ts";
import { type ArchiveKind, archiveKind, archiveWord, atRandom, listArchive, nestedBytes } from "./archives.ts";
import { DiskEntry, type DiskPath, readFolder, statOf } from "./disk.ts";
import { type BaseEntry, errnoOf, HeadCache, type TreeShared, unreadable } from "./entry.ts";
import { joinParts } from "./joined.ts";
import {
  byCodeUnits,
  isAppleDouble,
  isLitterFile,
  isLitterFolder,
  isOnlineOnly,
  isSyncConflict,
  mightBeArchive,
  UniquePaths,
  whyNotWhole,
} from "./names.ts";
import { joinSplit, splitOf } from "./split.ts";
import { isUploadFolder, readUpload } from "./uploads.ts";

/** A file or folder that is known before any importer looks: how it ends, and why. */
export interface TreeRow {
  readonly path: string;
  readonly bytes: number;
  /** `imported`: an archive whose members are entries. */
  readonly status: "imported" | "skipped" | "failed";
  readonly reason: string | null;
  /** Members of an archive that were refused; each has a row of its own. */
  readonly skipped: number;
}

/** What was dropped, ready to be recognised. */
export interface OpenedTree extends SourceTree {
  /** In the order of their paths. */
  readonly rows: readonly TreeRow[];
  /** Files of the operating system, left out silently. */
  readonly litter: number;
  readonly warnings: readonly string[];
}

export interface TreeOptions {
  /** From `deriveUploadKey`; needed when a root is a folder of uploaded files. */
  readonly uploadKey?: Uint8Array;
  readonly signal?: AbortSignal;
  /** Told of every read, with the number of bytes. */
  readonly onRead?: (bytes: number) => void;
  readonly maxEntries?: number;
}

/** After so many entries other work of the thread gets its turn. */
const breathEvery = 2000;

/** Entries by one of their paths, with folders found when they are first asked for. */
class FolderView implements Folders {
  /** In the order of their places. */
  readonly #entries: readonly Entry[];
  readonly #placeOf: (entry: Entry) => string;
  #byPath: Map<string, Entry> | null = null;
  #byFolder: Map<string, Entry[]> | null = null;

  constructor(entries: readonly Entry[], placeOf: (entry: Entry) => string) {
    this.#entries = entries;
    this.#placeOf = placeOf;
  }

  get(path: string): Entry | undefined {
    this.#byPath ??= new Map(this.#entries.map((entry) => [this.#placeOf(entry), entry]));
    return this.#byPath.get(path);
  }

  inFolder(folder: string): readonly Entry[] {
    this.#byFolder ??= Map.groupBy(this.#entries, (entry) => {
      const place = this.#placeOf(entry);
      return place.slice(0, Math.max(0, place.lastIndexOf("/")));
    });
    return this.#byFolder.get(folder) ?? [];
  }

  below(folder: string): readonly Entry[] {
    if (folder === "") return this.#entries;
    // All paths that begin with "folder/" stand together; "0" is the character after "/".
    return this.#entries.slice(this.#firstAtOrAfter(`${folder}/`), this.#firstAtOrAfter(`${folder}0`));
  }

  #firstAtOrAfter(path: string): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry && this.#placeOf(entry) < path) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Entries in a stable order, by their paths and by their joined paths. */
export class Tree extends FolderView implements SourceTree {
  readonly entries: readonly Entry[];
  #joined: Folders | null = null;

  /** `entries` in the order of their paths. */
  constructor(entries: readonly Entry[]) {
    super(entries, (entry) => entry.path);
    this.entries = entries;
  }

  get joined(): Folders {
    this.#joined ??= this.entries.every((entry) => entry.joined === entry.path)
      ? this
      : new FolderView(
          this.entries.toSorted((a, b) => byCodeUnits(a.joined, b.joined)),
          (entry) => entry.joined,
        );
    return this.#joined;
  }

  without(paths: ReadonlySet<string>): Tree {
    return new Tree(this.entries.filter((entry) => !paths.has(entry.path)));
  }
}

/** What the tree calls each root: nothing for a single one, else its base name, made unique. */
export function rootPrefixes(roots: readonly string[]): string[] {
  if (roots.length === 1) return [""];
  const names = new UniquePaths();
  return roots.map((root) => `${names.add(basename(root).normalize("NFC") || "root")}/`);
}

/**
 * Opens what was dropped. Throws `path_missing` or `path_unreadable` for a root, `nothing_to_import` when there is no
 * file at all, `damaged_file` for an upload that was tampered with, `cancelled`. What is wrong below a root is a row.
 */
export async function openTree(roots: readonly string[], options: TreeOptions = {}): Promise<OpenedTree> {
  const builder = new TreeBuilder(options);
  const prefixes = rootPrefixes(roots);
  for (const [index, root] of roots.entries()) await builder.addRoot(root, prefixes[index] ?? "");
  const tree = builder.finish();
  if (tree.entries.length === 0 && tree.rows.length === 0) {
    throw new UnderstoryError("nothing_to_import", `There is no file in ${roots.join(", ")}.`, {
      hint: "Choose a folder that holds photos, mail or chats.",
    });
  }
  return tree;
}

class TreeBuilder {
  readonly #options: TreeOptions;
  readonly #shared: TreeShared;
  readonly #entries: BaseEntry[] = [];
  readonly #rows: TreeRow[] = [];
  readonly #warnings: string[] = [];
  #litter = 0;
  /** Bytes of memory left for archives inside archives. */
  #nestedLeft = nestedBytes;
  readonly #archives = new Set<string>();
  #conflicts = 0;
  #seen = 0;
  #full = false;

  constructor(options: TreeOptions) {
    this.#options = options;
    this.#shared = { heads: new HeadCache(), onRead: options.onRead ?? (() => undefined) };
  }

  finish(): OpenedTree {
    this.#entries.sort((a, b) => byCodeUnits(a.path, b.path));
    this.#rows.sort((a, b) => byCodeUnits(a.path, b.path));
    joinParts(this.#entries, this.#archives);
    if (this.#conflicts > 0) {
      this.#warnings.push(
        `${this.#conflicts} files are second copies that a sync program made of one file. Those of the same content come in once.`,
      );
    }
    return Object.assign(new Tree(this.#entries), {
      rows: this.#rows,
      litter: this.#litter,
      warnings: this.#warnings,
    });
  }

  async addRoot(root: string, prefix: string): Promise<void> {
    // A root may be a link: the person chose it. Nothing below it is followed.
    const disk = rootOnDisk(root);
    const stat = statOf(disk);
    if (stat.isDirectory()) {
      if (await isUploadFolder(disk)) return this.#addUpload(disk, prefix);
      return this.#addFolder(disk, prefix, 0, root);
    }
    const name = basename(root).normalize("NFC");
    if (!stat.isFile()) return this.#skip(prefix + name, 0, "It is neither a file nor a folder.");
    await this.#addDiskFile(disk, prefix + name);
  }

  async #addUpload(folder: string, prefix: string): Promise<void> {
    const { uploadKey } = this.#options;
    if (!uploadKey) throw unreadable("The upload", new Error("its key was not given"));
    for (const entry of await readUpload(folder, uploadKey, this.#shared, prefix)) await this.#addFile(entry);
  }

  async #addFolder(disk: DiskPath, prefix: string, depth: number, root: string | null): Promise<void> {
    const path = prefix.slice(0, -1);
    if (depth > limits.depth) return this.#skip(path, 0, `It lies more than ${limits.depth} folders deep.`);
    let members: ReturnType<typeof readFolder>;
    try {
      members = readFolder(disk);
    } catch (error) {
      if (root !== null) throw unreadable(root, error);
      return this.#skip(path, 0, `The folder cannot be opened (${errnoOf(error) ?? "unknown fault"}).`);
    }
    for (const member of members) {
      if (this.#full) return;
      const below = prefix + member.name;
      if (member.kind === "folder") {
        if (isLitterFolder(member.name)) this.#litter++;
        else await this.#addFolder(member.disk, `${below}/`, depth + 1, null);
      } else if (member.kind === "file") await this.#addDiskFile(member.disk, below);
      else if (member.kind === "link") this.#skip(below, 0, "It is a symbolic link; links are not followed.");
      else this.#skip(below, 0, "It is no ordinary file.");
    }
  }

  async #addDiskFile(disk: DiskPath, path: string): Promise<void> {
    let facts: { path: string; bytes: number; modified: number };
    try {
      const stat = statOf(disk);
      facts = { path, bytes: stat.size, modified: Math.round(stat.mtimeMs) };
      if (isOnlineOnly(disk.toString(), stat)) {
        return this.#skip(
          path,
          stat.size,
          "It lies in the cloud and is not on this machine. Make it available offline and import again.",
        );
      }
    } catch (error) {
      return this.#skip(path, 0, `It cannot be looked at (${errnoOf(error) ?? "unknown fault"}).`);
    }
    const split = splitOf(disk);
    if (split === null) return this.#addFile(new DiskEntry(facts, disk, this.#shared));
    if (split.role === "part") {
      if (split.main === null)
        return this.#skip(path, facts.bytes, "It is a part of an archive whose main part is not beside it.");
      this.#rows.push({
        path,
        bytes: facts.bytes,
        status: "imported",
        reason: `It is a part of ${split.main}.`,
        skipped: 0,
      });
    } else if (split.missing !== null) {
      this.#skip(path, facts.bytes, `It is an archive in several parts, and ${split.missing} is missing.`);
    } else await this.#addFile(joinSplit(path, split.parts, this.#shared));
  }

  /** Every file comes by here: of a folder, of an upload, of an archive (`depth`: how many archives it lies in). */
  async #addFile(entry: BaseEntry, depth = 0): Promise<void> {
    if (this.#full) return;
    this.#options.signal?.throwIfAborted();
    if (++this.#seen % breathEvery === 0) await new Promise((resolve) => setImmediate(resolve));
    const { name, path, bytes } = entry;
    if (isLitterFile(name) || path.split("/").some(isLitterFolder)) {
      this.#litter++;
      return;
    }
    if (this.#seen > (this.#options.maxEntries ?? limits.entries)) {
      this.#full = true;
      this.#warnings.push(`Only the first ${this.#seen - 1} files were looked at. Import the rest in smaller parts.`);
      return;
    }
    const reason = bytes === 0 ? (whyNotWhole(name) ?? "The file is empty.") : whyNotWhole(name);
    if (reason !== null) return this.#skip(path, bytes, reason);
    if (isSyncConflict(name)) this.#conflicts++;
    if (name.startsWith("._") || mightBeArchive(name)) {
      let head: Uint8Array;
      try {
        head = await entry.head();
      } catch (error) {
        return this.#fail(path, bytes, error);
      }
      if (isAppleDouble(name, head)) {
        this.#litter++;
        return;
      }
      const kind = archiveKind(name, head);
      if (kind !== null) return this.#addArchive(entry, kind, depth);
    }
    this.#entries.push(entry);
  }

  async #addArchive(archive: BaseEntry, kind: ArchiveKind, depth: number): Promise<void> {
    const { path, bytes } = archive;
    if (depth >= 2) {
      return this.#skip(path, bytes, "An archive in an archive in an archive is not opened. Unpack the outer one.");
    }
    try {
      const random = await atRandom(archive, this.#shared, this.#nestedLeft);
      if (random !== archive) this.#nestedLeft -= archive.bytes;
      const { members, refused, fault } = await listArchive(kind, random, this.#shared);
      this.#archives.add(path);
      for (const member of members) await this.#addFile(member, depth + 1);
      for (const row of refused) this.#skip(row.path, row.bytes, row.reason);
      const reasons =
        fault === null ? [] : [`This ${archiveWord[kind]} is damaged: ${fault}. What could be saved is read.`];
      if (members.length === 0) {
        reasons.push(`The ${archiveWord[kind]} holds no file that can be read.`);
        return this.#skip(path, bytes, reasons.join(" "), refused.length);
      }
      if (refused.length > 0) reasons.push(`${refused.length} of the files in this ${archiveWord[kind]} were refused.`);
      const reason = reasons.join(" ") || null;
      this.#rows.push({ path, bytes, status: "imported", reason, skipped: refused.length });
    } catch (error) {
      this.#fail(path, bytes, error);
    }
  }

  #skip(path: string, bytes: number, reason: string, skipped = 0): void {
    this.#rows.push({ path, bytes, status: "skipped", reason, skipped });
  }

  /** A file that cannot be read is a row; only a cancelled walk ends here. */
  #fail(path: string, bytes: number, error: unknown): void {
    this.#options.signal?.throwIfAborted();
    const reason = error instanceof UnderstoryError ? error.message : `It cannot be read (${String(error)}).`;
    this.#rows.push({ path, bytes, status: "failed", reason, skipped: 0 });
  }
}

/** The root with its own links resolved. Throws `path_missing`, `path_unreadable`. */
export function rootOnDisk(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw unreadable(root, error);
    throw new UnderstoryError("path_missing", `${root} is not there.`, {
      hint: "Nothing was changed. If it lies on a drive or a share, connect it and try again.",
      details: { path: root },
      cause: error,
    });
  }
}
