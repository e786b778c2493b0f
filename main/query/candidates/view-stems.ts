import type { QueryPlan } from "#contract";
import type { View } from "../../views/index.ts";
import { contentStems } from "../../views/language/index.ts";
import { keptByLanguage } from "../kept-by.ts";

/** Characters of a view that the rules read. */
const readLength = 4_000;

const stemsOf = keptByLanguage(
  (view: View) => view,
  ({ text }, language) => contentStems(text.slice(0, readLength), language),
);

/** Stems of these views together, each once, in order; worked out once a view. */
export const stemsOfViews = (views: readonly View[], language: QueryPlan["language"]): Set<string> =>
  new Set(views.flatMap((view) => stemsOf(view, language)));
