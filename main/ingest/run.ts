import { z } from "zod";
import { type ImportRun, UnderstoryError } from "#contract";
import { type JobContext, RateMeter, stopReason } from "#main/jobs/index.ts";
import type { CommitResult } from "#main/records/ports.ts";
import type { InternalPlan, PlannedClaim } from "./plan.ts";
import type { ImportStore, ParsePort, PlanInput, ReadBatch } from "./ports.ts";
import { ClaimMark } from "./progress.ts";

export interface ImportPorts {
  readonly store: ImportStore;
  readonly parser: ParsePort;
  /** Ms since 1970. */
  readonly now?: () => number;
  /** A parser that gives no sign of life for so long is killed. */
  readonly silenceMs?: number;
}

export interface ImportInput extends PlanInput {
  /** An import that was begun with `beginImport`, or null: a new one, or the one that the job's checkpoint names. */
  readonly importId: number | null;
  /** IANA zone for sources whose clocks carry none. */
  readonly zone?: string;
  /** What a plan of the same roots gave just now; worked out here when absent. */
  readonly plan?: InternalPlan;
}

/** What of a job's context an import needs. */
export type ImportContext = Pick<JobContext, "jobId" | "signal" | "checkpoint" | "saveCheckpoint" | "progress">;

const checkpointSchema = z.object({ importId: z.number().int() });

export interface ImportOutcome {
  readonly importId: number;
  readonly status: Extract<ImportRun["status"], "done" | "paused" | "cancelled" | "interrupted">;
  /** All files that there are below the roots. */
  readonly paths: readonly string[];
  /** Of this run, not of the ones before it. */
  readonly records: { readonly imported: number; readonly updated: number; readonly duplicate: number };
}

/** How the rows of files that no importer reads are called in the ledger. */
const treeImporter = "files";
const rowsPerCall = 5000;

/**
 * Reads all that can be read below the roots into the store. Killed at any moment and called again with the same import
 * id (or the same job's checkpoint), it goes on from the last commit: nothing is lost, nothing comes twice. A file that
 * has changed in between is read from its beginning.
 *
 * One batch is parsed while the one before it is committed. Never two commits at once: a later batch's checkpoint must
 * not stand when an earlier batch failed.
 *
 * Resolves also when the context's signal stops it. Throws what planning throws (`path_missing` …) and what the store
 * throws (`disk_full` …) after the import is marked as failed. A fault of a parser is the end of its file only.
 */
export async function runImport(
  ports: ImportPorts,
  input: ImportInput,
  context: ImportContext,
): Promise<ImportOutcome> {
  const { store, parser } = ports;
  const kept = checkpointSchema.safeParse(context.checkpoint);
  let importId = input.importId ?? (kept.success ? kept.data.importId : null);
  try {
    const plan = input.plan ?? (await parser.plan(input, context.signal));
    const files = filesOf(plan);
    if (importId === null) {
      importId = await store.beginImport({ jobId: context.jobId, roots: plan.roots, files });
      await context.saveCheckpoint({ importId });
    } else await store.planFiles({ importId, files });
    await store.setImportStatus({ importId, status: "running" });
    const records = await new Run(ports, input, plan, importId, context).run();
    const status = endingOf(context.signal);
    await store.setImportStatus({ importId, status });
    return { importId, status, records, paths: files.map(({ path }) => path) };
  } catch (error) {
    // The first fault is the one to tell; when the store is gone this one fails too.
    const status = context.signal.aborted ? endingOf(context.signal) : "failed";
    if (importId !== null) await store.setImportStatus({ importId, status }).catch(() => undefined);
    throw error;
  }
}

/** All files of a plan, each once. */
export function filesOf(plan: InternalPlan): { path: string; bytes: number }[] {
  const files = new Map(plan.rows.map(({ path, bytes }) => [path, bytes]));
  for (const claim of plan.claims) for (const { path, bytes } of claim.files) files.set(path, bytes);
  return [...files].map(([path, bytes]) => ({ path, bytes }));
}

function endingOf(signal: AbortSignal): ImportOutcome["status"] {
  const reason = stopReason(signal);
  if (reason === null) return "done";
  return reason === "pause" ? "paused" : reason === "cancel" ? "cancelled" : "interrupted";
}

class Run {
  readonly #ports: ImportPorts;
  readonly #input: ImportInput;
  readonly #plan: InternalPlan;
  readonly #importId: number;
  readonly #context: ImportContext;
  readonly #meter: RateMeter;
  readonly #total: number;
  readonly #records = { imported: 0, updated: 0, duplicate: 0 };
  #doneBytes = 0;
  #doneFiles: number;

  constructor(ports: ImportPorts, input: ImportInput, plan: InternalPlan, importId: number, context: ImportContext) {
    this.#ports = ports;
    this.#input = input;
    this.#plan = plan;
    this.#importId = importId;
    this.#context = context;
    this.#meter = new RateMeter(ports.now ?? Date.now);
    this.#total = plan.claims.reduce((sum, claim) => sum + claim.bytes, 0);
    this.#doneFiles = plan.rows.length;
  }

  async run(): Promise<ImportOutcome["records"]> {
    await this.#commitRows();
    this.#meter.restart(0);
    for (const claim of this.#plan.claims) {
      if (this.#context.signal.aborted) break;
      await this.#readClaim(claim);
    }
    return { ...this.#records };
  }

  /** Files that no importer reads. Done again by every run: it is cheap and gives the same rows. */
  async #commitRows(): Promise<void> {
    const { store } = this.#ports;
    const importId = this.#importId;
    const skipped = this.#plan.rows
      .filter(({ status, skipped: members }) => status === "skipped" && members === 0)
      .map(({ path, bytes, reason }) => ({ path, bytes, reason: reason ?? "It is left out." }));
    for (let at = 0; at < skipped.length; at += rowsPerCall) {
      await store.ledgerSkip({ importId, rows: skipped.slice(at, at + rowsPerCall) });
    }
    for (const { path, status, reason, skipped: members } of this.#plan.rows) {
      if (status === "skipped" && members === 0) continue;
      const items = [{ type: "file", path, status, reason, skipped: members } as const];
      await store.commit({ importId, importer: treeImporter, claim: path, items, cursor: null, done: true });
    }
  }

  /** Reads one claim to its end, or until a stop is asked for. */
  async #readClaim(planned: PlannedClaim): Promise<void> {
    const { store, parser } = this.#ports;
    const kept = await store.checkpoint({ importId: this.#importId, claim: planned.claim.primary });
    const mark = new ClaimMark(planned);
    if (mark.restore(kept.cursor) && kept.done) {
      this.#finishClaim(planned);
      this.#meter.restart(this.#doneBytes);
      return;
    }
    const { fingerprints = [] } = planned.claim;
    const knownContainer = fingerprints.length === 0 ? null : await store.containerHolding({ fingerprints });
    let lastFault = "";
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        await this.#readOnce(planned, mark, knownContainer);
        if (!this.#context.signal.aborted) this.#finishClaim(planned);
        return;
      } catch (error) {
        if (!(error instanceof ParserFault)) throw error;
        if (this.#context.signal.aborted) return;
        lastFault = error.message;
        await parser.restart();
      }
    }
    const reason = `${lastFault} What was read before is kept; the rest of it was given up after a second try.`;
    const items = mark.untold().map((path) => ({ type: "file", path, status: "failed", reason, skipped: 0 }) as const);
    for (const { path } of items) mark.tell(path);
    await this.#commit(planned, mark, { items, done: true });
    this.#finishClaim(planned);
  }

  /** One attempt, from the mark on. Throws `ParserFault` when the parser died or hangs; other throws come from the store. */
  async #readOnce(planned: PlannedClaim, mark: ClaimMark, knownContainer: string | null): Promise<void> {
    const { roots, uploadKey, zone } = this.#input;
    const { importer, claim } = planned;
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, this.#context.signal]);
    const source = this.#ports.parser.read(
      {
        roots,
        importer,
        claim,
        resume: mark.cursor,
        knownContainer,
        ...(zone === undefined ? {} : { zone }),
        ...(uploadKey === undefined ? {} : { uploadKey }),
      },
      signal,
    );
    const batches = source[Symbol.asyncIterator]();
    let committing: Promise<void> = Promise.resolve();
    try {
      for (;;) {
        const result = await this.#next(batches, claim.label);
        // Also when the next batch never came, the one before it stands.
        await committing;
        if (result.done === true || this.#context.signal.aborted) return;
        committing = this.#take(planned, mark, result.value);
        committing.catch(() => undefined);
        if (result.value.done) return;
      }
    } finally {
      own.abort();
      void Promise.resolve(batches.return?.()).catch(() => undefined);
      await committing;
    }
  }

  async #next(batches: AsyncIterator<ReadBatch>, label: string): Promise<IteratorResult<ReadBatch, unknown>> {
    const silence = this.#ports.silenceMs ?? 60_000;
    const { signal } = this.#context;
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    const next = batches.next().catch((error: unknown) => {
      throw new ParserFault(`Reading ${label} broke off: ${error instanceof Error ? error.message : String(error)}`);
    });
    next.catch(() => undefined);
    try {
      return await Promise.race([
        next,
        new Promise<never>((_, reject) => {
          const fault = new ParserFault(`Reading ${label} made no progress for ${Math.round(silence / 1000)} seconds.`);
          timer = setTimeout(() => reject(fault), silence);
        }),
        // A person who stops the import does not wait for a parser that hangs.
        new Promise<IteratorResult<ReadBatch, unknown>>((resolve) => {
          stop = () => resolve({ done: true, value: undefined });
          if (signal.aborted) stop();
          signal.addEventListener("abort", stop, { once: true });
        }),
      ]);
    } finally {
      clearTimeout(timer);
      if (stop) signal.removeEventListener("abort", stop);
    }
  }

  async #take(planned: PlannedClaim, mark: ClaimMark, batch: ReadBatch): Promise<void> {
    mark.cursor = batch.cursor;
    for (const item of batch.items) if (item.type === "file") mark.tell(item.path);
    const items = [...batch.items];
    if (batch.done) {
      // A file that its importer says nothing about went in with the others.
      for (const path of mark.untold()) {
        items.push({ type: "file", path, status: "imported", reason: null, skipped: 0 });
        mark.tell(path);
      }
    }
    if (items.length > 0 || batch.packed || batch.done) await this.#commit(planned, mark, { ...batch, items });
    const reached = this.#doneBytes + Math.min(planned.bytes, batch.bytesRead);
    this.#report(reached, planned.claim.label);
  }

  async #commit(
    planned: PlannedClaim,
    mark: ClaimMark,
    { items, packed, done }: Pick<ReadBatch, "items" | "packed" | "done">,
  ): Promise<void> {
    const result: CommitResult = await this.#ports.store.commit({
      importId: this.#importId,
      importer: planned.importer,
      claim: planned.claim.primary,
      items,
      ...(packed === undefined ? {} : { packed }),
      checked: true,
      cursor: mark.keep(),
      done,
    });
    this.#records.imported += result.imported;
    this.#records.updated += result.updated;
    this.#records.duplicate += result.duplicate;
  }

  #finishClaim({ bytes, files, claim }: PlannedClaim): void {
    this.#doneBytes += bytes;
    this.#doneFiles += files.length;
    this.#report(this.#doneBytes, claim.label);
  }

  #report(done: number, note: string): void {
    const { imported, updated, duplicate } = this.#records;
    this.#context.progress({
      done,
      total: this.#total,
      unit: "bytes",
      note,
      records: imported + updated + duplicate,
      files: this.#doneFiles,
      ...this.#meter.measure(done, this.#total),
    });
  }
}

/** The parser died, hangs or refused: this claim is tried again, then given up. */
class ParserFault extends UnderstoryError {
  constructor(message: string) {
    super("worker_crashed", message);
  }
}
