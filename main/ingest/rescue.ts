import { limits } from "#contract";
import type { BaseEntry } from "./entry.ts";
import { InflateError, Inflater, inflateStart } from "./inflate.ts";

/**
 * A zip without its directory, which stands at the end: of a download that was cut off, or in the last of several files.
 * Each member has a header of its own before it (APPNOTE §4.3.7); one after the other they give the members again.
 */

export interface LocalMember {
  readonly nameRaw: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
  /** Where its header begins. */
  readonly offset: number;
}

const headerBytes = 30;
const descriptorMark = 0x08074b50;
/** A member below this size is never called a bomb. */
const harmlessBytes = 16 * 1024 * 1024;

/** `whole`: the last member that was met lies in the file to its end, or the directory was reached. */
export async function scanLocalHeaders(zip: BaseEntry): Promise<{ members: LocalMember[]; whole: boolean }> {
  const members: LocalMember[] = [];
  let position = 0;
  const start = await bytesAt(zip, 0, 8);
  // A spanned zip begins with a mark of its own.
  if (start.length === 8 && [descriptorMark, 0x30304b50].includes(start.readUInt32LE(0))) position = 4;
  while (members.length < limits.zipMembers) {
    const header = await bytesAt(zip, position, headerBytes);
    if (header.length < headerBytes) return { members, whole: false };
    const mark = header.readUInt32LE(0);
    if (mark !== 0x04034b50) return { members, whole: mark === 0x02014b50 || mark === 0x08064b50 };
    const nameLength = header.readUInt16LE(26);
    const extraLength = header.readUInt16LE(28);
    const more = await bytesAt(zip, position + headerBytes, nameLength + extraLength);
    const data = position + headerBytes + nameLength + extraLength;
    const flags = header.readUInt16LE(6);
    const method = header.readUInt16LE(8);
    let crc = header.readUInt32LE(14);
    let sizes = { packed: header.readUInt32LE(18), bytes: header.readUInt32LE(22) };
    if (sizes.packed === 0xffffffff || sizes.bytes === 0xffffffff) sizes = zip64(more.subarray(nameLength)) ?? sizes;
    let next = data + sizes.packed;
    if ((flags & 8) !== 0 && sizes.packed === 0) {
      // Its sizes stand behind it: only unpacking finds its end.
      const found = method === 8 ? await measure(zip, data) : null;
      if (found === null) return { members, whole: false };
      sizes = found;
      const behind = await bytesAt(zip, data + found.packed, 24);
      const marked = behind.length >= 4 && behind.readUInt32LE(0) === descriptorMark;
      if (behind.length < (marked ? 8 : 4)) return { members, whole: false };
      crc = behind.readUInt32LE(marked ? 4 : 0);
      next = data + found.packed + (await descriptorLength(zip, data + found.packed, marked));
    }
    if (data + sizes.packed > zip.bytes) return { members, whole: false };
    const nameRaw = Buffer.from(more.subarray(0, nameLength));
    members.push({ nameRaw, flags, method, crc, ...sizes, offset: position });
    position = next;
  }
  return { members, whole: false };
}

async function bytesAt(zip: BaseEntry, start: number, length: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of zip.stream({ start, end: start + length })) parts.push(part);
  return Buffer.concat(parts);
}

function zip64(extra: Buffer): { packed: number; bytes: number } | null {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1 || extra.readUInt16LE(at + 2) < 16 || at + 20 > extra.length) continue;
    return { bytes: Number(extra.readBigUInt64LE(at + 4)), packed: Number(extra.readBigUInt64LE(at + 12)) };
  }
  return null;
}

/** A descriptor has sizes of four bytes or of eight: the one behind which something begins is right. */
async function descriptorLength(zip: BaseEntry, at: number, marked: boolean): Promise<number> {
  const short = (marked ? 4 : 0) + 12;
  const behind = await bytesAt(zip, at + short, 2);
  return behind.toString("latin1") === "PK" || at + short >= zip.bytes ? short : short + 8;
}

/** Packed and unpacked size of a deflated member, by unpacking it; null when it breaks off or is a bomb. */
async function measure(zip: BaseEntry, start: number): Promise<{ packed: number; bytes: number } | null> {
  const inflater = new Inflater(inflateStart, 256 * 1024);
  let fed = 0;
  let bytes = 0;
  try {
    for await (const chunk of zip.stream({ start, end: zip.bytes })) {
      fed += chunk.length;
      inflater.feed(chunk, start + fed >= zip.bytes);
      for (;;) {
        const lacks = inflater.run();
        bytes += inflater.take().length;
        if (bytes > limits.zipMemberBytes || (bytes > harmlessBytes && bytes > fed * limits.zipRatio)) return null;
        if (lacks === "end") return { packed: fed - inflater.rest().length, bytes };
        if (lacks === "input") break;
      }
    }
  } catch (error) {
    if (!(error instanceof InflateError)) throw error;
  }
  return null;
}
