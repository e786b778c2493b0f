import { ArrowLeft } from "lucide-react";
import type { PersonDetail, PersonJoin } from "#contract";
import { Button } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { useAnswer } from "../state/answer.ts";
import { client } from "../state/client.ts";
import { counted, ownMoment } from "../state/format.ts";
import { formatHash } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { attempt } from "../state/ui.ts";
import { joinWords } from "./words.ts";

const words = {
  back: "All people",
  inLibrary: "Show in the library",
  me: "This is me",
  notMe: "This is not me",
  known: "Known as",
  why: "Why they are one",
  apart: "Take apart",
  card: "See the card",
  you: "you",
} as const;

/** One person: the names and addresses they go by, and why these are taken for one. */
export function PersonPage({ id }: { id: number }) {
  const changes = useSession((session) => session.changes);
  const { answer: detail, error } = useAnswer(
    (signal) => client().call("people.get", { personId: id }, { signal }),
    `${id}/${changes}`,
  );

  return (
    <div className="room">
      <div className="room__column people">
        <a className="people__back small" href={formatHash({ place: "people" })}>
          <ArrowLeft size={14} aria-hidden /> {words.back}
        </a>
        {error ? <ErrorNote error={error} /> : null}
        {detail ? <Known detail={detail} /> : null}
      </div>
    </div>
  );
}

function Known({ detail: { person, parts, joins } }: { detail: PersonDetail }) {
  const nameOf = new Map(parts.map((part) => [part.id, part.name]));
  return (
    <>
      <header>
        <h1 className="room__title">
          {person.name}
          {person.owner ? <span className="people__you">{words.you}</span> : null}
        </h1>
        <p className="room__lead">{counted(person.records, "record")}</p>
      </header>
      <div className="people__buttons">
        <a
          className="button button--plain"
          href={formatHash({ place: "library", params: { person: String(person.id) } })}
        >
          {words.inLibrary}
        </a>
        <Button
          tone="quiet"
          onClick={() =>
            void attempt(() => client().call("people.setOwner", { personId: person.id, owner: !person.owner }))
          }
        >
          {person.owner ? words.notMe : words.me}
        </Button>
      </div>
      <section aria-label={words.known}>
        <h2 className="people__heading">{words.known}</h2>
        <ul className="people__list">
          {parts.map((part) => (
            <li key={part.id} className="people__part">
              <span className="people__name">{part.name}</span>
              <span className="small">{part.addresses.filter((address) => address !== part.name).join(", ")}</span>
              <span className="quiet small">
                {counted(part.records, "record")} · {part.sources.join(", ")}
              </span>
            </li>
          ))}
        </ul>
      </section>
      {joins.length > 0 ? (
        <section aria-label={words.why}>
          <h2 className="people__heading">{words.why}</h2>
          <ul className="people__list">
            {joins.map((join) => (
              <Join key={join.joinId} join={join} names={[nameOf.get(join.a) ?? "", nameOf.get(join.b) ?? ""]} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

function Join({ join, names }: { join: PersonJoin; names: readonly [string, string] }) {
  return (
    <li className="people__choice">
      <div>
        <div>
          {names[0]} <span className="quiet">and</span> {names[1]}
        </div>
        <div className="quiet small">
          {joinWords(join)} · {ownMoment(join.at)}
          {join.recordId === null ? null : (
            <>
              {" · "}
              <a href={formatHash({ place: "record", id: join.recordId })}>{words.card}</a>
            </>
          )}
        </div>
      </div>
      <Button
        tone="quiet"
        aria-label={`${words.apart}: ${names[0]}, ${names[1]}`}
        onClick={() => void attempt(() => client().call("people.separate", { joinId: join.joinId }))}
      >
        {words.apart}
      </Button>
    </li>
  );
}
