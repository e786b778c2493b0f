import type { QueryPlan } from "#contract";
import { fold, wordsOf } from "../../../views/language/index.ts";
import { perPlan } from "../per-plan.ts";

/** "Who is Priya?": what says who somebody is, and not what that person wrote or is named in. */

const question =
  /^\W*(?:who|wer)(?:['’]s|\s(?:is|was|ist|war))\s(?<name>\p{L}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+){0,2})\W*$/iu;
const whose = "(?:my|our|his|her|their|your|mein\\p{L}*|unser\\p{L}*|sein\\p{L}*|ihr\\p{L}*|dein\\p{L}*)";
const some = `(?:an?|the|one of|from|eine?|einer|der|die|das|aus|${whose})`;

/** Folded words of the one who is asked about; null where something else is asked. */
export const whoIsAsked = perPlan(({ question: asked, people }: QueryPlan): readonly string[] | null => {
  const name = question.exec(asked.slice(0, 200))?.groups?.name;
  if (name === undefined || people.length !== 1) return null;
  return wordsOf(name).map(({ folded }) => folded);
});

/** "Priya is our neighbour", "my colleague Priya", "Priya from the choir", "I'm Priya, …". */
export function introduces(quote: string, called: readonly string[]): boolean {
  const text = fold(quote);
  const name = `(?<!\\p{L})${called.join("\\s")}(?:\\s\\p{L}+)?`;
  return [
    `${name}(?:,|\\s(?:is|was|ist|war))\\s${some}\\s\\p{L}{3,}`,
    `${name}\\s(?:from|of|aus|von)\\s(?:the|der|dem|${whose})\\s\\p{L}{3,}`,
    `${whose}\\s(?:\\p{L}+\\s){1,3}${name}(?!\\p{L})`,
    `(?:i['’]?m|i am|my name is|this is|ich bin|mein name ist|das ist)\\s${name}(?!\\p{L})`,
  ].some((pattern) => new RegExp(pattern, "u").test(text));
}
