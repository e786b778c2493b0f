import { type LlmTask, offeredTasks, type Settings } from "#contract";
import { Check, Segments } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { ErrorNote } from "../design/feedback.tsx";
import { useModels } from "../state/models.ts";
import { useSettings } from "../state/settings.ts";
import { CommitField } from "./CommitField.tsx";
import { ShareSlider } from "./ShareSlider.tsx";
import { bytesOf, gigabytes, taskWords } from "./words.ts";

const words = {
  title: "How models may work",
  battery: "Wait while on battery",
  batteryHint: "Background work goes on when the machine is plugged in again.",
  memory: "Most memory for open models",
  memoryHint: "In GB. Empty: a third of this machine's memory. A model that would not fit is refused with its reason.",
  memoryPlace: "by itself",
  llm: "Language model",
  llmNone: "No language model is installed; this takes effect once one is.",
  gpu: "Graphics processor",
  tasks: "What it may do",
  tasksNote: "as measured",
  tasksWhy: "As measured: each model does what it was found to be good at, and nothing else.",
  network: "Network for models",
  networkWhy: "Used only while a model is being fetched, after you have agreed to it.",
  mirror: "Another address of the model hub",
  mirrorHint: "A mirror that offers the same files. They are checked like all others.",
  proxy: "Proxy",
  proxyHint: "Only for fetching models.",
} as const;

type Choice = "self" | "on" | "off";

function Task({ task, settings }: { task: LlmTask; settings: Settings }) {
  const given = settings.llmTasks[task];
  const value: Choice = given === undefined ? "self" : given ? "on" : "off";
  function choose(choice: Choice) {
    const { [task]: _before, ...others } = settings.llmTasks;
    const now = choice === "self" ? {} : { [task]: choice === "on" };
    void useSettings.getState().change({ llmTasks: { ...others, ...now } });
  }
  const { name, does } = taskWords[task];
  return (
    <li className="task">
      <div>
        <div className="task__name">{name}</div>
        <div className="small quiet">{does}</div>
      </div>
      <Segments
        label={name}
        value={value}
        onChange={choose}
        options={[
          { value: "self", label: "As measured" },
          { value: "on", label: "On" },
          { value: "off", label: "Off" },
        ]}
      />
    </li>
  );
}

/** How hard models may work, what the language model may do, and by which way models are fetched. Saved at once. */
export function Thinking() {
  const { settings, error, fieldErrors, load, change } = useSettings();
  const models = useModels((state) => state.models);
  if (error) return <ErrorNote error={error} onRetry={() => void load()} />;
  if (!settings) return <section className="settings settings--waiting" aria-busy="true" />;
  const { hub } = settings;
  const wrong = (path: string) => fieldErrors[path] ?? null;
  const noLlm = models?.every((model) => model.purpose !== "llm" || model.state !== "installed") ?? false;
  const changed = Object.keys(settings.llmTasks).length;
  return (
    <>
      <section className="settings">
        <h2>{words.title}</h2>
        <ShareSlider
          value={settings.cpuShare}
          error={wrong("cpuShare")}
          onChange={(cpuShare) => void change({ cpuShare })}
        />
        <Check
          label={words.battery}
          hint={words.batteryHint}
          error={wrong("pauseOnBattery")}
          checked={settings.pauseOnBattery}
          onChange={(pauseOnBattery) => void change({ pauseOnBattery })}
        />
        <CommitField
          label={words.memory}
          hint={words.memoryHint}
          error={wrong("memoryCeilingBytes")}
          value={gigabytes(settings.memoryCeilingBytes)}
          placeholder={words.memoryPlace}
          inputMode="decimal"
          className="settings__number"
          onCommit={(text) => void change({ memoryCeilingBytes: bytesOf(text) })}
        />
      </section>
      <section className="settings">
        <h2>{words.llm}</h2>
        {noLlm ? <p className="small quiet">{words.llmNone}</p> : null}
        <div className="settings__row">
          <span>{words.gpu}</span>
          <Segments
            label={words.gpu}
            value={settings.gpu}
            onChange={(gpu) => void change({ gpu })}
            options={[
              { value: "auto", label: "Where it helps" },
              { value: "off", label: "Off" },
            ]}
          />
        </div>
        <div className="settings__folds">
          <Fold title={words.tasks} note={changed === 0 ? words.tasksNote : `${changed} chosen by you`}>
            <p className="small quiet">{words.tasksWhy}</p>
            {wrong("llmTasks") ? <p className="field__error">{wrong("llmTasks")}</p> : null}
            <ul className="tasks">
              {offeredTasks.map((task) => (
                <Task key={task} task={task} settings={settings} />
              ))}
            </ul>
          </Fold>
          <Fold title={words.network} note={hub.mirror || hub.proxy ? "changed by you" : "as the catalogue says"}>
            <p className="small quiet">{words.networkWhy}</p>
            <CommitField
              label={words.mirror}
              hint={words.mirrorHint}
              error={wrong("hub.mirror") ?? wrong("hub")}
              value={hub.mirror ?? ""}
              placeholder="https://"
              inputMode="url"
              onCommit={(text) => void change({ hub: { ...hub, mirror: text === "" ? null : text } })}
            />
            <CommitField
              label={words.proxy}
              hint={words.proxyHint}
              error={wrong("hub.proxy")}
              value={hub.proxy ?? ""}
              placeholder="http://"
              inputMode="url"
              onCommit={(text) => void change({ hub: { ...hub, proxy: text === "" ? null : text } })}
            />
          </Fold>
        </div>
      </section>
    </>
  );
}
