import type { QueryPlan } from "#contract";

/** What is the same for every sentence is worked out once a plan. */
export function perPlan<T>(make: (plan: QueryPlan) => T): (plan: QueryPlan) => T {
  const known = new WeakMap<QueryPlan, { readonly value: T }>();
  return (plan) => {
    const found = known.get(plan);
    if (found) return found.value;
    const value = make(plan);
    known.set(plan, { value });
    return value;
  };
}
