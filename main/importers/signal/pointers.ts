import type { Attachment } from "#contract";
import type { FilesBeside } from "../chats/beside.ts";
import { missingFile } from "../chats/sent.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine, sha256 } from "../text/clean.ts";
import { type Entry, limits } from "../types.ts";
import { type Fields, hexOf, isFields } from "./values.ts";

/**
 * Files of the plaintext export. How it names them is not specified: by any of the hashes that a pointer holds, in hex or
 * base64, or by a path; else a file of the same size whose SHA-256 is the one that the pointer tells.
 */
export class PointerFiles {
  readonly #beside: FilesBeside;
  readonly #byStem = new Map<string, Entry>();
  readonly #bySize = new Map<number, Entry[]>();
  readonly #hashes = new Map<Entry, Promise<string>>();

  constructor(beside: FilesBeside, files: readonly Entry[]) {
    this.#beside = beside;
    for (const entry of files) {
      this.#byStem.set(entry.name.replace(/\.[A-Za-z0-9]{1,8}$/, "").toLowerCase(), entry);
      const same = this.#bySize.get(entry.bytes) ?? [];
      if (same.length < 200) same.push(entry);
      this.#bySize.set(entry.bytes, same);
    }
  }

  async find(pointer: Fields): Promise<Entry | null> {
    const locator = isFields(pointer.locatorInfo) ? pointer.locatorInfo : {};
    for (const path of [pointer.path, pointer.localPath, pointer.filePath, locator.path, locator.localPath]) {
      const entry = typeof path === "string" && path !== "" ? this.#beside.find(path) : null;
      if (entry !== null) return entry;
    }
    const plain = hexOf(locator.plaintextHash ?? pointer.plaintextHash);
    const local = hexOf(locator.localKey);
    const mixed = plain === null || local === null ? null : sha256(Buffer.from(plain + local, "hex"));
    const hashes = [plain, mixed, hexOf(locator.mediaName ?? pointer.mediaName), hexOf(locator.encryptedDigest)];
    for (const hash of hashes) {
      if (hash === null) continue;
      const bytes = Buffer.from(hash, "hex");
      for (const stem of [hash, bytes.toString("base64url"), bytes.toString("base64")]) {
        const entry = this.#byStem.get(stem.toLowerCase());
        if (entry !== undefined) return entry;
      }
    }
    return (await this.#bySameBytes(locator, plain)) ?? this.#byOwnName(pointer);
  }

  async #bySameBytes(locator: Fields, plain: string | null): Promise<Entry | null> {
    const size = Number(locator.size);
    if (plain === null || !(size > 0) || size > limits.pictureBytes) return null;
    for (const entry of this.#bySize.get(size) ?? []) {
      const hash = this.#hashes.get(entry) ?? entry.readAll(limits.pictureBytes).then(sha256);
      this.#hashes.set(entry, hash);
      if ((await hash.catch(() => "")) === plain) return entry;
    }
    return null;
  }

  #byOwnName(pointer: Fields): Entry | null {
    return typeof pointer.fileName === "string" && pointer.fileName !== "" ? this.#beside.find(pointer.fileName) : null;
  }

  /** What a message's attachment is, and its file where it is there. */
  async attachment(value: unknown): Promise<{ attachment: Attachment; entry: Entry | null } | null> {
    if (!isFields(value)) return null;
    const pointer = isFields(value.pointer) ? value.pointer : value;
    const entry = await this.find(pointer);
    const name = typeof pointer.fileName === "string" ? (cleanLine(pointer.fileName)?.slice(0, 500) ?? null) : null;
    const mime = typeof pointer.contentType === "string" ? pointer.contentType.slice(0, 200) : null;
    if (entry !== null) {
      const there = attachmentOf(entry);
      return { entry, attachment: { ...there, name: name ?? entry.name, mime: there.mime ?? mime } };
    }
    const locator = isFields(pointer.locatorInfo) ? pointer.locatorInfo : {};
    const size = Number(locator.size ?? pointer.size);
    const bytes = Number.isSafeInteger(size) && size > 0 ? size : null;
    return { entry: null, attachment: missingFile(name, { bytes, ...(mime === null ? {} : { mime }) }) };
  }
}
