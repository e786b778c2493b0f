import type { CSSProperties, ReactNode } from "react";
import type { RecordSummary } from "#contract";
import { KindIcon } from "../design/KindIcon.tsx";
import { Marked } from "../design/Marked.tsx";
import { Thumbnail } from "../design/Thumbnail.tsx";
import { useAsk } from "../state/ask.ts";
import { kindTitle, moment, recordTitle } from "../state/format.ts";
import { openRecord } from "../state/route.ts";
import { citeParam, type EvidenceLinks, quotedFrom } from "./segments.ts";

/** Who wrote it, or what it is. */
export function byline(record: RecordSummary): string {
  const from = record.author ?? kindTitle(record.kind);
  return record.containerTitle && record.kind === "message" ? `${from} in ${record.containerTitle}` : from;
}

/** A card's words: what was cited; a root shows it inside what stands around it, where that is known. */
export function shownWords(
  record: RecordSummary,
  links: EvidenceLinks,
  root: boolean,
): { text: string; marks: [number, number][] } {
  const cited = links.citationOf.get(record.id);
  // Who and when stand at the card's foot anyway.
  const quote = cited === undefined || cited.view === "metadata" ? "" : cited.quote;
  const at = quote === "" ? -1 : record.snippet.indexOf(quote);
  if (root && at >= 0) return { text: record.snippet, marks: [[at, at + quote.length]] };
  return { text: quote || record.snippet || (record.subject ? "" : recordTitle(record)), marks: [] };
}

/** One record as evidence: its own words first, then who and when. */
export function EvidenceCard({
  record,
  links,
  size = "leaf",
  className = "",
  style,
  said,
}: {
  record: RecordSummary;
  links: EvidenceLinks;
  size?: "root" | "leaf";
  className?: string;
  style?: CSSProperties;
  /** What the owner can say of it, shown at its edge. */
  said?: ReactNode;
}) {
  const lit = useAsk((ask) => ask.lit);
  const setLit = useAsk((ask) => ask.setLit);
  const number = links.numbers.get(record.id);
  const citation = links.citationOf.get(record.id);
  const isLit =
    lit !== null &&
    ("record" in lit ? lit.record === record.id : (links.recordsOf.get(lit.claim)?.has(record.id) ?? false));
  const shown = shownWords(record, links, size === "root");
  const from = quotedFrom(citation);

  const card = (
    <button
      type="button"
      className={`card card--${size} ${isLit ? "card--lit" : ""} ${className}`}
      {...(style && !said ? { style } : {})}
      onClick={() => openRecord(record.id, citeParam(citation))}
      onPointerEnter={() => setLit({ record: record.id })}
      onPointerLeave={() => setLit(null)}
      onFocus={() => setLit({ record: record.id })}
      onBlur={() => setLit(null)}
    >
      {record.hasThumbnail ? (
        <span className="card__picture">
          <Thumbnail id={record.id} alt={recordTitle(record)} />
        </span>
      ) : null}
      <span className="card__body">
        {record.hasThumbnail && !record.snippet && from === null ? null : (
          <>
            {record.subject ? <span className="card__subject">{record.subject}</span> : null}
            {from ? <span className="card__from">{from}</span> : null}
            <span className="card__quote">
              <Marked text={shown.text} marks={shown.marks} />
            </span>
          </>
        )}
        <span className="card__by">
          <KindIcon kind={record.kind} size={13} />
          <span className="card__who">{byline(record)}</span>
          <span className="card__when">{moment(record.time)}</span>
          {number === undefined ? null : <span className="card__number">{number}</span>}
        </span>
      </span>
    </button>
  );
  if (!said) return card;
  return (
    <div className="card-frame" {...(style ? { style } : {})}>
      {card}
      {said}
    </div>
  );
}
