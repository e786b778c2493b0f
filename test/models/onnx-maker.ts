/** Writes small ONNX models as tests need them: the few messages of onnx.proto, by the wire format of protocol buffers. */

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return Buffer.from(bytes);
}

const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
function bytes(field: number, value: Uint8Array | string): Buffer {
  const content = typeof value === "string" ? Buffer.from(value, "utf8") : value;
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}
const message = (field: number, ...parts: Buffer[]) => bytes(field, Buffer.concat(parts));

const kinds = { float: 1, int64: 7 } as const;

export interface Value {
  readonly name: string;
  readonly kind: keyof typeof kinds;
  /** A name stands for a size that is not fixed. */
  readonly dims: readonly (number | string)[];
}

export interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Integers and lists of integers. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface Weights {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

export interface SmallGraph {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly nodes: readonly Node[];
  readonly weights?: readonly Weights[];
  readonly metadata?: Readonly<Record<string, string>>;
}

const value = (field: number, { name, kind, dims }: Value) =>
  message(
    field,
    bytes(1, name),
    message(
      2,
      message(
        1,
        number(1, kinds[kind]),
        message(2, ...dims.map((dim) => message(1, typeof dim === "number" ? number(1, dim) : bytes(2, dim)))),
      ),
    ),
  );

const node = ({ op, inputs, outputs, attributes = {} }: Node) =>
  message(
    1,
    ...inputs.map((name) => bytes(1, name)),
    ...outputs.map((name) => bytes(2, name)),
    bytes(4, op),
    ...Object.entries(attributes).map(([name, content]) =>
      typeof content === "number"
        ? message(5, bytes(1, name), number(3, content), number(20, 2))
        : message(5, bytes(1, name), ...content.map((one) => number(8, one)), number(20, 7)),
    ),
  );

const tensor = ({ name, dims, data }: Weights) =>
  message(
    5,
    ...dims.map((dim) => number(1, dim)),
    number(2, kinds.float),
    bytes(8, name),
    bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  );

/** ModelProto of IR version 8, operator set 13. */
export function smallOnnx({ inputs, outputs, nodes, weights = [], metadata = {} }: SmallGraph): Buffer {
  const graph = message(
    7,
    ...nodes.map(node),
    bytes(2, "small"),
    ...weights.map(tensor),
    ...inputs.map((one) => value(11, one)),
    ...outputs.map((one) => value(12, one)),
  );
  const properties = Object.entries(metadata).map(([key, text]) => message(14, bytes(1, key), bytes(2, text)));
  return Buffer.concat([number(1, 8), graph, message(8, bytes(1, ""), number(2, 13)), ...properties]);
}

/** Numbers in −1 … 1 that look like nothing, the same on every run. */
export function weights(name: string, dims: readonly number[], seed: number): Weights {
  let state = seed;
  const data = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  });
  return { name, dims, data };
}
