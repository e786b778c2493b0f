import { setImmediate } from "node:timers/promises";
import { UnderstoryError } from "#contract";

/** Weights of a network, row-major. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1);
}

export function unsupported(what: string): UnderstoryError {
  return new UnderstoryError("model_unsupported", `These weights cannot be converted: ${what}.`, {
    hint: "Nothing was installed. Another source of the model may have a file that needs no conversion.",
  });
}

/** The tensor with its axes in another order: axis `i` of the result is axis `order[i]` of this one. */
export function transpose({ shape, data }: Tensor, order: readonly number[]): Tensor {
  const sides = order.map((axis) => shape[axis] ?? 1);
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const steps = order.map((axis) => strides[axis] ?? 0);
  const result = new Float32Array(data.length);
  const index = new Array<number>(order.length).fill(0);
  let from = 0;
  for (let to = 0; to < result.length; to++) {
    result[to] = data[from] ?? 0;
    for (let axis = order.length - 1; axis >= 0; axis--) {
      const next = (index[axis] ?? 0) + 1;
      from += steps[axis] ?? 0;
      if (next < (sides[axis] ?? 1)) {
        index[axis] = next;
        break;
      }
      from -= next * (steps[axis] ?? 0);
      index[axis] = 0;
    }
  }
  return { shape: sides, data: result };
}

/** The same numbers in another shape of the same size. */
export function reshape({ data }: Tensor, shape: readonly number[]): Tensor {
  if (sizeOf(shape) !== data.length) throw unsupported("a tensor has another size than the network needs");
  return { shape, data };
}

/** Looks tensors up by name. */
export function finder(tensors: ReadonlyMap<string, Tensor>): (name: string) => Tensor {
  return (name) => {
    const found = tensors.get(name);
    if (!found) throw unsupported(`there is no ${name}`);
    return found;
  };
}

/** Lets the rest of the process go on: a conversion works for a second or two, one tensor between two breaths. */
export async function breathe(): Promise<void> {
  await setImmediate();
}
