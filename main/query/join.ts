import type { RecordId } from "#contract";
import { keptById } from "./kept-by.ts";
import type { Recall, Scored } from "./recall/recall.ts";

/**
 * Several retrievals as one: every record by its best calibrated probability, for scores of two questions are not of one
 * scale. What is asked, and how records from outside the pool are scored, stays as the first has it.
 */
export function joinRecalls(first: Recall, more: readonly Recall[]): Recall {
  if (more.length === 0) return first;
  const all = [first, ...more];
  const best = new Map<RecordId, Scored>();
  for (const scored of all.flatMap(({ ranked }) => ranked)) {
    const known = best.get(scored.recordId);
    if (known === undefined || scored.probability > known.probability) best.set(scored.recordId, scored);
  }
  const sources: Record<string, number> = {};
  for (const one of all)
    for (const [name, count] of Object.entries(one.sources)) sources[name] = (sources[name] ?? 0) + count;
  return {
    ...first,
    ranked: [...best.values()].sort(
      (a, b) => b.probability - a.probability || b.score - a.score || a.recordId - b.recordId,
    ),
    sources,
    around: keptById((id) => {
      const said = new Map<string, number>();
      for (const one of all)
        for (const [root, weight] of one.around(id)) said.set(root, Math.max(said.get(root) ?? 0, weight));
      return said;
    }),
    seen: new Map(all.toReversed().flatMap(({ seen }) => [...seen])),
    grounds: new Map(all.toReversed().flatMap(({ grounds }) => [...grounds])),
  };
}
