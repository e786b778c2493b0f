import type { LibraryFilter, RecordId, SearchHit, SearchResult } from "#contract";
import type { TextHit } from "#main/indexes/ports.ts";
import { isUnspaced, wordsOf } from "../views/language/index.ts";
import type { QueryPorts, QuestionVectors } from "./ports.ts";
import { liveOf } from "./recall/live.ts";

/** Hits that are looked through for filters; more matches than that are counted no further. */
const looked = 1_000;
/** Matches that are scored: of a beginning that half of the archive has, those stored last. */
const scored = 4_000;
/** Hits of shorter beginnings that are read for the word as it was typed. */
const rechecked = 200;
const fragmentLimit = 200;

/**
 * Labels have to be this near to the query, and a model this sure of all of them together; their pictures follow those that
 * words find.
 */
const labelCosine = 0.5;
const leastSure = 0.2;
/** Pictures shown besides what words find: with a fitting label, and by likeness alone. */
const seenLimit = { tags: 100, pictures: 12 } as const;

interface Found extends Pick<SearchHit, "passage" | "marks" | "score"> {
  readonly id: RecordId;
  readonly by?: "tag" | "picture";
}

/**
 * Search as you type: every word must occur, the last may go on. Never fewer words than were typed: what does not fit is
 * not shown. Pictures follow whose labels mean the same as the query, though none of its words occurs.
 */
export function search(
  input: { query: string; filter: LibraryFilter; limit: number },
  ports: Pick<QueryPorts, "records" | "index">,
  vectors: QuestionVectors = { text: null, seen: null, picture: null },
): SearchResult {
  const start = performance.now();
  const words = byWords(input, ports);
  const known = new Set(words.ids);
  const seen = passing(
    bySight(ports.index, vectors).filter(({ id }) => !known.has(id)),
    input.filter,
    ports,
  );
  const shown = [...words.shown(input.limit), ...seen].slice(0, input.limit);
  const summaries = new Map(ports.records.summaries(shown.map(({ id }) => id)).map((summary) => [summary.id, summary]));
  return {
    hits: shown.flatMap(({ id, ...hit }) => {
      const record = summaries.get(id);
      return record ? [{ record, ...hit }] : [];
    }),
    total: words.total === null ? null : words.total + seen.length,
    ms: performance.now() - start,
  };
}

/** What holds all words. `total` null: only the first were looked at. */
function byWords(
  { query, filter }: { query: string; filter: LibraryFilter },
  ports: Pick<QueryPorts, "records" | "index">,
): { ids: RecordId[]; total: number | null; shown(limit: number): Found[] } {
  const { index } = ports;
  const words = wordsOf(query.slice(0, 1_000)).map(({ folded }) => folded);
  const open = !/\s$/.test(query);
  // One letter of a further word: every text has a word that begins with it, and full text would go through all of those.
  const letter = open && words.length > 1 && isLetter(words.at(-1) ?? "");
  const match = letter
    ? index.expression(words.slice(0, -1), { all: true })
    : index.expression(words, { all: true, prefixLast: open });
  if (match === null) return { ids: [], total: 0, shown: () => [] };
  let found = index.searchText(match, looked, { latest: scored });
  // "vitamin c": where the letter is the word, that comes first.
  if (letter) found = withLetterFirst(index.expression(words, { all: true }), found, index);
  if (found.length === 0) found = byShorterPrefix(words, index);
  if (found.length === 0) return byFragment({ query, filter }, ports);
  const scores = new Map(found.map(({ recordId, score }) => [recordId, score]));
  const kept = passing(
    [...scores].map(([id, score]) => ({ id, score })),
    filter,
    ports,
  );
  return {
    ids: kept.map(({ id }) => id),
    total: found.length < looked ? kept.length : hasFilter(filter) ? null : index.countText(match, 1_000_000),
    shown: (limit) => kept.slice(0, limit).map(({ id, score }) => ({ id, score, ...index.passage(match, id) })),
  };
}

const isLetter = (word: string): boolean => /^\p{L}$/u.test(word) && !isUnspaced(word);

function withLetterFirst(whole: string | null, found: readonly TextHit[], index: QueryPorts["index"]): TextHit[] {
  const first = whole === null ? [] : index.searchText(whole, looked, { latest: scored });
  const known = new Set(first.map(({ recordId }) => recordId));
  return [...first, ...found.filter(({ recordId }) => !known.has(recordId))].slice(0, looked);
}

/** What holds the query as a part of a number, plate, code or file name. */
function byFragment(
  { query, filter }: { query: string; filter: LibraryFilter },
  ports: Pick<QueryPorts, "records" | "index">,
): { ids: RecordId[]; total: number; shown(limit: number): Found[] } {
  const found = ports.index
    .searchFragments(query, fragmentLimit)
    .map(({ recordId, ...hit }) => ({ id: recordId, ...hit }));
  const kept = passing(found, filter, ports);
  return {
    ids: kept.map(({ id }) => id),
    total: kept.length,
    shown: (limit) =>
      kept.slice(0, limit).map(({ id, score, fragment }) => ({
        id,
        score,
        ...ports.index.fragmentPassage(fragment, id),
      })),
  };
}

/** Pictures by their labels, then by likeness to the query. */
function bySight(index: QueryPorts["index"], { seen, picture }: QuestionVectors): Found[] {
  const labels = seen === null ? [] : index.labelsLike(seen, labelCosine);
  const near = new Map(labels.map(({ label, similarity }) => [label, similarity]));
  const found = index
    .tagged([...near.keys()], seenLimit.tags)
    .filter(({ score }) => score >= leastSure)
    .map(({ recordId, label, score }): Found => {
      const marks: [number, number][] = [[0, label.length]];
      return { id: recordId, by: "tag", passage: label, marks, score: (near.get(label) ?? 0) * score };
    });
  const tagged = found.sort((a, b) => b.score - a.score);
  const known = new Set(tagged.map(({ id }) => id));
  const alike = picture === null ? [] : index.searchPictures(picture, seenLimit.pictures);
  return [
    ...tagged,
    ...alike
      .filter(({ recordId }) => !known.has(recordId))
      .map(
        ({ recordId, similarity }): Found => ({
          id: recordId,
          by: "picture",
          passage: "",
          marks: [],
          score: similarity,
        }),
      ),
  ];
}

/**
 * Full text reduces a beginning of a word as if it were whole ("kay" to "kai", "runni" stays), so it may miss the word that
 * goes on. A shorter beginning finds it; what does not begin as typed is taken out again.
 */
function byShorterPrefix(words: readonly string[], index: QueryPorts["index"]): TextHit[] {
  const last = words.at(-1) ?? "";
  const typed = index.expression([last], { prefixLast: true });
  let left = rechecked;
  for (const shorter of [last.slice(0, -1), last.slice(0, -2), last.slice(0, -3)]) {
    const match =
      shorter.length < 2 ? null : index.expression([...words.slice(0, -1), shorter], { all: true, prefixLast: true });
    if (match === null || typed === null) return [];
    const found = index.searchText(match, looked, { latest: scored }).slice(0, left);
    left -= found.length;
    const fitting = found.filter(({ recordId }) => index.passage(typed, recordId).marks.length > 0);
    if (fitting.length > 0) return fitting;
  }
  return [];
}

function hasFilter({ kinds, personId, containerKey, from, to }: LibraryFilter): boolean {
  return [kinds, personId, containerKey, from, to].some((one) => one !== undefined);
}

/** Hits that live and fit the filter, in the order given. */
function passing<T extends { readonly id: RecordId }>(
  hits: readonly T[],
  filter: LibraryFilter,
  { records, index }: Pick<QueryPorts, "records" | "index">,
): T[] {
  // The index knows no record in the trash.
  if (filter.trashed) return [];
  const live = new Set(
    liveOf(
      { records, index },
      hits.map(({ id }) => id),
    ),
  );
  const alive = hits.filter(({ id }) => live.has(id));
  if (!hasFilter(filter)) return alive;
  const ids = alive.map(({ id }) => id);
  const items = index.items(ids);
  const people = filter.personId === undefined ? null : records.personIdsOf(ids);
  const containers =
    filter.containerKey === undefined
      ? null
      : new Map(records.getMany(ids).map((record) => [record.id, record.container?.key]));
  return alive.filter(({ id }) => {
    const item = items.get(id);
    if (!item) return false;
    if (filter.kinds !== undefined && filter.kinds.length > 0 && !filter.kinds.includes(item.kind)) return false;
    if (filter.from !== undefined && (item.day === null || item.day < filter.from)) return false;
    if (filter.to !== undefined && (item.day === null || item.day > filter.to)) return false;
    if (people !== null && filter.personId !== undefined && !people.get(id)?.includes(filter.personId)) return false;
    return containers === null || containers.get(id) === filter.containerKey;
  });
}
