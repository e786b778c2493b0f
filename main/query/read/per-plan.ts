import type { QueryPlan } from "#contract";
import { keptBy } from "../kept-by.ts";

/** What is the same for every sentence is worked out once a plan. */
export const perPlan = <T>(make: (plan: QueryPlan) => T): ((plan: QueryPlan) => T) => keptBy((plan) => plan, make);
