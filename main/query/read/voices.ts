import type { QueryPlan } from "#contract";
import type { Passage } from "./sentences.ts";
import { isTalk } from "./span-choice.ts";

/** In talk all say "I": whether a matter is the asked person's or another's is told by whose sentences fit it better. */

/** What others say beside what the person asked about says: best score or likeness of the ones less that of the other. */
export interface Voices {
  /** Others of themselves. */
  readonly self: number;
  /** Others of anything else. */
  readonly open: number;
  /** The likeness of meaning of the latter's records to the question. */
  readonly likeness: number;
}

/** Best passages that are compared. */
const compared = 40;

/** Null where no talk of two answers, or not one person is asked about. `passages`: best first. */
export function voicesOf({ people }: QueryPlan, passages: readonly Passage[]): Voices | null {
  const [asked, more] = people;
  const [best] = passages;
  if (asked === undefined || more !== undefined || best === undefined || !isTalk(best)) return null;
  const own = { score: 0, cosine: 0 };
  const open = { score: 0, cosine: 0 };
  let self = 0;
  const speakers = new Set<string>();
  for (const { candidate, citation, subject, score } of passages.slice(0, compared)) {
    if (citation.view !== "text") continue;
    speakers.add(candidate.record.author?.name ?? "");
    const told = candidate.record.author?.name === asked.name ? own : open;
    if (told === open && citation.quote.trimEnd().endsWith("?")) continue;
    if (told === open && subject === "other") self = Math.max(self, score);
    else {
      told.score = Math.max(told.score, score);
      told.cosine = Math.max(told.cosine, candidate.features.cos);
    }
  }
  // Among many, of somebody who does not speak there, or without a model, this tells nothing.
  if (speakers.size !== 2 || own.cosine <= 0 || (self <= 0 && open.score <= 0)) return null;
  return { self: self - own.score, open: open.score - own.score, likeness: open.cosine - own.cosine };
}
