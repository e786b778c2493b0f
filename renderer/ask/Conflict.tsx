import { ArrowRight } from "lucide-react";
import type { Conflict, RecordSummary } from "#contract";
import { moment } from "../state/format.ts";
import { EvidenceCard } from "./EvidenceCard.tsx";
import type { EvidenceLinks } from "./segments.ts";

/** A value longer than this is set small: it is a phrase, not a number or a date. */
const longValue = 22;

function valueClass(value: string, old: boolean): string {
  return `pair__value ${value.length > longValue ? "pair__long" : ""} ${old ? "pair__old" : ""}`;
}

/**
 * Two records that cannot both hold. A conflict: they face each other across a broken line. A change: the older one
 * faded, an arrow to the newer. The differing values stand one under the other between them.
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
        <div className="pair__values">
          <div>
            <div className="pair__when">{moment(older.time)}</div>
            <div className={valueClass(conflict.older.value, changed)}>{conflict.older.value}</div>
          </div>
          {changed ? (
            <ArrowRight className="pair__arrow" size={22} strokeWidth={1.75} aria-label="was replaced by" />
          ) : (
            <svg
              className="pair__break"
              viewBox="0 0 120 12"
              preserveAspectRatio="none"
              role="img"
              aria-label="disagrees with"
            >
              <path d="M0 6H44L50 1L58 11L66 1L72 11L77 6H120" />
            </svg>
          )}
          <div>
            <div className="pair__when">{moment(newer.time)}</div>
            <div className={valueClass(conflict.newer.value, false)}>{conflict.newer.value}</div>
          </div>
        </div>
      </div>
      <EvidenceCard record={newer} links={links} className="card--flow" />
    </div>
  );
}
