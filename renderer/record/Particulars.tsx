import type { RecordDetail } from "#contract";
import { Fold } from "../design/Fold.tsx";
import { KindIcon } from "../design/KindIcon.tsx";
import { bytes, count, counted, moment, ownMoment, recordTitle } from "../state/format.ts";
import { openRecord } from "../state/route.ts";

const relations: Readonly<Record<RecordDetail["related"][number]["relation"], string>> = {
  reply_to: "Answers",
  replied_by: "Answered by",
  attachment: "Attached",
  attachment_of: "Attached to",
  looks_alike: "Looks the same",
  same_thread: "Same thread",
};

/** Records that stand in a named relation to this one. */
export function Related({ detail }: { detail: RecordDetail }) {
  const { related } = detail;
  if (related.length === 0) return null;
  return (
    <Fold title="Related" note={counted(related.length, "record")} open>
      <ul>
        {related.map(({ relation, record }) => (
          <li key={`${relation} ${record.id}`}>
            <button type="button" className="line-button" onClick={() => openRecord(record.id)}>
              <KindIcon kind={record.kind} />
              <span className="line-button__text">{recordTitle(record)}</span>
              <span className="quiet small">
                {relations[relation]} · {moment(record.time)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** Where it was read from, and when. */
export function Provenance({ detail }: { detail: RecordDetail }) {
  return (
    <Fold title="Where it comes from" note={detail.record.source}>
      <ul className="provenance">
        {detail.provenance.map(({ importId, importedAt, root, location, missingSince }) => (
          <li key={`${importId} ${location.path} ${location.offset}`}>
            <code>{location.path}</code>
            <div className="small quiet">
              {[
                location.role === "sidecar" ? "a file that describes it" : null,
                location.offset === null ? null : `from byte ${count(location.offset)}`,
                location.bytes === null ? null : bytes(location.bytes),
                missingSince === null ? null : `not there since ${ownMoment(missingSince)}`,
              ]
                .filter(Boolean)
                .join(", ")}
            </div>
            <div className="small quiet">
              Import {importId}, {ownMoment(importedAt)}, below <code>{root}</code>
            </div>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** Every version that there was, the newest first. */
export function Versions({ detail }: { detail: RecordDetail }) {
  const versions = [...detail.versions].sort((a, b) => b.version - a.version);
  if (versions.length < 2) return null;
  return (
    <Fold title="History" note={counted(versions.length, "version")}>
      <ol className="versions">
        {versions.map((version) => (
          <li key={version.version}>
            <div className="small">
              Version {version.version} <span className="quiet">{ownMoment(version.at)}</span>{" "}
              <span className="quiet">{version.by === "person" ? "by you" : "as imported"}</span>
            </div>
            {version.subject ? <div className="versions__subject">{version.subject}</div> : null}
            {version.text ? <div className="versions__text">{version.text}</div> : null}
          </li>
        ))}
      </ol>
    </Fold>
  );
}

/** What the source said that has no place of its own: shown, never interpreted. */
export function MoreDetails({ detail }: { detail: RecordDetail }) {
  const { record } = detail;
  const rows: [string, string][] = [
    ["Record", `${record.id}, version ${record.version}`],
    ["Identity", record.identity],
    ...(record.nativeId ? [["Id in the source", record.nativeId] satisfies [string, string]] : []),
    ["Content hash", record.contentHash],
    ...Object.entries(record.props.extra ?? {}).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ];
  return (
    <Fold title="More details" note="">
      <dl className="facts facts--raw">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}
