import { unsupported } from "./tensor.ts";

/**
 * A reader of Python pickles that builds plain values only. A pickle is a program: this one knows no more of it than what
 * torch's checkpoints need, and no name but those of a short list; everything else is refused.
 */

/** A name that a pickle refers to. */
export class PickledName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
/** A call of a name, not carried out. */
export class PickledCall {
  readonly name: string;
  readonly args: readonly Pickled[];
  constructor(name: string, args: readonly Pickled[]) {
    this.name = name;
    this.args = args;
  }
}
/** A reference to something outside the pickle. */
export class PickledReference {
  readonly id: Pickled;
  constructor(id: Pickled) {
    this.id = id;
  }
}
/** A dictionary, ordered or not: a list of pairs. */
export class PickledDictionary {
  readonly entries: [Pickled, Pickled][] = [];
}
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Pickled[]
  | PickledName
  | PickledCall
  | PickledReference
  | PickledDictionary;

const orderedDictionary = "collections OrderedDict";

/** Where the values of the innermost open list or tuple begin. */
const mark = Symbol("mark");

class Cursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  /** The place of the next `length` bytes; they are passed. */
  #pass(length: number): number {
    const from = this.at;
    if (!(length >= 0) || from + length > this.#bytes.length) throw unsupported("their description ends too early");
    this.at += length;
    return from;
  }
  u8 = () => this.#view.getUint8(this.#pass(1));
  u16 = () => this.#view.getUint16(this.#pass(2), true);
  i32 = () => this.#view.getInt32(this.#pass(4), true);
  u32 = () => this.#view.getUint32(this.#pass(4), true);
  u64 = () => Number(this.#view.getBigUint64(this.#pass(8), true));
  f64 = () => this.#view.getFloat64(this.#pass(8), false);
  take(length: number): Uint8Array {
    const from = this.#pass(length);
    return this.#bytes.subarray(from, from + length);
  }
  text = (length: number): string => Buffer.from(this.take(length)).toString("utf8");
  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.at);
    if (end < 0) throw unsupported("their description ends too early");
    const line = this.text(end - this.at);
    this.at = end + 1;
    return line;
  }
  /** Little-endian two's complement of any length. */
  integer(length: number): number | bigint {
    if (length > 256) throw unsupported("a number is far too large");
    let value = 0n;
    for (const byte of this.take(length).toReversed()) value = (value << 8n) | BigInt(byte);
    value = BigInt.asIntN(8 * length, value);
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }
}

/**
 * Reads one pickle (protocols 2 to 5) that begins at `from`. `allowed`: names as "module name". Gives its value and where
 * it ends. Throws `model_unsupported` for everything that is not allowed, cut or malformed. Time and memory are in
 * proportion to the bytes that are read.
 */
export function unpickle(
  bytes: Uint8Array,
  from: number,
  allowed: ReadonlySet<string>,
): { value: Pickled; end: number } {
  const cursor = new Cursor(bytes, from);
  const stack: (Pickled | typeof mark)[] = [];
  const memo = new Map<number, Pickled>();

  const push = (value: Pickled): void => {
    stack.push(value);
  };
  const pop = (): Pickled => {
    const value = stack.pop();
    if (value === undefined || value === mark) throw malformed();
    return value;
  };
  const top = (): Pickled => {
    const value = stack.at(-1);
    if (value === undefined || value === mark) throw malformed();
    return value;
  };
  const toMark = (): Pickled[] => {
    const at = stack.lastIndexOf(mark);
    if (at < 0) throw malformed();
    return stack.splice(at).filter((value) => value !== mark);
  };
  const recall = (key: number): void => {
    const value = memo.get(key);
    if (value === undefined) throw malformed();
    push(value);
  };
  const pushName = (module: Pickled, name: Pickled): void => {
    // Types first: writing out a list that holds itself many times over would take for ever.
    if (typeof module !== "string" || typeof name !== "string") throw malformed();
    const whole = `${module} ${name}`;
    if (!allowed.has(whole)) throw unsupported(`they ask for ${whole.slice(0, 100)}, which is not allowed`);
    push(new PickledName(whole));
  };
  const setItems = (items: readonly Pickled[]): void => {
    const dictionary = top();
    if (!(dictionary instanceof PickledDictionary) || items.length % 2 !== 0) throw malformed();
    for (let i = 0; i < items.length; i += 2) dictionary.entries.push([items[i] ?? null, items[i + 1] ?? null]);
  };
  const append = (items: readonly Pickled[]): void => {
    const list = top();
    if (!Array.isArray(list)) throw malformed();
    for (const item of items) list.push(item);
  };
  const call = (args: Pickled): void => {
    const callee = pop();
    if (!(callee instanceof PickledName) || !Array.isArray(args)) throw malformed();
    push(callee.name === orderedDictionary ? new PickledDictionary() : new PickledCall(callee.name, args));
  };
  const popped = (count: number): Pickled[] => Array.from({ length: count }, pop).reverse();

  for (;;) {
    const code = cursor.u8();
    switch (code) {
      case 0x2e: // STOP
        return { value: pop(), end: cursor.at };
      case 0x80: // PROTO
        if (cursor.u8() > 5) throw malformed();
        break;
      case 0x95: // FRAME
        cursor.u64();
        break;
      case 0x28: // MARK
        stack.push(mark);
        break;
      case 0x30: // POP
        stack.pop();
        break;
      case 0x4e: // NONE
        push(null);
        break;
      case 0x88: // NEWTRUE
      case 0x89: // NEWFALSE
        push(code === 0x88);
        break;
      case 0x4a: // BININT
        push(cursor.i32());
        break;
      case 0x4b: // BININT1
        push(cursor.u8());
        break;
      case 0x4d: // BININT2
        push(cursor.u16());
        break;
      case 0x8a: // LONG1
        push(cursor.integer(cursor.u8()));
        break;
      case 0x47: // BINFLOAT
        push(cursor.f64());
        break;
      case 0x55: // SHORT_BINSTRING
      case 0x8c: // SHORT_BINUNICODE
        push(cursor.text(cursor.u8()));
        break;
      case 0x54: // BINSTRING
      case 0x58: // BINUNICODE
        push(cursor.text(cursor.u32()));
        break;
      case 0x43: // SHORT_BINBYTES
        push(cursor.take(cursor.u8()));
        break;
      case 0x42: // BINBYTES
        push(cursor.take(cursor.u32()));
        break;
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        push([]);
        break;
      case 0x74: // TUPLE
        push(toMark());
        break;
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        push(popped(code - 0x84));
        break;
      case 0x61: // APPEND
        append([pop()]);
        break;
      case 0x65: // APPENDS
        append(toMark());
        break;
      case 0x7d: // EMPTY_DICT
        push(new PickledDictionary());
        break;
      case 0x73: // SETITEM
        setItems(popped(2));
        break;
      case 0x75: // SETITEMS
        setItems(toMark());
        break;
      case 0x63: // GLOBAL
        pushName(cursor.line(), cursor.line());
        break;
      case 0x93: // STACK_GLOBAL
        pushName(...pair(popped(2)));
        break;
      case 0x52: // REDUCE
        call(pop());
        break;
      case 0x62: // BUILD: attributes of an object, which nothing here needs
        pop();
        break;
      case 0x51: // BINPERSID
        push(new PickledReference(pop()));
        break;
      case 0x71: // BINPUT
        memo.set(cursor.u8(), top());
        break;
      case 0x72: // LONG_BINPUT
        memo.set(cursor.u32(), top());
        break;
      case 0x94: // MEMOIZE
        memo.set(memo.size, top());
        break;
      case 0x68: // BINGET
        recall(cursor.u8());
        break;
      case 0x6a: // LONG_BINGET
        recall(cursor.u32());
        break;
      default:
        throw unsupported(`their description has the instruction ${code}, which is not allowed`);
    }
  }
}

function pair([first = null, second = null]: readonly Pickled[]): [Pickled, Pickled] {
  return [first, second];
}

function malformed() {
  return unsupported("their description is malformed");
}
