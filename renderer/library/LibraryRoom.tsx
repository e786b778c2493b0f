import { useEffect, useMemo } from "react";
import { Button } from "../design/controls.tsx";
import { EmptyState, ErrorNote } from "../design/feedback.tsx";
import { useImporting } from "../state/jobs.ts";
import { filterOf, useLibrary } from "../state/library.ts";
import { navigate, setParams, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { Filters } from "./Filters.tsx";
import { SearchResults } from "./SearchResults.tsx";
import { Timeline } from "./Timeline.tsx";
import "./library.css";
import "./timeline.css";
import "./scrubber.css";
import "./hits.css";
import "./narrow.css";

const words = {
  title: "Library",
  emptyTitle: "Your days will stand here",
  empty:
    "Photos, mail and messages in the order in which they happened. Drop a folder anywhere on this window to begin.",
  toImports: "Go to Imports",
  comingTitle: "The first records are being read",
  coming: "Days appear here as they come in.",
  noneTitle: "Nothing matches",
  none: "No record fits all of these filters.",
  clear: "Clear the filters",
} as const;

/** The archive by time, or what a search finds in it. */
export function LibraryRoom() {
  const params = useRoute((route) => route.params);
  const changes = useSession((session) => session.changes);
  const days = useLibrary((library) => library.days);
  const error = useLibrary((library) => library.error);
  const query = params.q ?? "";
  const { kind, person, from, to } = params;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter depends on these four parameters alone.
  const filter = useMemo(() => filterOf(params), [kind, person, from, to]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever records have changed.
  useEffect(() => void useLibrary.getState().load(filter), [filter, changes]);

  const importing = useImporting();
  const filtered = Object.keys(filter).length > 0;
  return (
    <div className="library">
      <h1 className="visually-hidden">{words.title}</h1>
      {days?.length === 0 && !filtered && query === "" ? null : <Filters />}
      {error ? (
        <div className="library__error">
          <ErrorNote error={error} onRetry={() => void useLibrary.getState().load(filter)} />
        </div>
      ) : null}
      {query.trim() !== "" ? (
        <SearchResults query={query} filter={filter} changes={changes} />
      ) : days === null ? (
        <div aria-busy="true" />
      ) : days.length > 0 ? (
        <Timeline days={days} />
      ) : filtered ? (
        <EmptyState
          title={words.noneTitle}
          actions={<Button onClick={() => setParams({ kind: "", person: "", from: "", to: "" })}>{words.clear}</Button>}
        >
          <p>{words.none}</p>
        </EmptyState>
      ) : importing ? (
        <EmptyState title={words.comingTitle}>
          <p>{words.coming}</p>
        </EmptyState>
      ) : (
        <EmptyState
          title={words.emptyTitle}
          actions={
            <Button tone="primary" onClick={() => navigate({ place: "imports" })}>
              {words.toImports}
            </Button>
          }
        >
          <p>{words.empty}</p>
        </EmptyState>
      )}
    </div>
  );
}
