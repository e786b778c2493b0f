import { z } from "zod";
import { fitBlocks } from "./budget.ts";
import type { LanguageModel, Priority } from "./ports.ts";
import { askJson, dataRule, quotedText, Refused, recordsPrompt, type TaskResult } from "./task.ts";
import { type Candidate, candidateRow } from "./verifier.ts";

/**
 * Evidence-chain verifier (GraphMemix §1.5): for every candidate the anchor that it adds most to, how much, and in which
 * role. It never sees the node verifier's scores.
 */

export const chainRoles = [
  "new_fact",
  "clarification",
  "corroboration",
  "redundant",
  "conflict",
  "irrelevant",
] as const;
export type ChainRole = (typeof chainRoles)[number];
const positive: ReadonlySet<ChainRole> = new Set(["new_fact", "clarification", "corroboration"]);

export interface ChainRow {
  readonly candidate: number;
  readonly anchor: number | null;
  /** 0–5. */
  readonly support: number;
  readonly role: ChainRole;
}

export interface ChainInput {
  readonly question: string;
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** Anchors that schema edges join a candidate to, by candidate id. */
  readonly eligible: ReadonlyMap<number, readonly number[]>;
  readonly priority: Priority;
}

const rowSchema = z.object({
  id: z.string(),
  best_anchor_id: z.string().nullable(),
  incremental_support: z.number().int(),
  role: z.enum(chainRoles),
});

const system = `You judge what each record of a personal archive adds to one of its anchors for answering a question.
One row for each record: best_anchor_id from the anchors named in its line, or null; incremental_support 0–5; role: new_fact, clarification, corroboration, redundant, conflict or irrelevant.
${dataRule}
Answer as JSON: {"rows": [{"id": "…", "best_anchor_id": "…", "incremental_support": …, "role": "…"}]}`;

/** Tokens of one row of the answer. */
const rowTokens = 40;

/**
 * One row for each candidate that has an eligible anchor and fits into the context; the others have none. The fallback is
 * no row at all.
 */
export async function verifyChain(
  model: LanguageModel,
  input: ChainInput,
  signal?: AbortSignal,
): Promise<TaskResult<readonly ChainRow[]>> {
  const nameOf = new Map(input.candidates.map(({ id }, i) => [id, `r${i + 1}`]));
  const idOf = new Map([...nameOf].map(([id, name]) => [name, id]));
  const anchorsOf = (id: number) =>
    (input.eligible.get(id) ?? []).filter((anchor) => anchor !== id && nameOf.has(anchor));
  const asked = input.candidates.filter(({ id }) => anchorsOf(id).length > 0);
  const shown = input.candidates.filter(
    ({ id }) => anchorsOf(id).length > 0 || asked.some((one) => anchorsOf(one.id).includes(id)),
  );
  const blocks = shown.map((candidate) => {
    const anchors = anchorsOf(candidate.id).map((anchor) => nameOf.get(anchor));
    const line = candidateRow(nameOf.get(candidate.id) ?? "", candidate);
    return { id: candidate.id, text: anchors.length > 0 ? `${line} | anchors: ${anchors.join(", ")}` : line };
  });
  const question = `Question: ${quotedText(input.question, 1_000)}`;
  const answerTokens = 20 + rowTokens * asked.length;
  const { kept } = await fitBlocks(model, { blocks, fixed: [system, question], answerTokens }, signal);
  const there = new Set(kept.map(({ id }) => id));
  const rows = asked.filter(({ id }) => there.has(id)).map(({ id }) => nameOf.get(id) ?? "");
  if (rows.length === 0) return { value: [], by: "fallback", tries: 0, refused: ["no pair to judge"] };
  const anchors = [...new Set(asked.flatMap(({ id }) => anchorsOf(id)))].map((id) => nameOf.get(id) ?? "");
  return askJson(
    model,
    {
      turns: recordsPrompt(system, question, kept),
      maxTokens: answerTokens,
      shape: {
        type: "object",
        properties: {
          rows: {
            type: "array",
            minItems: rows.length,
            maxItems: rows.length,
            items: {
              type: "object",
              properties: {
                id: { enum: rows },
                best_anchor_id: { enum: [...anchors, null] },
                incremental_support: { enum: [0, 1, 2, 3, 4, 5] },
                role: { enum: chainRoles },
              },
            },
          },
        },
      },
      schema: z.object({ rows: z.array(rowSchema) }),
      check(answer) {
        const seen = new Set<string>();
        for (const { id, incremental_support: support } of answer.rows) {
          if (!rows.includes(id)) throw new Refused("it names a record that was not asked for");
          if (seen.has(id)) throw new Refused("it has two rows for a record");
          if (support < 0 || support > 5) throw new Refused("a support is outside 0–5");
          seen.add(id);
        }
        if (seen.size < rows.length) throw new Refused("a record has no row");
        return answer.rows.map((row) => {
          const candidate = idOf.get(row.id) ?? 0;
          return cleaned(
            row,
            candidate,
            row.best_anchor_id === null ? null : (idOf.get(row.best_anchor_id) ?? null),
            (anchor) => anchorsOf(candidate).includes(anchor),
          );
        });
      },
      fallback: [],
      priority: input.priority,
    },
    signal,
  );
}

/** The paper's rules, kept by code: no or an ineligible anchor, a role that supports nothing, and a support of 0 clear the row. */
function cleaned(
  { incremental_support: support, role }: z.infer<typeof rowSchema>,
  candidate: number,
  anchor: number | null,
  eligible: (anchor: number) => boolean,
): ChainRow {
  if (anchor === null || !eligible(anchor)) return { candidate, anchor: null, support: 0, role: "irrelevant" };
  if (!positive.has(role)) return { candidate, anchor, support: 0, role };
  if (support === 0) return { candidate, anchor: null, support: 0, role: "irrelevant" };
  return { candidate, anchor, support, role };
}
