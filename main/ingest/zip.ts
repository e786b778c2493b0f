import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw, createZstdDecompress } from "node:zlib";
import { fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type Entry as ZipItem } from "yauzl";
import { limits, UnderstoryError } from "#contract";
import { BaseEntry, damaged, type EntryFacts, type TreeShared } from "./entry.ts";
import { byCodeUnits, guessName, safePath, shownName, UniquePaths } from "./names.ts";
import { type LocalMember, scanLocalHeaders } from "./rescue.ts";

/**
 * Zips as folders, read without unpacking. yauzl reads the directory (zip64 too); members are read here, by range, so
 * that a zip may lie on disk, in an encrypted upload or in another zip, and no file stays open between two reads.
 */

const blockBytes = 64 * 1024;
/** A member below this size is never called a bomb, whatever its ratio. */
const harmlessBytes = 16 * 1024 * 1024;
const localHeaderBytes = 30;

/** Random access for yauzl over any entry. Reads whole blocks and keeps the last: a directory is read front to back. */
class EntryReader extends RandomAccessReader {
  readonly #entry: BaseEntry;
  #block: Buffer = Buffer.alloc(0);
  #blockStart = 0;

  constructor(entry: BaseEntry) {
    super();
    this.#entry = entry;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#fill(position, length).then(
      () => {
        const from = position - this.#blockStart;
        callback(null, this.#block.copy(target, offset, from, from + length));
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  async #fill(position: number, length: number): Promise<void> {
    const held = position >= this.#blockStart && position + length <= this.#blockStart + this.#block.length;
    if (held) return;
    const parts: Uint8Array[] = [];
    const end = position + Math.max(length, blockBytes);
    for await (const chunk of this.#entry.stream({ start: position, end })) parts.push(chunk);
    this.#block = Buffer.concat(parts);
    this.#blockStart = position;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#entry.stream({ start, end }), { objectMode: false });
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}

interface MemberFacts extends EntryFacts {
  readonly offset: number;
  readonly packed: number;
  readonly method: number;
  readonly crc: number;
}

/** Ways of packing that are read (APPNOTE §4.4.5). */
const stored = 0;
const deflated = 8;
const zstandard = 93;

class ZipMember extends BaseEntry {
  readonly #zip: BaseEntry;
  readonly #facts: MemberFacts;

  constructor(facts: MemberFacts, zip: BaseEntry, shared: TreeShared) {
    super(facts, shared);
    this.#zip = zip;
    this.#facts = facts;
  }

  override get stamp(): string {
    return `${this.bytes}:${this.#facts.crc}`;
  }

  /** True when a range can be read without unpacking all that stands before it. */
  get seekable(): boolean {
    return this.stored;
  }

  get stored(): boolean {
    return this.#facts.method === stored;
  }

  /** The local header repeats name and extra field with lengths of its own; the data begin behind it. */
  async #dataStart(): Promise<number> {
    const { offset } = this.#facts;
    const parts: Uint8Array[] = [];
    for await (const part of this.#zip.stream({ start: offset, end: offset + localHeaderBytes })) parts.push(part);
    const header = Buffer.concat(parts);
    if (header.length < localHeaderBytes || header.readUInt32LE(0) !== 0x04034b50) {
      throw damaged(this.path, "the zip's directory points to a place where no file begins.");
    }
    return offset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  }

  protected override async *open(start: number, end: number): AsyncIterable<Uint8Array> {
    const dataStart = await this.#dataStart();
    if (this.stored) {
      yield* this.#check(this.#zip.stream({ start: dataStart + start, end: dataStart + end }), start, end, end - start);
      return;
    }
    const packed = this.#zip.stream({ start: dataStart, end: dataStart + this.#facts.packed });
    yield* this.#check(this.#unpack(packed), start, end, this.bytes);
  }

  async *#unpack(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const options = { chunkSize: blockBytes };
    const inflate = this.#facts.method === zstandard ? createZstdDecompress(options) : createInflateRaw(options);
    const done = pipeline(Readable.from(packed, { objectMode: false }), inflate).catch(() => undefined);
    try {
      for await (const chunk of inflate) yield chunk;
    } catch (error) {
      throw damaged(this.path, "its packed bytes make no sense.", error);
    } finally {
      inflate.destroy();
      await done;
    }
  }

  /** Cuts [start, end) out, never trusts the size that the directory gives, and checks the sum of a whole read. */
  async *#check(
    chunks: AsyncIterable<Uint8Array>,
    start: number,
    end: number,
    expected: number,
  ): AsyncIterable<Uint8Array> {
    let position = this.stored ? start : 0;
    let seen = 0;
    let sum = 0;
    const whole = start === 0 && end === this.bytes;
    for await (const chunk of chunks) {
      seen += chunk.length;
      if (seen > expected) throw damaged(this.path, "it unpacks to more than the zip's directory says.");
      if (whole) sum = crc32(chunk, sum);
      const from = Math.max(0, start - position);
      const to = Math.min(chunk.length, end - position);
      position += chunk.length;
      if (to > from) yield chunk.subarray(from, to);
      if (position >= end && !whole) return;
    }
    if (seen < expected) throw damaged(this.path, "it ends before the size that the zip's directory says.");
    if (whole && sum !== this.#facts.crc) throw damaged(this.path, "its check sum is wrong.");
  }
}

/** A member of a zip that is small enough, held in memory so that a zip inside it can be read at random. */
export class MemoryEntry extends BaseEntry {
  readonly #content: Uint8Array;

  constructor(facts: EntryFacts, content: Uint8Array, shared: TreeShared) {
    super(facts, shared);
    this.#content = content;
  }

  protected override async *open(start: number, end: number): AsyncIterable<Uint8Array> {
    yield this.#content.subarray(start, end);
  }
}

export interface ArchiveListing {
  /** In the order of their paths, which begin with the archive's own. */
  readonly members: readonly BaseEntry[];
  readonly refused: readonly { path: string; bytes: number; reason: string }[];
  /** What was wrong with the archive itself, of which the members could be saved; null: nothing. */
  readonly fault: string | null;
}

/** Whether ranges of an entry can be read cheaply. */
export const isRandomAccess = (entry: BaseEntry): boolean => !(entry instanceof ZipMember) || entry.stored;

/** What a zip says of one member, in its directory or in the header before it. */
interface Told {
  readonly name: string;
  readonly bytes: number;
  readonly packed: number;
  readonly offset: number;
  readonly method: number;
  readonly crc: number;
  readonly modified: number | null;
  readonly encrypted: boolean;
  readonly link: boolean;
}

/**
 * Reads a zip's directory. One that has none, as a download that was cut off, is read by the headers of its members as far
 * as it goes. Throws `damaged_file` when that gives nothing either.
 */
export async function listZip(zip: BaseEntry, shared: TreeShared): Promise<ArchiveListing> {
  let told: Told[];
  let fault: string | null = null;
  try {
    told = await readDirectory(zip);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof UnderstoryError && error.code === "limit_exceeded") throw error;
    const { members, whole } = await scanLocalHeaders(zip);
    if (members.length === 0) {
      throw damaged(
        zip.path,
        /multi-disk/.test(why)
          ? "it is the last of several parts, and the others are not beside it."
          : `its zip directory cannot be read (${why.slice(0, 120)}).`,
        error,
      );
    }
    told = members.map(toldByHeader);
    const spanned = /multi-disk/.test(why) && whole;
    if (!spanned) fault = whole ? "its directory is damaged" : "it is cut off";
  }
  const refused: { path: string; bytes: number; reason: string }[] = [];
  const accepted: MemberFacts[] = [];
  const names = new UniquePaths();
  for (const { name, bytes, ...member } of told) {
    if (/[/\\]$/.test(name)) continue;
    const checked = safePath(name);
    const reason = checked.ok
      ? whyNot({ name, bytes, ...member }, zip.bytes)
      : `${checked.reason} It is left out and nothing is written anywhere.`;
    const path = names.add(`${zip.path}/${checked.ok ? checked.path : shownName(name)}`);
    if (reason === null) accepted.push({ ...member, path, bytes });
    else refused.push({ path, bytes, reason });
  }
  const overlapping = findOverlaps(accepted);
  for (const { path, bytes } of overlapping) {
    refused.push({ path, bytes, reason: "It shares its bytes with another file of the zip." });
  }
  const members = accepted
    .filter((facts) => !overlapping.has(facts))
    .map((facts) => new ZipMember(facts, zip, shared))
    .sort((a, b) => byCodeUnits(a.path, b.path));
  return { members, refused: refused.sort((a, b) => byCodeUnits(a.path, b.path)), fault };
}

async function readDirectory(zip: BaseEntry): Promise<Told[]> {
  const directory = await fromRandomAccessReaderPromise(new EntryReader(zip), zip.bytes, {
    autoClose: false,
    // Names and sizes are judged one member at a time.
    decodeStrings: false,
    validateEntrySizes: false,
  });
  if (directory.entryCount > limits.zipMembers) {
    throw new UnderstoryError("limit_exceeded", `A zip may have at most ${limits.zipMembers} files in it.`, {
      hint: "Unpack it and import the folder.",
    });
  }
  const told: Told[] = [];
  for await (const item of directory.eachEntry()) {
    told.push({
      name: memberName(item),
      bytes: item.uncompressedSize,
      packed: item.compressedSize,
      offset: item.relativeOffsetOfLocalHeader,
      method: item.compressionMethod,
      crc: item.crc32,
      modified: modifiedOf(item),
      encrypted: item.isEncrypted(),
      link: ((item.externalFileAttributes >>> 16) & 0o170000) === 0o120000,
    });
  }
  return told;
}

function toldByHeader({ nameRaw, flags, ...member }: LocalMember): Told {
  const name = (flags & 0x800) !== 0 ? nameRaw.toString("utf8") : guessName(nameRaw);
  return { ...member, name, modified: null, encrypted: (flags & 1) !== 0, link: false };
}

/** Bit 11 of the flags, or the Unicode path field, says UTF-8; without them old programs wrote what they liked. */
function memberName(item: ZipItem): string {
  const marked = (item.generalPurposeBitFlag & 0x800) !== 0 || item.extraFields.some((field) => field.id === 0x7075);
  return marked
    ? getFileNameLowLevel(item.generalPurposeBitFlag, item.fileNameRaw, item.extraFields, true)
    : guessName(item.fileNameRaw);
}

const otherMethods: Readonly<Record<number, string>> = {
  1: "Shrink",
  6: "Implode",
  9: "Deflate64",
  12: "bzip2",
  14: "LZMA",
  95: "xz",
  96: "JPEG repacking",
  97: "WavPack",
  98: "PPMd",
  99: "encryption",
};

function whyNot({ bytes, packed, offset, method, encrypted, link }: Told, zipBytes: number): string | null {
  if (link) return "It is a symbolic link; links are not followed.";
  if (encrypted || method === 99) return "It is protected with a password. Unpack the zip and import the folder.";
  if (method !== stored && method !== deflated && method !== zstandard) {
    return `It is packed by a method that is not read here (${otherMethods[method] ?? method}). Unpack the zip and import the folder.`;
  }
  if (offset + localHeaderBytes + packed > zipBytes) return "The zip ends before it.";
  if (method === stored && packed !== bytes) return "The zip's directory contradicts itself about its size.";
  if (bytes > limits.zipMemberBytes) return "It would unpack to more than is read of one file.";
  if (bytes > harmlessBytes && bytes > packed * limits.zipRatio) {
    return `It would unpack to more than ${limits.zipRatio} times its size, as only a zip bomb does.`;
  }
  return null;
}

/** File time from the extended fields, which are UTC; the plain field is a wall clock of an unknown place. */
function modifiedOf(item: ZipItem): number | null {
  if (!item.extraFields.some((field) => field.id === 0x5455 || field.id === 0x000a)) return null;
  const extended = item.getLastModDate({ timezone: "UTC" }).getTime();
  return Number.isFinite(extended) && extended > 0 ? extended : null;
}

/** Members whose bytes lie inside another's: how a small zip is made to hold petabytes (Fifield, WOOT 2019). */
function findOverlaps(members: readonly MemberFacts[]): Set<MemberFacts> {
  const sorted = [...members].sort((a, b) => a.offset - b.offset);
  const found = new Set<MemberFacts>();
  let end = 0;
  for (const member of sorted) {
    if (member.offset < end) found.add(member);
    end = Math.max(end, member.offset + localHeaderBytes + member.packed);
  }
  return found;
}
