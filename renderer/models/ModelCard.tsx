import { useState } from "react";
import type { Job, ModelStatus } from "#contract";
import { Button } from "../design/controls.tsx";
import { AskDialog } from "../design/dialog.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { client } from "../state/client.ts";
import { bytes } from "../state/format.ts";
import { isLive } from "../state/jobs.ts";
import { modelState, useModels } from "../state/models.ts";
import { useSession } from "../state/session.ts";
import { useSettings } from "../state/settings.ts";
import { attempt, useUi } from "../state/ui.ts";
import { InstallProgress } from "./InstallProgress.tsx";
import { languageWords, sourceWords } from "./words.ts";

const words = {
  install: "Install…",
  again: "Install again…",
  use: "Use this one",
  verify: "Check its files",
  checking: "Checking…",
  remove: "Remove…",
  removeYes: "Remove it",
  no: "Keep it",
  recommended: "recommended",
  active: "in use",
  damaged: "Its files are not what they should be. It is set aside and not used.",
  unseen: "Size and checksum are the publisher's word: nobody here has had these files in hand.",
  after: "Your records stay. What it has found is kept until another model takes its place.",
} as const;

/** Reads again what depends on which models there are. */
async function refresh(): Promise<void> {
  await Promise.all([useModels.getState().load(), useSession.getState().refresh()]);
}

function RemoveDialog({ model, onClose }: { model: ModelStatus; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  async function remove() {
    setBusy(true);
    const done = await attempt(async () => {
      const { freedBytes } = await client().call("models.remove", { id: model.id });
      useUi.getState().notify(`${model.title} was removed; ${bytes(freedBytes)} are free again.`);
    });
    setBusy(false);
    if (done) {
      onClose();
      await refresh();
    }
  }
  return (
    <AskDialog
      title={`Remove ${model.title}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.no}</Button>
          <Button tone="danger" disabled={busy} onClick={() => void remove()}>
            {words.removeYes}
          </Button>
        </>
      }
    >
      <p>This frees {bytes(model.bytes)}, for all archives that use it on this machine.</p>
      <p className="quiet">{words.after}</p>
    </AskDialog>
  );
}

/** One model: what it is, what it takes, and what can be done with it. */
export function ModelCard({
  model,
  job,
  onInstall,
}: {
  model: ModelStatus;
  job: Job | undefined;
  onInstall: () => void;
}) {
  const [removing, setRemoving] = useState(false);
  const [checking, setChecking] = useState(false);
  const state = modelState(model, job);
  const chosen = useSettings((settings) => settings.settings?.models);
  const failed = job && !isLive(job) && job.error && state === "absent" ? job.error : null;

  async function use() {
    if (await useSettings.getState().change({ models: { ...chosen, [model.purpose]: model.id } })) await refresh();
  }

  async function verify() {
    setChecking(true);
    await attempt(async () => {
      const { ok, reason } = await client().call("models.verify", { id: model.id });
      useUi.getState().notify(ok ? `${model.title}: every file is as it should be.` : (reason ?? words.damaged));
    });
    setChecking(false);
    await refresh();
  }

  const facts: [string, string][] = [
    ["Size", bytes(model.bytes)],
    ["Memory", bytes(model.memoryBytes)],
    ["Languages", languageWords(model.languages)],
    ["Licence", model.licence],
  ];
  return (
    <li className="model" aria-label={model.title}>
      <div className="model__text">
        <h3>
          {model.title}
          {model.active && state === "installed" ? (
            <span className="model__tag model__tag--on">{words.active}</span>
          ) : model.recommended ? (
            <span className="model__tag">{words.recommended}</span>
          ) : null}
        </h3>
        <p>{model.why}</p>
        <dl className="model__facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {model.fits ? null : (
          <p className="model__caution">
            Meant for machines with {bytes(model.machineMemoryBytes)} of memory or more; this one has less.
          </p>
        )}
        {model.measured ? null : <p className="model__unseen">{words.unseen}</p>}
        {state === "damaged" ? <p className="model__caution">{words.damaged}</p> : null}
        <details className="model__more small">
          <summary>
            Source and licence<span className="visually-hidden"> of {model.title}</span>
          </summary>
          {/* Shown as text: the window opens no address by itself. */}
          <dl className="facts">
            <div>
              <dt>From</dt>
              <dd>{sourceWords(model)}</dd>
            </div>
            <div>
              <dt>Licence text</dt>
              <dd>{model.licenceUrl}</dd>
            </div>
            <div>
              <dt>Its makers</dt>
              <dd>{model.home}</dd>
            </div>
            <div>
              <dt>Version</dt>
              <dd>{model.version}</dd>
            </div>
          </dl>
        </details>
        {state === "installing" && job ? <InstallProgress job={job} title={model.title} /> : null}
        {failed ? <ErrorNote error={failed} /> : null}
      </div>
      <div className="model__actions">
        {state === "installed" ? (
          <>
            {model.active ? null : (
              <Button aria-label={`${words.use}: ${model.title}`} onClick={() => void use()}>
                {words.use}
              </Button>
            )}
            <Button
              tone="quiet"
              disabled={checking}
              aria-label={`${words.verify}: ${model.title}`}
              onClick={() => void verify()}
            >
              {checking ? words.checking : words.verify}
            </Button>
            <Button tone="quiet" aria-label={`Remove ${model.title}…`} onClick={() => setRemoving(true)}>
              {words.remove}
            </Button>
          </>
        ) : state === "installing" ? null : (
          <>
            <Button aria-label={`Install ${model.title}${state === "damaged" ? " again" : ""}…`} onClick={onInstall}>
              {state === "damaged" ? words.again : words.install}
            </Button>
            {state === "damaged" ? (
              <Button tone="quiet" aria-label={`Remove ${model.title}…`} onClick={() => setRemoving(true)}>
                {words.remove}
              </Button>
            ) : null}
          </>
        )}
      </div>
      {removing ? <RemoveDialog model={model} onClose={() => setRemoving(false)} /> : null}
    </li>
  );
}
