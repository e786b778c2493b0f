import { create } from "zustand";
import type { DayCount, ErrorShape, LibraryFilter, Person, RecordKind, RecordSummary, SearchResult } from "#contract";
import { recordKinds } from "#contract";
import { client, shownError } from "./client.ts";

/** Records of one page of the timeline. */
export const pageSize = 200;
/** Pages kept: about 20,000 records around where the person has been. */
const keptPages = 100;

interface LibraryState {
  filter: LibraryFilter;
  days: readonly DayCount[] | null;
  total: number;
  pages: ReadonlyMap<number, readonly RecordSummary[]>;
  error: ErrorShape | null;
  people: readonly Person[] | null;
  search: SearchResult | null;
  searchError: ErrorShape | null;
  searching: boolean;
  /** Reads the days again; pages are kept until their successors come. */
  load(filter: LibraryFilter): Promise<void>;
  /** What is on screen now: missing pages are fetched, fetches of pages out of sight are cancelled. */
  want(pages: readonly number[]): void;
  runSearch(query: string): Promise<void>;
  loadPeople(): Promise<void>;
  /** How many items of each kind the library shows: parts of others (attachments) are not items. */
  kindTotals: Readonly<Partial<Record<RecordKind, number>>>;
  loadKindTotals(kinds: readonly RecordKind[]): Promise<void>;
}

/** The filter that an address' parameters describe; what does not parse is left out. */
export function filterOf(params: Readonly<Record<string, string>>): LibraryFilter {
  const day = /^\d{4}-\d\d-\d\d$/;
  const kinds = (params.kind ?? "").split(",").flatMap((word) => recordKinds.filter((kind) => kind === word));
  const { person = "", from = "", to = "" } = params;
  return {
    ...(kinds.length > 0 ? { kinds } : {}),
    ...(/^[1-9]\d{0,14}$/.test(person) ? { personId: Number(person) } : {}),
    ...(day.test(from) ? { from } : {}),
    ...(day.test(to) ? { to } : {}),
  };
}

const fetching = new Map<number, AbortController>();
let daysController: AbortController | null = null;
let searchController: AbortController | null = null;
/** Pages that were read before the last change. */
const stale = new Set<number>();

export const useLibrary = create<LibraryState>((set, get) => {
  async function fetchPage(page: number): Promise<void> {
    const controller = new AbortController();
    fetching.set(page, controller);
    const { filter } = get();
    try {
      const { records } = await client().call(
        "library.list",
        { filter, offset: page * pageSize, limit: pageSize },
        { signal: controller.signal },
      );
      if (controller.signal.aborted || get().filter !== filter) return;
      stale.delete(page);
      const pages = new Map(get().pages);
      pages.delete(page);
      pages.set(page, records);
      for (const oldest of pages.keys()) {
        if (pages.size <= keptPages) break;
        pages.delete(oldest);
      }
      set({ pages });
    } catch (error) {
      const shape = shownError(error);
      if (shape) set({ error: shape });
    } finally {
      if (fetching.get(page) === controller) fetching.delete(page);
    }
  }

  function stopFetching(except: readonly number[] = []): void {
    for (const [page, controller] of fetching) {
      if (except.includes(page)) continue;
      controller.abort();
      fetching.delete(page);
    }
  }

  return {
    filter: {},
    days: null,
    total: 0,
    pages: new Map(),
    error: null,
    people: null,
    search: null,
    searchError: null,
    searching: false,
    async load(filter) {
      daysController?.abort();
      const controller = new AbortController();
      daysController = controller;
      stopFetching();
      const same = JSON.stringify(filter) === JSON.stringify(get().filter);
      if (same) for (const page of get().pages.keys()) stale.add(page);
      else set({ days: null, pages: new Map() });
      set({ filter });
      try {
        const { days } = await client().call("library.days", { filter }, { signal: controller.signal });
        set({ days, total: days.reduce((sum, day) => sum + day.count, 0), error: null });
      } catch (error) {
        const shape = shownError(error);
        if (shape) set({ error: shape });
      }
    },
    want(wanted) {
      stopFetching(wanted);
      for (const page of wanted) {
        if ((!get().pages.has(page) || stale.has(page)) && !fetching.has(page)) void fetchPage(page);
      }
    },
    async runSearch(query) {
      searchController?.abort();
      if (query.trim() === "") {
        set({ search: null, searchError: null, searching: false });
        return;
      }
      const controller = new AbortController();
      searchController = controller;
      set({ searching: true });
      try {
        const search = await client().call(
          "library.search",
          { query, filter: get().filter, limit: 100 },
          { signal: controller.signal },
        );
        if (searchController === controller) set({ search, searchError: null });
      } catch (error) {
        const shape = shownError(error);
        if (shape) set({ searchError: shape });
      } finally {
        if (searchController === controller) set({ searching: false });
      }
    },
    kindTotals: {},
    async loadKindTotals(kinds) {
      try {
        const totals = await Promise.all(
          kinds.map(async (kind) => {
            const { total } = await client().call("library.list", { filter: { kinds: [kind] }, offset: 0, limit: 1 });
            return [kind, total] as const;
          }),
        );
        set({ kindTotals: Object.fromEntries(totals) });
      } catch {
        // The menu works without its numbers.
        set({ kindTotals: {} });
      }
    },
    async loadPeople() {
      try {
        set({ people: (await client().call("library.people", {})).people });
      } catch (error) {
        const shape = shownError(error);
        if (shape) set({ error: shape });
      }
    },
  };
});
