import { type FormEvent, useState } from "react";
import type { ErrorShape, RecordDetail, StoredRecord } from "#contract";
import { Button, Field } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { client, shownError } from "../state/client.ts";
import { dropDraft, keepDraft, keptDraft } from "../state/drafts.ts";

const words = {
  subject: "Subject",
  text: "Text",
  save: "Save",
  cancel: "Cancel",
  kept: "The version before is kept under History. The file that it came from is not touched.",
  conflict: "Someone or something changed this record since you began. Your words are still here.",
  newest: "Save mine as the newest",
} as const;

/** Stable, so that it is called once, when the form appears. */
function focusOnArrival(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
}

/** Corrects what a record says. An edit on an old version is refused, shown, and can be put on the newest. */
export function EditForm({
  record,
  onSaved,
  onReload,
  onCancel,
}: {
  record: StoredRecord;
  onSaved: (detail: RecordDetail) => void;
  onReload: () => void;
  onCancel: () => void;
}) {
  const [draft, setDraft] = useState(
    () => keptDraft(record.id) ?? { subject: record.subject ?? "", text: record.text ?? "", version: record.version },
  );
  const { subject, text, version: base } = draft;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorShape | null>(null);

  async function save(version: number) {
    setBusy(true);
    setError(null);
    try {
      const saved = await client().call("records.edit", {
        id: record.id,
        version,
        subject: subject === "" ? null : subject,
        text: text === "" ? null : text,
      });
      dropDraft(record.id);
      onSaved(saved);
    } catch (cause) {
      const shape = shownError(cause);
      setError(shape);
      if (shape?.code === "conflict") onReload();
    } finally {
      setBusy(false);
    }
  }

  /** Kept beside the form too: leaving it by accident loses nothing. */
  function type(change: { subject?: string; text?: string }) {
    const next = { ...draft, ...change };
    setDraft(next);
    keepDraft(record.id, next);
  }

  function cancel() {
    dropDraft(record.id);
    onCancel();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void save(base);
  }

  return (
    <form className="record__edit" onSubmit={submit}>
      {record.subject !== null || record.kind === "email" || record.kind === "event" ? (
        <Field label={words.subject}>
          {(control) => (
            <input
              {...control}
              className="input"
              value={subject}
              onChange={(event) => type({ subject: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <Field label={words.text} hint={words.kept}>
        {(control) => (
          <textarea
            {...control}
            className="input record__textarea"
            rows={4}
            ref={focusOnArrival}
            value={text}
            onChange={(event) => type({ text: event.target.value })}
          />
        )}
      </Field>
      {error?.code === "conflict" ? (
        <div className="error-note" role="alert">
          <div>
            <p>{words.conflict}</p>
            <Button tone="quiet" disabled={record.version === base} onClick={() => void save(record.version)}>
              {words.newest}
            </Button>
          </div>
        </div>
      ) : error ? (
        <ErrorNote error={error} />
      ) : null}
      <div className="record__buttons">
        <Button tone="primary" type="submit" disabled={busy}>
          {words.save}
        </Button>
        <Button onClick={cancel} disabled={busy}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
