import type { LibraryFilter, RecordId, SearchResult } from "#contract";
import type { TextHit } from "#main/indexes/ports.ts";
import { wordsOf } from "../views/language/index.ts";
import type { QueryPorts } from "./ports.ts";

/** Hits that are looked through for filters; more matches than that are counted no further. */
const looked = 1_000;
/** Hits of a shorter beginning that are read for the word as it was typed. */
const rechecked = 200;

/**
 * Search as you type: every word must occur, the last may go on. Never fewer words than were typed: what does not fit is
 * not shown.
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
  let found = index.searchText(match, looked);
  if (found.length === 0) found = byShorterPrefix(words, index);
  const scores = new Map(found.map(({ recordId, score }) => [recordId, score]));
  const kept = passing([...scores.keys()], input.filter, ports);
  const shown = kept.slice(0, input.limit);
  const summaries = new Map(records.summaries(shown).map((summary) => [summary.id, summary]));
  return {
    hits: shown.flatMap((id) => {
      const record = summaries.get(id);
      return record ? [{ record, ...index.passage(match, id), score: scores.get(id) ?? 0 }] : [];
    }),
    total: found.length < looked ? kept.length : hasFilter(input.filter) ? null : index.countText(match, 1_000_000),
    ms: performance.now() - start,
  };
}

/**
 * Full text reduces a beginning of a word as if it were whole ("kay" to "kai", "runni" stays), so it may miss the word that
 * goes on. A shorter beginning finds it; what does not begin as typed is taken out again.
 */
function byShorterPrefix(words: readonly string[], index: QueryPorts["index"]): TextHit[] {
  const last = words.at(-1) ?? "";
  const typed = index.expression([last], { prefixLast: true });
  for (const shorter of [last.slice(0, -1), last.slice(0, -2), last.slice(0, -3)]) {
    const match =
      shorter.length < 2 ? null : index.expression([...words.slice(0, -1), shorter], { all: true, prefixLast: true });
    if (match === null || typed === null) return [];
    const found = index.searchText(match, looked).slice(0, rechecked);
    const fitting = found.filter(({ recordId }) => index.passage(typed, recordId).marks.length > 0);
    if (fitting.length > 0) return fitting;
  }
  return [];
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
