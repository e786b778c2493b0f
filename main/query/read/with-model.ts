import type { Citation, Claim, QueryPlan, RecordId } from "#contract";
import type { LanguageModel } from "#main/llm/ports.ts";
import { type ReaderRecord, readerSettings, readRecords } from "#main/llm/reader.ts";
import { saysItself } from "../../views/index.ts";
import { contentStems, sentencesOf } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { verdictOn } from "../check/claims.ts";
import { evidenceOf } from "../verify/evidence.ts";

/**
 * The verified tier's reader: a language model says the answer out of at most six records, and code holds each of its
 * sentences to the records that it cites. What does not stand is left out; where nothing stands the rules' answer stays.
 */

/** Claims that stand so far, as they come. */
export interface ModelReading {
  readonly claims: readonly Claim[];
  /** Sentences without a citation, or that their records do not bear out. */
  readonly dropped: number;
  readonly final: boolean;
}

const quoteLength = 280;
/** Text up to which a record is cited whole. */
const wholeLength = 400;

/**
 * Reads `records` (best first; those beyond the sixth are left out). Yields after each sentence that stands, and once at the
 * end. Throws what the model throws.
 */
export async function* readWithModel(
  plan: QueryPlan,
  records: readonly Candidate[],
  model: LanguageModel,
  signal?: AbortSignal,
): AsyncGenerator<ModelReading, void, void> {
  const shown = records.slice(0, readerSettings.records);
  const byId = new Map(shown.map((candidate) => [candidate.recordId, candidate]));
  const claims: Claim[] = [];
  let dropped = 0;
  const settle = (text: string, cited: readonly RecordId[]): boolean => {
    const said = text.replace(/\s+/g, " ").trim();
    if (!/[\p{L}\p{N}]/u.test(said)) return false;
    const citations = cited.flatMap((id) => byId.get(id) ?? []).flatMap((one) => cite(plan, one, said));
    const claim: Claim = {
      id: `c${claims.length + 1}`,
      text: ended(said),
      citations,
      value: null,
      standing: "current",
    };
    const holds = verdictOn(plan, claim, byId).holds && !claims.some((one) => one.text === claim.text);
    if (holds) claims.push(claim);
    else dropped++;
    return holds;
  };
  let text = "";
  let cited: RecordId[] = [];
  const evidence = shown.map(readable);
  for await (const event of readRecords(
    model,
    { question: plan.question.slice(0, 1_000), records: evidence, priority: "question" },
    signal,
  )) {
    if (event.type === "citation") cited.push(event.recordId);
    if (event.type !== "text") continue;
    // Text after a citation begins the next claim; a full stop belongs to the one before.
    const closing = cited.length > 0 ? (/^[\s.!?]*/.exec(event.text)?.[0] ?? "") : "";
    const rest = event.text.slice(closing.length);
    if (cited.length > 0 && rest !== "") {
      if (settle(text, cited)) yield { claims: [...claims], dropped, final: false };
      [text, cited] = ["", []];
    }
    text += rest;
  }
  settle(text, cited);
  yield { claims: [...claims], dropped, final: true };
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The rules found an answer in these: whether there is one at all is not asked here. */
const readable = (candidate: Candidate): ReaderRecord => ({
  ...evidenceOf(candidate),
  probability: Math.max(candidate.probability, readerSettings.leastProbability),
});

/** The part of a record that says most of a claim: all of a short one, else its best sentence with the one before and after. */
function cite(plan: QueryPlan, candidate: Candidate, claim: string): Citation[] {
  const wanted = new Set(contentStems(claim, plan.language));
  let best: { citation: Citation; said: number } | null = null;
  for (const { view, text } of candidate.views) {
    if (!saysItself(view)) continue;
    const spans = text.length <= wholeLength ? [{ start: 0, end: text.length }] : windows(text.slice(0, 20_000));
    for (const { start, end } of spans) {
      const quote = text.slice(start, end);
      const said = contentStems(quote, plan.language).filter((one) => wanted.has(one)).length;
      if (best === null || said > best.said)
        best = { citation: { recordId: candidate.recordId, view, span: [start, end], quote }, said };
    }
  }
  return best === null ? [] : [best.citation];
}

function windows(text: string): { start: number; end: number }[] {
  const sentences = sentencesOf(text).slice(0, 120);
  return sentences.map(({ start, end }, at) => ({
    start: sentences[at - 1]?.start ?? start,
    end: Math.min(sentences[at + 1]?.end ?? end, Math.max(end, start + quoteLength)),
  }));
}
