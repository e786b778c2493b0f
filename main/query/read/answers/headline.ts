import type { Citation, QueryPlan } from "#contract";
import { stem, weekdayOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { asksAuthor, brings } from "../asked/doers.ts";
import { phrases, saySpan, sayWeekday } from "../phrases.ts";
import { authorOf, dayOf } from "../say.ts";
import { labelledIn } from "../sentences/labels.ts";
import { isOld, sayValue, sayWhen } from "../sentences/pick.ts";
import type { Passage } from "../sentences/sentences.ts";
import { placeLabelled, saysChange, valuesOf } from "../sentences/values.ts";
import { otherNames, speaksOfSelf } from "./choose.ts";
import { asksLikely, verdict } from "./yesno.ts";

/** The answer in a few words, before the sentence that it stands on. */

const asksHour =
  /(?<!\p{L})(?:leave[sd]?|left|depart\p{L}*|arriv\p{L}*|land(?:s|ed)?|take[sn]? off|took off|begin\p{L}*|began|start\p{L}*|open[s]?|close[sd]?|appointment|abfliegen|abfahr\p{L}*|fährt|fliegt|ankomm\p{L}*|ankunft|abflug|beginn\p{L}*|anfang\p{L}*|fängt|termin)(?!\p{L})/iu;

const asksLeaving =
  /(?<!\p{L})(?:leave[sd]?|left|depart\p{L}*|take[sn]? off|took off|abfliegen|abfahr\p{L}*|fährt|fliegt|ging|geht|abflug)(?!\p{L})/iu;
const leavingLabels: ReadonlySet<string> = new Set(
  "departs departure dep leaves abfahrt abflug ab".split(" ").map(stem),
);

/** Characters below the day in which its hour may stand. */
const hourWithin = 120;

/** "When does it leave?" wants the hour too, which a ticket has in a line of its own below the day. */
export function hourBelow(
  plan: QueryPlan,
  { picked, candidate }: Passage,
): { text: string; citation: Citation } | null {
  const span = picked?.citation.span;
  if (!picked || !span || picked.value.type !== "date" || !asksHour.test(plan.question)) return null;
  if (/\d:\d\d/.test(sayValue(plan, picked.citation.quote, picked.value, candidate.day))) return null;
  const { view } = picked.citation;
  const text = candidate.views.find((one) => one.view === view)?.text ?? "";
  // A boarding pass has more than one hour: that of its name is meant.
  const named = view === "ocr" && asksLeaving.test(plan.question) ? labelledIn(text, leavingLabels) : [];
  const told = named.find(({ value }) => /^\d{1,2}[:.]\d\d$/.test(value));
  if (told) {
    const { value, from, to } = told;
    return {
      text: value,
      citation: { recordId: candidate.recordId, view, span: [from, to], quote: text.slice(from, to) },
    };
  }
  const below = text.slice(span[0], span[1] + hourWithin);
  const hour = valuesOf(below, candidate.day, ["time"]).find((one) => /[:.]/.test(one.text) && !isOld(below, one));
  if (!hour) return null;
  const start = text.lastIndexOf("\n", span[0] + hour.start) + 1;
  const next = text.indexOf("\n", span[0] + hour.end);
  const end = next < 0 ? text.length : next;
  return {
    text: hour.text,
    citation: { recordId: candidate.recordId, view, span: [start, end], quote: text.slice(start, end) },
  };
}

/** Of several records that give the same day the newest that tells of a change: its hour holds. */
export function latestHour(plan: QueryPlan, chosen: Passage, passages: readonly Passage[]): Passage {
  const key = chosen.picked?.value.key;
  if (key === undefined || plan.answerType !== "date" || !asksHour.test(plan.question)) return chosen;
  const changed = passages.filter(
    ({ picked, candidate, whole }) =>
      picked?.here === true &&
      picked.value.key === key &&
      whole >= chosen.whole / 2 &&
      (candidate.moment ?? 0) > (chosen.candidate.moment ?? 0) &&
      saysChange(`${candidate.record.subject ?? ""}\n${(candidate.record.text ?? "").slice(0, 600)}`),
  );
  return changed.toSorted((a, b) => (b.candidate.moment ?? 0) - (a.candidate.moment ?? 0))[0] ?? chosen;
}

/** An event's own day and hour. */
function eventTime(plan: QueryPlan, { record, day, moment }: Candidate): string | null {
  const wall = record.time?.local ?? (moment === null ? "" : new Date(moment).toISOString());
  const hour = /T(\d\d:\d\d)/.exec(wall)?.[1];
  if (record.kind !== "event" || day === null || hour === undefined || record.time?.precision === "day") return null;
  // Without a zone of its own its hour is that of no clock on a wall.
  const clock = record.time?.local ? hour : `${hour} UTC`;
  return `${sayWeekday(weekdayOf(day), plan.language)} ${saySpan(day, day, plan.language)}, ${clock}`;
}

const asksAgo = /(?<!\p{L})how long ago|wie lange ist .*(?<!\p{L})her(?!\p{L})/iu;

const asksPeriod = /(?<!\p{L})(?:which|what|welche[mnrs]?)\s(?<unit>month|year|monat|jahr)(?!\p{L})/iu;

const asksWeekday =
  /(?<!\p{L})(?:(?:which|what) (?:weekday|day of the week)|day of the week|wochentag\p{L}*)(?!\p{L})/iu;

/** The value without what only makes it readable: of a date the day alone. */
export function valueSaid(plan: QueryPlan, { picked, candidate }: Passage): string | null {
  const { from, to } = picked?.value ?? {};
  if (plan.answerType !== "date" || !picked || from === undefined || to === undefined) return null;
  if (asksWeekday.test(plan.question) && from === to)
    return sayWeekday(weekdayOf(from), plan.language).replace(",", "");
  // "In which month?", told by a day of it.
  const span = asksPeriod.exec(plan.question)?.groups?.unit;
  if (span !== undefined && from.slice(0, 7) === to.slice(0, 7)) {
    const year = /year|jahr/i.test(span);
    const [first, last] = year ? ["-01-01", "-12-31"] : ["-01", "-31"];
    const stem = from.slice(0, year ? 4 : 7);
    return saySpan(`${stem}${first}`, `${stem}${last}`, plan.language);
  }
  if (asksAgo.test(plan.question) && /(?<!\p{L})(?:ago|vor)(?!\p{L})/iu.test(picked.value.text))
    return picked.value.text;
  return sayWhen(plan, picked.value, candidate.day);
}

export function headline(plan: QueryPlan, passage: Passage): string | null {
  const { candidate, picked, labelled } = passage;
  if (labelled !== null) return labelled.value;
  if (picked !== null && plan.answerType !== "yesno") {
    const said = sayValue(plan, picked.citation.quote, picked.value, candidate.day);
    const hour = hourBelow(plan, passage);
    return hour === null ? said : `${said}, ${hour.text}`;
  }
  if (plan.answerType === "date") return eventTime(plan, candidate) ?? dayOf(candidate, plan);
  if (plan.answerType === "person") {
    const own = speaksOfSelf(plan, passage) || brings(plan, passage.citation.quote);
    const found = own ? [] : otherNames(plan, passage);
    if (found.length > 0) return [...new Set(found)].slice(0, 4).join(", ");
    if (!own && !asksAuthor(plan)) return null;
    const author = authorOf(candidate);
    return plan.people.some(({ name }) => name === author) ? null : author;
  }
  if (plan.answerType === "place") return candidate.record.place?.name ?? placeLabelled(passage.citation.quote);
  if (plan.answerType !== "yesno") return null;
  const said = verdict(plan, passage);
  if (said === null) return null;
  const words = phrases[plan.language];
  return asksLikely(plan.question) ? words.likely[said.says] : words[said.says];
}
