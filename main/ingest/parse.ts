import { type ImportedRecord, importedRecordSchema, limits, UnderstoryError } from "#contract";
import type { Claim, Cursor, DocumentReader, ImportedItem, Importer } from "#main/importers/types.ts";
import { withZone } from "./assume-zone.ts";
import { type InternalPlan, planImport } from "./plan.ts";
import type { PlanInput, ReadBatch, ReadInput } from "./ports.ts";
import { type OpenedTree, openTree } from "./tree.ts";

/** Limits of one batch: small enough to be committed in a moment, large enough to be worth a transaction. */
const batchItems = 200;
const batchChars = 1_000_000;
const batchMs = 1000;

interface Context {
  readonly signal: AbortSignal;
}

/** The service of the parse worker. */
export interface ParseService {
  /** Answers as soon as the thread is up. */
  ready(input: Record<string, never>): Promise<void>;
  plan(input: PlanInput, context: Context): Promise<InternalPlan>;
  read(input: ReadInput, context: Context): AsyncIterable<ReadBatch>;
}

interface Session {
  readonly key: string;
  readonly tree: OpenedTree;
  readonly plan: InternalPlan;
}

/** Recognises and reads with these importers. Keeps the tree of the last plan, so that reading claim by claim does not walk again. */
export function createParseService(importers: readonly Importer[], documents: DocumentReader): ParseService {
  let session: Session | null = null;
  let bytesRead = 0;

  async function open({ roots, uploadKey }: PlanInput, signal: AbortSignal): Promise<Session> {
    const tree = await openTree(roots, {
      ...(uploadKey === undefined ? {} : { uploadKey }),
      signal,
      onRead: (bytes) => {
        bytesRead += bytes;
      },
    });
    return { key: JSON.stringify(roots), tree, plan: await planImport(tree, roots, importers, signal) };
  }

  return {
    async ready() {},

    async plan(input, { signal }) {
      session = await open(input, signal);
      return session.plan;
    },

    async *read(input, { signal }) {
      if (session?.key !== JSON.stringify(input.roots)) session = await open(input, signal);
      const { tree, plan } = session;
      const importer = importers.find((one) => one.id === input.importer);
      if (!importer) throw new UnderstoryError("internal", `There is no importer ${input.importer}.`);
      const siblings = plan.claims
        .filter((one) => one.importer === importer.id && one.claim.primary !== input.claim.primary)
        .map((one) => one.claim);
      const before = bytesRead;
      const zone = importer.zoneless ? (input.zone ?? null) : null;
      const items = importer.read(input.claim, {
        tree,
        signal,
        resume: input.resume,
        siblings,
        documents,
        knownContainer: input.knownContainer,
      });
      yield* inBatches(items, new Gate(input.claim, zone), importer, input, signal, () => bytesRead - before);
    },
  };
}

/** Items in checked batches; a batch without items each second as long as bytes are read. A throw of the importer becomes its file's end. */
async function* inBatches(
  source: AsyncIterable<ImportedItem>,
  gate: Gate,
  importer: Importer,
  { resume }: ReadInput,
  signal: AbortSignal,
  bytesRead: () => number,
): AsyncIterable<ReadBatch> {
  let cursor: Cursor | null = resume;
  let items: ImportedItem[] = [];
  /** So many items can be kept without any of them being read again by who goes on after them. */
  let whole = 0;
  let chars = 0;
  let lastBytes = -1;
  const ticker = new Ticker(batchMs);
  const iterator = source[Symbol.asyncIterator]();
  const take = (done: boolean): ReadBatch => {
    // A mail and its files end together; what never moves its cursor is not held back for ever.
    const end = done || items.length >= 2 * batchItems || chars >= 2 * batchChars ? items.length : whole;
    const batch = { items: items.slice(0, end), cursor, bytesRead: bytesRead(), done };
    items = items.slice(end);
    whole = 0;
    chars = 0;
    lastBytes = batch.bytesRead;
    return batch;
  };
  try {
    let next = iterator.next();
    for (;;) {
      const result = await Promise.race([next, ticker.tick]);
      if (signal.aborted) return;
      if (result === "tick") {
        if (items.length > 0 || bytesRead() !== lastBytes) yield take(false);
        continue;
      }
      if (result.done === true) break;
      const item = gate.pass(result.value);
      const open = items.length > whole;
      if (item) items.push(item);
      if (result.value.type === "record" ? result.value.cursor !== cursor : !open) whole = items.length;
      if (result.value.type === "record") cursor = result.value.cursor;
      if (item?.type === "record") chars += 500 + (item.record.text?.length ?? 0);
      const full = items.length >= batchItems || chars >= batchChars;
      if (full && (whole > 0 || items.length >= 2 * batchItems || chars >= 2 * batchChars)) yield take(false);
      next = iterator.next();
    }
    items.push(gate.end(null));
  } catch (error) {
    if (signal.aborted) return;
    items.push(gate.end(`${importer.title}: ${error instanceof Error ? error.message : String(error)}`));
  } finally {
    ticker.stop();
    // An importer that waits for something must not hold the thread's next call.
    void iterator.return?.()?.catch(() => undefined);
  }
  yield take(true);
}

/** The boundary between importers and the rest: nothing passes that the contract does not allow. */
class Gate {
  readonly #claim: Claim;
  readonly #paths: ReadonlySet<string>;
  #primary: Extract<ImportedItem, { type: "file" }> | null = null;
  #faulty = 0;
  #firstFault = "";
  #cut = 0;
  readonly #zone: string | null;

  constructor(claim: Claim, zone: string | null) {
    this.#claim = claim;
    this.#zone = zone;
    this.#paths = new Set([claim.primary, ...claim.companions]);
  }

  pass(item: ImportedItem): ImportedItem | null {
    if (item.type === "file") {
      if (!this.#paths.has(item.path)) return null;
      if (item.path !== this.#claim.primary) return item;
      // Held back: what is refused here is told in its row.
      this.#primary = item;
      return null;
    }
    const parsed = importedRecordSchema.safeParse(this.#tidy(item.record));
    if (parsed.success) {
      return { ...item, record: this.#zone === null ? parsed.data : withZone(parsed.data, this.#zone) };
    }
    if (this.#faulty++ === 0) {
      const issue = parsed.error.issues[0];
      this.#firstFault = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
    }
    return null;
  }

  #tidy(record: ImportedRecord): ImportedRecord {
    let text = plain(record.text);
    if (text !== null && text.length > limits.textChars) {
      this.#cut++;
      text = text.slice(0, limits.textChars).toWellFormed();
    }
    return { ...record, text, subject: plain(record.subject) };
  }

  /** The row of the primary file. */
  end(failure: string | null): ImportedItem {
    const row = this.#primary;
    const reasons = [failure ?? row?.reason ?? null];
    if (this.#faulty > 0) reasons.push(`${this.#faulty} records were left out as faulty (first: ${this.#firstFault}).`);
    if (this.#cut > 0) reasons.push(`${this.#cut} texts were longer than ${limits.textChars} characters and were cut.`);
    return {
      type: "file",
      path: this.#claim.primary,
      status: failure === null ? (row?.status ?? "imported") : "failed",
      reason: reasons.filter((reason) => reason !== null).join(" ") || null,
      skipped: (row?.skipped ?? 0) + this.#faulty,
    };
  }
}

/** Without NUL and half surrogate pairs, which neither SQLite nor JSON carry. */
function plain(text: string | null): string | null {
  return typeof text === "string" ? text.toWellFormed().replaceAll("\0", "") : text;
}

/** A promise that is renewed each time it has come true. */
class Ticker {
  tick: Promise<"tick">;
  readonly #timer: NodeJS.Timeout;
  #ring: () => void = () => undefined;

  constructor(ms: number) {
    this.tick = this.#renew();
    this.#timer = setInterval(() => {
      const ring = this.#ring;
      this.tick = this.#renew();
      ring();
    }, ms);
  }

  #renew(): Promise<"tick"> {
    return new Promise((resolve) => {
      this.#ring = () => resolve("tick");
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
