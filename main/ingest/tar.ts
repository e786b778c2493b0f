import { limits } from "#contract";
import { BaseEntry, damaged, type EntryFacts, type TreeShared } from "./entry.ts";
import { byCodeUnits, guessName, safePath, shownName, UniquePaths } from "./names.ts";
import type { ArchiveListing } from "./zip.ts";

/**
 * Tar as a folder (POSIX.1-2001 pax, ustar, GNU, v7): one walk from header to header, then members by their place. Nothing
 * is unpacked; links, devices and sparse files are refused.
 */

const blockBytes = 512;
/** Longest name or set of attributes before a member. */
const maxExtended = 1024 * 1024;
/** Zero blocks that are passed over in search of another header: two end an archive, some programs write on. */
const maxPadding = 128;

class TarMember extends BaseEntry {
  readonly #tar: BaseEntry;
  readonly #offset: number;

  constructor(facts: EntryFacts, offset: number, tar: BaseEntry, shared: TreeShared) {
    super(facts, shared);
    this.#tar = tar;
    this.#offset = offset;
  }

  override get stamp(): string {
    return `${this.bytes}:${this.modified ?? ""}:${this.#tar.stamp}`;
  }

  protected override async *open(start: number, end: number): AsyncIterable<Uint8Array> {
    let given = start;
    for await (const chunk of this.#tar.stream({ start: this.#offset + start, end: this.#offset + end })) {
      given += chunk.length;
      yield chunk;
    }
    if (given < end) throw damaged(this.path, "the archive ends before it does.");
  }
}

/** Whether a file begins with the header of a tar: its own check sum says so, whatever its dialect. */
export function isTar(head: Uint8Array): boolean {
  return head.length >= blockBytes && head[0] !== 0 && checkSumFits(Buffer.from(head.subarray(0, blockBytes)));
}

/** The sum of the header's bytes, its own field taken as blanks; old programs summed signed bytes. */
function checkSumFits(header: Buffer): boolean {
  const said = numberAt(header, 148, 8);
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < blockBytes; at++) {
    const byte = at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return said !== null && (said === unsigned || said === signed);
}

/** A number of a header: octal digits, or big-endian bytes when the first bit is set (GNU). Null for what is none. */
function numberAt(header: Buffer, at: number, length: number): number | null {
  const first = header[at] ?? 0;
  if (first & 0x80) {
    if (first === 0xff) return null;
    let value = first & 0x7f;
    for (let byte = at + 1; byte < at + length; byte++) value = value * 256 + (header[byte] ?? 0);
    return Number.isSafeInteger(value) ? value : null;
  }
  const digits = header
    .subarray(at, at + length)
    .toString("latin1")
    .replace(/\0.*$/s, "")
    .trim();
  if (digits === "") return 0;
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

const rawAt = (header: Buffer, at: number, length: number): Buffer => {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
};

/** `27 path=a/b.txt\n` after each other; the length counts the whole line. */
export function paxAttributes(bytes: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(bytes.subarray(at, blank).toString("latin1"));
    if (blank < 0 || !Number.isInteger(length) || length <= blank - at + 1 || at + length > bytes.length) break;
    const line = bytes.subarray(blank + 1, at + length - 1).toString("utf8");
    const equals = line.indexOf("=");
    if (equals > 0) found.set(line.slice(0, equals), line.slice(equals + 1));
    at += length;
  }
  return found;
}

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

/** Why a member of this kind is no file; null for a file, "" for what is silently passed over. */
function whyNot(kind: string): string | null {
  if (kind === "0" || kind === "\0" || kind === "7") return null;
  if (kind === "1") return "It is a second name of another file in the archive.";
  if (kind === "2") return "It is a symbolic link; links are not followed.";
  if (kind === "3" || kind === "4" || kind === "6") return "It is no ordinary file.";
  if (kind === "S")
    return "It is a file with holes, which is not read from an archive. Unpack it and import the folder.";
  if (kind === "M")
    return "It is the rest of a file that begins in another part. Unpack the archive and import the folder.";
  return "";
}

/** Reads blocks in ascending order, through a window, so that small members cost no read of their own. */
class BlockReader {
  readonly #tar: BaseEntry;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(tar: BaseEntry) {
    this.#tar = tar;
  }

  async read(position: number, length: number): Promise<Buffer> {
    if (position < this.#start || position + length > this.#start + this.#window.length) {
      const parts: Uint8Array[] = [];
      const end = position + Math.max(length, 64 * 1024);
      for await (const chunk of this.#tar.stream({ start: position, end })) parts.push(chunk);
      this.#window = Buffer.concat(parts);
      this.#start = position;
    }
    return this.#window.subarray(position - this.#start, position - this.#start + length);
  }
}

/**
 * Lists a tar. Throws `damaged_file` when not even its first header can be read. A tar that breaks off later gives the
 * members before the break and a `fault`.
 */
export async function listTar(tar: BaseEntry, shared: TreeShared): Promise<ArchiveListing> {
  const reader = new BlockReader(tar);
  const members: TarMember[] = [];
  const refused: { path: string; bytes: number; reason: string }[] = [];
  const names = new UniquePaths();
  const refuse = (name: string, bytes: number, reason: string) => {
    refused.push({ path: names.add(`${tar.path}/${shownName(name)}`), bytes, reason });
  };
  let everywhere = new Map<string, string>();
  let own = new Map<string, string>();
  let longName: string | null = null;
  let fault: string | null = null;
  let empty = 0;
  for (let position = 0; position < tar.bytes; ) {
    const header = await reader.read(position, blockBytes);
    if (header.length < blockBytes) {
      fault = "it is cut off in the middle";
      break;
    }
    position += blockBytes;
    if (header.every((byte) => byte === 0)) {
      if (++empty > maxPadding) break;
      continue;
    }
    const kind = String.fromCharCode(header[156] ?? 0);
    const size = checkSumFits(header) ? (wholeNumber(own.get("size")) ?? numberAt(header, 124, 12)) : null;
    if (size === null) {
      // Behind the end of an archive stands what its writer had in memory.
      if (empty === 0) fault = "a header in it makes no sense";
      break;
    }
    empty = 0;
    const next = position + Math.ceil(size / blockBytes) * blockBytes;
    if ("xgLK".includes(kind)) {
      if (size > maxExtended) {
        fault = "a name in it is longer than any";
        break;
      }
      const body = Buffer.from(await reader.read(position, size));
      if (kind === "x") own = paxAttributes(body);
      if (kind === "g") everywhere = new Map([...everywhere, ...paxAttributes(body)]);
      if (kind === "L") longName = guessName(rawAt(body, 0, body.length));
      position = next;
      continue;
    }
    const attribute = (name: string) => own.get(name) ?? everywhere.get(name);
    const raw = attribute("path") ?? longName ?? nameOf(header);
    const sparse = [...own.keys()].some((name) => name.startsWith("GNU.sparse"));
    const modified = Number(attribute("mtime") ?? numberAt(header, 136, 12) ?? 0) * 1000;
    const reason = kind === "5" || raw.endsWith("/") ? "" : whyNot(sparse ? "S" : kind);
    if (members.length + refused.length >= limits.zipMembers) {
      fault = `it has more than ${limits.zipMembers} files`;
      break;
    }
    const checked = safePath(raw);
    if (reason !== null) {
      if (reason !== "") refuse(raw, size, reason);
    } else if (!checked.ok) refuse(raw, size, `${checked.reason} It is left out and nothing is written anywhere.`);
    else if (position + size > tar.bytes) refuse(raw, size, "The archive ends before it does.");
    else {
      const path = names.add(`${tar.path}/${checked.path}`);
      const time = Number.isFinite(modified) && modified > 0 ? Math.round(modified) : null;
      members.push(new TarMember({ path, bytes: size, modified: time }, position, tar, shared));
    }
    if (position + size > tar.bytes) {
      fault = "it is cut off in the middle";
      break;
    }
    position = next;
    own = new Map();
    longName = null;
  }
  if (fault !== null && members.length === 0 && refused.length === 0) throw damaged(tar.path, `${fault}.`);
  const byPath = (a: { path: string }, b: { path: string }) => byCodeUnits(a.path, b.path);
  return { members: members.sort(byPath), refused: refused.sort(byPath), fault };
}

/** The name in a header; ustar puts the beginning of a long one into a field of its own. */
function nameOf(header: Buffer): string {
  const name = guessName(rawAt(header, 0, 100));
  const posix = header.subarray(257, 263).toString("latin1") === "ustar\0";
  const prefix = posix ? guessName(rawAt(header, 345, 155)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}
