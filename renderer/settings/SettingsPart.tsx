import { useEffect } from "react";
import { Button, Segments } from "../design/controls.tsx";
import { client } from "../state/client.ts";
import { useModels } from "../state/models.ts";
import { useSession } from "../state/session.ts";
import { attempt, useUi } from "../state/ui.ts";
import { Thinking } from "./Thinking.tsx";
import "./settings.css";

const words = {
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

/** How models may work, how the window looks, and the archive's own place. */
export function SettingsPart() {
  const status = useSession((session) => session.status);
  useEffect(() => {
    if (useModels.getState().models === null) void useModels.getState().load();
  }, []);

  async function leave() {
    const method = status?.sample ? "archive.closeSample" : "archive.lock";
    if (await attempt(() => client().call(method, {}))) await useSession.getState().refresh();
  }

  return (
    <div className="settings__part">
      <Thinking />
      <Look />
      <section className="settings">
        <h2>{words.archive}</h2>
        <p className="small quiet settings__path">
          {status?.name}, <code>{status?.path}</code>. Understory {status?.version}.
        </p>
        <div>
          <Button onClick={() => void leave()}>{status?.sample ? words.leave : words.lock}</Button>
        </div>
      </section>
    </div>
  );
}
