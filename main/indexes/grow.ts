type Column = Uint8Array | Int8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Room for `count` values and some more. */
export const larger = (count: number): number => Math.max(1_024, Math.ceil((count + 1) * 1.25));

/** `next` with what `old` held. */
export function grown<T extends Column>(next: T, old: T): T {
  next.set(old);
  return next;
}
