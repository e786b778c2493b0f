import { closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { sep } from "node:path";
import { BaseEntry, type EntryFacts, headBytes, type TreeShared, unreadable } from "./entry.ts";
import { byCodeUnits, UniquePaths } from "./names.ts";

/** A path on disk: a string where its name is valid UTF-8, else the bytes that the system gave. */
export type DiskPath = string | Buffer;

/** Never through a symbolic link that took a file's place after the walk, never waiting for a pipe. Absent on Windows. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const chunkBytes = 256 * 1024;

export class DiskEntry extends BaseEntry {
  readonly #disk: DiskPath;

  constructor(facts: EntryFacts, disk: DiskPath, shared: TreeShared) {
    super(facts, shared);
    this.#disk = disk;
  }

  /** Path of the file for a program that reads it by itself; null where its name is no text. */
  get onDisk(): string | null {
    return typeof this.#disk === "string" ? this.#disk : null;
  }

  /** Synchronous below: for a few kilobytes three trips to the thread pool cost more than the read. */
  protected override async readHead(): Promise<Uint8Array> {
    try {
      const file = openSync(this.#disk, openFlags);
      try {
        const buffer = Buffer.alloc(Math.min(headBytes, this.bytes));
        let length = 0;
        while (length < buffer.length) {
          const read = readSync(file, buffer, length, buffer.length - length, length);
          if (read === 0) break;
          length += read;
        }
        return buffer.subarray(0, length);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw unreadable(this.path, error);
    }
  }

  protected override async *open(start: number, end: number): AsyncIterable<Uint8Array> {
    const file = await open(this.#disk, openFlags).catch((error: unknown) => {
      throw unreadable(this.path, error);
    });
    try {
      for (let position = start; position < end; ) {
        const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - position));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, position).catch((error: unknown) => {
          throw unreadable(this.path, error);
        });
        if (bytesRead === 0) return;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }
}

export interface FolderMember {
  /** NFC, unique in its folder. */
  readonly name: string;
  readonly disk: DiskPath;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** Members of a folder in the order of their names. Throws what the file system throws. */
export function readFolder(folder: DiskPath): FolderMember[] {
  const raw: Dirent<Buffer>[] = readdirSync(folder, { withFileTypes: true, encoding: "buffer" });
  const members = raw.map((entry) => {
    const text = entry.name.toString("utf8");
    return { entry, text, name: text.normalize("NFC") };
  });
  // Names that differ only in their normal form: the one that is NFC on disk keeps its name, the others get a number.
  members.sort((a, b) => byCodeUnits(a.name, b.name) || Number(a.text !== a.name) - Number(b.text !== b.name));
  const names = new UniquePaths();
  return members.map(({ entry, text, name }) => {
    return { name: names.add(name), disk: joinDisk(folder, entry.name, text), kind: kindOf(entry) };
  });
}

function joinDisk(folder: DiskPath, name: Buffer, text: string): DiskPath {
  if (typeof folder === "string" && Buffer.from(text, "utf8").equals(name)) {
    return folder.endsWith(sep) ? folder + text : folder + sep + text;
  }
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), name]);
}

function kindOf(entry: Dirent<Buffer>): FolderMember["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}

export function statOf(disk: DiskPath): Stats {
  return lstatSync(disk);
}
