import { useEffect, useState } from "react";
import type { FailedView, ModelPurpose, RecordSummary } from "#contract";
import { Button } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { MoreRows } from "../design/MoreRows.tsx";
import { client } from "../state/client.ts";
import { counted, kindTitle, moment } from "../state/format.ts";
import { usePages } from "../state/pages.ts";
import { openRecord } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { attempt, useUi } from "../state/ui.ts";

const words = {
  title: "Could not be read",
  why: "Given up after several tries. The records themselves are whole; only this view of them is missing.",
  retry: "Try all of them again",
} as const;

const pageRows = 20;

/** "Photo, 14 Jul 2024, 21:30", once the record has been read. */
function useRecordName(id: number): string {
  const [name, setName] = useState(`Record ${id}`);
  useEffect(() => {
    const controller = new AbortController();
    client()
      .call("records.get", { id }, { signal: controller.signal })
      .then(
        ({ record }) => setName(nameOf(record)),
        () => {
          // Its number stands for it: the reason beside it is what matters here.
        },
      );
    return () => controller.abort();
  }, [id]);
  return name;
}

function nameOf(record: Pick<RecordSummary, "kind" | "subject" | "time">): string {
  return [record.subject ?? kindTitle(record.kind), moment(record.time)].join(", ");
}

function Row({ view }: { view: FailedView }) {
  const name = useRecordName(view.recordId);
  return (
    <li className="failure">
      <button type="button" className="line-button" onClick={() => openRecord(view.recordId)}>
        <span className="line-button__text">{name}</span>
        <span className="quiet small">{counted(view.attempts, "try", "tries")}</span>
      </button>
      <p className="small quiet">{view.reason}</p>
    </li>
  );
}

function Rows({ purpose, failed }: { purpose: ModelPurpose; failed: number }) {
  const { rows, total, error, more } = usePages<FailedView>(
    (offset, limit, signal) => client().call("views.failed", { purpose, offset, limit }, { signal }),
    purpose,
    failed,
    pageRows,
  );
  return (
    <>
      {error ? <ErrorNote error={error} /> : null}
      <ul className="failures">
        {rows?.map((view) => (
          <Row key={`${view.recordId} ${view.model}`} view={view} />
        ))}
      </ul>
      <MoreRows left={total - (rows?.length ?? 0)} what="record" onMore={more} />
    </>
  );
}

/** Views of one purpose that were given up: which record, why, after how many tries; and the way to try again. */
export function Failures({ purpose, failed, what }: { purpose: ModelPurpose; failed: number; what: [string, string] }) {
  const [busy, setBusy] = useState(false);
  async function retry() {
    setBusy(true);
    await attempt(async () => {
      const { count } = await client().call("views.retry", { purpose });
      useUi.getState().notify(`${counted(count, ...what)} will be tried again.`);
    });
    setBusy(false);
    await useSession.getState().refresh();
  }
  return (
    <Fold title={words.title} note={counted(failed, ...what)}>
      <p className="small quiet">{words.why}</p>
      <Rows purpose={purpose} failed={failed} />
      <div>
        <Button disabled={busy} onClick={() => void retry()}>
          {words.retry}
        </Button>
      </div>
    </Fold>
  );
}
