import { z } from "zod";
import { fitBlocks } from "./budget.ts";
import type { Evidence, LanguageModel, Priority } from "./ports.ts";
import { askJson, dataRule, quotedText, Refused, type TaskResult } from "./task.ts";

/** Semantic boundaries in a conversation (GAM §3.2): after which records another topic or occasion begins. */

/** Characters of a record. */
const snippet = 200;
/** Tokens of one number of the answer. */
const numberTokens = 4;

export interface Boundaries {
  /** Ids of the records that begin something new, in order; never the first. */
  readonly begins: readonly number[];
  /** The last records, when the context is full: to be asked about again, with what follows. */
  readonly leftOut: readonly number[];
}

const system = `You divide a conversation into episodes. An episode is about one occasion or topic.
Give the numbers of the lines that begin a new episode, in order; none when all lines belong together.
${dataRule}
Answer as JSON: {"boundaries": [ … ]}`;

/**
 * @param input.records in order of time
 * @param input.fallback what another detector says, by record id
 */
export async function findBoundaries(
  model: LanguageModel,
  input: { readonly records: readonly Evidence[]; readonly fallback: readonly number[]; readonly priority: Priority },
  signal?: AbortSignal,
): Promise<TaskResult<Boundaries>> {
  const blocks = input.records.map((record, i) => {
    const { id, day, author, text, captions } = record;
    const said = [text, ...captions.map((caption) => `[photo: ${caption}]`)].join(" ");
    return {
      id,
      text: `${i + 1} | ${day ?? "no date"} | ${quotedText(author ?? "", 40)} | ${quotedText(said, snippet)}`,
    };
  });
  const answerTokens = 20 + numberTokens * Math.min(blocks.length, 64);
  const { kept, leftOut } = await fitBlocks(model, { blocks, fixed: [system], answerTokens }, signal);
  const out = leftOut.map(({ id }) => id);
  const ids = kept.map(({ id }) => id);
  const fallback = { begins: input.fallback.filter((id) => ids.indexOf(id) > 0), leftOut: out };
  if (ids.length < 2) return { value: { begins: [], leftOut: out }, by: "fallback", tries: 0, refused: [] };
  return askJson(
    model,
    {
      turns: [
        { role: "system", text: system },
        { role: "user", text: kept.map(({ text }) => text).join("\n") },
      ],
      maxTokens: answerTokens,
      shape: {
        type: "object",
        properties: {
          boundaries: {
            type: "array",
            maxItems: Math.min(ids.length - 1, 64),
            items: { enum: ids.slice(1).map((_, i) => i + 2) },
          },
        },
      },
      schema: z.object({ boundaries: z.array(z.number().int()) }),
      check({ boundaries }) {
        let before = 1;
        for (const line of boundaries) {
          if (line < 2 || line > ids.length) throw new Refused("a boundary is outside the conversation");
          if (line <= before) throw new Refused("boundaries are not in order");
          before = line;
        }
        return { begins: boundaries.flatMap((line) => ids[line - 1] ?? []), leftOut: out };
      },
      fallback,
      priority: input.priority,
    },
    signal,
  );
}
