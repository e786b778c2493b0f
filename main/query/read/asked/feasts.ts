import type { QueryPlan } from "#contract";
import { addDays, findDates, stem, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { hit } from "../../plan/terms.ts";
import { perPlan } from "../per-plan.ts";

/** Feasts that a question names: "Easter 2023". Letters speak of them weeks before and some days after, by name and without a date. */

/** A month, a weekday, a number or a word like "week": none of them is a feast. */
const isTime = (word: string): boolean =>
  /\d|^(?:first|second|third|last|next|early|late|day|night|weekend|week|month|year|tag|nacht|woche|wochenend|monat|jahr|summer|winter|spring|autumn|sommer|herbst|frühling)/u.test(
    word,
  ) || findDates(`on ${word} in ${word}`, { reference: "2000-01-15" }).some(({ unit }) => unit !== "day");

/** Stems of the feasts that the time of a question is named by. */
export const feastsOf = perPlan((plan: QueryPlan): readonly string[] =>
  plan.windows.flatMap(({ text }) =>
    wordsOf(text).flatMap(({ folded }) => {
      const root = stem(folded);
      return isTime(root) ? [] : [root];
    }),
  ),
);

/** Days before a feast from which on its bare name means the coming one, and after it in which it means the last. */
const daysBefore = 180;
const daysAfter = 21;

/** Written before or soon after the feast that is asked about, and naming it. */
export function ofFeast(plan: QueryPlan, { day, stems }: Candidate): boolean {
  const feasts = feastsOf(plan);
  if (feasts.length === 0 || day === null || !feasts.some((one) => hit(plan.language, one, stems) > 0)) return false;
  return plan.windows.some(({ from, to }) => addDays(day, daysBefore) >= from && day <= addDays(to, daysAfter));
}
