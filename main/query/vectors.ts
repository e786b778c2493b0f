/** Product of two vectors of one length: the cosine of unit vectors. Four sums at once, for thousands of pairs a question. */
export function dot(x: Float32Array, y: Float32Array): number {
  const length = Math.min(x.length, y.length);
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = 0;
  for (; at + 3 < length; at += 4) {
    a += (x[at] ?? 0) * (y[at] ?? 0);
    b += (x[at + 1] ?? 0) * (y[at + 1] ?? 0);
    c += (x[at + 2] ?? 0) * (y[at + 2] ?? 0);
    d += (x[at + 3] ?? 0) * (y[at + 3] ?? 0);
  }
  for (; at < length; at++) a += (x[at] ?? 0) * (y[at] ?? 0);
  return a + b + c + d;
}
