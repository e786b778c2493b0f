import type { QueryPlan } from "#contract";
import { stem } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { perPlan } from "../per-plan.ts";

/** People move house, and appointments are moved: one word for two things. */

const somebody = "(?:we|I|you|they|he|she|\\p{Lu}\\p{L}+(?:\\sand\\s\\p{Lu}\\p{L}+)?)";
const house = new RegExp(
  `^\\W*(?:(?:[Ww]hen|[Ww]here|[Ww]hy)\\s)?(?:[Dd]id|[Dd]o|[Dd]oes|[Hh]ave|[Hh]as|[Hh]ad|[Ww]ill|[Aa]re|[Ii]s|[Ww]ere|[Ww]as)\\s${somebody}\\s(?:move|moved|moving)(?!\\p{L})|^\\W*(?:[Ww]ann|[Ww]o|[Ww]ohin|[Ww]arum|[Ss]eit wann)\\s.*(?<!\\p{L})(?:umgezogen|nach\\s\\p{Lu}\\p{L}+\\sgezogen|eingezogen|ausgezogen)\\W*$`,
  "u",
);

/** "When did we move?", "wann seid ihr umgezogen?": asked of where somebody lives. */
export const asksHouse = perPlan(({ question }: QueryPlan): boolean => house.test(question.slice(0, 500)));

/** "Moved to Friday", "verschoben auf den 3.", "move the date from …". */
const rescheduled =
  /(?<!\p{L})(?:move[sd]?|moving|put off|verschoben|verlegt|verschieb\p{L}*)\s(?:\p{L}+\s){0,3}?(?:to|from|until|on to|auf|vom|von)\s(?:the\s|den\s|dem\s)?(?:\p{L}+(?:day|tag)|mittwoch|\d)/giu;
/** "The evening is moved": a title that says no more. */
const movedOff =
  /(?<!\p{L})(?:is|was|has been|have been|wurde|ist|evening|visit|meeting|appointment|date|termin)\s(?:moved|verschoben|verlegt)(?!\p{L})/giu;
/** "Rehearsal moved", and not "we have moved". */
const movedTitle = /(?<!(?:^|\s)(?:we|I|they|have|has|wir|haben)\s)(?:moved|verschoben|verlegt)\W*$/iu;
const tellsMove =
  /(?<!\p{L})(?:move[ds]?|moving|removals?(?! of)|umzug\p{L}*|umgezogen|umzieh\p{L}*|ziehen um|eingezogen|ziehen .{0,40} ein|keys|schlüssel|live here|wohnen (?:jetzt|hier)|(?:have|got|found|took|taken) an? (?:flat|house|home|place)|(?:neue|haben eine|die) wohnung|(?:new|neues) (?:house|flat|home|haus|zuhause))(?!\p{L})/iu;

/** Whether a record may tell of a move of house where one is asked for; of other questions always. */
export function mayTellMove(plan: QueryPlan, { record }: Candidate): boolean {
  if (!asksHouse(plan)) return true;
  const title = (record.subject ?? "").replace(movedTitle, " ");
  const text = `${title}\n${(record.text ?? "").slice(0, 4_000)}`;
  return tellsMove.test(text.replace(rescheduled, " ").replace(movedOff, " "));
}

/** The verb of such a question, which is said in many ways. */
export const movesHouse = (root: string): boolean => verbs.has(root);
const verbs = new Set(["move", "moved", "umgezogen", "umziehen", "gezogen"].map(stem));
