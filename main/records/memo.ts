/** Remembers answers that cost a walk over an index, until the version that they were worked out for moves on. */
export function memo<T>(version: () => number): (key: string, compute: () => T) => T {
  let at = -1;
  const answers = new Map<string, { value: T }>();
  const most = 100;
  return (key, compute) => {
    const now = version();
    if (now !== at || answers.size >= most) {
      answers.clear();
      at = now;
    }
    const known = answers.get(key);
    if (known) return known.value;
    const value = compute();
    answers.set(key, { value });
    return value;
  };
}
