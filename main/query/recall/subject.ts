import type { QueryPlan } from "#contract";
import { wordsOf } from "../../views/language/index.ts";

const joining: ReadonlySet<string> = new Set(["and", "or", "und", "oder"]);

/** Of two persons the one that is said first does what is asked about, unless both do ("Ana and Ben"). */
export function subjectOf({ question, people }: QueryPlan): number | null {
  const words = wordsOf(question.slice(0, 2_000)).map(({ folded }) => folded);
  const said = people
    .flatMap(({ name, personId }) => {
      const parts = new Set(wordsOf(name).map(({ folded }) => folded));
      const at = words.findIndex((word) => parts.has(word));
      return personId === null || at === -1 ? [] : [{ personId, at, parts }];
    })
    .sort((a, b) => a.at - b.at);
  const [first, second] = said;
  if (first === undefined || second === undefined || first.personId === second.personId) return null;
  const between = words.slice(first.at, second.at).filter((word) => !first.parts.has(word));
  return between.length > 0 && between.every((word) => joining.has(word)) ? null : first.personId;
}
