import { useEffect } from "react";
import type { ModelStatus } from "#contract";
import { Segments } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { SettingsPart } from "../settings/SettingsPart.tsx";
import { useConnection } from "../state/connection.ts";
import { isLive, useJobs } from "../state/jobs.ts";
import { goodStart, installJob, modelState, useModels } from "../state/models.ts";
import { setParams, useRoute } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { useSettings } from "../state/settings.ts";
import { GoodStart } from "./GoodStart.tsx";
import { GroupSection } from "./GroupSection.tsx";
import { type Group, groups, laterGroups } from "./words.ts";
import "./models.css";

const words = {
  title: "Models & settings",
  models: "Models",
  settings: "Settings",
  lead: "Without a model Understory finds words. With models it also finds meanings and looks at pictures. They run on this machine; only fetching one once needs the network.",
  later: "Not in use yet",
  laterNote: "voice, video and faces",
  laterWhy: "These models can be kept ready and checked, but nothing runs them in this version.",
  folder: "Models lie in",
} as const;

const tabs = ["models", "settings"] as const;
type Tab = (typeof tabs)[number];

/** Pause between two reads of how far the views have come, while there is something to do, ms. */
const pollMs = 2_000;

/** Reads how far the views have come as long as work on them goes on. */
function useProgress(): void {
  const busy = useSession((session) => session.status?.indexes?.views.some((view) => view.pending > 0) ?? false);
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(() => void useSession.getState().refresh(), pollMs);
    return () => clearInterval(timer);
  }, [busy]);
}

function GroupList({ list, models }: { list: readonly Group[]; models: readonly ModelStatus[] }) {
  return list.map((group) => {
    const own = models.filter((model) => group.purposes.some((purpose) => purpose === model.purpose));
    return own.length > 0 ? <GroupSection key={group.key} group={group} models={own} /> : null;
  });
}

function ModelsPart() {
  const { models, folder, error, jobIds, load } = useModels();
  const jobs = useJobs((state) => state.jobs);
  const epoch = useConnection((connection) => connection.epoch);
  // Models come and go with their jobs.
  const installs = [...jobs.values()]
    .filter((job) => job.kind === "install-model")
    .map((job) => `${job.id} ${isLive(job) ? "live" : job.state}`)
    .join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when an installation begins or ends, and on a new connection.
  useEffect(() => void load(), [load, installs, epoch]);
  useProgress();

  const stateOf = (model: ModelStatus) => modelState(model, installJob(model, jobs, jobIds));
  const off = useSettings((state) => state.settings?.models);
  const start = goodStart(models ?? [], stateOf).filter((model) => off?.[model.purpose] !== null);
  const later = (models ?? []).filter((model) =>
    laterGroups.some((group) => group.purposes.some((purpose) => purpose === model.purpose)),
  );
  return (
    <div className="models__part">
      <p className="room__lead">{words.lead}</p>
      {error ? <ErrorNote error={error} onRetry={() => void load()} /> : null}
      <GoodStart models={start} />
      <div className="groups" aria-busy={models === null}>
        <GroupList list={groups} models={models ?? []} />
        {later.length > 0 ? (
          <Fold title={words.later} note={words.laterNote}>
            <p className="small quiet">{words.laterWhy}</p>
            <div className="groups">
              <GroupList list={laterGroups} models={later} />
            </div>
          </Fold>
        ) : null}
      </div>
      {folder ? (
        <p className="small quiet models__folder">
          {words.folder} <code>{folder}</code>
        </p>
      ) : null}
    </div>
  );
}

/** What thinks on this machine, by what it does for the person; and how it may work. */
export function ModelsRoom() {
  const asked = useRoute((route) => route.params.tab);
  const tab: Tab = tabs.find((one) => one === asked) ?? "models";
  const epoch = useConnection((connection) => connection.epoch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again on a new connection.
  useEffect(() => void useSettings.getState().load(), [epoch]);
  return (
    <div className="room">
      <div className="room__column models">
        <h1 className="room__title">{words.title}</h1>
        <div>
          <Segments
            label="Part of Models & settings"
            value={tab}
            onChange={(next) => setParams({ tab: next === "models" ? "" : next, open: "" })}
            options={tabs.map((value) => ({ value, label: words[value] }))}
          />
        </div>
        {tab === "models" ? <ModelsPart /> : <SettingsPart />}
      </div>
    </div>
  );
}
