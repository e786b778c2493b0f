import { useCallback, useEffect, useState } from "react";
import type { ErrorShape, ModelStatus } from "#contract";
import { Button, Segments } from "../design/controls.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { client, shownError } from "../state/client.ts";
import { useConnection } from "../state/connection.ts";
import { liveJobs, useJobs } from "../state/jobs.ts";
import { useSession } from "../state/session.ts";
import { attempt, useUi } from "../state/ui.ts";
import { ModelCard } from "./ModelCard.tsx";
import "./models.css";

const words = {
  title: "Models & settings",
  models: "Models",
  lead: "Without a model Understory finds words. With one it also finds meanings: “the trip to the sea” finds the harbour. A model runs on this machine; only fetching it once needs the network.",
  folder: "Models lie in",
  look: "How it looks",
  theme: "Theme",
  density: "Density",
  archive: "Archive",
  lock: "Lock the archive",
  leave: "Leave the sample",
} as const;

function Look() {
  const { theme, density, setTheme, setDensity } = useUi();
  return (
    <section className="settings">
      <h2>{words.look}</h2>
      <div className="settings__row">
        <span>{words.theme}</span>
        <Segments
          label={words.theme}
          value={theme}
          onChange={setTheme}
          options={[
            { value: "system", label: "As the system" },
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
        />
      </div>
      <div className="settings__row">
        <span>{words.density}</span>
        <Segments
          label={words.density}
          value={density}
          onChange={setDensity}
          options={[
            { value: "comfortable", label: "Comfortable" },
            { value: "compact", label: "Compact" },
          ]}
        />
      </div>
    </section>
  );
}

export function ModelsRoom() {
  const [models, setModels] = useState<readonly ModelStatus[] | null>(null);
  const [folder, setFolder] = useState("");
  const [error, setError] = useState<ErrorShape | null>(null);
  const status = useSession((session) => session.status);
  const installing = liveJobs(useJobs((state) => state.jobs)).filter((job) => job.kind === "install-model");
  const installCount = installing.length;
  const epoch = useConnection((connection) => connection.epoch);

  const load = useCallback(() => {
    client()
      .call("models.list", {})
      .then(
        (list) => {
          setModels(list.models);
          setFolder(list.folder);
          setError(null);
        },
        (cause: unknown) => setError(shownError(cause)),
      );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when an installation begins or ends, and on a new connection.
  useEffect(load, [load, installCount, epoch]);

  async function leave() {
    const method = status?.sample ? "archive.closeSample" : "archive.lock";
    if (await attempt(() => client().call(method, {}))) await useSession.getState().refresh();
  }

  return (
    <div className="room">
      <div className="room__column models">
        <h1 className="room__title">{words.title}</h1>
        <section className="settings">
          <h2>{words.models}</h2>
          <p className="room__lead">{words.lead}</p>
          {error ? <ErrorNote error={error} onRetry={load} /> : null}
          <ul className="models__list">
            {models?.map((model) => (
              <ModelCard key={model.id} model={model} job={installing[0]} onChanged={load} />
            ))}
          </ul>
          {folder ? (
            <p className="small quiet models__folder">
              {words.folder} <code>{folder}</code>
            </p>
          ) : null}
        </section>
        <Look />
        <section className="settings">
          <h2>{words.archive}</h2>
          <p className="small quiet models__folder">
            {status?.name}, <code>{status?.path}</code>. Understory {status?.version}.
          </p>
          <div>
            <Button onClick={() => void leave()}>{status?.sample ? words.leave : words.lock}</Button>
          </div>
        </section>
      </div>
    </div>
  );
}
