import type { AskResult, RecordSummary } from "#contract";
import { Fold } from "../design/Fold.tsx";
import { KindIcon } from "../design/KindIcon.tsx";
import { counted, moment, recordTitle } from "../state/format.ts";
import { openRecord } from "../state/route.ts";

/** So many are shown; the rest is counted. */
const leftOutShown = 20;

/** What was looked at and not used, with the reason. */
export function LeftOut({ result, records }: { result: AskResult; records: ReadonlyMap<number, RecordSummary> }) {
  const rows = result.leftOut.flatMap((row) => {
    const record = records.get(row.recordId);
    return record ? [{ ...row, record }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Fold title="Left out" note={counted(rows.length, "record")}>
      {[...Map.groupBy(rows.slice(0, leftOutShown), ({ reason }) => reason)].map(([reason, same]) => (
        <section key={reason} className="left-out">
          <h3 className="left-out__reason">{reason}</h3>
          <ul>
            {same.map(({ record }) => (
              <li key={record.id}>
                <button type="button" className="line-button" onClick={() => openRecord(record.id)}>
                  <KindIcon kind={record.kind} />
                  <span className="line-button__text">{recordTitle(record)}</span>
                  <span className="quiet small">{moment(record.time)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {rows.length > leftOutShown ? (
        <p className="small quiet">{counted(rows.length - leftOutShown, "more record")} beyond these.</p>
      ) : null}
    </Fold>
  );
}
