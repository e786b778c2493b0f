import { createRequire } from "node:module";
import { type ArchiveStatus, type Handlers, UnderstoryError, type ViewProgress } from "#contract";
import { createArchive, inspectArchive } from "#main/records/archive.ts";
import { picturePurposes } from "#main/records/ports.ts";
import type { AppContext } from "./context.ts";
import type { Session } from "./session.ts";

type Names = Extract<keyof Handlers, `archive.${string}` | `audit.${string}`>;

/** The sample holds nothing secret; its passphrase only lets the same code open it. */
const samplePassphrase = "understory sample household";

const manifest: { version: string } = createRequire(import.meta.url)("../../package.json");

/** Progress of what each purpose's model derives. Pictures are counted by the model in use, older results not at all. */
async function viewsOf(session: Session, vectors: ViewProgress): Promise<ViewProgress[]> {
  const models = picturePurposes.map((purpose) => ({ purpose, model: session.inUse(purpose) }));
  const inUse = models.flatMap(({ purpose, model }) => (model === null ? [] : [{ purpose, model }]));
  const pictures = inUse.length === 0 ? [] : await session.store.perceptionProgress({ models: inUse });
  const idle = models.filter(({ model }) => model === null);
  return [vectors, ...pictures, ...idle.map((one) => ({ ...one, done: 0, pending: 0, failed: 0 }))];
}

async function countsOf(session: Session): Promise<Pick<ArchiveStatus, "counts" | "indexes">> {
  const { counts, indexes } = await session.read.status({});
  return {
    counts: { ...counts, byKind: { ...counts.byKind } },
    indexes: {
      text: indexes.text,
      vectors: indexes.vectors,
      views: await viewsOf(session, { purpose: "text-embedding", ...indexes.vectors }),
    },
  };
}

export function archiveHandlers(app: AppContext): Pick<Handlers, Names> {
  const base = { version: manifest.version, host: app.options.host };
  return {
    async "archive.status"() {
      const session = app.current();
      if (!session) {
        const found = await inspectArchive(app.options.archiveDir, app.options.keychain);
        const locked = found.state === "locked" ? found : null;
        return {
          ...base,
          state: found.state,
          name: locked?.name ?? null,
          path: app.options.archiveDir,
          sample: false,
          unlockWith: [...(locked?.unlockWith ?? [])],
          counts: null,
          indexes: null,
        };
      }
      const found = await inspectArchive(session.dir, app.options.keychain);
      return {
        ...base,
        state: "open",
        name: found.state === "locked" ? found.name : null,
        path: session.dir,
        sample: session.sample,
        unlockWith: [],
        ...(await countsOf(session)),
      };
    },

    async "archive.create"({ name, passphrase }) {
      if (app.current() && !app.current()?.sample) {
        throw new UnderstoryError("archive_exists", "An archive is open already.", { hint: "Lock it first." });
      }
      const { archiveDir, keychain } = app.options;
      const { recoveryCode } = await createArchive(archiveDir, { name, passphrase, ...(keychain ? { keychain } : {}) });
      await app.open({ sample: false, how: { with: "passphrase", passphrase } });
      return { recoveryCode };
    },

    async "archive.unlock"(how) {
      const session = await app.open({ sample: false, how });
      await session.store.audit({ action: "archive.unlock", details: { with: how.with } });
      return {};
    },

    async "archive.lock"() {
      await app.closeSession();
      return {};
    },

    async "archive.openSample"() {
      const found = await inspectArchive(app.sampleDir);
      if (found.state === "none")
        await createArchive(app.sampleDir, { name: "Sample household", passphrase: samplePassphrase });
      const session = await app.open({ sample: true, how: { with: "passphrase", passphrase: samplePassphrase } });
      if ((await session.read.status({})).counts.records === 0) {
        const input = { sampleDir: app.sampleDir };
        await session.jobs.enqueue({ kind: "import", key: "sample", title: "Reading the sample household", input });
      }
      return {};
    },

    async "archive.closeSample"() {
      if (app.current()?.sample) await app.closeSession();
      return {};
    },

    async "audit.list"({ offset, limit, action }) {
      return app.session().read.auditRows({ offset, limit, ...(action === undefined ? {} : { action }) });
    },
    async "audit.verify"() {
      return app.session().store.verifyAudit({});
    },
    async "audit.export"() {
      const { read, store } = app.session();
      await store.audit({ action: "audit.export", details: {} });
      const lines: string[] = [];
      for (let offset = 0; ; offset += 500) {
        const { rows } = await read.auditRows({ offset, limit: 500 });
        lines.push(...rows.map((row) => JSON.stringify(row)));
        if (rows.length < 500) break;
      }
      // Oldest first, as a chain is checked.
      return { jsonl: `${lines.reverse().join("\n")}\n` };
    },
  };
}
