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

/**
 * `questionLikelihood` of the first `relevanceDepth` records, in order: a second or two for each on a small computer, so
 * behind an answer that is already there.
 *
 * @param input.records best first
 */
export async function questionLikelihoods(
  model: LanguageModel,
  input: { readonly question: string; readonly records: readonly Evidence[]; readonly priority: Priority },
  signal?: AbortSignal,
): Promise<number[]> {
  const { question, priority } = input;
  const likelihoods: number[] = [];
  for (const record of input.records.slice(0, relevanceDepth)) {
    likelihoods.push(await questionLikelihood(model, { question, record, priority }, signal));
  }
  return likelihoods;
}

/** Standardised values; all 0 when they do not differ. */
export function zValues(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length));
  return values.map((value) => (spread > 1e-9 ? (value - mean) / spread : 0));
}
