import { useState } from "react";
import type { Person, PersonSuggestions } from "#contract";
import { Button } from "../design/controls.tsx";
import { EmptyState, ErrorNote } from "../design/feedback.tsx";
import { MoreRows } from "../design/MoreRows.tsx";
import { matching } from "../design/picker.tsx";
import { useAnswer } from "../state/answer.ts";
import { client } from "../state/client.ts";
import { count, counted } from "../state/format.ts";
import { formatHash, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { attempt } from "../state/ui.ts";
import { PersonPage } from "./PersonPage.tsx";
import { suggestionWords } from "./words.ts";
import "./people.css";

const words = {
  title: "People",
  lead: "Everyone in your records. Where your sources say that two addresses are one person, they are joined; any join can be taken back.",
  find: "Find a person",
  none: "Nobody of that name",
  empty: "Nobody yet",
  emptyHint: "People appear here when mail, chats or contacts have been read in.",
  who: "Which of these is you?",
  whoHint: "Your exports do not say. It helps with questions about what you wrote and what you got.",
  me: "This is me",
  perhaps: "Perhaps one person",
  join: "One person",
  apart: "Not the same",
  you: "you",
} as const;

const rowsAtFirst = 100;
const pairsAtFirst = 5;

/** Who is who. */
export function PeopleRoom() {
  const who = useRoute((route) => route.params.who);
  return who !== undefined && /^[1-9]\d{0,14}$/.test(who) ? <PersonPage key={who} id={Number(who)} /> : <Everyone />;
}

async function readPeople(signal: AbortSignal) {
  const [{ people }, suggestions] = await Promise.all([
    client().call("library.people", {}, { signal }),
    client().call("people.suggestions", {}, { signal }),
  ]);
  return { people, suggestions };
}

function Everyone() {
  const changes = useSession((session) => session.changes);
  const { answer, error } = useAnswer(readPeople, String(changes));
  const { people, suggestions } = answer ?? { people: null, suggestions: null };
  const [typed, setTyped] = useState("");
  const [shown, setShown] = useState(rowsAtFirst);

  const options = (people ?? []).map((person) => ({
    key: String(person.id),
    label: person.name,
    note: "",
    also: person.addresses,
    person,
  }));
  const kept = new Set(matching(options, typed).map(({ key }) => key));
  const found = options.filter(({ key }) => kept.has(key));

  return (
    <div className="room">
      <div className="room__column people">
        <header>
          <h1 className="room__title">{words.title}</h1>
          <p className="room__lead">{words.lead}</p>
        </header>
        {error ? <ErrorNote error={error} /> : null}
        {suggestions && suggestions.owners.length > 0 ? <WhoAmI people={suggestions.owners} /> : null}
        {suggestions && suggestions.pairs.length > 0 ? <Perhaps pairs={suggestions.pairs} /> : null}
        {people?.length === 0 ? <EmptyState title={words.empty}>{words.emptyHint}</EmptyState> : null}
        {people && people.length > 0 ? (
          <section aria-label={words.title}>
            <input
              className="input people__find"
              type="search"
              aria-label={words.find}
              placeholder={words.find}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setShown(rowsAtFirst);
              }}
            />
            {found.length === 0 ? <p className="quiet people__none">{words.none}</p> : null}
            <ul className="people__list">
              {found.slice(0, shown).map(({ person }) => (
                <PersonRow key={person.id} person={person} />
              ))}
            </ul>
            <MoreRows left={found.length - shown} what="person" onMore={() => setShown(shown + rowsAtFirst)} />
          </section>
        ) : null}
      </div>
    </div>
  );
}

/** Addresses on one line: the first two, and how many more. */
function addressLine({ addresses, name }: Pick<Person, "addresses" | "name">): string {
  const others = addresses.filter((address) => address !== name);
  return [...others.slice(0, 2), ...(others.length > 2 ? [`${others.length - 2} more`] : [])].join(", ");
}

function PersonRow({ person }: { person: Person }) {
  return (
    <li>
      <a className="people__row" href={formatHash({ place: "people", params: { who: String(person.id) } })}>
        <span className="people__name">
          {person.name}
          {person.owner ? <span className="people__you">{words.you}</span> : null}
        </span>
        <span className="quiet small people__addresses">{addressLine(person)}</span>
        <span className="quiet small people__count">{count(person.records)}</span>
      </a>
    </li>
  );
}

function WhoAmI({ people }: { people: readonly Person[] }) {
  return (
    <section className="people__card" aria-label={words.who}>
      <h2>{words.who}</h2>
      <p className="quiet">{words.whoHint}</p>
      <ul>
        {people.map((person) => (
          <li key={person.id} className="people__choice">
            <div>
              <div>{person.name}</div>
              <div className="quiet small">
                {[addressLine(person), counted(person.records, "record")].filter((part) => part !== "").join(" · ")}
              </div>
            </div>
            <Button
              aria-label={`${words.me}: ${person.name}`}
              onClick={() => void attempt(() => client().call("people.setOwner", { personId: person.id, owner: true }))}
            >
              {words.me}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Perhaps({ pairs }: { pairs: PersonSuggestions["pairs"] }) {
  const [shown, setShown] = useState(pairsAtFirst);
  return (
    <section className="people__card" aria-label={words.perhaps}>
      <h2>{words.perhaps}</h2>
      <ul>
        {pairs.slice(0, shown).map(({ a, b, why }) => (
          <li key={`${a.id}/${b.id}`} className="people__choice">
            <div>
              <div>
                {[a, b].map((person, index) => (
                  <span key={person.id}>
                    {index > 0 ? <span className="quiet"> and </span> : null}
                    <a href={formatHash({ place: "people", params: { who: String(person.id) } })}>{person.name}</a>
                    <span className="quiet small"> {addressLine(person)}</span>
                  </span>
                ))}
              </div>
              <div className="quiet small">{suggestionWords[why]}</div>
            </div>
            <span className="people__buttons">
              <Button
                aria-label={`${words.join}: ${a.name}, ${b.name}`}
                onClick={() => void attempt(() => client().call("people.join", { a: a.id, b: b.id }))}
              >
                {words.join}
              </Button>
              <Button
                tone="quiet"
                aria-label={`${words.apart}: ${a.name}, ${b.name}`}
                onClick={() => void attempt(() => client().call("people.apart", { a: a.id, b: b.id }))}
              >
                {words.apart}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {pairs.length > shown ? (
        <Button tone="quiet" onClick={() => setShown(shown + 20)}>
          {counted(pairs.length - shown, "more pair")}
        </Button>
      ) : null}
    </section>
  );
}
