/** A storage of a compound file: streams and storages by name. */
export interface Storage {
  readonly streams: ReadonlyMap<string, CfbStream>;
  readonly storages: ReadonlyMap<string, Storage>;
}

export interface CfbStream {
  /** Its bytes; what is missing of a cut file is left out. */
  read(): Buffer;
}

const magic = Buffer.from("d0cf11e0a1b11ae1", "hex");
/** Sector numbers from here on mean: end of chain, free, table (MS-CFB §2.1). */
const lastSector = 0xfffffffa;
const maxEntries = 200_000;
const maxDepth = 32;

/** Whether bytes begin a compound file (MS-CFB). */
export function isCfb(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(8, bytes.byteLength)).equals(magic);
}

interface DirEntry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/**
 * Reads a compound file (MS-CFB): the tree of its storages; streams are read when asked for. Chains that run in a ring,
 * or that together ask for many times the file, end where the cap is. Null when it is none, or its tables are broken.
 */
export function readCfb(bytes: Buffer): Storage | null {
  if (bytes.length < 512 || !isCfb(bytes)) return null;
  try {
    return new Cfb(bytes).tree();
  } catch {
    return null;
  }
}

class Cfb {
  readonly #bytes: Buffer;
  readonly #sector: number;
  readonly #miniSector: number;
  readonly #miniBelow: number;
  readonly #fat: Uint32Array;
  readonly #miniFat: Uint32Array;
  readonly #entries: readonly DirEntry[];
  #mini: Buffer | null = null;
  /** Bytes that may still be read: many streams over one chain are an attack. */
  #budget: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const shift = bytes.readUInt16LE(30);
    const miniShift = bytes.readUInt16LE(32);
    if (shift < 7 || shift > 20 || miniShift > shift) throw new RangeError("sector size");
    this.#sector = 1 << shift;
    this.#miniSector = 1 << miniShift;
    this.#miniBelow = bytes.readUInt32LE(56);
    this.#budget = 8 * bytes.length + 1024 * 1024;
    this.#fat = this.#readFat();
    this.#miniFat = tableOf(this.#chain(bytes.readUInt32LE(60), Number.POSITIVE_INFINITY));
    this.#entries = this.#readEntries();
  }

  #at(sector: number): Buffer {
    const start = (sector + 1) * this.#sector;
    return this.#bytes.subarray(start, start + this.#sector);
  }

  #readFat(): Uint32Array {
    const most = Math.ceil(this.#bytes.length / this.#sector);
    const sectors: number[] = [];
    for (let i = 0; i < 109; i++) sectors.push(this.#bytes.readUInt32LE(76 + 4 * i));
    let next = this.#bytes.readUInt32LE(68);
    for (let hops = 0; next < lastSector && hops < most; hops++) {
      const table = tableOf(this.#at(next));
      sectors.push(...table.subarray(0, -1));
      next = table.at(-1) ?? lastSector;
    }
    const used = sectors.filter((sector) => sector < most).slice(0, most);
    return tableOf(Buffer.concat(used.map((sector) => this.#at(sector))));
  }

  #chain(first: number, size: number): Buffer {
    const pieces: Buffer[] = [];
    let length = 0;
    const most = this.#fat.length;
    for (let sector = first, hops = 0; sector < most && hops < most && length < size; hops++) {
      const piece = this.#at(sector);
      this.#spend(piece.length);
      pieces.push(piece);
      length += piece.length;
      sector = this.#fat[sector] ?? lastSector;
    }
    return Buffer.concat(pieces).subarray(0, Math.min(length, size));
  }

  #miniChain(first: number, size: number): Buffer {
    const [root] = this.#entries;
    this.#mini ??= root === undefined ? Buffer.alloc(0) : this.#chain(root.start, root.size);
    const pieces: Buffer[] = [];
    let length = 0;
    const most = this.#miniFat.length;
    for (let sector = first, hops = 0; sector < most && hops < most && length < size; hops++) {
      const piece = this.#mini.subarray(sector * this.#miniSector, (sector + 1) * this.#miniSector);
      this.#spend(piece.length);
      pieces.push(piece);
      length += piece.length;
      sector = this.#miniFat[sector] ?? lastSector;
    }
    return Buffer.concat(pieces).subarray(0, Math.min(length, size));
  }

  #spend(bytes: number): void {
    this.#budget -= bytes;
    if (this.#budget < 0) throw new RangeError("the streams of the file ask for more than it holds");
  }

  #readEntries(): DirEntry[] {
    const table = this.#chain(this.#bytes.readUInt32LE(48), 128 * maxEntries);
    const entries: DirEntry[] = [];
    for (let at = 0; at + 128 <= table.length; at += 128) {
      const nameBytes = Math.min(64, table.readUInt16LE(at + 64));
      entries.push({
        name: table.toString("utf16le", at, at + Math.max(0, nameBytes - 2)),
        kind: table[at + 66] ?? 0,
        left: table.readUInt32LE(at + 68),
        right: table.readUInt32LE(at + 72),
        child: table.readUInt32LE(at + 76),
        start: table.readUInt32LE(at + 116),
        size: table.readUInt32LE(at + 120),
      });
    }
    return entries;
  }

  tree(): Storage | null {
    const [root] = this.#entries;
    return root?.kind === 5 ? this.#storage(root, new Set([0]), 0) : null;
  }

  /** Members stand in a tree of siblings; an entry that comes a second time is left out. */
  #storage(entry: DirEntry, seen: Set<number>, depth: number): Storage {
    const streams = new Map<string, CfbStream>();
    const storages = new Map<string, Storage>();
    const open = [entry.child];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const member = this.#entries[id];
      if (member === undefined || seen.has(id)) continue;
      seen.add(id);
      open.push(member.left, member.right);
      if (member.kind === 2) streams.set(member.name, { read: () => this.#read(member) });
      else if (member.kind === 1 && depth < maxDepth) storages.set(member.name, this.#storage(member, seen, depth + 1));
    }
    return { streams, storages };
  }

  #read({ start, size }: DirEntry): Buffer {
    return size < this.#miniBelow ? this.#miniChain(start, size) : this.#chain(start, size);
  }
}

function tableOf(bytes: Buffer): Uint32Array {
  const table = new Uint32Array(bytes.length >> 2);
  for (let i = 0; i < table.length; i++) table[i] = bytes.readUInt32LE(4 * i);
  return table;
}
