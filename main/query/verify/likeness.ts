/** Letters of a text that are compared: an edit distance costs their product. */
const compared = 240;

/**
 * How much of two texts' beginnings is the same letter for letter: 1 − edit distance ÷ the longer length (Levenshtein 1966),
 * without regard to case, white space and punctuation. 0–1; 1 when both are empty. What is below `least` may be told as 0,
 * and is found in a fraction of the time: most texts differ in more letters than they could have been changed in, and of the
 * others only the cells near the diagonal are worked out (Ukkonen 1985).
 */
export function likeness(a: string, b: string, least = 0): number {
  return likenessOfPlain(plain(a), plain(b), least);
}

/** The same of what `plain` gives. */
export function likenessOfPlain(x: string, y: string, least = 0): number {
  const longer = Math.max(x.length, y.length);
  if (longer === 0) return 1;
  // So different in length that no edit could make up for it.
  if (Math.min(x.length, y.length) < longer / 2) return 0;
  // One more than the distance may be, so that rounding decides nothing here.
  const most = Math.min(longer, Math.ceil((1 - least) * longer) + 1);
  if (Math.abs(x.length - y.length) > most || lettersApart(x, y) > most) return 0;
  const far = longer + 1;
  let row = Uint16Array.from({ length: y.length + 1 }, (_, at) => (at <= most ? at : far));
  let next = new Uint16Array(y.length + 1);
  for (let i = 1; i <= x.length; i++) {
    const letter = x.charCodeAt(i - 1);
    const [from, to] = [Math.max(1, i - most), Math.min(y.length, i + most)];
    let left = from === 1 ? i : far;
    next[from - 1] = left;
    let above = row[from - 1] ?? 0;
    for (let j = from; j <= to; j++) {
      const change = letter === y.charCodeAt(j - 1) ? above : above + 1;
      above = row[j] ?? 0;
      const edit = Math.min(above, left) + 1;
      left = Math.min(change, edit);
      next[j] = left;
    }
    if (to < y.length) next[to + 1] = far;
    [row, next] = [next, row];
  }
  const distance = row[y.length] ?? 0;
  return distance > most ? 0 : 1 - distance / longer;
}

/** Letters that one has more than the other, however they stand: never more than their edit distance. */
function lettersApart(x: string, y: string): number {
  const counts = new Int16Array(128);
  const count = (text: string, by: number) => {
    for (let at = 0; at < text.length; at++) {
      const place = text.charCodeAt(at) & 127;
      counts[place] = (counts[place] ?? 0) + by;
    }
  };
  count(x, 1);
  count(y, -1);
  let [more, less] = [0, 0];
  for (const one of counts) {
    if (one > 0) more += one;
    else less -= one;
  }
  return Math.max(more, less);
}

/** What is compared of a text. */
export const plain = (text: string): string =>
  text
    .slice(0, 2 * compared)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, compared);
