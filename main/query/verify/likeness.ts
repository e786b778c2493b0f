/** Letters of a text that are compared: an edit distance costs their product. */
const compared = 240;

/**
 * How much of two texts' beginnings is the same letter for letter: 1 − edit distance ÷ the longer length (Levenshtein 1966),
 * without regard to case, white space and punctuation. 0–1; 1 when both are empty.
 */
export function likeness(a: string, b: string): number {
  const [x, y] = [plain(a), plain(b)];
  const longer = Math.max(x.length, y.length);
  if (longer === 0) return 1;
  // So different in length that no edit could make up for it.
  if (Math.min(x.length, y.length) < longer / 2) return 0;
  let row = Uint16Array.from({ length: y.length + 1 }, (_, at) => at);
  let next = new Uint16Array(y.length + 1);
  for (let i = 1; i <= x.length; i++) {
    const letter = x.charCodeAt(i - 1);
    let left = i;
    next[0] = i;
    let above = row[0] ?? 0;
    for (let j = 1; j <= y.length; j++) {
      const change = letter === y.charCodeAt(j - 1) ? above : above + 1;
      above = row[j] ?? 0;
      const edit = Math.min(above, left) + 1;
      left = Math.min(change, edit);
      next[j] = left;
    }
    [row, next] = [next, row];
  }
  return 1 - (row[y.length] ?? 0) / longer;
}

const plain = (text: string): string =>
  text
    .slice(0, 2 * compared)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, compared);
