import type { EmbedBatch } from "#models/text/embed.ts";
import { backgroundTokens } from "./limits.ts";
import type { Priority } from "./ports.ts";

/** The list in parts of `size`, with where each begins. */
export function* slices<T>(items: readonly T[], size: number): Generator<{ start: number; part: readonly T[] }> {
  for (let start = 0; start < items.length; start += size) yield { start, part: items.slice(start, start + size) };
}

/**
 * Parts of a batch that are short enough for a question to wait for; a question's own stays whole. Results do not depend on
 * the company of a text, so any part may be run by itself. `start` is added to the positions.
 */
export function cutBatch(batch: EmbedBatch, start: number, priority: Priority): EmbedBatch[] {
  const longest = Math.max(...batch.tokens.map((ids) => ids.length));
  const size = priority === "question" ? batch.tokens.length : Math.max(1, Math.floor(backgroundTokens / longest));
  return [...slices(batch.tokens, size)].map(({ start: first, part }) => ({
    tokens: part,
    positions: batch.positions.slice(first, first + size).map((position) => position + start),
  }));
}

/** Puts what a batch gave where its texts stood in the caller's list. */
export function placeFound<Found>(results: Found[], positions: readonly number[], found: readonly Found[]): void {
  positions.forEach((position, i) => {
    const one = found[i];
    if (one !== undefined) results[position] = one;
  });
}
