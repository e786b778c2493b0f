import { inflateSync } from "node:zlib";
import { UnderstoryError } from "#contract";

/**
 * The lower layers of an Outlook data file (MS-PST §2.2): pages, B-trees, blocks and nodes. It is read here and there,
 * never as a whole; what was read last is kept.
 */

/** Reads bytes [start, end) of the file; fewer at its end. */
export type ReadAt = (start: number, end: number) => Promise<Buffer>;

/** Bytes that blocks are coded with, turned back (MS-PST §5.1, the table mpbbI), in hex. */
const permuted = Buffer.from(
  [
    "47f1b4e60b6a7248854e9eebe2f89453e0bba002e85a09abdbe3bac67cc310dd39059630f53760828cc9134a6b1df3fb",
    "8f2697ca911701c4322d6e3195ffd923d1005e79dc443b1a28c5615720903d83b943be67d2464276c06d5b7eb20f1629",
    "3ca903540dda5ddff6b7c762cd8d06d3695c86d614f7a56675acb1e94521700c879f74a4224c6fbf1f56aa2eb3783350",
    "b0a392bccf191ca763cb1e4d3e4b1b9b4fe7f0eead3ab55904ea40552551e57a893868527bfc27aed7bdfa07f4cc8e5f",
    "ef359c842b15d5773449b6120a7f7188fd9d18417d93d8582ccefe24afdeb836c8a180a69998a82f0e816573e4c2a28a",
    "d4e111d0088b2af2ed9a643fc16cf9ec",
  ].join(""),
  "hex",
);

/** Sizes and places that the kinds of file differ in: ANSI (to 2002), Unicode, and Unicode with pages of 4 KB. */
interface Layout {
  /** Bytes of block ids and places. */
  readonly word: 4 | 8;
  readonly page: 512 | 4096;
  /** Where a page says how many entries it has. */
  readonly count: number;
  readonly nodes: number;
  readonly blocks: number;
  readonly crypt: number;
  /** Bytes of data in a full block. */
  readonly block: number;
}

const ansi: Layout = { word: 4, page: 512, count: 496, nodes: 188, blocks: 196, crypt: 461, block: 8180 };
const unicode: Layout = { word: 8, page: 512, count: 488, nodes: 224, blocks: 240, crypt: 513, block: 8176 };
const large: Layout = { ...unicode, page: 4096, count: 4056, block: 65512 };

/** A node: its data and its sub-nodes. */
export interface Node {
  readonly id: number;
  readonly data: bigint;
  readonly sub: bigint;
  readonly parent: number;
}

const maxLevels = 12;
const keptPages = 1_000;
/** Data of one node above this is not read: no message is larger. */
const maxNodeBytes = 256 * 1024 * 1024;
const maxSubNodes = 20_000;

/** A file that breaks off, or whose tables point nowhere. */
export function broken(what: string): UnderstoryError {
  return new UnderstoryError("damaged_file", `The Outlook data file is damaged: ${what}.`, {
    hint: "What could be read before is kept. Outlook's own repair (scanpst) may help; then import it again.",
  });
}

export class NodeDatabase {
  readonly layout: Layout;
  readonly #read: ReadAt;
  readonly #nodeRoot: number;
  readonly #blockRoot: number;
  readonly #crypt: number;
  readonly #pages = new Map<number, Buffer>();

  private constructor(read: ReadAt, header: Buffer, layout: Layout) {
    this.#read = read;
    this.layout = layout;
    this.#nodeRoot = Number(word(header, layout.nodes, layout.word));
    this.#blockRoot = Number(word(header, layout.blocks, layout.word));
    this.#crypt = header[layout.crypt] ?? 0;
  }

  /** Throws `damaged_file` or `unsupported_format`. */
  static async open(read: ReadAt): Promise<NodeDatabase> {
    const header = await read(0, 1024);
    if (header.length < 564 || header.toString("latin1", 0, 4) !== "!BDN") throw broken("its first bytes are wrong");
    const version = header.readUInt16LE(10);
    const layout = version === 14 || version === 15 ? ansi : version >= 36 ? large : unicode;
    const file = new NodeDatabase(read, header, layout);
    if (file.#crypt > 1) {
      throw new UnderstoryError("unsupported_format", "The Outlook data file is encrypted in a way that is not read.", {
        hint: "In Outlook, move its folders into a new data file without encryption, and import that one.",
      });
    }
    return file;
  }

  /** Larger heap ids in files with large pages (MS-PST leaves them out; files show them). */
  get largePages(): boolean {
    return this.layout.page === 4096;
  }

  async #page(at: number): Promise<Buffer> {
    const known = this.#pages.get(at);
    if (known !== undefined) return known;
    const page = await this.#read(at, at + this.layout.page);
    if (page.length < this.layout.page) throw broken("a table lies behind its end");
    const oldest = this.#pages.keys().next();
    if (this.#pages.size >= keptPages && !oldest.done) this.#pages.delete(oldest.value);
    this.#pages.set(at, page);
    return page;
  }

  /** Entries of a page of a B-tree (MS-PST §2.2.2.7.7.1), and how many levels lie below it. */
  #entries(page: Buffer): { level: number; entries: Buffer[] } {
    const { count, page: size } = this.layout;
    const wide = size === 4096;
    const used = wide ? page.readUInt16LE(count) : (page[count] ?? 0);
    const each = page[count + (wide ? 4 : 2)] ?? 0;
    const level = page[count + (wide ? 5 : 3)] ?? 0;
    if (each < 12 || each > 64) throw broken("a table has entries of no size");
    const entries: Buffer[] = [];
    for (let i = 0; i < used && (i + 1) * each <= count; i++) entries.push(page.subarray(i * each, (i + 1) * each));
    return { level, entries };
  }

  /** The entry whose key is `key`; null when there is none. */
  async #find(root: number, key: bigint): Promise<Buffer | null> {
    const size = this.layout.word;
    let at = root;
    for (let depth = 0; depth < maxLevels; depth++) {
      const { level, entries } = this.#entries(await this.#page(at));
      if (level === 0) return entries.find((entry) => word(entry, 0, size) === key) ?? null;
      const branch = entries.findLast((entry) => word(entry, 0, size) <= key);
      if (branch === undefined) return null;
      at = Number(word(branch, 2 * size, size));
    }
    return null;
  }

  /** All nodes of the file, in the order of their ids; pages that cannot be read are counted. */
  async *nodes(lost: { pages: number }): AsyncGenerator<Node> {
    const open: { at: number; depth: number }[] = [{ at: this.#nodeRoot, depth: 0 }];
    const seen = new Set<number>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next.at) || next.depth > maxLevels) continue;
      seen.add(next.at);
      try {
        const { level, entries } = this.#entries(await this.#page(next.at));
        if (level === 0) for (const entry of entries) yield this.#node(entry);
        else
          for (const entry of entries.reverse())
            open.push({ at: Number(word(entry, 2 * this.layout.word, this.layout.word)), depth: next.depth + 1 });
      } catch (error) {
        if (!(error instanceof UnderstoryError) || error.code !== "damaged_file") throw error;
        lost.pages++;
      }
    }
  }

  #node(entry: Buffer): Node {
    const { word: size } = this.layout;
    return {
      id: entry.readUInt32LE(0),
      data: word(entry, size, size),
      sub: word(entry, 2 * size, size),
      parent: entry.readUInt32LE(3 * size),
    };
  }

  async node(id: number): Promise<Node | null> {
    const entry = await this.#find(this.#nodeRoot, BigInt(id));
    return entry === null ? null : this.#node(entry);
  }

  /** Where a block lies in the file; null when no table knows it. */
  async placeOf(block: bigint): Promise<{ at: number; bytes: number } | null> {
    const entry = await this.#find(this.#blockRoot, block & ~1n);
    if (entry === null) return null;
    const { word: size } = this.layout;
    return { at: Number(word(entry, size, size)), bytes: entry.readUInt16LE(2 * size) };
  }

  async #block(id: bigint): Promise<Buffer> {
    const place = await this.placeOf(id);
    if (place === null) throw broken("a block is not in its table");
    let bytes = await this.#read(place.at, place.at + place.bytes);
    if (bytes.length < place.bytes) throw broken("a block lies behind its end");
    if (this.largePages && bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0) {
      const entry = await this.#find(this.#blockRoot, id & ~1n);
      const whole = entry?.readUInt16LE(18) ?? place.bytes;
      if (whole !== place.bytes) bytes = inflateSync(bytes, { maxOutputLength: 1024 * 1024 });
    }
    if (this.#crypt === 0 || (id & 2n) !== 0n) return bytes;
    const plain = Buffer.allocUnsafe(bytes.length);
    for (let i = 0; i < bytes.length; i++) plain[i] = permuted[bytes[i] ?? 0] ?? 0;
    return plain;
  }

  /** The data blocks of a node (MS-PST §2.2.2.8.3), in order. */
  async blocks(id: bigint): Promise<Buffer[]> {
    if (id === 0n) return [];
    const blocks: Buffer[] = [];
    let bytes = 0;
    const visit = async (at: bigint, depth: number): Promise<void> => {
      const block = await this.#block(at);
      if ((at & 2n) === 0n) {
        bytes += block.length;
        if (bytes > maxNodeBytes) throw broken("one of its nodes is larger than any message");
        blocks.push(block);
        return;
      }
      if (block[0] !== 1 || depth > 2) throw broken("a list of blocks is none");
      const { word: size } = this.layout;
      const count = block.readUInt16LE(2);
      for (let i = 0; i < count && 8 + (i + 1) * size <= block.length; i++) {
        await visit(word(block, 8 + i * size, size), depth + 1);
      }
    };
    await visit(id, 0);
    return blocks;
  }

  /** The sub-nodes of a node (MS-PST §2.2.2.8.3.3), by id. */
  async subNodes(id: bigint): Promise<Map<number, Node>> {
    const found = new Map<number, Node>();
    const visit = async (at: bigint, depth: number): Promise<void> => {
      if (at === 0n || depth > 2) return;
      const block = await this.#block(at);
      if (block[0] !== 2) throw broken("a list of nodes is none");
      const { word: size } = this.layout;
      const first = size === 8 ? 8 : 4;
      const leaf = block[1] === 0;
      const each = leaf ? 3 * size : 2 * size;
      const count = block.readUInt16LE(2);
      for (let i = 0; i < count && first + (i + 1) * each <= block.length && found.size < maxSubNodes; i++) {
        const entry = block.subarray(first + i * each);
        if (!leaf) await visit(word(entry, size, size), depth + 1);
        else {
          const node = entry.readUInt32LE(0);
          found.set(node, { id: node, data: word(entry, size, size), sub: word(entry, 2 * size, size), parent: 0 });
        }
      }
    };
    await visit(id, 0);
    return found;
  }
}

function word(bytes: Buffer, at: number, size: 4 | 8): bigint {
  if (at + size > bytes.length) throw broken("a value is cut off");
  return size === 8 ? bytes.readBigUInt64LE(at) : BigInt(bytes.readUInt32LE(at));
}
