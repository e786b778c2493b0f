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

/** Whole numbers from 0 on that stand in a text with a comma between. */
export function numbersIn(text: string): Float64Array {
  let count = text === "" ? 0 : 1;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < zero) count++;
  const numbers = new Float64Array(count);
  let [nth, value] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < zero) {
      numbers[nth++] = value;
      value = 0;
    } else value = value * 10 + code - zero;
  }
  if (count > 0) numbers[nth] = value;
  return numbers;
}
const zero = "0".charCodeAt(0);
