import { useState } from "react";
import type { ModelStatus } from "#contract";
import { Button } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { Progress } from "../design/feedback.tsx";
import { bytes, counted } from "../state/format.ts";
import { useJobs } from "../state/jobs.ts";
import { installJob, modelState, useModels } from "../state/models.ts";
import { useSession } from "../state/session.ts";
import { useSettings } from "../state/settings.ts";
import { Consent } from "./Consent.tsx";
import { Failures } from "./Failures.tsx";
import { InstallProgress } from "./InstallProgress.tsx";
import { ModelCard } from "./ModelCard.tsx";
import { type Group, viewShare, viewWords } from "./words.ts";

const words = {
  off: "Switched off",
  damaged: "Damaged, and set aside",
  install: "Install",
  again: "Install again",
  installed: "Installed, not in use",
  switchOff: "Switch off",
  switchOn: "Switch on",
} as const;

/** One purpose: what it does for the person, what is in use, how far it has come; its models wait behind a fold. */
export function GroupSection({ group, models }: { group: Group; models: readonly ModelStatus[] }) {
  const [asking, setAsking] = useState<ModelStatus | null>(null);
  const jobs = useJobs((state) => state.jobs);
  const jobIds = useModels((state) => state.jobIds);
  const chosen = useSettings((state) => state.settings?.models);
  const views = useSession((session) => session.status?.indexes?.views);

  const jobOf = (model: ModelStatus) => installJob(model, jobs, jobIds);
  const stateOf = (model: ModelStatus) => modelState(model, jobOf(model));
  const [purpose] = group.purposes;
  const off = group.purposes.every((one) => chosen?.[one] === null);
  const active = models.filter((model) => model.active && stateOf(model) === "installed");
  const installed = models.filter((model) => stateOf(model) === "installed");
  const coming = models.filter((model) => stateOf(model) === "installing");
  const damaged = models.some((model) => stateOf(model) === "damaged");
  const first = models.find((model) => model.recommended && model.fits) ?? models.find((model) => model.fits);
  const view = active.length > 0 ? views?.find((one) => one.purpose === purpose && one.model !== null) : undefined;
  const share = view && group.views ? viewShare(view) : null;

  async function toggle() {
    const others = Object.fromEntries(
      Object.entries(chosen ?? {}).filter(([one]) => !group.purposes.some((own) => own === one)),
    );
    const offNow = off ? {} : Object.fromEntries(group.purposes.map((one) => [one, null]));
    if (await useSettings.getState().change({ models: { ...others, ...offNow } })) {
      await Promise.all([useModels.getState().load(), useSession.getState().refresh()]);
    }
  }

  const state = off
    ? words.off
    : active.length > 0
      ? active.map((model) => model.title).join(" and ")
      : installed.length > 0
        ? words.installed
        : damaged
          ? words.damaged
          : null;
  return (
    <section className="group" aria-labelledby={`group-${group.key}`}>
      <div className="group__head">
        <h2 id={`group-${group.key}`}>{group.title}</h2>
        {off || active.length > 0 ? (
          <Button
            tone="quiet"
            aria-label={`${off ? words.switchOn : words.switchOff}: ${group.title}`}
            onClick={toggle}
          >
            {off ? words.switchOn : words.switchOff}
          </Button>
        ) : first && installed.length === 0 && coming.length === 0 ? (
          <Button onClick={() => setAsking(first)}>
            <span>
              {damaged ? words.again : words.install}
              <span className="visually-hidden"> {first.title}</span>…{" "}
              <span className="quiet">{bytes(first.bytes)}</span>
            </span>
          </Button>
        ) : null}
      </div>
      <p className="group__does">{group.does}</p>
      {coming.map((model) => {
        const job = jobOf(model);
        return job ? <InstallProgress key={model.id} job={job} title={model.title} /> : null;
      })}
      {coming.length > 0 || state === null ? null : (
        <p className="group__state" data-state={off ? "off" : active.length > 0 ? "on" : damaged ? "damaged" : "kept"}>
          {state}
          {view && group.views && !off ? <span className="quiet"> · {viewWords(view, group.views)}</span> : null}
        </p>
      )}
      {view && view.pending > 0 && share !== null && !off ? (
        <Progress label={`${group.title}: ${group.views?.many ?? ""} looked at`} share={share} />
      ) : null}
      <div className="group__folds">
        {view && view.failed > 0 && group.views ? (
          <Failures purpose={purpose} failed={view.failed} what={[group.views.one, group.views.many]} />
        ) : null}
        <Fold
          title={models.length === 1 ? "The model" : "Models"}
          note={models.length === 1 ? (models[0]?.title ?? "") : `${counted(models.length, "model")} to choose from`}
        >
          <ul className="models__list">
            {models.map((model) => (
              <ModelCard key={model.id} model={model} job={jobOf(model)} onInstall={() => setAsking(model)} />
            ))}
          </ul>
        </Fold>
      </div>
      {asking ? <Consent models={[asking]} onClose={() => setAsking(null)} /> : null}
    </section>
  );
}
