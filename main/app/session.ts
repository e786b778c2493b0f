import { MessageChannel, type Worker } from "node:worker_threads";
import { type ModelPurpose, UnderstoryError } from "#contract";
import { type Language, serveLanguage } from "#main/inference/language.ts";
import type { InferenceHost } from "#main/inference/ports.ts";
import { serveInference } from "#main/inference/serve.ts";
import { createUploads, deriveUploadKey, type Uploads } from "#main/ingest/index.ts";
import { createJobRunner, type JobRunner } from "#main/jobs/index.ts";
import { acquireLock, unlockArchive } from "#main/records/archive.ts";
import type { Keychain, UnlockWith } from "#main/records/keyring.ts";
import type { IndexService } from "#main/workers/index.worker.ts";
import type { MediaService } from "#main/workers/media.worker.ts";
import { createParser } from "#main/workers/parser.ts";
import type { ReadService, ReadWorkerData } from "#main/workers/read.worker.ts";
import { connectService, endService, type Remote } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import type { StoreService } from "#main/workers/store.worker.ts";
import { createBackground } from "./background.ts";
import { uploadsOf } from "./places.ts";
import { createTicker, type Ticker } from "./ticker.ts";
import { createWatcher, type Watcher } from "./watcher.ts";

/** An open archive: its lock, its worker threads, its jobs. Closing it ends them all, the store last. */
export interface Session {
  readonly dir: string;
  readonly sample: boolean;
  readonly uploadKey: Uint8Array;
  readonly store: Remote<StoreService>;
  readonly index: Remote<IndexService>;
  readonly read: Remote<ReadService>;
  readonly media: Remote<MediaService>;
  readonly parser: ReturnType<typeof createParser>;
  readonly jobs: JobRunner;
  readonly uploads: Uploads;
  /** Ticks whenever records or what is derived from them have changed. */
  readonly changes: Ticker;
  /** Brings indexes, vectors and thumbnails up to the newest record, in the background. */
  catchUp(): void;
  /** The same for models alone: another one is in use, or failed views wait again. */
  catchUpModels(): void;
  /** Key of the model that is in use for a purpose (`derivedBy`), without opening it; null: none. */
  inUse(purpose: ModelPurpose): string | null;
  readonly watcher: Watcher;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly dir: string;
  readonly how: UnlockWith;
  readonly keychain: Keychain | undefined;
  readonly modelsDir: string;
  /** Shared by all archives that are opened one after the other; it stays open. */
  readonly inference: InferenceHost;
  readonly language: Language;
  readonly sample: boolean;
  /** False leaves out vectors, thumbnails and watching, for an archive that is thrown away at once. */
  readonly derive: boolean;
  /** Quiet before a change in a watched folder is read, ms. */
  readonly settleMs: number;
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const lock = acquireLock(options.dir);
  const threads: Worker[] = [];
  try {
    const files = await unlockArchive(options.dir, options.how, options.keychain);
    const questions = new MessageChannel();
    const judging = new MessageChannel();
    const start = <T>(
      name: Parameters<typeof spawnWorker>[0],
      more: Parameters<typeof spawnWorker>[1] = {},
    ): Remote<T> => {
      const worker = spawnWorker(name, more);
      threads.push(worker);
      return connectService<T>(worker, name);
    };
    // All threads load their code at the same time; the store opens first, for it brings the files to this version.
    const store = start<StoreService>("store");
    const index = start<IndexService>("index");
    const read = start<ReadService>("read", {
      workerData: { inferencePort: questions.port2, languagePort: judging.port2 } satisfies ReadWorkerData,
      transferList: [questions.port2, judging.port2],
    });
    const media = lazily(() => start<MediaService>("media"));
    serveInference(questions.port1, options.inference);
    serveLanguage(judging.port1, options.language);
    await store.open(files);
    await Promise.all([index.open(files), read.open(files)]);
    const parser = createParser();
    const uploadKey = deriveUploadKey(files.key);
    const uploads = createUploads({ folder: uploadsOf(options.dir), key: uploadKey });
    const changes = createTicker(250);
    const background = createBackground({ ...options, uploadKey, store, index, media, parser, changes });
    const jobs = createJobRunner({
      store: { save: (saved) => store.saveJob(saved), load: () => store.loadJobs({}) },
      handlers: background.handlers,
    });
    background.attach(jobs);
    await jobs.start();
    for (const { importId, jobId, roots, zone } of await store.lostImports({})) {
      const input = { roots, importId, ...(zone === null ? {} : { zone }) };
      const title = "Reading on where an import broke off";
      await jobs.enqueue({ id: jobId, kind: "import", key: `import-${importId}`, title, input });
    }
    const watcher = createWatcher({
      watched: () => read.watchedImports({}),
      async read({ importId, roots, zone }) {
        const key = `import-${importId}`;
        // A job that runs has looked already at what may have changed since: it is asked again.
        if (jobs.isLive(key)) return false;
        const input = { roots, importId, watched: true, ...(zone === null ? {} : { zone }) };
        await jobs.enqueue({ kind: "import", key, title: "Reading what is new", input });
        return true;
      },
      settleMs: options.settleMs,
    });
    if (options.derive) await watcher.refresh();
    await uploads.sweep();

    const session: Session = {
      dir: options.dir,
      sample: options.sample,
      uploadKey,
      store,
      index,
      read,
      media,
      parser,
      jobs,
      uploads,
      changes,
      catchUp: background.catchUp,
      catchUpModels: background.catchUpModels,
      inUse: background.inUse,
      watcher,
      async close() {
        watcher.close();
        await jobs.stop();
        await parser.close();
        await Promise.allSettled([read.close({}), index.close({})]);
        await store.close({});
        await Promise.all(threads.map(endService));
        questions.port1.close();
        judging.port1.close();
        lock.release();
      },
    };
    background.catchUp();
    return session;
  } catch (error) {
    await Promise.all(threads.map(endService));
    lock.release();
    throw error;
  }
}

/** A service whose thread is only started by its first call. */
function lazily<T extends object>(start: () => T): T {
  let started: T | null = null;
  const target: T = Object.create(null);
  return new Proxy(target, {
    get(_target, key) {
      started ??= start();
      return Reflect.get(started, key);
    },
  });
}

/** The session, or a typed refusal that says what to do first. */
export function needSession(session: Session | null): Session {
  if (session) return session;
  throw new UnderstoryError("archive_locked", "No archive is open.", {
    hint: "Unlock your archive, or open the sample.",
  });
}
