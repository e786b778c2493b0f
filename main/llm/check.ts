import { leadOf } from "./budget.ts";
import type { Evidence, LanguageModel, Priority } from "./ports.ts";
import { dataRule, quotedText } from "./task.ts";

/** Answer check (MIRIX §4.7): whether a claim stands in the records that it cites. */

export const checkSettings = {
  recordTokens: 300,
  /** Share of the claim's words that the records must have, when the model is not sure of the opposite. */
  leastOverlap: 0.5,
  leastProbability: 0.5,
} as const;

export interface ClaimCheck {
  /** By both: the words and numbers are there, and the model does not find that they say something else. */
  readonly holds: boolean;
  /** Numbers of the claim that no cited record has. A claim with one never holds. */
  readonly strangeNumbers: readonly string[];
  /** Share of the claim's words that the cited records have, 0–1. */
  readonly overlap: number;
  /** The model's probability that the records say it, 0–1; null without a record. */
  readonly probability: number | null;
}

const system = `Do the records say what the claim says? Answer yes or no.\n${dataRule}`;

/** Checks one claim against the records that it cites. */
export async function checkClaim(
  model: LanguageModel,
  input: {
    readonly question: string;
    readonly claim: string;
    readonly records: readonly Evidence[];
    readonly priority: Priority;
  },
  signal?: AbortSignal,
): Promise<ClaimCheck> {
  const said = input.records
    .map(({ day, author, text, captions }) => [day, author, text, ...captions].join(" "))
    .join("\n");
  const there = new Set(wordsOf(said));
  const words = wordsOf(input.claim);
  const strangeNumbers = words.filter((word) => /\d/.test(word) && !there.has(word));
  const overlap = words.length === 0 ? 0 : words.filter((word) => there.has(word)).length / words.length;
  if (input.records.length === 0) return { holds: false, strangeNumbers, overlap, probability: null };

  const rows: string[] = [];
  for (const { day, author, text, captions } of input.records) {
    const whole = [text, ...captions.map((caption) => `[photo: ${caption}]`)].join(" ");
    const lead = await leadOf(model, whole, checkSettings.recordTokens, signal);
    rows.push(`${day ?? "no date"}, ${quotedText(author ?? "unknown", 60)}: ${quotedText(lead, lead.length)}`);
  }
  const claim = `Question: ${quotedText(input.question, 500)}\nClaim: ${quotedText(input.claim, 500)}`;
  const turns = [
    { role: "system", text: system },
    { role: "user", text: `${rows.join("\n")}\n\n${claim}` },
  ] as const;
  const [probability = 0] = await model.choose({ turns, answers: ["yes", "no"], priority: input.priority }, signal);
  const { leastOverlap, leastProbability } = checkSettings;
  const holds = strangeNumbers.length === 0 && overlap >= leastOverlap && probability >= leastProbability;
  return { holds, strangeNumbers, overlap, probability };
}

/** Words that carry meaning by their length or digits, in lower case. */
const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 3 || /\d/.test(word))
    // 08 in a date is the 8 of "8 May".
    .map((word) => word.replace(/^0+(?=\d)/, ""));
