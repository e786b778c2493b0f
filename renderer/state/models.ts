import { create } from "zustand";
import type { ErrorShape, Job, ModelPurpose, ModelStatus } from "#contract";
import { client, shownError } from "./client.ts";
import { isLive } from "./jobs.ts";

interface Models {
  /** Null until the first answer. */
  models: readonly ModelStatus[] | null;
  folder: string;
  error: ErrorShape | null;
  /** The job that installs a model, for those that this window has begun. */
  jobIds: ReadonlyMap<string, string>;
  load(): Promise<void>;
  /** Begins to install, one after the other; `from` is a folder or file on this machine. Throws what the core refuses. */
  install(ids: readonly string[], from?: string): Promise<void>;
}

export const useModels = create<Models>((set, get) => ({
  models: null,
  folder: "",
  error: null,
  jobIds: new Map(),
  async load() {
    try {
      const { models, folder } = await client().call("models.list", {});
      set({ models, folder, error: null });
    } catch (cause) {
      const error = shownError(cause);
      if (error) set({ error });
    }
  },
  async install(ids, from) {
    for (const id of ids) {
      const { jobId } = await client().call("models.install", {
        id,
        consent: true,
        ...(from === undefined ? {} : { from }),
      });
      set({ jobIds: new Map(get().jobIds).set(id, jobId) });
    }
    await get().load();
  },
}));

/**
 * The newest job that installs this model. A job does not carry the model's id: one that another window began, or that
 * was under way before this window opened, is known by the model's title at the end of its own.
 */
export function installJob(
  model: ModelStatus,
  jobs: ReadonlyMap<string, Job>,
  jobIds: ReadonlyMap<string, string>,
): Job | undefined {
  const own = jobs.get(jobIds.get(model.id) ?? "");
  if (own) return own;
  return [...jobs.values()]
    .filter((job) => job.kind === "install-model" && job.title.endsWith(` ${model.title}`))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
}

/** How a model stands, its job considered: one whose job waits for its turn counts as being installed. */
export function modelState(model: ModelStatus, job: Job | undefined): ModelStatus["state"] {
  return job && isLive(job) && model.state !== "installed" ? "installing" : model.state;
}

/** What a new archive gains most from, by purpose. */
const basics: readonly ModelPurpose[] = ["text-embedding", "ocr", "image-tags"];

/** The recommended models of the basics that are not there yet and that this machine can bear. */
export function goodStart(models: readonly ModelStatus[], stateOf: (model: ModelStatus) => ModelStatus["state"]) {
  return basics.flatMap((purpose) => {
    const ours = models.filter((model) => model.purpose === purpose);
    if (ours.some((model) => stateOf(model) === "installed" || stateOf(model) === "installing")) return [];
    const best = ours.find((model) => model.recommended && model.fits);
    return best ? [best] : [];
  });
}
