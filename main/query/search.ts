import type { LibraryFilter, RecordId, SearchResult } from "#contract";
import { languageOf, stem, wordsOf } from "../views/language/index.ts";
import type { QueryPorts } from "./ports.ts";

/** Hits that are looked through for filters; more matches than that are counted no further. */
const looked = 1_000;

/**
 * Search as you type: every word must occur, the last may go on. When that finds nothing, the last word is tried as the
 * stem it grows from ("runni" → "run"); never fewer words than were typed: what does not fit is not shown.
 */
export function search(
  input: { query: string; filter: LibraryFilter; limit: number },
  ports: Pick<QueryPorts, "records" | "index">,
): SearchResult {
  const start = performance.now();
  const { index, records } = ports;
  const words = wordsOf(input.query.slice(0, 1_000)).map(({ folded }) => folded);
  const match = index.expression(words, { all: true, prefixLast: !/\s$/.test(input.query) });
  if (match === null) return { hits: [], total: 0, ms: performance.now() - start };
  const last = words.at(-1) ?? "";
  const shorter = [stem(last), last.slice(0, -1), last.slice(0, -2)].filter((one) => one.length >= 3 && one !== last);
  let used = match;
  let found = index.searchText(match, looked);
  for (const one of shorter) {
    if (found.length > 0 || languageOf(input.query) === "de") break;
    used = index.expression([...words.slice(0, -1), one], { all: true, prefixLast: true }) ?? match;
    found = index.searchText(used, looked);
  }
  const scores = new Map(found.map(({ recordId, score }) => [recordId, score]));
  const kept = passing([...scores.keys()], input.filter, ports);
  const shown = kept.slice(0, input.limit);
  const summaries = new Map(records.summaries(shown).map((summary) => [summary.id, summary]));
  return {
    hits: shown.flatMap((id) => {
      const record = summaries.get(id);
      return record ? [{ record, ...index.passage(used, id), score: scores.get(id) ?? 0 }] : [];
    }),
    total: found.length < looked ? kept.length : hasFilter(input.filter) ? null : index.countText(used, 1_000_000),
    ms: performance.now() - start,
  };
}

function hasFilter({ kinds, personId, containerKey, from, to }: LibraryFilter): boolean {
  return [kinds, personId, containerKey, from, to].some((one) => one !== undefined);
}

/** Ids that live and fit the filter, in the order given. */
function passing(
  ids: readonly RecordId[],
  filter: LibraryFilter,
  { records, index }: Pick<QueryPorts, "records" | "index">,
): RecordId[] {
  // The index knows no record in the trash.
  if (filter.trashed) return [];
  const live = records.live(ids);
  const alive = ids.filter((id) => live.has(id));
  if (!hasFilter(filter)) return alive;
  const items = index.items(alive);
  const people = filter.personId === undefined ? null : records.personIdsOf(alive);
  const containers =
    filter.containerKey === undefined
      ? null
      : new Map(records.getMany(alive).map((record) => [record.id, record.container?.key]));
  return alive.filter((id) => {
    const item = items.get(id);
    if (!item) return false;
    if (filter.kinds !== undefined && filter.kinds.length > 0 && !filter.kinds.includes(item.kind)) return false;
    if (filter.from !== undefined && (item.day === null || item.day < filter.from)) return false;
    if (filter.to !== undefined && (item.day === null || item.day > filter.to)) return false;
    if (people !== null && filter.personId !== undefined && !people.get(id)?.includes(filter.personId)) return false;
    return containers === null || containers.get(id) === filter.containerKey;
  });
}
