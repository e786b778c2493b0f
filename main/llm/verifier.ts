import { z } from "zod";
import { fitBlocks } from "./budget.ts";
import type { Evidence, LanguageModel, Priority } from "./ports.ts";
import { askJson, dataRule, quotedText, Refused, recordsPrompt, type TaskResult } from "./task.ts";

/**
 * Listwise node verifier (GraphMemix §1.4): one call over at most 48 anonymous candidates, sparse scores 0–5, what is left
 * out has 0. For models of 3 billion weights and more: smaller ones copy ids or give empty lists.
 */

export const verifierSettings = {
  candidates: 48,
  /** Characters of a record's text, and of what was read in its pictures. */
  snippet: 420,
  ocr: 120,
  answerTokens: 700,
} as const;

export interface Candidate extends Evidence {
  readonly modalities: readonly string[];
  readonly place: string | null;
  /** Score of the retrieval, 0–1. */
  readonly retrieval: number;
  /** What was read in its pictures and touches the question. */
  readonly ocr: string | null;
}

export interface NodeScores {
  /** 0–5 by record id; every shown candidate has one. */
  readonly scores: ReadonlyMap<number, number>;
  /** Candidates that did not fit into the context. They have no score. */
  readonly leftOut: readonly number[];
}

const answerSchema = z.object({ scores: z.array(z.object({ id: z.string(), score: z.number().int() })) });

const system = `You judge which records of a personal archive help to answer a question.
Score each helpful record: 5 states the answer, 3 gives a needed part, 1 is barely related. Leave out records that do not help.
${dataRule}
Answer as JSON: {"scores": [{"id": "…", "score": …}]}`;

/** Row of a candidate under an anonymous id. */
export function candidateRow(id: string, candidate: Candidate): string {
  const { modalities, day, place, author, retrieval, text, captions, ocr } = candidate;
  const shown = [text, ...captions.map((caption) => `[photo: ${caption}]`)].join(" ");
  const facts = [modalities.join("+"), day ?? "no date", place, author, retrieval.toFixed(2)].filter(Boolean);
  const read = ocr === null ? "" : ` in the picture: ${quotedText(ocr, verifierSettings.ocr)}`;
  return `${id} | ${facts.map((fact) => quotedText(String(fact), 60).slice(1, -1)).join(" | ")} | ${quotedText(shown, verifierSettings.snippet)}${read}`;
}

/**
 * Scores the candidates, best first as given. Unknown or repeated ids and scores outside 0–5 refuse the whole answer. The
 * fallback has no scores: the retrieval alone counts then.
 */
export async function verifyNodes(
  model: LanguageModel,
  input: { readonly question: string; readonly candidates: readonly Candidate[]; readonly priority: Priority },
  signal?: AbortSignal,
): Promise<TaskResult<NodeScores>> {
  const blocks = input.candidates.slice(0, verifierSettings.candidates).map((candidate, i) => {
    const name = `r${i + 1}`;
    return { name, recordId: candidate.id, text: candidateRow(name, candidate) };
  });
  const question = `Question: ${quotedText(input.question, 1_000)}`;
  const { answerTokens } = verifierSettings;
  const { kept, leftOut } = await fitBlocks(model, { blocks, fixed: [system, question], answerTokens }, signal);
  const beyond = input.candidates.slice(verifierSettings.candidates).map(({ id }) => id);
  const out = [...leftOut.map(({ recordId }) => recordId), ...beyond];
  const none: NodeScores = { scores: new Map(), leftOut: out };
  const names = kept.map(({ name }) => name);
  if (names.length === 0) return { value: none, by: "fallback", tries: 0, refused: ["no record fits"] };
  return askJson(
    model,
    {
      turns: recordsPrompt(system, question, kept),
      maxTokens: answerTokens,
      shape: {
        type: "object",
        properties: {
          scores: {
            type: "array",
            maxItems: names.length,
            items: { type: "object", properties: { id: { enum: names }, score: { enum: [1, 2, 3, 4, 5] } } },
          },
        },
      },
      schema: answerSchema,
      check({ scores }) {
        const given = new Map<number, number>(kept.map(({ recordId }) => [recordId, 0]));
        const seen = new Set<string>();
        for (const { id, score } of scores) {
          const block = kept.find(({ name }) => name === id);
          if (!block) throw new Refused("it names a record that is not there");
          if (seen.has(id)) throw new Refused("it names a record twice");
          if (score < 0 || score > 5) throw new Refused("a score is outside 0–5");
          seen.add(id);
          given.set(block.recordId, score);
        }
        return { scores: given, leftOut: out };
      },
      fallback: none,
      priority: input.priority,
    },
    signal,
  );
}
