import type { TokenReading } from "#main/indexes/ports.ts";
import { contentTokens } from "#main/views/language/index.ts";

/** Content tokens of a piece that are kept: of a chat line mostly all (15 on average), of a page its beginning. */
const mostKept = 32;

/** A piece's reading with the tokens that the index keeps, and no others. */
export function keptOf({ vector, words, states }: TokenReading): TokenReading {
  const width = vector.length;
  const places = contentTokens(words, { most: mostKept });
  const kept = new Float32Array(places.length * width);
  for (const [row, at] of places.entries()) kept.set(states.subarray(at * width, (at + 1) * width), row * width);
  return { vector, words: places.map((at) => words[at] ?? ""), states: kept };
}
