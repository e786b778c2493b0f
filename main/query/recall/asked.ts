import type { QueryPlan } from "#contract";
import type { IndexReader } from "#main/indexes/ports.ts";
import { fold, germanPrefix, isStopWord, stem, wordsOf } from "../../views/language/index.ts";

/** Which of the question's words are looked for in records, and how. */

/** Documents a term is counted in at most: one met more often tells nothing apart. */
export const countLimit = 20_000;
const mostWords = 32;

/** Full-text expression of one term: its stem, and in German every word that begins like it. */
export function termExpression(index: IndexReader, term: string, plan: QueryPlan): string | null {
  return index.expression([term], plan.language === "de" ? { prefixes: [germanPrefix(fold(term))] } : {});
}

/** How many records say a term, counted up to `countLimit`. */
export function countTerm(index: IndexReader, term: string, plan: QueryPlan): number {
  const match = termExpression(index, term, plan);
  return match === null ? 0 : index.countText(match, countLimit);
}

/** Words that say that something was said: of all that stands in a chat, and of no record more than of another. */
export const reporting: ReadonlySet<string> = new Set(
  (
    "say says said saying mention mentions mentioned mentioning tell tells told telling talk talks talked talking discuss discusses discussed discussing " +
    "according conversation conversations dialogue chat please " +
    "sagen sagt sagte sagten gesagt erwahnen erwahnt erwahnte erzahlen erzahlt erzahlte reden redet redete besprechen besprochen laut gesprach dialog bitte"
  ).split(" "),
);

interface Asked {
  readonly text: string;
  readonly folded: string;
}

/** Words of the question that say what it is about: the plan's terms, and what else it says that is no name and no stop word. */
export function wordsAsked(plan: QueryPlan): Asked[] {
  const names = new Set(plan.people.flatMap(({ name }) => wordsOf(name).map(({ folded }) => stem(folded))));
  const left = new Set(plan.excluded.terms.map(fold));
  const found = new Map<string, Asked>();
  const take = (text: string) => {
    for (const word of wordsOf(text)) {
      const root = stem(word.folded);
      if (found.size === mostWords || found.has(root) || names.has(root) || left.has(word.folded)) continue;
      if (reporting.has(word.folded)) continue;
      if (isStopWord(word.folded, plan.language) || (word.folded.length < 2 && !/\d/.test(word.folded))) continue;
      found.set(root, { text: word.text, folded: word.folded });
    }
  };
  for (const term of plan.terms) take(term);
  take(plan.question.slice(0, 2_000));
  return [...found.values()];
}
