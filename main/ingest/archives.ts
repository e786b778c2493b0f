import { UnderstoryError } from "#contract";
import { type BaseEntry, damaged, headBytes, type TreeShared } from "./entry.ts";
import { gunzip, gzipHeader } from "./gunzip.ts";
import { isZipFolder } from "./names.ts";
import { isTar, listTar } from "./tar.ts";
import { type ArchiveListing, isRandomAccess, listZip, MemoryEntry } from "./zip.ts";

/** Archives that are folders, whatever their names say. */
export type ArchiveKind = "zip" | "tar" | "gzip";

/** Bytes of packed archives inside archives that are held in memory at once. */
export const nestedBytes = 256 * 1024 * 1024;

/** What an archive is called to a person. */
export const archiveWord: Readonly<Record<ArchiveKind, string>> = { zip: "zip", tar: "tar archive", gzip: "gzip file" };

/** The kind of archive that a file is, by its first bytes; null for any other file. */
export function archiveKind(name: string, head: Uint8Array): ArchiveKind | null {
  if (isZipFolder(name, head)) return "zip";
  if (gzipHeader(head) !== null) return "gzip";
  return isTar(head) ? "tar" : null;
}

/**
 * Members of an archive. A gzip file holds a tar, whose members these are, or a single file. Throws `damaged_file`,
 * `limit_exceeded`, and what reading throws.
 */
export async function listArchive(kind: ArchiveKind, archive: BaseEntry, shared: TreeShared): Promise<ArchiveListing> {
  if (kind === "zip") return listZip(archive, shared);
  if (kind === "tar") return listTar(archive, shared);
  const { entry, fault } = await gunzip(archive, archive.path, shared);
  const parts: Uint8Array[] = [];
  for await (const part of entry.stream({ start: 0, end: headBytes })) parts.push(part);
  if (isTar(Buffer.concat(parts))) {
    const listing = await listTar(entry, shared);
    return { ...listing, fault: listing.fault ?? fault };
  }
  if (fault !== null) throw damaged(archive.path, `${fault}.`);
  return { members: [entry.at(`${archive.path}/${contentName(archive.name)}`)], refused: [], fault: null };
}

/** The name of the one file in a gzip file: that of the file without its last ending, as every program unpacks it. */
function contentName(name: string): string {
  return /^(.+)\.(?:gz|gzip|z)$/i.exec(name)?.[1] ?? (name.replace(/\.tgz$/i, ".tar") || name);
}

/** An archive that can be read here and there; a packed one inside another is unpacked into memory for it. */
export async function atRandom(archive: BaseEntry, shared: TreeShared, left: number): Promise<BaseEntry> {
  if (isRandomAccess(archive)) return archive;
  if (archive.bytes > left) {
    throw new UnderstoryError(
      "limit_exceeded",
      "The archives inside this archive are too large to be opened in place.",
      {
        hint: "Unpack the outer one and import the folder.",
      },
    );
  }
  return new MemoryEntry(archive, await archive.readAll(left), shared);
}
