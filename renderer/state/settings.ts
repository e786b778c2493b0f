import { create } from "zustand";
import { type ErrorShape, type Settings, settingsSchema } from "#contract";
import { client, shownError } from "./client.ts";

type Change = { [K in keyof Settings]?: Settings[K] };

interface SettingsState {
  /** Null until they have been read. What is changed here is shown at once and taken back when the core refuses it. */
  settings: Settings | null;
  /** Why they could not be read. */
  error: ErrorShape | null;
  /** What is wrong with a field that was changed, by its path (`hub.mirror`). */
  fieldErrors: Readonly<Record<string, string>>;
  load(): Promise<void>;
  /** Saves the fields given. A change during a save waits for it and goes out with what came after. True: saved. */
  change(change: Change): Promise<boolean>;
}

/** Paths of settings with what a person is told when a value does not fit; others have the schema's own words. */
const unfit: Readonly<Record<string, string>> = {
  "hub.mirror": "This is no https address. It looks like https://hub.example.org",
  "hub.proxy": "This is no http address. It looks like http://proxy.example.org:3128",
  memoryCeilingBytes: "Models need at least 0.2 GB. Leave it empty for a third of this machine's memory.",
};

/** What does not fit in a change, by path; empty: all fits. */
export function settingsErrors(change: Change): Record<string, string> {
  const parsed = settingsSchema.partial().safeParse(change);
  return Object.fromEntries(
    (parsed.error?.issues ?? []).map((issue) => {
      const path = issue.path.join(".");
      return [path, unfit[path] ?? issue.message];
    }),
  );
}

export const useSettings = create<SettingsState>((set, get) => {
  /** As the core last gave them. */
  let saved: Settings | null = null;
  let waiting: Change = {};
  let saving: Promise<boolean> | null = null;

  async function send(): Promise<boolean> {
    let well = true;
    while (Object.keys(waiting).length > 0) {
      const change = waiting;
      waiting = {};
      try {
        saved = await client().call("settings.set", { settings: change });
        set({ settings: { ...saved, ...waiting } });
      } catch (cause) {
        well = false;
        const error = shownError(cause);
        const told = Object.fromEntries(Object.keys(change).map((field) => [field, error?.message ?? ""]));
        set({
          settings: saved ? { ...saved, ...waiting } : null,
          fieldErrors: error ? { ...get().fieldErrors, ...told } : get().fieldErrors,
        });
      }
    }
    return well;
  }

  return {
    settings: null,
    error: null,
    fieldErrors: {},
    async load() {
      try {
        saved = await client().call("settings.get", {});
        set({ settings: { ...saved, ...waiting }, error: null });
      } catch (cause) {
        const error = shownError(cause);
        if (error) set({ error });
      }
    },
    async change(change) {
      const touched = Object.keys(change);
      const others = Object.entries(get().fieldErrors).filter(
        ([path]) => !touched.some((field) => path === field || path.startsWith(`${field}.`)),
      );
      const wrong = settingsErrors(change);
      set({ fieldErrors: { ...Object.fromEntries(others), ...wrong } });
      const { settings } = get();
      if (Object.keys(wrong).length > 0 || !settings) return false;
      set({ settings: { ...settings, ...change } });
      waiting = { ...waiting, ...change };
      saving ??= send().finally(() => {
        saving = null;
      });
      return saving;
    },
  };
});
