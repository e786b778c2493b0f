import { zipStored } from "./zip.ts";

/** Writes small torch checkpoints, legacy and zip form, as `torch.save` does with protocol 2. */

export interface CheckpointTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Numbers between neighbours of each axis. */
  readonly strides: readonly number[];
  readonly storage: Float32Array;
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from("X"), u32(Buffer.byteLength(value)), Buffer.from(value)]);
const int = (value: number): Buffer => Buffer.concat([Buffer.from("J"), u32(value)]);
const name = (module: string, what: string): Buffer => Buffer.from(`c${module}\n${what}\n`);
const tuple = (...items: Buffer[]): Buffer => Buffer.concat([Buffer.from("("), ...items, Buffer.from("t")]);
const orderedDictionary = Buffer.concat([name("collections", "OrderedDict"), Buffer.from(")R")]);

/** One pickle of this content. */
export const pickle = (content: Buffer): Buffer => Buffer.concat([Buffer.from([0x80, 2]), content, Buffer.from(".")]);

function dictionaryOf(tensors: readonly CheckpointTensor[]): Buffer {
  const items = tensors.map(({ name: key, shape, strides, storage }, i) =>
    Buffer.concat([
      text(key),
      name("torch._utils", "_rebuild_tensor_v2"),
      tuple(
        Buffer.concat([
          tuple(text("storage"), name("torch", "FloatStorage"), text(`${i}`), text("cpu"), int(storage.length)),
          Buffer.from("Q"),
        ]),
        int(0),
        tuple(...shape.map(int)),
        tuple(...strides.map(int)),
        Buffer.from([0x89]),
        orderedDictionary,
      ),
      Buffer.from("R"),
    ]),
  );
  return pickle(Buffer.concat([orderedDictionary, Buffer.from("("), ...items, Buffer.from("u")]));
}

const numbersOf = ({ storage }: CheckpointTensor): Buffer =>
  Buffer.from(storage.buffer, storage.byteOffset, storage.byteLength);

export function legacyCheckpoint(tensors: readonly CheckpointTensor[]): Buffer {
  const keys = pickle(Buffer.concat([Buffer.from("]("), ...tensors.map((_, i) => text(`${i}`)), Buffer.from("e")]));
  const storages = tensors.flatMap((tensor) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(tensor.storage.length));
    return [length, numbersOf(tensor)];
  });
  return Buffer.concat([pickle(int(1)), pickle(int(1001)), pickle(int(0)), dictionaryOf(tensors), keys, ...storages]);
}

export function zippedCheckpoint(tensors: readonly CheckpointTensor[]): Buffer {
  return zipStored({
    "small/data.pkl": dictionaryOf(tensors),
    ...Object.fromEntries(tensors.map((tensor, i) => [`small/data/${i}`, numbersOf(tensor)])),
  });
}
