import { type AnswerType, noExclusions, type QueryPlan } from "#contract";

/** Corrections of a plan. Each gives a new one; a part that a person has touched is carried over no more. */

type Part = QueryPlan["carried"][number];
type Window = QueryPlan["windows"][number];

function touched(plan: QueryPlan, part: Part, change: Partial<QueryPlan>): QueryPlan {
  return { ...plan, ...change, carried: plan.carried.filter((one) => one !== part) };
}

/** Windows that one expression made ("in March" of ten years), in order. */
export function windowGroups({ windows }: Pick<QueryPlan, "windows">): { text: string; windows: Window[] }[] {
  return [...Map.groupBy(windows, ({ text, from }) => text || from)].map(([, same]) => ({
    text: same[0]?.text ?? "",
    windows: same,
  }));
}

/** One expression's windows away, or another window in their place; null `group`: a window more. */
export function withWindow(plan: QueryPlan, group: readonly Window[] | null, window: Window | null): QueryPlan {
  const rest = plan.windows.filter((one) => !group?.includes(one));
  return touched(plan, "windows", { windows: window ? [...rest, window] : rest });
}

/** What held on a day, and nothing later; null: what holds. */
export function withAsOf(plan: QueryPlan, asOf: string | null): QueryPlan {
  const rest = plan.windows.filter(({ to }) => to !== plan.asOf);
  const first = plan.windows.find(({ to }) => to === plan.asOf)?.from ?? asOf ?? "";
  const windows = asOf === null ? rest : [...rest, { from: first < asOf ? first : asOf, to: asOf, text: "" }];
  return touched(plan, "windows", { asOf, windows });
}

type Lists = "people" | "places" | "kinds" | "sources";

/** A value of a list away (`to` null), another in its place, or one more (`from` null). */
export function withValue<K extends Lists>(
  plan: QueryPlan,
  part: K,
  from: QueryPlan[K][number] | null,
  to: QueryPlan[K][number] | null,
): QueryPlan {
  const list: readonly QueryPlan[K][number][] = plan[part];
  const same = (a: QueryPlan[K][number], b: QueryPlan[K][number]) => JSON.stringify(a) === JSON.stringify(b);
  const rest = list.filter((one) => (from === null || !same(one, from)) && (to === null || !same(one, to)));
  const at =
    from === null
      ? rest.length
      : Math.max(
          0,
          list.findIndex((one) => same(one, from)),
        );
  const next = to === null ? rest : [...rest.slice(0, at), to, ...rest.slice(at)];
  return touched(plan, part, { [part]: next });
}

/** One more thing that must not be in the answer. What is left out cannot be asked for too. */
export function leavingOut(plan: QueryPlan, what: Partial<QueryPlan["excluded"]>): QueryPlan {
  const { people, kinds } = plan.excluded;
  const excluded = {
    ...plan.excluded,
    people: [...people, ...(what.people ?? [])],
    kinds: [...new Set([...kinds, ...(what.kinds ?? [])])],
  };
  return touched(plan, "excluded", {
    excluded,
    people: plan.people.filter(({ name }) => !excluded.people.some((one) => one.name === name)),
    kinds: plan.kinds.filter((kind) => !excluded.kinds.includes(kind)),
  });
}

/** Every exclusion of a plan with the plan that does without it. */
export function exclusionsOf(plan: QueryPlan): {
  part: keyof QueryPlan["excluded"];
  value: string;
  without: QueryPlan;
}[] {
  const { excluded } = plan;
  const without = (change: Partial<QueryPlan["excluded"]>) =>
    touched(plan, "excluded", { excluded: { ...excluded, ...change } });
  const words = (["places", "kinds", "sources", "terms"] as const).flatMap((part) =>
    excluded[part].map((value) => ({
      part,
      value,
      without: without({ [part]: excluded[part].filter((one) => one !== value) }),
    })),
  );
  const people = excluded.people.map((person) => ({
    part: "people" as const,
    value: person.name,
    without: without({ people: excluded.people.filter((one) => one !== person) }),
  }));
  const shown = excluded.records.length;
  const records = {
    part: "records" as const,
    value: String(shown),
    without: without({ records: noExclusions().records }),
  };
  return [...people, ...words, ...(shown > 0 ? [records] : [])];
}

/** What kind of answer is wanted, with the operation that gives it. */
export function answeredBy(plan: QueryPlan, answerType: AnswerType): QueryPlan {
  const fresh =
    answerType === "list" ? "union" : answerType === "date" || answerType === "duration" ? "temporal" : "single";
  const kept = plan.operation !== "union" && plan.operation !== "single" && plan.operation !== "temporal";
  return touched(plan, "answerType", {
    answerType,
    operation: kept && answerType !== "list" ? plan.operation : fresh,
  });
}
