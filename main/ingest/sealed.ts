import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

/**
 * Sealed files: AES-256-GCM (NIST SP 800-38D) in independent blocks of 64 KiB, so that a range is read without the rest.
 *
 *     block 0 | block 1 | … | end
 *     block = ciphertext (64 KiB, the last may be shorter) + 16-byte tag
 *     end   = the size of the plaintext as a sealed 8-byte big-endian number + tag
 *
 * Each file has its own key (HKDF-SHA-256, RFC 5869) and is written once, so a block's number serves as its nonce. The
 * number is also authenticated as additional data, and the end under a nonce that no block has: blocks cannot be
 * swapped, dropped or cut off without notice.
 */

export const blockBytes = 64 * 1024;
const tagBytes = 16;
const endBytes = 8 + tagBytes;
const sealedBlockBytes = blockBytes + tagBytes;

/** Key of the uploads of an archive: what the parse worker gets instead of the archive's own key. 32 bytes. */
export function deriveUploadKey(archiveKey: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", archiveKey, "", "understory uploads 1", 32));
}

/** Key of one sealed file. `fileId` must never be used for two contents. */
export function deriveFileKey(uploadKey: Uint8Array, uploadId: string, fileId: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", uploadKey, uploadId, `understory upload file 1 ${fileId}`, 32));
}

type Part = "block" | "end";

function nonceOf(part: Part, index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(part === "block" ? 0 : 1, 0);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

function seal(key: Uint8Array, part: Part, index: number, plain: Uint8Array): Buffer {
  const nonce = nonceOf(part, index);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(nonce);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when a single bit is not as it was written. */
function unseal(key: Uint8Array, part: Part, index: number, sealed: Uint8Array): Buffer {
  if (sealed.length < tagBytes) throw new Error("a block is cut off");
  const nonce = nonceOf(part, index);
  const body = sealed.subarray(0, sealed.length - tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(nonce).setAuthTag(sealed.subarray(sealed.length - tagBytes));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

/** Size of the plaintext in a sealed file of `fileBytes`, or null when no plaintext gives that size. */
export function plainBytes(fileBytes: number): number | null {
  const sealed = fileBytes - endBytes;
  if (sealed < 0) return null;
  const blocks = Math.ceil(sealed / sealedBlockBytes);
  const plain = sealed - blocks * tagBytes;
  return plain < 0 || Math.ceil(plain / blockBytes) !== blocks ? null : plain;
}

/** Writes one sealed file from pieces of any size. */
export class SealedWriter {
  readonly #file: FileHandle;
  readonly #key: Uint8Array;
  #held: Buffer = Buffer.alloc(0);
  #blocks = 0;
  #bytes = 0;

  constructor(file: FileHandle, key: Uint8Array) {
    this.#file = file;
    this.#key = key;
  }

  /** Plaintext taken so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async write(piece: Uint8Array): Promise<void> {
    this.#bytes += piece.length;
    const data = this.#held.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#held, piece]);
    const out: Buffer[] = [];
    let at = 0;
    for (; data.length - at >= blockBytes; at += blockBytes) {
      out.push(seal(this.#key, "block", this.#blocks++, data.subarray(at, at + blockBytes)));
    }
    this.#held = Buffer.from(data.subarray(at));
    if (out.length > 0) await this.#append(Buffer.concat(out));
  }

  /** Seals the rest and the size, brings them to the disk and closes the file. */
  async finish(): Promise<void> {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(this.#bytes));
    const out: Buffer[] = [];
    if (this.#held.length > 0) out.push(seal(this.#key, "block", this.#blocks++, this.#held));
    out.push(seal(this.#key, "end", this.#blocks, size));
    await this.#append(Buffer.concat(out));
    await this.#file.sync();
    await this.#file.close();
  }

  /** Closes the file unfinished: it can never be read. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
  }

  async #append(data: Buffer): Promise<void> {
    for (let at = 0; at < data.length; ) {
      const { bytesWritten } = await this.#file.write(data, at, data.length - at);
      at += bytesWritten;
    }
  }
}

/**
 * Plaintext [start, end) of a sealed file whose plaintext has `bytes`. Checks the end before the first byte is given.
 * Throws a plain error on any damage; the caller knows the file's name.
 */
export async function* readSealed(
  file: FileHandle,
  key: Uint8Array,
  bytes: number,
  start: number,
  end: number,
): AsyncIterable<Uint8Array> {
  const blocks = Math.ceil(bytes / blockBytes);
  const { size: fileBytes } = await file.stat();
  if (plainBytes(fileBytes) !== bytes) throw new Error("its size is not what was written");
  const size = unseal(key, "end", blocks, await readExactly(file, fileBytes - endBytes, endBytes));
  if (size.readBigUInt64BE() !== BigInt(bytes)) throw new Error("its size is not what was written");
  for (let index = Math.floor(start / blockBytes); index * blockBytes < end; index++) {
    const from = index * blockBytes;
    const length = Math.min(blockBytes, bytes - from);
    const plain = unseal(key, "block", index, await readExactly(file, index * sealedBlockBytes, length + tagBytes));
    yield plain.subarray(Math.max(0, start - from), Math.min(length, end - from));
  }
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) throw new Error("it is cut off");
    read += bytesRead;
  }
  return buffer;
}
