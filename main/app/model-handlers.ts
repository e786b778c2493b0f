import type { Handlers } from "#contract";
import { findModel } from "#models/catalogue.ts";
import { listModels, removeModel, verifyModel } from "#models/installed.ts";
import type { AppContext } from "./context.ts";
import { readSettings, writeSettings } from "./settings.ts";

type Names = Extract<keyof Handlers, `models.${string}` | `settings.${string}`>;

export function modelHandlers(app: AppContext): Pick<Handlers, Names> {
  const folder = app.options.modelsDir;
  const refresh = () => Promise.all([app.inference.refresh(), app.language.refresh()]);
  return {
    async "models.list"() {
      return { models: listModels(folder, readSettings(folder).models), folder };
    },
    async "models.install"({ id, from }) {
      const model = findModel(id);
      const { jobs, store } = app.session();
      const job = await jobs.enqueue({
        kind: "install-model",
        key: `install-${id}`,
        title: `Installing ${model.title}`,
        input: { id, from: from ?? null },
      });
      await store.audit({ action: "model.install", details: { id } });
      return { jobId: job.id };
    },
    async "models.remove"({ id }) {
      const { store } = app.session();
      await app.language.release(id);
      await app.inference.release(id);
      const { freedBytes } = await removeModel({ id, folder });
      await refresh();
      await store.audit({ action: "model.remove", details: { id } });
      return { freedBytes };
    },
    async "models.verify"({ id }) {
      return verifyModel({ id, folder });
    },
    async "settings.get"() {
      return readSettings(folder);
    },
    async "settings.set"({ settings }) {
      const all = writeSettings(folder, settings);
      await refresh();
      // Another model, or one switched on: it has the archive to read.
      app.current()?.catchUpModels();
      return all;
    },
  };
}
