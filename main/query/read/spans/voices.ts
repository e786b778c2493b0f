import type { QueryPlan } from "#contract";
import type { Passage } from "../sentences/sentences.ts";
import { type ChosenSpan, isTalk } from "./span-choice.ts";

/** In talk all say "I": whether a matter is the asked person's or another's is told by whose sentences fit it better. */

/** What others say beside what the person asked about says: best score of the ones less that of the other. */
export interface Voices {
  /** Others of themselves. */
  readonly self: number;
  /** Others of anything else. */
  readonly open: number;
  /** The words of others that answer best, by the score of `span-choice.ts`, −4 to 4; 0 where no words are looked for. */
  readonly words: number;
}

/** Beyond it one side has no words that answer. */
const mostWords = 4;

/** Null where no talk of two answers, or not one person is asked about. `passages`, `spans`: best first. */
export function voicesOf(
  { people }: QueryPlan,
  passages: readonly Passage[],
  spans: readonly ChosenSpan[],
): Voices | null {
  const [asked, more] = people;
  const [best] = passages;
  if (asked === undefined || more !== undefined || best === undefined || !isTalk(best)) return null;
  let [own, open, self, cosine] = [0, 0, 0, 0];
  const speakers = new Set<string>();
  for (const { candidate, citation, subject, score } of passages) {
    if (citation.view !== "text") continue;
    speakers.add(candidate.record.author?.name ?? "");
    if (candidate.record.author?.name === asked.name) {
      own = Math.max(own, score);
      cosine = Math.max(cosine, candidate.features.cos);
    } else if (citation.quote.trimEnd().endsWith("?")) continue;
    else if (subject === "other") self = Math.max(self, score);
    else open = Math.max(open, score);
  }
  // Among many, of somebody who does not speak there, or without a model, this tells nothing.
  if (speakers.size !== 2 || cosine <= 0 || (self <= 0 && open <= 0)) return null;
  return {
    self: self - own,
    open: open - own,
    words: wordsOf(asked.name, spans),
  };
}

function wordsOf(name: string, spans: readonly ChosenSpan[]): number {
  if (spans.length === 0) return 0;
  const of = (own: boolean) =>
    spans.find(({ passage }) => (passage.candidate.record.author?.name === name) === own)?.score ?? -Infinity;
  return Math.max(-mostWords, Math.min(mostWords, of(false) - of(true)));
}
