import { emptyPlan, type QueryPlan } from "#contract";
import { exclusionsOf } from "./exclusions.ts";
import { kindsOf, sourcesOf } from "./kinds.ts";
import { leadOf } from "./parts.ts";
import type { PeopleIndex } from "./people.ts";
import { placesOf } from "./places.ts";
import { answerTypeOf, asksWhoThatIs, budgetOf, intentOf, operationOf } from "./shape.ts";
import { sidesOf } from "./sides.ts";
import { type Span, timesOf, without } from "./times.ts";
import { questionLanguage, type Stretch, termsOf } from "./words.ts";

/** What the planner knows of the world: nothing but this. */
export interface PlanContext extends Span {
  readonly people: PeopleIndex;
}

/** Characters of a question that are read: what comes after says nothing more about what is wanted. */
const readLength = 2_000;

/** Question → plan, by rules alone: the same question on the same day over the same archive gives the same plan. */
export function planQuestion(question: string, context: PlanContext): QueryPlan {
  const whole = question.slice(0, readLength);
  const language = questionLanguage(whole);
  const ruledOut = exclusionsOf(whole, context.people, language, kindsOf(whole).kinds.length > 0);
  // What is ruled out is read no further; the rest keeps its place.
  const text = blanked(whole, ruledOut.said);
  const people = context.people.find(text);
  const times = timesOf(text, context, people);
  const sources = sourcesOf(text);
  const kinds = kindsOf(text);
  // "And who installed it?" asks who.
  const asked = text.replace(/^\W*(?:and|but|so|then|or|und|aber|oder|also|dann)\s+(?=\p{L})/iu, "");
  // Who is not among the people of the archive is told by what is said of them.
  const answerType = people.length === 0 && asksWhoThatIs(asked) ? "text" : answerTypeOf(asked);
  const told = times.windows.length > 0 ? times.windows : without(ruledOut.times, context);
  const windows =
    told.length === 0 && asksAgeNow(asked)
      ? [{ from: context.today, to: context.today, text: language === "de" ? "heute" : "today" }]
      : told;
  const operation = times.asOf === null ? ledBy(asked, operationOf(asked, answerType)) : "latest";
  // Every picture has a camera: the word finds none.
  const camera = kinds.kinds.includes("photo") ? stretches(cameraAsked, text) : [];
  const named = [...people, ...times.said, ...sources.said, ...camera];
  return {
    ...emptyPlan(question),
    language,
    intent: intentOf(asked, answerType),
    operation,
    answerType: operation === "union" && answerType === "text" ? "list" : answerType,
    windows,
    people: people.map(({ personId, name }) => ({ personId, name })),
    places: placesOf(text, [...named, ...times.all], language),
    kinds: kinds.kinds,
    terms: termsOf(text, language, [...named, ...kinds.said]),
    sources: sources.sources,
    excluded: ruledOut.excluded,
    asOf: times.asOf,
    budget: budgetOf(operation),
    notes: [
      ...times.notes,
      ...(question.length > readLength ? [{ code: "shortened" as const, text: String(readLength) }] : []),
    ],
  };
}

/** "How old is Ada?": today. */
function asksAgeNow(text: string): boolean {
  const sides = sidesOf(text);
  return (
    sides?.asks === "age" &&
    sides.sides[1] === "" &&
    /^\W*(?:how old (?:is|are)|wie alt (?:ist|sind|bist|bin))(?!\p{L})/iu.test(text)
  );
}

/** Only what is asked first makes a count of the whole. */
function ledBy(text: string, operation: QueryPlan["operation"]): QueryPlan["operation"] {
  const lead = leadOf(text);
  return operation === "count" && lead !== text ? operationOf(lead, answerTypeOf(lead)) : operation;
}

const cameraAsked = /(?<=(?:which|what|welche[mnrs]?)\s)(?:camera|phone|kamera|handy)(?!\p{L})/giu;
const stretches = (pattern: RegExp, text: string): Stretch[] =>
  [...text.matchAll(pattern)].map(({ index, 0: said }) => ({ start: index, end: index + said.length }));

function blanked(text: string, stretches: readonly Stretch[]): string {
  return stretches.reduce(
    (left, { start, end }) => `${left.slice(0, start)}${" ".repeat(end - start)}${left.slice(end)}`,
    text,
  );
}
