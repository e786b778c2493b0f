import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Handlers, type HostEntry, type ImportRun, UnderstoryError } from "#contract";
import { isZone } from "#main/importers/text/zone.ts";
import { filesOf, type InternalPlan, toImportPlan } from "#main/ingest/index.ts";
import type { AppContext } from "./context.ts";
import { isUpload } from "./places.ts";

type Names = Extract<keyof Handlers, `imports.${string}` | `uploads.${string}` | `jobs.${string}`>;

/** Plans that wait for a yes. Few: each may hold a long list of files. */
const keptPlans = 4;
const keptEntries = 2_000;
/** How an import ends; only one that has ended can be undone. */
const over: ReadonlySet<ImportRun["status"]> = new Set(["done", "cancelled", "failed"]);

async function browse(path: string): Promise<HostEntry[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    const code = error.code === "ENOENT" ? "path_missing" : "path_unreadable";
    throw new UnderstoryError(code, `${path} cannot be listed.`, { hint: "Choose another folder.", details: { path } });
  });
  const rows = entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isFile()))
    .map((entry) => ({ path: join(path, entry.name), name: entry.name, folder: entry.isDirectory() }))
    .sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name))
    .slice(0, keptEntries);
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      bytes: row.folder
        ? null
        : await stat(row.path).then(
            (facts) => facts.size,
            () => null,
          ),
    })),
  );
}

export function importHandlers(app: AppContext): Pick<Handlers, Names> {
  const plans = new Map<string, InternalPlan>();

  async function runOf(importId: number): Promise<ImportRun> {
    const run = (await app.session().read.importRuns({})).find((one) => one.id === importId);
    if (run) return run;
    throw new UnderstoryError("import_not_found", `There is no import ${importId}.`, { details: { importId } });
  }

  return {
    async "imports.browse"({ path }) {
      const here = resolve(path ?? homedir());
      const parent = dirname(here);
      return { path: here, parent: parent === here ? null : parent, entries: await browse(here) };
    },

    async "imports.plan"({ paths }, { signal }) {
      const { parser, read, uploadKey } = app.session();
      const plan = await parser.plan({ roots: paths, uploadKey }, signal);
      const planId = randomUUID();
      plans.set(planId, plan);
      for (const old of [...plans.keys()].slice(0, -keptPlans)) plans.delete(old);
      return toImportPlan(planId, plan, plan.zoneless.length > 0 ? await read.zoneGuess({}) : null);
    },

    async "imports.run"({ planId, zone }) {
      if (zone !== undefined && !isZone(zone)) {
        throw new UnderstoryError("bad_request", `${zone} is no time zone.`, {
          hint: "Name it as in Europe/Berlin.",
          details: { field: "zone" },
        });
      }
      const plan = plans.get(planId);
      if (!plan) {
        throw new UnderstoryError("import_not_found", "This plan is no longer known.", {
          hint: "Plan the import again.",
        });
      }
      plans.delete(planId);
      const { store, jobs } = app.session();
      const jobId = randomUUID();
      const files = filesOf(plan);
      const importId = await store.beginImport({
        jobId,
        roots: plan.roots,
        files,
        ...(zone === undefined ? {} : { zone }),
      });
      const title =
        plan.claims.length === 1 ? `Reading ${plan.claims[0]?.claim.label}` : `Reading ${files.length} files`;
      await jobs.enqueue({
        id: jobId,
        kind: "import",
        key: `import-${importId}`,
        title,
        input: { roots: plan.roots, importId, ...(zone === undefined ? {} : { zone }) },
      });
      return runOf(importId);
    },

    async "imports.watch"({ importId, on }) {
      const { dir, store, watcher } = app.session();
      const run = await runOf(importId);
      if (on && run.roots.some((root) => isUpload(dir, root))) {
        throw new UnderstoryError("bad_request", "What was dropped into the window cannot be watched.", {
          hint: "It is a copy. Choose the folder itself with “Browse this machine” to have it watched.",
          details: { importId },
        });
      }
      await store.watchImport({ importId, on });
      await watcher.refresh();
      return {};
    },

    async "imports.list"() {
      return { runs: await app.session().read.importRuns({}) };
    },
    async "imports.ledger"({ importId, status, offset, limit }) {
      return app.session().read.ledger({ importId, offset, limit, ...(status === undefined ? {} : { status }) });
    },

    "imports.undoPreview": ({ importId }) => app.session().read.undoPreview({ importId }),
    async "imports.undo"({ importId }) {
      const { jobs } = app.session();
      const run = await runOf(importId);
      if (!over.has(run.status)) {
        const why = run.status === "undone" ? "is undone already" : "has not ended yet";
        throw new UnderstoryError("conflict", `Import ${importId} ${why}.`, {
          hint: run.status === "undone" ? "Nothing was changed." : "Nothing was changed. Stop it first.",
          details: { importId, status: run.status },
        });
      }
      const job = await jobs.enqueue({
        kind: "undo-import",
        key: `undo-${importId}`,
        title: "Undoing an import",
        input: { importId },
      });
      return { jobId: job.id };
    },

    "uploads.begin": () => app.session().uploads.begin(),
    async "uploads.chunk"(input) {
      await app.session().uploads.chunk(input);
      return {};
    },
    "uploads.finish": (input) => app.session().uploads.finish(input),
    async "uploads.discard"(input) {
      await app.session().uploads.discard(input);
      return {};
    },

    async "jobs.list"() {
      return { jobs: app.session().jobs.list() };
    },
    async *"jobs.watch"(_input, { signal }) {
      yield* app.session().jobs.watch(signal);
    },
    async "jobs.pause"({ jobId }) {
      await app.session().jobs.pause(jobId);
      return {};
    },
    async "jobs.resume"({ jobId }) {
      await app.session().jobs.resume(jobId);
      return {};
    },
    async "jobs.cancel"({ jobId }) {
      await app.session().jobs.cancel(jobId);
      return {};
    },
  };
}
