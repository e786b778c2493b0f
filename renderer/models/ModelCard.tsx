import { useState } from "react";
import type { Job, ModelStatus } from "#contract";
import { Button, Field } from "../design/controls.tsx";
import { AskDialog } from "../design/dialog.tsx";
import { Progress } from "../design/feedback.tsx";
import { client } from "../state/client.ts";
import { bytes, timeLeft } from "../state/format.ts";
import { attempt, useUi } from "../state/ui.ts";

const words = {
  install: "Install…",
  again: "Install again…",
  remove: "Remove",
  stop: "Stop",
  recommended: "recommended",
  states: {
    absent: "not installed",
    installing: "being installed",
    installed: "installed",
    damaged: "damaged: its files do not match what they should be",
  },
  consent:
    "To fetch this model Understory uses the network, this once. It sends nothing about you or your archive; the server only sees that someone fetches the file. Afterwards the model runs on this machine alone.",
  from: "From",
  yes: "Fetch and install",
  no: "Not now",
} as const;

/** What, why, how large, under which licence, from where: then a yes or a no. */
function Consent({ model, onClose, onStarted }: { model: ModelStatus; onClose: () => void; onStarted: () => void }) {
  const [from, setFrom] = useState("");
  const [busy, setBusy] = useState(false);
  async function install() {
    setBusy(true);
    const done = await attempt(() =>
      client().call("models.install", { id: model.id, consent: true, ...(from === "" ? {} : { from }) }),
    );
    setBusy(false);
    if (done) {
      onClose();
      onStarted();
    }
  }
  return (
    <AskDialog
      title={`Install ${model.title}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.no}</Button>
          <Button tone="primary" disabled={busy} onClick={() => void install()}>
            {words.yes}
          </Button>
        </>
      }
    >
      <p className="model__why">{model.why}</p>
      <dl className="facts">
        <div>
          <dt>Size</dt>
          <dd>{bytes(model.bytes)}</dd>
        </div>
        <div>
          <dt>Licence</dt>
          <dd>
            {model.licence}
            <div className="quiet model__url">{model.licenceUrl}</div>
          </dd>
        </div>
      </dl>
      {model.sources.length > 1 ? (
        <Field label={words.from}>
          {(control) => (
            <select {...control} className="input" value={from} onChange={(event) => setFrom(event.target.value)}>
              <option value="">The first that answers</option>
              {model.sources.map((source) => (
                <option key={source.kind} value={source.kind}>
                  {source.label}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <p className="small quiet">
          {words.from}: {model.sources[0]?.label ?? "nowhere known"}
        </p>
      )}
      <p className="model__consent">{words.consent}</p>
    </AskDialog>
  );
}

export function ModelCard({
  model,
  job,
  onChanged,
}: {
  model: ModelStatus;
  job: Job | undefined;
  onChanged: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const installing = model.state === "installing" ? job : undefined;

  async function remove() {
    if (await attempt(() => client().call("models.remove", { id: model.id }))) {
      useUi.getState().notify(`${model.title} was removed.`);
      onChanged();
    }
  }

  return (
    <li className="model">
      <div className="model__text">
        <h3>
          {model.title}{" "}
          {model.recommended && model.state === "absent" ? <span className="quiet">{words.recommended}</span> : null}
        </h3>
        <p>{model.why}</p>
        <dl className="model__facts">
          <div>
            <dt>Size</dt>
            <dd>{bytes(model.bytes)}</dd>
          </div>
          <div>
            <dt>Licence</dt>
            <dd>{model.licence}</dd>
          </div>
          <div>
            <dt>State</dt>
            <dd>{words.states[model.state]}</dd>
          </div>
        </dl>
        {installing ? (
          <div className="model__progress">
            <Progress
              label={installing.title}
              share={installing.progress.total ? installing.progress.done / installing.progress.total : null}
            />
            <p className="small quiet">
              {bytes(installing.progress.done)}
              {installing.progress.total ? ` of ${bytes(installing.progress.total)}` : ""}
              {installing.progress.secondsLeft === null ? "" : ` · ${timeLeft(installing.progress.secondsLeft)} left`}
            </p>
          </div>
        ) : null}
      </div>
      {installing ? (
        <Button onClick={() => void attempt(() => client().call("jobs.cancel", { jobId: installing.id }))}>
          {words.stop}
        </Button>
      ) : model.state === "installed" ? (
        <Button onClick={() => void remove()}>{words.remove}</Button>
      ) : (
        <Button tone={model.recommended ? "primary" : "plain"} onClick={() => setAsking(true)}>
          {model.state === "damaged" ? words.again : words.install}
        </Button>
      )}
      {asking ? <Consent model={model} onClose={() => setAsking(false)} onStarted={onChanged} /> : null}
    </li>
  );
}
