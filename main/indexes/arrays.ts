type Column = Uint8Array | Int8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Room for `count` values and some more. */
export const larger = (count: number): number => Math.max(1_024, Math.ceil((count + 1) * 1.25));

/** `next` with what `old` held. */
export function grown<T extends Column>(next: T, old: T): T {
  next.set(old);
  return next;
}

/** Place of the first of `count` rising values that is not below `value`. */
export function placeOf(values: Float64Array | Int32Array, count: number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
