import { create } from "zustand";
import type { ErrorShape, ImportPlan, ImportRun } from "#contract";
import { client, shownError } from "./client.ts";

/** A file of what was dropped, with its path below what was dropped. */
export interface DroppedFile {
  path: string;
  file: File;
}

/** Where the next import stands before it runs. */
export type Phase =
  | { at: "idle" }
  | { at: "looking"; files: number }
  | { at: "sending"; sent: number; bytes: number; files: number; name: string }
  | { at: "planning"; paths: readonly string[] }
  | { at: "planned"; plan: ImportPlan }
  | { at: "failed"; error: ErrorShape };

interface Imports {
  phase: Phase;
  runs: readonly ImportRun[] | null;
  error: ErrorShape | null;
  /** Plans what lies on the host. */
  planPaths(paths: readonly string[]): Promise<void>;
  /** Sends files that the browser holds, then plans them. */
  sendFiles(files: AsyncIterable<DroppedFile>): Promise<void>;
  /** Starts the planned import, clocks without a zone read in `zone`; true when it runs. */
  run(zone: string | null): Promise<boolean>;
  discard(): void;
  loadRuns(): Promise<void>;
}

/** Bytes of one upload message. */
export const chunkBytes = 1024 * 1024;

let controller: AbortController | null = null;

export const useImports = create<Imports>((set, get) => {
  /** Runs a step that can be discarded; what goes wrong is shown in its place. */
  async function step(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    controller?.abort();
    const own = new AbortController();
    controller = own;
    try {
      await work(own.signal);
    } catch (error) {
      if (controller !== own) return;
      const shape = shownError(error);
      set({ phase: shape ? { at: "failed", error: shape } : { at: "idle" } });
    }
  }

  async function plan(paths: readonly string[], signal: AbortSignal): Promise<void> {
    set({ phase: { at: "planning", paths } });
    const planned = await client().call("imports.plan", { paths: [...paths] }, { signal });
    if (!signal.aborted) set({ phase: { at: "planned", plan: planned } });
  }

  return {
    phase: { at: "idle" },
    runs: null,
    error: null,
    planPaths: (paths) => step((signal) => plan(paths, signal)),
    sendFiles: (files) =>
      step(async (signal) => {
        set({ phase: { at: "looking", files: 0 } });
        const all: DroppedFile[] = [];
        for await (const file of files) {
          if (signal.aborted) return;
          all.push(file);
          if (all.length % 50 === 0) set({ phase: { at: "looking", files: all.length } });
        }
        if (all.length === 0) {
          set({ phase: { at: "idle" } });
          return;
        }
        const path = await upload(all, signal, (sent, bytes, name) =>
          set({ phase: { at: "sending", sent, bytes, files: all.length, name } }),
        );
        await plan([path], signal);
      }),
    async run(zone) {
      const { phase } = get();
      if (phase.at !== "planned") return false;
      let started = false;
      await step(async (signal) => {
        await client().call("imports.run", { planId: phase.plan.planId, ...(zone === null ? {} : { zone }) });
        started = true;
        // What was dropped while it was being started is the next one's.
        if (!signal.aborted) set({ phase: { at: "idle" } });
      });
      await get().loadRuns();
      return started;
    },
    discard() {
      controller?.abort();
      controller = null;
      set({ phase: { at: "idle" } });
    },
    async loadRuns() {
      try {
        set({ runs: (await client().call("imports.list", {})).runs, error: null });
      } catch (error) {
        set({ error: shownError(error) });
      }
    },
  };
});

/** Files under way at once: enough that small ones do not wait for each other's answers. */
const filesAtOnce = 4;

/** Sends one file, its chunks in order; the next one is read from disk while one is on its way. */
async function sendFile(
  uploadId: string,
  { path, file }: DroppedFile,
  signal: AbortSignal,
  sent: (bytes: number) => void,
): Promise<void> {
  const read = async (from: number) => new Uint8Array(await file.slice(from, from + chunkBytes).arrayBuffer());
  let next = read(0);
  let offset = 0;
  do {
    const bytes = await next;
    const end = offset + bytes.length;
    const last = end >= file.size || bytes.length === 0;
    const call = client().call(
      "uploads.chunk",
      { uploadId, path, offset, bytes, last, modified: file.lastModified },
      { signal },
    );
    if (!last) {
      next = read(end);
      // When the call fails nobody takes this read any more.
      next.catch(() => undefined);
    }
    await call;
    sent(bytes.length);
    offset = end;
    if (last) return;
  } while (!signal.aborted);
}

/** Streams files to the host, a few at once; what was sent is thrown away when it cannot be finished. */
async function upload(
  files: readonly DroppedFile[],
  signal: AbortSignal,
  progress: (sent: number, bytes: number, name: string) => void,
): Promise<string> {
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const { uploadId } = await client().call("uploads.begin", {}, { signal });
  // One that fails stops the others.
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  // Only what has arrived is counted.
  let sent = 0;
  // Files of one path go one after the other, or their chunks would mix.
  const waiting = [...Map.groupBy(files, ({ path }) => path).values()];
  async function work(): Promise<void> {
    for (let group = waiting.shift(); group && !either.aborted; group = waiting.shift()) {
      for (const one of group) {
        progress(sent, total, one.path);
        await sendFile(uploadId, one, either, (bytes) => {
          sent += bytes;
          progress(sent, total, one.path);
        });
      }
    }
  }
  try {
    let cause: unknown = null;
    const workers = Array.from({ length: filesAtOnce }, () =>
      work().catch((error: unknown) => {
        cause ??= error;
        failed.abort();
      }),
    );
    await Promise.all(workers);
    if (cause !== null) throw cause;
    return (await client().call("uploads.finish", { uploadId }, { signal })).path;
  } catch (error) {
    // Best effort: the host also throws away uploads that were never finished.
    await client()
      .call("uploads.discard", { uploadId })
      .catch(() => undefined);
    throw error;
  }
}
