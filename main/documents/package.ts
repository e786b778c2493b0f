import { posix } from "node:path";
import { finished } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import { fromBufferPromise, type Entry as Member, type ZipFile } from "yauzl";
import { damagedDocument, tooMuch } from "./reading.ts";
import { attribute, type Element, relationId, walkXml, type XmlHandler } from "./xml.ts";

/** Members of one office file. */
const maxMembers = 65_536;
/** Bytes that one office file may unpack to while it is read: no letter needs more, a bomb does. */
const unpackedBytes = 512 * 1024 * 1024;
const localHeaderBytes = 30;

/** A part that another part names. */
export interface Relation {
  readonly type: string;
  /** Name of the part, as `has` takes it. */
  readonly target: string;
}

/** An office file: a zip in memory, whose parts are unpacked as they are read and never beyond a common cap. */
export class OfficePackage {
  readonly #bytes: Buffer;
  readonly #members: ReadonlyMap<string, Member>;
  #left = unpackedBytes;

  private constructor(bytes: Buffer, members: ReadonlyMap<string, Member>) {
    this.#bytes = bytes;
    this.#members = members;
  }

  /** Throws `damaged_file` when it is no zip, or one that was cut off. */
  static async open(bytes: Uint8Array): Promise<OfficePackage> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const members = new Map<string, Member>();
    let zip: ZipFile;
    try {
      zip = await fromBufferPromise(buffer, { decodeStrings: false, validateEntrySizes: false });
      if (zip.entryCount > maxMembers) throw tooMuch("It is made of more parts than any program writes.");
      for await (const member of zip.eachEntry()) {
        const name = keyOf(Buffer.from(member.fileNameRaw).toString("utf8"));
        if (!members.has(name)) members.set(name, member);
      }
    } catch (error) {
      if (members.size === 0)
        throw damagedDocument("It is cut off or damaged: the list of its parts is missing.", error);
    }
    return new OfficePackage(buffer, members);
  }

  get names(): string[] {
    return [...this.#members.keys()];
  }

  has(name: string): boolean {
    return this.#members.has(keyOf(name));
  }

  /** Bytes of a part, as they are unpacked; nothing for a part that is not there. */
  async *chunks(name: string): AsyncGenerator<Uint8Array> {
    const member = this.#members.get(keyOf(name));
    if (!member) return;
    if (member.isEncrypted()) throw damagedDocument(`Its part ${name} is protected with a password.`);
    const at = member.relativeOffsetOfLocalHeader;
    if (at + localHeaderBytes > this.#bytes.length) throw damagedDocument(`Its part ${name} is missing.`);
    const start = at + localHeaderBytes + this.#bytes.readUInt16LE(at + 26) + this.#bytes.readUInt16LE(at + 28);
    const packed = this.#bytes.subarray(start, start + member.compressedSize);
    if (member.compressionMethod === 0) {
      yield* this.#counted([packed]);
      return;
    }
    if (member.compressionMethod !== 8) throw damagedDocument(`Its part ${name} is packed by a method not read here.`);
    const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
    inflate.end(packed);
    const ended = finished(inflate).catch(() => undefined);
    try {
      yield* this.#counted(inflate);
    } catch (error) {
      if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
        throw damagedDocument(`Its part ${name} is damaged.`, error);
      }
      throw error;
    } finally {
      inflate.destroy();
      await ended;
    }
  }

  async *#counted(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#left -= chunk.length;
      if (this.#left < 0) throw tooMuch("It unpacks to more than is read of one document.");
      yield chunk;
    }
  }

  /** A whole part, at most `cap` bytes of it; null when it is not there. */
  async bytes(name: string, cap: number): Promise<Uint8Array | null> {
    if (!this.has(name)) return null;
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.chunks(name)) {
      parts.push(chunk);
      length += chunk.length;
      if (length > cap) throw tooMuch(`Its part ${name} is too large.`);
    }
    return Buffer.concat(parts);
  }

  walk(name: string, handler: XmlHandler): Promise<void> {
    return walkXml(this.chunks(name), handler);
  }

  /** The parts that a part names, by their ids; "" gives those of the whole file. Broken ones are left out. */
  async relations(part: string): Promise<Map<string, Relation>> {
    const folder = posix.dirname(part);
    const base = part === "" ? "_rels/.rels" : posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
    const found = new Map<string, Relation>();
    const open = (element: Element) => {
      if (element.name !== "Relationship" || attribute(element, "TargetMode") === "External") return undefined;
      const target = attribute(element, "Target");
      const id = attribute(element, "Id") ?? relationId(element);
      if (target === null || id === null || found.size > maxMembers) return undefined;
      const whole = target.startsWith("/") ? target.slice(1) : posix.join(part === "" ? "" : folder, target);
      found.set(id, { type: localType(attribute(element, "Type") ?? ""), target: whole });
      return undefined;
    };
    await this.walk(base, { open }).catch(() => undefined);
    return found;
  }
}

/** Names of parts differ in nothing but case and slashes, by the packaging conventions. */
const keyOf = (name: string): string => name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** The last part of a relation's type: the same in the strict and the transitional form. */
const localType = (type: string): string => type.slice(type.lastIndexOf("/") + 1);
