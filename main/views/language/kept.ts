/**
 * What one function keeps: values of sentences, not of whole letters, and about as many as the rounds of one question read.
 * All are dropped where there are more.
 */
const most = { length: 1_000, letters: 400_000, texts: 8_000 } as const;

/**
 * A pure function of a text and of little else, with its last values in memory: the stages of a question read the same
 * sentences, each for itself and in every round. `key` says what else the value depends on.
 */
export function kept<Rest extends readonly unknown[], T>(
  key: (...rest: Rest) => string,
  make: (text: string, ...rest: Rest) => T,
): (text: string, ...rest: Rest) => T {
  const known = new Map<string, Map<string, { readonly value: T }>>();
  let letters = 0;
  let texts = 0;
  return (text, ...rest) => {
    if (text.length > most.length) return make(text, ...rest);
    const by = key(...rest);
    const found = known.get(by)?.get(text);
    if (found !== undefined) return found.value;
    const value = make(text, ...rest);
    letters += text.length;
    texts++;
    if (letters > most.letters || texts > most.texts) {
      known.clear();
      [letters, texts] = [text.length, 1];
    }
    const own = known.get(by) ?? new Map<string, { readonly value: T }>();
    known.set(by, own.set(text, { value }));
    return value;
  };
}
