import { leadOf } from "./budget.ts";
import type { Evidence, LanguageModel, Priority } from "./ports.ts";

/**
 * Pointwise relevance by query likelihood (Ponte and Croft 1998; with a language model as the reader, Sachan et al. 2022,
 * UPR): how likely the model finds the question once it has read the record. Nothing is generated, so nothing can be
 * malformed, and a record can say what it likes about itself.
 */

const system = "Write the question that this memory record answers.";

/** Most tokens of one record: what a model is slow to read is cut after whole sentences. */
const recordTokens = 256;

/** "8 May 2023 Ada: text [photo: caption]". */
export function recordLine({ day, author, text, captions }: Evidence): string {
  const head = [day === null ? null : spelled(day), author].filter((part) => part !== null).join(" ");
  const photos = captions.map((caption) => `[photo: ${caption}]`);
  return [head === "" ? "" : `${head}:`, text.trim(), ...photos].filter((part) => part !== "").join(" ");
}

/** A day as people write it: models have read it so far more often than as numbers. */
function spelled(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** Mean log-probability of the question's tokens after one record; higher is more relevant. */
export async function questionLikelihood(
  model: LanguageModel,
  input: { readonly question: string; readonly record: Evidence; readonly priority: Priority },
  signal?: AbortSignal,
): Promise<number> {
  const line = await leadOf(model, recordLine(input.record), recordTokens, signal);
  const turns = [
    { role: "system", text: system },
    { role: "user", text: line },
  ] as const;
  const [tokens] = await model.score({ turns, texts: [input.question], priority: input.priority }, signal);
  if (!tokens || tokens.length === 0) return 0;
  return tokens.reduce((sum, value) => sum + value, 0) / tokens.length;
}

/** How many of the first stage's records are looked at: most of the gain for two fifths of the time of 24. */
export const relevanceDepth = 10;

export interface Ranked {
  readonly id: number;
  /** First stage's score and calibrated probability. */
  readonly score: number;
  readonly probability: number;
}

export interface Refined<R> {
  /** The first `relevanceDepth` in their new order, then the others as they were. */
  readonly ranked: readonly R[];
  /** Mean log-probability of the question by record id, of those that were looked at. */
  readonly likelihoods: ReadonlyMap<number, number>;
}

/**
 * Puts the first records of an answer into a better order: a second or two for each on a small computer, so in the
 * background, behind an answer that is already there. A cancelled one changes nothing.
 *
 * @param input.records best first
 */
export async function refineOrder<R extends Ranked & Evidence>(
  model: LanguageModel,
  input: { readonly question: string; readonly records: readonly R[]; readonly priority: Priority },
  signal?: AbortSignal,
): Promise<Refined<R>> {
  const { question, priority } = input;
  const first = input.records.slice(0, relevanceDepth);
  const likelihoods = new Map<number, number>();
  for (const record of first) {
    likelihoods.set(record.id, await questionLikelihood(model, { question, record, priority }, signal));
  }
  const mixed = mixByLikelihood(
    first,
    first.map(({ id }) => likelihoods.get(id) ?? 0),
  );
  return { ranked: [...mixed, ...input.records.slice(relevanceDepth)], likelihoods };
}

/** Half first stage, half likelihood, each as z-values within the question's records; best first. */
export function mixByLikelihood<R extends Ranked>(records: readonly R[], likelihoods: readonly number[]): R[] {
  const first = zValues(records.map(({ score }) => score));
  const second = zValues(likelihoods);
  const mixed = new Map(records.map((record, i) => [record, (first[i] ?? 0) + (second[i] ?? 0)]));
  return [...records].sort((a, b) => (mixed.get(b) ?? 0) - (mixed.get(a) ?? 0));
}

/** Standardised values; all 0 when they do not differ. */
export function zValues(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length));
  return values.map((value) => (spread > 1e-9 ? (value - mean) / spread : 0));
}
