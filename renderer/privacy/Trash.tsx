import { useMemo, useState } from "react";
import type { RecordSummary } from "#contract";
import { Button, Field } from "../design/controls.tsx";
import { AskDialog } from "../design/dialog.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { KindIcon } from "../design/KindIcon.tsx";
import { MoreRows } from "../design/MoreRows.tsx";
import { eraseRecords, restoreRecords } from "../state/actions.ts";
import { client } from "../state/client.ts";
import { count, counted, moment, recordTitle } from "../state/format.ts";
import { type ReadRows, usePages } from "../state/pages.ts";
import { openRecord } from "../state/route.ts";
import { useSession } from "../state/session.ts";

const words = {
  empty: "The trash is empty. What you delete waits here until you delete it for good or put it back.",
  restore: "Put back",
  erase: "Delete for good…",
  all: "Mark all",
  none: "Unmark all",
  confirmTitle: "Delete for good?",
  confirm:
    "They cannot be brought back: not by undo, not by the recovery code. The files they came from are not touched; should you import those again, Understory leaves out what you have deleted.",
  typed: "delete",
  type: "Type “delete” to go on",
  cancel: "Keep them",
} as const;

const readTrash: ReadRows<RecordSummary> = async (offset, limit, signal) => {
  const { records, total } = await client().call(
    "library.list",
    { filter: { trashed: true }, offset, limit },
    { signal },
  );
  return { rows: records, total };
};

function ConfirmErase({ ids, onClose }: { ids: number[]; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  return (
    <AskDialog
      title={words.confirmTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            tone="danger"
            disabled={busy || typed.trim().toLowerCase() !== words.typed}
            onClick={() => {
              setBusy(true);
              void eraseRecords(ids).finally(onClose);
            }}
          >
            Delete {counted(ids.length, "record")} for good
          </Button>
        </>
      }
    >
      <p>{words.confirm}</p>
      <Field label={words.type}>
        {(control) => (
          <input
            {...control}
            className="input"
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </AskDialog>
  );
}

export function Trash() {
  const changes = useSession((session) => session.changes);
  const { rows: records, total, error, more } = usePages(readTrash, "trash", changes);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [confirming, setConfirming] = useState(false);
  // A mark goes with its record when that has been put back or deleted.
  const marked = useMemo(() => new Set(records?.flatMap(({ id }) => (chosen.has(id) ? id : []))), [records, chosen]);

  if (error) return <ErrorNote error={error} />;
  if (!records) return null;
  if (records.length === 0) return <p className="quiet">{words.empty}</p>;

  function mark(id: number) {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  }

  const ids = [...marked];
  return (
    <>
      <div className="trash__bar">
        <Button
          tone="quiet"
          onClick={() =>
            setChosen(marked.size === records.length ? new Set() : new Set(records.map((record) => record.id)))
          }
        >
          {marked.size === records.length
            ? words.none
            : total > records.length
              ? `Mark these ${count(records.length)}`
              : words.all}
        </Button>
        <span className="small quiet">
          {marked.size > 0 ? `${count(marked.size)} marked` : counted(total, "record")}
        </span>
        <span className="trash__actions">
          <Button disabled={ids.length === 0} onClick={() => void restoreRecords(ids)}>
            {words.restore}
          </Button>
          <Button tone="danger" disabled={ids.length === 0} onClick={() => setConfirming(true)}>
            {words.erase}
          </Button>
        </span>
      </div>
      <ul className="trash">
        {records.map((record) => (
          <li key={record.id}>
            <input
              type="checkbox"
              aria-label={`Mark ${recordTitle(record)}`}
              checked={marked.has(record.id)}
              onChange={() => mark(record.id)}
            />
            <button type="button" className="line-button" onClick={() => openRecord(record.id)}>
              <KindIcon kind={record.kind} />
              <span className="line-button__text">{recordTitle(record)}</span>
              <span className="quiet small">{moment(record.time)}</span>
            </button>
          </li>
        ))}
      </ul>
      <MoreRows left={total - records.length} what="record" onMore={more} />
      {confirming ? <ConfirmErase ids={ids} onClose={() => setConfirming(false)} /> : null}
    </>
  );
}
