import type { QueryPlan } from "#contract";
import type { View } from "../../views/index.ts";
import { contentStems } from "../../views/language/index.ts";
import { keptBy } from "../kept-by.ts";

/** Characters of a view that the rules read. */
const readLength = 4_000;

const stemsBy = (language: QueryPlan["language"]) =>
  keptBy(
    (view: View) => view,
    ({ text }) => contentStems(text.slice(0, readLength), language),
  );
const known = { en: stemsBy("en"), de: stemsBy("de") } as const;

/** Stems of these views together, each once, in order; worked out once a view. */
export const stemsOfViews = (views: readonly View[], language: QueryPlan["language"]): Set<string> =>
  new Set(views.flatMap((view) => known[language](view)));
