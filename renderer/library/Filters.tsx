import { ChevronDown, Search, X } from "lucide-react";
import { useEffect, useState } from "react";
import { type RecordKind, recordKinds } from "#contract";
import { Chip, IconButton } from "../design/controls.tsx";
import { Menu } from "../design/menu.tsx";
import { Picker } from "../design/picker.tsx";
import { count, kindName, kindTitle, shortDay } from "../state/format.ts";
import { filterOf, useLibrary } from "../state/library.ts";
import { setParams, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";

const words = {
  search: "Search the library",
  placeholder: "Search…",
  clear: "Clear the search",
  kind: "Kind",
  person: "Person",
  findPerson: "Find a person…",
  noPerson: "Nobody of that name or address.",
  time: "Time",
  all: "Any time",
} as const;

/** Keystrokes are gathered this long before a search goes out. */
const debounceMs = 90;

function SearchField() {
  const query = useRoute((route) => route.params.q ?? "");
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  useEffect(() => {
    if (text === query) return;
    const timer = setTimeout(() => setParams({ q: text }, { replace: true }), debounceMs);
    return () => clearTimeout(timer);
  }, [text, query]);
  return (
    <div className="search-field">
      <Search size={16} aria-hidden />
      <input
        type="search"
        id="library-search"
        aria-label={words.search}
        placeholder={words.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text === "" ? null : (
        <IconButton label={words.clear} onClick={() => setText("")}>
          <X size={15} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function toggled(kinds: readonly RecordKind[], kind: RecordKind): string {
  return (kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]).join(",");
}

function yearsBetween(first: string | null | undefined, last: string | null | undefined): number[] {
  if (!first || !last) return [];
  const years: number[] = [];
  for (let year = Number(last.slice(0, 4)); year >= Number(first.slice(0, 4)); year--) years.push(year);
  return years;
}

/** Search as you type, and filters as chips. All of it lives in the address. */
export function Filters() {
  const params = useRoute((route) => route.params);
  const counts = useSession((session) => session.status?.counts);
  const people = useLibrary((library) => library.people);
  const filter = filterOf(params);
  const kinds = filter.kinds ?? [];
  const changes = useSession((session) => session.changes);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever records have changed.
  useEffect(() => void useLibrary.getState().loadPeople(), [changes]);

  const person = people?.find((one) => one.id === filter.personId);
  const present = recordKinds.filter((kind) => (counts?.byKind[kind] ?? 0) > 0);
  const totals = useLibrary((library) => library.kindTotals);
  const time =
    filter.from && filter.to && filter.from.endsWith("-01-01") && filter.to === `${filter.from.slice(0, 4)}-12-31`
      ? filter.from.slice(0, 4)
      : [filter.from && `from ${shortDay(filter.from)}`, filter.to && `until ${shortDay(filter.to)}`]
          .filter(Boolean)
          .join(" ");

  return (
    <search className="filters">
      <SearchField />
      <div className="filters__chips">
        {kinds.map((kind) => (
          <Chip
            key={kind}
            on
            removeLabel={`Not only ${kindName(kind, true)}`}
            onRemove={() => setParams({ kind: toggled(kinds, kind) })}
          >
            {kindTitle(kind, true)}
          </Chip>
        ))}
        {filter.personId !== undefined ? (
          <Chip on removeLabel="Any person" onRemove={() => setParams({ person: "" })}>
            {person?.name ?? `Person ${filter.personId}`}
          </Chip>
        ) : null}
        {time ? (
          <Chip on removeLabel={words.all} onRemove={() => setParams({ from: "", to: "" })}>
            {time}
          </Chip>
        ) : null}
        <Menu
          label={words.kind}
          button={
            <>
              {words.kind}
              <ChevronDown size={13} aria-hidden />
            </>
          }
          onOpen={() => void useLibrary.getState().loadKindTotals(present)}
          items={present.map((kind) => ({
            key: kind,
            label: kindTitle(kind, true),
            note: totals[kind] === undefined ? "" : count(totals[kind]),
            checked: kinds.includes(kind),
            onSelect: () => setParams({ kind: toggled(kinds, kind) }),
          }))}
        />
        {people && people.length > 0 ? (
          <Picker
            label={words.person}
            placeholder={words.findPerson}
            none={words.noPerson}
            button={
              <>
                {words.person}
                <ChevronDown size={13} aria-hidden />
              </>
            }
            options={people.map((one) => ({
              key: String(one.id),
              label: one.owner ? `${one.name} (you)` : one.name,
              note: count(one.records),
              also: one.addresses,
            }))}
            onChoose={(person) => setParams({ person })}
          />
        ) : null}
        <Menu
          label={words.time}
          button={
            <>
              {words.time}
              <ChevronDown size={13} aria-hidden />
            </>
          }
          items={[
            { key: "all", label: words.all, onSelect: () => setParams({ from: "", to: "" }) },
            ...yearsBetween(counts?.firstDay, counts?.lastDay).map((year) => ({
              key: String(year),
              label: String(year),
              onSelect: () => setParams({ from: `${year}-01-01`, to: `${year}-12-31` }),
            })),
          ]}
        />
      </div>
    </search>
  );
}
