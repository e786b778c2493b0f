import { UnderstoryError } from "#contract";
import type { LanguageModel } from "./ports.ts";

/**
 * What goes into a context. Nothing is ever cut in its middle: whole blocks are left out, the lowest rank first, and the
 * caller is told which.
 */

/** Tokens that a chat template adds around its turns, with room to spare. */
const templateTokens = 64;

export interface Fitted<B> {
  /** In the order in which they were given. */
  readonly kept: readonly B[];
  readonly leftOut: readonly B[];
}

/**
 * The blocks that fit beside fixed text and answer, best first as given. A block that does not fit is left out with all
 * behind it, so that a short weak one never takes the place of a long strong one.
 */
export async function fitBlocks<B extends { readonly text: string }>(
  model: LanguageModel,
  input: { readonly blocks: readonly B[]; readonly fixed: readonly string[]; readonly answerTokens: number },
  signal?: AbortSignal,
): Promise<Fitted<B>> {
  const texts = [...input.fixed, ...input.blocks.map(({ text }) => `${text}\n`)];
  const counts = await model.count({ texts }, signal);
  const fixed = counts.slice(0, input.fixed.length).reduce((sum, count) => sum + count, 0);
  let free = model.contextTokens - templateTokens - input.answerTokens - fixed;
  if (free < 0) {
    throw new UnderstoryError("limit_exceeded", "The question is too long for the language model.", {
      details: { contextTokens: model.contextTokens },
    });
  }
  const blocks = counts.slice(input.fixed.length);
  let kept = 0;
  for (; kept < blocks.length; kept++) {
    const size = blocks[kept] ?? 0;
    if (size > free) break;
    free -= size;
  }
  return { kept: input.blocks.slice(0, kept), leftOut: input.blocks.slice(kept) };
}

/** The beginning of a text of at most so many tokens, whole sentences where there are any, else whole words. */
export async function leadOf(
  model: LanguageModel,
  text: string,
  tokens: number,
  signal?: AbortSignal,
): Promise<string> {
  // A token is hardly ever shorter than a character: most texts need no counting.
  if (text.length <= tokens) return text;
  // No token is longer than some 16 letters on average: what is longer cannot fit, and need not be counted.
  let lead = text.slice(0, tokens * 16);
  for (;;) {
    const [count = 0] = await model.count({ texts: [lead] }, signal);
    if (count <= tokens) return lead;
    lead = shorter(lead, Math.floor((lead.length * tokens) / count));
    if (lead.length === 0) return lead;
  }
}

/** At most `most` characters of a text, ending after its last sentence, word or character within them. */
function shorter(text: string, most: number): string {
  const part = text.slice(0, Math.max(0, Math.min(most, text.length - 1)));
  const sentence = /^[\s\S]*[.!?。！？](?=\s|$)/u.exec(part)?.[0];
  if (sentence !== undefined && sentence.length > most / 2) return sentence;
  return /^[\s\S]*\S(?=\s)/u.exec(part)?.[0] ?? part.replace(/[\ud800-\udbff]$/, "");
}
