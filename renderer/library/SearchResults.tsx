import { useEffect } from "react";
import type { LibraryFilter, SearchHit } from "#contract";
import { EmptyState, ErrorNote } from "../design/feedback.tsx";
import { KindIcon } from "../design/KindIcon.tsx";
import { Marked } from "../design/Marked.tsx";
import { Thumbnail } from "../design/Thumbnail.tsx";
import { counted, kindTitle, moment, recordTitle } from "../state/format.ts";
import { useLibrary } from "../state/library.ts";
import { openRecord, useRoute } from "../state/route.ts";
import { useListKeys } from "./keys.ts";

const words = {
  noneTitle: "Nothing found",
  none: "No record holds these words. Fewer words, or another form of them, may find more.",
} as const;

/** What stands before a passage that nobody wrote. */
const foundBy: Readonly<Record<NonNullable<SearchHit["by"]>, string>> = {
  tag: "Seen in the picture, a model’s guess:",
  picture: "Looks like what you wrote.",
};

function Hit({ hit, active, index }: { hit: SearchHit; active: boolean; index: number }) {
  const { record } = hit;
  // A passage that only repeats the subject makes room for the first words of the text.
  const repeats = hit.passage === record.subject;
  return (
    <li>
      <button
        type="button"
        className={`hit ${active ? "is-active" : ""}`}
        data-index={index}
        onClick={() => openRecord(record.id)}
      >
        {record.hasThumbnail ? (
          <span className="hit__picture">
            <Thumbnail id={record.id} alt="" />
          </span>
        ) : null}
        <span className="hit__text">
          <span className="hit__head">
            <KindIcon kind={record.kind} size={14} />
            <span className="hit__title">
              {repeats ? (
                <Marked text={hit.passage} marks={hit.marks} />
              ) : (
                (record.subject ?? record.containerTitle ?? kindTitle(record.kind))
              )}
            </span>
            <span className="hit__when">{moment(record.time)}</span>
          </span>
          <span className="hit__passage">
            {hit.by ? (
              <span className="quiet">{foundBy[hit.by]} </span>
            ) : record.author ? (
              <span className="quiet">{record.author}: </span>
            ) : null}
            {repeats ? (
              record.snippet
            ) : (
              <Marked text={hit.passage || recordTitle(record)} marks={hit.passage ? hit.marks : []} />
            )}
          </span>
        </span>
      </button>
    </li>
  );
}

/** What the typed words find, best first. */
export function SearchResults({ query, filter, changes }: { query: string; filter: LibraryFilter; changes: number }) {
  const search = useLibrary((library) => library.search);
  const error = useLibrary((library) => library.searchError);
  const open = useRoute((route) => Number(route.params.open ?? 0));
  const hits = search?.hits ?? [];

  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter or changed records give other hits.
  useEffect(() => void useLibrary.getState().runSearch(query), [query, filter, changes]);

  const { active } = useListKeys({
    length: hits.length,
    recordAt: (index) => hits[index]?.record,
    show: (index) => document.querySelector(`.hit[data-index="${index}"]`)?.scrollIntoView({ block: "nearest" }),
  });

  const found = search ? (search.total === null ? `The first ${hits.length}` : counted(search.total, "record")) : "";
  return (
    <div className="library__scroll">
      <div className="hits">
        <p className="hits__count" role="status" aria-live="polite">
          {search ? found : ""}
        </p>
        {error ? <ErrorNote error={error} onRetry={() => void useLibrary.getState().runSearch(query)} /> : null}
        {search && hits.length === 0 && !error ? (
          <EmptyState title={words.noneTitle}>
            <p>{words.none}</p>
          </EmptyState>
        ) : (
          <ul>
            {hits.map((hit, index) => (
              <Hit key={hit.record.id} hit={hit} index={index} active={index === active || hit.record.id === open} />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
