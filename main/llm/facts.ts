import { z } from "zod";
import { leadOf } from "./budget.ts";
import type { Evidence, LanguageModel, Priority } from "./ports.ts";
import { askJson, dataRule, quotedText, type TaskResult } from "./task.ts";

/** Facts of one record (MIRIX §4.3), each with the words that say it. What the record does not say is no fact of it. */

export const factSettings = { most: 6, recordTokens: 700, shortestQuote: 4 } as const;

export const factStates = ["planned", "completed", "standing"] as const;

export interface Fact {
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  /** Planned and completed are told apart when ranking counts, lists and times (MIRIX §4.4). */
  readonly state: (typeof factStates)[number];
  /** [start, end) in the record's text: the words that say it. */
  readonly span: readonly [number, number];
}

export interface Facts {
  readonly facts: readonly Fact[];
  /** How many were given up, as their quotation is not in the record or they join nothing. */
  readonly dropped: number;
}

const answerSchema = z.object({
  facts: z.array(
    z.object({
      quote: z.string(),
      subject: z.string(),
      relation: z.string(),
      object: z.string(),
      state: z.enum(factStates),
    }),
  ),
});

const system = `You take facts out of one record of a personal archive. For each fact copy the words that say it exactly (quote), then subject, relation and object in short, and state: planned, completed or standing.
No fact without words of the record. ${dataRule}
Answer as JSON: {"facts": [{"quote": "…", "subject": "…", "relation": "…", "object": "…", "state": "…"}]}`;

/** The fallback is no fact. */
export async function extractFacts(
  model: LanguageModel,
  input: { readonly record: Evidence; readonly priority: Priority },
  signal?: AbortSignal,
): Promise<TaskResult<Facts>> {
  const { day, author, text } = input.record;
  const { most, recordTokens } = factSettings;
  const lead = await leadOf(model, text, recordTokens, signal);
  const text80 = { type: "string", maxLength: 80 } as const;
  return askJson(
    model,
    {
      turns: [
        { role: "system", text: system },
        {
          role: "user",
          text: `${day ?? "no date"} | ${quotedText(author ?? "", 60)} | ${quotedText(lead, lead.length)}`,
        },
      ],
      maxTokens: 120 * most,
      shape: {
        type: "object",
        properties: {
          facts: {
            type: "array",
            maxItems: most,
            items: {
              type: "object",
              properties: {
                quote: { type: "string", maxLength: 160 },
                subject: text80,
                relation: text80,
                object: text80,
                state: { enum: factStates },
              },
            },
          },
        },
      },
      schema: answerSchema,
      check({ facts }) {
        const kept = facts.flatMap(({ quote, ...fact }): Fact[] => {
          const span = findQuote(text, quote);
          const joins =
            fact.subject.trim() !== "" && fact.object.trim() !== "" && same(fact.subject) !== same(fact.object);
          return span && joins ? [{ ...fact, span }] : [];
        });
        return { facts: kept, dropped: facts.length - kept.length };
      },
      fallback: { facts: [], dropped: 0 },
      priority: input.priority,
    },
    signal,
  );
}

const same = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/**
 * Where a quotation stands in a text, white space, case and the kind of quotation marks left aside; null when it does not
 * or is too short to mean anything.
 */
export function findQuote(text: string, quote: string): [number, number] | null {
  const { letters, places } = plain(text);
  const wanted = plain(quote.replace(/…$/, "")).letters.trim();
  if (wanted.length < factSettings.shortestQuote || !/\p{L}|\p{N}/u.test(wanted)) return null;
  const at = letters.indexOf(wanted);
  if (at < 0) return null;
  const start = places[at] ?? 0;
  const last = places[at + wanted.length - 1] ?? start;
  return [start, last + 1];
}

/** A text in lower case with single spaces, and where each of its letters stands in the original. */
function plain(text: string): { letters: string; places: number[] } {
  let letters = "";
  const places: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    const space = /\s/.test(char);
    if (space && letters.endsWith(" ")) continue;
    // A letter whose lower case is longer (İ) keeps its place once.
    const lower = space ? " " : char.toLowerCase().charAt(0);
    letters += /["“”„«»‘’]/.test(lower) ? "'" : lower;
    places.push(i);
  }
  return { letters, places };
}
