import type { AskResult, Claim, RecordSummary } from "#contract";
import { useAsk } from "../state/ask.ts";
import { moment, recordTitle } from "../state/format.ts";
import { openRecord } from "../state/route.ts";
import { answerSegments, citeParam, type EvidenceLinks, quotedFrom } from "./segments.ts";

const standings: Readonly<Record<Claim["standing"], string>> = {
  current: "",
  superseded: "A newer record says otherwise",
  conflicting: "Another record disagrees",
};

function Citations({
  claim,
  links,
  records,
}: {
  claim: Claim;
  links: EvidenceLinks;
  records: ReadonlyMap<number, RecordSummary>;
}) {
  const setLit = useAsk((ask) => ask.setLit);
  return claim.citations.map((citation, index) => {
    const number = links.numbers.get(citation.recordId);
    const record = records.get(citation.recordId);
    const named = record ? `${recordTitle(record)}, ${moment(record.time)}` : `record ${citation.recordId}`;
    const from = quotedFrom(citation);
    const what = from ? `${named}, ${from}` : named;
    // The same record cited twice for one claim needs one mark.
    if (claim.citations.findIndex((one) => one.recordId === citation.recordId) !== index) return null;
    return (
      <button
        key={citation.recordId}
        type="button"
        className="citation"
        aria-label={`Source ${number}: ${what}`}
        title={what}
        onClick={() => openRecord(citation.recordId, citeParam(citation))}
        onFocus={() => setLit({ claim: claim.id })}
        onBlur={() => setLit(null)}
      >
        {number}
      </button>
    );
  });
}

/** The answer, sentence by sentence; pointing at a sentence lights what it stands on. */
export function Answer({
  result,
  before,
  links,
  records,
  long,
}: {
  result: AskResult;
  before: readonly string[] | null;
  links: EvidenceLinks;
  records: ReadonlyMap<number, RecordSummary>;
  long: boolean;
}) {
  const lit = useAsk((ask) => ask.lit);
  const setLit = useAsk((ask) => ask.setLit);
  const litClaims = lit && "record" in lit ? links.claimsOf.get(lit.record) : null;

  function classOf(claim: Claim): string {
    const names = ["claim", `claim--${claim.standing}`];
    if (litClaims?.has(claim.id) || (lit && "claim" in lit && lit.claim === claim.id)) names.push("claim--lit");
    if (before && !before.includes(claim.text)) names.push("claim--new");
    return names.join(" ");
  }

  return (
    <div className={long ? "answer answer--long" : "answer"} aria-live="polite">
      <p>
        {answerSegments(result.answer, result.claims).map(({ key, text, claim }) =>
          claim ? (
            <span
              key={key}
              className={classOf(claim)}
              title={standings[claim.standing] || undefined}
              onPointerEnter={() => setLit({ claim: claim.id })}
              onPointerLeave={() => setLit(null)}
            >
              {text}
              {claim.standing === "current" ? null : (
                <span className="visually-hidden"> ({standings[claim.standing]})</span>
              )}
              <span className="citations">
                <Citations claim={claim} links={links} records={records} />
              </span>
            </span>
          ) : (
            <span key={key}>{text}</span>
          ),
        )}
      </p>
    </div>
  );
}
