import type { QueryPlan } from "#contract";
import { ordinalWords, stem, wordsOf } from "../../../views/language/index.ts";
import { perPlan } from "../per-plan.ts";

/** Of several of a kind one is asked for by its number: "her second tournament" is not the fourth. */

/** Words behind an ordinal among which stands what it counts: "my fourth video game tournament". */
const reach = 4;
const figures = /^(\d{1,2})(?:st|nd|rd|th)$/;

/** What is counted, by its stem, and as which of its kind. */
function counted(text: string): Map<string, number> {
  const words = wordsOf(text);
  const found = new Map<string, number>();
  for (const [at, { folded, end }] of words.entries()) {
    const number = ordinalWords.get(folded) ?? Number(figures.exec(folded)?.[1] ?? 0);
    if (number === 0) continue;
    for (let next = at + 1; next <= at + reach; next++) {
      const word = words[next];
      if (word === undefined || /[.,;:!?]/.test(text.slice(end, word.start))) break;
      found.set(stem(word.folded), number);
    }
  }
  return found;
}

const askedOf = perPlan(({ question }: QueryPlan) => counted(question.slice(0, 500)));

/** 1 where a sentence tells of the one that is asked for, −1 where of another one of the kind, else 0. */
export function ordinalFits(plan: QueryPlan, quote: string): number {
  const asked = askedOf(plan);
  if (asked.size === 0) return 0;
  const said = [...counted(quote)].flatMap(([root, number]) => {
    const wanted = asked.get(root);
    return wanted === undefined ? [] : [wanted === number];
  });
  return said.length === 0 ? 0 : said.includes(true) ? 1 : -1;
}
