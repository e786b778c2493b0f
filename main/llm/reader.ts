import { fitBlocks } from "./budget.ts";
import type { Evidence, LanguageModel, Priority } from "./ports.ts";
import { dataRule, quotedText } from "./task.ts";

/** Reads an answer out of a few records, with a citation behind each claim. */

export const readerSettings = {
  records: 6,
  /** Characters of a record. */
  snippet: 700,
  answerTokens: 160,
  /**
   * Below this probability of the best record there is no answer. Decided here and not by the model: in trials none of
   * the small models ever said that something is not there.
   */
  leastProbability: 0.2,
} as const;

export interface ReaderRecord extends Evidence {
  /** Calibrated probability that it supports the answer. */
  readonly probability: number;
}

export type ReaderEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "citation"; readonly recordId: number }
  | {
      readonly type: "end";
      /** False: nothing is good enough to answer from, and the model was not asked. */
      readonly found: boolean;
      readonly cited: readonly number[];
      /** Citations of records that were not shown; they are not in the text. */
      readonly dropped: number;
      readonly leftOut: readonly number[];
    };

const system = `Answer the question from the numbered records only, in one or two short sentences. Put the number of the record behind each claim, like this: [1].
${dataRule}`;

/** Streams the answer. Records best first; those beyond the sixth, or beyond the context, are told as left out. */
export async function* readRecords(
  model: LanguageModel,
  input: { readonly question: string; readonly records: readonly ReaderRecord[]; readonly priority: Priority },
  signal?: AbortSignal,
): AsyncGenerator<ReaderEvent, void, void> {
  const { records: most, snippet, answerTokens, leastProbability } = readerSettings;
  const best = Math.max(0, ...input.records.map(({ probability }) => probability));
  const all = input.records.map(({ id }) => id);
  if (best < leastProbability) {
    yield { type: "end", found: false, cited: [], dropped: 0, leftOut: all };
    return;
  }
  const blocks = input.records.slice(0, most).map(({ id, day, author, text, captions }, i) => {
    const said = [text, ...captions.map((caption) => `[photo: ${caption}]`)].join(" ");
    return {
      id,
      text: `[${i + 1}] ${day ?? "no date"}, ${quotedText(author ?? "unknown", 60)}: ${quotedText(said, snippet)}`,
    };
  });
  const question = `Question: ${quotedText(input.question, 1_000)}`;
  const { kept } = await fitBlocks(model, { blocks, fixed: [system, question], answerTokens }, signal);
  const shown = kept.map(({ id }) => id);
  const leftOut = all.filter((id) => !shown.includes(id));
  if (shown.length === 0) {
    yield { type: "end", found: false, cited: [], dropped: 0, leftOut };
    return;
  }
  const turns = [
    { role: "system", text: system },
    { role: "user", text: `${kept.map(({ text }) => text).join("\n")}\n\n${question}` },
  ] as const;
  const citations = new CitationReader(shown);
  const stream = model.generate({ turns, maxTokens: answerTokens, priority: input.priority }, signal);
  for await (const piece of stream) yield* citations.push(piece);
  yield* citations.end();
  yield { type: "end", found: true, cited: [...citations.cited], dropped: citations.dropped, leftOut };
}

/** Splits a stream into text and citations `[1]`, `[1, 2]`; a bracket may be cut anywhere by the pieces. */
export class CitationReader {
  readonly #shown: readonly number[];
  #open = "";
  readonly cited = new Set<number>();
  dropped = 0;

  /** @param shown record ids by their number, from 1 */
  constructor(shown: readonly number[]) {
    this.#shown = shown;
  }

  *push(piece: string): Generator<ReaderEvent, void, void> {
    let rest = this.#open + piece;
    this.#open = "";
    for (;;) {
      const match = /\s*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/.exec(rest);
      if (!match) break;
      if (match.index > 0) yield { type: "text", text: rest.slice(0, match.index) };
      for (const number of (match[1] ?? "").split(",")) {
        const recordId = this.#shown[Number(number) - 1];
        if (recordId === undefined) this.dropped += 1;
        else {
          this.cited.add(recordId);
          yield { type: "citation", recordId };
        }
      }
      rest = rest.slice(match.index + match[0].length);
    }
    // What may become a citation waits for its end.
    const tail = /\s*(?:\[[\d,\s]{0,20})?$/.exec(rest)?.[0] ?? "";
    this.#open = tail;
    const text = rest.slice(0, rest.length - tail.length);
    if (text !== "") yield { type: "text", text };
  }

  *end(): Generator<ReaderEvent, void, void> {
    // An unfinished citation cites nothing.
    const text = this.#open.replace(/\s*\[[\d,\s]*$/, "").trimEnd();
    this.#open = "";
    if (text !== "") yield { type: "text", text };
  }
}
