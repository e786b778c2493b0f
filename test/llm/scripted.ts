import type { GenerateInput, LanguageModel } from "#main/llm/ports.ts";

export interface ScriptedModel extends LanguageModel {
  /** What was asked, in order. */
  readonly asked: GenerateInput[];
}

/**
 * A language model that says what it is told to, one answer after the other (the last again and again), in pieces of a few
 * letters. Probabilities are the share of the turn's words that a text has.
 */
export function scripted(answers: readonly unknown[], contextTokens = 4096): ScriptedModel {
  const asked: GenerateInput[] = [];
  const words = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const told = (input: { turns: GenerateInput["turns"] }) =>
    new Set(words(input.turns.map(({ text }) => text).join(" ")));
  return {
    asked,
    modelId: "scripted@1",
    contextTokens,
    parameters: 3_000_000_000,
    async *generate(input) {
      const answer = answers[Math.min(asked.length, answers.length - 1)];
      asked.push(input);
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      for (let at = 0; at < text.length; at += 3) yield text.slice(at, at + 3);
    },
    score: async (input) =>
      input.texts.map((text) => Float64Array.from(words(text), (word) => (told(input).has(word) ? -0.1 : -5))),
    choose: async ({ answers: given }) => given.map((_, i) => (i === 0 ? 0.8 : 0.2 / (given.length - 1))),
    count: async ({ texts }) => texts.map((text) => Math.ceil(text.length / 4)),
  };
}

/** A record in a few words. */
export const evidence = (id: number, text: string, more: { day?: string; author?: string } = {}) => ({
  id,
  day: more.day ?? "2024-05-08",
  author: more.author ?? "Ada",
  text,
  captions: [],
});
