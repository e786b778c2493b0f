import { MapiProps, types } from "./mapi.ts";
import { broken, type Node, type NodeDatabase } from "./ndb.ts";

/** Tables and properties of an Outlook data file (MS-PST §2.3). */

const maxLevels = 8;
const maxRecords = 200_000;
/** One value above this is left out. */
const maxValue = 128 * 1024 * 1024;

/** The data of a node as a heap (MS-PST §2.3.1), with the sub-nodes in which large values lie. */
class Heap {
  readonly #blocks: readonly Buffer[];
  readonly #db: NodeDatabase;
  readonly #sub: ReadonlyMap<number, Node>;

  constructor(db: NodeDatabase, blocks: readonly Buffer[], sub: ReadonlyMap<number, Node>) {
    this.#db = db;
    this.#blocks = blocks;
    this.#sub = sub;
    if (blocks[0] === undefined || blocks[0].length < 12 || blocks[0][2] !== 0xec) throw broken("a heap is none");
  }

  get kind(): number {
    return this.#blocks[0]?.[3] ?? 0;
  }

  get root(): number {
    return this.#blocks[0]?.readUInt32LE(4) ?? 0;
  }

  /** An item of the heap. */
  item(id: number): Buffer {
    if (id === 0) return Buffer.alloc(0);
    const wide = this.#db.largePages;
    const index = (id >>> 5) & (wide ? 0x3fff : 0x7ff);
    const block = this.#blocks[id >>> (wide ? 19 : 16)];
    if (block === undefined || block.length < 2) throw broken("a heap has no such block");
    const map = block.readUInt16LE(0);
    if (map + 4 > block.length || index < 1 || index > block.readUInt16LE(map)) throw broken("a heap has no such item");
    const at = map + 4 + 2 * (index - 1);
    if (at + 4 > block.length) throw broken("the map of a heap is cut off");
    return block.subarray(block.readUInt16LE(at), block.readUInt16LE(at + 2));
  }

  /** A value by its id in the heap or among the sub-nodes. Blocks stay apart, as rows do not cross them. */
  async value(id: number): Promise<Buffer[]> {
    if (id === 0) return [];
    if ((id & 0x1f) === 0) return [this.item(id)];
    const node = this.#sub.get(id);
    if (node === undefined) throw broken("a value is not among its nodes");
    return this.#db.blocks(node.data);
  }

  subNode(id: number): Node | undefined {
    return this.#sub.get(id);
  }

  /** Records of a B-tree on the heap (MS-PST §2.3.2), each its key and its data. */
  records(root: number): Buffer[] {
    const header = this.item(root);
    if (header[0] !== 0xb5 || header.length < 8) throw broken("a tree on a heap is none");
    const key = header[1] ?? 0;
    const size = key + (header[2] ?? 0);
    const records: Buffer[] = [];
    const visit = (id: number, level: number): void => {
      if (id === 0) return;
      const page = this.item(id);
      const each = level === 0 ? size : key + 4;
      for (let at = 0; each > 0 && at + each <= page.length && records.length < maxRecords; at += each) {
        if (level === 0) records.push(page.subarray(at, at + each));
        else visit(page.readUInt32LE(at + key), level - 1);
      }
    };
    visit(header.readUInt32LE(4), Math.min(header[3] ?? 0, maxLevels));
    return records;
  }
}

/** A node's properties (MS-PST §2.3.3), and the nodes that lie below it. */
export interface Properties {
  readonly props: MapiProps;
  readonly sub: ReadonlyMap<number, Node>;
  /** Node that a property of type object is. */
  readonly objects: ReadonlyMap<number, Node>;
  readonly damaged: boolean;
}

/** Bytes of a value that stands in the record itself. */
const small: Readonly<Record<number, number>> = {
  [types.int16]: 2,
  [types.int32]: 4,
  [types.float32]: 4,
  [types.error]: 4,
  [types.boolean]: 1,
};

async function heapOf(db: NodeDatabase, node: Node): Promise<{ heap: Heap; sub: Map<number, Node> }> {
  const sub = await db.subNodes(node.sub);
  return { heap: new Heap(db, await db.blocks(node.data), sub), sub };
}

/** Reads the properties of a node. Values that cannot be read are left out and marked; throws when there are none. */
export async function readProperties(db: NodeDatabase, node: Node): Promise<Properties> {
  const { heap, sub } = await heapOf(db, node);
  if (heap.kind !== 0xbc) throw broken("the properties of a node are none");
  const props = new MapiProps();
  const objects = new Map<number, Node>();
  let damaged = false;
  for (const record of heap.records(heap.root)) {
    if (record.length < 8) continue;
    const id = record.readUInt16LE(0);
    const type = record.readUInt16LE(2);
    try {
      if (small[type] !== undefined) props.set(id, type, record.subarray(4, 4 + small[type]));
      else if (type === types.object) {
        const object = heap.subNode(heap.item(record.readUInt32LE(4)).readUInt32LE(0));
        if (object !== undefined) objects.set(id, object);
      } else props.set(id, type, await wholeValue(heap, record.readUInt32LE(4), type));
    } catch {
      damaged = true;
    }
  }
  return { props, sub, objects, damaged };
}

/** A value as bytes; of several values the first. */
async function wholeValue(heap: Heap, id: number, type: number): Promise<Buffer> {
  const blocks = await heap.value(id);
  const value = blocks.length === 1 && blocks[0] !== undefined ? blocks[0] : Buffer.concat(blocks);
  if (value.length > maxValue) throw broken("a value is larger than any file");
  if ((type & 0x1000) === 0) return value;
  const base = type & 0xfff;
  if (base !== types.unicode && base !== types.string8 && base !== types.binary) return value;
  const count = value.length >= 4 ? value.readUInt32LE(0) : 0;
  if (count === 0) return Buffer.alloc(0);
  return value.subarray(value.readUInt32LE(4), count > 1 ? value.readUInt32LE(8) : value.length);
}

/** Reads the rows of a table (MS-PST §2.3.4) as properties, each with its id. */
export async function readTable(db: NodeDatabase, node: Node): Promise<{ id: number; props: MapiProps }[]> {
  const { heap } = await heapOf(db, node);
  const info = heap.item(heap.root);
  if (info[0] !== 0x7c || info.length < 22) throw broken("a table is none");
  const size = info.readUInt16LE(8);
  const bitmap = info.readUInt16LE(6);
  const columns: Buffer[] = [];
  for (let at = 22; at + 8 <= info.length && columns.length < (info[1] ?? 0); at += 8)
    columns.push(info.subarray(at, at + 8));
  const live = new Set(heap.records(info.readUInt32LE(10)).map((record) => record.readUInt32LE(0)));
  const rows: { id: number; props: MapiProps }[] = [];
  if (size < 8) return rows;
  for (const block of await heap.value(info.readUInt32LE(14))) {
    for (let at = 0; at + size <= block.length && rows.length < maxRecords; at += size) {
      const row = block.subarray(at, at + size);
      const id = row.readUInt32LE(0);
      if (live.has(id)) rows.push({ id, props: await readRow(heap, row, columns, bitmap) });
    }
  }
  return rows;
}

async function readRow(heap: Heap, row: Buffer, columns: readonly Buffer[], bitmap: number): Promise<MapiProps> {
  const props = new MapiProps();
  for (const column of columns) {
    const type = column.readUInt16LE(0);
    const id = column.readUInt16LE(2);
    const at = column.readUInt16LE(4);
    const bytes = column[6] ?? 0;
    const bit = column[7] ?? 0;
    if (((row[bitmap + (bit >> 3)] ?? 0) & (1 << (7 - (bit & 7)))) === 0 || at + bytes > row.length) continue;
    const inline = small[type] !== undefined || type === types.time || type === types.int64;
    try {
      if (inline) props.set(id, type, row.subarray(at, at + bytes));
      else if (bytes === 4) props.set(id, type, await wholeValue(heap, row.readUInt32LE(at), type));
    } catch {
      // One cell that points nowhere does not cost the row.
    }
  }
  return props;
}
