/**
 * Inflate (RFC 1951) that can stop between two symbols and go on from there later. Node's own cannot say where it is, and
 * without that a file in the middle of a packed archive could only be read by unpacking all that stands before it.
 */

/** Bytes that a copy may reach back. */
export const windowBytes = 32 * 1024;
/** Longest copy of one symbol. */
const maxCopy = 258;
/** Bits that one symbol with its extra bits takes at most: 15 + 5 + 15 + 13. */
const maxSymbolBits = 48;

const numbers = (list: string): number[] => list.split(" ").map(Number);

/** Lengths and distances by their symbols, and how many more bits follow (§3.2.5). */
const lengthBase = Uint16Array.from(
  numbers("3 4 5 6 7 8 9 10 11 13 15 17 19 23 27 31 35 43 51 59 67 83 99 115 131 163 195 227 258"),
);
const lengthExtra = Uint8Array.from(numbers("0 0 0 0 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 0"));
const distanceBase = Uint16Array.from(
  numbers(
    "1 2 3 4 5 7 9 13 17 25 33 49 65 97 129 193 257 385 513 769 1025 1537 2049 3073 4097 6145 8193 12289 16385 24577",
  ),
);
const distanceExtra = Uint8Array.from(numbers("0 0 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 12 12 13 13"));
/** Order in which the lengths of the code for lengths are written (§3.2.7). */
const codeOrder = Uint8Array.from(numbers("16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15"));

/** Where a stream stands between two symbols, and all that is needed to go on from there. */
export interface InflateState {
  /** Bits of the packed stream that are used up. */
  readonly bit: number;
  readonly mode: "header" | "stored" | "codes" | "end";
  readonly last: boolean;
  /** Bytes left of a stored block. */
  readonly stored: number;
  /** Lengths of the codes of the block; empty outside of one. */
  readonly literals: Uint8Array;
  readonly distances: Uint8Array;
  /** The last bytes given. */
  readonly window: Uint8Array;
}

export const inflateStart: InflateState = {
  bit: 0,
  mode: "header",
  last: false,
  stored: 0,
  literals: new Uint8Array(0),
  distances: new Uint8Array(0),
  window: new Uint8Array(0),
};

export class InflateError extends Error {}

/** A table by the next 15 bits: the symbol in the upper bits, its length in the lower four; 0 where no code begins so. */
function tableOf(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(16);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const next = new Uint16Array(16);
  let code = 0;
  for (let length = 1; length < 16; length++) {
    code = (code + (counts[length - 1] ?? 0)) << 1;
    next[length] = code;
    if (code + (counts[length] ?? 0) > 1 << length) throw new InflateError("its codes are over-subscribed");
  }
  const table = new Uint16Array(1 << 15);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    let bits = next[length] ?? 0;
    next[length] = bits + 1;
    let reversed = 0;
    for (let at = 0; at < length; at++, bits >>>= 1) reversed = (reversed << 1) | (bits & 1);
    for (let at = reversed; at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return table;
}

const fixedLiterals = Uint8Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8));
const fixedDistances = new Uint8Array(30).fill(5);

/** Unpacks one deflate stream. Bytes go in by `feed`, out by `take`; `run` works until it lacks the one or room for the other. */
export class Inflater {
  #input: Uint8Array = new Uint8Array(0);
  #at = 0;
  #hold = 0;
  #held = 0;
  /** Bytes of the stream before `#input`. */
  #before = 0;
  #final = false;
  #mode: InflateState["mode"];
  #last: boolean;
  #stored: number;
  #literals: Uint8Array;
  #distances: Uint8Array;
  #literalTable: Uint16Array | null = null;
  #distanceTable: Uint16Array | null = null;
  /** The window, then what is not taken yet. */
  readonly #output: Uint8Array;
  #from: number;
  #to: number;

  /** `capacity`: bytes that may wait to be taken. The first bytes fed are those at `state.bit` (rounded down to a byte). */
  constructor(state: InflateState, capacity: number) {
    this.#output = new Uint8Array(windowBytes + capacity + maxCopy);
    this.#output.set(state.window);
    this.#from = state.window.length;
    this.#to = this.#from;
    this.#before = Math.floor(state.bit / 8);
    this.#skip = state.bit % 8;
    this.#mode = state.mode;
    this.#last = state.last;
    this.#stored = state.stored;
    this.#literals = state.literals;
    this.#distances = state.distances;
    if (state.mode === "codes") this.#makeTables();
  }

  /** Bits of the first byte that are used up already. */
  #skip: number;

  /** More of the packed stream; `final`: there is no more after it. */
  feed(bytes: Uint8Array, final = false): void {
    this.#unread();
    const rest = this.#input.subarray(this.#at);
    this.#before += this.#at;
    this.#at = 0;
    this.#input = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    this.#final = final;
    if (this.#skip > 0 && this.#input.length > 0) {
      this.#hold = (this.#input[this.#at++] ?? 0) >>> this.#skip;
      this.#held = 8 - this.#skip;
      this.#skip = 0;
    }
  }

  get ended(): boolean {
    return this.#mode === "end";
  }

  get waiting(): number {
    return this.#to - this.#from;
  }

  /** What is behind the stream's end, of the bytes that were fed. */
  rest(): Uint8Array {
    this.#unread();
    return this.#input.subarray(this.#at);
  }

  /** Gives whole bytes back that were taken from the input and not used. */
  #unread(): void {
    const bytes = this.#held >>> 3;
    this.#at -= bytes;
    this.#held -= 8 * bytes;
    this.#hold &= (1 << this.#held) - 1;
  }

  state(): InflateState {
    return {
      bit: 8 * (this.#before + this.#at) - this.#held,
      mode: this.#mode,
      last: this.#last,
      stored: this.#stored,
      literals: this.#literals,
      distances: this.#distances,
      window: this.#output.slice(Math.max(0, this.#to - windowBytes), this.#to),
    };
  }

  /** What was unpacked since the last call. Valid until the next `run`. */
  take(): Uint8Array {
    const bytes = this.#output.subarray(this.#from, this.#to);
    this.#from = this.#to;
    return bytes;
  }

  /** Gives "input" when it lacks bytes, "output" when `capacity` bytes wait to be taken, "end". Throws `InflateError`. */
  run(): "input" | "output" | "end" {
    if (this.#from > windowBytes) {
      // What was taken goes, but for the window.
      const keep = this.#from - windowBytes;
      this.#output.copyWithin(0, keep, this.#to);
      this.#from -= keep;
      this.#to -= keep;
    }
    for (;;) {
      if (this.#mode === "end") return "end";
      if (this.#to + maxCopy > this.#output.length) return "output";
      if (this.#mode === "header" ? !this.#header() : this.#mode === "stored" ? !this.#copy() : !this.#codes()) {
        if (this.#to + maxCopy > this.#output.length) return "output";
        if (this.#final) throw new InflateError("it ends in the middle");
        return "input";
      }
    }
  }

  #bits(count: number): number {
    while (this.#held < count) {
      this.#hold |= (this.#input[this.#at++] ?? 0) << this.#held;
      this.#held += 8;
    }
    const value = this.#hold & ((1 << count) - 1);
    this.#hold >>>= count;
    this.#held -= count;
    return value;
  }

  #left(): number {
    return 8 * (this.#input.length - this.#at) + this.#held;
  }

  /** The header of a block, once all of it is there: at most 3 + 14 + 19·3 + 320·14 bits. */
  #header(): boolean {
    const enough = this.#left() >= 5000 || (this.#final && this.#left() >= 3);
    if (!enough) return false;
    this.#last = this.#bits(1) === 1;
    const kind = this.#bits(2);
    if (kind === 0) {
      this.#hold >>>= this.#held % 8;
      this.#held -= this.#held % 8;
      const length = this.#bits(16);
      if ((length ^ 0xffff) !== this.#bits(16)) throw new InflateError("a stored block contradicts itself");
      this.#stored = length;
      this.#mode = "stored";
    } else if (kind === 3) throw new InflateError("it has a block of no known kind");
    else {
      this.#literals = kind === 1 ? fixedLiterals : new Uint8Array(0);
      this.#distances = kind === 1 ? fixedDistances : new Uint8Array(0);
      if (kind === 2) this.#dynamic();
      this.#makeTables();
      this.#mode = "codes";
    }
    if (this.#left() < 0) throw new InflateError("it ends in the middle");
    return true;
  }

  #dynamic(): void {
    const literals = this.#bits(5) + 257;
    const distances = this.#bits(5) + 1;
    const codes = this.#bits(4) + 4;
    if (literals > 286 || distances > 30) throw new InflateError("it has more codes than there are");
    const codeLengths = new Uint8Array(19);
    for (let at = 0; at < codes; at++) codeLengths[codeOrder[at] ?? 0] = this.#bits(3);
    const table = tableOf(codeLengths);
    const lengths = new Uint8Array(literals + distances);
    for (let at = 0; at < lengths.length; ) {
      const symbol = this.#symbol(table);
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      const repeats = symbol === 16 ? 3 + this.#bits(2) : symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7);
      if (at + repeats > lengths.length || (symbol === 16 && at === 0)) throw new InflateError("its codes run over");
      lengths.fill(symbol === 16 ? (lengths[at - 1] ?? 0) : 0, at, at + repeats);
      at += repeats;
    }
    this.#literals = lengths.slice(0, literals);
    this.#distances = lengths.slice(literals);
  }

  #makeTables(): void {
    this.#literalTable = tableOf(this.#literals);
    this.#distanceTable = tableOf(this.#distances);
  }

  #symbol(table: Uint16Array): number {
    while (this.#held < 15) {
      this.#hold |= (this.#input[this.#at++] ?? 0) << this.#held;
      this.#held += 8;
    }
    const found = table[this.#hold & 0x7fff] ?? 0;
    const length = found & 15;
    if (length === 0) throw new InflateError("it holds a code that does not exist");
    this.#hold >>>= length;
    this.#held -= length;
    return found >>> 4;
  }

  /** Bytes of a stored block. */
  #copy(): boolean {
    while (this.#stored > 0) {
      const room = this.#output.length - maxCopy - this.#to + 1;
      if (room <= 0) return false;
      if (this.#held > 0) {
        this.#output[this.#to++] = this.#bits(8);
        this.#stored--;
        continue;
      }
      const count = Math.min(this.#stored, room, this.#input.length - this.#at);
      if (count <= 0) return false;
      this.#output.set(this.#input.subarray(this.#at, this.#at + count), this.#to);
      this.#at += count;
      this.#to += count;
      this.#stored -= count;
    }
    this.#mode = this.#last ? "end" : "header";
    return true;
  }

  /** Symbols of a block, as long as there are bits and room. The one hot loop: its state is in local variables. */
  #codes(): boolean {
    const literals = this.#literalTable;
    const distances = this.#distanceTable;
    if (!literals || !distances) throw new InflateError("it has no codes");
    const input = this.#input;
    const output = this.#output;
    const full = output.length - maxCopy;
    /** Before this place a symbol's bits are surely there. At the end the last of them may wait behind zeros read ahead. */
    const safe = this.#final ? input.length + 3 : input.length - maxSymbolBits / 8;
    let at = this.#at;
    let hold = this.#hold;
    let held = this.#held;
    let to = this.#to;
    let fault: string | null = null;
    let over = false;
    while (to <= full && at < safe) {
      while (held < 15) {
        hold |= (input[at++] ?? 0) << held;
        held += 8;
      }
      const found = literals[hold & 0x7fff] ?? 0;
      hold >>>= found & 15;
      held -= found & 15;
      const symbol = found >>> 4;
      if (symbol < 256) {
        if (found === 0) {
          fault = "it holds a code that does not exist";
          break;
        }
        output[to++] = symbol;
        continue;
      }
      if (symbol === 256) {
        over = true;
        break;
      }
      const more = lengthExtra[symbol - 257] ?? 0;
      while (held < more) {
        hold |= (input[at++] ?? 0) << held;
        held += 8;
      }
      const length = (lengthBase[symbol - 257] ?? 0) + (hold & ((1 << more) - 1));
      hold >>>= more;
      held -= more;
      while (held < 15) {
        hold |= (input[at++] ?? 0) << held;
        held += 8;
      }
      const far = distances[hold & 0x7fff] ?? 0;
      hold >>>= far & 15;
      held -= far & 15;
      const extra = distanceExtra[far >>> 4] ?? 0;
      while (held < extra) {
        hold |= (input[at++] ?? 0) << held;
        held += 8;
      }
      const distance = (distanceBase[far >>> 4] ?? 0) + (hold & ((1 << extra) - 1));
      hold >>>= extra;
      held -= extra;
      if (symbol > 285 || far === 0 || far >>> 4 > 29 || distance > to) {
        fault = "it refers to what was never there";
        break;
      }
      const end = to + length;
      if (length > 64 && distance >= length) output.copyWithin(to, to - distance, to - distance + length);
      else for (let from = to - distance; to < end; ) output[to++] = output[from++] ?? 0;
      to = end;
    }
    this.#at = at;
    this.#hold = hold;
    this.#held = held;
    this.#to = to;
    if (fault !== null) throw new InflateError(fault);
    if (this.#left() < 0) throw new InflateError("it ends in the middle");
    if (over) this.#mode = this.#last ? "end" : "header";
    return over;
  }
}
