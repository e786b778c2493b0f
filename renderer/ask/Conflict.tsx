import type { Conflict, RecordSummary } from "#contract";
import { clock, dayOf, moment, shortDay } from "../state/format.ts";
import { openRecord } from "../state/route.ts";
import { byline, EvidenceCard } from "./EvidenceCard.tsx";
import type { ValueHistory } from "./history.ts";
import { citeParam, type EvidenceLinks } from "./segments.ts";

/** A value longer than this is set small: it is a phrase, not a number or a date. */
const longValue = 22;

function valueClass(value: string, old: boolean): string {
  return `pair__value ${value.length > longValue ? "pair__long" : ""} ${old ? "pair__old" : ""}`;
}

/** The day; the time besides when both are of one day. */
function when(record: RecordSummary, other: RecordSummary): string {
  const day = dayOf(record.time);
  if (day === null) return moment(record.time);
  return day === dayOf(other.time) && clock(record.time) !== "" ? moment(record.time) : shortDay(day);
}

/** From one card to the other: an arrow for what changed, a broken line for what disagrees. */
function Between({ changed }: { changed: boolean }) {
  return (
    <svg
      className="pair__line"
      viewBox="0 0 120 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={changed ? "was replaced by" : "disagrees with"}
    >
      {changed ? <path d="M0 7H119M110 1L119 7L110 13" /> : <path d="M0 7H48L53 2L60 12L67 2L72 7H120" />}
    </svg>
  );
}

/**
 * Two records that cannot both hold. A conflict: they face each other across a broken line. A change: the older one
 * faded, an arrow with both dates to the newer. The differing values stand one under the other between them.
 */
export function ConflictPair({
  conflict,
  records,
  links,
}: {
  conflict: Conflict;
  records: ReadonlyMap<number, RecordSummary>;
  links: EvidenceLinks;
}) {
  const older = records.get(conflict.older.recordId);
  const newer = records.get(conflict.newer.recordId);
  if (!older || !newer) return null;
  const changed = conflict.kind === "superseded";
  return (
    <div className={`pair pair--${conflict.kind}`}>
      <EvidenceCard record={older} links={links} className={`card--flow ${changed ? "card--faded" : ""}`} />
      <div className="pair__between">
        <div className="pair__attribute">{conflict.attribute}</div>
        <div className="pair__dates">
          <span>{when(older, newer)}</span>
          <span>{when(newer, older)}</span>
        </div>
        <Between changed={changed} />
        <div className={valueClass(conflict.older.value, changed)}>{conflict.older.value}</div>
        <div className={valueClass(conflict.newer.value, false)}>{conflict.newer.value}</div>
      </div>
      <EvidenceCard record={newer} links={links} className="card--flow" />
    </div>
  );
}

/** One attribute that changed more than once: its values down the page, the oldest first, what stands now in ink. */
export function History({ history, links }: { history: ValueHistory; links: EvidenceLinks }) {
  return (
    <div className="history">
      <h3 className="history__attribute">{history.attribute}</h3>
      <ol>
        {history.values.map(({ record, value, stands }) => (
          <li key={record.id} className={stands ? "history__now" : "history__past"}>
            <button type="button" onClick={() => openRecord(record.id, citeParam(links.citationOf.get(record.id)))}>
              <span className="history__when">{moment(record.time)}</span>
              <span className={stands ? "history__value" : "history__value pair__old"}>{value}</span>
              <span className="history__who">{byline(record)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
