import type { Entry } from "../types.ts";

/** Bytes fetched at once: headers of neighbouring boxes come in one read. */
const windowBytes = 64 * 1024;
/** Reads of one file after which looking stops: a file of ten million tiny boxes ends here. */
const mostReads = 400;

/**
 * Reads parts of a file without reading the file: a film of 4 GB whose table of contents stands at its end costs some
 * 100 kB. What lies past the end of the file, or past the bound on reads, comes back shorter than asked for.
 */
export class Ranges {
  readonly size: number;
  readonly #entry: Entry;
  readonly #signal: AbortSignal;
  #start = 0;
  #window: Buffer = Buffer.alloc(0);
  #reads = 0;

  constructor(entry: Entry, signal: AbortSignal) {
    this.#entry = entry;
    this.#signal = signal;
    this.size = entry.bytes;
  }

  /** Bytes [start, start + length); fewer where the file ends. Throws what the entry throws. */
  async bytes(start: number, length: number): Promise<Buffer> {
    const from = start - this.#start;
    if (from >= 0 && from + length <= this.#window.length) return this.#window.subarray(from, from + length);
    if (start >= this.size || length <= 0 || this.#reads >= mostReads) return Buffer.alloc(0);
    this.#signal.throwIfAborted();
    this.#reads++;
    const end = Math.min(this.size, start + Math.max(length, windowBytes));
    const parts: Uint8Array[] = [];
    if (start === 0 && length <= 16) parts.push(await this.#entry.head());
    else for await (const chunk of this.#entry.stream({ start, end })) parts.push(chunk);
    this.#window = Buffer.concat(parts);
    this.#start = start;
    return this.#window.subarray(0, length);
  }
}
