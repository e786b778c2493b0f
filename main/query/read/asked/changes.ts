import type { QueryPlan } from "#contract";
import { alike, stem } from "../../../views/language/index.ts";
import type { Asked } from "../../plan/terms.ts";
import { perPlan } from "../per-plan.ts";
import { saysCancelled, saysChange } from "../sentences/values.ts";

/** "What changed about the course?": the word that asks is not the matter, and whatever says a change of the matter answers. */
const asksChange = perPlan(({ question }: QueryPlan): boolean =>
  /^\W*(?:what|what['’]s|was)\s(?:(?:has|had|have|is|did|hat|haben)\s)?(?:.{0,40}\s)?(?:changed?|different|geändert|verändert|anders)(?!\p{L})/iu.test(
    question.slice(0, 300),
  ),
);

const asking = new Set(
  ["changed", "change", "different", "geändert", "verändert", "anders"].flatMap((word) => [
    stem(word),
    ...alike(stem(word)),
  ]),
);
/** Weight left to a word that only asks. */
const asksShare = 0.1;

/** The question's words without the one that asks for a change. */
export function withoutChange(plan: QueryPlan, asked: Asked): Asked {
  if (!asksChange(plan)) return asked;
  const terms = asked.terms.map((term) =>
    asking.has(term.stem) ? { ...term, weight: term.weight * asksShare, generic: true } : term,
  );
  return terms.some(({ generic }) => !generic) ? { ...asked, terms } : asked;
}

/** Where a change is asked for, a record in which nothing changes is no answer. */
export const tellsNoChange = (plan: QueryPlan, subject: string | null, quote: string): boolean =>
  asksChange(plan) && ![subject ?? "", quote].some(says);
/** "22 and not 17", "it is a pond now", "until now £9". */
const turned = /(?<!\p{L})(?:and not|now|jetzt|und nicht|from now on|ab jetzt|bisher|was [€£$]?\d)(?!\p{L})/iu;
/** "You can change or cancel at any time": nothing changed. */
const mayChange =
  /(?<!\p{L})(?:can|may|could|might|kannst|können|könnt)(?!\p{L})[^.!?]{0,30}?(?<!\p{L})(?:change|cancel|ändern|kündigen)(?!\p{L})/iu;
const says = (text: string): boolean =>
  (saysChange(text) || saysCancelled(text) || turned.test(text)) && !mayChange.test(text);

/** A sentence tells a change where one is asked for. */
export const tellsChange = (plan: QueryPlan, quote: string): boolean => asksChange(plan) && says(quote);
