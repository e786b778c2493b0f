import type { Handlers } from "#contract";
import { findModel } from "#models/catalogue.ts";
import { listModels, removeModel, verifyModel } from "#models/installed.ts";
import type { AppContext } from "./context.ts";
import { readSettings, writeSettings } from "./settings.ts";

type Names = Extract<keyof Handlers, `models.${string}` | `settings.${string}`>;

export function modelHandlers(app: AppContext): Pick<Handlers, Names> {
  const folder = app.options.modelsDir;
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
      const { inference, store, forgetModel } = app.session();
      forgetModel();
      await inference.unload({});
      const { freedBytes } = await removeModel({ id, folder });
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
      return writeSettings(folder, settings);
    },
  };
}
