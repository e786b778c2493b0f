import { readStoredZip } from "./stored-zip.ts";
import { breathe, sizeOf, type Tensor, unsupported } from "./tensor.ts";
import { halfToNumber } from "./tfjs.ts";
import { type Pickled, PickledCall, PickledDictionary, PickledName, PickledReference, unpickle } from "./unpickle.ts";

/** Reads the tensors of a torch checkpoint (`torch.save` of a state dictionary), its legacy form and its zip form. */

const rebuild = "torch._utils _rebuild_tensor_v2";
/** Numbers of a storage: bytes of one, and how it is read. Those that no network of ours needs come as nothing. */
const storages: Readonly<Record<string, { width: number; read: (view: DataView, at: number) => number }>> = {
  "torch FloatStorage": { width: 4, read: (view, at) => view.getFloat32(at, true) },
  "torch DoubleStorage": { width: 8, read: (view, at) => view.getFloat64(at, true) },
  "torch HalfStorage": { width: 2, read: (view, at) => halfToNumber(view.getUint16(at, true)) },
  "torch IntStorage": { width: 4, read: (view, at) => view.getInt32(at, true) },
  "torch LongStorage": { width: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
};
const allowed = new Set(["collections OrderedDict", rebuild, ...Object.keys(storages)]);
const zipStart = [0x50, 0x4b, 0x03, 0x04];

interface Storage {
  readonly key: string;
  readonly type: string;
}
interface Described {
  readonly storage: Storage;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** The tensors by name. Throws `model_unsupported` for anything else than a whole checkpoint of plain tensors. */
export async function readCheckpoint(bytes: Uint8Array): Promise<Map<string, Tensor>> {
  return zipStart.every((byte, i) => bytes[i] === byte) ? readZipped(bytes) : readLegacy(bytes);
}

async function readZipped(bytes: Uint8Array): Promise<Map<string, Tensor>> {
  const members = readStoredZip(bytes);
  const [path, description] = [...members].find(([name]) => name.endsWith("/data.pkl")) ?? [];
  if (path === undefined || description === undefined) throw unsupported("they have no description");
  const folder = path.slice(0, -"data.pkl".length);
  const described = describe(unpickle(description, 0, allowed).value);
  return build(described, bytes.length, (key) => members.get(`${folder}data/${key}`) ?? new Uint8Array(0));
}

/** Three pickles about the format and the machine, the dictionary, the keys of the storages, then the storages. */
async function readLegacy(bytes: Uint8Array): Promise<Map<string, Tensor>> {
  let at = 0;
  const next = (): Pickled => {
    const { value, end } = unpickle(bytes, at, allowed);
    at = end;
    return value;
  };
  for (let i = 0; i < 3; i++) next();
  const described = describe(next());
  const keys = next();
  if (!Array.isArray(keys)) throw unsupported("they name no storages");
  const widths = new Map(
    [...described.values()].map(({ storage }) => [storage.key, storages[storage.type]?.width ?? 0]),
  );
  const content = new Map<string, Uint8Array>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const key of keys) {
    const width = typeof key === "string" ? widths.get(key) : undefined;
    if (typeof key !== "string" || width === undefined || at + 8 > bytes.length) {
      throw unsupported("a storage is missing or nobody's");
    }
    const length = Number(view.getBigUint64(at, true)) * width;
    at += 8;
    if (at + length > bytes.length) throw unsupported("they end too early");
    content.set(key, bytes.subarray(at, at + length));
    at += length;
  }
  return build(described, bytes.length, (key) => content.get(key) ?? new Uint8Array(0));
}

function describe(value: Pickled): Map<string, Described> {
  if (!(value instanceof PickledDictionary)) throw unsupported("they are no dictionary of tensors");
  const found = new Map<string, Described>();
  for (const [name, tensor] of value.entries) {
    if (typeof name !== "string") throw unsupported("a tensor has no name");
    if (!(tensor instanceof PickledCall) || tensor.name !== rebuild) throw unsupported(`${name} is not a plain tensor`);
    const [reference = null, offset = null, shape = null, strides = null] = tensor.args;
    found.set(name, {
      storage: storageOf(reference),
      offset: whole(offset),
      shape: wholes(shape),
      strides: wholes(strides),
    });
  }
  return found;
}

/** ("storage", type, key, device, number of elements, which is told again beside the numbers). */
function storageOf(reference: Pickled): Storage {
  const id = reference instanceof PickledReference ? reference.id : null;
  const [kind, type, key] = Array.isArray(id) ? id : [];
  if (kind !== "storage" || !(type instanceof PickledName) || !(type.name in storages) || typeof key !== "string") {
    throw unsupported("a tensor has no storage");
  }
  return { key, type: type.name };
}

function whole(value: Pickled): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw unsupported("a size is no number");
  return value;
}

function wholes(value: Pickled): number[] {
  if (!Array.isArray(value) || value.length > 8) throw unsupported("a tensor has no shape");
  return value.map(whole);
}

/** `most`: numbers that all tensors may have together, since strides of zero and shared storages could ask for any amount. */
async function build(
  described: ReadonlyMap<string, Described>,
  most: number,
  contentOf: (key: string) => Uint8Array,
): Promise<Map<string, Tensor>> {
  const tensors = new Map<string, Tensor>();
  let left = most;
  for (const [name, { storage, offset, shape, strides }] of described) {
    const type = storages[storage.type];
    const content = contentOf(storage.key);
    if (!type || strides.length !== shape.length) throw unsupported(`${name} has no layout`);
    const count = sizeOf(shape);
    left -= count;
    if (!(left >= 0)) throw unsupported("their tensors have more numbers than the file has bytes");
    const last = offset + shape.reduce((sum, side, axis) => sum + (side - 1) * (strides[axis] ?? 0), 0);
    if (count > 0 && !((last + 1) * type.width <= content.length))
      throw unsupported(`${name} reaches beyond its storage`);
    await breathe();
    tensors.set(name, { shape, data: gather(content, type, { count, offset, shape, strides }) });
  }
  return tensors;
}

function gather(
  content: Uint8Array,
  { width, read }: { width: number; read: (view: DataView, at: number) => number },
  { count, offset, shape, strides }: { count: number } & Omit<Described, "storage">,
): Float32Array {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const data = new Float32Array(count);
  const index = new Array<number>(shape.length).fill(0);
  let at = offset;
  for (let i = 0; i < count; i++) {
    data[i] = read(view, at * width);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const next = (index[axis] ?? 0) + 1;
      at += strides[axis] ?? 0;
      if (next < (shape[axis] ?? 1)) {
        index[axis] = next;
        break;
      }
      at -= next * (strides[axis] ?? 0);
      index[axis] = 0;
    }
  }
  return data;
}
