import { Paperclip } from "lucide-react";
import { useState } from "react";
import type { Party, RecordDetail, RecordSummary, StoredRecord } from "#contract";
import { Marked } from "../design/Marked.tsx";
import { useCitedQuote } from "../state/ask.ts";
import { clock, kindTitle, moment, recordTitle } from "../state/format.ts";
import { useNeighbours } from "../state/record.ts";
import { openRecord } from "../state/route.ts";
import { attachmentCites, attachmentNote, type Cite, factsOf } from "./facts.ts";
import { citedInLine, citedTag } from "./lines.ts";
import { Picture } from "./Picture.tsx";
import { PictureWords } from "./PictureWords.tsx";
import { Tags } from "./Tags.tsx";

function partyName(party: Party): string {
  const name = party.name ?? party.address ?? "Unknown";
  return party.owner && name !== "You" ? `${name} (you)` : name;
}

function MailHead({ record }: { record: StoredRecord }) {
  const roles = [
    { name: "From", parties: record.author ? [record.author] : [] },
    { name: "To", parties: record.participants.filter((party) => party.role === "to") },
    { name: "Cc", parties: record.participants.filter((party) => party.role === "cc") },
    { name: "Bcc", parties: record.participants.filter((party) => party.role === "bcc") },
  ];
  return (
    <dl className="facts">
      {roles.map(({ name, parties }) =>
        parties.length === 0 ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {parties.map((party) => (
                <span key={`${party.name} ${party.address}`} className="party" title={party.address ?? undefined}>
                  {partyName(party)}
                </span>
              ))}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Text({ text, cite, view }: { text: string; cite: Cite; view: string }) {
  return (
    <div className="record__text">
      <Marked text={text} marks={cite?.view === view ? [cite.span] : []} />
    </div>
  );
}

/** A picture with what models found in it: the text read in it, the things seen in it. */
function Pictured({ record, cite, page }: { record: StoredRecord; cite: Cite; page: boolean }) {
  const [lit, setLit] = useState<number | null>(null);
  const quote = useCitedQuote(record.id, cite);
  const { ocr = null, tags = null } = record.perceived ?? {};
  return (
    <>
      <Picture record={record} page={page} cite={cite} lit={lit} onLit={setLit} />
      {ocr ? <PictureWords ocr={ocr} cite={cite} lit={lit} onLit={setLit} /> : null}
      {tags ? <Tags tags={tags} cited={cite?.view === "tags" ? citedTag(tags.tags, quote) : null} /> : null}
    </>
  );
}

/** A message among its neighbours. */
function Conversation({ record, cite }: { record: StoredRecord; cite: Cite }) {
  const { before, after } = useNeighbours(record);
  const neighbour = (one: RecordSummary) => (
    <button key={one.id} type="button" className="turn" onClick={() => openRecord(one.id)}>
      <span className="turn__who">
        {one.author ?? kindTitle(one.kind)} <span className="quiet">{clock(one.time)}</span>
      </span>
      <span className="turn__words">{one.snippet || recordTitle(one)}</span>
    </button>
  );
  return (
    <div className="conversation">
      {before.map(neighbour)}
      <div className="turn turn--this">
        <span className="turn__who">
          {record.author ? partyName(record.author) : kindTitle(record.kind)}{" "}
          <span className="quiet">{clock(record.time)}</span>
        </span>
        {record.text ? <Text text={record.text} cite={cite} view="text" /> : null}
      </div>
      {after.map(neighbour)}
    </div>
  );
}

function Attachments({ record, cite }: { record: StoredRecord; cite: Cite }) {
  const attachments = record.props.attachments ?? [];
  if (attachments.length === 0) return null;
  const cites = attachmentCites(
    attachments.map(({ text }) => text),
    cite,
  );
  return (
    <ul className="attachments">
      {attachments.map((attachment, index) => (
        <li key={`${attachment.name} ${attachment.path} ${attachment.sha256}`}>
          <Paperclip size={14} aria-hidden />
          <div>
            {attachment.name ?? "Unnamed"} <span className="quiet small">{attachmentNote(attachment)}</span>
            {attachment.text ? (
              <details open={cites[index] !== null}>
                <summary className="small">Text in it</summary>
                <Text text={attachment.text} cite={cites[index] ?? null} view="attachment" />
              </details>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

const besideWords: Readonly<Partial<Record<string, string>>> = {
  ocr: "Cited, read in the picture",
  tags: "Cited, a model’s guess about the picture",
  metadata: "Cited, from what is known about it",
};

/** Whether what is cited is shown in its own place, as text or things in the picture. */
function standsInPicture({ perceived }: StoredRecord, cite: Cite, quote: string): boolean {
  if (cite?.view === "ocr") return perceived?.ocr?.lines.some((line) => citedInLine(line, cite) !== null) ?? false;
  return cite?.view === "tags" && citedTag(perceived?.tags?.tags ?? [], quote) !== null;
}

/** Words that an answer cites and that stand nowhere in the text: what the source says beside it, or what was found in a picture. */
function CitedBeside({ record, cite }: { record: StoredRecord; cite: Cite }) {
  const quote = useCitedQuote(record.id, cite);
  const where = cite ? besideWords[cite.view] : undefined;
  if (!quote || !where || standsInPicture(record, cite, quote)) return null;
  return (
    <p className="record__cited">
      <span className="quiet small">{where}</span>
      <br />
      <mark>{quote}</mark>
    </p>
  );
}

/** The record's content, as its kind is best read. */
export function Content({ detail, cite, page }: { detail: RecordDetail; cite: Cite; page: boolean }) {
  const { record } = detail;
  const pictured = record.kind === "photo" || record.kind === "video";
  const { items, reactions, links } = record.props;
  return (
    <>
      {record.subject ? (
        <h2 className="record__subject">
          <Marked text={record.subject} marks={cite?.view === "subject" ? [cite.span] : []} />
        </h2>
      ) : null}
      {record.kind === "email" ? <MailHead record={record} /> : null}
      {pictured ? <Pictured record={record} cite={cite} page={page} /> : null}
      <CitedBeside record={record} cite={cite} />
      {record.kind === "message" || record.kind === "system" ? (
        <>
          {record.container?.title ? <p className="small quiet">{record.container.title}</p> : null}
          <Conversation record={record} cite={cite} />
        </>
      ) : record.text ? (
        <Text text={record.text} cite={cite} view="text" />
      ) : null}
      {items ? (
        <ul className="checklist">
          {items.map((item) => (
            <li key={item.text}>
              <input type="checkbox" checked={item.checked} readOnly disabled aria-label={item.text} /> {item.text}
            </li>
          ))}
        </ul>
      ) : null}
      {reactions && reactions.length > 0 ? (
        <p className="small quiet">
          {reactions.map((reaction) => `${reaction.emoji} ${reaction.by ?? reaction.count ?? ""}`).join("   ")}
        </p>
      ) : null}
      <Attachments record={record} cite={cite} />
      {links && links.length > 0 ? (
        <ul className="record__links small">
          {links.map((link) => (
            // Shown as text: links of other people are never followed by themselves.
            <li key={link}>{link}</li>
          ))}
        </ul>
      ) : null}
      <dl className="facts">
        {factsOf(record)
          .filter((fact) => fact.name !== "When" || fact.value !== moment(record.time))
          .map((fact) => (
            <div key={fact.name}>
              <dt>{fact.name}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
      </dl>
    </>
  );
}
