import type { QueryPlan } from "#contract";
import { alike, fold, stem, wordsOf } from "../../../views/language/index.ts";
import { speaksOfSelf } from "../answers/choose.ts";
import { verdict } from "../answers/yesno.ts";
import { wantedTypes } from "../sentences/pick.ts";
import type { Passage } from "../sentences/sentences.ts";
import { isNameless, namesNew, namesNone, naming, titled } from "../sentences/worth.ts";
import { tellsNoChange } from "./changes.ts";
import { askedRole, asksAsker, asksTeller, brings, saysRole, tellsNoDoer } from "./doers.ts";
import { tellsWhere } from "./where.ts";

/** Whether a sentence answers a question of this kind at all: a colour, a name, a home, a day on which something was done. */

const roleSaid = 0.7;

const asksOnly = ({ citation, names, place }: Passage): boolean =>
  names.length === 0 && place === null && citation.view === "text" && citation.quote.trimEnd().endsWith("?");

const asksWhere = /(?<!\p{L})(?:where|wo|wohin|woher)(?!\p{L})/iu;

/** Whether what answers best is of the kind that was asked for. */
export function fits(plan: QueryPlan, best: Passage): boolean {
  const told = best.citation.quote;
  if (namesNone(plan, told) || lacksName(plan, told) || lacksBody(plan, told)) return false;
  if (best.labelled === null && best.citation.view !== "tags" && lacksColour(plan.question, told)) return false;
  if (tellsNoChange(plan, best.candidate.record.subject, told)) return false;
  if (plan.answerType === "text" && best.labelled === null && isNameless(plan, told)) return false;
  // What says neither yes nor no is no answer.
  if (plan.answerType === "yesno") return verdict(plan, best) !== null;
  // What somebody asks is no answer, whoever it is asked of.
  const brought = plan.answerType === "person" && (asksAsker(plan) || brings(plan, told));
  if (best.picked === null && best.labelled === null && asksOnly(best) && !brought) return false;
  const role = plan.answerType === "person" ? askedRole(plan) : null;
  // An office is told with its holder, or in nearly the words of the question.
  if (role !== null && best.names.length === 0 && !speaksOfSelf(plan, best))
    return best.own >= roleSaid && saysRole(best.citation.quote, role);
  const nobody = plan.answerType === "person" && best.names.length === 0 && !speaksOfSelf(plan, best);
  // A letter that names nobody tells who it was by saying all of the matter; in talk "my sister" may be meant.
  const little = best.candidate.record.kind === "email" && best.near < roleSaid;
  if (nobody && !brought && !asksTeller(plan) && (little || tellsNoDoer(plan, told))) return false;
  if (plan.answerType === "date")
    return (
      best.picked !== null || (best.candidate.day !== null && !(asksArrived.test(plan.question) && isToCome(best)))
    );
  if (plan.answerType === "place" && asksHome.test(plan.question) && best.place === null && !tellsHome.test(told))
    return false;
  if (plan.answerType === "place")
    return (
      best.place !== null ||
      best.candidate.record.place?.name != null ||
      (best.near > 0 && (!asksWhere.test(plan.question) || tellsWhere(best.citation.quote)))
    );
  return wantedTypes(plan) === undefined || best.picked !== null || best.labelled !== null;
}

/** "Where does she live?": a name of a place, or somebody who lives there. */
const asksHome =
  /(?<!\p{L})(?:where (?:do|does|did) .*(?<!\p{L})live|wo (?:wohnt|wohnte|wohnen|lebt|lebte|leben))(?!\p{L})/iu;
const tellsHome =
  /(?<!\p{L})(?:liv(?:e|es|ed|ing)|mov(?:e|ed|ing)|stay(?:s|ed|ing)?|based|home|house|flat|neighbou?r\p{L}*|\p{L}*wohn\p{L}*|leb(?:t|te|en)|zog|zogen|gezogen|zuhause|zu hause|haus)(?!\p{L})/iu;

/** "When did he arrive?" is not told by the day of a letter that waits for it. */
const asksArrived =
  /(?<!\p{L})(?:when (?:did|was|were|has|have)|wann (?:war|waren|hat|haben|ist|sind|wurde))(?!\p{L})/iu;
const isToCome = ({ citation: { quote }, candidate }: Passage): boolean =>
  candidate.record.kind === "email" && toCome.test(quote);
const toCome =
  /(?<!\p{L})(?:will(?: have to)? (?:need|wait|have)|wait (?:until|till|for)|until|till|once|hop(?:e|ing) to|plan(?:s|ning)? to|(?:is|are|am) going to|about to|warte[nt]?|wird|werden|bis|sobald|hoffe)(?!\p{L})/iu;

/** A colour is told by one. */
const lacksColour = (question: string, quote: string): boolean => asksColour.test(question) && !colour.test(quote);
const asksColour = /(?<!\p{L})(?:(?:what|which) colou?rs?|welche[rn]? farbe[n]?)(?!\p{L})/iu;
const colour =
  /(?<!\p{L})(?:\p{L}*(?:red|blue|green|yellow|black|white|gr[ae]y|brown|pink|purple|violet|orange|silver|gold(?:en)?|beige|turquoise|teal|navy|maroon|cream|lilac|crimson|scarlet|ivory|khaki|copper|bronze|magenta|indigo|mint|blond[e]?|ginger|rot|blau|grün|gelb|schwarz|weiß|weiss|grau|braun|rosa|lila|silbern|golden|türkis|bunt)(?:ish|lich)?(?:e[nmrs]?)?)(?!\p{L})/iu;

/** "Which school does she go to?" is told by its name, or by what says that it is a school. */
function lacksBody(plan: QueryPlan, quote: string): boolean {
  const house = asksBody.exec(plan.question)?.groups?.house;
  if (house === undefined || titled.test(quote) || namesNew(plan, quote)) return false;
  const root = stem(fold(house));
  const same = new Set([root, ...alike(root)]);
  return !wordsOf(quote).some(({ folded }) => same.has(stem(folded)) || folded.endsWith(root));
}
const asksBody =
  /^\W*(?:which|what|welche[mnrs]?|(?:an|in|auf|bei|zu) welche[mnrs]?|(?:at|in|to|from) which)\s(?<house>school|university|college|company|firm|hospital|hotel|bank|airline|restaurant|shop|church|club|schule|universität|uni|firma|krankenhaus|klinik|kirche|verein|fluggesellschaft|laden)(?!\p{L})/iu;

/** "What are the names of the hens?" is told by names, or by what says that it names. */
function lacksName(plan: QueryPlan, quote: string): boolean {
  if (!asksNames.test(plan.question) || plan.answerType === "person" || naming.test(quote)) return false;
  return !namesNew(plan, quote) && !/(?:^|[.!?]\s)\p{Lu}\p{Ll}+(?:,|\s(?:and|und|&)\s)/u.test(quote);
}
const asksNames =
  /(?<!\p{L})(?:what|which|wie|was)\s(?:is|are|was|were|ist|sind|war|waren|lauten?)\s(?:the\s|die\s|der\s)?(?:\p{L}+['’]s?\s(?:\p{L}+['’]s?\s)?)?(?:names?|namen?)(?!\p{L})/iu;
