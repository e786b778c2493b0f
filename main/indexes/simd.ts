import { UnderstoryError } from "#contract";

/**
 * Two loops over rows of bytes in 128-bit steps (WebAssembly SIMD), which plain script takes five to ten times as long for:
 * Hamming distances of all rows, and products of chosen rows with a vector. They are written out as instructions below, so
 * that nothing has to be built; both go through the same list of parameters.
 */

/** LEB128. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  leave: (depth: number) => [0x0c, depth],
  leaveIf: (depth: number) => [0x0d, depth],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  tee: (local: number) => [0x22, local],
  const: (value: number) => [0x41, value],
  load: [0x28, 2, 0],
  store: [0x36, 2, 0],
  storeAt: (offset: number) => [0x36, 2, ...leb(offset)],
  isZero: [0x45],
  less: [0x49],
  add: [0x6a],
  subtract: [0x6b],
  multiply: [0x6c],
  shiftLeft: [0x74],
  loadVector: (offset: number) => [0xfd, 0x00, 4, ...leb(offset)],
  zeroVector: [0xfd, 0x0c, ...Array<number>(16).fill(0)],
  lane: (at: number) => [0xfd, 0x1b, at],
  xor: [0xfd, 0x51],
  popcount: [0xfd, 0x62],
  /** i8x16 to i16x8, i16x8 to i32x4: sums of neighbours. */
  pairs8: [0xfd, 0x7d],
  pairs16: [0xfd, 0x7f],
  low8: [0xfd, 0x87, 0x01],
  high8: [0xfd, 0x88, 0x01],
  add16: [0xfd, 0x8e, 0x01],
  add32: [0xfd, 0xae, 0x01],
  dot16: [0xfd, 0xba, 0x01],
} as const;

/** Places in memory, but `count` and `stride`: a row is `stride` bytes, a multiple of 16. Instead of `indices` distances have `most`. */
const [query, indices, base, count, stride, out, row, at, sum, codes] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const most = indices;

const advance = (local: number, by: readonly number[]) => [...op.get(local), ...by, ...op.add, ...op.set(local)];
const lanes = [1, 2, 3].flatMap((lane) => [...op.get(sum), ...op.lane(lane), ...op.add]);

/** `body` for each of `count` rows. */
const forRows = (body: readonly number[]) => [
  ...op.block,
  ...op.loop,
  ...op.get(count),
  ...op.isZero,
  ...op.leaveIf(1),
  ...body,
  ...op.get(count),
  ...op.const(1),
  ...op.subtract,
  ...op.set(count),
  ...op.leave(0),
  ...op.end,
  ...op.end,
];

/** `body`, which has the sum so far below it and leaves the next one, for each 16 bytes of a row. */
const forSteps = (body: readonly number[]) => [
  ...op.zeroVector,
  ...op.set(sum),
  ...op.const(0),
  ...op.set(at),
  ...op.loop,
  ...op.get(sum),
  ...body,
  ...op.set(sum),
  ...op.get(at),
  ...op.const(16),
  ...op.add,
  ...op.tee(at),
  ...op.get(stride),
  ...op.less,
  ...op.leaveIf(0),
  ...op.end,
];

/**
 * Each row against the query, from `base` on: the places of those that differ in at most `most` bits, and in how many; where
 * they end, at `place.indices`. A row is short enough to have its steps written out.
 */
const distances = (width: number) => [
  ...forRows([
    ...op.zeroVector,
    ...Array.from({ length: width / 16 }, (_, step) => [
      ...[...op.get(base), ...op.loadVector(step * 16), ...op.get(query), ...op.loadVector(step * 16)],
      ...[...op.xor, ...op.popcount, ...op.pairs8, ...op.add16],
    ]).flat(),
    ...[...op.pairs16, ...op.tee(sum), ...op.lane(0), ...lanes, ...op.set(row)],
    // Every row is written down, and the next one over it where it is too far: a branch would cost more.
    ...[...op.get(out), ...op.get(base), ...op.store, ...op.get(out), ...op.get(row), ...op.storeAt(4)],
    ...advance(out, [...op.get(most), ...op.get(row), ...op.less, ...op.isZero, ...op.const(3), ...op.shiftLeft]),
    ...advance(base, op.get(stride)),
  ]),
  ...[...op.get(query), ...op.get(out), ...op.storeAt(place.indices)],
];

/** Rows by their numbers at `indices`, int8, times the query, int16: 32 bits a row. */
const queryPart = (offset: number) => [
  ...[...op.get(query), ...op.get(at), ...op.const(1), ...op.shiftLeft, ...op.add, ...op.loadVector(offset)],
  ...[...op.dot16, ...op.add32],
];
const products = forRows([
  ...[...op.get(base), ...op.get(indices), ...op.load, ...op.get(stride), ...op.multiply, ...op.add, ...op.set(row)],
  ...forSteps([
    ...[...op.get(row), ...op.get(at), ...op.add, ...op.loadVector(0), ...op.tee(codes), ...op.low8, ...queryPart(0)],
    ...[...op.get(codes), ...op.high8, ...queryPart(16)],
  ]),
  ...[...op.get(out), ...op.get(sum), ...op.lane(0), ...lanes, ...op.store],
  ...advance(out, op.const(4)),
  ...advance(indices, op.const(4)),
]);

const sized = (bytes: readonly number[]): number[] => [...leb(bytes.length), ...bytes];

const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
const name = (text: string) => sized([...Buffer.from(text)]);
const int = 0x7f;
const vector = 0x7b;
/** Two more of either kind: row and at, sum and codes. */
const body = (code: readonly number[]) => sized([2, 2, int, 2, vector, ...code, ...op.end]);

const code = (width: number) =>
  new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 6, ...Array<number>(6).fill(int), 0]),
    ...section(2, [1, ...name("rows"), ...name("memory"), 2, 0, 1]),
    ...section(3, [2, 0, 0]),
    ...section(7, [2, ...name("distances"), 0, 0, ...name("products"), 0, 1]),
    ...section(10, [2, ...body(distances(width)), ...body(products)]),
  ]);

/** By the width of rows. */
const compiled = new Map<number, WebAssembly.Module>();

/** Compiled when the first vectors come, so that an archive without any opens on every processor. */
function loops(width: number): WebAssembly.Module {
  try {
    const made = compiled.get(width) ?? new WebAssembly.Module(code(width));
    compiled.set(width, made);
    return made;
  } catch (cause) {
    throw new UnderstoryError("model_unsupported", "This processor lacks the 128-bit instructions that vectors need.", {
      hint: "Nothing was changed. Open the archive on a machine with SSE4.1 or NEON: all of about the last fifteen years.",
      cause,
    });
  }
}

type Loop = (query: number, indicesOrMost: number, base: number, count: number, stride: number, out: number) => void;

/** Where the query, numbers of rows and results stand before the rows, and how many fit. */
const place = { query: 0, indices: 16_384, out: 24_576, rows: 40_960 } as const;
const atOnce = { distances: 2_048, products: 2_048 } as const;
/** Bytes of a row: a query of as many 16-bit numbers has to fit before the numbers of rows. */
const mostStride = (place.indices - place.query) / 2;
const pageBytes = 65_536;
/** Pages that memory may grow to: 4 GB. */
const mostPages = 65_536;

/** Rows of equal length in memory of their own, which grows without being copied. */
export class Rows {
  readonly #stride: number;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: mostPages });
  readonly #distances: Loop;
  readonly #products: Loop;
  #bytes: Uint8Array;

  /** @param width bytes of a row, at most 8,192. Errors: `model_unsupported` where the processor cannot run the loops. */
  constructor(width: number) {
    this.#stride = Math.ceil(width / 16) * 16;
    if (this.#stride > mostStride) throw new UnderstoryError("internal", `A row of ${width} bytes is too long.`);
    const { exports } = new WebAssembly.Instance(loops(this.#stride), { rows: { memory: this.#memory } });
    this.#distances = loopOf(exports.distances);
    this.#products = loopOf(exports.products);
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }

  set(at: number, bytes: Uint8Array): void {
    const start = place.rows + at * this.#stride;
    if (start + this.#stride > this.#bytes.length) {
      const pages = Math.ceil((start + this.#stride) / pageBytes);
      const more = Math.min(mostPages, Math.ceil(pages * 1.1) + 4) - this.#bytes.length / pageBytes;
      this.#memory.grow(more);
      this.#bytes = new Uint8Array(this.#memory.buffer);
    }
    this.#bytes.set(bytes, start);
  }

  /** The row itself, until the next one is set. */
  get(at: number, width: number): Uint8Array {
    const start = place.rows + at * this.#stride;
    return this.#bytes.subarray(start, start + width);
  }

  /** The first `wanted` of `count` rows by rising number of bits in which they differ from `bits`; of equal ones the earlier. */
  nearest(bits: Uint8Array, count: number, wanted: number): number[] {
    if (count === 0) return [];
    this.#bytes.fill(0, place.query, place.query + this.#stride);
    this.#bytes.set(bits, place.query);
    const most = Math.min(count, wanted);
    const near = new Int32Array(this.#memory.buffer, place.out, atOnce.distances * 2);
    const end = new Int32Array(this.#memory.buffer, place.indices, 1);
    // How many of each distance have been met, and the distance up to which they are enough: those beyond need not be kept.
    const histogram = new Uint32Array(this.#stride * 8 + 1);
    let cut = this.#stride * 8;
    const rows: number[] = [];
    const distances: number[] = [];
    for (let from = 0; from < count; from += atOnce.distances) {
      const some = Math.min(atOnce.distances, count - from);
      this.#distances(place.query, cut, place.rows + from * this.#stride, some, this.#stride, place.out);
      const found = ((end[0] ?? 0) - place.out) / 4;
      for (let at = 0; at < found; at += 2) {
        const distance = near[at + 1] ?? 0;
        rows.push(((near[at] ?? 0) - place.rows) / this.#stride);
        distances.push(distance);
        histogram[distance] = (histogram[distance] ?? 0) + 1;
      }
      if (rows.length < most || found === 0) continue;
      cut = 0;
      for (let seen = histogram[0] ?? 0; seen < most; seen += histogram[cut] ?? 0) cut++;
    }
    // Where the rows of each distance begin among the nearest: they stand in the order of their numbers already.
    const starts = new Uint32Array(cut + 2);
    for (let distance = 0; distance <= cut; distance++)
      starts[distance + 1] = (starts[distance] ?? 0) + (histogram[distance] ?? 0);
    const nearest: number[] = Array(starts[cut + 1] ?? 0).fill(0);
    for (let at = 0; at < rows.length; at++) {
      const distance = distances[at] ?? 0;
      if (distance > cut) continue;
      nearest[starts[distance] ?? 0] = rows[at] ?? 0;
      starts[distance] = (starts[distance] ?? 0) + 1;
    }
    return nearest.slice(0, most);
  }

  /** Products of int8 rows, by their numbers, with a vector as long as them. Errors are below 1e-4 of the largest possible one. */
  products(vector: Float32Array, rows: readonly number[]): Float32Array {
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    // The largest scale at which no sum leaves 32 bits.
    const scale = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * vector.length))) / (largest || 1);
    const query = new Int16Array(this.#memory.buffer, place.query, this.#stride);
    query.fill(0);
    for (let at = 0; at < vector.length; at++) query[at] = Math.round((vector[at] ?? 0) * scale);
    const result = new Float32Array(rows.length);
    const numbers = new Int32Array(this.#memory.buffer, place.indices, atOnce.products);
    const sums = new Int32Array(this.#memory.buffer, place.out, atOnce.products);
    for (let from = 0; from < rows.length; from += atOnce.products) {
      const some = Math.min(atOnce.products, rows.length - from);
      for (let at = 0; at < some; at++) numbers[at] = rows[from + at] ?? 0;
      this.#products(place.query, place.indices, place.rows, some, this.#stride, place.out);
      for (let at = 0; at < some; at++) result[from + at] = (sums[at] ?? 0) / scale;
    }
    return result;
  }

  /** Products of the first `count` int8 rows (at most 2,048) with one another, row by row; exact. */
  pairs(count: number): Int32Array {
    const result = new Int32Array(count ** 2);
    const query = new Int16Array(this.#memory.buffer, place.query, this.#stride);
    const numbers = new Int32Array(this.#memory.buffer, place.indices, atOnce.products);
    const sums = new Int32Array(this.#memory.buffer, place.out, atOnce.products);
    for (let row = 0; row < count; row++) numbers[row] = row;
    for (let row = 0; row < count; row++) {
      query.set(new Int8Array(this.#memory.buffer, place.rows + row * this.#stride, this.#stride));
      // Each pair once: the rows before this one have been compared with it.
      this.#products(place.query, place.indices + 4 * row, place.rows, count - row, this.#stride, place.out);
      for (let other = row; other < count; other++) {
        const product = sums[other - row] ?? 0;
        result[row * count + other] = product;
        result[other * count + row] = product;
      }
    }
    return result;
  }
}

/** Rows for one comparison, used again by the next: V8 reserves 8 GB of addresses for each `Rows`, until it is collected. */
export class ScratchRows {
  #width = -1;
  #rows: Rows | null = null;

  /** Rows of that width; what the last comparison set is still there. */
  of(width: number): Rows {
    if (this.#rows === null || this.#width !== width) this.#rows = new Rows(width);
    this.#width = width;
    return this.#rows;
  }
}

function loopOf(exported: WebAssembly.ExportValue | undefined): Loop {
  if (typeof exported !== "function") throw new Error("The compiled loops are not there.");
  return (...places) => void exported(...places);
}
