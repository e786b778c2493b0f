import { UnderstoryError } from "#contract";

/** POSIX.1-1988 (ustar) blocks, which npm's packages are made of. */
const blockBytes = 512;
/** Most bytes that are unpacked in search of a member. */
const searchCap = 2 * 1024 ** 3;

function damaged(): UnderstoryError {
  return new UnderstoryError("damaged_file", "The package is not a whole tar archive.");
}

/** A text field of a header: up to the first NUL. */
function text(header: Buffer, from: number, to: number): string {
  const end = header.indexOf(0, from);
  return header.toString("utf8", from, end >= from && end < to ? end : to);
}

/** Size of an entry, bytes: octal digits. */
function sizeOf(header: Buffer): number {
  const digits = text(header, 124, 136).trim();
  if (!/^[0-7]{1,11}$/.test(digits)) throw damaged();
  return Number.parseInt(digits, 8);
}

/** Sum of the header's bytes with its own field read as blanks. */
function isWhole(header: Buffer): boolean {
  let sum = 8 * 0x20;
  for (let i = 0; i < blockBytes; i++) if (i < 148 || i >= 156) sum += header[i] ?? 0;
  return sum === Number.parseInt(text(header, 148, 156).trim(), 8);
}

/** Hands out a stream in pieces of wanted lengths. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #seen = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At most `most` bytes, at least one; null at the end. */
  async next(most: number): Promise<Buffer | null> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) return null;
      this.#rest = value;
      this.#seen += value.length;
      if (this.#seen > searchCap) throw new UnderstoryError("limit_exceeded", "The package unpacks to far too much.");
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** Exactly `length` bytes; null at the end. */
  async exactly(length: number): Promise<Buffer | null> {
    const pieces: Buffer[] = [];
    for (let left = length; left > 0; ) {
      const piece = await this.next(left);
      if (!piece) return null;
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  async *content(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await this.next(left);
      if (!piece) throw damaged();
      left -= piece.length;
      yield piece;
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/**
 * The content of one plain file of a tar stream; null when there is none of this name. Names longer than the header holds
 * are not looked for. Throws `damaged_file`, or `limit_exceeded` for a file over `most` bytes.
 */
export async function readTarMember(
  source: AsyncIterable<Buffer>,
  member: string,
  most: number,
): Promise<AsyncGenerator<Buffer> | null> {
  const pieces = new Pieces(source);
  for (;;) {
    const header = await pieces.exactly(blockBytes);
    // Two blocks of zeros end an archive.
    if (!header || header.every((byte) => byte === 0)) {
      await pieces.close();
      return null;
    }
    if (!isWhole(header)) throw damaged();
    const size = sizeOf(header);
    const prefix = text(header, 257, 263).startsWith("ustar") ? text(header, 345, 500) : "";
    const name = prefix ? `${prefix}/${text(header, 0, 100)}` : text(header, 0, 100);
    const plain = header[156] === 0x30 || header[156] === 0;
    if (plain && name === member) {
      if (size > most) throw new UnderstoryError("limit_exceeded", `${member} is larger than the catalogue says.`);
      return pieces.content(size);
    }
    for await (const _ of pieces.content(Math.ceil(size / blockBytes) * blockBytes)) {
      // Passed over.
    }
  }
}
