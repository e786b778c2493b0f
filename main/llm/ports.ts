/** What the tasks need of a language model. They know no worker and no library: a scripted one serves as well. */

export interface Turn {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** `question`: a person waits; goes before all background work. */
export type Priority = "question" | "background";

/** The part of JSON Schema that an answer is held to while it is written; every string and list is bounded. */
export type AnswerShape =
  | { readonly type: "object"; readonly properties: Readonly<Record<string, AnswerShape>> }
  | { readonly type: "array"; readonly items: AnswerShape; readonly minItems?: number; readonly maxItems: number }
  | { readonly type: "string"; readonly maxLength: number }
  | { readonly type: "boolean" }
  | { readonly enum: readonly (string | number | boolean | null)[] };

export interface GenerateInput {
  readonly turns: readonly Turn[];
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  readonly shape?: AnswerShape;
  /** 0 (default): the same answer each time. Above, `seed` makes it repeatable. */
  readonly temperature?: number;
  readonly seed?: number;
  readonly priority: Priority;
}

/**
 * Every method throws `model_missing`, `memory_short`, `limit_exceeded` (more tokens than the context holds), `cancelled`
 * or `worker_crashed`. Texts are data: nothing in them counts as a mark of the model's chat template.
 */
export interface LanguageModel {
  /** Key of all that is derived with it. */
  readonly modelId: string;
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number;
  /** Weights of the network: prompts are chosen by it. */
  readonly parameters: number;
  /** Pieces of text as they are written. */
  generate(input: GenerateInput, signal?: AbortSignal): AsyncIterable<string>;
  /** Natural logarithms of the probability of each token, for each text that the model's next turn may be. */
  score(
    input: { readonly turns: readonly Turn[]; readonly texts: readonly string[]; readonly priority: Priority },
    signal?: AbortSignal,
  ): Promise<Float64Array[]>;
  /** Probability of each answer to be the model's next turn, the given ones together making 1. */
  choose(
    input: { readonly turns: readonly Turn[]; readonly answers: readonly string[]; readonly priority: Priority },
    signal?: AbortSignal,
  ): Promise<number[]>;
  /** Tokens of each text. */
  count(input: { readonly texts: readonly string[] }, signal?: AbortSignal): Promise<number[]>;
}

/** A record as a task sees it: what a person wrote or a picture shows, quoted, never obeyed. */
export interface Evidence {
  readonly id: number;
  /** Local day, `YYYY-MM-DD`, or null. */
  readonly day: string | null;
  readonly author: string | null;
  readonly text: string;
  /** What pictures of it show. */
  readonly captions: readonly string[];
}

/** Weights that a model must have for a listwise task; smaller ones copy ids or give empty lists (measured). */
export const listwiseParameters = 3_000_000_000;
