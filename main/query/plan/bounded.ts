import type { QueryPlan } from "#contract";

/** What a plan may hold: one that was corrected by hand, or came over the wire, asks for no more work than the planner's own. */
const limits = { terms: 32, characters: 100, windows: 60, people: 12, places: 12 } as const;

/** The plan without what is too much of it, times that end before they begin, and doubles. */
export function boundedPlan(plan: QueryPlan): QueryPlan {
  const words = (list: readonly string[], most: number) =>
    [...new Set(list.map((one) => one.slice(0, limits.characters)))].slice(0, most);
  const { terms, people, places, windows } = limits;
  return {
    ...plan,
    terms: words(plan.terms, terms),
    places: words(plan.places, places),
    kinds: [...new Set(plan.kinds)],
    people: plan.people.slice(0, people),
    windows: plan.windows.filter(({ from, to }) => from <= to).slice(0, windows),
  };
}
