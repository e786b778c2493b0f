import type { QueryPlan } from "#contract";
import { saysItself } from "../../../views/index.ts";
import { alike, fold, stem } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { perPlan } from "../per-plan.ts";

/** What a question asks somebody to have done, and the records that tell of such a deed without its verb. */

/** The verb of "did we …", "when does it …": the last word before what follows it. */
export const deedAsked = perPlan(({ question, answerType, language }: QueryPlan): string | null => {
  if (!["yesno", "date", "place", "number"].includes(answerType)) return null;
  if (language === "de") {
    const done = answerType === "date" ? germanDeed.exec(question.slice(0, 300))?.groups?.verb : undefined;
    const root = stem(fold(done ?? ""));
    // What no dictionary knows may be said in the other language.
    return done === undefined || alike(root).size === 0 ? null : root;
  }
  if (language !== "en") return null;
  const words = deedPattern.exec(question.slice(0, 300))?.groups?.words;
  const said = words?.split(/\s+/).filter((word) => !/^\p{Lu}/u.test(word));
  // "Did Ada start school": nothing parts the deed from what it is done to.
  const verb = said?.find((word) => plainDeeds.has(stem(fold(word)))) ?? said?.at(-1);
  return verb === undefined || openDeeds.test(verb) ? null : stem(fold(verb));
});
const deedPattern =
  /^\W*(?:(?:when|where|until when|since when|how many\s\p{L}+)\s)?(?:did|does|do|will)\s(?<words>.+?)(?=\s(?:to|at|in|on|for|from|with|the|our|my|his|her|their|an?|into|out|up|back|home|off)(?!\p{L})|[?.!\s]*$)/iu;
/** "Wann hat Ida sich das Bein gebrochen?": the participle at the end. */
const germanDeed =
  /^\W*(?:seit wann|wann|wo)\s(?:hat|hatte|haben|hatten|ist|sind|war|waren|wurden?)\s.*\s(?<verb>\p{Ll}*ge\p{Ll}+(?:t|en))[?.!\s]*$/iu;
/** "How many hours does she work?": only the deed says of what. */
export const timeUnit = /^(?:minutes?|hours?|days?|nights?|weeks?|months?|years?)$/iu;
export const isBuying = (root: string): boolean => buying.has(root);
const buying = new Set(["buy", "bought"].map(stem));
/** Deeds that have a day of their own, which is not that of whatever else is told of the matter. */
const plainDeeds = new Set(
  "break broke order ordered book booked start begin began end stop leave left sell sold find found gebrochen angefangen anfangen begonnen verkauft gefunden"
    .split(" ")
    .map(stem),
);
/** An order, a bill: whoever got it has bought. */
export const tellsOfPaying = ({ views }: Candidate): boolean =>
  views.some(({ view, text }) => saysItself(view) && paying.test(text.slice(0, 4_000)));
const paying =
  /(?<!\p{L})(?:order(?:ed)?|invoice|receipt|paid|deliver\p{L}*|bought|purchase\p{L}*|bestell\p{L}*|rechnung|bezahlt|gekauft|geliefert)(?!\p{L})|[€£$]\s?\d|\d\s?(?:€|EUR|GBP)/iu;
/** Said in many ways, or told by what comes of it. */
const openDeeds =
  /^(?:have|has|had|move|moved|get|need|want|accept|agree|plan|decide|try|hope|intend|like|feel|think|take|go|come|be|anything|something|it|them|that|this|there)$/iu;

/** Who orders or books something says so, in talk as well. */
export const isOrdering = (root: string, { answerType }: QueryPlan): boolean =>
  answerType === "date" && ordering.has(root);
const ordering = new Set(["order", "ordered", "book", "booked"].map(stem));

/** Whether the deed has a day of its own, and that day is asked for. */
export const isDated = (root: string, { answerType }: QueryPlan): boolean =>
  answerType === "date" && plainDeeds.has(root);

/** "When was the fine issued?", "When did we order it?" */
export const asksDone =
  /^\W*(?:when|what day|which day|wann)\s(?:was|were|did|wurde|hat|haben?)\s.*(?<!\p{L})(?:issued?|order(?:ed)?|book(?:ed)?|sen[dt]|sign(?:ed)?|post(?:ed)?|bought|buy|announced?|reported?|report|received?|written|write|ausgestellt|bestellt|gebucht|geschickt|unterschrieben|gekauft|angekündigt|gemeldet)(?!\p{L})/iu;
