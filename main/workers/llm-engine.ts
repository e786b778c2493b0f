import type { GenerateInput, Turn } from "#main/llm/ports.ts";
import type { OpenLlama } from "#native/llama.ts";

/** The methods of `LanguageModel` over one open model, without turns and queues: one call at a time. */

export function generateWith(llama: OpenLlama, input: GenerateInput, signal?: AbortSignal) {
  return llama.generate(llama.render(input.turns), {
    maxTokens: input.maxTokens,
    temperature: input.temperature ?? 0,
    seed: input.seed ?? 0,
    schema: input.shape,
    signal,
  });
}

export async function scoreWith(
  llama: OpenLlama,
  input: { readonly turns: readonly Turn[]; readonly texts: readonly string[] },
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const prefix = llama.render(input.turns);
  const scores: Float64Array[] = [];
  for (const text of input.texts) scores.push(await llama.logLikelihood(prefix, llama.tokenise(text), signal));
  return scores;
}

export async function chooseWith(
  llama: OpenLlama,
  input: { readonly turns: readonly Turn[]; readonly answers: readonly string[] },
  signal?: AbortSignal,
): Promise<number[]> {
  const scores = await scoreWith(llama, { turns: input.turns, texts: input.answers }, signal);
  const sums = scores.map((tokens) => tokens.reduce((sum, value) => sum + value, 0));
  const best = Math.max(...sums);
  const weights = sums.map((sum) => Math.exp(sum - best));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

export const countWith = (llama: OpenLlama, texts: readonly string[]): number[] =>
  texts.map((text) => llama.tokenise(text).length);
