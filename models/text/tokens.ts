/**
 * What a text encoder knows of each token in its place, for late interaction (Khattab and Zaharia 2020, ColBERT, §3.2): the
 * states that are pooled into the text's vector anyway.
 */

/** A text's vector, and its tokens without marks and prefix. */
export interface TextReading {
  readonly vector: Float32Array;
  /** The whole word that each token is a piece of, as the tokenizer folds it. */
  readonly words: readonly string[];
  /** States, one row a token: unit length about the centre (`centreOf`). */
  readonly states: Float32Array;
}

/**
 * Plain sentences whose tokens say where the middle of the space is: token states of one encoder share most of their
 * direction (e5-small: the mean has a length of .76), and signs about zero would tell tokens apart by the rest alone.
 */
export const centreTexts = [
  "I went to the market this morning and bought bread, apples and some cheese for dinner.",
  "Thanks for the pictures! The children look so happy, when did you take them?",
  "The train to the city leaves at half past eight, so we should meet at the station.",
  "My sister started a new job last month and she really likes her colleagues.",
  "We are planning a trip to the mountains in July, would you like to join us?",
  "Please find the invoice attached, the amount is due within thirty days.",
  "He broke his arm while playing football and had to stay in hospital for two days.",
  "I have been reading a book about music history, it is more interesting than I thought.",
  "The weather was terrible, it rained all weekend and the river flooded the road.",
  "Our dog ran away yesterday, but a neighbour found her in the park.",
  "She painted the kitchen yellow and put up new shelves for the plates.",
  "Congratulations on your exam! I am proud of how hard you worked for it.",
] as const;

/** Mean of token states, each taken at unit length. `states`: rows of `dimension` numbers. */
export function centreOf(states: readonly Float32Array[], dimension: number): Float32Array {
  const centre = new Float32Array(dimension);
  let count = 0;
  for (const rows of states) {
    for (let start = 0; start < rows.length; start += dimension) {
      const scale = 1 / lengthOf(rows, start, dimension);
      for (let d = 0; d < dimension; d++) centre[d] = (centre[d] ?? 0) + (rows[start + d] ?? 0) * scale;
      count++;
    }
  }
  return centre.map((sum) => sum / Math.max(1, count));
}

/** Rows at unit length, moved by the centre, at unit length again. */
export function centred(rows: Float32Array, centre: Float32Array): Float32Array {
  const dimension = centre.length;
  const result = new Float32Array(rows.length);
  for (let start = 0; start < rows.length; start += dimension) {
    const scale = 1 / lengthOf(rows, start, dimension);
    for (let d = 0; d < dimension; d++) result[start + d] = (rows[start + d] ?? 0) * scale - (centre[d] ?? 0);
    const again = 1 / lengthOf(result, start, dimension);
    for (let d = 0; d < dimension; d++) result[start + d] = (result[start + d] ?? 0) * again;
  }
  return result;
}

function lengthOf(rows: Float32Array, start: number, dimension: number): number {
  let square = 0;
  for (let d = 0; d < dimension; d++) square += (rows[start + d] ?? 0) ** 2;
  return Math.max(Math.sqrt(square), 1e-12);
}

/** The whole word of each piece; WordPiece marks what goes on with "##" (Wu et al. 2016, §4.1). */
export function wholeWords(pieces: readonly string[]): string[] {
  const words: string[] = [];
  for (let from = 0; from < pieces.length; ) {
    let to = from + 1;
    while (pieces[to]?.startsWith("##")) to++;
    const word = pieces
      .slice(from, to)
      .map((piece, at) => (at === 0 ? piece : piece.slice(2)))
      .join("");
    for (; from < to; from++) words.push(word);
  }
  return words;
}
