import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Job, ModelPurpose } from "#contract";
import type { Inference } from "#main/inference/ports.ts";
import { type ImportStore, type ParsePort, runImport } from "#main/ingest/index.ts";
import type { JobContext, JobHandlers, JobRunner } from "#main/jobs/index.ts";
import { picturePurposes } from "#main/records/ports.ts";
import type { IndexService } from "#main/workers/index.worker.ts";
import type { MediaService } from "#main/workers/media.worker.ts";
import type { Remote } from "#main/workers/service.ts";
import type { StoreService } from "#main/workers/store.worker.ts";
import { loadCatalogue } from "#models/catalogue.ts";
import { installModel } from "#models/fetcher.ts";
import { activeModel } from "#models/installed.ts";
import { installedKey } from "#models/keys.ts";
import { embedPending } from "./embed.ts";
import { encodersFor } from "./encoders.ts";
import { renderOriginal, thumbnailSide } from "./originals.ts";
import { perceive } from "./perceive.ts";
import { readSettings } from "./settings.ts";
import type { Ticker } from "./ticker.ts";

/** The long work of an open archive, as job handlers. Each goes on where it was after kill -9: what is done is in the store. */

/** What a job was asked to do; parsed, as it comes back from a file. */
const importInput = z.object({
  roots: z.array(z.string()).min(1),
  importId: z.number().int().nullable(),
  zone: z.string().optional(),
  /** Read again because something has changed: files that are gone are marked. */
  watched: z.boolean().optional(),
});
const undoInput = z.object({ importId: z.number().int() });
/** What both an import's input and its checkpoint say of it. */
const begunImport = z.object({ importId: z.number().int() });
const sampleInput = z.object({ sampleDir: z.string() });
const installInput = z.object({ id: z.string(), from: z.string().nullable() });

/** Larger steps write fewer and larger segments of full text; this many records of 4 KB are gathered in a few MB. */
const changesAtATime = 1_000;
const undoneAtATime = 500;

export interface BackgroundOptions {
  readonly modelsDir: string;
  readonly derive: boolean;
  readonly uploadKey: Uint8Array;
  readonly store: Remote<StoreService>;
  readonly index: Remote<IndexService>;
  readonly media: Remote<MediaService>;
  readonly inference: Inference;
  readonly parser: ParsePort;
  readonly changes: Ticker;
}

export interface Background {
  readonly handlers: JobHandlers;
  attach(jobs: JobRunner): void;
  catchUp(): void;
  /** Lets models that have not seen all of the archive go on: another one is in use, or failed views wait again. */
  catchUpModels(): void;
  /** Key of the model that is in use for a purpose (`derivedBy`), without opening it; null: none. */
  inUse(purpose: ModelPurpose): string | null;
}

/** Where the sample's files lie once they are all drawn. */
const sampleFilesOf = (sampleDir: string): string => join(sampleDir, "files");

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

export function createBackground(options: BackgroundOptions): Background {
  const { store, index, media, inference, parser, changes } = options;
  let jobs: JobRunner | null = null;
  let importing = 0;

  const enqueue = (kind: Job["kind"], title: string) => {
    void jobs?.enqueue({ kind, key: kind, title, input: null }).catch(() => undefined);
  };
  const catchUp = () => {
    enqueue("index-text", "Making records searchable");
    if (options.derive) enqueue("thumbnails", "Making small pictures");
    catchUpModels();
  };
  const catchUpModels = () => {
    if (!options.derive) return;
    if (inUse("text-embedding") !== null) enqueue("index-vectors", "Reading meanings");
    if (picturePurposes.some((purpose) => inUse(purpose) !== null)) enqueue("perceive", "Looking at pictures");
  };

  /** The store as ingest sees it, with the window told of every commit. */
  const importStore: ImportStore = {
    beginImport: (input) => store.beginImport(input),
    planFiles: (input) => store.planFiles(input),
    ledgerSkip: (input) => store.ledgerSkip(input),
    async commit(batch) {
      const result = await store.commit(batch);
      if (result.recordIds.length > 0) {
        changes.tick();
        enqueue("index-text", "Making records searchable");
      }
      return result;
    },
    checkpoint: (input) => store.checkpoint(input),
    containerHolding: (input) => store.containerHolding(input),
    setImportStatus: (input) => store.setImportStatus(input),
  };

  async function importFiles(
    { roots, importId, zone, watched }: z.infer<typeof importInput>,
    context: JobContext,
  ): Promise<void> {
    const { uploadKey } = options;
    const input = { roots, importId, uploadKey, ...(zone === undefined ? {} : { zone }) };
    importing++;
    const outcome = await runImport({ store: importStore, parser }, input, context).finally(() => {
      importing--;
    });
    if (watched && outcome.status === "done") {
      await store.markMissing({ importId: outcome.importId, present: outcome.paths, at: Date.now() });
    }
    await store.joinPeople({});
    changes.tick();
    catchUp();
  }

  /** Draws the sample's files once; half-drawn ones are drawn again. */
  async function drawSample(folder: string, context: JobContext): Promise<void> {
    if (await exists(folder)) return;
    const unfinished = `${folder}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    context.progress({ note: "Drawing the sample's pictures" });
    // Loaded when it is needed: most archives never are the sample.
    const { generateSample } = await import("#main/sample/generate.ts");
    await generateSample(unfinished, { signal: context.signal });
    await rename(unfinished, folder);
  }

  async function indexText(context: JobContext): Promise<void> {
    for (;;) {
      context.signal.throwIfAborted();
      // While files come in, only what makes them searchable; the end of the import asks for the rest.
      const left = await index.advance({ limit: changesAtATime, textOnly: importing > 0 });
      context.progress({ unit: "records", note: left > 0 ? `${left} changes to go` : null });
      changes.tick();
      if (left === 0) break;
    }
    catchUpModels();
  }

  async function makeThumbnails(context: JobContext): Promise<void> {
    let done = 0;
    for (;;) {
      const pending = await store.pendingThumbnails({ limit: 16 });
      if (pending.length === 0) return changes.tick();
      for (const { recordId, kind, originals, kept } of pending) {
        context.signal.throwIfAborted();
        try {
          const picture = kept
            ? { ...kept, hash: await media.hash({ bytes: kept.bytes }, context.signal) }
            : await renderOriginal(media, { kind, originals }, options.uploadKey, thumbnailSide, context.signal);
          await store.putThumbnail({ recordId, ...picture });
        } catch (error) {
          context.signal.throwIfAborted();
          await store.failThumbnail({ recordId, reason: error instanceof Error ? error.message : String(error) });
        }
        done += 1;
        context.progress({ unit: "pictures", done, note: originals[0]?.location.path ?? null });
        if (done % 20 === 0) changes.tick();
      }
    }
  }

  /** In steps of bounded size: killed in the middle, it begins again and passes over what is done. */
  async function undoImport(raw: unknown, context: JobContext): Promise<void> {
    const { importId } = undoInput.parse(raw);
    let done = 0;
    for (let after: number | null = 0; after !== null; ) {
      context.signal.throwIfAborted();
      const step: { done: number; next: number | null } = await store.undoImport({
        importId,
        after,
        limit: undoneAtATime,
      });
      done += step.done;
      after = step.next;
      context.progress({ unit: "records", done });
      changes.tick();
    }
    catchUp();
  }

  async function install(raw: unknown, context: JobContext): Promise<void> {
    const { id, from } = installInput.parse(raw);
    await installModel({
      id,
      folder: options.modelsDir,
      consent: true,
      signal: context.signal,
      hub: readSettings(options.modelsDir).hub,
      ...(from === null ? {} : { from }),
      onProgress: ({ done, total, note }) => context.progress({ unit: "bytes", done, total, note }),
    });
    await inference.refresh();
    catchUpModels();
  }

  const inUse = (purpose: ModelPurpose): string | null => {
    const model = activeModel(options.modelsDir, purpose, readSettings(options.modelsDir).models);
    return model && installedKey(options.modelsDir, model);
  };
  /** Encoders that read the archive by the settings as they are now; `main`: key of the one in use. */
  const encodersOf = (main: string) => {
    const installed = loadCatalogue().models.flatMap((model) => {
      const modelId = model.purpose === "text-embedding" ? installedKey(options.modelsDir, model) : null;
      return modelId === null ? [] : [{ id: model.id, modelId }];
    });
    const own = installed.find(({ modelId }) => modelId === main) ?? { id: main, modelId: main };
    return encodersFor(readSettings(options.modelsDir).indexProfile, own, installed);
  };
  const looking = {
    ...options,
    inUse,
    tell() {
      changes.tick();
      enqueue("index-text", "Making records searchable");
    },
  };

  return {
    handlers: {
      import: {
        lane: "import",
        async run(raw, context) {
          const sample = sampleInput.safeParse(raw);
          if (sample.success) {
            const folder = sampleFilesOf(sample.data.sampleDir);
            await drawSample(folder, context);
            return importFiles({ roots: [folder], importId: null }, context);
          }
          return importFiles(importInput.parse(raw), context);
        },
        async abandoned(raw, checkpoint) {
          const begun = begunImport.safeParse(checkpoint).data ?? begunImport.safeParse(raw).data;
          if (begun) await store.setImportStatus({ importId: begun.importId, status: "cancelled" });
        },
      },
      "undo-import": { lane: "import", run: undoImport },
      "index-text": { lane: "index", run: (_input, context) => indexText(context) },
      "index-vectors": {
        lane: "meaning",
        async run(_input, context) {
          await embedPending({ index, inference, encoders: encodersOf }, context);
          changes.tick();
        },
      },
      perceive: { lane: "pictures", run: (_input, context) => perceive(looking, context) },
      thumbnails: { lane: "media", run: (_input, context) => makeThumbnails(context) },
      "install-model": { lane: "model", run: install },
    },
    attach(runner) {
      jobs = runner;
    },
    catchUp,
    catchUpModels,
    inUse,
  };
}
