/**
 * Writes ONNX models (`onnx.proto`, proto2) as protobuf's deterministic serialiser does: fields by number, repeated numbers
 * not packed, what is set is written also when it is zero. Only what the builders of this folder need.
 */

type Bytes = Uint8Array;

const encoder = new TextEncoder();

/** Base 128, least significant group first; negative numbers as 64-bit two's complement. */
function varint(value: number): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

/** Wire types: 0 varint, 2 length-delimited. */
const number = (field: number, value: number): Bytes => Uint8Array.from([...varint(field << 3), ...varint(value)]);

function bytes(field: number, content: Bytes): Bytes {
  const head = [...varint((field << 3) | 2), ...varint(content.length)];
  const whole = new Uint8Array(head.length + content.length);
  whole.set(head);
  whole.set(content, head.length);
  return whole;
}

const text = (field: number, value: string): Bytes => bytes(field, encoder.encode(value));

function message(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** `AttributeProto`: a number or list of numbers is an integer one, text is a string. */
export type Attribute = number | readonly number[] | string;

/** AttributeProto.AttributeType. */
const types = { int: 2, string: 3, ints: 7 } as const;

function attribute(name: string, value: Attribute): Bytes {
  if (typeof value === "number") return message([text(1, name), number(3, value), number(20, types.int)]);
  if (typeof value === "string") return message([text(1, name), text(4, value), number(20, types.string)]);
  return message([text(1, name), ...value.map((one) => number(8, one)), number(20, types.ints)]);
}

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

function nodeProto({ op, inputs, output, name, attributes = {} }: OnnxNode): Bytes {
  return message([
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    ...(name === undefined ? [] : [text(3, name)]),
    text(4, op),
    ...Object.keys(attributes)
      .sort()
      .map((key) => bytes(5, attribute(key, attributes[key] ?? 0))),
  ]);
}

/** A constant. `shape` empty: one number. Numbers are little-endian on the wire, as on every machine that we run on. */
export interface Constant {
  readonly shape: readonly number[];
  readonly data: Float32Array | BigInt64Array;
}

/** TensorProto.DataType. */
const elementTypes = { float: 1, int64: 7 } as const;

function tensorProto(name: string, { shape, data }: Constant): Bytes {
  return message([
    ...shape.map((dimension) => number(1, dimension)),
    number(2, data instanceof Float32Array ? elementTypes.float : elementTypes.int64),
    text(8, name),
    bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  ]);
}

/** An input or output; a named dimension is free. */
export interface Port {
  readonly name: string;
  /** Float when left out. */
  readonly element?: keyof typeof elementTypes;
  readonly shape: readonly (number | string)[];
}

function valueInfoProto({ name, shape, element = "float" }: Port): Bytes {
  const dimensions = shape.map((one) => bytes(1, typeof one === "number" ? number(1, one) : text(2, one)));
  const tensor = message([number(1, elementTypes[element]), bytes(2, message(dimensions))]);
  return message([text(1, name), bytes(2, bytes(1, tensor))]);
}

/** Collects the nodes and constants of one graph, in the order in which they are added. */
export class OnnxGraph {
  readonly #nodes: OnnxNode[] = [];
  readonly #constants = new Map<string, Constant>();

  /** Gives the name of its output. */
  node(node: OnnxNode): string {
    this.#nodes.push(node);
    return node.output;
  }

  /** Gives its name. The first constant of a name stays. */
  constant(name: string, constant: Constant): string {
    if (!this.#constants.has(name)) this.#constants.set(name, constant);
    return name;
  }

  /** The file: IR version 8, operator set 13. */
  serialise(name: string, inputs: readonly Port[], outputs: readonly Port[]): Uint8Array {
    const graph = message([
      ...this.#nodes.map((node) => bytes(1, nodeProto(node))),
      text(2, name),
      ...[...this.#constants].map(([key, constant]) => bytes(5, tensorProto(key, constant))),
      ...inputs.map((port) => bytes(11, valueInfoProto(port))),
      ...outputs.map((port) => bytes(12, valueInfoProto(port))),
    ]);
    const operatorSet = message([text(1, ""), number(2, 13)]);
    return message([number(1, 8), bytes(7, graph), bytes(8, operatorSet)]);
  }
}
