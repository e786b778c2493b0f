import type { PreviousTurn, QueryPlan } from "#contract";
import { type PeopleIndex, peopleIndex } from "../plan/people.ts";
import { planQuestion } from "../plan/plan.ts";
import { budgetOf } from "../plan/shape.ts";
import type { QueryPorts } from "../ports.ts";
import { citedOf } from "./cited.ts";
import { followUp } from "./follow-up.ts";

export interface Asking {
  readonly question: string;
  /** A corrected plan stands in for the planner's. */
  readonly plan?: QueryPlan | undefined;
  /** The question before; a corrected plan needs it no more. */
  readonly after?: PreviousTurn | undefined;
  /** Local day on which the question is asked. */
  readonly today: string;
  /** Known names; made from the store when absent. */
  readonly people?: PeopleIndex | undefined;
}

/** The plan of a question: corrected by a person, understood by the question before it, or the planner's own. */
export function understand(
  { question, plan, after, today, people }: Asking,
  records: Pick<QueryPorts["records"], "counts" | "people" | "getMany">,
): QueryPlan {
  // A person changes what is wanted, not how much has to be fetched for it.
  if (plan) return { ...plan, budget: budgetOf(plan.operation) };
  const { firstDay, lastDay } = records.counts();
  const context = { today, firstDay, lastDay, people: people ?? peopleIndex(records.people()) };
  const followed = after && followUp(after, question, { ...context, cited: citedOf(after, records, context.people) });
  return followed ?? planQuestion(question, context);
}
